/*
 * A history as text and as a page.
 */
#ifndef PAWL_REPORT_HISTORY_H
#define PAWL_REPORT_HISTORY_H

#include <stdbool.h>

struct history;
struct strbuf;

/* The course of metrics over commits, and where it changed (judge/history.h). */
struct history_options {
	bool color, verbose;	/* of text; verbose: metrics that no gate judges too */
	bool utf8;		/* the terminal shows more than ASCII */
	const char *commits_url;	/* of the page: the address of a commit without its name; NULL: no links */
};

void history_text(const struct history *history, const struct history_options *options, struct strbuf *out);
/* One page, which loads and runs nothing. */
void history_html(const struct history *history, const struct history_options *options, struct strbuf *out);

#endif
