#include "measure/services/service_run.h"

#include <signal.h>

#include "base/mem.h"
#include "measure/process/abandoned.h"
#include "measure/process/cgroup.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/processes.h"
#include "measure/services/ready.h"
#include "model/metrics/numbers.h"
#include "scenario/scenario.h"

/* After this time without its first process, the others are signalled. */
#define STRAGGLER_NS (50 * NS_PER_MS)
#define LOOK_EVERY_NS (10 * NS_PER_MS)

/* -------- starting */

static int start_released(struct service_run *service, struct error *err)
{
	const struct plan_service *plan = service->plan;
	const struct child_spec spec = {
		.argv = &plan->command, .environment = &plan->environment, .cwd = plan->cwd, .user = plan->service->user,
		.confines = &plan->service->confines, .cpus = service->cpus, .aslr_off = service->aslr_off, .pad = service->pad, .service = true,
	};

	if (child_start(service->keeper, &spec, &service->child, err) < 0)
		return -1;
	service->cgroup = cgroup_make(service->keeper->owner, service->child.job);
	if (service->cgroup && !cgroup_add(service->cgroup, service->child.pid)) {
		cgroup_end(service->cgroup);
		free(service->cgroup);
		service->cgroup = NULL;
	}
	service->child.watch = plan->service->ready.kind == READY_LOG ? &service->watch : NULL;
	if (service->held) {
		child_settle(&service->child);
		service->held(service->ctx, service->child.pid);
	}
	if (child_release(&service->child, err) < 0)
		return error_wrap(err, "%s", plan->command.items[0]);
	return 0;
}

static int still_alive(void *ctx, struct error *err)
{
	service_run_list(ctx);
	return service_run_alive(ctx, err);
}

static int start_and_wait(struct service_run *service, struct error *err)
{
	struct ready_check check = {
		.keeper = service->keeper, .service = service->plan, .watch = &service->watch, .alive = still_alive, .ctx = service,
	};
	struct timespec now;

	/* File times have this clock. */
	clock_gettime(CLOCK_REALTIME, &now);
	check.since_ns = (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
	if (ready_refuse_stranger(service->plan, err) < 0)
		return -1;
	if (service->plan->service->ready.kind == READY_LOG && line_watch_init(&service->watch, service->plan->ready_text, err) < 0)
		return -1;
	if (start_released(service, err) < 0 || ready_wait(&check, err) < 0)
		return -1;
	service->child.watch = NULL;
	service_run_list(service);
	return keeper_adopt(service->keeper, service->child.job, err);
}

int service_run_start(struct service_run *service, struct error *err)
{
	if (start_and_wait(service, err) == 0)
		return 0;
	if (err && err->kind == ERR_SYSTEM)
		err->kind = ERR_TARGET;
	return error_wrap(err, "service %s", service->plan->service->name);
}

/* -------- while it runs */

static bool anything_left(const struct service_run *service)
{
	pid_t pids[WIRE_PIDS_MAX];

	return !service->child.ended || (service->cgroup && !cgroup_is_empty(service->cgroup)) ||
	       keeper_processes(service->keeper, service->child.job, pids, NULL) > 0;
}

int service_run_alive(struct service_run *service, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	int status = service->child.status;

	if (!service->child.ended || (!status && anything_left(service)))
		return 0;
	child_read_output(&service->child);
	child_describe_status(status, &words);
	return error_set(err, ERR_TARGET, "%s%s", words.buf, status ? "" : " and left nothing running");
}

int service_run_processes(const struct service_run *service, struct processes *out, struct error *err)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	pid_t pids[WIRE_PIDS_MAX];
	int n;

	/* Container runtimes and session managers move their children. */
	if (service->cgroup)
		processes_add_cgroup(out, service->cgroup);
	n = keeper_processes(service->keeper, service->child.job, pids, err);
	if (n < 0)
		return -1;
	processes_read(&all);
	for (int i = 0; i < n; i++)
		processes_add_tree(out, &all, pids[i]);
	return 0;
}

void service_run_list(struct service_run *service)
{
	CLEANUP(processes_release) struct processes now = { 0 };

	if (service_run_processes(service, &now, NULL) < 0 || processes_equal(&now, &service->listed))
		return;
	scratch_list(service->scratch, service->child.job, &now);
	processes_release(&service->listed);
	service->listed = now;
	now = (struct processes){ 0 };
}

/* -------- stopping */

static void signal_processes(const struct service_run *service, int signal)
{
	pid_t pids[WIRE_PIDS_MAX];
	int n = keeper_processes(service->keeper, service->child.job, pids, NULL);

	for (int i = 0; i < n; i++)
		kill(pids[i], signal);
}

static bool wait_for_end(struct service_run *service, uint64_t deadline)
{
	uint64_t alone_since = 0, now;
	bool signalled = false;

	while (anything_left(service)) {
		now = clock_now_ns();
		if (now >= deadline)
			return false;
		if (service->child.ended && !alone_since)
			alone_since = now;
		/* A shell that is asked to end leaves its children running. */
		if (alone_since && now - alone_since > STRAGGLER_NS && !signalled) {
			CLEANUP(processes_release) struct processes left = { 0 };

			if (service_run_processes(service, &left, NULL) == 0)
				for (size_t i = 0; i < left.n; i++)
					if (process_lives(left.items[i].pid, left.items[i].start))
						kill(left.items[i].pid, SIGTERM);
			signalled = true;
		}
		now = now + LOOK_EVERY_NS < deadline ? now + LOOK_EVERY_NS : deadline;
		if (keeper_pump(service->keeper, now, NULL) < 0)
			return false;
	}
	return true;
}

static void stop_politely(struct service_run *service, struct strv *notes)
{
	const struct plan_service *plan = service->plan;
	const struct service *s = plan->service;
	const struct child_spec spec = {
		.argv = &plan->stop, .environment = &plan->environment, .cwd = plan->cwd, .user = s->user,
	};
	uint64_t deadline = clock_now_ns() + s->stop.grace_ns;
	struct error why = ERROR_INIT;

	if (plan->stop.n) {
		if (child_run(service->keeper, &spec, s->stop.grace_ns, NULL, &why) < 0)
			strv_pushf(notes, "the stop command of service %s failed: %s", s->name, why.msg);
		keeper_sweep(service->keeper, 0, NULL, NULL);
	} else {
		signal_processes(service, s->stop.signal);
		signal_processes(service, SIGCONT);
	}
	if (!wait_for_end(service, deadline))
		strv_pushf(notes, "service %s did not stop within %s of %s; it was killed", s->name,
			   format_duration(s->stop.grace_ns).s, plan->stop.n ? "its stop command" : "its stop signal");
}

void service_run_stop(struct service_run *service, struct strv *notes)
{
	struct keeper *keeper = service->keeper;
	struct interrupt *interrupt;

	if (!service->child.pid)
		return;
	interrupt = keeper->interrupt;
	keeper->interrupt = NULL;
	kill(keeper->pid, SIGCONT);
	if (anything_left(service))
		stop_politely(service, notes);
	if (service->cgroup)
		cgroup_end(service->cgroup);
	keeper_end_service(keeper, service->child.job, NULL, NULL);
	while (!service->child.ended && keeper_pump(keeper, clock_now_ns() + 5 * NS_PER_S, NULL) > 0)
		;
	child_read_output(&service->child);
	keeper->interrupt = interrupt;
}

void service_run_release(struct service_run *service)
{
	child_forget(service->keeper, &service->child);
	line_watch_release(&service->watch);
	free(service->cgroup);
	processes_release(&service->listed);
	*service = (struct service_run){ .keeper = service->keeper, .plan = service->plan };
}
