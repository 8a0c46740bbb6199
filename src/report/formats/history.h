/* A history as text and as an HTML page. */
#ifndef PAWL_REPORT_FORMATS_HISTORY_H
#define PAWL_REPORT_FORMATS_HISTORY_H

#include <stdbool.h>

struct history;
struct strbuf;

/* Metrics over commits and their changes (judge/history.h). */
struct history_options {
	bool color, verbose;	/* of text; verbose: also metrics without a gate */
	bool utf8;		/* the terminal shows more than ASCII */
	const char *repository;	/* of the page: address on a forge; NULL: no links */
};

void history_text(const struct history *history, const struct history_options *options, struct strbuf *out);
/* One page that loads and runs nothing. */
void history_html(const struct history *history, const struct history_options *options, struct strbuf *out);

#endif
