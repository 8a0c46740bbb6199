/*
 * Which symbols paid for others' rise. Several may pay for several: code is inlined into all its callers, one function
 * is split, many are merged. Whoever rose is first asked whether what it calls fell by as much, then which one symbol
 * did, then which symbols of its file did.
 */
#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/symbol_rule.h"

/* What is beside the symbols must be so much of the profile to show whether some only shrank beside the others. */
#define WITNESS_LEAST 0.1
/* Symbols that are named in a reason. */
enum { NAMED = 3 };

/* How much of what fell must have been spent. What else became cheaper may hide what became slower. */
enum payment {
	ALL_SPENT,	/* all: nothing else shows that the two have to do with each other */
	ENOUGH,		/* any: names that came and went, or callers that cost the same, show it */
};

/* Symbols, and what they have together. */
struct set {
	struct symbol_pair **items;
	size_t n, cap;
	double now, before, error;		/* shares; one standard error of their difference */
	double cost, base_cost, cost_error;
};

static void set_release(struct set *set)
{
	free(set->items);
	*set = (struct set){ 0 };
}

static void add(struct set *set, struct symbol_pair *pair)
{
	VEC_GROW(set->items, set->n, set->cap);
	set->items[set->n++] = pair;
	set->now += pair->share;
	set->before += pair->base_share;
	set->error = sqrt(pow(set->error, 2) + pow(pair->change.error, 2));
	set->cost += pair->cost;
	set->base_cost += pair->base_cost;
	set->cost_error = sqrt(pow(set->cost_error, 2) + pow(pair->cost_error, 2));
}

static double rise_of(const struct set *set)
{
	return set->now - set->before;
}

struct search {
	struct symbol_pairs *pairs;
	const struct symbol_terms *terms;
	double shrinking;	/* what the shares of all others come to, as a part, if all that nothing explains became slower */
};

/* -------- whether the ones pay for the others */

static double shrinking_beside(const struct set *risen)
{
	return (1 - risen->now) / (1 - risen->before);
}

/* When others became slower, all shares beside them shrink alike. A fall that is no more than this pays for nothing. */
static bool fell_by_themselves(const struct search *s, const struct set *fallen, const struct set *risen)
{
	double shrunk = fallen->before * fmin(s->shrinking, shrinking_beside(risen));

	return fallen->now < shrunk - SYMBOL_CLEARING * fallen->error;
}

/* The same the other way round: when FALLEN became faster, the shares of all others grow alike. */
static bool rose_by_themselves(const struct set *risen, const struct set *fallen)
{
	double grown = risen->before * shrinking_beside(fallen);

	return risen->now > grown + SYMBOL_CLEARING * risen->error;
}

/* FALL pays for RISE, both positive, which together have this standard error. */
static bool balances(double fall, double rise, double error, enum payment payment)
{
	double left = rise - fall, open = SYMBOL_CLEARING * error;

	return left <= open && (payment == ENOUGH || left >= -open);
}

/* With next to nothing beside them, their costs must tell. */
static bool costs_pay(const struct set *fallen, const struct set *risen, enum payment payment)
{
	double less = fallen->base_cost - fallen->cost, more = risen->cost - risen->base_cost;

	return less > SYMBOL_CLEARING * fallen->cost_error &&
	       balances(less, more, sqrt(pow(fallen->cost_error, 2) + pow(risen->cost_error, 2)), payment);
}

static bool pay(const struct search *s, const struct set *fallen, const struct set *risen, enum payment payment)
{
	double error = sqrt(pow(fallen->error, 2) + pow(risen->error, 2));

	if (!fallen->n || !risen->n || -rise_of(fallen) <= SYMBOL_CLEARING * fallen->error ||
	    !balances(-rise_of(fallen), rise_of(risen), error, payment))
		return false;
	return 1 - risen->now - fallen->now >= WITNESS_LEAST ? fell_by_themselves(s, fallen, risen)
							     : costs_pay(fallen, risen, payment);
}

/* -------- what is known of one */

static bool surely_rose(const struct symbol_pair *pair)
{
	return pair->change.rise > SYMBOL_CLEARING * pair->change.error;
}

/* It rose, is accused or not cleared, and nothing explains that yet. */
static bool is_open(const struct symbol_pair *pair)
{
	return pair->judged && surely_rose(pair) && pair->change_kind != SYMBOL_MOVED &&
	       (pair->verdict == VERDICT_REGRESSION || pair->verdict == VERDICT_INCONCLUSIVE);
}

/* It fell, beyond chance, and has paid for nothing yet. */
static bool is_unspent(const struct symbol_pair *pair)
{
	return pair->change_kind != SYMBOL_MOVED && !pair->unnamed && pair->change.rise < -SYMBOL_CLEARING * pair->change.error;
}

static double total_share(const struct profile *profile, const struct profile_symbol *symbol)
{
	return symbol && profile->weight > 0 ? symbol->total_weight / profile->weight : 0;
}

/* SHARE and BASE_SHARE as if they were those of a symbol, whose samples scatter like PAIR's. */
static struct symbol_pair as_symbol(const struct symbol_pair *pair, double share, double base_share, const struct symbol_terms *terms)
{
	struct symbol_pair made = { .change.dispersion = pair->change.dispersion };

	symbol_pair_set_shares(&made, share, base_share, terms->now, terms->before, terms->cost);
	return made;
}

static struct symbol_pair callees_of(const struct symbol_pair *pair, const struct symbol_terms *terms)
{
	return as_symbol(pair, fmax(0, total_share(terms->now, pair->now) - pair->share),
			 fmax(0, total_share(terms->before, pair->before) - pair->base_share), terms);
}

/* With what it calls it did not change the way it did alone: what it won came from there, what it lost went there. */
static bool is_contained(const struct symbol_pair *pair, const struct symbol_terms *terms)
{
	struct symbol_pair whole = as_symbol(pair, total_share(terms->now, pair->now), total_share(terms->before, pair->before), terms);

	double same_way = pair->change.rise > 0 ? whole.change.rise : -whole.change.rise;

	return pair->now && pair->before && same_way <= SYMBOL_CLEARING * whole.change.error;
}

/* -------- saying so */

static void add_names(struct strbuf *out, const struct set *set)
{
	for (size_t i = 0; i < set->n && i < NAMED; i++) {
		strbuf_adds(out, !i ? "" : i + 1 == set->n ? " and " : ", ");
		symbol_pair_name(set->items[i], out);
	}
	if (set->n > NAMED)
		strbuf_addf(out, " and %zu more", set->n - NAMED);
}

static const struct symbol_pair *largest(const struct set *set)
{
	const struct symbol_pair *found = NULL;

	for (size_t i = 0; i < set->n; i++)
		if (!found || fabs(set->items[i]->change.rise) > fabs(found->change.rise))
			found = set->items[i];
	return found;
}

static char *reason_of(const struct set *fallen, const struct set *risen, const char *work)
{
	struct strbuf reason = STRBUF_INIT;
	double fall = -rise_of(fallen), rise = rise_of(risen);
	bool less = !balances(fall, rise, sqrt(pow(fallen->error, 2) + pow(risen->error, 2)), ALL_SPENT);

	add_names(&reason, risen);
	strbuf_addf(&reason, " rose by %.1f pp%s, by which ", rise * 100, risen->n > 1 ? " together" : "");
	add_names(&reason, fallen);
	strbuf_addf(&reason, " fell%s: the code moved, and costs %s per %s", less ? " and more" : "",
		    less ? "less" : "the same", work);
	return strbuf_take(&reason);
}

static void acquit(struct symbol_pair *pair, char *reason)
{
	free(pair->reason);
	pair->reason = reason;
	pair->verdict = VERDICT_PASS;
}

static void mark(const struct search *s, const struct set *fallen, const struct set *risen)
{
	for (size_t i = 0; i < risen->n; i++) {
		struct symbol_pair *pair = risen->items[i];

		if (is_open(pair))
			acquit(pair, reason_of(fallen, risen, s->terms->work));
		pair->change_kind = SYMBOL_MOVED;
		pair->moved = largest(fallen);
	}
	for (size_t i = 0; i < fallen->n; i++) {
		fallen->items[i]->change_kind = SYMBOL_MOVED;
		fallen->items[i]->moved = largest(risen);
	}
}

static bool settle(const struct search *s, const struct set *fallen, const struct set *risen, enum payment payment)
{
	bool paid = pay(s, fallen, risen, payment);

	if (paid)
		mark(s, fallen, risen);
	return paid;
}

/* -------- who may have paid */

/* Inlined: what RISEN calls fell by what it rose, and both together cost the same. */
static void try_callees(const struct search *s, struct symbol_pair *risen)
{
	struct symbol_pair callees = callees_of(risen, s->terms);
	CLEANUP(set_release) struct set fallen = { 0 }, one = { 0 };
	struct strbuf reason = STRBUF_INIT;

	add(&fallen, &callees);
	add(&one, risen);
	if (!pay(s, &fallen, &one, ALL_SPENT))
		return;
	symbol_pair_name(risen, &reason);
	strbuf_addf(&reason, " rose by %.1f pp, by which what it calls fell: the code moved, and costs the same per %s",
		    risen->change.rise * 100, s->terms->work);
	acquit(risen, strbuf_take(&reason));
	risen->change_kind = SYMBOL_MOVED;
}

/* The one symbol whose fall fits best, if any does. */
static bool try_one(const struct search *s, const struct set *risen)
{
	struct symbol_pair *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < s->pairs->n; i++) {
		struct symbol_pair *pair = &s->pairs->items[i];
		double left = fabs(pair->change.rise + rise_of(risen));
		CLEANUP(set_release) struct set fallen = { 0 };

		if (!is_unspent(pair) || left >= least)
			continue;
		add(&fallen, pair);
		if (pay(s, &fallen, risen, ALL_SPENT)) {
			best = pair;
			least = left;
		}
	}
	if (best) {
		CLEANUP(set_release) struct set fallen = { 0 };

		add(&fallen, best);
		mark(s, &fallen, risen);
	}
	return best;
}

/* Two names of one file: a program may have been renamed, and then some symbol is known by both. */
static bool same_file(const struct symbol_pairs *pairs, const char *file, const char *other)
{
	if (!strcmp(file, other))
		return true;
	for (size_t i = 0; i < pairs->n; i++) {
		const struct symbol_pair *pair = &pairs->items[i];

		if (pair->now && pair->before && ((!strcmp(pair->now->dso, file) && !strcmp(pair->before->dso, other)) ||
						  (!strcmp(pair->now->dso, other) && !strcmp(pair->before->dso, file))))
			return true;
	}
	return false;
}

/* The symbols of a file that changed. */
struct file_changes {
	struct set gone;		/* its vanished names, and those that call now what they did themselves */
	struct set fallen, risen;	/* what is on both sides */
	struct set appeared;
};

static void file_changes_release(struct file_changes *changes)
{
	set_release(&changes->gone);
	set_release(&changes->fallen);
	set_release(&changes->appeared);
	set_release(&changes->risen);
}

static struct file_changes gather(const struct search *s, const struct symbol_pair *of)
{
	struct file_changes changes = { 0 };

	for (size_t i = 0; i < s->pairs->n; i++) {
		struct symbol_pair *pair = &s->pairs->items[i];

		if (pair->change_kind == SYMBOL_MOVED || pair->unnamed ||
		    !same_file(s->pairs, symbol_pair_shown(pair)->dso, symbol_pair_shown(of)->dso))
			continue;
		if (is_unspent(pair))
			add(!pair->now || is_contained(pair, s->terms) ? &changes.gone : &changes.fallen, pair);
		else if (surely_rose(pair))
			add(pair->before ? &changes.risen : &changes.appeared, pair);
	}
	return changes;
}

/* Taken out of several: all that the file's symbols lost by themselves is in its new names. */
static void try_all_fallen(const struct search *s, const struct file_changes *changes)
{
	CLEANUP(set_release) struct set fallen = { 0 };

	for (size_t i = 0; i < changes->gone.n; i++)
		add(&fallen, changes->gone.items[i]);
	for (size_t i = 0; i < changes->fallen.n; i++) {
		CLEANUP(set_release) struct set one = { 0 };

		add(&one, changes->fallen.items[i]);
		if (fell_by_themselves(s, &one, &changes->appeared))
			add(&fallen, changes->fallen.items[i]);
	}
	settle(s, &fallen, &changes->appeared, ALL_SPENT);
}

/* Split, merged or renamed: new names have what others of the file had. */
static void try_new_names(const struct search *s, struct symbol_pair *risen)
{
	CLEANUP(file_changes_release) struct file_changes changes = gather(s, risen);

	if (!settle(s, &changes.gone, &changes.appeared, ENOUGH) && !try_one(s, &changes.appeared))
		try_all_fallen(s, &changes);
}

/* Merged into what was there, or inlined: it has what the file's vanished names had. */
static void try_old_names(const struct search *s, struct symbol_pair *risen)
{
	CLEANUP(file_changes_release) struct file_changes changes = gather(s, risen);
	CLEANUP(set_release) struct set only = { 0 }, contained = { 0 }, all = { 0 };

	add(&only, risen);
	for (size_t i = 0; i < changes.risen.n; i++) {
		struct symbol_pair *pair = changes.risen.items[i];
		CLEANUP(set_release) struct set one = { 0 };

		add(&one, pair);
		if (is_open(pair) && is_contained(pair, s->terms))
			add(&contained, pair);
		if (rose_by_themselves(&one, &changes.gone))
			add(&all, pair);
	}
	if (!settle(s, &changes.gone, &only, ALL_SPENT) && !settle(s, &changes.gone, &contained, ENOUGH))
		settle(s, &changes.gone, &all, ALL_SPENT);
}

static void try_single(const struct search *s, struct symbol_pair *risen)
{
	CLEANUP(set_release) struct set one = { 0 };

	add(&one, risen);
	try_one(s, &one);
}

static double shrinking_beside_open(struct symbol_pairs *pairs)
{
	CLEANUP(set_release) struct set open = { 0 };

	for (size_t i = 0; i < pairs->n; i++)
		if (is_open(&pairs->items[i]))
			add(&open, &pairs->items[i]);
	return shrinking_beside(&open);
}

/* One that shows more goes first. */
static const struct {
	bool known;		/* for symbols of both sides */
	bool appeared;		/* for new ones */
	void (*try)(const struct search *s, struct symbol_pair *risen);
} tries[] = {
	{ true, false, try_callees }, { true, true, try_single }, { false, true, try_new_names }, { true, false, try_old_names },
};

void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms)
{
	for (size_t t = 0; t < sizeof tries / sizeof *tries; t++)
		for (size_t i = 0; i < pairs->n; i++) {
			struct symbol_pair *pair = &pairs->items[i];
			struct search search = { .pairs = pairs, .terms = terms };

			if (!is_open(pair) || !(pair->before ? tries[t].known : tries[t].appeared))
				continue;
			search.shrinking = shrinking_beside_open(pairs);
			tries[t].try(&search, pair);
		}
}
