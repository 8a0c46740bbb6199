/* Judging gates.budgets: absolute limits on the shares of symbols and files, one row of scenario->gates each. */
#ifndef PAWL_GATE_JUDGE_BUDGETS_H
#define PAWL_GATE_JUDGE_BUDGETS_H

#include "model/result.h"

/* Adds the rows. Those of an earlier judgement must be gone. */
void judge_budgets(struct scenario_result *scenario, const struct machine *machine);

#endif
