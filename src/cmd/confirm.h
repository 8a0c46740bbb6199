/*
 * Confirming: the times that stored runs flagged are measured again, in pairs, against the base built on this machine.
 *
 * The base is --base, --base-ref, the commit that baselines are read from (--baseline-ref), or else the commit that last changed
 * the scenario's baseline: the first of these that is known. The last two are built only where pawl.yaml says how (`build:`).
 * Where no base can be had, a note of the scenario says what it would take.
 */
#ifndef PAWL_CMD_CONFIRM_H
#define PAWL_CMD_CONFIRM_H

#include "cmd/project.h"
#include "cmd/suite.h"

/* --base and --base-ref of `run`: 0, or -1 with an ERR_INPUT. Before anything is measured. */
int confirm_check(struct project *project, struct invocation *inv, struct error *err);
/*
 * After judging_stored(): replaces the verdicts of flagged gates, and settles the result. Failures are notes; an interrupt
 * goes to SUITE. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct suite *suite, struct project *project, struct invocation *inv);

#endif
