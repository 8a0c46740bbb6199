/* The severity of verdicts. */
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
	SEVERITY_REFUTED,	/* of a claim, like the next and SEVERITY_PROVEN */
	SEVERITY_UNPROVEN,
	SEVERITY_PARTIAL,
	SEVERITY_SKIPPED,
	SEVERITY_INCONCLUSIVE,
	SEVERITY_NOT_MEASURED,
	SEVERITY_NEW,
	SEVERITY_NO_GATES,
	SEVERITY_ACCEPTED,
	SEVERITY_PROVEN,
	SEVERITY_IMPROVEMENT,
	SEVERITY_PASS,
	/* pawl's own gate on symbols, see gate_result_quiet(): shown, but neither counted nor warned about. */
	SEVERITY_QUIET_INCONCLUSIVE,
	SEVERITY_QUIET_NOT_MEASURED,
	SEVERITY_QUIET_NEW,
	/* Not measured only because its scenario failed or was interrupted, which is reported separately. */
	SEVERITY_FOLLOWS,
	SEVERITY_COUNT,
};

const char *severity_word(enum severity severity);	/* "REGRESSION", "pass" */
const char *severity_means(enum severity severity);	/* of that word, for documents; NULL: as of an earlier one */
enum tone severity_tone(enum severity severity);
enum severity severity_of_gate(const struct scenario_result *scenario, const struct gate_result *gate);
/* The severity of a scenario: the first in enum order that applies. */
enum severity severity_of(const struct scenario_result *scenario);
/* The gate of SCENARIO that represents this severity, preferably a time; or NULL. */
const struct gate_result *severity_gate(const struct scenario_result *scenario, enum severity severity);
/* The number of gates of SCENARIO with this severity. */
size_t severity_count(const struct scenario_result *scenario, enum severity severity);

/* The machine class of its baseline if it differs from this machine's, otherwise NULL. */
const char *scenario_foreign_class(const struct result *result, const struct scenario_result *scenario);
/* True if its gates are always judged in pairs, not only confirmed in pairs. */
bool pairs_only(const struct scenario_result *scenario);

#endif
