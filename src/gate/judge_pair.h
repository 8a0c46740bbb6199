/* Judging one gate of a scenario that was measured in pairs; judge_pairs.h is what others call. */
#ifndef PAWL_GATE_JUDGE_PAIR_H
#define PAWL_GATE_JUDGE_PAIR_H

#include "gate/paired.h"
#include "model/result.h"

/* True for what pairs can tell of: relative to the base, and counted in every run. */
bool judge_pair_applies(const struct gate *gate);
/* What S's pairing holds G to. */
struct paired_terms judge_pair_terms(const struct scenario_result *s, const struct gate *gate);
/*
 * Whether the pairs so far leave G undecided. Then *LOOK_OUT is after how many to look again, 0: there is no look left, and
 * *MORE_OUT about how many more would decide it, INFINITY: this machine cannot tell; 0 before the first pair. What no pair
 * has measured is not undecided, since more pairs would not tell.
 */
bool judge_pair_undecided(const struct scenario_result *s, const struct gate_result *g, unsigned *look_out, double *more_out);
/*
 * Forget what G said, and judge it: in pairs where that applies, simulated values and limits by the medians of both
 * sides. False when the sides gave nothing to judge by; G says why.
 */
bool judge_pair(struct gate_result *g, const struct scenario_result *s, const struct machine *machine);

#endif
