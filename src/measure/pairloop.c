#include "measure/pairloop.h"

#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/loop_steps.h"
#include "measure/pairloop_state.h"

/* Runs of the base that tell whether a head that reached its timeout is slower. */
enum { BASE_ALONE = 3 };

/* -------- pairs until there are enough */

static int give(const struct error *why, struct error *err)
{
	if (err)
		*err = *why;
	return -1;
}

static uint64_t time_left(const struct pairloop *loop, unsigned pairs, uint64_t deadline_ns)
{
	unsigned done = loop->state.pairs - loop->start_pairs;
	uint64_t at = pair_now(loop), pairs_left, until_deadline;

	if (!done)
		return 0;
	pairs_left = (at - loop->start_ns) / done * (pairs - loop->state.pairs);
	until_deadline = deadline_ns > at ? deadline_ns - at : 0;
	return deadline_ns && until_deadline < pairs_left ? until_deadline : pairs_left;
}

static void tell(const struct pairloop *loop, unsigned pairs, uint64_t deadline_ns)
{
	const struct pairloop_side *head = &loop->sides[HEAD].given;
	const struct loop_progress progress = {
		.scenario = head->plan->scenario->name, .phase = PHASE_RUN, .windows = plan_attaches(head->plan), .pairs = true,
		.run = loop->state.pairs + 1, .of = pairs, .left_ns = time_left(loop, pairs, deadline_ns),
	};

	head->ops.progress(head->ops.ctx, &progress);
}

/* A pair failed: 0 when measuring may go on without it. */
static int drop(struct pairloop *loop, struct error *err)
{
	unsigned allowed = pair_allowance(loop);
	int sys = err->sys;

	if (err->kind == ERR_INTERRUPTED)
		return -1;
	free(loop->dropped);
	loop->dropped = xstrdup(err->msg);
	if (++loop->state.dropped > allowed) {
		error_set(err, err->kind, "%s; %u of %u pairs failed", loop->dropped, loop->state.dropped,
			  loop->state.pairs + loop->state.dropped);
		err->sys = sys;
		return -1;
	}
	return pair_sides_restart(loop, err);
}

static bool is_late(const struct pairloop *loop, uint64_t deadline_ns)
{
	return deadline_ns && pair_now(loop) >= deadline_ns;
}

static int measure(struct pairloop *loop, unsigned pairs, uint64_t deadline_ns, struct error *err)
{
	if (pair_sides_start(loop, err) < 0)
		return -1;
	loop->start_ns = pair_now(loop);
	loop->start_pairs = loop->state.pairs;
	while (loop->state.pairs < pairs && !is_late(loop, deadline_ns)) {
		tell(loop, pairs, deadline_ns);
		if (pair_sides_renew(loop, err) < 0 || (pair_once(loop, err) < 0 && drop(loop, err) < 0))
			return -1;
	}
	return 0;
}

static void set_state(struct pairloop *loop, enum scenario_state state)
{
	for (unsigned i = 0; i < SIDES; i++)
		loop->sides[i].given.result->state = state;
}

static void note_failure(struct pairloop *loop, const char *why)
{
	const struct side *side = loop->blamed ?: &loop->sides[HEAD];

	loop->failed = true;
	for (unsigned i = 0; i < SIDES; i++)
		loop_note_failure(&side->given.ops, loop->sides[i].given.result, why);
}

static bool is_overrun(const struct pairloop *loop, const struct error *why)
{
	return why->kind == ERR_TARGET && why->sys == ETIMEDOUT && loop->blamed == &loop->sides[HEAD];
}

/* It may have failed because it is slower, which the base's runs tell; the first of all may have been the head's. */
static int note_overrun(struct pairloop *loop, struct error *why)
{
	struct error of_base = ERROR_INIT;

	loop->sides[HEAD].given.result->timed_out_ms = (double)loop->sides[HEAD].given.plan->scenario->measure.timeout_ns / 1e6;
	if (pair_base_alone(loop, BASE_ALONE, &of_base) == 0 || of_base.kind != ERR_INTERRUPTED)
		return 0;
	*why = of_base;
	return -1;
}

int pairloop_measure(struct pairloop *loop, unsigned pairs, uint64_t deadline_ns, struct error *err)
{
	struct error why = ERROR_INIT;
	int ret;

	loop->deadline_ns = deadline_ns;
	loop->until_pairs = pairs;
	if (loop->failed || loop->state.pairs >= pairs || is_late(loop, deadline_ns))
		return 0;
	if (loop->wanted < pairs)
		loop->wanted = pairs;
	for (unsigned i = 0; i < SIDES; i++)
		loop->sides[i].given.result->runs_wanted = loop->wanted;
	ret = measure(loop, pairs, deadline_ns, &why);
	if (ret < 0 && why.kind != ERR_INTERRUPTED)
		note_failure(loop, why.msg);
	if (ret == 0 || why.kind == ERR_INTERRUPTED || (is_overrun(loop, &why) && note_overrun(loop, &why) < 0))
		set_state(loop, ret < 0 ? SCENARIO_PARTIAL : SCENARIO_MEASURED);
	pair_sides_stop(loop);
	return ret < 0 && why.kind == ERR_INTERRUPTED ? give(&why, err) : 0;
}

/* -------- one more run of each side */

static int simulate(struct side *side, struct error *err)
{
	return loop_simulate(&side->given.ops, side->given.plan, side->given.result, err);
}

static int profile(struct side *side, struct error *err)
{
	if (plan_attaches(side->given.plan) && pair_side_warm_up(side, err) < 0)
		return -1;
	return loop_profile(&side->given.ops, side->given.plan, side->given.result, err);
}

/* STEP on each side while its environment stands; what fails is a note that begins with WITHOUT. */
static int on_each(struct pairloop *loop, int (*step)(struct side *side, struct error *err), const char *without,
		   struct error *err)
{
	if (loop->failed || !loop->state.pairs)
		return 0;
	for (unsigned i = 0; i < SIDES; i++) {
		struct side *side = &loop->sides[i];
		struct error why = ERROR_INIT;
		int ret = pair_side_up(side, &why);

		if (ret == 0)
			ret = step(side, &why);
		pair_side_down(side);
		if (ret == 0)
			continue;
		if (why.kind == ERR_INTERRUPTED) {
			set_state(loop, SCENARIO_PARTIAL);
			return give(&why, err);
		}
		strv_pushf(&side->given.result->notes, "%s: %s", without, why.msg);
	}
	return 0;
}

int pairloop_simulate(struct pairloop *loop, struct error *err)
{
	return loop->options.simulate ? on_each(loop, simulate, "nothing was simulated", err) : 0;
}

int pairloop_profile(struct pairloop *loop, struct error *err)
{
	return on_each(loop, profile, "no profile could be taken", err);
}

/* -------- the whole */

struct pairloop *pairloop_new(const struct pairloop_side *base, const struct pairloop_side *head,
			      const struct pairloop_options *options)
{
	struct pairloop *loop = xcalloc(1, sizeof *loop);

	*loop = (struct pairloop){
		.sides = { { .given = *base, .fastest_ms = NAN }, { .given = *head, .fastest_ms = NAN } },
		.options = *options, .state = { .batch = options->batch, .services = options->services }, .wanted = options->wanted,
	};
	event_groups_plan(&loop->groups, head->plan->scenario, options->counters);
	return loop;
}

struct pairloop_state pairloop_state(const struct pairloop *loop)
{
	return loop->state;
}

bool pairloop_failed(const struct pairloop *loop)
{
	return loop->failed;
}

static void note_dropped(struct pairloop *loop)
{
	if (loop->state.dropped == 1)
		strv_pushf(&loop->notes, "a pair was dropped: %s", loop->dropped);
	else if (loop->state.dropped)
		strv_pushf(&loop->notes, "%u pairs were dropped; the last: %s", loop->state.dropped, loop->dropped);
}

static void add_notes(struct pairloop *loop)
{
	if (!loop->failed) {
		event_groups_note(&loop->groups, &loop->notes);
		note_dropped(loop);
	}
	for (unsigned i = 0; i < SIDES; i++) {
		window_doubts_note(&loop->sides[i].doubts, loop_run_name(loop->sides[i].given.plan), loop->sides[i].given.result);
		strv_copy(&loop->sides[i].given.result->notes, &loop->notes);
	}
}

void pairloop_free(struct pairloop *loop)
{
	if (!loop)
		return;
	pair_sides_stop(loop);
	add_notes(loop);
	for (unsigned i = SIDES; i-- > 0;) {
		struct side *side = &loop->sides[i];

		if (side->set_up)
			loop_clean_up(&side->given.ops, side->given.plan, side->given.result);
		window_doubts_release(&side->doubts);
	}
	event_groups_release(&loop->groups);
	strv_release(&loop->notes);
	free(loop->dropped);
	free(loop);
}
