/*
 * The time budget of one scenario. Stored runs and their confirmation, pairs, simulation, profile and the search for
 * a cause share it. When its turn comes, a step asks for its part of what is left. It is stopped at the end of that
 * part. Work not done by then is left out and named.
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

/* Returns one of PARTS equal parts of what is left, but at least LEAST_NS, below which a step is useless. */
static inline uint64_t budget_part(const struct budget *budget, unsigned parts, uint64_t least_ns)
{
	uint64_t part = budget_left(budget) / parts;

	return part > least_ns ? part : least_ns;
}

/* Charges the time since START_NS. */
static inline void budget_spend(struct budget *budget, uint64_t start_ns)
{
	budget->spent_ns += clock_now_ns() - start_ns;
}

/* Least times for simulating a side, profiling a side, and the search for a cause, however little is left. */
#define BUDGET_SIMULATION_LEAST_NS (10 * NS_PER_S)
#define BUDGET_PROFILE_LEAST_NS (3 * NS_PER_S)
#define BUDGET_CAUSE_LEAST_NS (20 * NS_PER_S)

#endif
