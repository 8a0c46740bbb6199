/*
 * Folded stacks, the exchange format of FlameGraph, inferno and speedscope: one stack a line, its frames
 * from the root joined by ';', a blank, its weight (whole, or with decimals).
 *
 * Writing: the thread's name is the first frame; a ';' or control character inside of a name becomes ':' or '?'. A
 * frame whose symbol nobody knows is called after its file, "[libfoo.so]", and a function of the kernel ends in
 * FOLDED_KERNEL, both as stackcollapse-perf.pl has it. Where there are samples of several events, "[event]" comes before the
 * thread, so that their sums stay apart. A '#' that would make a comment of a line becomes '?'.
 * The sum of the weights written is the sum of the sample periods: folded_write() checks it.
 *
 * Reading takes what other tools write too: several lines of one stack, decimals, no thread's name, CRLF, trailing
 * blanks, lines of comment wherever they stand ("# ..."), FOLDED_KERNEL, other annotations such as "_[j]", which are
 * kept as part of the name, and a second weight on every line, as difffolded.pl writes it, which is refused with the
 * advice to use --diff; unless the stacks without it repeat, so that it is part of a name. Everything counts for event FOLDED_EVENT and no thread. Folded text does not say how many
 * samples there were. Whole weights that add up to no more than FOLDED_SAMPLES_BELIEVED are counts of samples; larger
 * ones are periods of a clock, and their greatest common divisor is one sample's; where that makes too many still
 * (cycles, bytes), each line is at least one.
 */
#ifndef PAWL_PROFILE_FOLDED_H
#define PAWL_PROFILE_FOLDED_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "profile/stacks.h"

#define FOLDED_EVENT "folded"
/* Behind the name of a kernel's function, as stackcollapse-perf.pl writes it. */
#define FOLDED_KERNEL "_[k]"

enum {
	FOLDED_STACKS_LARGEST = 1000000,	/* different ones; real profiles have tens of thousands */
	FOLDED_FRAMES_MOST = 1 << 18,		/* of one stack */
	FOLDED_SAMPLES_BELIEVED = 4000000,
};

/* The order of the lines: by text, so that two of the same profile are the same; or that of the stacks. */
enum folded_order { FOLDED_BY_TEXT, FOLDED_AS_GIVEN };

/* STACKS are named by names_resolve(); ERR_SYSTEM when the sums differ. */
int folded_write(const struct stacks *stacks, enum folded_order order, struct strbuf *out, struct error *err);

/*
 * Adds to STACKS. ERR_INPUT with the line when TEXT is no folded text or has too many different stacks; nothing in it
 * at all is no error.
 */
int folded_read(const char *text, size_t len, struct stacks *stacks, struct error *err);

/* "main", "[libfoo.so]" for an unknown symbol, "[unknown]": what a frame is called in folded text and pictures; appended. */
void folded_frame_name(const struct stacks *stacks, uint32_t frame, struct strbuf *out);
/* What the thread of STACK is called, "[no name]" when it has none; appended. False where folded text named none. */
bool folded_thread_name(const struct stacks *stacks, const struct stack *stack, struct strbuf *out);

/* A comment, not a stack: "#sh;main" is of a thread. LINE has LEN bytes, at least one. */
bool folded_comment(const char *line, size_t len);

#endif
