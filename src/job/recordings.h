/* Recordings of a target beside the counted runs: samples, waits, and the other kinds of profiles. */
#ifndef PAWL_JOB_RECORDINGS_H
#define PAWL_JOB_RECORDINGS_H

#include <stdint.h>

#include "measure/run/system.h"

struct error;
struct loop;
struct measured_side;
struct offcpu_times;
struct own_code;
struct side_result;
struct stacks;

/*
 * Records SYSTEM's target as WISH describes (its sink is ignored) into OUT, which must be empty. Stacks are complete
 * and symbolised. Unwinding by debug information may rarely reach the start of the program, or take too much of
 * WISH's limit. Frame pointers are then followed too, and the better result is kept. ERR_SYSTEM with a remedy if no
 * sample came.
 */
int sampled_take(struct system *system, struct record_wish wish, struct stacks *out, struct error *err);

struct waits_wish {
	const struct side_result *counted;
	const struct own_code *own;	/* or NULL */
	unsigned executions;		/* or windows; 0: enough to tell */
	uint64_t limit_ns;		/* 0: no limit */
};

/*
 * Records the waits of SYSTEM's target into OUT, which must be empty. Stacks are symbolised, see offcpu_new().
 * ERR_SYSTEM with a remedy if that fails.
 */
int sampled_waits(struct system *system, const struct waits_wish *wanted, struct stacks *out, struct offcpu_times *times_out,
		  struct error *err);

/*
 * Callback of struct kinds_wish; SIDE is a struct measured_side. Takes the profiles of other kinds that its scenario
 * names, once. Each leaves a note, and its folded stacks and picture next to those of CPU time.
 */
int sampled_kinds(void *side, struct system *system, struct side_result *result, struct error *err);

struct flame_options;

/* Writes symbolised STACKS as NAME.folded and NAME.svg to the side's folder. */
int sampled_leave(const struct measured_side *side, const struct stacks *stacks, const char *name, const struct flame_options *look,
		  struct error *err);

/* Draws the stacks that heaptrack left in SIDE's folder, if any. */
void sampled_heap(const struct measured_side *side);

/* Callback of system.waits; SIDE is a struct measured_side. Makes one recording. */
int waits_record(void *side, struct system *system, struct side_result *result, struct error *err);
/*
 * Records N sides in turn, several times, within the scenario's profile.duration, and at most once per counted run. After
 * the first, none begins at UNTIL_NS or later.
 * Returns -1 if interrupted.
 */
int waits_take(struct loop *loop, struct measured_side *sides, unsigned n, uint64_t until_ns, struct error *err);
/* Writes what was recorded as offcpu.folded, offcpu.svg and notes. Does nothing without a recording. */
void waits_end(struct measured_side *side);

#endif
