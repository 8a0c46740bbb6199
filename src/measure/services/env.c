#include "measure/services/env.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"
#include "measure/services/service_run.h"
#include "measure/tools/strace.h"
#include "measure/tools/tool.h"

static bool is_target(const struct plan *plan, const struct plan_service *service)
{
	return strv_has(&plan->scenario->target_services, service->service->name);
}

/* -------- an environment that stays up */

enum { LOOK_EVERY_S = 1, PORTS_NAMED = 8 };
#define CLEANUP_TIMEOUT_NS (30 * NS_PER_S)

/* pawl's parent may wait for the end of inherited descriptors. */
static void close_what_is_not_needed(const struct env *env)
{
	const struct keeper *keeper = env->session->keeper;
	CLEANUP(strv_release) struct strv open = STRV_INIT;

	file_list("/proc/self/fd", &open, NULL);
	for (size_t i = 0; i < open.n; i++) {
		int fd = (int)strtol(open.items[i], NULL, 10);
		bool needed = fd < 3 || fd == keeper->sock || fd == keeper->signals ||
			      fd == env->session->scratch_lock || (keeper->interrupt && fd == keeper->interrupt->fd);

		for (const struct child *c = keeper->children; c && !needed; c = c->next)
			needed = fd == c->output_fd;
		if (!needed)
			close(fd);
	}
}

static bool any_alive(struct env *env)
{
	for (size_t i = 0; i < env->n; i++)
		if (service_run_alive(&env->services[i], NULL) == 0)
			return true;
	return false;
}

static void __attribute__((noreturn)) keep(struct env *env, const char *log_dir)
{
	const struct plan *plan = env->plan;
	struct child_spec cleanup = { .argv = &plan->cleanup, .environment = &plan->commands_environment, .cwd = plan->root };
	struct session *session = env->session;
	struct keeper *keeper = session->keeper;
	CLEANUP(strv_release) struct strv notes = STRV_INIT;
	int null;

	close_what_is_not_needed(env);
	/* Terminals and readers must not wait for this process. */
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	setsid();
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	prctl(PR_SET_NAME, "pawl-env");

	/* Its parent is another process, so no report says that it was stopped. */
	while (any_alive(env) && keeper_pump(keeper, clock_now_ns() + LOOK_EVERY_S * NS_PER_S, NULL) >= 0)
		kill(keeper->pid, SIGCONT);
	env_down(env, log_dir, &notes);
	/* Cleanup comes last, because it may remove what services need. No signal interrupts it. */
	keeper->interrupt = NULL;
	if (plan->cleanup.n)
		child_run(keeper, &cleanup, CLEANUP_TIMEOUT_NS, NULL, NULL);
	session_remove_scratch(session);
	keeper_stop(keeper);
	_exit(0);
}

struct kept_env kept_env_start(struct env *env, const char *log_dir, struct strv *notes)
{
	struct session *session = env->session;
	struct keeper *keeper = session->keeper;
	struct error why = ERROR_INIT;
	struct kept_env kept = { 0 };
	double cpu_ms = keeper->cpu_ms;

	for (size_t i = 0; i < env->n; i++) {
		CLEANUP(processes_release) struct processes processes = { 0 };
		struct strbuf words = STRBUF_INIT;
		int ports[PORTS_NAMED];
		pid_t pid;
		size_t n;

		service_run_processes(&env->services[i], &processes, NULL);
		n = listening_ports(&processes, ports, PORTS_NAMED);
		pid = processes.n ? processes.items[0].pid : 0;
		if (!kept.target && is_target(env->plan, env->services[i].plan))
			kept.target = pid;
		strbuf_addf(&words, "%s: pid %d", env->services[i].plan->service->name, (int)pid);
		for (size_t k = 0; k < n && k < PORTS_NAMED; k++)
			strbuf_addf(&words, ", port %d", ports[k]);
		strv_take(&kept.services, strbuf_take(&words));
	}
	fflush(NULL);
	kept.pid = fork();
	if (kept.pid < 0) {
		strv_pushf(notes, "the environment cannot be kept: %m");
		kept.pid = 0;
		return kept;
	}
	if (!kept.pid)
		keep(env, log_dir);

	/* This process goes on without what it gave away. */
	for (size_t i = 0; i < env->n; i++)
		service_run_release(&env->services[i]);
	free(env->services);
	close(keeper->sock);
	close_fd(&session->scratch_lock);
	free(session->scratch);
	session->scratch = NULL;
	if (keeper_start(keeper, keeper->interrupt, &why) < 0)
		strv_pushf(notes, "%s", why.msg);
	keeper->cpu_ms = cpu_ms;
	*env = (struct env){ .session = session, .plan = env->plan };
	return kept;
}

/* -------- tracing the start of the target */

struct start_trace {
	struct env *env;
	struct strace strace;
	bool attached;
};

static void begin_trace(void *ctx, pid_t pid)
{
	struct start_trace *trace = ctx;
	struct process process;
	const struct processes one = { .items = &process, .n = 1 };
	const struct strace_wish wish = { .calls = trace->env->trace->calls };
	struct error why = ERROR_INIT;

	trace->attached = process_read(pid, &process) && strace_attach(trace->env->session, &one, &wish, &trace->strace, &why) == 0;
}

static void end_trace(struct start_trace *trace)
{
	struct strace_text text = { .text = STRBUF_INIT };
	struct error why = ERROR_INIT;

	if (trace->attached && strace_detach(trace->env->session, &trace->strace, &text, &why) == 0)
		strbuf_add(&trace->env->trace->text, text.text.buf, text.text.len);
	strbuf_release(&text.text);
	strace_dispose(trace->env->session, &trace->strace);
}

static int start_service(struct service_run *run, struct env *env, bool target, struct error *err)
{
	const struct child_spec child = { .argv = &run->plan->command, .cwd = run->plan->cwd };
	struct start_trace trace = { .env = env, .strace.child.output_fd = -1 };
	const struct service_run before = *run;
	int ret;

	if (!target || !env->trace || !tool_available("strace") || target_takes_rights(&child))
		return service_run_start(run, err);
	run->held = begin_trace;
	run->ctx = &trace;
	ret = service_run_start(run, err);
	run->held = NULL;
	run->ctx = NULL;
	end_trace(&trace);
	if (ret == 0 || (err && err->kind == ERR_INTERRUPTED))
		return ret;
	/* Some programs refuse to be traced, or are too slow for their probe. */
	service_run_stop(run, &(struct strv)STRV_INIT);
	service_run_release(run);
	strbuf_reset(&env->trace->text);
	*run = before;
	return service_run_start(run, err);
}

/* -------- the environment */

int env_up(struct env *env, struct session *session, const struct plan *plan, void (*before)(void *ctx, const char *service),
	   void *ctx, struct error *err)
{
	const struct measure_settings *measure = &plan->scenario->measure;

	*env = (struct env){ .session = session, .plan = plan, .pad = env->pad, .trace = env->trace };
	if (plan->n_services)
		env->services = xcalloc(plan->n_services, sizeof *env->services);
	while (env->n < plan->n_services) {
		const struct plan_service *service = &plan->services[env->n];
		struct service_run *run = &env->services[env->n++];
		bool target = is_target(plan, service);	/* else neither pinned nor without ASLR */

		if (before)
			before(ctx, service->service->name);
		*run = (struct service_run){
			.keeper = session->keeper, .plan = service, .scratch = session->scratch,
			.cpus = target ? measure->cpus : NULL, .aslr_off = target && measure->aslr_off, .pad = env->pad,
		};
		if (start_service(run, env, target, err) < 0) {
			env->ended = run;
			return -1;
		}
	}
	env->trace = NULL;
	return 0;
}

/* The keeper's messages report ends. */
int env_check(struct env *env, struct error *err)
{
	struct keeper *keeper = env->session->keeper;
	int got;

	do
		got = env->n ? keeper_pump(keeper, clock_now_ns(), err) : 0;
	while (got > 0);
	if (got < 0)
		return -1;
	for (size_t i = 0; i < env->n; i++) {
		if (service_run_alive(&env->services[i], err) == 0)
			continue;
		env->ended = &env->services[i];
		return error_wrap(err, "service %s", env->services[i].plan->service->name);
	}
	return 0;
}

struct service_run *env_find(struct env *env, const char *name)
{
	for (size_t i = 0; i < env->n; i++)
		if (!strcmp(env->services[i].plan->service->name, name))
			return &env->services[i];
	return NULL;
}

static void write_log(const struct service_run *service, const char *dir)
{
	/* A service must not overwrite the run's own logs. */
	static const char *const taken[] = { "setup", "warmup", "target", "load", "cleanup" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL;
	const char *name = service->plan->service->name, *prefix = "";

	tail_text(&service->child.output, &text);
	if (!dir || !text.len || file_refuse_link(dir, NULL) < 0)
		return;
	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		if (!strcmp(name, taken[i]))
			prefix = "service-";
	path = text_printf("%s/%s%s.log", dir, prefix, name);
	file_write(path, text.buf, text.len, NULL);
}

void env_list(struct env *env)
{
	for (size_t i = 0; i < env->n; i++)
		service_run_list(&env->services[i]);
}

void env_down(struct env *env, const char *log_dir, struct strv *notes)
{
	bool any = env->n;

	while (env->n) {
		struct service_run *service = &env->services[--env->n];

		service_run_stop(service, notes);
		write_log(service, log_dir);
		service_run_release(service);
	}
	/* Some processes could not be assigned to a service. */
	if (any)
		keeper_sweep(env->session->keeper, 0, NULL, NULL);
	free(env->services);
	*env = (struct env){ .session = env->session, .plan = env->plan, .pad = env->pad, .trace = env->trace };
}
