/*
 * The first line of every report: what must not be overlooked, worst first, each part with a word in front:
 * "REGRESSION: 1 of 6 scenarios is slower (sqlite-join task-clock +92 %); NEW: ..." Texts and commands are foreign.
 */
#ifndef PAWL_REPORT_HEADLINE_H
#define PAWL_REPORT_HEADLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "report/numbers.h"
#include "report/severity.h"

struct arena;
struct result;
struct scenario_result;

struct headline_part {
	enum tone tone;
	const char *word;	/* "REGRESSION", "NOTHING WAS COMPARED" */
	const char *text;
	const char *command;	/* what mends it, or NULL */
	bool whole;		/* it is about all of the result: nothing that stands beside a scenario says it */
};

struct headline {
	struct headline_part *items;	/* at least one */
	size_t n, cap;
	const char *status;	/* the exit status and what it means: "1: a regression" */
};

/*
 * All in ARENA, or borrowed from RESULT. What does not fit into WIDTH columns does without names and causes, for a
 * reader who finds them right below; 0: nothing is left out.
 */
void headline_build(const struct result *result, struct arena *arena, size_t width, struct headline *out);
/* Another part before all others. */
void headline_lead(struct headline *headline, struct arena *arena, enum tone tone, const char *word, const char *text);

/* The first line of why SCENARIO failed, cut short where it is long. */
struct short_text headline_failure(const struct scenario_result *scenario);

#endif
