/*
 * Judging what was measured in pairs. The pairing of a scenario holds both sides; its gates are filled as judge_scenario()
 * fills them from a baseline, and its profile, symbols and explanation are judged against the base's side.
 *
 *	judge_pairs_next_look() after each look -> judge_pairs() once no more pairs come -> judge_together(), result_settle()
 *
 * Simulated metrics and budgets need no pairs: they are compared, or checked, by the medians of both sides.
 */
#ifndef PAWL_GATE_JUDGE_PAIRS_H
#define PAWL_GATE_JUDGE_PAIRS_H

#include "model/baseline.h"
#include "model/result.h"

/* How many gates of a scenario are judged in pairs: those on what a run measures, relative to the base. For m. */
unsigned judge_pairs_gates(const struct gate *gates, size_t n);
/* The pairs after which to look next at SCENARIO's pairing; 0: every gate is decided, or no look is left. */
unsigned judge_pairs_next_look(const struct scenario_result *scenario);
/* About how many more pairs the gate that is nearest to its decision wants; INFINITY: none can be decided on this machine. */
double judge_pairs_missing(const struct scenario_result *scenario);
/*
 * All gates of a scenario that was measured in pairs only. BASE is the base's side as if it had been accepted, for
 * symbols and what explains a change.
 */
void judge_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * Confirming: SCENARIO was compared with a stored baseline, which for times proves little. A gate wants confirming when
 * it is judged in pairs by nature (a time, or what depends on the CPU where the baseline is of another class) and the
 * stored comparison called it a regression or was inconclusive, or was not possible for the class. What is gross needs
 * no confirming.
 */
bool judge_pairs_wants_confirming(const struct scenario_result *scenario, const struct gate_result *gate);
/*
 * Those gates are judged by the scenario's pairing too, which then counts; the stored judgement stays beside it. Gates that
 * did not want confirming are as they were. The explanation becomes that of the pairs.
 */
void judge_pairs_confirm(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

#endif
