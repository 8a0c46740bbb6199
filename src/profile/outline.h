/*
 * A profile's outline: folded text short enough to be kept in a repository, beside the baseline whose profile it is. Frames
 * whose inclusive weight is under LEAST_PCT of the whole are left out; what they weigh stands below their caller as
 * OUTLINE_REST. So the sum stays what it was, and so does the inclusive weight of every frame that is kept.
 */
#ifndef PAWL_PROFILE_OUTLINE_H
#define PAWL_PROFILE_OUTLINE_H

#include "base/strbuf.h"
#include "profile/stacks.h"

#define OUTLINE_REST "[small]"
/* Half of the smallest change that a symbol gate judges, in percent. */
#define OUTLINE_LEAST_PCT 0.5

/* STACKS are named by names_resolve(). Sorted by name; appended. */
void outline_write(const struct stacks *stacks, double least_pct, struct strbuf *out);

#endif
