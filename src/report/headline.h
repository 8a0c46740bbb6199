/*
 * The first line of every report: its most important facts, worst first, each part introduced by a word: "REGRESSION:
 * 1 of 6 scenarios is slower (sqlite-join task-clock +92 %); NEW: ..." Texts and commands are foreign.
 */
#ifndef PAWL_REPORT_HEADLINE_H
#define PAWL_REPORT_HEADLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/metrics/numbers.h"
#include "report/severity.h"

struct arena;
struct result;
struct scenario_result;
struct strbuf;

/* Words of the first line that are no severity. */
enum headline_word {
	HEADLINE_NOT_COMPARED, HEADLINE_NOT_MEASURED, HEADLINE_MERGED, HEADLINE_JUDGE_EDITED, HEADLINE_JUDGE_OPEN, HEADLINE_WORDS,
};

extern const struct headline_meaning {
	const char *word, *means;
} headline_words[];

struct headline_part {
	enum tone tone;
	const char *word;	/* "REGRESSION", "NOTHING WAS COMPARED" */
	const char *text;
	const char *command;	/* the command that fixes it, or NULL */
	bool of_scenarios;	/* a count of scenarios or gates, whose own lines say the same */
	bool whole;		/* about the whole result; no scenario repeats it */
};

struct headline {
	struct headline_part *items;	/* at least one */
	size_t n, cap;
	const char *status;	/* exit status and its meaning: "1: a regression" */
};

/*
 * Memory belongs to ARENA or is borrowed from RESULT. If the text exceeds WIDTH columns, names and causes are left
 * out, because the reader finds them right below. WIDTH 0: nothing is left out.
 */
void headline_build(const struct result *result, struct arena *arena, size_t width, struct headline *out);

/*
 * SCENARIO's verdict as a title: "words is 60 % slower", "./new is 12 % slower than ./old", "words: max-rss is 12 %
 * higher", "words: 48.4 ms CPU time, measured for the first time". Foreign.
 */
void headline_title(struct strbuf *out, const struct scenario_result *scenario);
/* The first line of SCENARIO's failure, shortened. */
struct short_text headline_failure(const struct scenario_result *scenario);

#endif
