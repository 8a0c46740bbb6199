#ifndef PAWL_JOB_WAITS_H
#define PAWL_JOB_WAITS_H

#include <stdint.h>

struct error;
struct loop;
struct measured_side;
struct side_result;
struct stacks;
struct system;

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
