/*
 * Waiting for a line in a stream: a regular expression (POSIX extended, regex(7); ^ and $ match at
 * lines) tried on every line as the bytes come, in bounded memory (of a longer line its first
 * WATCH_LINE bytes). For `ready: { log: REGEX }` and `load: { fail: REGEX }`.
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
	bool seen;			/* a line has matched, and is in LINE; nothing more is looked at */
	size_t len;			/* of the line so far */
	char line[WATCH_LINE + 1];
};

/* An expression that regex_compile() does not take is an ERR_INPUT. */
int line_watch_init(struct line_watch *watch, const char *regex, struct error *err);
/* Only what line_watch_init() made. */
void line_watch_release(struct line_watch *watch);
/*
 * An unfinished line is tried too, since a prompt has no newline; where it will end is not known
 * then, so $ does not match there. A NUL byte counts as a space.
 */
void line_watch_feed(struct line_watch *watch, const char *data, size_t len);

#endif
