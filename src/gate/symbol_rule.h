/*
 * The rule by which one symbol's share is judged: a regression when share and cost both rose beyond the tolerance, surely
 * beyond half of it, in two thirds of the pairs of runs; a pass when twice the tolerance is out of reach, or what so many
 * samples can show where that is more; else inconclusive, with the samples that would tell.
 */
#ifndef PAWL_GATE_SYMBOL_RULE_H
#define PAWL_GATE_SYMBOL_RULE_H

#include "gate/symbol_pairs.h"

/* So many standard errors accuse a symbol; in a suite of so many scenarios more are needed. */
#define SYMBOL_ACCUSING 3.1
#define SYMBOL_ACCUSING_SUITE 3.9
/* So many clear it, and tell that anything changed at all. */
#define SYMBOL_CLEARING 2.0
enum { SYMBOL_SUITE = 20 };
/*
 * On a busy machine the shares of unchanged code shift from one hour to another beyond what samples leave open: by one
 * standard deviation of so much times p(1 - p), see docs/deciding.md.
 */
#define SYMBOL_BUSY_SHIFT 0.05
/* What the kernel's scheduler and interrupts are called together, see profile/names.h. */
#define SYMBOL_SCHEDULER "[kernel]"

struct symbol_terms {
	const struct symbol_gate *gate;
	const struct cost *cost;
	const struct profile *now, *before;
	const char *work;		/* what a cost is told for: "run", "request" */
};

/* Sets what kind of change it is: new, vanished, risen, fallen; of code without its symbols, none. Nothing is judged. */
void symbol_classify(struct symbol_pair *pair);
/* A rise with this standard error exceeds TOLERANCE, and surely half of it, at Z standard errors; all in one unit. */
bool symbol_exceeds(double rise, double error, double z, double tolerance);
/* Sets verdict and reason of a pair whose profiles both have enough samples and runs. */
void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms);
/*
 * Code that went from symbols into others (inlined, split, merged, renamed) is no regression: where some fell by what
 * accused ones rose, and did not only shrink beside them, all are marked as moved, and the accused ones pass. So do those
 * that were not cleared.
 */
void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms);

#endif
