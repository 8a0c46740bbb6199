/*
 * The first line of every report: what must not be overlooked, worst first, each part with a word in front.
 * "REGRESSION: 1 of 6 scenarios is slower (sqlite-join task-clock +92 %); NEW: ..." And the severity of what was found, by
 * which reports order it. Nothing is judged here, only ordered and told.
 *
 * Texts hold foreign names: escape them, and the command, for the format they enter.
 */
#ifndef PAWL_REPORT_HEADLINE_H
#define PAWL_REPORT_HEADLINE_H

#include <stdbool.h>

#include "base/text.h"
#include "model/result.h"

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
	/* Not measured only because its scenario failed or was interrupted, which is told anyway. */
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

struct headline_part {
	enum tone tone;
	const char *word;	/* "REGRESSION", "NOTHING WAS COMPARED" */
	char *text;
	char *command;		/* what mends it, or NULL */
	bool whole;		/* it is about all of the result: nothing that is told of a scenario says it */
};

struct headline {
	struct headline_part *items;	/* at least one */
	size_t n, cap;
	char *status;		/* the exit status and what it means: "1: a regression" */
};

void headline_build(const struct result *result, struct headline *out);
/* Another part before all others; TEXT is taken over. */
void headline_lead(struct headline *headline, enum tone tone, const char *word, struct strbuf *text);
void headline_release(struct headline *headline);

/* The first line of why SCENARIO failed, cut short where it is long. */
void headline_add_failure(struct strbuf *out, const struct scenario_result *scenario);

#endif
