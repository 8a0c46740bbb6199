#include "measure/services/services.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"

/* How long its processes may take to be gone once its first one is, before they are told to go as well. */
#define STRAGGLER_NS (50 * NS_PER_MS)
#define LOOK_EVERY_NS (10 * NS_PER_MS)

/* -------- starting */

static struct child_spec spec_of(const struct plan_service *plan, const struct strv *argv)
{
	return (struct child_spec){
		.argv = argv, .environment = &plan->environment, .cwd = plan->cwd, .user = plan->service->user,
	};
}

static int start_held(struct keeper *keeper, const struct service_spec *what, struct service_run *service,
		      struct error *err)
{
	struct child_spec spec = spec_of(service->plan, &service->plan->command);

	spec.cpus = what->cpus;
	spec.aslr_off = what->aslr_off;
	spec.service = true;
	if (child_start(keeper, &spec, &service->child, err) < 0)
		return -1;
	service->cgroup = cgroup_make(keeper->owner, service->child.job);
	if (service->cgroup && !cgroup_add(service->cgroup, service->child.pid)) {
		cgroup_end(service->cgroup);
		free(service->cgroup);
		service->cgroup = NULL;
	}
	if (service->watching)
		service->child.watch = &service->watch;
	if (child_release(&service->child, err) < 0)
		return error_wrap(err, "%s", service->plan->command.items[0]);
	return 0;
}

struct waiting {
	struct keeper *keeper;
	struct service_run *service;
};

static int still_alive(void *ctx, struct error *err)
{
	const struct waiting *waiting = ctx;

	service_run_list(waiting->keeper, waiting->service);
	return service_run_alive(waiting->keeper, waiting->service, err);
}

/* As files are dated. */
static uint64_t realtime_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static int start_and_wait(struct keeper *keeper, const struct service_spec *spec, struct service_run *service,
			  struct error *err)
{
	const struct ready *ready = &service->plan->service->ready;
	struct waiting waiting = { keeper, service };
	struct ready_check check = {
		.keeper = keeper, .service = service->plan, .watch = &service->watch, .since_ns = realtime_ns(),
		.alive = still_alive, .ctx = &waiting,
	};

	if (ready_refuse_stranger(service->plan, err) < 0)
		return -1;
	if (ready->kind == READY_LOG) {
		if (line_watch_init(&service->watch, service->plan->ready_text, err) < 0)
			return -1;
		service->watching = true;
	}
	if (start_held(keeper, spec, service, err) < 0)
		return -1;
	if (ready_wait(&check, err) < 0)
		return -1;
	service->child.watch = NULL;
	service_run_list(keeper, service);
	return keeper_adopt(keeper, service->child.job, err);
}

int service_run_start(struct keeper *keeper, const struct service_spec *spec, struct service_run *out,
		      struct error *err)
{
	*out = (struct service_run){ .plan = spec->plan, .scratch = spec->scratch };
	if (start_and_wait(keeper, spec, out, err) == 0)
		return 0;
	if (err && err->kind == ERR_SYSTEM)
		err->kind = ERR_TARGET;
	return error_wrap(err, "service %s", spec->plan->service->name);
}

/* -------- while it runs */

/* The first process, while it runs, and the daemons it left. */
static size_t kin(struct keeper *keeper, const struct service_run *service, pid_t *pids)
{
	size_t n;

	return keeper_processes(keeper, service->child.job, pids, WIRE_PIDS_MAX, &n, NULL) < 0 ? 0 : n;
}

static bool anything_left(struct keeper *keeper, const struct service_run *service)
{
	pid_t pids[WIRE_PIDS_MAX];

	if (!service->child.ended)
		return true;
	if (service->cgroup && !cgroup_is_empty(service->cgroup))
		return true;
	return kin(keeper, service, pids) > 0;
}

int service_run_alive(struct keeper *keeper, struct service_run *service, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	int status = service->child.status;

	if (!service->child.ended || (!status && anything_left(keeper, service)))
		return 0;
	child_read_output(&service->child);
	child_describe_status(status, &words);
	return error_set(err, ERR_TARGET, "%s%s", words.buf, status ? "" : " and left nothing running");
}

int service_run_processes(struct keeper *keeper, const struct service_run *service, struct processes *out,
		      struct error *err)
{
	struct processes all = { 0 };
	pid_t pids[WIRE_PIDS_MAX];
	size_t n;

	/* What runs containers, or opens sessions, moves its children to other groups. */
	if (service->cgroup)
		processes_add_cgroup(out, service->cgroup);
	if (keeper_processes(keeper, service->child.job, pids, WIRE_PIDS_MAX, &n, err) < 0)
		return -1;
	processes_read(&all);
	for (size_t i = 0; i < n; i++)
		processes_add_tree(out, &all, pids[i]);
	processes_release(&all);
	return 0;
}

void service_run_list(struct keeper *keeper, struct service_run *service)
{
	struct processes now = { 0 };

	if (service_run_processes(keeper, service, &now, NULL) < 0 || processes_equal(&now, &service->listed)) {
		processes_release(&now);
		return;
	}
	scratch_list(service->scratch, service->child.job, &now);
	processes_release(&service->listed);
	service->listed = now;
}

/* -------- stopping */

static void signal_kin(struct keeper *keeper, const struct service_run *service, int signal)
{
	pid_t pids[WIRE_PIDS_MAX];
	size_t n = kin(keeper, service, pids);

	for (size_t i = 0; i < n; i++)
		kill(pids[i], signal);
}

/* The rest of its group, and daemons: what a shell leaves that is told to end while its children run. */
static void signal_stragglers(struct keeper *keeper, const struct service_run *service, int signal)
{
	struct processes left = { 0 };

	if (service_run_processes(keeper, service, &left, NULL) == 0)
		for (size_t i = 0; i < left.n; i++)
			if (process_lives(left.items[i].pid, left.items[i].start))
				kill(left.items[i].pid, signal);
	processes_release(&left);
}

static void run_stop_command(struct keeper *keeper, const struct service_run *service, uint64_t deadline,
			     struct strv *notes)
{
	struct child_spec spec = spec_of(service->plan, &service->plan->stop);
	struct error why = ERROR_INIT;
	uint64_t now = clock_now_ns();
	char names[256];

	if (child_run(keeper, &spec, deadline > now ? deadline - now : 1, NULL, &why) < 0)
		strv_pushf(notes, "the stop command of service %s failed: %s", service->plan->service->name, why.msg);
	keeper_sweep(keeper, 0, names, NULL);
}

/* True when all of it is gone. */
static bool wait_for_end(struct keeper *keeper, struct service_run *service, uint64_t deadline)
{
	uint64_t told = 0, now;
	struct wire message;

	while (anything_left(keeper, service)) {
		now = clock_now_ns();
		if (now >= deadline)
			return false;
		if (service->child.ended && !told) {
			told = now;
		} else if (told && now - told > STRAGGLER_NS && told != DEADLINE_NEVER) {
			signal_stragglers(keeper, service, SIGTERM);
			told = DEADLINE_NEVER;
		}
		if (keeper_pump(keeper, now + LOOK_EVERY_NS < deadline ? now + LOOK_EVERY_NS : deadline, &message, NULL) < 0)
			return false;
	}
	return true;
}

static void stop_politely(struct keeper *keeper, struct service_run *service, struct strv *notes)
{
	const struct service *s = service->plan->service;
	uint64_t deadline = clock_now_ns() + s->stop.grace_ns;

	if (service->plan->stop.n) {
		run_stop_command(keeper, service, deadline, notes);
	} else {
		signal_kin(keeper, service, s->stop.signal);
		signal_kin(keeper, service, SIGCONT);
	}
	if (!wait_for_end(keeper, service, deadline))
		strv_pushf(notes, "service %s did not stop within %.3g s of %s; it was killed", s->name,
			   (double)s->stop.grace_ns / 1e9, service->plan->stop.n ? "its stop command" : "being told to");
}

void service_run_stop(struct keeper *keeper, struct service_run *service, struct strv *notes)
{
	struct interrupt *interrupt = keeper->interrupt;
	struct wire message;
	char names[256];

	if (!service->child.pid)
		return;
	keeper->interrupt = NULL;
	kill(keeper->pid, SIGCONT);
	if (anything_left(keeper, service))
		stop_politely(keeper, service, notes);
	if (service->cgroup)
		cgroup_end(service->cgroup);
	keeper_end_service(keeper, service->child.job, names, NULL);
	while (!service->child.ended &&
	       keeper_pump(keeper, clock_now_ns() + 5 * NS_PER_S, &message, NULL) > 0)
		;
	child_read_output(&service->child);
	keeper->interrupt = interrupt;
}

void service_run_output(const struct service_run *service, struct strbuf *out)
{
	tail_text(&service->child.output, out);
}

void service_run_release(struct keeper *keeper, struct service_run *service)
{
	child_forget(keeper, &service->child);
	if (service->watching)
		line_watch_release(&service->watch);
	free(service->cgroup);
	processes_release(&service->listed);
	*service = (struct service_run){ .plan = service->plan };
}
