#ifndef PAWL_JOB_WAITS_H
#define PAWL_JOB_WAITS_H

struct error;
struct loop;
struct measured_side;
struct side_result;
struct stacks;
struct system;

/* For system.waits, of a struct measured_side: one recording, whose values are those of the run of its number. */
int waits_record(void *side, struct system *system, struct side_result *result, struct error *err);
/*
 * Records each of N sides until there are WANTED recordings; 0: some, within the scenario's profile.duration. There are never more than
 * counted runs. May be called again with more. -1: interrupted.
 */
int waits_take(struct loop *loop, struct measured_side *sides, unsigned n, unsigned wanted, struct error *err);
/* What was recorded becomes offcpu.folded, offcpu.svg and notes. Nothing happens when nothing was. */
void waits_end(struct measured_side *side);
/* What stacks with a function that GLOB matches have of the weight of all STACKS, named: 0 to 1. */
double waits_share(const struct stacks *stacks, const char *glob);

#endif
