/* Explains a change, in lines of the scenario's explanation. */
#ifndef PAWL_JUDGE_EXPLAIN_H
#define PAWL_JUDGE_EXPLAIN_H

#include <stdbool.h>

#include "model/baseline.h"
#include "judge/symbol_rule.h"
#include "model/cost.h"
#include "model/result.h"

/* Adds a line to the explanation of the scenario result S. */
#define EXPLAIN(s, ...) arena_pushf(&(s)->arena, &(s)->explanation, __VA_ARGS__)

/*
 * Explains a change by
 *
 *	dln(task-clock) = dln(instructions) + dln(cycles per instruction) - dln(clock rate)
 *
 * as far as both sides counted these. Also mentions identical executables, a changed scenario, and time stolen by the
 * hypervisor. Numbers of BASE are compared only on the SAME_CLASS of machines.
 */
void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class);

/* Explains which of the scenario's settings differ from those of BASE, and if the executable is the same. */
void explain_identity(struct scenario_result *scenario, const struct baseline *base);
/* Explains that pairs measured both sides with the scenario of now, if the settings of the ACCEPTED baseline differ. */
void explain_one_scenario(struct scenario_result *scenario, const struct baseline *accepted);

/* Moves lines that a cause says better from the explanation to the end of the evidence. Does nothing without causes. */
void explain_by_causes(struct scenario_result *scenario);

/* Returns ln(current/baseline) of METRIC's medians; NaN if unknown. */
double explain_change(const struct scenario_result *scenario, const struct baseline *base, const struct metric *metric);

/*
 * Adds lines on the symbols that account for a change: "task-clock: hash costs 6.1 ms more per run, 94 % of the
 * change". Covers every changed metric that a profile of CPU time explains. PAIRS and their COST come from two
 * comparable profiles. The gates on metrics must be judged before.
 */
void attribute_changes(struct scenario_result *scenario, const struct symbol_pairs *pairs, const struct cost *cost);

/* One symbol's part of a metric's change. */
struct cost_part {
	const struct symbol_pair *pair;
	double delta, error;	/* in the metric's unit; one standard error, from the samples alone */
};

/*
 * Returns the part of every pair in a change of the metric from BEFORE to NOW, for free(). The largest part in the
 * direction of the change is first. The parts sum up to NOW - BEFORE, as far as the profiles list all symbols. Code
 * that has its symbols on one side only is one part.
 */
struct cost_part *attribute_parts(const struct symbol_pairs *pairs, double before, double now);

/* Start of the explanation's line on identical executables. */
#define SAME_EXECUTABLE "both sides run the same executable"
/*
 * Removes lines from SCENARIO's explanation that better knowledge replaces. COUNTED means that the instructions of
 * each function are known. With a cause, "no symbol stands out" goes. With a changed line, SAME_EXECUTABLE goes: the
 * executable is then an interpreter.
 */
void explain_leave_out(struct scenario_result *scenario, bool counted);

#endif
