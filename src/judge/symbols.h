/*
 * Judging the profile: gates.symbols, gates.budgets, and which symbols account for a change. The verdicts become rows
 * of scenario->gates, on metrics called "symbols", "symbol GLOB" and "dso GLOB" whose values are shares from 0 to 1 and
 * whose changes are percentage points; what was found of each symbol becomes scenario->symbols.
 */
#ifndef PAWL_JUDGE_SYMBOLS_H
#define PAWL_JUDGE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/baseline.h"
#include "model/result.h"

/*
 * Call it when the other gates are judged: what fails among them is explained by symbols, in front of what explanation
 * there is. Rows and symbols of an earlier judgement are replaced. BASE may be NULL.
 */
void judge_symbols(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * Whether SCENARIO's profile shows enough, and need not grow to WANTED samples: a symbol regressed beyond doubt, or
 * of all that are judged each passes without having risen by so much that it may still turn out to be a regression with as many as that,
 * or would stay open, since its runs differ by more than samples do. False
 * where there is nothing to compare with: then it is for others to be compared with.
 */
bool judge_symbols_settled(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base,
			   uint64_t wanted);
/* Only the explanation: rows and symbols stay those that were judged before. */
void judge_symbols_account(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * What only shows over all scenarios. Among many scenarios, chance has many tries: what would not be called worse
 * there no longer is; nor are the scheduler and interrupts of a busy machine. Baselines from before there were
 * profiles are noted once.
 */
void judge_symbols_together(struct result *result);

#endif
