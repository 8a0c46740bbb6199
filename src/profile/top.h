/*
 * The hottest symbols as tables, by self and by inclusive share: both shares, samples, the interval of the self share
 * that the samples leave (Wilson, 95 %), file and symbol; then shares by file and, when asked, by thread. Warnings come
 * first. Text for a terminal, or Markdown for top.md.
 */
#ifndef PAWL_PROFILE_TOP_H
#define PAWL_PROFILE_TOP_H

#include "base/text.h"
#include "model/profile.h"

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
