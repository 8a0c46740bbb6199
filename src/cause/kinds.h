/*
 * What kind of cost a suspect's is.
 */
#ifndef PAWL_CAUSE_KINDS_H
#define PAWL_CAUSE_KINDS_H

#include <stdbool.h>

#include "cause/suspects.h"

/* How often HEAD's X takes a lock. */
double kind_locks(const struct suspect *x);
/* Whether it does so more often than BASE's. */
bool kind_locks_more(const struct suspect *x);

/*
 * X takes INSTRUCTIONS times as many as before, and EACH times as long for each, the kernel's time aside. False: not counted and sampled
 * on both sides.
 */
bool kind_factors(const struct suspect *x, double *instructions, double *each);
/* What kind of cost X's is, or that of what it makes cost. */
enum cause_kind kind_of(const struct search *s, const struct suspect *x);
/* What all of it is, whatever function it went to; CAUSE_KINDS: nothing of that. */
enum cause_kind kind_of_all(const struct search *s);
/* The kind that totals tell where no function is known: whether the kernel, the instructions or the time of each grew most. */
enum cause_kind kind_of_totals(const struct search *s);
/* What was read grew by at least half of what the time did: the file that grew most; NULL: it did not. */
const struct traced_file *kind_grown_input(const struct search *s);
/* Of what foreign code costs X more, the dearest; NULL where its own code costs more than that. */
const struct foreign_cost *kind_dearer_foreign(const struct suspect *x, const struct foreign_cost **before_out);
/* The same of waits of one of the kinds above: what it calls that it waits longer in, or NULL. */
const char *kind_longest_callee(const struct suspect *x, int which);

#endif
