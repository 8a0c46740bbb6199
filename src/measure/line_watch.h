/*
 * Waiting for a line in a stream: a regular expression tried on every line as the bytes come, in
 * bounded memory (of a longer line its first WATCH_LINE bytes). For `ready: { log: REGEX }`.
 */
#ifndef PAWL_MEASURE_LINE_WATCH_H
#define PAWL_MEASURE_LINE_WATCH_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { WATCH_LINE = 4096 };

struct line_watch {
	regex_t regex;
	bool seen;			/* a line has matched */
	size_t len;
	char line[WATCH_LINE + 1];
};

int line_watch_init(struct line_watch *watch, const char *regex, struct error *err);
void line_watch_release(struct line_watch *watch);
/* An unfinished line is tried too: a prompt has no newline. */
void line_watch_feed(struct line_watch *watch, const char *data, size_t len);

#endif
