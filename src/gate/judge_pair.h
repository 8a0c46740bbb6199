/* Judging one gate of a scenario that was measured in pairs; judge_pairs.h is what others call. */
#ifndef PAWL_GATE_JUDGE_PAIR_H
#define PAWL_GATE_JUDGE_PAIR_H

#include "gate/paired.h"
#include "model/result.h"

/* True for what pairs can tell of: relative to the base, and counted in every run. */
bool judge_pair_applies(const struct gate *gate);
/* What S's pairing holds GATE to. */
struct paired_terms judge_pair_terms(const struct scenario_result *s, const struct gate *gate);
/*
 * Whether the pairs so far leave GATE undecided. Then *LOOK_OUT is after how many to look again, 0: there is no look left, and
 * *MORE_OUT about how many more would decide it, INFINITY: this machine cannot tell; 0 before the first pair. What no pair
 * has measured is not undecided, since more pairs would not tell.
 */
bool judge_pair_undecided(const struct scenario_result *s, const struct gate *gate, unsigned *look_out, double *more_out);
/*
 * J becomes GATE's: in pairs where that applies, simulated values and limits by the medians of both sides. False when the
 * sides gave nothing to judge by; J says why.
 */
bool judge_pair(const struct gate *gate, struct judgement *j, const struct scenario_result *s, const struct machine *machine);

#endif
