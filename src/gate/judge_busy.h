/*
 * On a machine that had other things to do, what depends on its clock became worse whatever the program
 * did: who had to wait for a CPU took longer. Such a regression is no proof. In pairs it is one: both sides waited, in
 * an order that was tossed.
 */
#ifndef PAWL_GATE_JUDGE_BUSY_H
#define PAWL_GATE_JUDGE_BUSY_H

#include "model/result.h"

/*
 * When RESULT's machine was busy, its regressions of metrics that waiting alone makes worse become
 * inconclusive, with the reason. Absolute limits hold all the same. Call after every scenario was judged.
 */
void judge_busy(struct result *result);

#endif
