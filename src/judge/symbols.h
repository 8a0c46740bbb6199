/*
 * Judges the profile: gates.symbols, gates.budgets, and the symbols that account for a change. Verdicts become rows
 * of scenario->gates, on metrics called "symbols", "symbol GLOB" and "dso GLOB". Their values are shares from 0 to 1,
 * their changes percentage points. The verdict of each symbol becomes scenario->symbols.
 */
#ifndef PAWL_JUDGE_SYMBOLS_H
#define PAWL_JUDGE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/baseline.h"
#include "model/result.h"

/*
 * Judges the profile. The other gates must be judged before, since symbols explain their failures, at the top of the
 * explanation. Replaces rows and symbols of an earlier judgement. BASE may be NULL.
 */
void judge_symbols(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * True if SCENARIO's profile need not grow to WANTED samples. Either a symbol regressed beyond doubt, or every judged
 * symbol is settled. A symbol is settled if it passes and its rise cannot become a regression with that many samples.
 * It is also settled if it would stay inconclusive, because runs differ by more than samples do. False without a
 * profile to compare with: later comparisons may need the samples.
 */
bool judge_symbols_settled(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base,
			   uint64_t wanted);
/* Updates only the explanation. Rows and symbols keep their judgement. */
void judge_symbols_account(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * Adjusts verdicts by what shows only over all scenarios. Among many scenarios some regress by chance, so regressions
 * must be clearer. The scheduler and interrupts of a busy machine no longer regress. Baselines without a profile are
 * noted once.
 */
void judge_symbols_together(struct result *result);

#endif
