/* Pieces of HTML and XML. */
#ifndef PAWL_REPORT_FORMATS_HTML_H
#define PAWL_REPORT_FORMATS_HTML_H

#include <stdbool.h>

struct arena;
struct document;
struct report_pictures;
struct strbuf;

/* The HTML or XML document being written. */
struct page {
	const struct document *document;
	struct strbuf *out;
	struct arena *arena;	/* for short-lived texts */
	const struct report_pictures *pictures;	/* of the result's scenarios; NULL: none */
	bool alone;		/* it is about one scenario, whose verdict is the title */
};

void page_print(struct page *page, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* TEXT escaped, for one page_print(); markup_lines() keeps newlines. */
const char *markup(struct page *page, const char *text);
const char *markup_lines(struct page *page, const char *text);

/* SHOWN as code, linked to COMMIT's page if REPOSITORY and COMMIT are known. For one page_print(). */
const char *markup_commit(struct page *page, const char *repository, const char *commit, const char *shown);

/* The style sheet, embedded in the page. */
extern const char html_style[];
/* Begins a page called TITLE, which is escaped, up to its body. */
void page_begin(struct page *page, const char *title, const char *more_style);

#endif
