/*
 * Pieces of the HTML report. Foreign text is escaped inside; ids and classes are never made of it.
 * What colour says is always said by a word and a sign too.
 */
#ifndef PAWL_REPORT_HTML_PARTS_H
#define PAWL_REPORT_HTML_PARTS_H

#include "base/strbuf.h"
#include "model/result.h"
#include "report/standing.h"

/* The style sheet, which the page holds inline. */
extern const char html_style[];

/* The class of a tone: "bad". */
const char *html_tone(enum tone tone);
/* WORD as a tag of that tone, with its sign. */
void html_tag(struct strbuf *out, const char *word, enum tone tone);
void html_tag_of(struct strbuf *out, enum standing standing);
/* A term and what is said of it, inside <dl>; nothing when TEXT is NULL. */
void html_term(struct strbuf *out, const char *term, const char *text);
void html_terms(struct strbuf *out, const char *term, const struct strv *texts);	/* all under one term */
void html_code_term(struct strbuf *out, const char *term, const char *text);
/* A command that one click selects. */
void html_command(struct strbuf *out, const char *command);

/* Where to find which scenario, in ORDER; nothing when there is but one. */
void html_overview(struct strbuf *out, const struct result *result, const size_t *order);
/* The machine and the run. */
void html_conditions(struct strbuf *out, const struct result *result);

/* The table of a scenario's gates. */
void html_gates(struct strbuf *out, const struct scenario_result *scenario);
/* The table of what was measured and no gate shows; nothing when there is nothing. */
void html_others(struct strbuf *out, const struct scenario_result *scenario);

/* The table of a scenario's symbols, and what is to be known of its profile; nothing when there is neither. */
void html_symbols(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

/*
 * A strip of N values of METRIC, measured in what RUNS calls N of them: a dot each, the first on top, from small at the left to large at the right.
 * BASELINE is a solid line, AT_MOST and AT_LEAST dashed ones around what is tolerated; each may be
 * NaN. The axis holds all of it, and is never narrower than 1 % of the values, so that noise
 * cannot look like a change.
 */
struct html_strip {
	const double *values;
	size_t n;
	const char *runs;
	const struct metric *metric;
	double baseline, at_most, at_least;
	const char *base;	/* what the solid line is called: "baseline" */
};

void html_strip(struct strbuf *out, const struct html_strip *strip);

/* Everything about the scenario at INDEX; FOLDED shows its name and verdict until it is opened. */
void html_scenario(struct strbuf *out, const struct result *result, size_t index, bool folded);

#endif
