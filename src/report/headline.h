/*
 * The first line of every report: what must not be overlooked, worst first, each part with a word
 * in front. "REGRESSION: 1 of 6 scenarios is slower (sqlite-join task-clock +92 %); NEW: ..."
 *
 * Texts hold foreign names: escape them, and the command, for the format they enter.
 */
#ifndef PAWL_REPORT_HEADLINE_H
#define PAWL_REPORT_HEADLINE_H

#include <stdbool.h>

#include "base/strv.h"
#include "base/text.h"
#include "model/result.h"

/*
 * Words and weight of verdicts in reports: how a verdict is spelled, and which of a scenario's
 * verdicts stands for the scenario. Nothing is judged here, only ordered.
 */

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

/*
 * True when its new numbers could be accepted: a regression, an improvement, or no baseline to compare with. Of a
 * comparison in pairs nothing is kept, so there is nothing to accept.
 */
bool standing_can_accept(const struct scenario_result *scenario);

/* The machine class of the baseline when it is not this machine's, else NULL. */
const char *standing_foreign_class(const struct result *result, const struct scenario_result *scenario);

/* Of a whole result: indices of its scenarios, worst first; for free(). */
size_t *standing_order(const struct result *result);

struct headline_part {
	enum tone tone;
	const char *word;	/* "REGRESSION", "NOTHING WAS COMPARED" */
	char *text;
	char *command;		/* what mends it, or NULL */
	bool whole;		/* it is about all of the result: nothing that is told of a scenario says it */
};

struct headline {
	struct headline_part *items;
	size_t n, cap;
};

/* At least one part. */
void headline_build(const struct result *result, struct headline *out);
/* Another part before all others; TEXT is taken over. */
void headline_lead(struct headline *headline, enum tone tone, const char *word, struct strbuf *text);
void headline_release(struct headline *headline);

/* The exit status and what it means: "1: a regression". */
void headline_add_status(struct strbuf *out, const struct result *result);

/*
 * A result in which no gate was judged proves nothing, and must say so before all else: why it is
 * so, and the command that changes it.
 */

/* The gravest reason; BLAME_NOBODY when something was judged. */
enum blame { BLAME_NOBODY, BLAME_FAILED, BLAME_UNFINISHED, BLAME_NEW, BLAME_NOT_MEASURED, BLAME_NO_GATES };

enum blame nothing_blame(const struct result *result);

/* The first line of why SCENARIO failed, cut short where it is long. */
void nothing_add_failure(struct strbuf *out, const struct scenario_result *scenario);

/* Why gates got their verdicts, each sentence once however many gates share it. */

/* Append to OUT lines such as "task-clock, page-faults: there is no baseline", as raw text. */
void reasons_list(const struct scenario_result *scenario, struct strv *out);

#endif
