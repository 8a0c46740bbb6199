/*
 * The time of a scenario, one for all that is measured of it: stored runs and their confirmation, pairs, simulation, profile and
 * the search for a cause. Each asks for its part of what is left when its turn comes, and is ended with it: what was not
 * done by then is left out and named.
 */
#ifndef PAWL_JOB_BUDGET_H
#define PAWL_JOB_BUDGET_H

#include <stdint.h>

#include "measure/process/interrupt.h"

struct budget {
	uint64_t whole_ns, spent_ns;
};

static inline uint64_t budget_left(const struct budget *budget)
{
	return budget->whole_ns > budget->spent_ns ? budget->whole_ns - budget->spent_ns : 0;
}

/* One of PARTS equal parts of what is left; never less than LEAST_NS, with which it is of use. */
static inline uint64_t budget_part(const struct budget *budget, unsigned parts, uint64_t least_ns)
{
	uint64_t part = budget_left(budget) / parts;

	return part > least_ns ? part : least_ns;
}

/* What was begun at START_NS is over. */
static inline void budget_spend(struct budget *budget, uint64_t start_ns)
{
	budget->spent_ns += clock_now_ns() - start_ns;
}

/* However little is left, a side may be simulated, or profiled, and a cause be looked for, for so long. */
#define BUDGET_SIMULATION_LEAST_NS (10 * NS_PER_S)
#define BUDGET_PROFILE_LEAST_NS (3 * NS_PER_S)
#define BUDGET_CAUSE_LEAST_NS (20 * NS_PER_S)

#endif
