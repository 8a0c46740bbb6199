#include "measure/runloop.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/window_doubts.h"
#include "model/passes.h"
#include "model/perfstat.h"

/* Windows that had to be dropped one after another: the target is not what the scenario takes it for. */
enum { DROPPED_MOST = 3 };

struct loop {
	const struct plan *plan;
	const struct loop_options *options;
	const struct loop_ops *ops;
	const struct loop_decider *decider;
	struct scenario_result *result;
	struct passes passes;
	unsigned pass_runs[PASSES_MAX];
	unsigned counters;
	unsigned dropped;		/* windows in a row */
	struct window_doubts doubts;
	bool is_up;			/* or the attempt was made */
	uint64_t start_ns, runs_start_ns;
};

static void tell(const struct loop *l, enum loop_phase phase, unsigned run, unsigned of, uint64_t left_ns)
{
	struct loop_progress progress = {
		.scenario = l->plan->scenario->name, .phase = phase, .windows = plan_attaches(l->plan),
		.run = run, .of = of, .left_ns = left_ns,
	};

	l->ops->progress(l->ops->ctx, &progress);
}

static uint64_t elapsed(const struct loop *l)
{
	return l->ops->now_ns(l->ops->ctx) - l->start_ns;
}

static const char *a_run(const struct loop *l)
{
	return plan_attaches(l->plan) ? "window" : "run";
}

static int command(const struct loop *l, const char *what, const struct strv *argv, struct error *err)
{
	return argv->n ? l->ops->command(l->ops->ctx, l->plan, what, argv, err) : 0;
}

static int run_target(const struct loop *l, const struct strv *events, uint64_t limit_ns, struct measured *out,
		      struct error *err)
{
	if (command(l, "prepare", &l->plan->prepare, err) < 0)
		return -1;
	return l->ops->run(l->ops->ctx, l->plan, events, limit_ns, out, err);
}

/* -------- warm-up */

static int warm_up(struct loop *l, struct error *err)
{
	const struct scenario *s = l->plan->scenario;
	uint64_t end = elapsed(l) + s->warmup_ns;
	struct measured measured;

	if (command(l, "warmup", &l->plan->warmup, err) < 0)
		return -1;
	for (unsigned i = 0; s->warmup_ns ? elapsed(l) < end : i < s->warmup_runs; i++) {
		tell(l, PHASE_WARMUP, i + 1, s->warmup_ns ? 0 : s->warmup_runs, 0);
		if (run_target(l, NULL, s->warmup_ns ? end - elapsed(l) : 0, &measured, err) < 0)
			return error_wrap(err, "in warm-up %s %u", a_run(l), i + 1);
		measured_release(&measured);
	}
	return 0;
}

/* -------- counted runs */

static void plan_passes(struct loop *l)
{
	const struct scenario *s = l->plan->scenario;
	CLEANUP(free_ptr) const struct metric **gated = xcalloc(s->gates.n, sizeof *gated);

	for (size_t i = 0; i < s->gates.n; i++)
		gated[i] = s->gates.items[i].metric;
	passes_release(&l->passes);
	passes_plan(gated, s->gates.n, &s->measure.events, l->counters, &l->passes);
	memset(l->pass_runs, 0, sizeof l->pass_runs);
}

static void note_groups(const struct loop *l)
{
	if (l->passes.n > 1)
		strv_pushf(&l->result->notes,
			   "the events need %zu groups of at most %u counter%s: each is counted in runs of its own",
			   l->passes.n, l->counters, l->counters == 1 ? "" : "s");
}

static unsigned next_pass(const struct loop *l)
{
	unsigned least = 0;

	for (unsigned i = 1; i < l->passes.n; i++)
		if (l->pass_runs[i] < l->pass_runs[least])
			least = i;
	return least;
}

/*
 * The first event of EVENTS that perf had to extrapolate; or that never got a counter while others
 * did, as happens when the target ends before perf takes turns.
 */
static const char *multiplexed(const struct perf_rows *rows, const struct strv *events)
{
	const char *waited = NULL;
	bool counted = false;

	for (size_t i = 0; i < events->n; i++) {
		enum missing why;

		if (!event_needs_counter(events->items[i]))
			continue;
		perfstat_value(rows, events->items[i], &why);
		if (why == MISSING_MULTIPLEXED)
			return events->items[i];
		if (why == MISSING_NOT_COUNTED && !waited)
			waited = events->items[i];
		counted = counted || why == MISSING_NOT;
	}
	return counted ? waited : NULL;
}

/* Fewer counters than the probe saw: somebody else uses one. Count in smaller groups from here on. */
static void replan_if_multiplexed(struct loop *l, const struct perf_rows *rows, const struct strv *events)
{
	const char *event = multiplexed(rows, events);
	unsigned used = events_counters(events);

	if (!event || used < 2 || used - 1 >= l->counters)
		return;
	strv_pushf(&l->result->notes, "%s was multiplexed with %u events at once: split into smaller groups", event, used);
	l->counters = used - 1;
	plan_passes(l);
}

static uint64_t time_left(const struct loop *l, unsigned done)
{
	uint64_t spent = l->ops->now_ns(l->ops->ctx) - l->runs_start_ns, budget_left, runs_left;
	unsigned wanted = l->options->runs_wanted * (unsigned)l->passes.n;

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
	return error_set(err, ERR_TARGET, "%d windows in a row could not be counted: %s", DROPPED_MOST, measured->dropped);
}

static void keep(struct loop *l, struct measured *measured, const struct strv *events, unsigned pass)
{
	l->dropped = 0;
	measured_store(measured, events, pass, l->result);
	l->pass_runs[pass]++;
	replan_if_multiplexed(l, &l->result->runs[l->result->n_runs - 1].rows, events);
}

static int count_once(struct loop *l, struct error *err)
{
	unsigned pass = next_pass(l), done = (unsigned)l->result->n_runs;
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	CLEANUP(measured_release) struct measured measured = { 0 };

	tell(l, PHASE_RUN, done + 1, l->options->runs_wanted * (unsigned)l->passes.n, time_left(l, done));
	strv_copy(&events, &l->passes.events[pass]);
	if (run_target(l, l->options->perf ? &events : NULL, 0, &measured, err) < 0)
		return error_wrap(err, "in %s %u", a_run(l), done + 1);
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

static int count(struct loop *l, struct error *err)
{
	l->runs_start_ns = l->ops->now_ns(l->ops->ctx);
	plan_passes(l);
	do {
		if (over_budget(l)) {
			strv_pushf(&l->result->notes, "the budget of %.4g s ended after %zu of %zu %ss; raise measure.budget",
				   (double)l->options->budget_ns / 1e9, l->result->n_runs,
				   l->options->runs_wanted * l->passes.n, a_run(l));
			return 0;
		}
		if (count_once(l, err) < 0)
			return -1;
	} while (!l->result->n_runs || l->decider->more(l->decider->ctx, l->result, l->pass_runs[next_pass(l)]));
	return 0;
}

/* -------- simulation */

static int simulate(struct loop *l, struct error *err)
{
	struct simulated s;
	struct run *run;

	if (!l->options->simulate)
		return 0;
	tell(l, PHASE_SIMULATE, 1, 1, 0);
	if (command(l, "prepare", &l->plan->prepare, err) < 0 || l->ops->simulate(l->ops->ctx, l->plan, &s, err) < 0)
		return -1;
	run = &l->result->runs[0];
	measured_set(l->result, run, "sim-instructions", s.instructions);
	measured_set(l->result, run, "sim-branches", s.branches);
	measured_set(l->result, run, "sim-branch-misses", s.branch_misses);
	measured_set(l->result, run, "sim-l1d-loads", s.l1d_loads);
	measured_set(l->result, run, "sim-l1d-misses", s.l1d_misses);
	measured_derive(l->result, run);
	strv_push(&l->result->notes, "simulated values come from one more run, under valgrind's cachegrind");
	return 0;
}

/* -------- the profile */

static int profile(struct loop *l, struct error *err)
{
	struct error why = ERROR_INIT;

	if (!l->options->profile || l->ops->profile(l->ops->ctx, l->plan, l->result, &why) == 0)
		return 0;
	if (why.kind == ERR_INTERRUPTED) {
		*err = why;
		return -1;
	}
	strv_pushf(&l->result->notes, "no profile could be taken: %s", why.msg);
	/* For the gates that rest on it. */
	strv_pushf(&l->result->profile.doubts, "no profile could be taken: %s", why.msg);
	return 0;
}

/* -------- the whole */

static int measure(struct loop *l, struct error *err)
{
	if (l->plan->setup.n)
		tell(l, PHASE_SETUP, 0, 0, 0);
	if (command(l, "setup", &l->plan->setup, err) < 0)
		return -1;
	l->is_up = true;
	if (l->ops->up(l->ops->ctx, l->plan, l->result, err) < 0)
		return -1;
	l->start_ns = l->ops->now_ns(l->ops->ctx);
	if (warm_up(l, err) < 0 || count(l, err) < 0)
		return -1;
	note_groups(l);
	return simulate(l, err) < 0 ? -1 : profile(l, err);
}

static void note_failure(struct loop *l, const struct error *why)
{
	struct strbuf words = STRBUF_INIT;

	l->result->state = SCENARIO_FAILED;
	l->result->failure = xstrdup(why->msg);
	l->ops->last_words(l->ops->ctx, &words);
	if (words.len)
		l->result->log_tail = strbuf_take(&words);
	strbuf_release(&words);
}

static void clean_up(struct loop *l)
{
	struct error why = ERROR_INIT;

	if (!l->plan->cleanup.n)
		return;
	tell(l, PHASE_CLEANUP, 0, 0, 0);
	if (command(l, "cleanup", &l->plan->cleanup, &why) < 0)
		strv_pushf(&l->result->notes, "cleanup failed: %s", why.msg);
}

int runloop(const struct plan *plan, const struct loop_options *options, const struct loop_ops *ops,
	    const struct loop_decider *decider, struct scenario_result *result, struct error *err)
{
	struct loop l = {
		.plan = plan, .options = options, .ops = ops, .decider = decider, .result = result,
		.counters = options->counters,
	};
	struct error why = ERROR_INIT;
	bool done, interrupted;

	result->runs_wanted = options->runs_wanted;
	done = measure(&l, &why) == 0;
	interrupted = !done && why.kind == ERR_INTERRUPTED;
	window_doubts_note(&l.doubts, result);
	window_doubts_release(&l.doubts);
	if (done || interrupted)
		result->state = done ? SCENARIO_MEASURED : SCENARIO_PARTIAL;
	else
		note_failure(&l, &why);
	if (l.is_up)
		ops->down(ops->ctx, plan, result);
	clean_up(&l);
	passes_release(&l.passes);
	if (interrupted && err)
		*err = why;
	return interrupted ? -1 : 0;
}
