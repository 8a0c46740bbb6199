/*
 * How the loop measures, for the files that make it up: the steps of a side, the groups of events, pairs, and the loop itself.
 * Each file calls only those before it; loop.h says what callers get.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_PARTS_H
#define PAWL_MEASURE_RUN_LOOP_PARTS_H

#include "measure/run/loop.h"
#include "measure/run/warnings.h"
#include "model/events.h"
#include "model/result.h"
#include "model/side.h"
#include "scenario/scenario.h"

/* How far a warm-up has come. */
struct warming {
	unsigned runs;
	double work;		/* units that the load did */
	double last_ms;		/* CPU time a unit in the last window; NaN: unknown */
	double best_ms;		/* the least of those before it */
	unsigned level;		/* windows in a row that cost no less than the best before them */
};

struct side {
	const char *name;		/* of two sides, else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct side_result *result;
	struct warnings warnings;
	double fastest_ms;	/* of the warm-up runs; NaN: there was none yet */
	double cpus, crowd;	/* the most that one of them used; and the longest that several threads were at work */
	struct warming warming;	/* the last warm-up */
	unsigned warm_ups, unsteady;	/* how many there were that wait for steady windows, and how many ended before */
	double *cooled;		/* ln of what a unit cost in a warm-up's last window, by that in the window behind it */
	size_t n_cooled, cap_cooled;
	uint64_t touched;	/* what its processes do to themselves, alone: see struct measured */
	bool set_up, is_up;	/* or the attempt was made */
};

struct loop {
	struct side sides[SIDES];
	unsigned n;
	struct loop_options options;
	struct event_groups groups;
	unsigned counted[EVENT_GROUPS_MAX];	/* in how many runs each group was, since they were planned */
	struct loop_state state;	/* of pairs, but for their number */
	unsigned wanted;
	bool failed;
	const struct side *failing;	/* the side that failed last, or NULL */

	/* of the current loop_measure() */
	unsigned until, begun_with;	/* how many are to be there, and were there */
	uint64_t began_ns;		/* when it began to count */
	uint64_t deadline_ns;		/* and when it is to end, or 0 */
	uint64_t ended_ns;		/* when the one before ended */

	/* of one side */
	unsigned dropped_in_a_row;

	/* of pairs */
	struct arena arena;		/* of these two: */
	struct strv notes;		/* of both sides */
	char *dropped;			/* why the last pair was, or NULL */
	uint64_t start_ns;		/* when services were started last */
	uint64_t starting_ns;		/* how long it took to start and to warm up both sides for a pair */
	uint64_t round_ns;		/* and one window of both at once, as the warm-up shows it; 0: unknown */
	unsigned started_at;		/* how many pairs there were when services were started last */
	bool started, chosen, looked;
	bool warm;			/* both sides were run */
	bool load_anywhere;		/* see struct both */
};

static inline bool in_pairs(const struct loop *loop)
{
	return loop->n == SIDES;
}

static inline bool attaches(const struct loop *loop)
{
	return plan_attaches(loop->sides[0].plan);
}

/* A warm-up is a number of runs, not a time, an amount of work, or until windows are steady. */
static inline bool warmup_counts(const struct scenario *s)
{
	return !s->warmup_ns && !s->warmup_work && !s->warmup_steady_ns;
}

static inline const char *run_name(const struct side *side)
{
	return plan_attaches(side->plan) ? "window" : "run";
}

/* Runs, or pairs, that were kept. */
static inline unsigned kept(const struct loop *loop)
{
	return (unsigned)loop->sides[loop->n - 1].result->n_runs;
}

static inline uint64_t now(const struct loop *loop)
{
	return loop->sides[0].ops.now_ns(loop->sides[0].ops.ctx);
}

/* -------- side */

/* The steps of one side. An error of theirs is not yet wrapped in the side's name: see side_failed(). */

/* In pairs, where the scenario wants fewer: the first run after another program is slow. */
enum { WARM_UP_RUNS = 1 };

void side_progress(const struct side *side, struct loop_progress progress);
/* Puts the side's name before ERR, and remembers it for its last words. -1. */
int side_failed(struct loop *loop, const struct side *side, struct error *err);
/* WHAT is the command's key in the scenario; nothing happens where it has none. */
int side_command(const struct side *side, const char *what, const struct strv *argv, struct error *err);
/* `prepare`, then the target, as loop_ops.run. */
int side_run(const struct side *side, const struct strv *events, uint64_t limit_ns, struct measured *out, struct error *err);
/* The environment. It is down again only by side_down(), also where it did not come up. */
int side_up(struct side *side, struct error *err);
/* What is up; else nothing happens. */
void side_down(struct side *side);
void side_all_down(struct loop *loop);
/*
 * A warm-up of both sides or one: warming_goes_on() before each window, warming_add() behind it, on each of them; then
 * warming_end(). It goes on until the scenario's runs, time, work or steadiness is reached, but no longer than its budget.
 */
bool warming_goes_on(const struct side *side, unsigned runs, uint64_t spent_ns);
/* How long the next window may be; 0: as the scenario has it. */
uint64_t warming_limit(const struct side *side, uint64_t spent_ns);
void warming_add(struct side *side, const struct measured *measured);
void warming_end(struct side *side);
/* The first window behind it: one that costs far less shows that the warm-up was too short. */
void warming_compare(struct side *side, const struct measured *measured);
/* What warm-ups did not reach, as a note of the side. */
void warming_note(const struct side *side);

/* The scenario's warm-up, in pairs at least one run. */
int side_warm_up(const struct loop *loop, struct side *side, struct error *err);
/* What a warm-up run shows of the side. */
void side_note_warm_up(struct side *side, const struct measured *measured);
/* Work a millisecond; 0: unknown. */
double side_rate(const struct measured *measured);

/* -------- loop_groups */

/* The events, in groups of which each fits into the counters at once. */

void loop_groups_plan(struct loop *loop);
/* The one that was counted least. */
unsigned loop_groups_next(const struct loop *loop);
/*
 * When ROWS, which counted EVENTS, show that these were too many at once, as somebody else uses a counter: plan smaller
 * groups, with none counted yet, note it in NOTES, and return true.
 */
bool loop_groups_split(struct loop *loop, const struct perf_rows *rows, const struct strv *events, struct arena *arena,
		       struct strv *notes);
/* Where there are several. */
void loop_groups_note(const struct loop *loop, struct arena *arena, struct strv *notes);

/* -------- pair */

/* Pairs of runs: pair_ready() with each loop_measure(), then pair_take() for each. Failures name their side. */

/* Environments and warm-up of both sides; the first time also how many runs are a value, and whether pairs are taken at once. */
int pair_ready(struct loop *loop, struct error *err);
/*
 * The next pair: a run more in each result. None more where the pair was dropped, is to be measured
 * again, or showed that the groups of events were too large.
 */
int pair_take(struct loop *loop, struct error *err);
/* A head that did not end in time may be slower, which the base's runs show; the first of all may have been the head's. */
int pair_base_alone(struct loop *loop, struct error *err);

#endif
