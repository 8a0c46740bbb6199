/*
 * Stacks to shares: how much of a profile each symbol, file and thread is. A symbol counts once a sample in its
 * inclusive numbers, however often it recurs on the stack.
 */
#ifndef PAWL_PROFILE_SHARES_H
#define PAWL_PROFILE_SHARES_H

#include "model/profile.h"
#include "profile/stacks.h"

enum { SHARES_SYMBOLS_MOST = 1000 };	/* listed; what is lighter counts in rest_samples */

/*
 * STACKS are of all profiled runs, at most PROFILE_RUNS_MAX, and named by names_resolve(); only the samples of EVENT (its
 * name; NULL: the heaviest) count, since weights of two events have no sum. Fills OUT, which is empty but for what is the
 * caller's: frequency, call graph, overhead and warnings. Without EVENT and without samples OUT stays no profile; with
 * EVENT it is one of no samples.
 */
void shares_build(const struct stacks *stacks, const char *event, struct profile *out);

/*
 * What makes a profile say less than it seems to, each with its remedy, appended to profile->warnings: few samples, lost
 * ones, missing frame pointers (chains of one or two frames nearly everywhere), stripped files, mostly unknown frames, a
 * kernel that was not sampled or hides its symbols. PROFILE was built of STACKS, and has its frequency and call graph.
 */
void shares_warn(const struct stacks *stacks, struct profile *profile);
/* What gives code of FILE its symbols back, FILE as frames have it: "build it with -g and ..." */
const char *shares_symbols_remedy(const char *file);

#endif
