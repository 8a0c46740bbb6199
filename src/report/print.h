/* Pieces of the formats, for reports that are of no result, and for tests. Each escapes what it prints for its format. */
#ifndef PAWL_REPORT_PRINT_H
#define PAWL_REPORT_PRINT_H

#include "report/document.h"
#include "report/report.h"

void print_text_table(const struct document_table *table, const struct report_options *options, struct strbuf *out);
void print_markdown_table(const struct document_table *table, struct strbuf *out);
/* Behind "<table ...><thead><tr>", to the end of the table. */
void print_html_table(const struct document_table *table, struct strbuf *out);

/* Prose or a log in HTML or XML, whose newlines stay newlines. */
void markup_lines(struct strbuf *out, const char *text);
/* " NAME="TEXT"", or nothing when TEXT is NULL. */
void markup_attribute(struct strbuf *out, const char *name, const char *text);

/* The style sheet, which the page holds inline. */
extern const char html_style[];

/* The class of a tone: "bad". */
const char *html_tone(enum tone tone);
/* A command that one click selects. */
void html_command(struct strbuf *out, const char *command);

/*
 * A strip of N values of METRIC, measured in what RUNS calls N of them: a dot each, the first on top, from small at the left
 * to large at the right. BASELINE is a solid line, AT_MOST and AT_LEAST dashed ones around what is tolerated; each may be
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

#endif
