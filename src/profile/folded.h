/*
 * Folded stacks, the exchange format of FlameGraph, inferno and speedscope. Each line is one stack: its frames from
 * the root joined by ';', a blank, and its weight (an integer or decimal).
 *
 * Writing: the thread's name is the first frame. A ';' or control character in a name becomes ':' or '?'. A frame
 * with an unknown symbol is named after its file, "[libfoo.so]", and a kernel function ends in FOLDED_KERNEL, both as
 * in stackcollapse-perf.pl. With samples of several events, "[event]" precedes the thread, so that their sums stay
 * separate. A '#' that would turn a line into a comment becomes '?'. The weights written add up to the sample
 * periods; folded_write() checks this.
 *
 * Reading accepts output of other tools: repeated stacks, decimals, lines without a thread, CRLF, trailing blanks,
 * comment lines anywhere ("# ..."), and FOLDED_KERNEL. Other annotations such as "_[j]" stay part of the name. A
 * second weight on every line, as difffolded.pl writes it, is refused with the advice to use --diff. Exception: if
 * the stacks without it repeat, it is part of a name. All samples belong to event FOLDED_EVENT and no thread.
 *
 * Folded text has no sample counts. Integer weights that add up to at most FOLDED_SAMPLES_BELIEVED are sample counts.
 * Larger ones are clock periods, and their greatest common divisor is one sample. If that still gives too many
 * samples (cycles, bytes), each line counts as at least one.
 */
#ifndef PAWL_PROFILE_FOLDED_H
#define PAWL_PROFILE_FOLDED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "profile/stacks.h"

#define FOLDED_EVENT "folded"
/* Suffix of kernel functions, as stackcollapse-perf.pl writes it. */
#define FOLDED_KERNEL "_[k]"

enum {
	FOLDED_STACKS_LARGEST = 1000000,	/* distinct stacks; real profiles have tens of thousands */
	FOLDED_FRAMES_MOST = 1 << 18,		/* of one stack */
	FOLDED_SAMPLES_BELIEVED = 4000000,
};

/* The order of lines: by text, so that equal profiles give equal text; or that of the stacks. */
enum folded_order { FOLDED_BY_TEXT, FOLDED_AS_GIVEN };

/* STACKS have names from names_resolve(). ERR_SYSTEM if the sums differ. */
int folded_write(const struct stacks *stacks, enum folded_order order, struct strbuf *out, struct error *err);

/*
 * Adds to STACKS. ERR_INPUT with the line if TEXT is not folded text or has too many distinct stacks. Empty text is
 * valid.
 */
int folded_read(const char *text, size_t len, struct stacks *stacks, struct error *err);

/* Appends a frame's name for folded text and pictures: "main", "[libfoo.so]" for an unknown symbol, "[unknown]". */
void folded_frame_name(const struct stacks *stacks, uint32_t frame, struct strbuf *out);
/* Appends the name of STACK's thread, "[no name]" if it is empty. False if folded text named no thread. */
bool folded_thread_name(const struct stacks *stacks, const struct stack *stack, struct strbuf *out);

/* True for a comment; "#sh;main" is the stack of a thread. LINE has LEN bytes, at least one. */
bool folded_comment(const char *line, size_t len);

#endif
