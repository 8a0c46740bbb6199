#include "measure/services/services.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"

static bool is_target(const struct plan *plan, const struct plan_service *service)
{
	return plan->scenario->target_kind == TARGET_SERVICE && !strcmp(plan->attach, service->service->name);
}

/* -------- an environment that is kept */

enum { LOOK_EVERY_S = 1, PORTS_TOLD = 8, NEEDED_MAX = 4 + SCENARIO_SERVICES_MAX };
#define CLEANUP_TIMEOUT_NS (30 * NS_PER_S)

static int by_number(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Who started pawl may have left it more than the standard streams, and wait for their end. */
static void close_what_is_not_needed(const struct env *env)
{
	const struct keeper *keeper = env->session->keeper;
	int needed[NEEDED_MAX] = {
		keeper->sock, keeper->signals, keeper->interrupt ? keeper->interrupt->fd : -1, env->session->scratch_lock,
	};
	size_t n = 4;
	unsigned from = 3;

	for (const struct child *c = keeper->children; c && n < NEEDED_MAX; c = c->next)
		needed[n++] = c->output_fd;
	qsort(needed, n, sizeof *needed, by_number);
	for (size_t i = 0; i < n; i++) {
		if (needed[i] < (int)from)
			continue;
		if (needed[i] > (int)from)
			close_range(from, (unsigned)needed[i] - 1, 0);
		from = (unsigned)needed[i] + 1;
	}
	close_range(from, ~0u, 0);
}

/* The terminal, and whoever waits for pawl's output to end, must not wait for this process. */
static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	prctl(PR_SET_NAME, "pawl-env");
}

static bool any_alive(struct env *env)
{
	for (size_t i = 0; i < env->n; i++)
		if (service_run_alive(env->session->keeper, &env->services[i], NULL) == 0)
			return true;
	return false;
}

/* Only now: it may take away what the services needed. Being told to end does not cut it short. */
static void clean_up(const struct env *env)
{
	const struct plan *plan = env->plan;
	struct child_spec spec = { .argv = &plan->cleanup, .environment = &plan->commands_environment, .cwd = plan->root };

	env->session->keeper->interrupt = NULL;
	if (plan->cleanup.n)
		child_run(env->session->keeper, &spec, CLEANUP_TIMEOUT_NS, NULL, NULL);
}

static void keep(struct env *env, const char *log_dir) __attribute__((noreturn));
static void keep(struct env *env, const char *log_dir)
{
	struct session *session = env->session;
	struct strv notes = STRV_INIT;
	struct wire message;

	close_what_is_not_needed(env);
	leave_terminal();
	/* The keeper is not this process's child: that it was stopped is told by nobody. */
	while (any_alive(env) &&
	       keeper_pump(session->keeper, clock_now_ns() + LOOK_EVERY_S * NS_PER_S, &message, NULL) >= 0)
		kill(session->keeper->pid, SIGCONT);
	env_down(env, log_dir, &notes);
	strv_release(&notes);
	clean_up(env);
	session_remove_scratch(session);
	keeper_stop(session->keeper);
	_exit(0);
}

/* This process goes on without what it gave away. */
static void give_away(struct env *env, struct strv *notes)
{
	struct keeper *keeper = env->session->keeper;
	double cpu_ms = keeper->cpu_ms;
	struct error why = ERROR_INIT;

	for (size_t i = 0; i < env->n; i++)
		service_run_release(keeper, &env->services[i]);
	free(env->services);
	close(keeper->sock);
	if (env->session->scratch_lock >= 0)
		close(env->session->scratch_lock);
	free(env->session->scratch);
	env->session->scratch = NULL;
	if (keeper_start(keeper, keeper->interrupt, &why) < 0)
		strv_pushf(notes, "%s", why.msg);
	keeper->cpu_ms = cpu_ms;
	*env = (struct env){ .session = env->session, .plan = env->plan };
}

static void describe(struct env *env, struct kept_env *out)
{
	for (size_t i = 0; i < env->n; i++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
		struct processes processes = { 0 };
		int ports[PORTS_TOLD];
		pid_t pid;
		size_t n;

		service_run_processes(env->session->keeper, &env->services[i], &processes, NULL);
		n = listening_ports(&processes, ports, PORTS_TOLD);
		pid = processes.n ? processes.items[0].pid : 0;
		if (is_target(env->plan, env->services[i].plan))
			out->target = pid;
		strbuf_addf(&words, "%s: pid %d", env->services[i].plan->service->name, (int)pid);
		for (size_t k = 0; k < n && k < PORTS_TOLD; k++)
			strbuf_addf(&words, ", port %d", ports[k]);
		strv_take(&out->services, strbuf_take(&words));
		processes_release(&processes);
	}
}

struct kept_env kept_env_start(struct env *env, const char *log_dir, struct strv *notes)
{
	struct kept_env kept = { 0 };

	describe(env, &kept);
	fflush(NULL);
	kept.pid = fork();
	if (kept.pid < 0) {
		strv_pushf(notes, "the environment cannot be kept: %m");
		kept.pid = 0;
		return kept;
	}
	if (!kept.pid)
		keep(env, log_dir);
	give_away(env, notes);
	return kept;
}

/* -------- the environment */

static int start_one(struct env *env, const struct plan_service *service, struct error *err)
{
	const struct measure_settings *measure = &env->plan->scenario->measure;
	bool target = is_target(env->plan, service);	/* only this one is pinned, or runs without address randomisation */
	struct service_run *run = &env->services[env->n++];
	const struct service_spec spec = {
		.plan = service, .scratch = env->session->scratch,
		.cpus = target ? measure->cpus : NULL, .aslr_off = target && measure->aslr_off,
	};

	if (service_run_start(env->session->keeper, &spec, run, err) == 0)
		return 0;
	env->ended = run;
	return -1;
}

int env_up(struct env *env, struct session *session, const struct plan *plan, void (*before)(void *ctx, const char *service),
	   void *ctx, struct error *err)
{
	*env = (struct env){ .session = session, .plan = plan };
	if (!plan->n_services)
		return 0;
	env->services = xcalloc(plan->n_services, sizeof *env->services);
	for (size_t i = 0; i < plan->n_services; i++) {
		if (before)
			before(ctx, plan->services[i].service->name);
		if (start_one(env, &plan->services[i], err) < 0)
			return -1;
	}
	return 0;
}

/* What has ended is told by the keeper, so its messages are read first. */
int env_check(struct env *env, struct error *err)
{
	struct keeper *keeper = env->session->keeper;
	struct wire message;
	int got;

	do
		got = env->n ? keeper_pump(keeper, clock_now_ns(), &message, err) : 0;
	while (got > 0);
	if (got < 0)
		return -1;
	for (size_t i = 0; i < env->n; i++) {
		if (service_run_alive(keeper, &env->services[i], err) == 0)
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

/* Names of the run's own logs: a service of that name must not write over them. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = { "setup", "warmup", "target", "load", "cleanup" };

	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		if (!strcmp(name, taken[i]))
			return true;
	return false;
}

static void write_log(const struct service_run *service, const char *dir)
{
	const char *name = service->plan->service->name;

	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

	service_run_output(service, &text);
	if (!dir || !text.len || file_refuse_link(dir, NULL) < 0)
		return;
	strbuf_addf(&path, "%s/%s%s.log", dir, is_taken(name) ? "service-" : "", name);
	file_write(path.buf, text.buf, text.len, NULL);
}

void env_list(struct env *env)
{
	for (size_t i = 0; i < env->n; i++)
		service_run_list(env->session->keeper, &env->services[i]);
}

void env_down(struct env *env, const char *log_dir, struct strv *notes)
{
	char names[256];
	size_t n = env->n;

	while (env->n) {
		struct service_run *service = &env->services[--env->n];

		service_run_stop(env->session->keeper, service, notes);
		write_log(service, log_dir);
		service_run_release(env->session->keeper, service);
	}
	/* What could not be told to be any service's. */
	if (n)
		keeper_sweep(env->session->keeper, 0, names, NULL);
	free(env->services);
	*env = (struct env){ .session = env->session, .plan = env->plan };
}
