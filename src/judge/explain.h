/*
 * What accounts for a change, in lines of the scenario's explanation.
 */
#ifndef PAWL_JUDGE_EXPLAIN_H
#define PAWL_JUDGE_EXPLAIN_H

#include <stdbool.h>

#include "model/baseline.h"
#include "judge/symbol_rule.h"
#include "model/cost.h"
#include "model/result.h"

/* Add a line to the explanation of the scenario result S. */
#define EXPLAIN(s, ...) arena_pushf(&(s)->arena, &(s)->explanation, __VA_ARGS__)

/*
 * dln(task-clock) = dln(instructions) + dln(cycles per instruction) - dln(clock rate), as far as
 * both sides counted them; same bytes; a changed scenario; time stolen by the hypervisor. Where
 * BASE is not of the SAME_CLASS of machines, its numbers are not compared: two CPUs explain nothing.
 */
void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class);

/*
 * Once SCENARIO has causes and their evidence: the lines of its explanation that say the same less well become the last of the
 * evidence. Without causes they stay.
 */
void explain_by_causes(struct scenario_result *scenario);

/* The change of METRIC's median against the baseline as ln(current/baseline); NaN when unknown. */
double explain_change(const struct scenario_result *scenario, const struct baseline *base, const struct metric *metric);

/*
 * Which symbols account for a change, "task-clock: hash costs 6.1 ms more per run, 94 % of the change", for every
 * metric that was found to have changed and that a profile of CPU time explains. PAIRS, with their COST, are of two
 * profiles that can be compared. The gates on metrics must be judged.
 */
void attribute_changes(struct scenario_result *scenario, const struct symbol_pairs *pairs, const struct cost *cost);

/* One symbol's part of a metric's change. */
struct cost_part {
	const struct symbol_pair *pair;
	double delta, error;	/* in the metric's unit; one standard error, of the samples alone */
};

/*
 * The part of every pair when the metric was BEFORE and is NOW, largest first in the direction of the change; for
 * free(). They sum up to NOW - BEFORE, as far as the profiles list all symbols. Code that has its symbols on one side
 * only is one part.
 */
struct cost_part *attribute_parts(const struct symbol_pairs *pairs, double before, double now);

/* So begins the line of an explanation that says so. */
#define SAME_EXECUTABLE "both sides run the same executable"
/*
 * Takes away from SCENARIO's explanation what is known better now: COUNTED, how many instructions each function executes; with a cause,
 * that no symbol stands out; with a changed line, that both sides run the same executable, which is an interpreter then.
 */
void explain_leave_out(struct scenario_result *scenario, bool counted);

#endif
