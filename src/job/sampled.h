#ifndef PAWL_JOB_SAMPLED_H
#define PAWL_JOB_SAMPLED_H

#include <stdint.h>

#include "measure/run/system.h"

struct error;
struct measured_side;
struct offcpu_times;
struct own_code;
struct side_result;
struct stacks;

/*
 * Records what WISH says of SYSTEM's target, but for its sink, into an empty OUT: whole call paths, named. Where debug information
 * unwinds few of them to the start of the program, or takes too much of WISH's limit, frame pointers are followed too, and what says
 * more is kept. ERR_SYSTEM, with what would help, where no sample came.
 */
int sampled_take(struct system *system, struct record_wish wish, struct stacks *out, struct error *err);

/*
 * The waits of SYSTEM's target in so many EXECUTIONS, or windows (0: as many as tell), to an empty OUT, named, see offcpu_new(). OWN
 * may be NULL. All of it is over after LIMIT_NS (0: none). ERR_SYSTEM, with what would help, where they cannot be had.
 */
int sampled_waits(struct system *system, const struct side_result *counted, const struct own_code *own, unsigned executions,
		  uint64_t limit_ns, struct stacks *out, struct offcpu_times *times_out, struct error *err);

/*
 * For struct kinds_wish, of a struct measured_side: takes the profiles of the kinds that its scenario names, once; each leaves its
 * folded stacks and its picture beside those of the CPU's time, and a note.
 */
int sampled_kinds(void *side, struct system *system, struct side_result *result, struct error *err);

struct flame_options;

/* STACKS, named, as NAME.folded and NAME.svg in the side's folder. */
int sampled_leave(const struct measured_side *side, const struct stacks *stacks, const char *name, const struct flame_options *look,
		  struct error *err);

/* The pictures of what heaptrack left in SIDE's folder, where it did. */
void sampled_heap(const struct measured_side *side);

#endif
