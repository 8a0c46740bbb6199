/*
 * Judging the profile: gates.symbols, gates.budgets, and which symbols account for a change. The verdicts become rows
 * of scenario->gates, on metrics called "symbols", "symbol GLOB" and "dso GLOB" whose values are shares from 0 to 1 and
 * whose changes are percentage points; what was found of each symbol becomes scenario->symbols.
 */
#ifndef PAWL_JUDGE_SYMBOLS_H
#define PAWL_JUDGE_SYMBOLS_H

#include "model/baseline.h"
#include "model/result.h"

/*
 * Call it when the other gates are judged: what fails among them is explained by symbols, in front of what explanation
 * there is. Rows and symbols of an earlier judgement are replaced. BASE may be NULL.
 */
void judge_symbols(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/* Only the explanation: which symbols account for what fails. Rows and symbols stay those that were judged before. */
void judge_symbols_account(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * What only shows over all scenarios. In a suite of many, chance has many tries: what would not be called worse there no
 * longer is; nor are the scheduler and interrupts of a busy machine. Baselines from before there were profiles are
 * told of once.
 */
void judge_symbols_suite(struct result *result);

#endif
