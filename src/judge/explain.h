/* What accounts for a change, in words. Appends to the scenario's explanation. */
#ifndef PAWL_JUDGE_EXPLAIN_H
#define PAWL_JUDGE_EXPLAIN_H

#include "judge/symbol_rule.h"
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

/*
 * Which symbols account for a change: what each costs per run now, less what it cost in the baseline, for every metric
 * that was found to have changed and that a profile of CPU time can tell of. Their sum is the metric's change. Appends
 * lines to the scenario's explanation, such as "task-clock: hash costs 6.1 ms more per run, 94 % of the change".
 */

/* PAIRS, with their COST, are of two profiles that can be compared. The gates on metrics must be judged. */
void attribute_changes(struct scenario_result *scenario, const struct symbol_pairs *pairs, const struct cost *cost);

/* One symbol's part of a metric's change. */
struct part {
	const struct symbol_pair *pair;
	double delta, error;	/* in the metric's unit; one standard error, of the samples alone */
};

/*
 * The part of every pair when the metric was BEFORE and is NOW, largest first in the direction of the change; for
 * free(). They sum up to NOW - BEFORE, as far as the profiles list all symbols. Code that has its symbols on one side only
 * is one part.
 */
struct part *attribute_parts(const struct symbol_pairs *pairs, double before, double now);

#endif
