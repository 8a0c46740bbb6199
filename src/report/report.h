/*
 * Renderers: each sees one const result and appends to a buffer; none computes a verdict.
 * Whatever came from outside (names, log lines, symbols) is escaped for the format it enters.
 */
#ifndef PAWL_REPORT_REPORT_H
#define PAWL_REPORT_REPORT_H

#include <stdbool.h>

#include "base/text.h"
#include "model/result.h"

struct bisection;

struct report_options {
	bool color;		/* text: ANSI colours */
	bool verbose;		/* text: scenarios that passed in full */
	unsigned width;		/* text: columns of the terminal; 0 means 100 */
	size_t limit;		/* markdown: leave out detail beyond this many bytes; 0 means 1 MiB */
	const struct bisection *search;	/* html: this was its last comparison, so it comes first; or NULL */
};

typedef void report_fn(const struct result *result, const struct report_options *options, struct strbuf *out);

report_fn report_text, report_markdown, report_html, report_json, report_junit;

/*
 * GitHub's workflow commands, on standard output of a step: what failed as errors, what is uncertain as warnings, at the
 * line of the scenario that holds the gate. At most ten of either, of which the last counts those left out: GitHub shows
 * no more.
 */
void report_annotations(const struct result *result, struct strbuf *out);

struct report_format {
	const char *name;
	report_fn *render;
};

/* By name, or NULL; the table for help and errors. */
const struct report_format *report_format_find(const char *name);
extern const struct report_format report_formats[];
extern const size_t report_formats_size;

#endif
