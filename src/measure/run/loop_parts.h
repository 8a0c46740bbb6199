/*
 * Internals of the loop, shared by its files: side.c (the steps of a side), pair.c (pairs) and loop.c, which calls both.
 * loop.h is the interface for callers.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_PARTS_H
#define PAWL_MEASURE_RUN_LOOP_PARTS_H

#include "measure/run/loop.h"
#include "model/events.h"
#include "model/result.h"
#include "model/side.h"
#include "scenario/scenario.h"

/* State of a warm-up. */
struct warming {
	unsigned runs;
	double work;		/* units of work of the load */
	double best_ms;		/* least CPU time per unit of the windows so far */
	unsigned level;		/* windows in a row that were not cheaper than the best before them */
};

/* Warnings about the windows of a side, gathered in one note. */
struct warnings {
	unsigned windows, dropped, hasty, unwaited;
	char *why;		/* why the last one was dropped, or NULL */
};

struct side {
	const char *name;		/* with two sides, else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct side_result *result;
	struct warnings warnings;
	double fastest_ms;	/* shortest warm-up run; NaN: none yet */
	double waiting;		/* least part of a warm-up run in which it waits; NaN: none yet */
	double cpus, crowd;	/* most CPUs used by one of them; largest share of time with several busy threads */
	struct warming warming;	/* the last warm-up */
	unsigned warm_ups, unsteady;	/* warm-ups that wait for steady windows; those that ended unsteady */
	uint64_t touched;	/* changes its processes make to themselves; see struct measured */
	uint64_t shown;		/* all changes seen in its pairs */
	bool launched;		/* measured.launcher was noted */
	bool set_up, is_up;	/* true also after a failed attempt */
};

struct loop {
	struct side sides[SIDES];
	unsigned n;
	struct loop_options options;
	struct event_groups groups;
	unsigned counted[EVENT_GROUPS_MAX];	/* runs in which each group was counted, since groups were planned */
	struct loop_state state;	/* of pairs, except their number */
	unsigned wanted;
	bool failed;
	const struct side *failing;	/* the last side that failed, or NULL */

	/* of the current loop_measure() */
	unsigned until, begun_with;	/* wanted number of runs, and the number at the start */
	uint64_t began_ns;		/* start of counting */
	uint64_t deadline_ns;		/* when it is to end, or 0 */
	uint64_t ended_ns;		/* end of the previous call */

	/* of one side */
	unsigned dropped_in_a_row;

	/* of pairs */
	struct arena arena;		/* holds the next two: */
	struct strv notes;		/* of both sides */
	char *dropped;			/* why the last pair was dropped, or NULL */
	unsigned touched;		/* pairs dropped because a side was changed from outside */
	uint64_t services_ns;		/* time to start both sides' services, and afresh to stop them, without their warm-up */
	uint64_t stopping_ns;		/* time to stop them; 0: unknown, or afresh */
	uint64_t warming_ns;		/* time of the last warm-up of both sides */
	uint64_t round_ns;		/* time of one window of both at once, from the warm-up; 0: unknown */
	uint64_t window_ns;		/* see loop_ops.shorten */
	unsigned started_at;		/* number of pairs at the last start of services */
	bool chosen, looked;
	bool equal;			/* LOADS_EQUAL: no pair is needed */
	bool warm;			/* both sides have run */
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

/* True if the warm-up is a number of runs, not a time, an amount of work or a steady state. */
static inline bool warmup_counts(const struct scenario *s)
{
	return !s->warmup_ns && !s->warmup_work && !s->warmup_steady_ns;
}

static inline const char *run_name(const struct side *side)
{
	return plan_attaches(side->plan) ? "window" : "run";
}

/* Returns the number of runs, or pairs, that were kept. */
static inline unsigned kept(const struct loop *loop)
{
	return (unsigned)loop->sides[loop->n - 1].result->n_runs;
}

static inline uint64_t now(const struct loop *loop)
{
	return loop->sides[0].ops.now_ns(loop->sides[0].ops.ctx);
}

/* -------- side */

/* The steps of one side. Their errors lack the side's name; side_failed() adds it. */

/* Fewest warm-up runs in pairs, because the first run after another program is slow. */
enum { WARM_UP_RUNS = 1 };

void side_progress(const struct side *side, struct loop_progress progress);
/* Puts the side's name before ERR and remembers the side for its last words. Returns -1. */
int side_failed(struct loop *loop, const struct side *side, struct error *err);
/* Runs a command of the scenario. WHAT is its key. Does nothing if the scenario lacks it. */
int side_command(const struct side *side, const char *what, const struct strv *argv, struct error *err);
/* Runs `prepare`, then the target, like loop_ops.run. */
int side_run(const struct side *side, const struct strv *events, uint64_t limit_ns, struct measured *out, struct error *err);
/* Starts the environment. side_down() must follow, even after a failure. */
int side_up(struct side *side, struct error *err);
/* Stops the environment, if it is up. */
void side_down(struct side *side);
void side_all_down(struct loop *loop);
/* A warm-up of one side or both: warming_goes_on() before each window, warming_add() after it, then warming_end(). */
bool warming_goes_on(const struct side *side, unsigned runs, uint64_t spent_ns);
/* Returns the limit of the next window; 0: the scenario's duration. */
uint64_t warming_limit(const struct side *side, uint64_t spent_ns);
void warming_add(struct side *side, const struct measured *measured);
void warming_end(struct side *side);
/* Adds a note to the side if warm-ups missed their goal. */
void warming_note(const struct side *side);

/* Runs the scenario's warm-up, in pairs at least one run. */
int side_warm_up(const struct loop *loop, struct side *side, struct error *err);
/* Records the properties of a side that a warm-up run shows. */
void side_note_warm_up(struct side *side, const struct measured *measured);
/* Returns the work per millisecond; 0: unknown. */
double side_rate(const struct measured *measured);

/* Counts the warnings of a window or run. */
void side_warn(struct side *side, const struct measured *window);
/* Adds at most one note of each kind. Dropped windows get no note if no others remain: that is the failure. */
void side_note_warnings(const struct side *side);

/* Splits the events into groups that each fit into the counters at once. */
void side_groups_plan(struct loop *loop);
/* If ROWS show that EVENTS were too many at once, plans smaller groups, all uncounted, adds a note, and returns true. */
bool side_groups_split(struct loop *loop, const struct perf_rows *rows, const struct strv *events, struct arena *arena,
		       struct strv *notes);

/* -------- pair */

/* Pairs of runs: call pair_ready() in each loop_measure(), then pair_take() for each pair. Failures name their side. */

/* Starts and warms up both sides. The first call also chooses the runs per value, and whether pairs are taken at once. */
int pair_ready(struct loop *loop, struct error *err);
/* Calls loop_ops.loads once. Services that do not live side by side are stopped by then. */
int pair_look(struct loop *loop, struct error *err);
/* Takes the next pair and adds a run to each result, unless the pair was dropped or must be repeated. */
int pair_take(struct loop *loop, struct error *err);
/* Runs the base alone after a head that did not end in time, to show if the head is slower. */
int pair_base_alone(struct loop *loop, struct error *err);

/*
 * The time of one pair of an attached target: a start of its services, a warm-up, and rounds of counted windows. With N
 * rounds, the variance of a pair is that of two starts plus 1/N of that between windows of one start. A given certainty
 * costs least at N = the square root of (time of a start / time of a round) times `spread`.
 */
struct pair_fit {
	uint64_t limit_ns;	/* that a pair may take; 0: any time */
	uint64_t fixed_ns;	/* starting and stopping services, and the parts of a warm-up that windows do not shorten */
	double warming;		/* windows of the warm-up, one after another */
	double counted;		/* counted windows of one round, one after another */
	uint64_t window_ns;	/* duration of one */
	double spread;		/* ratio of the variance between windows of one start to that between starts */
};

/* True if a pair of one round is over in time. */
bool pair_fits(const struct pair_fit *fit);
/* Returns the longest duration of windows, at most fit->window_ns, that lets it fit; never under a second. */
uint64_t pair_fit_window(const struct pair_fit *fit);
/* Returns the number of rounds that a start serves, 1 to LOOP_WINDOWS_MOST. */
unsigned pair_fit_rounds(const struct pair_fit *fit);

/* Random choices for each pair, which favour neither side. */

/* True if pair I (from 0) of SEED runs its head first. */
bool pair_head_first(uint64_t seed, unsigned i);
/* Returns the stack offset of a side in pair I: a multiple of 16 below PAIR_PAD_BYTES, random for each side. */
enum { PAIR_PAD_BYTES = 4096 };
size_t pair_pad(uint64_t seed, unsigned i, bool head);
/* True if the head's services start first for pair I: independent of pair_head_first(), once in every two pairs. */
bool pair_head_starts(uint64_t seed, unsigned i);

#endif
