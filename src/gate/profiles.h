/* Whether a gate can be judged by profiles: J is told why not. */
#ifndef PAWL_GATE_PROFILES_H
#define PAWL_GATE_PROFILES_H

#include "model/baseline.h"
#include "model/result.h"

/* Both sides have one, taken in the same way on the same class of machines; else J is new or not measured. */
bool profiles_comparable(struct judgement *j, const struct scenario_result *s, const struct machine *machine,
			 const struct baseline *base);
/* Both have samples and runs enough to judge by; else J is inconclusive. BEFORE may be NULL. */
bool profiles_sufficient(struct judgement *j, const struct scenario_result *s, const struct profile *before);

#endif
