/*
 * Counts of executions that were ended early. By then the sides did different amounts of work, so their costs are
 * compared per call of one function, the anchor.
 */
#ifndef PAWL_CAUSE_LEDGER_PREFIX_H
#define PAWL_CAUSE_LEDGER_PREFIX_H

#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "model/side.h"
#include "model/source/changes.h"
#include "profile/stacks.h"

struct prefix {
	struct work *work;		/* counts of the beginning of an execution */
	const struct own_code *own;
	const struct stacks *samples;	/* CPU time of whole executions */
};

/*
 * Divides the counts of both sides by the calls of an anchor, and names it in their `per`. Returns the standard error
 * of a count, as a part of it. Returns 0 and leaves the counts unchanged if there is no anchor.
 *
 * The anchor is the own function with most instructions below it, called often and from code that CHANGES does not
 * touch: its calls tell how much of the work was done. There is none if samples show that the base spends most of its
 * time elsewhere (the prefix is another phase), or if the instructions per call contradict SLOWER, the factor by which
 * CPU time grew.
 */
double prefix_settle(const struct prefix sides[SIDES], const struct changes *changes, double slower);

#endif
