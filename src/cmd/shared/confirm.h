/*
 * Confirming: the times that stored runs flagged are measured again, in pairs, against the base built on this machine.
 *
 * The base is --base, --base-ref, the commit that baselines are read from (--baseline-ref), or else the commit that the
 * scenario's baseline was measured at: the first of these that is known. The last two are built only where pawl.yaml says
 * how (`build:`). The head is what the stored runs were of: it is not built again. Where no base can be had, a note of
 * the scenario says what it would take.
 */
#ifndef PAWL_CMD_SHARED_CONFIRM_H
#define PAWL_CMD_SHARED_CONFIRM_H

#include "cmd/shared/measure.h"
#include "cmd/shared/project.h"

/* --base, --base-ref and --floor of `run`: 0, or -1 with an ERR_INPUT. Before anything is measured. */
int confirm_check(struct project *project, struct invocation *inv, struct error *err);
/*
 * After judging_stored(): replaces the verdicts of flagged gates, and settles the result. Failures are notes; an interrupt
 * goes to SUITE. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct suite *suite, struct project *project, struct invocation *inv);

#endif
