/*
 * How grave a verdict is.
 */
#ifndef PAWL_REPORT_SEVERITY_H
#define PAWL_REPORT_SEVERITY_H

#include <stdbool.h>
#include <stddef.h>

struct gate_result;
struct result;
struct scenario_result;

enum tone { TONE_PLAIN, TONE_GOOD, TONE_WARNING, TONE_BAD };

/* Worst first: the order of scenarios in a report. */
enum severity {
	SEVERITY_FAILED,
	SEVERITY_MISSING,	/* a required gate was not measured */
	SEVERITY_REGRESSION,
	SEVERITY_PARTIAL,
	SEVERITY_SKIPPED,
	SEVERITY_INCONCLUSIVE,
	SEVERITY_NOT_MEASURED,
	SEVERITY_NEW,
	SEVERITY_NO_GATES,
	SEVERITY_ACCEPTED,
	SEVERITY_IMPROVEMENT,
	SEVERITY_PASS,
	/* Of pawl's own gate on symbols, see gate_result_quiet(): shown, but neither counted nor warned of. */
	SEVERITY_QUIET_INCONCLUSIVE,
	SEVERITY_QUIET_NOT_MEASURED,
	SEVERITY_QUIET_NEW,
	/* Not measured only because its scenario failed or was interrupted, which is shown anyway. */
	SEVERITY_FOLLOWS,
	SEVERITY_COUNT,
};

const char *severity_word(enum severity severity);	/* "REGRESSION", "pass" */
enum tone severity_tone(enum severity severity);
enum severity severity_of_gate(const struct scenario_result *scenario, const struct gate_result *gate);
/* Of a whole scenario: the first in that order that applies. */
enum severity severity_of(const struct scenario_result *scenario);
/* The gate of SCENARIO that stands for that severity, a time when there is one; or NULL. */
const struct gate_result *severity_gate(const struct scenario_result *scenario, enum severity severity);
/* How many gates of SCENARIO have it. */
size_t severity_count(const struct scenario_result *scenario, enum severity severity);

/* The machine class of its baseline when it is not this machine's, else NULL. */
const char *scenario_foreign_class(const struct result *result, const struct scenario_result *scenario);
/* True when its gates are judged in pairs by nature: they were not only confirmed by them. */
bool pairs_only(const struct scenario_result *scenario);

#endif
