/*
 * Wall time in pairs where nobody gated it: it is too noisy to fail a build by, but a program that waits much longer is not to
 * be called faster in silence.
 */
#ifndef PAWL_GATE_PAIR_WALL_H
#define PAWL_GATE_PAIR_WALL_H

#include "base/strbuf.h"
#include "model/result.h"

/*
 * "wall-time is 25.6 times as long although CPU time fell: ...", where it is surely longer, by more than a fifth, for
 * which its CPU time does not account, while no gate of S regressed. False, writing nothing, where that is not so,
 * wall time is gated, or windows have a length of their own.
 */
bool pair_wall_words(const struct scenario_result *s, struct strbuf *out);

#endif
