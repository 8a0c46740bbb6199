/* A child's output, read as it arrives. */
#ifndef PAWL_MEASURE_PROCESS_OUTPUT_H
#define PAWL_MEASURE_PROCESS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* The end of a stream of any length, in bounded memory. Reports quote it for a failed program. */

enum { TAIL_KEPT = 64 << 10 };

struct tail {
	struct strbuf text;	/* ends in what is kept; all zeros before the first byte */
	size_t keep;		/* bytes kept; 0: TAIL_KEPT */
	uint64_t total;		/* bytes seen */
};

#define TAIL_INIT { 0 }

void tail_release(struct tail *tail);
void tail_feed(struct tail *tail, const char *data, size_t len);
/* Appends everything kept, oldest first. If bytes were discarded, the first line says how many. */
void tail_text(const struct tail *tail, struct strbuf *out);
/* Appends the last LINES lines of the kept text. */
void tail_lines(const struct tail *tail, unsigned lines, struct strbuf *out);

/*
 * The lines of a stream as hashes, in bounded memory, to compare runs. The texts of PLACES count as equal, since a side
 * may print its own folder.
 */

enum { LINES_KEPT = 1 << 16, LINE_PLACED = 16 << 10, LINES_BYTES = 64 << 20 };

struct lines {
	const char *const *places;	/* ends in NULL; borrowed */
	uint64_t *hashes;
	size_t n, cap;
	uint64_t rest, bytes;
	uint64_t hash;			/* of the line so far, of which PART is not yet hashed */
	bool begun;
	struct strbuf part;
};

#define LINES_INIT(places_) { .places = (places_), .part = STRBUF_INIT }

void lines_feed(struct lines *lines, const char *data, size_t len);
/* Ends the last line. */
void lines_end(struct lines *lines);
void lines_release(struct lines *lines);

/* Results of lines_compare(). */
enum { LINES_SAME = 0, LINES_LATER = -1 };
/*
 * Returns the number of the first line, from 1, in which two runs of the base differ from two of the head, but not runs of
 * one side; LINES_LATER: beyond LINES_KEPT; LINES_SAME: none.
 */
long lines_compare(const struct lines base[2], const struct lines head[2]);

/* Waits for a line that a regular expression matches, by its first WATCH_LINE bytes: `ready: { log: REGEX }`, `load.fail`. */

enum { WATCH_LINE = 4096 };

struct line_watch {
	struct regex *regex;
	const char *text;		/* the expression; borrowed */
	struct error fault;		/* set if matching took too long; stops the watch */
	bool seen;			/* a line matched and is in LINE; stops the watch */
	size_t len;			/* length of the line so far */
	char line[WATCH_LINE + 1];
};

/* ERR_INPUT if regex_compile() rejects the expression. */
int line_watch_init(struct line_watch *watch, const char *regex, struct error *err);
void line_watch_release(struct line_watch *watch);
/* An unfinished line is tried too, because a prompt has no newline. A NUL byte counts as a space. */
void line_watch_feed(struct line_watch *watch, const char *data, size_t len);

#endif
