/* The report formats. */
#ifndef PAWL_REPORT_FORMATS_REPORT_H
#define PAWL_REPORT_FORMATS_REPORT_H

#include <stdbool.h>
#include <stddef.h>

struct result;
struct strbuf;

/* Renderers. Each takes a const result and appends to a buffer; verdicts are already computed. */

/* Pictures of a scenario as flame_piece() drew them: markup, not escaped again. NULL: none. */
struct report_pictures {
	char *flame, *difference;
};

struct report_options {
	bool color;		/* text: ANSI colours */
	bool verbose;		/* text: passed scenarios in full */
	bool whole;		/* text: nothing is cut or counted, as for a file */
	unsigned width;		/* text: columns of the terminal; 0: 80, or 100 when verbose */
	size_t limit;		/* markdown: leave out detail beyond this many bytes; 0: 60,000 */
	const struct report_pictures *pictures;	/* html: one per scenario of the result, in its order; NULL: none */
};

typedef void report_fn(const struct result *result, const struct report_options *options, struct strbuf *out);

report_fn report_text, report_typed, report_markdown, report_html, report_json, report_junit;
report_fn report_bmf, report_smaller, report_bigger, report_openmetrics;	/* exports.c: for series */

/*
 * GitHub workflow commands for a step's standard output: failures as errors, uncertain results as warnings, at the
 * scenario line that holds the gate. At most ten of each, because GitHub shows no more; the last counts the rest.
 */
void report_annotations(const struct result *result, struct strbuf *out);

/* The words of --format, then NULL. report_typed() is only for commands compared without a scenario. */
extern const char *const report_formats[];
/* Returns the renderer of the format called NAME, or NULL. */
report_fn *report_format_find(const char *name);

#endif
