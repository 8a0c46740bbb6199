/*
 * Which events are counted together. A PMU counts only so many at once; beyond that perf
 * multiplexes and extrapolates, so events that must be read together (the two parts of a rate) are
 * packed into passes that fit, and every pass is an execution of its own. task-clock is in all of
 * them: it needs no counter.
 */
#ifndef PAWL_MODEL_PASSES_H
#define PAWL_MODEL_PASSES_H

#include "base/strv.h"
#include "model/gate.h"
#include "model/machine.h"

enum { PASSES_MAX = 16 };

struct passes {
	struct strv events[PASSES_MAX];
	size_t n;		/* at least 1 */
};

/*
 * GATED are the metrics that gates need, EVENTS what the scenario adds; the standard pairs (cycles
 * with instructions, branches with branch-misses, L1 loads with their misses) join where there is
 * room. CAPACITY is how many hardware events fit at once, 0 for none.
 */
void passes_plan(const struct metric *const *gated, size_t n_gated, const struct strv *events, unsigned capacity,
		 struct passes *out);
void passes_release(struct passes *passes);

/* True when EVENT takes a hardware counter, as far as its name tells. */
bool event_needs_counter(const char *event);
/* How many of EVENTS do. */
unsigned events_counters(const struct strv *events);

#endif
