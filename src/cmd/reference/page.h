/*
 * Pages of the reference. A page is written once, in Markdown, and printed twice: as docs/reference/NAME.md and as a
 * man page. A line "@PART ARGUMENT" of its source stands for what a part adds from a table of the program.
 */
#ifndef PAWL_CMD_REFERENCE_PAGE_H
#define PAWL_CMD_REFERENCE_PAGE_H

#include "base/text.h"

struct page {
	const char *name;	/* what help --man and --markdown call it */
	const char *man;	/* title of the man page ("pawl-scenario"); NULL: there is none */
	unsigned section;	/* of the manual */
	const char *summary;	/* one line, without a period */
	const char *source;
	const struct page *also;	/* part of the same man page; or NULL */
};

struct page_part {
	const char *name;
	void (*add)(struct strbuf *out, const char *argument, const void *ctx);
};

/*
 * Parts about files and metrics, as in their sources: "@keys FILE KEY...", "@tree FILE", "@metrics SECTION", and
 * by tier "@counting" and "@sampling". They need no CTX.
 */
void page_keys(struct strbuf *out, const char *argument, const void *ctx);
void page_tree(struct strbuf *out, const char *argument, const void *ctx);
void page_metrics(struct strbuf *out, const char *argument, const void *ctx);
void page_countings(struct strbuf *out, const char *argument, const void *ctx);
void page_samplings(struct strbuf *out, const char *argument, const void *ctx);

/* Appends PAGE as Markdown. PARTS end with an entry without a name; CTX is theirs. */
void page_markdown(const struct page *page, const struct page_part *parts, const void *ctx, struct strbuf *out);
/* Appends a row of a table; the first one is its header. No CELLS may be NULL. */
void page_row(struct strbuf *out, bool header, const char *const *cells, size_t n);
/* Appends MARKDOWN, which page_markdown() made, as the man page of PAGE. */
void page_man(const struct page *page, const char *markdown, struct strbuf *out);

#endif
