/*
 * The first line of every report: what must not be overlooked, worst first, each part with a word
 * in front. "REGRESSION: 1 of 6 scenarios is slower (sqlite-join task-clock +92 %); NEW: ..."
 *
 * Texts hold foreign names: escape them, and the command, for the format they enter.
 */
#ifndef PAWL_REPORT_HEADLINE_H
#define PAWL_REPORT_HEADLINE_H

#include "base/strbuf.h"
#include "model/result.h"
#include "report/standing.h"

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

#endif
