/* The kind of a cost. */
#ifndef PAWL_CAUSE_KIND_H
#define PAWL_CAUSE_KIND_H

#include <stdbool.h>

#include "cause/blame.h"
#include "model/cause.h"

/* Asks for the causes of QUESTION: blame(), and the kind of the whole change. */
void kind_ask(struct search *s, const struct question *question);
/* Returns the kind of the whole change, or else OWN. */
static inline enum cause_kind kind_whole(const struct search *s, enum cause_kind own)
{
	return s->whole != CAUSE_KINDS ? s->whole : own;
}

/* Returns the kind of the cost that X causes in what is asked. */
enum cause_kind kind_of(const struct search *s, const struct suspect *x);
/* Returns the kind of CHANGE, whose function is not known to cost more: from totals, and from the calls that it adds. */
enum cause_kind kind_of_place(const struct search *s, const struct change *change);

/* Returns the number of locks that X takes on SIDE. */
double kind_locks(const struct search *s, const struct suspect *x, int side);
/* True if HEAD's X takes more locks than BASE's. */
bool kind_locks_more(const struct search *s, const struct suspect *x);
/*
 * Splits X's growth into two factors: INSTRUCTIONS, and EACH, the time per instruction without the kernel's. Returns
 * false unless X is counted and sampled on both sides.
 */
bool kind_factors(const struct suspect *x, double *instructions, double *each);
/* Returns the input file that grew most if the bytes read grew by at least half as much as the cost; else NULL. */
const struct traced_file *kind_grown_input(const struct search *s);

#endif
