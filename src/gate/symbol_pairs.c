#include "gate/symbol_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "profile/names.h"

/* Bytes of a name that a sentence has room for. */
enum { NAME_LONGEST = 120 };
/* So many standard errors are no chance. */
#define SURELY 2.0

const struct profile_symbol *symbol_pair_shown(const struct symbol_pair *pair)
{
	return pair->now ?: pair->before;
}

/* Names such as "[unknown]" say nothing by themselves: only in the same file they are the same. */
static bool says_what(const char *key)
{
	return *key != '[' && *key;
}

void symbol_pair_name(const struct symbol_pair *pair, struct strbuf *out)
{
	const struct profile_symbol *shown = symbol_pair_shown(pair);
	size_t len = utf8_clip(shown->symbol, NAME_LONGEST);

	if (pair->unnamed == pair) {
		strbuf_addf(out, "code %s%s", *shown->dso ? "of " : "", *shown->dso ? shown->dso : "without symbols");
		return;
	}
	strbuf_add(out, shown->symbol, len);
	strbuf_adds(out, shown->symbol[len] ? "..." : "");
	if (!says_what(shown->symbol) && *shown->dso && strcmp(shown->symbol, shown->dso))
		strbuf_addf(out, " in %s", shown->dso);
}

/*
 * Functions of scripts without a name. An edit above them moves all of them by as many lines, and one may come to lie
 * where another was. So the distance by which most of a file's functions would have moved goes first, then the smallest.
 */
struct candidate {
	size_t now, before;		/* symbols; ANCHOR: a function with a name, which only votes */
	struct script_place at;		/* of now */
	long lines, columns;		/* by which it lies elsewhere */
	size_t votes;			/* so many of the file would have moved by as many lines, in the same column */
};

#define ANCHOR SIZE_MAX

struct candidates {
	struct candidate *items;
	size_t n, cap;
};

static int compare_files(const struct script_place *a, const struct script_place *b)
{
	size_t len = a->file_len < b->file_len ? a->file_len : b->file_len;

	return strncmp(a->file, b->file, len) ?: (a->file_len > b->file_len) - (a->file_len < b->file_len);
}

static int by_shift(const void *a, const void *b)
{
	const struct candidate *c = a, *d = b;

	return compare_files(&c->at, &d->at) ?: (c->lines > d->lines) - (c->lines < d->lines);
}

static int by_likelihood(const void *a, const void *b)
{
	const struct candidate *c = a, *d = b;

	return (c->columns > 0) - (d->columns > 0) ?: (c->votes < d->votes) - (c->votes > d->votes) ?:
	       (labs(c->lines) > labs(d->lines)) - (labs(c->lines) < labs(d->lines)) ?:
	       (c->columns > d->columns) - (c->columns < d->columns) ?: (c->now > d->now) - (c->now < d->now) ?:
	       (c->before > d->before) - (c->before < d->before);
}

static void add_candidate(struct candidates *c, size_t now, size_t before, const char *name, const char *old)
{
	struct script_place at, was;

	if (!name_script_place(name, &at) || !name_script_place(old, &was) || compare_files(&at, &was))
		return;
	VEC_GROW(c->items, c->n, c->cap);
	c->items[c->n++] = (struct candidate){
		.now = now, .before = before, .at = at, .lines = at.line - was.line, .columns = labs(at.column - was.column),
	};
}

static void count_votes(struct candidates *c)
{
	for (size_t from = 0, to; from < c->n; from = to) {
		size_t votes = 0;

		for (to = from; to < c->n && !by_shift(&c->items[from], &c->items[to]); to++)
			votes += c->items[to].now == ANCHOR || !c->items[to].columns;
		for (size_t i = from; i < to; i++)
			c->items[i].votes = votes;
	}
}

static void find_candidates(const struct profile *now, const struct profile *before, const struct profile_symbol *const *same,
			    struct candidates *out)
{
	for (size_t i = 0; i < now->n_symbols; i++) {
		const struct profile_symbol *symbol = &now->symbols[i];

		if (same[i])
			add_candidate(out, ANCHOR, ANCHOR, symbol->symbol, same[i]->symbol);
		for (size_t k = 0; name_is_anonymous(symbol->key) && k < before->n_symbols; k++)
			if (name_is_anonymous(before->symbols[k].key) && !strcmp(symbol->dso, before->symbols[k].dso))
				add_candidate(out, i, k, symbol->key, before->symbols[k].key);
	}
}

static void match_anonymous(const struct profile *now, const struct profile *before, const struct profile_symbol **same)
{
	CLEANUP(free_ptr) bool *taken = xcalloc(before->n_symbols + 1, sizeof *taken);
	struct candidates c = { 0 };

	find_candidates(now, before, same, &c);
	if (c.n) {
		qsort(c.items, c.n, sizeof *c.items, by_shift);
		count_votes(&c);
		qsort(c.items, c.n, sizeof *c.items, by_likelihood);
	}
	for (size_t i = 0; i < c.n; i++) {
		const struct candidate *likely = &c.items[i];

		if (likely->now == ANCHOR || same[likely->now] || taken[likely->before])
			continue;
		same[likely->now] = &before->symbols[likely->before];
		taken[likely->before] = true;
	}
	free(c.items);
}

/* For each symbol of NOW that of BEFORE, or NULL; for free(). */
static const struct profile_symbol **match(const struct profile *now, const struct profile *before)
{
	const struct profile_symbol **same = xcalloc(now->n_symbols + 1, sizeof *same);

	for (size_t i = 0; i < now->n_symbols; i++)
		if (!name_is_anonymous(now->symbols[i].key))
			same[i] = profile_find_same(now, before, &now->symbols[i]);
	match_anonymous(now, before, same);
	return same;
}

static double share_of(const struct profile *profile, const struct profile_symbol *symbol)
{
	return profile_share_pct(profile, symbol) / 100;
}

/* A profile lists only its heaviest symbols: what is missing is none, or one of the rest, lighter than the lightest. */
static double unlisted_in(const struct profile *profile)
{
	double rest = profile->samples ? (double)profile->rest_samples / (double)profile->samples : 0;

	return profile->n_symbols ? fmin(rest, share_of(profile, &profile->symbols[profile->n_symbols - 1])) : rest;
}

static struct share_count count_of(const struct profile *profile, const struct profile_symbol *symbol)
{
	return (struct share_count){
		.share = share_of(profile, symbol), .samples = profile->samples,
		.run_hits = symbol ? symbol->run_samples : NULL, .run_samples = profile->run_samples,
		.n_runs = profile->n_runs,
	};
}

static void set_cost(struct symbol_pair *pair, const struct cost *cost)
{
	pair->cost = pair->share * cost->now;
	pair->base_cost = pair->base_share * cost->before;
	pair->cost_error = sqrt(pow(pair->share_error * cost->now, 2) + pow(pair->base_share_error * cost->before, 2) +
				pow(pair->share * cost->now_error, 2) + pow(pair->base_share * cost->before_error, 2));
}

void symbol_pair_set_shares(struct symbol_pair *pair, double now, double before, const struct profile *profile,
			    const struct profile *base, const struct cost *cost)
{
	double dispersion = pair->change.dispersion;

	pair->share = now;
	pair->base_share = before;
	pair->share_error = share_error(now, profile->samples, dispersion);
	pair->base_share_error = share_error(before, base->samples, dispersion);
	pair->change.rise = now - before;
	pair->change.error = share_rise_error(now, profile->samples, before, base->samples, dispersion);
	set_cost(pair, cost);
}

static struct symbol_pair compare(const struct profile *now, const struct profile *before,
				  const struct profile_symbol *symbol, const struct profile_symbol *old,
				  const struct cost *cost)
{
	struct symbol_pair pair = {
		.now = symbol, .before = old, .share = share_of(now, symbol),
		.base_share = before ? share_of(before, old) : NAN,
		.share_error = NAN, .base_share_error = NAN,
		.change = { .rise = NAN, .error = NAN, .dispersion = NAN }, .agreement = NAN,
		.verdict = VERDICT_NOT_MEASURED,
	};
	struct share_count a = count_of(now, symbol), b;

	set_cost(&pair, cost);
	if (before && !(symbol && old))
		pair.unlisted = unlisted_in(symbol ? before : now);
	if (before && before->samples && now->samples) {
		b = count_of(before, old);
		share_compare(&a, &b, &pair.change);
		pair.agreement = share_agreement(&a, &b);
		symbol_pair_set_shares(&pair, a.share, b.share, now, before, cost);
	}
	return pair;
}

void symbol_pairs_build(const struct profile *now, const struct profile *before, const struct cost *cost,
			struct symbol_pairs *out)
{
	size_t most = now->n_symbols + (before ? before->n_symbols : 0);
	bool *seen = xcalloc(most + 1, sizeof *seen);
	const struct profile_symbol **same = before ? match(now, before) : NULL;

	*out = (struct symbol_pairs){ .items = xcalloc(most + 1, sizeof *out->items) };
	for (size_t i = 0; i < now->n_symbols; i++) {
		const struct profile_symbol *symbol = &now->symbols[i];
		const struct profile_symbol *old = same ? same[i] : NULL;

		if (old)
			seen[old - before->symbols] = true;
		out->items[out->n++] = compare(now, before, symbol, old, cost);
	}
	for (size_t i = 0; before && i < before->n_symbols; i++)
		if (!seen[i])
			out->items[out->n++] = compare(now, before, NULL, &before->symbols[i], cost);
	free(seen);
	free(same);
}

/* -------- what has its symbols on one side only */

static bool is_unknown(const struct symbol_pair *pair)
{
	return !strcmp(symbol_pair_shown(pair)->key, "[unknown]");
}

/* Of one file, and UNKNOWN of no known one is of any. */
static bool may_be_of(const struct symbol_pair *pair, const struct symbol_pair *unknown)
{
	const char *file = symbol_pair_shown(unknown)->dso;

	return !*file || !strcmp(symbol_pair_shown(pair)->dso, file);
}

/* A name that is not among the samples of the side on which UNKNOWN is heavier. Code that got slower keeps its name. */
static bool lost_name(const struct symbol_pair *pair, const struct symbol_pair *unknown)
{
	return !is_unknown(pair) && may_be_of(pair, unknown) && (unknown->change.rise > 0 ? pair->share : pair->base_share) <= 0;
}

static double lost_names(const struct symbol_pairs *pairs, const struct symbol_pair *unknown)
{
	double sum = 0;

	for (size_t i = 0; i < pairs->n; i++)
		if (lost_name(&pairs->items[i], unknown))
			sum += fmax(pairs->items[i].share, pairs->items[i].base_share);
	return sum;
}

void symbol_pairs_find_unnamed(struct symbol_pairs *pairs, double least)
{
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *unknown = &pairs->items[i];
		double change = fabs(unknown->change.rise);

		if (!is_unknown(unknown) || change <= fmax(least, SURELY * unknown->change.error) ||
		    2 * lost_names(pairs, unknown) < change)
			continue;
		for (size_t k = 0; k < pairs->n; k++) {
			struct symbol_pair *pair = &pairs->items[k];
			bool known_file = *symbol_pair_shown(unknown)->dso;

			if (known_file ? may_be_of(pair, unknown) : pair == unknown || lost_name(pair, unknown))
				pair->unnamed = unknown;
		}
	}
}

void symbol_pairs_release(struct symbol_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++)
		free(pairs->items[i].reason);
	free(pairs->items);
	*pairs = (struct symbol_pairs){ 0 };
}
