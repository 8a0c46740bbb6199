/*
 * Pieces of HTML and XML.
 */
#ifndef PAWL_REPORT_HTML_H
#define PAWL_REPORT_HTML_H

#include <stddef.h>

struct arena;
struct document;
struct metric;
struct report_pictures;
struct strbuf;

/* What is being written, of HTML or XML. */
struct page {
	const struct document *document;
	struct strbuf *out;
	struct arena *arena;	/* of texts that are printed at once */
	const struct report_pictures *pictures;	/* of the result's scenarios; NULL: there are none */
};

void page_print(struct page *page, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* TEXT escaped, for one page_print(); newlines of the second stay. */
const char *markup(struct page *page, const char *text);
const char *markup_lines(struct page *page, const char *text);

/* The style sheet, which the page holds inline. */
extern const char html_style[];

/*
 * A strip of values: a dot each, the first on top, from small at the left to large at the right. Its axis is never
 * narrower than 1 % of the values, so that noise cannot look like a change.
 */
struct html_strip {
	const double *values;
	size_t n;
	const char *runs;	/* what N of them are called */
	const struct metric *metric;
	double baseline;		/* a solid line; NaN: there is none */
	double at_most, at_least;	/* dashed ones around what is tolerated */
	const char *base;		/* what the solid line is called; NULL: "baseline" */
};

void html_strip(struct strbuf *out, const struct html_strip *strip);

#endif
