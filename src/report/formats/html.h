/*
 * Pieces of HTML and XML.
 */
#ifndef PAWL_REPORT_FORMATS_HTML_H
#define PAWL_REPORT_FORMATS_HTML_H

#include <stddef.h>

struct arena;
struct document;
struct metric;
struct report_pictures;
struct strbuf;

/* The HTML or XML document being written. */
struct page {
	const struct document *document;
	struct strbuf *out;
	struct arena *arena;	/* for short-lived texts */
	const struct report_pictures *pictures;	/* of the result's scenarios; NULL: none */
};

void page_print(struct page *page, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* TEXT escaped, for one page_print(); markup_lines() keeps newlines. */
const char *markup(struct page *page, const char *text);
const char *markup_lines(struct page *page, const char *text);

/* The style sheet, embedded in the page. */
extern const char html_style[];

/*
 * A strip of values: one dot each, the first on top, small at the left, large at the right. The axis spans at least 1
 * % of the values, so that noise does not look like a change.
 */
struct html_strip {
	const double *values;
	size_t n;
	const char *runs;	/* the word for N of them */
	const struct metric *metric;
	double baseline;		/* solid line; NaN: none */
	double at_most, at_least;	/* dashed lines: the limits */
	const char *base;		/* name of the solid line; NULL: "baseline" */
};

void html_strip(struct strbuf *out, const struct html_strip *strip);

#endif
