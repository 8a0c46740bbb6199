/*
 * The ways to explain a regression, which cause.c tries one after the other. Each adds causes; those that may find none
 * return false then.
 */
#ifndef PAWL_CAUSE_EXPLAIN_H
#define PAWL_CAUSE_EXPLAIN_H

#include <stdbool.h>

#include "cause/blame.h"

/* Least part of the change for any cause. */
#define CAUSE_LEAST 0.08

/* By the functions that cost more, and by foreign code that no own function accounts for. */
void explain_costs(struct search *s, const struct question *question);
/* By the function that allocates, holds or touches more, if a metric of memory regressed and no other. */
bool explain_memory(struct search *s);
/* By the system call that an own function makes more often. */
bool explain_calls(struct search *s);

#endif
