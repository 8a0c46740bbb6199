/*
 * The end of a stream of any length in bounded memory: what a report quotes of a failed program.
 * Feed it bytes as they come; tail_text() gives the last of them.
 */
#ifndef PAWL_MEASURE_TAIL_H
#define PAWL_MEASURE_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

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

#endif
