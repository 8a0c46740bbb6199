/*
 * Stacks with their weights: every distinct stack once a run, every string once, so memory is bounded by what
 * is distinct, not by the samples. Filled by script.c (perf script text) or folded.c, then named by names.c,
 * then read: shares, flame graphs, pruned profiles, folded text.
 *
 *	struct stacks stacks = STACKS_INIT;
 *	event = stacks_event(&stacks, "cpu-clock", 9);
 *	frame = stacks_frame(&stacks, stacks_string(&stacks, "main", 4), stacks_string(&stacks, "/bin/a", 6));
 *	stacks_add(&stacks, event, comm, frames, n, 1, period);
 *	stacks_release(&stacks);
 *
 * Strings are numbers that hold within one struct stacks; 0 is the empty string. Weight is the sum of the
 * sample periods, kept as a double: exact up to 2^53, which is 104 days of cpu-clock.
 */
#ifndef PAWL_PROFILE_STACKS_H
#define PAWL_PROFILE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* A place in the code. Two frames are the same when name and dso are. What is not perf's own is set by names_resolve(). */
struct frame {
	uint32_t name;		/* the symbol as perf wrote it: mangled; "[unknown]" */
	uint32_t dso;		/* the whole path as perf wrote it: "/usr/lib/libc.so.6", "[kernel.kallsyms]" */
	uint32_t shown, key;	/* for people, and to compare by; 0 before */
	uint32_t file;		/* for both: "libc.so.6", "[kernel]"; 0 unknown */
	bool kernel;
	uint8_t halves;		/* where its instructions were, as far as the text has addresses: STACKS_UPPER_HALF | STACKS_LOWER_HALF */
};

/* The halves of a 64-bit address space, of which Linux keeps the upper for itself. */
enum { STACKS_LOWER_HALF = 1, STACKS_UPPER_HALF = 2 };

struct stack {
	uint16_t event;		/* of stacks.events */
	uint16_t run;		/* of several profiled runs, from 0 */
	uint32_t comm;		/* string: the name of the thread */
	uint32_t first, n;	/* frame numbers in stacks.pool, the root first; n may be 0 */
	uint64_t samples;
	double weight;
};

/* The event of stacks of waiting, whose weights are ns. */
#define STACKS_WAITING "waiting"

struct event_total {
	uint32_t name;		/* string: "cpu-clock", "cpu_core/cycles/" */
	uint64_t samples;
	double weight;
};

/* Open addressing on numbers; what they stand for is compared by its owner. */
struct intern {
	uint32_t *slots;	/* number + 1, 0: free */
	uint32_t *hashes;
	size_t n, size;
};

/* Numbers from 0 for pairs of numbers, in the order in which they come; { 0 } is empty. */
struct pair_index {
	struct pair {
		uint32_t a, b;
	} *items;
	size_t n, cap;
	struct intern by_pair;
};

/* Of any bytes; quick, and the same within one run of pawl. */
uint32_t stacks_hash(const void *data, size_t len, uint64_t seed);
uint32_t pair_index_of(struct pair_index *index, uint32_t a, uint32_t b);
void pair_index_release(struct pair_index *index);

struct stacks {
	char *text;		/* all strings, each terminated */
	size_t text_len, text_cap;
	uint32_t *strings;	/* where each begins in `text` */
	size_t n_strings, cap_strings;
	struct frame *frames;
	size_t n_frames, cap_frames;
	uint32_t *pool;		/* frames of all stacks, one after the other */
	size_t n_pool, cap_pool;
	struct stack *items;
	size_t n, cap;
	struct event_total *events;
	size_t n_events, cap_events;
	uint64_t lost;		/* samples that perf says it lost */
	uint64_t messages;	/* lines in the text that were no sample but a message of perf */
	uint32_t message;	/* string: the first of them */
	bool cut;		/* the text may have been cut off behind a frame */
	uint16_t run;		/* what stacks_add() adds is of this run; there are none after it */
	struct intern by_string, by_stack;
	struct pair_index by_frame;		/* name and dso */
};

#define STACKS_INIT { 0 }

/* What stacks_bytes() may come to before a reader refuses what it reads. */
enum { STACKS_LARGEST = 512 << 20 };

void stacks_release(struct stacks *stacks);
size_t stacks_bytes(const struct stacks *stacks);	/* the memory it holds */

uint32_t stacks_string(struct stacks *stacks, const char *text, size_t len);	/* TEXT without NUL bytes */
const char *stacks_text(const struct stacks *stacks, uint32_t string);	/* until the next string is added */
uint32_t stacks_frame(struct stacks *stacks, uint32_t name, uint32_t dso);
/* The same by their texts, NAME of LEN bytes. */
uint32_t stacks_frame_of(struct stacks *stacks, const char *name, size_t len, const char *dso);
#define STACKS_KERNEL "[kernel.kallsyms]"
uint32_t stacks_event(struct stacks *stacks, const char *name, size_t len);
/* FRAMES are frame numbers, the root first. The event's totals grow too. */
void stacks_add(struct stacks *stacks, uint32_t event, uint32_t comm, const uint32_t *frames, size_t n, uint64_t samples,
		double weight);
/*
 * What FROM has of EVENT, or of STACKS_EVERY_EVENT, but for threads called WITHOUT (NULL: none), becomes part of TO's run; names
 * stay resolved, events keep their names.
 */
#define STACKS_EVERY_EVENT UINT32_MAX
void stacks_merge(struct stacks *to, const struct stacks *from, uint32_t event, const char *without);

/*
 * The number of the event called NAME ("cycles" is "cycles:u" too, as perf calls it where only user space may be counted), or of
 * the one with the most samples when NAME is NULL. ERR_INPUT, with the names that there are, when there is none of that
 * name; STACKS have an event.
 */
int stacks_find_event(const struct stacks *stacks, const char *name, uint32_t *event_out, struct error *err);

/* The sums over all stacks of EVENT, which must equal its totals: nothing was lost. */
bool stacks_complete(const struct stacks *stacks, uint32_t event);
/* ERR_INPUT when the weights of an event add up to 2^53 or more, so that what is small among them would be lost. */
int stacks_exact(const struct stacks *stacks, struct error *err);
/* Whether LINE is a message of perf or a helper of it on standard error, which often ends up in the text of a profile. */
bool stacks_message(const char *line, size_t len);
/* What a frame is called for people: shown when it was resolved, else name. */
const char *stacks_frame_shown(const struct stacks *stacks, uint32_t frame);

#endif
