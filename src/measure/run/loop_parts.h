/* Internals of the loop, shared by side.c (steps of a side), pair.c (pairs) and loop.c, which calls both. */
#ifndef PAWL_MEASURE_RUN_LOOP_PARTS_H
#define PAWL_MEASURE_RUN_LOOP_PARTS_H

#include "measure/run/loop.h"
#include "model/events.h"
#include "model/result.h"
#include "model/side.h"
#include "scenario/scenario.h"

struct warming {
	unsigned runs;
	double work;		/* units of work of the load */
	double best_ms;		/* least CPU time a unit of the windows before */
	unsigned level;		/* windows in a row without a cheaper one */
};

/* These become one note. */
struct warnings {
	unsigned windows, dropped, hasty, unwaited;
	char *why;		/* of the last; or NULL */
};

struct side {
	const char *name;		/* in pairs, else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct side_result *result;
	struct warnings warnings;
	double fastest_ms;	/* of warm-up runs; NaN: none yet */
	double waiting;		/* least part of a warm-up run in which it waits; NaN: none yet */
	double cpus, crowd;	/* most CPUs, and part of time with several busy threads */
	struct warming warming;	/* the last */
	unsigned warm_ups, unsteady;	/* of those until windows are steady */
	uint64_t touched;	/* by its own processes; see struct measured */
	uint64_t shown;		/* all that its pairs showed */
	bool launched;		/* measured.launcher was noted */
	bool set_up, is_up;	/* also after a failed attempt */
};

struct loop {
	struct side sides[SIDES];
	unsigned n;
	struct loop_options options;
	struct event_groups groups;
	unsigned counted[EVENT_GROUPS_MAX];	/* since groups were planned */
	struct loop_state state;	/* of pairs */
	unsigned wanted;
	bool failed;
	const struct side *failing;	/* or NULL */

	/* of this loop_measure() */
	unsigned until, begun_with;	/* runs: wanted, and at the start */
	uint64_t began_ns;		/* counting */
	uint64_t deadline_ns;		/* 0: none */
	uint64_t ended_ns;		/* of the last call */

	/* of one side */
	unsigned dropped_in_a_row;

	/* of pairs */
	struct arena arena;		/* for the next two */
	struct strv notes;		/* of both sides */
	char *dropped;			/* why; or NULL */
	unsigned touched;		/* pairs dropped for changes from outside */
	uint64_t services_ns;		/* to start both sides' services, afresh also to stop them, without warm-up */
	uint64_t stopping_ns;		/* to stop them; 0: unknown, or afresh */
	uint64_t warming_ns;		/* of both sides' last warm-up */
	uint64_t round_ns;		/* of a window of both at once; 0: unknown */
	uint64_t window_ns;		/* see loop_ops.shorten */
	unsigned started_at;		/* pairs at the last start of services */
	bool chosen, looked;
	bool equal;			/* LOADS_EQUAL */
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

/* True if it is not a time, an amount of work or a steady state. */
static inline bool warmup_counts(const struct scenario *s)
{
	return !s->warmup_ns && !s->warmup_work && !s->warmup_steady_ns;
}

static inline const char *run_name(const struct side *side)
{
	return plan_attaches(side->plan) ? "window" : "run";
}

/* Returns the number of runs, or of pairs. */
static inline unsigned kept(const struct loop *loop)
{
	return (unsigned)loop->sides[loop->n - 1].result->n_runs;
}

static inline uint64_t now(const struct loop *loop)
{
	return loop->sides[0].ops.now_ns(loop->sides[0].ops.ctx);
}

/* -------- side */

/* The steps of one side. side_failed() adds its name to their errors. */

/* The first run after another program is slow. */
enum { WARM_UP_RUNS = 1 };

void side_progress(const struct side *side, struct loop_progress progress);
/* Puts the side's name before ERR, and remembers it for last words. Returns -1. */
int side_failed(struct loop *loop, const struct side *side, struct error *err);
/* Runs a command, if the scenario has it. WHAT is its key. */
int side_command(const struct side *side, const char *what, const struct strv *argv, struct error *err);
/* Runs `prepare`, then the target. */
int side_run(const struct side *side, const struct strv *events, uint64_t limit_ns, struct measured *out, struct error *err);
/* side_down() must follow, even after a failure. */
int side_up(struct side *side, struct error *err);
void side_down(struct side *side);
void side_all_down(struct loop *loop);
/* A warm-up of one side or both calls these before each window, after it, and at the end. */
bool warming_goes_on(const struct side *side, unsigned runs, uint64_t spent_ns);
/* Returns the limit of the next window; 0: the scenario's duration. */
uint64_t warming_limit(const struct side *side, uint64_t spent_ns);
void warming_add(struct side *side, const struct measured *measured);
void warming_end(struct side *side);
/* Adds a note if warm-ups missed their goal. */
void warming_note(const struct side *side);

/* Warms up, in pairs with at least one run. */
int side_warm_up(const struct loop *loop, struct side *side, struct error *err);
/* Records what a warm-up run shows. */
void side_note_warm_up(struct side *side, const struct measured *measured);
/* Returns the work per millisecond; 0: unknown. */
double side_rate(const struct measured *measured);

void side_warn(struct side *side, const struct measured *window);
/* Adds one note of a kind. If all windows were dropped, that is the failure. */
void side_note_warnings(const struct side *side);

/* Plans groups that each fit into the counters at once. */
void side_groups_plan(struct loop *loop);
/* If ROWS show too many EVENTS, plans smaller groups, all uncounted, with a note, and returns true. */
bool side_groups_split(struct loop *loop, const struct perf_rows *rows, const struct strv *events, struct arena *arena,
		       struct strv *notes);

/* -------- pair */

/* Call pair_ready() in each loop_measure(), then pair_take() for each pair. Failures name their side. */

/* Starts and warms up both sides. First also chooses the runs per value, and whether pairs are taken at once. */
int pair_ready(struct loop *loop, struct error *err);
/* Calls loop_ops.loads once. Services must be down unless they live side by side. */
int pair_look(struct loop *loop, struct error *err);
/* Adds a run to each result, unless the pair was dropped or must be repeated. */
int pair_take(struct loop *loop, struct error *err);
/* Runs the base alone after a head that did not end in time, to show if the head is slower. */
int pair_base_alone(struct loop *loop, struct error *err);

/*
 * The time of a pair of an attached target: a start of services, a warm-up, and N rounds of counted windows. The
 * variance of a pair is that of two starts plus 1/N of that between windows of a start. So a given certainty costs
 * least at N = sqrt(time of a start / time of a round * `spread`).
 */
struct pair_fit {
	uint64_t limit_ns;	/* 0: any time */
	uint64_t fixed_ns;	/* services, and parts of a warm-up that windows do not shorten */
	double warming;		/* windows, one after another */
	double counted;		/* those of one round */
	uint64_t window_ns;	/* of one */
	double spread;		/* variance between windows of a start over that between starts */
};

/* True if a pair of one round is over in time. */
bool pair_fits(const struct pair_fit *fit);
/* Returns the longest window that lets it fit: at least a second, at most fit->window_ns. */
uint64_t pair_fit_window(const struct pair_fit *fit);
/* Returns the rounds that a start serves: 1 to LOOP_WINDOWS_MOST. */
unsigned pair_fit_rounds(const struct pair_fit *fit);

/* These choose by chance, in favour of neither side. Pairs I begin at 0. */

bool pair_head_first(uint64_t seed, unsigned i);
/* Returns the stack's offset in bytes: a multiple of 16 below PAIR_PAD_BYTES. */
enum { PAIR_PAD_BYTES = 4096 };
size_t pair_pad(uint64_t seed, unsigned i, bool head);
/* True if the head's services start first: independent of pair_head_first(), once in every two pairs. */
bool pair_head_starts(uint64_t seed, unsigned i);

#endif
