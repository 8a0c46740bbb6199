/*
 * Verdicts of a whole result: each scenario against its baseline, then what only shows over all scenarios.
 * docs/deciding.md has the rules in words.
 *
 * 	judge_scenario() for each that was measured, or judge_pairs() of judge/pairs.h -> judge_together() once
 * 	-> result_settle() once
 *
 * Judging again replaces what was there.
 */
#ifndef PAWL_JUDGE_JUDGE_H
#define PAWL_JUDGE_JUDGE_H

#include "model/result.h"
#include "model/baseline.h"

/*
 * Fill the gates' verdicts and the explanation of SCENARIO, whose gates were added with their tolerances. BASE is the
 * accepted baseline, or NULL when there is none (verdict `new`).
 */
void judge_scenario(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * What only shows over all scenarios. On a busy machine what waits for a CPU became worse whatever the program did, so
 * regressions of that become inconclusive; in pairs both sides waited. When everything moved together, a note suspects
 * the machine.
 */
void judge_together(struct result *result);

#endif
