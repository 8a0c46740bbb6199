#include "measure/run/loop_parts.h"

#include <errno.h>
#include <math.h>

#include "base/mem.h"
#include "measure/tools/valgrind.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"

enum { DROPPED_MOST = 3 };

static unsigned next_group(const struct loop *loop)
{
	unsigned least = 0;

	for (unsigned i = 1; i < loop->groups.n; i++)
		if (loop->counted[i] < loop->counted[least])
			least = i;
	return least;
}

static void note_groups(const struct loop *loop, struct arena *arena, struct strv *notes)
{
	unsigned counters = loop->options.counters;

	if (loop->groups.n > 1)
		arena_pushf(arena, notes, "the events need %zu groups of at most %u counter%s: each is counted in runs of its own",
			    loop->groups.n, counters, counters == 1 ? "" : "s");
}

static unsigned complete(const struct loop *loop)
{
	return in_pairs(loop) ? kept(loop) : loop->counted[next_group(loop)];
}

static int measure_run(struct loop *loop, struct error *err)
{
	struct side *side = &loop->sides[0];
	struct side_result *result = side->result;
	unsigned group = next_group(loop);
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	CLEANUP(measured_release) struct measured measured = { 0 };

	if (loop->options.perf)
		strv_copy(&events, &loop->groups.events[group]);
	if (side_run(side, loop->options.perf ? &events : NULL, 0, &measured, err) < 0)
		return error_wrap(err, "in %s %u", run_name(side), kept(loop) + 1);
	side_warn(side, &measured);
	if (measured.dropped && ++loop->dropped_in_a_row == DROPPED_MOST)
		return error_set(err, ERR_TARGET, "%d %ss in a row could not be counted: %s", DROPPED_MOST, run_name(side),
				 measured.dropped);
	if (measured.dropped)
		return 0;
	loop->dropped_in_a_row = 0;
	measured_store(&measured, &events, group, result);
	loop->counted[group]++;
	side_groups_split(loop, &result->runs[result->n_runs - 1].rows, &events, &result->arena, &result->notes);
	return 0;
}

/* -------- until there are enough */

static int set_up_all(struct loop *loop, struct error *err)
{
	uint64_t began_ns = now(loop), took_ns;

	for (unsigned i = 0; i < loop->n; i++) {
		struct side *side = &loop->sides[i];

		if (side->set_up)
			continue;
		side->set_up = true;
		if (side->plan->setup.n)
			side_progress(side, (struct loop_progress){ .phase = PHASE_SETUP });
		if (side_command(side, "setup", &side->plan->setup, err) < 0)
			return side_failed(loop, side, err);
	}
	took_ns = now(loop) - began_ns;
	loop->state.setup_ns += took_ns;
	loop->deadline_ns += loop->deadline_ns ? took_ns : 0;
	return 0;
}

static unsigned runs_wanted(const struct loop *loop)
{
	return in_pairs(loop) ? loop->until : loop->until * (unsigned)loop->groups.n;
}

static uint64_t time_left(const struct loop *loop)
{
	unsigned done = kept(loop) - loop->begun_with, all = runs_wanted(loop);
	uint64_t at = now(loop), left_ns, until_deadline_ns;

	if (!done || kept(loop) >= all)
		return 0;
	left_ns = (at - loop->began_ns) / done * (all - kept(loop));
	until_deadline_ns = loop->deadline_ns > at ? loop->deadline_ns - at : 0;
	return loop->deadline_ns && until_deadline_ns < left_ns ? until_deadline_ns : left_ns;
}

static bool is_late(const struct loop *loop)
{
	return loop->deadline_ns && now(loop) >= loop->deadline_ns;
}

static int measure(struct loop *loop, struct error *err)
{
	struct side *last = &loop->sides[loop->n - 1];

	if (set_up_all(loop, err) < 0)
		return -1;
	if (in_pairs(loop) && (pair_ready(loop, err) < 0 || pair_look(loop, err) < 0))
		return -1;
	if (!in_pairs(loop) && (side_up(last, err) < 0 || side_warm_up(loop, last, err) < 0))
		return -1;
	if (loop->equal)
		return 0;
	loop->began_ns = now(loop);
	loop->begun_with = kept(loop);
	while (complete(loop) < loop->until) {
		if (is_late(loop) && in_pairs(loop))
			return 0;
		if (is_late(loop) && kept(loop)) {
			NOTE(last->result, "the budget of %s ended after %u of %u %ss; raise measure.budget",
			     format_duration(loop->options.budget_ns).s, kept(loop), runs_wanted(loop), run_name(last));
			return 0;
		}
		side_progress(last, (struct loop_progress){ .phase = PHASE_RUN, .pairs = in_pairs(loop), .run = kept(loop) + 1,
							      .of = runs_wanted(loop), .left_ns = time_left(loop) });
		if ((in_pairs(loop) ? pair_take : measure_run)(loop, err) < 0)
			return -1;
	}
	return 0;
}

static void set_state(struct loop *loop, enum scenario_state state)
{
	for (unsigned i = 0; i < loop->n; i++)
		loop->sides[i].result->state = state;
}

/*
 * WHY is the failure if RET is negative. All results get it, with the failing side's last words. -1 only if
 * interrupted.
 */
static int conclude(struct loop *loop, int ret, struct error *why, struct error *err)
{
	const struct side *last = &loop->sides[loop->n - 1], *failing = loop->failing ?: last;
	struct error of_base = ERROR_INIT;

	if (ret < 0 && why->kind != ERR_INTERRUPTED) {
		loop->failed = true;
		for (unsigned i = 0; i < loop->n; i++) {
			struct side_result *result = loop->sides[i].result;
			CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

			result->state = SCENARIO_FAILED;
			result->failure = arena_strdup(&result->arena, why->msg);
			failing->ops.last_words(failing->ops.ctx, &words);
			if (words.len)
				result->log_tail = arena_strdup(&result->arena, words.buf);
		}
		if (why->kind == ERR_TARGET && why->sys == ETIMEDOUT && failing == last) {
			last->result->timed_out_ms = (double)last->plan->scenario->measure.timeout_ns / 1e6;
			if (in_pairs(loop) && pair_base_alone(loop, &of_base) < 0 && of_base.kind == ERR_INTERRUPTED)
				*why = of_base;
		}
	}
	if (ret == 0 || why->kind != ERR_INTERRUPTED)
		return 0;
	set_state(loop, SCENARIO_PARTIAL);
	return error_copy(err, why);
}

int loop_begin(struct loop *loop, struct error *err)
{
	struct error why = ERROR_INIT;
	int ret;

	loop->deadline_ns = 0;
	loop->until = 0;
	if (loop->failed)
		return 0;
	ret = measure(loop, &why);
	loop->ended_ns = now(loop);
	ret = conclude(loop, ret, &why, err);
	side_all_down(loop);
	return ret;
}

int loop_measure(struct loop *loop, unsigned wanted, uint64_t deadline_ns, struct error *err)
{
	struct error why = ERROR_INIT;
	int ret;

	loop->deadline_ns = deadline_ns;
	loop->until = wanted;
	if (loop->failed || complete(loop) >= wanted || (in_pairs(loop) && is_late(loop)))
		return 0;
	if (loop->wanted < wanted)
		loop->wanted = wanted;
	for (unsigned i = 0; i < loop->n; i++)
		loop->sides[i].result->runs_wanted = loop->wanted;
	ret = measure(loop, &why);
	loop->ended_ns = now(loop);
	if (ret == 0)
		set_state(loop, SCENARIO_MEASURED);
	ret = conclude(loop, ret, &why, err);
	if (in_pairs(loop))
		side_all_down(loop);
	else if (ret == 0 && !loop->failed)
		note_groups(loop, &loop->sides[0].result->arena, &loop->sides[0].result->notes);
	return ret;
}

/* -------- one more run of each side */

static void note_why_not(const struct side *side, const char *what, const struct error *why)
{
	if (why->kind)
		NOTE(side->result, "%s: %s", what, why->msg);
}

static void store_simulated(const struct side *side, const struct simulated *s)
{
	const struct { const struct metric *metric; double value; bool known; } values[] = {
		{ METRIC(SIM_INSTRUCTIONS), s->instructions, !isnan(s->instructions) },
		{ METRIC(SIM_BRANCHES), s->branches, !isnan(s->branches) },
		{ METRIC(SIM_BRANCH_MISSES), s->branch_misses, !isnan(s->branches) },
		{ METRIC(SIM_L1D_LOADS), s->l1d_loads, !isnan(s->l1d_loads) },
		{ METRIC(SIM_L1D_MISSES), s->l1d_misses, !isnan(s->l1d_loads) },
		{ METRIC(ALLOCATIONS), s->heap.allocations, s->heap.known },
		{ METRIC(TEMPORARY_ALLOCATIONS), s->heap.temporary, s->heap.known },
		{ METRIC(HEAP_PEAK), s->heap.peak_bytes, s->heap.known },
		{ METRIC(HEAP_LEAKED), s->heap.leaked_bytes, s->heap.known },
	};
	struct side_result *result = side->result;
	struct run *run = &result->runs[0];

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		if (values[i].known)
			measured_set(result, run, values[i].metric, values[i].value);
	for (size_t i = 0; s->calls.by && i < s->calls.n; i++)
		measured_set(result, run, own_metrics_add(&result->own_metrics, s->calls.metrics[i]), s->calls.values[i]);
	measured_derive(result, run);
	note_why_not(side, NOTE_NOT_SIMULATED, &s->why_not);
	note_why_not(side, "allocations were not counted", &s->heap.why_not);
	if (s->heap.known)
		NOTE(result, "allocations come from one more run, under heaptrack");
	note_why_not(side, NOTE_NOT_TRACED, &s->calls.why_not);
	if (s->calls.by)
		NOTE(result, "system calls come from one more run, counted by %s", s->calls.by);
	if (isnan(s->instructions))
		return;
	if (*s->by)
		result->simulator = arena_strdup(&result->arena, s->by);
	NOTE(result, "simulated values come from one more run, under valgrind's cachegrind");
}

static int simulate(const struct side *side, struct error *err)
{
	struct simulated s;

	side_progress(side, (struct loop_progress){ .phase = PHASE_SIMULATE, .run = 1, .of = 1 });
	if (side_command(side, "prepare", &side->plan->prepare, err) < 0 ||
	    side->ops.simulate(side->ops.ctx, side->plan, &s, err) < 0)
		return -1;
	store_simulated(side, &s);
	return 0;
}

static int profile(const struct side *side, struct error *err)
{
	struct side_result *result = side->result;

	if (side->ops.profile(side->ops.ctx, side->plan, result, err) == 0)
		return 0;
	if (err->kind == ERR_INTERRUPTED)
		return -1;
	NOTE(result, "no profile could be taken: %s", err->msg);
	/* For the gates that need the profile. */
	arena_pushf(&result->profile.arena, &result->profile.warnings, "no profile could be taken: %s", err->msg);
	return 0;
}

static int record_waits(const struct side *side, struct error *err)
{
	side_progress(side, (struct loop_progress){ .phase = PHASE_PROFILE });
	return side->ops.waits(side->ops.ctx, side->plan, side->result, err);
}

/* Runs STEP on each side while its environment is up. In pairs a failure is a note that begins with WITHOUT. */
static int on_each(struct loop *loop, int (*step)(const struct side *side, struct error *err), bool head_first, const char *without,
		   struct error *err)
{
	if (loop->failed || !kept(loop))
		return 0;
	for (unsigned i = 0; i < loop->n; i++) {
		struct side *side = &loop->sides[head_first ? loop->n - 1 - i : i];
		bool starts = !side->is_up;
		struct error why = ERROR_INIT;
		int ret;

		if (side->ops.place)
			side->ops.place(side->ops.ctx, 0);
		ret = starts ? side_up(side, &why) : 0;

		if (ret == 0 && starts && (step == profile || step == record_waits) && attaches(loop))
			ret = side_warm_up(loop, side, &why);
		if (ret == 0)
			ret = step(side, &why);
		if (starts)
			side_down(side);
		if (ret < 0 && in_pairs(loop) && why.kind != ERR_INTERRUPTED)
			NOTE(side->result, "%s: %s", without, why.msg);
		else if (conclude(loop, ret, &why, err) < 0)
			return -1;
	}
	return 0;
}

int loop_simulate(struct loop *loop, struct error *err)
{
	return loop->options.simulate ? on_each(loop, simulate, false, NOTE_NOT_SIMULATED, err) : 0;
}

int loop_profile(struct loop *loop, struct error *err)
{
	return on_each(loop, profile, false, "no profile could be taken", err);
}

int loop_waits(struct loop *loop, unsigned i, struct error *err)
{
	if (!loop->sides[0].ops.waits)
		return 0;
	return on_each(loop, record_waits, in_pairs(loop) && pair_head_first(loop->options.seed, i),
		       "what it waits for could not be recorded", err);
}

static int take_evidence(const struct side *side, struct error *err)
{
	side_progress(side, (struct loop_progress){ .phase = PHASE_EVIDENCE });
	return side->ops.evidence(&side->ops.ctx, 1, err);
}

int loop_evidence(struct loop *loop, struct error *err)
{
	const struct loop_ops *ops = &loop->sides[HEAD].ops;
	void *const ctx[] = { loop->sides[0].ops.ctx, ops->ctx };
	struct error why = ERROR_INIT;

	if (loop->failed || !in_pairs(loop) || !kept(loop) || !ops->evidence)
		return 0;
	if (loop->options.services != PAIR_SERVICES_NONE)
		return on_each(loop, take_evidence, false, "the cause could not be looked for", err);
	side_progress(&loop->sides[HEAD], (struct loop_progress){ .phase = PHASE_EVIDENCE });
	if (ops->evidence(ctx, SIDES, &why) == 0)
		return 0;
	NOTE(loop->sides[HEAD].result, "the cause could not be looked for: %s", why.msg);
	return why.kind == ERR_INTERRUPTED ? conclude(loop, -1, &why, err) : 0;
}

struct loop *loop_new(const struct loop_side *sides, unsigned n, const struct loop_options *options)
{
	struct loop *loop = xcalloc(1, sizeof *loop);

	*loop = (struct loop){
		.n = n, .options = *options, .wanted = options->wanted,
		.state = { .batch = options->batch, .services = options->services },
	};
	for (unsigned i = 0; i < n; i++)
		loop->sides[i] = (struct side){
			.name = sides[i].name, .plan = sides[i].plan, .ops = sides[i].ops, .result = sides[i].result, .fastest_ms = NAN,
			.waiting = NAN,
		};
	side_groups_plan(loop);
	return loop;
}

struct loop_state loop_state(const struct loop *loop)
{
	struct loop_state state = loop->state;

	state.pairs = kept(loop);
	return state;
}

bool loop_failed(const struct loop *loop)
{
	return loop->failed;
}

void loop_free(struct loop *loop)
{
	struct error why = ERROR_INIT;

	if (!loop)
		return;
	if (in_pairs(loop) && !loop->failed) {
		note_groups(loop, &loop->arena, &loop->notes);
		if (loop->state.dropped == 1)
			NOTE(loop, "a pair was dropped: %s", loop->dropped);
		else if (loop->state.dropped)
			NOTE(loop, "%u pairs were dropped; the last: %s", loop->state.dropped, loop->dropped);
	}
	for (unsigned i = 0; i < loop->n; i++) {
		side_note_warnings(&loop->sides[i]);
		warming_note(&loop->sides[i]);
		free(loop->sides[i].warnings.why);
		arena_push_all(&loop->sides[i].result->arena, &loop->sides[i].result->notes, &loop->notes);
	}
	side_all_down(loop);
	for (unsigned i = loop->n; i-- > 0;) {
		const struct side *side = &loop->sides[i];

		if (!side->set_up || !side->plan->cleanup.n)
			continue;
		side_progress(side, (struct loop_progress){ .phase = PHASE_CLEANUP });
		if (side_command(side, "cleanup", &side->plan->cleanup, &why) < 0)
			NOTE(side->result, "cleanup failed: %s", why.msg);
	}
	event_groups_release(&loop->groups);
	arena_release(&loop->arena);
	free(loop->state.apart);
	free(loop);
}
