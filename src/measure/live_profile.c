#include "measure/live_profile.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/window.h"

/* Windows that had to be dropped one after another: the target does not work. */
enum { DROPPED_MOST = 3 };

struct profiled {
	struct live *live;
	const struct plan *plan;
};

static int prepare(const struct profiled *p, struct error *err)
{
	return p->plan->prepare.n ? live_command(p->live, p->plan, "prepare", &p->plan->prepare, err) : 0;
}

/* -------- commands */

static int execute(const struct profiled *p, struct perf_record *record, struct cpu_times *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	CLEANUP(measured_release) struct measured measured = { 0 };
	struct target_spec spec = live_target(p->plan);
	int ret;

	if (prepare(p, err) < 0)
		return -1;
	spec.record = record;
	ret = target_run(p->live->rig, &spec, NULL, &measured, &output, err);
	ret = live_settle(p->live, &output, ret, err);
	if (ret == 0)
		cpu_times_add(out, measured.cpu_ms);
	return ret;
}

static int execute_often(const struct profiled *p, const struct record_quota *quota, struct perf_record *record,
			 struct cpu_times *out, struct error *err)
{
	double used_ms = 0;

	do {
		if (execute(p, record, out, err) < 0)
			return -1;
		used_ms += out->ms[out->n - 1];
	} while (used_ms < quota->cpu_ms && clock_now_ns() < quota->until_ns);
	return 0;
}

/* The keeper is shown to perf, and hidden again whatever came of it. */
static int attach_to_keeper(struct keeper *keeper, const struct perf_tool *perf, const struct record_spec *spec,
			    struct perf_record *out, struct error *err)
{
	struct error hiding = ERROR_INIT;
	char pid[16];
	int ret;

	snprintf(pid, sizeof pid, "%d", (int)keeper->pid);
	if (keeper_show(keeper, true, err) < 0)
		return -1;
	ret = perf_record_attach(keeper, perf, spec, pid, out, err);
	if (ret == 0)
		ret = perf_record_switch(keeper, out, false, err);
	if (keeper_show(keeper, false, &hiding) < 0 && ret == 0) {
		*err = hiding;
		ret = -1;
	}
	return ret;
}

static int record_commands(const struct profiled *p, const struct record_spec *spec, const struct record_quota *quota,
			   struct cpu_times *out, uint64_t *spent_ns, struct error *err)
{
	struct rig *rig = p->live->rig;
	uint64_t start = clock_now_ns();
	struct perf_record record = PERF_RECORD_INIT;
	int ret = attach_to_keeper(rig->keeper, &rig->perf, spec, &record, err);

	if (ret == 0)
		ret = execute_often(p, quota, &record, out, err);
	if (ret == 0)
		ret = perf_record_end(rig->keeper, &record, err);
	perf_record_dispose(rig->keeper, &record);
	*spent_ns = clock_now_ns() - start;
	return ret;
}

/* -------- windows */

static int look(const struct profiled *p, struct window_recording *recording, struct measured *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct live *live = p->live;
	const struct window_spec window = {
		.rig = live->rig, .plan = p->plan, .env = &live->env, .attached = live->attached.label ? &live->attached : NULL,
		.recording = recording,
	};
	int ret;

	if (prepare(p, err) < 0)
		return -1;
	env_list(&live->env);
	ret = window_run(&window, NULL, out, &output, err);
	if (ret == 0 && window.attached)
		live->rig->keeper->cpu_ms += out->cpu_ms;
	return live_settle(live, &output, ret, err);
}

/* Windows as they are counted, so that loads end as they do there, until there is enough of them. */
static int look_often(const struct profiled *p, const struct record_quota *quota, struct window_recording *recording,
		      struct cpu_times *out, struct error *err)
{
	double used_ms = 0;
	uint64_t began, ended;
	int dropped = 0;

	do {
		CLEANUP(measured_release) struct measured measured = { 0 };

		began = clock_now_ns();
		if (look(p, recording, &measured, err) < 0)
			return -1;
		dropped = measured.dropped ? dropped + 1 : 0;
		if (dropped >= DROPPED_MOST)
			return error_set(err, ERR_TARGET, "%d windows in a row were of no use: %s", DROPPED_MOST, measured.dropped);
		if (!dropped) {
			used_ms += measured.cpu_ms;
			cpu_times_add(out, measured.cpu_ms / (measured.work > 0 ? measured.work : measured.wall_ms));
		}
		ended = clock_now_ns();
		/* Another one that takes as long must not end late. */
	} while (dropped || (used_ms < quota->cpu_ms && 2 * ended - began < recording->began_ns + recording->length_ns));
	return 0;
}

static int record_windows(const struct profiled *p, const struct record_spec *spec, const struct record_quota *quota,
			  struct cpu_times *out, uint64_t *spent_ns, struct error *err)
{
	struct window_recording recording = { .spec = *spec, .length_ns = quota->window_ns, .record = PERF_RECORD_INIT };
	struct keeper *keeper = p->live->rig->keeper;
	int ret = look_often(p, quota, &recording, out, err);

	/* Neither perf's start and end, nor those of the first load and of the last. */
	*spent_ns = recording.ended_ns - recording.began_ns;
	if (ret == 0)
		ret = perf_record_end(keeper, &recording.record, err);
	perf_record_dispose(keeper, &recording.record);
	return ret;
}

/* -------- both */

static int record(void *ctx, const struct record_spec *spec, const struct record_quota *quota, struct cpu_times *out,
		  uint64_t *spent_ns, struct error *err)
{
	const struct profiled *p = ctx;

	return (plan_attaches(p->plan) ? record_windows : record_commands)(p, spec, quota, out, spent_ns, err);
}

static void tell(void *ctx, unsigned run, unsigned of)
{
	const struct profiled *p = ctx;
	const struct loop_progress progress = {
		.scenario = p->plan->scenario->name, .phase = PHASE_PROFILE, .windows = plan_attaches(p->plan), .run = run, .of = of,
	};

	p->live->progress(p->live->progress_ctx, &progress);
}

int live_profile(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err)
{
	struct profiled p = { .live = ctx, .plan = plan };
	const struct profile_ops ops = { .ctx = &p, .record = record, .progress = tell };

	return profile_runs_take(p.live->rig, &p.live->profile, &ops, result, &p.live->taken, err);
}
