/*
 * Shares of a profile by symbol, file and thread. In inclusive numbers a symbol counts once per sample, even if it
 * recurs on the stack.
 */
#ifndef PAWL_PROFILE_SHARES_H
#define PAWL_PROFILE_SHARES_H

#include "base/text.h"
#include "model/profile.h"
#include "profile/stacks.h"

/*
 * STACKS hold all profiled runs, at most PROFILE_RUNS_MAX, with names from names_resolve(). Only samples of EVENT (a
 * name; NULL: the heaviest) count, because weights of different events cannot be added. Fills OUT, which must be
 * empty except for the caller's frequency, call graph, overhead and warnings. Without samples OUT stays no profile if
 * EVENT is NULL; otherwise it becomes a profile without samples.
 */
void shares_build(const struct stacks *stacks, const char *event, struct profile *out);

/*
 * Appends a warning with its remedy to profile->warnings for each weakness of the profile: few samples, lost samples,
 * missing frame pointers (nearly all chains have one or two frames), stripped files, mostly unknown frames, a kernel
 * not sampled or without symbols. PROFILE was built from STACKS, and has its frequency and call graph.
 */
void shares_warn(const struct stacks *stacks, struct profile *profile);
/* Returns how to get symbols for FILE, named as in frames: "build it with -g and ..." */
const char *shares_symbols_remedy(const char *file);

/* -------- top.c */

/*
 * The hottest symbols as tables, by self and by inclusive share. Each row has both shares, samples, the 95 % Wilson
 * interval of the self share, file and symbol. A table of shares by file follows. Warnings come first. The output is
 * text for a terminal, or Markdown for top.md, which has shares by thread, too.
 */

struct top_options {
	size_t symbols;		/* number of symbols; 0: 30 */
	bool markdown;
	bool absolute;		/* for a difference: weights, not shares */
};

void top_render(const struct profile *profile, const struct top_options *options, struct strbuf *out);
/*
 * Changes of symbols' self share or weight, the largest first, each with FLAME_NOISE_ERRORS standard errors. Text
 * only.
 */
void top_render_difference(const struct profile *head, const struct profile *base, const struct top_options *options, struct strbuf *out);

#endif
