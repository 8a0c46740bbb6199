#ifndef PAWL_JOB_WAITS_H
#define PAWL_JOB_WAITS_H

struct error;
struct loop;
struct measured_side;
struct side_result;
struct stacks;
struct system;

/* For system.waits, of a struct measured_side: one recording. */
int waits_record(void *side, struct system *system, struct side_result *result, struct error *err);
/*
 * Records each of N sides in turn, some times, within the scenario's profile.duration. There are never more than counted runs.
 * -1: interrupted.
 */
int waits_take(struct loop *loop, struct measured_side *sides, unsigned n, struct error *err);
/* What was recorded becomes offcpu.folded, offcpu.svg and notes. Nothing happens when nothing was. */
void waits_end(struct measured_side *side);

#endif
