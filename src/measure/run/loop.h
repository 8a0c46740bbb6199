/*
 * The loop that measures one scenario: on one side, or on two in pairs, a run of each next to the other. It touches the
 * world only through struct loop_ops, so that a recorded run can stand in for a real one, and knows nothing of judging:
 * whoever calls it says how many runs or pairs there are to be.
 *
 *	loop_new() -> loop_measure(), as often as more are wanted -> loop_simulate(), loop_profile() -> loop_free()
 *
 * Setup is run once on each side before anything else, cleanup at the end whatever happened. What fails is told in the
 * results and is no error; a profile that cannot be taken is a note, and what was counted stays.
 *
 * On one side the environment stands from the first loop_measure() to loop_free(). Groups of events are counted in turn,
 * in runs of their own. A window that must not be averaged in is dropped and told, and three of them in a row are a
 * failure.
 *
 * In pairs the order within each pair is tossed from a seed, and run i of one result belongs to run i of the other. Each
 * loop_measure() begins with a warm-up of each side, the scenario's own and at least one run: the first run after another
 * program is slow. Services side by side are started in an order that is tossed too, and warmed up once both sides' stand:
 * otherwise one side would always be older, and would have idled longer, than the other. Commands that take less than
 * about 100 ms are batched: a side's value is then the mean of adjacent runs, `prepare` before each, rates and quotients
 * made of the sums. Of an attached target one start of the services serves several windows of each side, in turn there
 * and back again, whose mean is the value; how many is told by what the first pair took, so that a given certainty costs
 * the least time, and no more than let the pairs that are wanted end in time. Where the events need several groups, a
 * side's runs of all groups are one value.
 *
 * A pair is dropped, and counted, when a run of it failed, when the machine slept in it, or when a clock went backward;
 * more than one in ten of those wanted (and more than one) is a failure of the scenario. A pair is measured again, at most
 * one in ten, when the hypervisor stole two ticks or more in either run: that is known before anybody looks at the times.
 * What is measured instead of such a pair has its order.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_H
#define PAWL_MEASURE_RUN_LOOP_H

#include "measure/perf/cachegrind.h"
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

/* What the loop can do to the system, for one side. */
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

struct loop_side {
	const char *name;		/* of two sides "base", "head": comes before what fails; else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct scenario_result *result;	/* its runs, metrics, notes, attached and profile are filled, state and failure set */
};

/* How services live while pairs are measured; never for long: docs/scenarios.md, "Services in pairs", says why. */
enum pair_services {
	PAIR_SERVICES_NONE,	/* the scenario has none */
	PAIR_SERVICES_BESIDE,	/* both sides' are up side by side, started anew for each pair */
	PAIR_SERVICES_AFRESH,	/* a side's are started before its window and stopped after it */
};

/* A batch takes about so long, and has no more runs than that. */
#define LOOP_BATCH_MS 100.0
enum { LOOP_BATCH_MOST = 50 };
/* One start of an attached target's services serves so many windows of each side at most. */
enum { LOOP_WINDOWS_MOST = 4 };

struct loop_options {
	unsigned counters;		/* hardware events that fit at once, 0: none */
	bool perf;			/* false: no perf at all (tier sim) */
	bool simulate;
	/* one side */
	uint64_t budget_ns;		/* from when its environment stands; one run is always measured */
	/* pairs */
	uint64_t seed;
	enum pair_services services;
	unsigned batch;			/* runs, or windows, that are one value; 0: chosen by how long they take */
	unsigned wanted;		/* pairs, for how many may be dropped; more may be asked for */
};

/* What has become of pairs so far. */
struct loop_state {
	unsigned pairs, dropped, rerun, batch;
	enum pair_services services;
};

struct loop;

/* N (1 or 2) SIDES, the base before the head. */
struct loop *loop_new(const struct loop_side *sides, unsigned n, const struct loop_options *options);
/*
 * Measure until there are WANTED runs in which every group of events was counted, or WANTED pairs, in all. Pairs end once
 * DEADLINE_NS (0: none; by the ops' clock) has passed and none is half done. A side that fails is told in the state and
 * failure of all ("base: ..."): -1 only when interrupted (state SCENARIO_PARTIAL); what is complete is kept then.
 */
int loop_measure(struct loop *loop, unsigned wanted, uint64_t deadline_ns, struct error *err);
/* Simulated values, where they are wanted; in pairs failures are notes. -1 only when interrupted. */
int loop_simulate(struct loop *loop, struct error *err);
/* A profile of each side; failures are notes. -1 only when interrupted. */
int loop_profile(struct loop *loop, struct error *err);
struct loop_state loop_state(const struct loop *loop);
/* True once a side failed: nothing more can be measured. */
bool loop_failed(const struct loop *loop);
/* Stops what is up, runs cleanup on each side. Only then the results' notes are complete. */
void loop_free(struct loop *loop);

/* True when pair I (from 0) of SEED runs its head first. */
bool loop_head_first(uint64_t seed, unsigned i);
/* True when the head's services are started first for it: tossed apart from the above, and in every two pairs once. */
bool loop_head_starts(uint64_t seed, unsigned i);

/*
 * How SCENARIO's services can live in pairs: beside each other where each of them listens on a port of its own (it speaks
 * of ${port}) or on no port at all and in a folder of its own (it speaks of ${tmp}), and where the target is found by its
 * service, its port, or a file in such a folder.
 */
enum pair_services loop_services(const struct scenario *scenario);
/*
 * 0, or -1 with an ERR_INPUT when SCENARIO cannot be run in two trees, since its target runs already and nothing in the
 * scenario starts it.
 */
int loop_refuse_pairs(const struct scenario *scenario, struct error *err);

#endif
