/* What accounts for a change, in words. Appends to the scenario's explanation. */
#ifndef PAWL_GATE_EXPLAIN_H
#define PAWL_GATE_EXPLAIN_H

#include "model/baseline.h"
#include "model/result.h"

/*
 * dln(task-clock) = dln(instructions) + dln(cycles per instruction) - dln(clock rate), as far as
 * both sides counted them; same bytes; a changed scenario; time stolen by the hypervisor. Where
 * BASE is not of the SAME_CLASS of machines, its numbers are not compared: two CPUs explain nothing.
 */
void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class);

/* The change of METRIC's median against the baseline as ln(current/baseline); NaN when unknown. */
double explain_change(const struct scenario_result *scenario, const struct baseline *base, const char *metric);

#endif
