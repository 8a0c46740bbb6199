/*
 * A child's output, read as it comes.
 */
#ifndef PAWL_MEASURE_PROCESS_OUTPUT_H
#define PAWL_MEASURE_PROCESS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct strbuf;

/* The end of a stream of any length in bounded memory: what a report quotes of a failed program. */

enum { TAIL_KEPT = 64 << 10 };

struct tail {
	char *ring;		/* allocated at the first byte */
	size_t keep;		/* bytes that are kept; 0: TAIL_KEPT */
	size_t at;		/* where the next byte goes */
	uint64_t total;		/* bytes seen */
};

#define TAIL_INIT { 0 }

void tail_release(struct tail *tail);
void tail_feed(struct tail *tail, const char *data, size_t len);
/* Everything kept, oldest first; begins with a line that says how much came before, if any did. */
void tail_text(const struct tail *tail, struct strbuf *out);
/* The last LINES lines of it. */
void tail_lines(const struct tail *tail, unsigned lines, struct strbuf *out);

/*
 * Waiting for a line in a stream: a regular expression (base/regex.h; ^ and $ match at
 * lines) tried on every line as the bytes come, in bounded memory (of a longer line its first
 * WATCH_LINE bytes). For `ready: { log: REGEX }` and `load: { fail: REGEX }`.
 */

enum { WATCH_LINE = 4096 };

struct line_watch {
	struct regex *regex;
	const char *text;		/* of the expression; borrowed */
	struct error fault;		/* matching took too long: nothing more is looked at */
	bool seen;			/* a line has matched, and is in LINE; nothing more is looked at */
	size_t len;			/* of the line so far */
	char line[WATCH_LINE + 1];
};

/* An expression that regex_compile() does not take is an ERR_INPUT. */
int line_watch_init(struct line_watch *watch, const char *regex, struct error *err);
void line_watch_release(struct line_watch *watch);
/*
 * An unfinished line is tried too, since a prompt has no newline; where it will end is not known
 * then, so $ does not match there. A NUL byte counts as a space.
 */
void line_watch_feed(struct line_watch *watch, const char *data, size_t len);

#endif
