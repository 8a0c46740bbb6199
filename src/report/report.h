/*
 * Reports: the formats, and a result printed in one of them.
 */
#ifndef PAWL_REPORT_REPORT_H
#define PAWL_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct result;
struct strbuf;

/* Renderers: each sees one const result and appends to a buffer; none computes a verdict. */

/* Of a scenario, as flame_piece() drew them: markup, which is not escaped again. NULL: there is none. */
struct report_pictures {
	char *flame, *difference;
};

struct report_options {
	bool color;		/* text: ANSI colours */
	bool verbose;		/* text: scenarios that passed in full */
	unsigned width;		/* text: columns of the terminal; 0 means 80, and 100 when verbose */
	size_t limit;		/* markdown: leave out detail beyond this many bytes; 0 means 60,000 */
	const struct report_pictures *pictures;	/* html: one a scenario of the result, in its order; NULL: none */
};

typedef void report_fn(const struct result *result, const struct report_options *options, struct strbuf *out);

report_fn report_text, report_markdown, report_html, report_json, report_junit;
report_fn report_bmf, report_smaller, report_bigger, report_openmetrics;	/* exports.c: for programs that keep series */

/*
 * GitHub's workflow commands, on standard output of a step: what failed as errors, what is uncertain as warnings, at
 * the line of the scenario that holds the gate. At most ten of either, of which the last counts those left out: GitHub
 * shows no more.
 */
void report_annotations(const struct result *result, struct strbuf *out);

struct report_format {
	const char *name;
	report_fn *render;
};

/* The format of report_typed(), which only commands have that were compared without a scenario. */
#define REPORT_TYPED "typed"

/* By name, or NULL; the table for help and errors. */
const struct report_format *report_format_find(const char *name);
extern const struct report_format report_formats[];
extern const size_t report_formats_size;

#endif
