/*
 * The time budget of one scenario: one deadline for its runs or pairs, the simulation, the profile and the search for
 * a cause. A part is reserved for what follows the measuring, so that a late regression still gets its profile and
 * cause; only the first look at pairs may spend it. A step is ended when its time is over, but not a run or start of
 * services. If time is scarce, the evidence of a second cause, pictures, then pairs are left out, and the result
 * notes it.
 */
#ifndef PAWL_JOB_PROJECT_BUDGET_H
#define PAWL_JOB_PROJECT_BUDGET_H

#include <stdint.h>

#include "measure/process/interrupt.h"

/* Parts of a budget that are reserved: for the profile and the cause in pairs, for the profile of stored runs. */
enum { BUDGET_THIRD = 3, BUDGET_TENTH = 10 };
/* Stored runs that pairs may have to confirm leave one of these parts to them. */
enum { BUDGET_HALF = 2 };

/* A step that has less than this is left out. */
#define BUDGET_STEP_LEAST_NS NS_PER_S

struct budget {
	uint64_t whole_ns, reserved_ns;
	uint64_t measured_ns, followed_ns;	/* spent on measuring, and on what follows */
};

/* Returns a budget of WHOLE_NS that reserves one of PARTS parts; 0: nothing. */
static inline struct budget budget_new(uint64_t whole_ns, unsigned parts)
{
	return (struct budget){ .whole_ns = whole_ns, .reserved_ns = parts ? whole_ns / parts : 0 };
}

/* Returns what is left for runs, pairs and simulations. */
static inline uint64_t budget_to_measure(const struct budget *budget)
{
	uint64_t all = budget->whole_ns - budget->reserved_ns;

	return all > budget->measured_ns ? all - budget->measured_ns : 0;
}

/* Returns what is left of all of it: for the profile and the search for a cause. */
static inline uint64_t budget_to_follow(const struct budget *budget)
{
	uint64_t spent = budget->measured_ns + budget->followed_ns;

	return budget->whole_ns > spent ? budget->whole_ns - spent : 0;
}

/* Charges the time since START_NS to ACCOUNT, one of the budget's two. */
static inline void budget_spend(uint64_t *account, uint64_t start_ns)
{
	*account += clock_now_ns() - start_ns;
}

#endif
