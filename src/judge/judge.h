/*
 * Verdicts of a whole result: each scenario against its baseline, then checks over all scenarios. The
 * rules are in docs/explanation/deciding.md.
 *
 *	judge_scenario() for each that was measured, or judge_pairs() of judge/pairs.h and judge_beside_pairs()
 *	-> judge_together() once -> result_settle() once
 *
 * Judging again replaces earlier verdicts.
 */
#ifndef PAWL_JUDGE_JUDGE_H
#define PAWL_JUDGE_JUDGE_H

#include "model/result.h"
#include "model/baseline.h"

/*
 * Fills the gates' verdicts and the explanation of SCENARIO. Its gates must have their tolerances. BASE is the
 * accepted baseline, or NULL for the verdict `new`.
 */
void judge_scenario(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * Judges the head of SCENARIO, which judge_pairs() has judged, against its baseline too. Returns false, after changing
 * nothing, if no gate can be compared with BASE, or if both sides ran one program. A gate has one verdict:
 *
 *	counts and sizes	that of the pairs, or the baseline's if it is a regression or the pairs decided nothing
 *	times and rates		that of the pairs; a note says if the baseline found a regression
 *
 * Absolute limits and shares of symbols need no baseline: judge_pairs() has judged them.
 */
bool judge_beside_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * Returns why a scenario of this target would pass for ever: a run takes less than 5 ms, or prints a usage text. MS is the
 * longer of its CPU and wall time, OUTPUT what it printed. A verb with a remedy, for free(); NULL if the target works.
 */
char *judge_idle_words(double ms, bool failed, const char *output);
/* Sets that warning for SCENARIO's head, whose last run printed OUTPUT. Attached targets and typed commands get none. */
void judge_idle(struct scenario_result *scenario, const char *output);

/*
 * Adjusts verdicts by what shows only over all scenarios. On a busy machine, regressions of metrics that include
 * waiting for a CPU become inconclusive. Exception: in pairs, both sides waited. If everything moved together, a note
 * suspects the machine.
 */
void judge_together(struct result *result);
/* Notes that the sides of S did other work, or ran one program. For pairs that are measured after judge_together(). */
void judge_note_sides(struct result *result, const struct scenario_result *s);

#endif
