/*
 * The loop that measures one scenario, on one side or on two sides in pairs. It reaches the system only through struct
 * loop_ops, so that a recorded run can stand in for a real one. It does not judge: its caller decides the number of
 * runs or pairs.
 *
 * 	loop_new() -> loop_measure(), as often as more are wanted
 * 		-> loop_simulate(), loop_profile(), loop_waits() -> loop_free()
 *
 * Setup runs once on each side before anything else, cleanup at the end in every case. A failure is part of the
 * results and not an error. A profile that cannot be taken is a note, and the counted runs stay.
 *
 * One side: the environment is up from the first loop_measure() to loop_free(). Groups of events are counted in turn.
 * Three windows in a row that must not be averaged in are a failure; fewer are a note.
 *
 * Pairs: run i of one result belongs to run i of the other. The order in a pair, and the place of the stacks, are random,
 * from a seed. Both sides run at once, pinned to one CPU (elapsed time then belongs to neither, see metric_together()), or
 * in turn, or in both ways if some metrics need the one and some the other: docs/design/pairs-at-once.md. Short commands
 * are batched, and one start of an attached target's services serves several windows; a side's value is then the mean,
 * and rates and quotients are those of the sums. Each loop_measure() warms up first, unless the sides are still warm.
 *
 * A pair is dropped, and counted, if one of its runs failed, the machine slept during it, or a clock went backward. More
 * than one in ten of the wanted pairs, and more than one, is a failure of the scenario. As many are measured again, because
 * the hypervisor stole time from them: that is known before their times are read.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_H
#define PAWL_MEASURE_RUN_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/interrupt.h"
#include "model/measured.h"

struct plan;
struct scenario;
struct simulated;

enum loop_phase { PHASE_SETUP, PHASE_ENV, PHASE_WARMUP, PHASE_RUN, PHASE_SIMULATE, PHASE_PROFILE, PHASE_EVIDENCE, PHASE_CLEANUP };

struct loop_progress {
	const char *scenario;
	enum loop_phase phase;
	const char *what;	/* PHASE_ENV: the service being started; else NULL */
	bool windows;		/* runs are windows */
	bool pairs;		/* RUN and OF count pairs of them */
	unsigned run, of;	/* from 1; OF 0: unknown */
	uint64_t left_ns;	/* estimate for this scenario; 0: unknown */
};

enum { LOADS_ONE = 1, LOADS_EQUAL };

/* How both sides run at once. */
struct both {
	const struct strv *events;	/* counted; NULL: none, as in loop_ops.run */
	unsigned turn;		/* selects the CPU, a different one for each turn */
	bool head_first;	/* the side released first */
	uint64_t limit_ns;	/* for windows, as in loop_ops.run */
	bool load_anywhere;	/* for windows: loads are not bound to CPUs */
};

/* The loop's operations on the system, for one side. */
struct loop_ops {
	void *ctx;
	/* Runs a command of the scenario that is not measured. WHAT is its key. */
	int (*command)(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
		       struct error *err);
	/* From now on adds PAD bytes at the end of the stack of the side's programs. NULL: not possible. */
	void (*place)(void *ctx, size_t pad);
	/*
	 * From now on counted and warm-up windows last at most WINDOW_NS, and their load is asked to end with them. 0:
	 * the scenario's duration. NULL: not possible.
	 */
	void (*shorten)(void *ctx, uint64_t window_ns);
	/* Starts the environment and finds the target, which RESULT names. down() always follows. */
	int (*up)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* Stops the environment. Problems become notes of RESULT. */
	void (*down)(void *ctx, const struct plan *plan, struct side_result *result);
	/* Runs the target once, or one window on it. EVENTS NULL: not counted; a window then lasts at most LIMIT_NS (0: any time). */
	int (*run)(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		   struct measured *out, struct error *err);
	/*
	 * The same for both sides at once, on one CPU. The base is first in the arrays. Loads, and services that are not
	 * the target, run on the other CPUs. The caller always releases OUT. FAILED is the side at fault, or 2.
	 * ERR_SYSTEM: this machine cannot do that. NULL: not possible.
	 */
	int (*run_both)(void *const ctx[2], const struct plan *const plans[2], const struct both *both, struct measured out[2],
			unsigned *failed, struct error *err);
	int (*simulate)(void *ctx, const struct plan *plan, struct simulated *out, struct error *err);
	/* Takes the profiled runs, once the counted ones are in RESULT, which gets notes. Reports its own progress. */
	int (*profile)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* Records the waits of the target once. A failure is a note of RESULT. NULL: not wanted. */
	int (*waits)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* Collects evidence with tools from N sides that are up. A failure is not an error. NULL: not wanted. */
	int (*evidence)(void *const ctx[], unsigned n, struct error *err);
	/*
	 * Reads the loaded files of N sides that are up and ran once, before the first pair. LOADS_ONE: pairs would show
	 * nothing, so one is enough. LOADS_EQUAL: nothing can differ, so none is needed. 0: go on. NULL: not wanted.
	 */
	int (*loads)(void *const ctx[], unsigned n, struct error *err);
	/* Appends the last lines printed by the last command, run or simulation. */
	void (*last_words)(void *ctx, struct strbuf *out);
	uint64_t (*now_ns)(void *ctx);
	/* Ticks stolen by the hypervisor, and nanoseconds the machine slept, since any fixed moment. NULL: unknown. */
	uint64_t (*stolen_ticks)(void *ctx);
	uint64_t (*slept_ns)(void *ctx);
	void (*progress)(void *ctx, const struct loop_progress *progress);
};

struct loop_side {
	const char *name;		/* with two sides "base" or "head", the prefix of failures; else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct side_result *result;	/* gets runs, metrics, notes, attached, profile, state and failure */
};

/* How services live while pairs are measured. See docs/research/services.md. */
enum pair_services {
	PAIR_SERVICES_NONE,	/* the scenario has none */
	PAIR_SERVICES_BESIDE,	/* both sides' are up side by side, restarted for each pair */
	PAIR_SERVICES_AFRESH,	/* a side's start before its window and stop after it */
};

/*
 * Returns how SCENARIO's services live in pairs: side by side if each has a port (${port}) or a folder (${tmp}) of its
 * own, by which the target is found.
 */
enum pair_services pair_services_of(const struct scenario *scenario);
/* ERR_INPUT if SCENARIO cannot run in two trees: it does not start its target. */
int pair_refuse(const struct scenario *scenario, struct error *err);

/* Target duration of a batch, and its highest number of runs. */
#define LOOP_BATCH_MS 100.0
enum { LOOP_BATCH_MOST = 50 };
/* Commands that ran longer ago than this are warmed up again. Measuring anything else takes longer. */
#define LOOP_COLD_NS (50 * NS_PER_MS)
/* Highest number of windows of each side per start of an attached target's services. */
enum { LOOP_WINDOWS_MOST = 4 };

struct loop_options {
	unsigned counters;		/* hardware events that fit at once; 0: none */
	bool perf;			/* false: no perf at all (tier sim) */
	bool without_perf;		/* perf is not wanted; for callers that set `perf` by the machine's abilities */
	bool simulate;
	/* one side */
	uint64_t budget_ns;		/* the scenario's, named in the note on runs that a deadline left out */
	/* pairs */
	uint64_t fit_ns;		/* time limit of a pair of an attached target, which gets fewer and shorter
					 * windows; 0: no limit */
	uint64_t seed;
	enum pair_services services;
	bool both, in_turn;		/* BOTH: at once, if possible; IN_TURN: one after the other, the default */
	bool both_anyway;		/* at once even if the target uses several CPUs */
	bool either;			/* with BOTH and IN_TURN: only one of them, by whether the warm-up waits */
	bool by_benchmarks;		/* with BOTH and IN_TURN: those that the benchmarks of the warm-up need */
	unsigned batch;			/* runs or windows per value; 0: chosen by their duration */
	unsigned wanted;		/* pairs; determines how many may be dropped; more may be requested */
};

/* State of the pairs so far. */
struct loop_state {
	unsigned pairs, dropped, rerun, batch;
	uint64_t setup_ns;		/* spent on setup, which no deadline includes */
	enum pair_services services;
	bool both, in_turn;		/* how pairs are taken, after the warm-up */
	bool waits;			/* with loop_options.either: a side waited more than a tenth of its warm-up */
	char *apart;			/* why both sides did not run at once although wanted; or NULL; owned by the
					 * loop */
};

struct loop;

/* Makes a loop of N (1 or 2) SIDES, the base before the head. */
struct loop *loop_new(const struct loop_side *sides, unsigned n, const struct loop_options *options);
/* Starts and warms up without measuring, to learn what the warm-up shows. Fails as loop_measure(). */
int loop_begin(struct loop *loop, struct error *err);
/*
 * Measures until there are WANTED pairs, or runs in which every group of events was counted, in total, or until
 * DEADLINE_NS (0: none; by the ops' clock), which does not include setup. Without pairs, one run is always measured. A
 * failing side sets the state and failure of all ("base: ..."). -1 only if interrupted; complete runs are kept.
 */
int loop_measure(struct loop *loop, unsigned wanted, uint64_t deadline_ns, struct error *err);
/* Simulates, if wanted. In pairs failures are notes. -1 only if interrupted. */
int loop_simulate(struct loop *loop, struct error *err);
/* Profiles each side. Failures are notes. -1 only if interrupted. */
int loop_profile(struct loop *loop, struct error *err);
/* Records each side's waits once more, in the random order of pair I. Failures are notes. -1 only if interrupted. */
int loop_waits(struct loop *loop, unsigned i, struct error *err);
/* Collects evidence from both sides, for the search for a cause. Failures are notes. -1 only if interrupted. */
int loop_evidence(struct loop *loop, struct error *err);
struct loop_state loop_state(const struct loop *loop);
/* True once a side failed. Nothing more can be measured then. */
bool loop_failed(const struct loop *loop);
/* Stops the environments and runs cleanup on each side. The results' notes are complete only after it. */
void loop_free(struct loop *loop);

#endif
