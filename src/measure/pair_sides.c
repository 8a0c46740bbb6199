#include <math.h>

#include "base/cleanup.h"
#include "measure/loop_steps.h"
#include "measure/pair_value.h"
#include "measure/pairloop_state.h"

/* A single warm-up run of a short command tells little of how long it takes. */
enum { WARM_UP_RUNS = 1, WARM_UP_RUNS_SHORT = 3 };
/* How often the variance between starts fits into that between windows of one start: docs/scenarios.md has what was measured. */
#define WINDOWS_SPREAD 4.0

/* -------- a side */

int pair_blame(struct pairloop *loop, const struct side *side, struct error *err)
{
	if (err && err->kind == ERR_INTERRUPTED)
		return -1;
	loop->blamed = side;
	return error_wrap(err, "%s", side->given.name);
}

int pair_side_up(struct side *side, struct error *err)
{
	side->is_up = true;
	return side->given.ops.up(side->given.ops.ctx, side->given.plan, side->given.result, err);
}

/* What an environment leaves to say, it would say of every start. */
void pair_side_down(struct side *side)
{
	struct scenario_result heard = { 0 };
	struct strv *notes = &side->given.result->notes;

	if (!side->is_up)
		return;
	side->given.ops.down(side->given.ops.ctx, side->given.plan, &heard);
	side->is_up = false;
	for (size_t i = 0; i < heard.notes.n; i++)
		if (!strv_has(notes, heard.notes.items[i]))
			strv_push(notes, heard.notes.items[i]);
	scenario_result_release(&heard);
}

int pair_side_warm_up(struct side *side, struct error *err)
{
	const struct pairloop_side *given = &side->given;
	double ms;

	if (loop_warm_up(&given->ops, given->plan, WARM_UP_RUNS, &ms, err) < 0)
		return -1;
	side->fastest_ms = fmin(side->fastest_ms, ms);
	return 0;
}

int pair_side_enter(struct pairloop *loop, struct side *side, struct error *err)
{
	return pair_side_up(side, err) < 0 || pair_side_warm_up(side, err) < 0 ? pair_blame(loop, side, err) : 0;
}

bool pair_is_afresh(const struct pairloop *loop)
{
	return loop->options.services == PAIR_SERVICES_AFRESH;
}

/* -------- environments of both sides */

void pair_sides_stop(struct pairloop *loop)
{
	for (unsigned i = SIDES; i-- > 0;)
		pair_side_down(&loop->sides[i]);
}

static int set_up(struct pairloop *loop, struct error *err)
{
	for (unsigned i = 0; i < SIDES; i++) {
		struct side *side = &loop->sides[i];

		if (side->set_up)
			continue;
		side->set_up = true;
		if (loop_set_up(&side->given.ops, side->given.plan, err) < 0)
			return pair_blame(loop, side, err);
	}
	return 0;
}

uint64_t pair_now(const struct pairloop *loop)
{
	return loop->sides[HEAD].given.ops.now_ns(loop->sides[HEAD].given.ops.ctx);
}

/* Each in turn as it will be for its window. */
static int try_afresh(struct pairloop *loop, const unsigned order[SIDES], struct error *err)
{
	for (unsigned i = 0; i < SIDES; i++) {
		if (pair_side_enter(loop, &loop->sides[order[i]], err) < 0)
			return -1;
		pair_side_down(&loop->sides[order[i]]);
	}
	return 0;
}

static int start_beside(struct pairloop *loop, const unsigned starts[SIDES], const unsigned windows[SIDES],
			struct error *err)
{
	for (unsigned i = 0; i < SIDES; i++)
		if (pair_side_up(&loop->sides[starts[i]], err) < 0)
			return pair_blame(loop, &loop->sides[starts[i]], err);
	for (unsigned i = 0; i < SIDES; i++)
		if (pair_side_warm_up(&loop->sides[windows[i]], err) < 0)
			return pair_blame(loop, &loop->sides[windows[i]], err);
	return 0;
}

/*
 * Neither side may be the older one, or the one that idles longer, more often than the other: who starts first is
 * tossed apart from whose window comes first, and both are warmed up, in the order of their windows, once both stand.
 */
static int start_both(struct pairloop *loop, struct error *err)
{
	unsigned starts[SIDES], windows[SIDES];
	uint64_t began = pair_now(loop);
	int ret;

	loop->started_at = loop->state.pairs;
	pair_order(pairloop_head_starts(loop->options.seed, loop->state.pairs), starts);
	pair_order(pairloop_head_first(loop->options.seed, loop->state.pairs), windows);
	ret = pair_is_afresh(loop) ? try_afresh(loop, starts, err) : start_beside(loop, starts, windows, err);
	loop->starting_ns = pair_now(loop) - began;
	return ret;
}

/* Another warm-up of a short command, until the time it takes is known well enough. */
static int time_short(struct pairloop *loop, struct side *side, struct error *err)
{
	for (unsigned i = WARM_UP_RUNS; i < WARM_UP_RUNS_SHORT && side->fastest_ms < PAIRLOOP_BATCH_MS; i++) {
		CLEANUP(measured_release) struct measured measured = { 0 };

		if (loop_run(&side->given.ops, side->given.plan, NULL, 0, &measured, err) < 0)
			return pair_blame(loop, side, err);
		side->fastest_ms = fmin(side->fastest_ms, measured.wall_ms);
	}
	return 0;
}

static int choose_batch(struct pairloop *loop, struct error *err)
{
	/* Of windows they are told by the first pair. */
	if (loop->state.batch || plan_attaches(loop->sides[HEAD].given.plan))
		return 0;
	for (unsigned i = 0; i < SIDES && !pair_is_afresh(loop); i++)
		if (time_short(loop, &loop->sides[i], err) < 0)
			return -1;
	loop->state.batch = pair_value_batch(loop->sides[BASE].fastest_ms, loop->sides[HEAD].fastest_ms);
	return 0;
}

unsigned pair_windows(const struct pairloop *loop)
{
	return plan_attaches(loop->sides[HEAD].given.plan) && loop->state.batch ? loop->state.batch : 1;
}

/* So many that the pairs which are wanted can be made in time, this one included, which is started already. */
static double windows_in_time(const struct pairloop *loop, double round_ns)
{
	double spent_ns = (double)loop->starting_ns + round_ns;
	double left_ns = (double)loop->deadline_ns - (double)pair_now(loop) + spent_ns;

	if (!loop->deadline_ns)
		return PAIRLOOP_WINDOWS_MOST;
	return floor((left_ns / (loop->until_pairs - loop->state.pairs) - (double)loop->starting_ns) / round_ns);
}

/*
 * N windows a start cost starting_ns + N round_ns a pair, whose variance is that of two starts and 1/N of that between
 * windows of one start: what a given certainty costs is least at the square root of the quotients.
 */
void pair_choose_windows(struct pairloop *loop, uint64_t round_ns)
{
	double best;

	if (loop->state.batch || !plan_attaches(loop->sides[HEAD].given.plan))
		return;
	best = round(sqrt(WINDOWS_SPREAD * (double)loop->starting_ns / (double)round_ns));
	best = fmin(best, windows_in_time(loop, (double)round_ns));
	loop->state.batch = (unsigned)fmax(1, fmin(best, PAIRLOOP_WINDOWS_MOST));
}

int pair_sides_start(struct pairloop *loop, struct error *err)
{
	if (set_up(loop, err) < 0)
		return -1;
	/* What is started for each window is started here but once, to learn what does not start, and how long a run takes. */
	if (pair_is_afresh(loop) && loop->started)
		return 0;
	loop->started = true;
	return start_both(loop, err) < 0 ? -1 : choose_batch(loop, err);
}

static int renew(struct pairloop *loop, struct error *err)
{
	pair_sides_stop(loop);
	return start_both(loop, err);
}

/* Two servers of one program differ for as long as they live: that would pass for the program. */
int pair_sides_renew(struct pairloop *loop, struct error *err)
{
	bool used = loop->state.pairs > loop->started_at;

	return loop->options.services == PAIR_SERVICES_BESIDE && used ? renew(loop, err) : 0;
}

int pair_sides_restart(struct pairloop *loop, struct error *err)
{
	if (pair_is_afresh(loop) || loop->options.services == PAIR_SERVICES_NONE)
		return 0;
	/* What failed may have left a service in a state of its own, or none. */
	return renew(loop, err);
}
