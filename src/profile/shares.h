/*
 * Stacks to shares: how much of a profile each symbol, file and thread is. A symbol counts once a sample in its
 * inclusive numbers, however often it recurs on the stack.
 */
#ifndef PAWL_PROFILE_SHARES_H
#define PAWL_PROFILE_SHARES_H

#include "base/text.h"
#include "model/profile.h"
#include "profile/stacks.h"

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

/* -------- top.c */

/*
 * The hottest symbols as tables, by self and by inclusive share: both shares, samples, the interval of the self share
 * that the samples leave (Wilson, 95 %), file and symbol; then shares by file and, when asked, by thread. Warnings come
 * first. Text for a terminal, or Markdown for top.md.
 */

struct top_options {
	size_t symbols;		/* how many; 0: 30 */
	bool threads;		/* shares by thread too */
	bool markdown;
	bool absolute;		/* of a difference: weights, not parts of the whole */
};

void top_render(const struct profile *profile, const struct top_options *options, struct strbuf *out);
/* What changed in symbols' own share or weight, the largest change first, each with FLAME_NOISE_ERRORS standard errors. Text only. */
void top_render_difference(const struct profile *head, const struct profile *base, const struct top_options *options, struct strbuf *out);

#endif
