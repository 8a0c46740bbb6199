/* Which of two symbols paid for the other's rise. */
#include <math.h>

#include "base/mem.h"
#include "gate/symbol_rule.h"

/* What is beside both symbols must be so much of the profile to show whether one only shrank beside the other. */
#define WITNESS_LEAST 0.1

/* Of a difference whose parts have these errors. */
static double joint(double a, double b)
{
	return sqrt(a * a + b * b);
}

static bool pays(const struct symbol_pair *fallen, const struct symbol_pair *risen)
{
	double left = fallen->change.rise + risen->change.rise;

	return fallen->change.rise < -SYMBOL_CLEARING * fallen->change.error &&
	       fabs(left) <= SYMBOL_CLEARING * joint(fallen->change.error, risen->change.error);
}

/*
 * When only RISEN became slower, the shares of all others shrink alike. A fall that is no more than this pays for
 * nothing.
 */
static bool fell_by_itself(const struct symbol_pair *fallen, const struct symbol_pair *risen)
{
	double shrunk = fallen->base_share * (1 - risen->share) / (1 - risen->base_share);

	return fallen->share < shrunk - SYMBOL_CLEARING * fallen->change.error;
}

/* With next to nothing beside the two, their costs must tell. */
static bool costs_pay(const struct symbol_pair *fallen, const struct symbol_pair *risen)
{
	double less = fallen->base_cost - fallen->cost, more = risen->cost - risen->base_cost;

	return less > SYMBOL_CLEARING * fallen->cost_error &&
	       fabs(less - more) <= SYMBOL_CLEARING * joint(fallen->cost_error, risen->cost_error);
}

static bool moved(const struct symbol_pair *fallen, const struct symbol_pair *risen)
{
	double witness = 1 - risen->share - fallen->share;

	if (fallen == risen || fallen->moved || !pays(fallen, risen))
		return false;
	return witness >= WITNESS_LEAST ? fell_by_itself(fallen, risen) : costs_pay(fallen, risen);
}

/* The fall that fits best, if any does. */
static struct symbol_pair *find_payer(struct symbol_pairs *pairs, const struct symbol_pair *risen)
{
	struct symbol_pair *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *fallen = &pairs->items[i];
		double left = fabs(fallen->change.rise + risen->change.rise);

		if (left < least && moved(fallen, risen)) {
			best = fallen;
			least = left;
		}
	}
	return best;
}

static void mark(struct symbol_pair *risen, struct symbol_pair *fallen, const struct symbol_terms *terms)
{
	struct strbuf reason = STRBUF_INIT;

	symbol_pair_name(risen, &reason);
	strbuf_addf(&reason, " rose by %.1f pp, by which ", risen->change.rise * 100);
	symbol_pair_name(fallen, &reason);
	strbuf_addf(&reason, " fell: the code moved, and costs the same per %s", terms->work);
	free(risen->reason);
	risen->reason = strbuf_take(&reason);
	risen->verdict = VERDICT_PASS;
	risen->change_kind = fallen->change_kind = SYMBOL_MOVED;
	risen->moved = fallen;
	fallen->moved = risen;
}

void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms)
{
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *risen = &pairs->items[i], *fallen;

		if (risen->verdict != VERDICT_REGRESSION)
			continue;
		fallen = find_payer(pairs, risen);
		if (fallen)
			mark(risen, fallen, terms);
	}
}
