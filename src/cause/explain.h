/*
 * The ways to explain a regression, which cause.c tries one after the other. Each adds causes; those that may find none
 * return false then.
 */
#ifndef PAWL_CAUSE_EXPLAIN_H
#define PAWL_CAUSE_EXPLAIN_H

#include <stdbool.h>

#include "cause/blame.h"
#include "cause/waiting.h"

/* Least part of the change for any cause. */
#define CAUSE_LEAST 0.08

/* costs.c: by the functions that cost more. */
void explain_costs(struct search *s, const struct question *question);
/* memory.c: by the function that allocates, holds or touches more, if a metric of memory regressed and no other. */
bool explain_memory(struct search *s);
/* unowned.c: by foreign code that no own function accounts for. */
void explain_unowned(struct search *s);
/* unowned.c: by the system call that an own function makes more often. */
bool explain_calls(struct search *s);
/* waiting.c: by the function that waits longer. */
void explain_waiting(struct search *s, const struct wall_change *wall);
/*
 * Turns WALL into a wait for locks, if a changed function takes locks more often and threads wait longer for them.
 * Other waits, such as those for files, vary between executions.
 */
void wall_change_prefer_lock(const struct search *s, struct wall_change *wall);

#endif
