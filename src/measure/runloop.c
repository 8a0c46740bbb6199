#include "measure/runloop.h"

#include <errno.h>

#include "base/cleanup.h"
#include "measure/event_groups.h"
#include "measure/loop_steps.h"
#include "measure/window_doubts.h"

/* Runs or windows that had to be dropped one after another: the target is not what the scenario takes it for. */
enum { DROPPED_MOST = 3 };

struct loop {
	const struct plan *plan;
	const struct loop_options *options;
	const struct loop_ops *ops;
	const struct loop_decider *decider;
	struct scenario_result *result;
	struct event_groups groups;
	unsigned dropped;		/* windows in a row */
	struct window_doubts doubts;
	bool is_up;			/* or the attempt was made */
	uint64_t start_ns, runs_start_ns;
};

static void tell(const struct loop *l, unsigned run, unsigned of, uint64_t left_ns)
{
	struct loop_progress progress = {
		.scenario = l->plan->scenario->name, .phase = PHASE_RUN, .windows = plan_attaches(l->plan),
		.run = run, .of = of, .left_ns = left_ns,
	};

	l->ops->progress(l->ops->ctx, &progress);
}

static uint64_t elapsed(const struct loop *l)
{
	return l->ops->now_ns(l->ops->ctx) - l->start_ns;
}

/* -------- counted runs */

static uint64_t time_left(const struct loop *l, unsigned done)
{
	uint64_t spent = l->ops->now_ns(l->ops->ctx) - l->runs_start_ns, budget_left, runs_left;
	unsigned wanted = l->options->runs_wanted * (unsigned)l->groups.passes.n;

	if (!done || done >= wanted)
		return 0;
	runs_left = spent / done * (wanted - done);
	budget_left = l->options->budget_ns > elapsed(l) ? l->options->budget_ns - elapsed(l) : 0;
	return runs_left < budget_left ? runs_left : budget_left;
}

/* A window that must not be averaged in. */
static int drop(struct loop *l, const struct measured *measured, struct error *err)
{
	l->dropped++;
	if (l->dropped < DROPPED_MOST)
		return 0;
	return error_set(err, ERR_TARGET, "%d %ss in a row could not be counted: %s", DROPPED_MOST, loop_run_name(l->plan), measured->dropped);
}

static void keep(struct loop *l, struct measured *measured, const struct strv *events, unsigned pass)
{
	l->dropped = 0;
	measured_store(measured, events, pass, l->result);
	l->groups.runs[pass]++;
	event_groups_split(&l->groups, &l->result->runs[l->result->n_runs - 1].rows, events, &l->result->notes);
}

static int count_once(struct loop *l, struct error *err)
{
	unsigned pass = event_groups_next(&l->groups), done = (unsigned)l->result->n_runs;
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	CLEANUP(measured_release) struct measured measured = { 0 };

	tell(l, done + 1, l->options->runs_wanted * (unsigned)l->groups.passes.n, time_left(l, done));
	strv_copy(&events, &l->groups.passes.events[pass]);
	if (loop_run(l->ops, l->plan, l->options->perf ? &events : NULL, 0, &measured, err) < 0)
		return error_wrap(err, "in %s %u", loop_run_name(l->plan), done + 1);
	window_doubts_add(&l->doubts, &measured);
	if (measured.dropped)
		return drop(l, &measured, err);
	if (!l->options->perf)
		strv_release(&events);
	keep(l, &measured, &events, pass);
	return 0;
}

static bool over_budget(const struct loop *l)
{
	return l->result->n_runs && elapsed(l) >= l->options->budget_ns;
}

/* Runs in which every group was counted. */
static unsigned complete(const struct loop *l)
{
	return l->groups.runs[event_groups_next(&l->groups)];
}

static int count(struct loop *l, struct error *err)
{
	l->runs_start_ns = l->ops->now_ns(l->ops->ctx);
	event_groups_plan(&l->groups, l->plan->scenario, l->options->counters);
	do {
		if (over_budget(l)) {
			strv_pushf(&l->result->notes, "the budget of %.4g s ended after %zu of %zu %ss; raise measure.budget",
				   (double)l->options->budget_ns / 1e9, l->result->n_runs,
				   l->options->runs_wanted * l->groups.passes.n, loop_run_name(l->plan));
			return 0;
		}
		if (count_once(l, err) < 0)
			return -1;
	} while (!l->result->n_runs || l->decider->more(l->decider->ctx, l->result, complete(l)));
	return 0;
}

/* -------- the whole */

static int measure(struct loop *l, struct error *err)
{
	if (loop_set_up(l->ops, l->plan, err) < 0)
		return -1;
	l->is_up = true;
	if (l->ops->up(l->ops->ctx, l->plan, l->result, err) < 0)
		return -1;
	l->start_ns = l->ops->now_ns(l->ops->ctx);
	if (loop_warm_up(l->ops, l->plan, 0, NULL, err) < 0 || count(l, err) < 0)
		return -1;
	event_groups_note(&l->groups, &l->result->notes);
	if (l->options->simulate && loop_simulate(l->ops, l->plan, l->result, err) < 0)
		return -1;
	return l->options->profile ? loop_profile(l->ops, l->plan, l->result, err) : 0;
}

static void note_failure(const struct loop *l, const struct error *why)
{
	loop_note_failure(l->ops, l->result, why->msg);
	if (why->kind == ERR_TARGET && why->sys == ETIMEDOUT)
		l->result->timed_out_ms = (double)l->plan->scenario->measure.timeout_ns / 1e6;
}

int runloop(const struct plan *plan, const struct loop_options *options, const struct loop_ops *ops,
	    const struct loop_decider *decider, struct scenario_result *result, struct error *err)
{
	struct loop l = {
		.plan = plan, .options = options, .ops = ops, .decider = decider, .result = result,
	};
	struct error why = ERROR_INIT;
	bool done, interrupted;

	result->runs_wanted = options->runs_wanted;
	done = measure(&l, &why) == 0;
	interrupted = !done && why.kind == ERR_INTERRUPTED;
	window_doubts_note(&l.doubts, loop_run_name(plan), result);
	window_doubts_release(&l.doubts);
	if (done || interrupted)
		result->state = done ? SCENARIO_MEASURED : SCENARIO_PARTIAL;
	else
		note_failure(&l, &why);
	if (l.is_up)
		ops->down(ops->ctx, plan, result);
	loop_clean_up(ops, plan, result);
	event_groups_release(&l.groups);
	if (interrupted && err)
		*err = why;
	return interrupted ? -1 : 0;
}
