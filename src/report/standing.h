/*
 * Words and weight of verdicts in reports: how a verdict is spelled, and which of a scenario's
 * verdicts stands for the scenario. Nothing is judged here, only ordered.
 */
#ifndef PAWL_REPORT_STANDING_H
#define PAWL_REPORT_STANDING_H

#include <stdbool.h>

#include "model/result.h"

enum tone { TONE_PLAIN, TONE_GOOD, TONE_DOUBT, TONE_BAD };

/* Worst first: the order of scenarios in a report. */
enum standing {
	STANDING_FAILED,
	STANDING_MISSING,	/* a required gate was not measured */
	STANDING_REGRESSION,
	STANDING_PARTIAL,
	STANDING_SKIPPED,
	STANDING_INCONCLUSIVE,
	STANDING_NOT_MEASURED,
	STANDING_NEW,
	STANDING_NO_GATES,
	STANDING_ACCEPTED,
	STANDING_IMPROVEMENT,
	STANDING_PASS,
	/* Of pawl's own gate on symbols, see gate_result_quiet(): shown, but neither counted nor warned of. */
	STANDING_QUIET_INCONCLUSIVE,
	STANDING_QUIET_NOT_MEASURED,
	STANDING_QUIET_NEW,
	STANDING_COUNT,
};

/* Of a whole scenario: the first in that order that applies. */
enum standing standing_of(const struct scenario_result *scenario);
const char *standing_word(enum standing standing);	/* "REGRESSION", "pass" */
enum tone standing_tone(enum standing standing);

/* Of one gate. */
enum standing standing_of_gate(const struct gate_result *gate);
/* Not measured only because its scenario failed or was interrupted, which is told anyway. */
bool standing_follows(const struct scenario_result *scenario, const struct gate_result *gate);

/* The gate of SCENARIO that stands for that standing, a time when there is one; or NULL. */
const struct gate_result *standing_gate(const struct scenario_result *scenario, enum standing standing);
/* Gates of SCENARIO with that standing, without those that follow from its failure. */
size_t standing_count(const struct scenario_result *scenario, enum standing standing);
/* Gates of SCENARIO that compared something or checked a budget. */
size_t standing_compared(const struct scenario_result *scenario);

/*
 * True when its new numbers could be accepted: a regression, an improvement, or no baseline to compare with. Of a
 * comparison in pairs nothing is kept, so there is nothing to accept.
 */
bool standing_can_accept(const struct scenario_result *scenario);

/* The machine class of the baseline when it is not this machine's, else NULL. */
const char *standing_foreign_class(const struct result *result, const struct scenario_result *scenario);

/* Of a whole result: indices of its scenarios, worst first; for free(). */
size_t *standing_order(const struct result *result);
const struct scenario_result *standing_first(const struct result *result, enum standing standing);
size_t standing_scenarios(const struct result *result, enum standing standing);
size_t standing_scenarios_with(const struct result *result, enum standing standing);	/* a gate of it */
size_t standing_gates(const struct result *result, enum standing standing);
size_t standing_gates_all(const struct result *result);
size_t standing_gates_loud(const struct result *result);	/* without the quiet ones */

#endif
