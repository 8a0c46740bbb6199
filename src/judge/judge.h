/*
 * Judging: a scenario's runs against a baseline, gate by gate, with the words that explain it.
 * Call judge_scenario() once per measured scenario, then judge_together() once, then
 * result_settle(). Judging again replaces what was there.
 */
#ifndef PAWL_JUDGE_JUDGE_H
#define PAWL_JUDGE_JUDGE_H

#include "model/baseline.h"
#include "model/result.h"

/*
 * Fill the gates' verdicts and the explanation of SCENARIO, whose gates were added with their
 * tolerances. BASE is the accepted baseline, or NULL when there is none (verdict `new`).
 */
void judge_scenario(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/* What only shows over all scenarios: the machine was busy, or everything moved together: suspect the machine. */
void judge_together(struct result *result);

#endif
