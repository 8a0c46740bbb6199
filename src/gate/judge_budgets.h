/* Judging gates.budgets: absolute limits on the shares of symbols and files, one row of scenario->gates each. */
#ifndef PAWL_GATE_JUDGE_BUDGETS_H
#define PAWL_GATE_JUDGE_BUDGETS_H

#include "model/result.h"

/* Adds the rows. Those of an earlier judgement must be gone. */
void judge_budgets(struct scenario_result *scenario, const struct machine *machine);

/* Whether both profiles have samples and runs enough to judge by; else G is inconclusive and says so. BEFORE may be NULL. */
bool judge_samples(struct gate_result *g, const struct profile *now, const struct profile *before);

#endif
