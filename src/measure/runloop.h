/*
 * The run loop of one scenario: setup, the environment, warm-up, counted runs until the decider has
 * enough or the budget ends, simulation and the profile where they are wanted; the environment's end and
 * cleanup whatever happened. A profile that cannot be taken is a note, and the counted runs stay. A run of an attached target is a window; one that must not be averaged in is dropped and
 * told, and too many of them in a row are a failure. It touches the world only
 * through struct loop_ops, so that a recorded run can stand in for a real one, and knows nothing of
 * judging.
 */
#ifndef PAWL_MEASURE_RUNLOOP_H
#define PAWL_MEASURE_RUNLOOP_H

#include "model/cachegrind.h"
#include "model/measured.h"
#include "scenario/plan.h"

enum loop_phase { PHASE_SETUP, PHASE_ENV, PHASE_WARMUP, PHASE_RUN, PHASE_SIMULATE, PHASE_PROFILE, PHASE_CLEANUP };

struct loop_progress {
	const char *scenario;
	enum loop_phase phase;
	const char *what;	/* PHASE_ENV: the service that is being started; else NULL */
	bool windows;		/* runs are windows */
	bool pairs;		/* RUN and OF count pairs of them */
	unsigned run, of;	/* from 1; of 0: unknown */
	uint64_t left_ns;	/* estimate for this scenario; 0 unknown */
};

struct loop_ops {
	void *ctx;
	/* Run a command of the scenario that is not measured; WHAT is its key. */
	int (*command)(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
		       struct error *err);
	/* Start the environment and find the target; what is attached to goes to RESULT. down() always follows. */
	int (*up)(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err);
	/* Stop the environment; what was not as it should goes to RESULT's notes. */
	void (*down)(void *ctx, const struct plan *plan, struct scenario_result *result);
	/*
	 * One execution of the target, or one window on it. EVENTS NULL: not counted; then a window of
	 * LIMIT_NS at the most will do, when that is not 0.
	 */
	int (*run)(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		   struct measured *out, struct error *err);
	int (*simulate)(void *ctx, const struct plan *plan, struct simulated *out, struct error *err);
	/* Profiled runs, once the counted ones are in RESULT, which gets their notes. It tells its own progress. */
	int (*profile)(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err);
	/* The last lines that the last command, run or simulation printed; appended. */
	void (*last_words)(void *ctx, struct strbuf *out);
	uint64_t (*now_ns)(void *ctx);
	/* Ticks that the hypervisor stole, and nanoseconds that the machine slept, since whenever. NULL: neither is known. */
	uint64_t (*stolen_ticks)(void *ctx);
	uint64_t (*slept_ns)(void *ctx);
	void (*progress)(void *ctx, const struct loop_progress *progress);
};

/* Asked after every run: are more wanted? COMPLETE counts runs in which every pass was counted. */
struct loop_decider {
	bool (*more)(void *ctx, const struct scenario_result *so_far, unsigned complete);
	void *ctx;
};

struct loop_options {
	unsigned runs_wanted;		/* for progress and notes; the decider decides */
	uint64_t budget_ns;
	unsigned counters;		/* hardware events that fit at once, 0: none */
	bool perf;			/* false: no perf at all (tier sim) */
	bool simulate;
	bool profile;
};

/*
 * Fills RESULT's runs, metrics, notes, state and failure. A target that fails is told there and is
 * no error; -1 only when interrupted (state SCENARIO_PARTIAL), after cleanup.
 */
int runloop(const struct plan *plan, const struct loop_options *options, const struct loop_ops *ops,
	    const struct loop_decider *decider, struct scenario_result *result, struct error *err);

#endif
