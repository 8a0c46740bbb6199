/*
 * The loop of a comparison in pairs: the run loop's operations on two sides, one run of each next to the other, the
 * order within each pair tossed from a seed. What it measures goes to two scenario_results, run i of
 * one beside run i of the other; it knows nothing of judging.
 *
 *	pairloop_new() -> pairloop_measure(), as often as more pairs are wanted -> pairloop_profile() -> pairloop_free()
 *
 * A scenario's setup is run once on each side before its first pair, cleanup at the end. Each pairloop_measure()
 * begins with a warm-up of each side, the scenario's own and at least one run: the first run after another program is
 * slow. Services side by side are started in an order that is tossed too, and warmed up once both sides' stand:
 * otherwise one side would always be older, and would have idled longer, than the other. Commands that take less than
 * about 100 ms are batched: a side's value is then the mean of adjacent runs, `prepare` before each, rates and
 * quotients made of the sums. Of an attached target one start of the services serves several windows of each side, in
 * turn there and back again, whose mean is the value; how many is told by what the first pair took, so that a given
 * certainty costs the least time, and no more than let the pairs that are wanted end in time. Where the events need
 * several groups, a side's runs of all groups are one value.
 *
 * A pair is dropped, and counted, when a run of it failed, when the machine slept in it, or when a clock went
 * backward; more than one in ten of those wanted (and more than one) is a failure of the scenario. A pair is measured
 * again, at most one in ten, when the hypervisor stole two ticks or more in either run: that is known before
 * anybody looks at the times. What is measured instead of such a pair has its order.
 */
#ifndef PAWL_MEASURE_PAIRLOOP_H
#define PAWL_MEASURE_PAIRLOOP_H

#include "measure/runloop.h"

/* A batch takes about so long, and has no more runs than that. */
#define PAIRLOOP_BATCH_MS 100.0
enum { PAIRLOOP_BATCH_MOST = 50 };
/* One start of an attached target's services serves so many windows of each side at most. */
enum { PAIRLOOP_WINDOWS_MOST = 4 };

struct pairloop_side {
	const char *name;		/* "base", "head": for messages, and the folder its logs go to */
	const struct plan *plan;
	struct loop_ops ops;
	struct scenario_result *result;	/* its runs, metrics, notes, attached and profile are filled */
};

/* How services live while pairs are measured; never for long: docs/scenarios.md, "Services in pairs", says why. */
enum pair_services {
	PAIR_SERVICES_NONE,	/* the scenario has none */
	PAIR_SERVICES_BESIDE,	/* both sides' are up side by side, started anew for each pair */
	PAIR_SERVICES_AFRESH,	/* a side's are started before its window and stopped after it */
};

struct pairloop_options {
	uint64_t seed;
	unsigned counters;	/* as in struct loop_options */
	bool perf, simulate;
	enum pair_services services;
	unsigned batch;		/* runs, or windows, that are one value; 0: chosen by how long they take */
	unsigned wanted;	/* pairs, for progress and for how many may be dropped; more may be asked for */
};

/* What has happened so far. */
struct pairloop_state {
	unsigned pairs, dropped, rerun, batch;
	enum pair_services services;
};

struct pairloop;

struct pairloop *pairloop_new(const struct pairloop_side *base, const struct pairloop_side *head,
			      const struct pairloop_options *options);
/*
 * Measure until there are PAIRS pairs in all, or until DEADLINE_NS (0: none; by the ops' clock) has passed and no pair
 * is half done. A side that fails is told in both results' state and failure ("base: ..."), and is no error: -1 only
 * when interrupted; complete pairs are kept then.
 */
int pairloop_measure(struct pairloop *loop, unsigned pairs, uint64_t deadline_ns, struct error *err);
/* Simulated values, and a profile of each side where its ops take one; failures are notes. -1 only when interrupted. */
int pairloop_simulate(struct pairloop *loop, struct error *err);
int pairloop_profile(struct pairloop *loop, struct error *err);
struct pairloop_state pairloop_state(const struct pairloop *loop);
/* True once a side failed: nothing more can be measured. */
bool pairloop_failed(const struct pairloop *loop);
/* Stops what is up, runs cleanup on both sides. Only then the results' notes are complete. */
void pairloop_free(struct pairloop *loop);

/*
 * How SCENARIO's services can live: beside each other where each of them listens on a port of its own (it speaks of
 * ${port}) or on no port at all and in a folder of its own (it speaks of ${tmp}), and where the target is found by its
 * service, its port, or a file in such a folder.
 */
enum pair_services pairloop_services(const struct scenario *scenario);
/*
 * 0, or -1 with an ERR_INPUT when SCENARIO cannot be run in two trees, since its target runs already and nothing in the
 * scenario starts it.
 */
int pairloop_refuse(const struct scenario *scenario, struct error *err);

/* True when pair I (from 0) of SEED runs its head first. */
bool pairloop_head_first(uint64_t seed, unsigned i);
/* True when the head's services are started first for it: tossed apart from the above, and in every two pairs once. */
bool pairloop_head_starts(uint64_t seed, unsigned i);

#endif
