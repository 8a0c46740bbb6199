/*
 * The kind of a suspect's cost.
 */
#ifndef PAWL_CAUSE_KINDS_H
#define PAWL_CAUSE_KINDS_H

#include <stdbool.h>

#include "cause/suspects.h"

/* Returns the number of locks that HEAD's X takes. */
double kind_locks(const struct suspect *x);
/* True if HEAD's X takes more locks than BASE's. */
bool kind_locks_more(const struct suspect *x);

/*
 * Splits X's growth into two factors: INSTRUCTIONS, and EACH, the time per instruction without the kernel's. Returns
 * false unless X is counted and sampled on both sides.
 */
bool kind_factors(const struct suspect *x, double *instructions, double *each);
/* Returns the kind of X's cost, or that of the callee whose cost X causes. */
enum cause_kind kind_of(const struct search *s, const struct suspect *x);
/* Returns the kind that applies to the whole change, whatever the function. CAUSE_KINDS: none applies. */
enum cause_kind kind_of_all(const struct search *s);
/*
 * Returns the kind from totals, for a change without a known function: the kernel, the instructions or the time per
 * instruction grew most.
 */
enum cause_kind kind_of_totals(const struct search *s);
/* Returns the input file that grew most if the bytes read grew by at least half as much as the time; else NULL. */
const struct traced_file *kind_grown_input(const struct search *s);
/* Returns the foreign function whose cost for X grew most. NULL: X's own code grew more. */
const struct foreign_cost *kind_dearer_foreign(const struct suspect *x, const struct foreign_cost **before_out);
/* Returns the callee in which X waits longer, for waits of kind WHICH (WAITS_HELD etc.); or NULL. */
const char *kind_longest_callee(const struct suspect *x, int which);

#endif
