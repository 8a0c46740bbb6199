/*
 * The loop that measures one scenario: on one side, or on two in pairs, a run of each next to the other. It touches the
 * world only through struct loop_ops, so that a recorded run can stand in for a real one, and knows nothing of judging:
 * its caller decides how many runs or pairs there are to be.
 *
 * 	loop_new() -> loop_measure(), as often as more are wanted -> loop_simulate(), loop_profile(), loop_waits() -> loop_free()
 *
 * Setup is run once on each side before anything else, cleanup at the end whatever happened. A failure is part of the
 * results and no error; a profile that cannot be taken is a note, and what was counted stays.
 *
 * On one side the environment stands from the first loop_measure() to loop_free(). Groups of events are counted in turn,
 * in runs of their own. A window that must not be averaged in is dropped, with a note, and three of them in a row are a
 * failure.
 *
 * In pairs the order within each pair is tossed from a seed, and run i of one result belongs to run i of the other. Each
 * loop_measure() begins with a warm-up of each side, the scenario's own and at least one run: the first run after another
 * program is slow. Commands have none where it follows the one before within LOOP_COLD_NS, as the looks of one comparison
 * do: then nothing else was measured. Services side by side are started in an order that is tossed too, and warmed up once both sides' stand:
 * otherwise one side would always be older, and would have idled longer, than the other. Commands that take less than
 * about 100 ms are batched: a side's value is then the mean of adjacent runs, `prepare` before each, rates and quotients
 * made of the sums.
 *
 * Where a program's stack begins moves its time, so for each pair that is tossed too, for each side apart.
 *
 * A pair is taken in one of two ways, or in both when some metrics need the one and some the other. Both sides at once:
 * pinned to one CPU, they change places every few milliseconds, so that whatever the machine does meets both; what they
 * are counted by is theirs alone, and time that passes is nobody's (metric_together()). In turn: one after the other. At
 * once is not for a command that uses several CPUs, or for what fails beside the other side; the warm-up shows that. Of an
 * attached target, whose services must be up side by side, both windows are open at once.
 *
 * Of an attached target one start of the services serves several windows of each side, at once or in turn there
 * and back again, whose mean is the value; their number follows from what the first pair took, so that a given certainty
 * costs the least time, and a pair fits the time it may take. For that windows are shorter, too, where the load ends when it is
 * asked to and reports what it has done. Where the events need several groups,
 * a side's runs of all groups are one value.
 *
 * A pair is dropped, and counted, when a run of it failed, when the machine slept in it, or when a clock went backward;
 * more than one in ten of those wanted (and more than one) is a failure of the scenario. A pair is measured again, at most
 * one in ten, when the hypervisor stole two ticks or more in either run: that is known before anybody looks at the times.
 * What is measured instead of such a pair has its order.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_H
#define PAWL_MEASURE_RUN_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/interrupt.h"
#include "model/measured.h"

struct error;
struct plan;
struct side_result;
struct simulated;
struct strbuf;
struct strv;

enum loop_phase { PHASE_SETUP, PHASE_ENV, PHASE_WARMUP, PHASE_RUN, PHASE_SIMULATE, PHASE_PROFILE, PHASE_EVIDENCE, PHASE_CLEANUP };

struct loop_progress {
	const char *scenario;
	enum loop_phase phase;
	const char *what;	/* PHASE_ENV: the service that is being started; else NULL */
	bool windows;		/* runs are windows */
	bool pairs;		/* RUN and OF count pairs of them */
	unsigned run, of;	/* from 1; of 0: unknown */
	uint64_t left_ns;	/* estimate for this scenario; 0 unknown */
};

/* How both sides are run at once. */
struct both {
	unsigned turn;		/* another CPU for each */
	bool head_first;	/* who is released first */
	uint64_t limit_ns;	/* of windows, as loop_ops.run */
	bool load_anywhere;	/* of windows: what drives the targets is on no CPU in particular */
};

/* What the loop can do to the system, for one side. */
struct loop_ops {
	void *ctx;
	/* Run a command of the scenario that is not measured; WHAT is its key. */
	int (*command)(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
		       struct error *err);
	/* From now on what is started of the side has PAD bytes more at the end of its stack. NULL: that cannot be had. */
	void (*place)(void *ctx, size_t pad);
	/*
	 * From now on counted windows and those of a warm-up are WINDOW_NS at the most, and their load is asked to end with them; 0: as
	 * the scenario has it. NULL: likewise.
	 */
	void (*shorten)(void *ctx, uint64_t window_ns);
	/* Start the environment and find the target; what is attached to goes to RESULT. down() always follows. */
	int (*up)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* Stop the environment; what was not as it should goes to RESULT's notes. */
	void (*down)(void *ctx, const struct plan *plan, struct side_result *result);
	/*
	 * One execution of the target, or one window on it. EVENTS NULL: not counted; then a window of
	 * LIMIT_NS at the most will do, when that is not 0.
	 */
	int (*run)(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		   struct measured *out, struct error *err);
	/*
	 * One execution of each side's target, or one window on it, the base's first in the arrays, both at once and on one
	 * CPU; what drives a target, and services that are not the target, on the others. OUT is released by the caller,
	 * whatever happens; FAILED is whose fault an error is, or 2. An ERR_SYSTEM: this machine cannot do that. NULL:
	 * they cannot be run so. CTX's ops are those of side 0.
	 */
	int (*run_both)(void *const ctx[2], const struct plan *const plans[2], const struct both *both,
			const struct strv *events, struct measured out[2], unsigned *failed, struct error *err);
	int (*simulate)(void *ctx, const struct plan *plan, struct simulated *out, struct error *err);
	/* Profiled runs, once the counted ones are in RESULT, which gets their notes. It reports its own progress. */
	int (*profile)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* One recording of what the target waits for; what cannot be had is a note of RESULT. NULL: nobody wants it. */
	int (*waits)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/*
	 * What tools tell of N sides whose environments stand, CTX of each: both at once where that can be, since nothing of it is
	 * timed. What cannot be had is no error. NULL: nobody wants to know.
	 */
	int (*evidence)(void *const ctx[], unsigned n, struct error *err);
	/*
	 * Before the first pair, of N sides that are warm and stand: what they load. 1: pairs would show nothing, so one is enough;
	 * 0: go on. NULL: nobody wants to know.
	 */
	int (*loads)(void *const ctx[], unsigned n, struct error *err);
	/* The last lines that the last command, run or simulation printed; appended. */
	void (*last_words)(void *ctx, struct strbuf *out);
	uint64_t (*now_ns)(void *ctx);
	/* Ticks that the hypervisor stole, and nanoseconds that the machine slept, since whenever. NULL: neither is known. */
	uint64_t (*stolen_ticks)(void *ctx);
	uint64_t (*slept_ns)(void *ctx);
	void (*progress)(void *ctx, const struct loop_progress *progress);
};

struct loop_side {
	const char *name;		/* of two sides "base", "head": comes before what fails; else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct side_result *result;	/* its runs, metrics, notes, attached and profile are filled, state and failure set */
};

/* How services live while pairs are measured; never for long: see docs/scenarios.md, "Services in pairs". */
enum pair_services {
	PAIR_SERVICES_NONE,	/* the scenario has none */
	PAIR_SERVICES_BESIDE,	/* both sides' are up side by side, started anew for each pair */
	PAIR_SERVICES_AFRESH,	/* a side's are started before its window and stopped after it */
};

/* A batch takes about so long, and has no more runs than that. */
#define LOOP_BATCH_MS 100.0
enum { LOOP_BATCH_MOST = 50 };
/* What was run last so long ago is warmed up again: whatever else is measured in between takes longer. */
#define LOOP_COLD_NS (50 * NS_PER_MS)
/* One start of an attached target's services serves so many windows of each side at most. */
enum { LOOP_WINDOWS_MOST = 4 };

struct loop_options {
	unsigned counters;		/* hardware events that fit at once, 0: none */
	bool perf;			/* false: no perf at all (tier sim) */
	bool without_perf;		/* it is not wanted, for whoever sets `perf` by what the machine has */
	bool simulate;
	/* one side */
	uint64_t budget_ns;		/* from when its environment stands; one run is always measured */
	/* pairs */
	uint64_t fit_ns;		/* what a pair of an attached target may take, for which windows are fewer and shorter; 0: as long as it takes */
	uint64_t seed;
	enum pair_services services;
	bool both, in_turn;		/* both sides at once, where they can be; one after the other, also where neither is set */
	bool both_anyway;		/* at once also where the target uses several CPUs */
	unsigned batch;			/* runs, or windows, that are one value; 0: chosen by how long they take */
	unsigned wanted;		/* pairs, for how many may be dropped; more may be asked for */
};

/* What has become of pairs so far. */
struct loop_state {
	unsigned pairs, dropped, rerun, batch;
	enum pair_services services;
	bool both, in_turn;		/* how pairs are taken, once the warm-up has shown it */
	char *apart;			/* why not both at once, where that was wanted; the loop's, or NULL */
};

struct loop;

/* N (1 or 2) SIDES, the base before the head. */
struct loop *loop_new(const struct loop_side *sides, unsigned n, const struct loop_options *options);
/*
 * Measure until there are WANTED runs in which every group of events was counted, or WANTED pairs, in all. Pairs end once
 * DEADLINE_NS (0: none; by the ops' clock) has passed and none is half done. A side that fails sets the state and
 * failure of all ("base: ..."): -1 only when interrupted (state SCENARIO_PARTIAL); what is complete is kept then.
 */
int loop_measure(struct loop *loop, unsigned wanted, uint64_t deadline_ns, struct error *err);
/* Simulated values, where they are wanted; in pairs failures are notes. -1 only when interrupted. */
int loop_simulate(struct loop *loop, struct error *err);
/* A profile of each side; failures are notes. -1 only when interrupted. */
int loop_profile(struct loop *loop, struct error *err);
/* One more recording of what each side waits for, the head's first or last as it is tossed for pair I; likewise. */
int loop_waits(struct loop *loop, unsigned i, struct error *err);
/* Evidence of both sides, for the search for a cause; failures are notes. -1 only when interrupted. */
int loop_evidence(struct loop *loop, struct error *err);
struct loop_state loop_state(const struct loop *loop);
/* True once a side failed: nothing more can be measured. */
bool loop_failed(const struct loop *loop);
/* Stops what is up, runs cleanup on each side. Only then the results' notes are complete. */
void loop_free(struct loop *loop);

#endif
