/*
 * Stacks with weights. Each distinct stack is kept once per run and each string once, so memory depends on distinct
 * content, not on samples. script.c (perf script text) or folded.c fills them and names.c adds names. Their readers
 * are shares, flame graphs, pruned profiles and folded text.
 *
 *	struct stacks stacks = STACKS_INIT;
 *	event = stacks_event(&stacks, "cpu-clock", 9);
 *	frame = stacks_frame(&stacks, stacks_string(&stacks, "main", 4), stacks_string(&stacks, "/bin/a", 6));
 *	stacks_add(&stacks, (struct stack_sample){ event, comm, frames, n, 1, period });
 *	stacks_release(&stacks);
 *
 * Strings are numbers, valid within one struct stacks; 0 is the empty string. A weight is the sum of the sample
 * periods as a double: exact up to 2^53, which is 104 days of cpu-clock.
 */
#ifndef PAWL_PROFILE_STACKS_H
#define PAWL_PROFILE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

/* A code location, identified by name and dso. names_resolve() sets the fields that are not perf's. */
struct frame {
	uint32_t name;		/* the symbol as perf wrote it, mangled; "[unknown]" */
	uint32_t dso;		/* the full path as perf wrote it: "/usr/lib/libc.so.6", "[kernel.kallsyms]" */
	uint32_t shown, key;	/* name for people, name for comparison; 0 before names_resolve() */
	uint32_t file;		/* for people and for comparison: "libc.so.6", "[kernel]"; 0: unknown */
	bool kernel;
	uint8_t halves;		/* half of the address space, if known: STACKS_UPPER_HALF | STACKS_LOWER_HALF */
};

/* The halves of a 64-bit address space; Linux reserves the upper one for the kernel. */
enum { STACKS_LOWER_HALF = 1, STACKS_UPPER_HALF = 2 };

struct stack {
	uint16_t event;		/* of stacks.events */
	uint16_t run;		/* index of the profiled run, from 0 */
	uint32_t comm;		/* string: the name of the thread */
	uint32_t first, n;	/* frame numbers in stacks.pool, the root first; n may be 0 */
	uint64_t samples;
	double weight;
};

/* The event of stacks of waiting, whose weights are in ns. */
#define STACKS_WAITING "waiting"
/* The event of stacks of memory, whose weights are in bytes. */
#define STACKS_MEMORY "bytes"

struct event_total {
	uint32_t name;		/* string: "cpu-clock", "cpu_core/cycles/" */
	uint64_t samples;
	double weight;
};

/* A hash table of numbers with open addressing; its owner compares the items they stand for. */
struct intern {
	uint32_t *slots;	/* number + 1, 0: free */
	uint32_t *hashes;
	size_t n, size;
};

/* Assigns numbers from 0 to pairs of numbers, in order of arrival; { 0 } is empty. */
struct pair_index {
	struct pair {
		uint32_t a, b;
	} *items;
	size_t n, cap;
	struct intern by_pair;
};

/* A fast hash of any bytes, stable within one run of pawl. */
uint32_t stacks_hash(const void *data, size_t len, uint64_t seed);
uint32_t pair_index_of(struct pair_index *index, uint32_t a, uint32_t b);
void pair_index_release(struct pair_index *index);

struct stacks {
	char *text;		/* all strings, each terminated */
	size_t text_len, text_cap;
	uint32_t *strings;	/* start of each in `text` */
	size_t n_strings, cap_strings;
	struct frame *frames;
	size_t n_frames, cap_frames;
	uint32_t *pool;		/* frames of all stacks, concatenated */
	size_t n_pool, cap_pool;
	struct stack *items;
	size_t n, cap;
	struct event_total *events;
	size_t n_events, cap_events;
	uint64_t lost;		/* samples that perf reports as lost */
	uint64_t messages;	/* lines that are messages of perf */
	uint32_t message;	/* string: the first of them */
	bool cut;		/* the text may be truncated after a frame */
	uint16_t run;		/* run of the stacks that stacks_add() adds; the highest one */
	struct intern by_string, by_stack;
	struct pair_index by_frame;		/* name and dso */
};

#define STACKS_INIT { 0 }

/* Limit of stacks_bytes(); beyond it readers refuse their input. */
enum { STACKS_LARGEST = 512 << 20 };

void stacks_release(struct stacks *stacks);
size_t stacks_bytes(const struct stacks *stacks);	/* the memory it holds */

uint32_t stacks_string(struct stacks *stacks, const char *text, size_t len);	/* TEXT must not hold NUL bytes */
const char *stacks_text(const struct stacks *stacks, uint32_t string);	/* valid until the next string is added */
uint32_t stacks_frame(struct stacks *stacks, uint32_t name, uint32_t dso);
/* The same from texts, NAME having LEN bytes. */
uint32_t stacks_frame_of(struct stacks *stacks, const char *name, size_t len, const char *dso);
#define STACKS_KERNEL "[kernel.kallsyms]"
uint32_t stacks_event(struct stacks *stacks, const char *name, size_t len);

struct stack_sample {
	uint32_t event, comm;
	const uint32_t *frames;	/* frame numbers, the root first */
	size_t n;
	uint64_t samples;
	double weight;
};

/* Also adds to the event's totals. */
void stacks_add(struct stacks *stacks, struct stack_sample sample);
/*
 * Adds FROM's stacks of EVENT or STACKS_EVERY_EVENT to TO's current run, except those of threads called WITHOUT
 * (NULL: no exception). Names stay resolved, and events keep their names.
 */
#define STACKS_EVERY_EVENT UINT32_MAX
void stacks_merge(struct stacks *to, const struct stacks *from, uint32_t event, const char *without);

/*
 * Finds the event called NAME; "cycles" also matches "cycles:u", perf's name if only user space may be counted. If
 * NAME is NULL, finds the event with the most samples. ERR_INPUT, with the known names, if no event matches. STACKS
 * must have an event.
 */
int stacks_find_event(const struct stacks *stacks, const char *name, uint32_t *event_out, struct error *err);

/* The unit of an event's weights. */
enum stacks_unit { STACKS_COUNT, STACKS_NS, STACKS_BYTES };
enum stacks_unit stacks_unit(const struct stacks *stacks, uint32_t event);

/* True if the sums over all stacks of EVENT equal its totals, so that nothing was lost. */
bool stacks_complete(const struct stacks *stacks, uint32_t event);
/* ERR_INPUT if the weights of an event reach 2^53, because small weights would then be lost. */
int stacks_exact(const struct stacks *stacks, struct error *err);
/* True if LINE is a message of perf or its helpers on standard error, which often gets mixed into a profile's text. */
bool stacks_message(const char *line, size_t len);
/* Returns a frame's name for people: `shown` if resolved, otherwise `name`. */
const char *stacks_frame_shown(const struct stacks *stacks, uint32_t frame);

#endif
