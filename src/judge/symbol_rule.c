#include "judge/symbol_rule.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "profile/names.h"

/* -------- symbols of two profiles side by side */

/* Longest name in a sentence, in bytes. */
enum { NAME_LONGEST = 120 };
/* Standard errors from which a change is not chance. */
#define SURELY 2.0

const struct profile_symbol *symbol_pair_shown(const struct symbol_pair *pair)
{
	return pair->now ?: pair->before;
}

char *symbol_pair_name(const struct symbol_pair *pair)
{
	const struct profile_symbol *shown = symbol_pair_shown(pair);
	const char *name = shown->symbol, *file = shown->dso;
	size_t len = utf8_clip(name, NAME_LONGEST);
	/* Names such as "[unknown]" are only the same within one file. */
	bool in_file = (*name == '[' || !*name) && *file && strcmp(name, file);

	if (pair->unnamed == pair)
		return *file ? text_printf("code of %s", file) : xstrdup("code without symbols");
	return text_printf("%.*s%s%s%s", (int)len, name, name[len] ? "..." : "", in_file ? " in " : "",
			   in_file ? file : "");
}

/*
 * A possible match between unnamed functions of a script. An edit above them moves all of them by the same number of
 * lines, and one may land where another was. So candidates sort by how many of a file's functions would have moved by
 * their distance, then by the smallest distance.
 */
struct candidate {
	size_t now, before;		/* symbols; ANCHOR: a named function, which only votes */
	struct script_place at;		/* in `now` */
	long lines, columns;		/* distance moved */
	size_t votes;			/* functions of the file that would have moved by as many lines, in the same column */
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
	*VEC_ADD(c->items, c->n, c->cap) = (struct candidate){
		.now = now, .before = before, .at = at, .lines = at.line - was.line, .columns = labs(at.column - was.column),
	};
}

/* Returns the matching symbol of BEFORE, or NULL, for each symbol of NOW; for free(). */
static const struct profile_symbol **match(const struct profile *now, const struct profile *before)
{
	const struct profile_symbol **same = xcalloc(now->n_symbols + 1, sizeof *same);
	CLEANUP(free_ptr) bool *taken = xcalloc(before->n_symbols + 1, sizeof *taken);
	struct candidates c = { 0 };

	for (size_t i = 0; i < now->n_symbols; i++) {
		const struct profile_symbol *symbol = &now->symbols[i];

		if (!name_is_anonymous(symbol->key)) {
			same[i] = profile_find_same(now, before, symbol);
			if (same[i])
				add_candidate(&c, ANCHOR, ANCHOR, symbol->symbol, same[i]->symbol);
			continue;
		}
		for (size_t k = 0; k < before->n_symbols; k++)
			if (name_is_anonymous(before->symbols[k].key) && !strcmp(symbol->dso, before->symbols[k].dso))
				add_candidate(&c, i, k, symbol->key, before->symbols[k].key);
	}
	if (!c.n)
		return same;
	qsort(c.items, c.n, sizeof *c.items, by_shift);
	for (size_t from = 0, to; from < c.n; from = to) {
		size_t votes = 0;

		for (to = from; to < c.n && !by_shift(&c.items[from], &c.items[to]); to++)
			votes += c.items[to].now == ANCHOR || !c.items[to].columns;
		for (size_t i = from; i < to; i++)
			c.items[i].votes = votes;
	}
	qsort(c.items, c.n, sizeof *c.items, by_likelihood);
	for (size_t i = 0; i < c.n; i++) {
		const struct candidate *likely = &c.items[i];

		if (likely->now == ANCHOR || same[likely->now] || taken[likely->before])
			continue;
		same[likely->now] = &before->symbols[likely->before];
		taken[likely->before] = true;
	}
	free(c.items);
	return same;
}

static double share_of(const struct profile *profile, const struct profile_symbol *symbol)
{
	return profile_share_pct(profile, symbol) / 100;
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

/* Sets the errors and costs of PAIR's shares in NOW and BEFORE. Uses only its shares and change.dispersion. */
static void set_errors(struct symbol_pair *pair, const struct profile *now, const struct profile *before, const struct cost *cost)
{
	double dispersion = pair->change.dispersion;

	pair->share_error = share_error(pair->share, now->samples, dispersion);
	pair->base_share_error = share_error(pair->base_share, before->samples, dispersion);
	pair->change.rise = pair->share - pair->base_share;
	pair->change.error = share_rise_error(pair->share, now->samples, pair->base_share, before->samples, dispersion);
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
	const struct profile *without = !before || (symbol && old) ? NULL : symbol ? before : now;
	struct share_count a = count_of(now, symbol), b;

	set_cost(&pair, cost);
	/* A profile lists only its heaviest symbols. A missing one was not sampled, or is lighter than the lightest. */
	if (without && without->samples)
		pair.unlisted = (double)without->rest_samples / (double)without->samples;
	if (without && without->n_symbols)
		pair.unlisted = fmin(pair.unlisted, share_of(without, &without->symbols[without->n_symbols - 1]));
	if (before)
		pair.unlisted += cost->unseen;
	if (before && before->samples && now->samples) {
		b = count_of(before, old);
		share_compare(&a, &b, &pair.change);
		pair.agreement = share_agreement(&a, &b);
		set_errors(&pair, now, before, cost);
	}
	return pair;
}

/* -------- code with symbols on one side only */

/* Smallest change of "[unknown]" that affects gates, as a part of the whole. */
#define UNNAMED_LEAST 0.01

/* True if PAIR may be of UNKNOWN's file. An UNKNOWN without a file may hold code of any. */
static bool may_be_of(const struct symbol_pair *pair, const struct symbol_pair *unknown)
{
	const char *file = symbol_pair_shown(unknown)->dso;

	return !*file || !strcmp(symbol_pair_shown(pair)->dso, file);
}

static bool is_unknown(const struct symbol_pair *pair)
{
	return !strcmp(symbol_pair_shown(pair)->key, "[unknown]");
}

/* True if PAIR has no samples on the side on which UNKNOWN is heavier. Code that only became slower keeps its name. */
static bool lost_name(const struct symbol_pair *pair, const struct symbol_pair *unknown)
{
	double there = unknown->change.rise > 0 ? pair->share : pair->base_share;

	return !is_unknown(pair) && may_be_of(pair, unknown) && there <= 0;
}

static void find_unnamed(struct symbol_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *unknown = &pairs->items[i];
		bool known_file = *symbol_pair_shown(unknown)->dso;
		double change = fabs(unknown->change.rise), lost = 0;

		if (!is_unknown(unknown) || change <= fmax(UNNAMED_LEAST, SURELY * unknown->change.error))
			continue;
		for (size_t k = 0; k < pairs->n; k++)
			if (lost_name(&pairs->items[k], unknown))
				lost += fmax(pairs->items[k].share, pairs->items[k].base_share);
		for (size_t k = 0; k < pairs->n && 2 * lost >= change; k++) {
			struct symbol_pair *pair = &pairs->items[k];

			if (known_file ? may_be_of(pair, unknown) : pair == unknown || lost_name(pair, unknown))
				pair->unnamed = unknown;
		}
	}
}

/* Sets the kind of change: new, vanished, risen or fallen. Code without symbols on one side counts as unchanged. */
static void classify(struct symbol_pair *pair)
{
	double sure = SYMBOL_Z_PASS * pair->change.error;

	if (pair->unnamed)
		pair->change_kind = SYMBOL_SAME;
	else if (!pair->before && pair->share > pair->unlisted)
		pair->change_kind = isnan(pair->base_share) ? SYMBOL_SAME : SYMBOL_NEW;
	else if (!pair->now && pair->base_share > pair->unlisted)
		pair->change_kind = SYMBOL_VANISHED;
	else if (pair->change.rise > sure)
		pair->change_kind = SYMBOL_ROSE;
	else
		pair->change_kind = pair->change.rise < -sure ? SYMBOL_FELL : SYMBOL_SAME;
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
	if (!before)
		return;
	find_unnamed(out);
	for (size_t i = 0; i < out->n; i++)
		classify(&out->items[i]);
}

void symbol_pairs_release(struct symbol_pairs *pairs)
{
	for (size_t i = 0; i < pairs->n; i++)
		free(pairs->items[i].reason);
	free(pairs->items);
	*pairs = (struct symbol_pairs){ 0 };
}

/* -------- code that went from symbols into others */

/*
 * Finds the symbols whose fall explains ("pays for") the rise of others. Several may pay for several: code is inlined
 * into all its callers, one function is split, many are merged. For each risen symbol, first try the functions it
 * calls, then any single symbol, then the symbols of its file.
 */

/* Least share of the rest of the profile that shows whether symbols only shrank because others grew. */
#define WITNESS_LEAST 0.1
/* Symbols named in a reason. */
enum { NAMED = 3 };

/* How much of the fall must reappear. A function that became cheaper may hide another that became slower. */
enum payment {
	ALL_SPENT,	/* all: nothing else connects the two */
	ENOUGH,		/* any: new and vanished names, or callers of equal cost, connect them */
};

/* Symbols and their sums. */
struct set {
	struct symbol_pair **items;
	size_t n, cap;
	double now, before, error;		/* shares; one standard error of their difference */
	double cost, base_cost, cost_error;
};

/* Returns the standard error of the sum of two independent values. */
static double together(double a, double b)
{
	return sqrt(a * a + b * b);
}

static void set_release(struct set *set)
{
	free(set->items);
	*set = (struct set){ 0 };
}

static void add(struct set *set, struct symbol_pair *pair)
{
	*VEC_ADD(set->items, set->n, set->cap) = pair;
	set->now += pair->share;
	set->before += pair->base_share;
	set->error = together(set->error, pair->change.error);
	set->cost += pair->cost;
	set->base_cost += pair->base_cost;
	set->cost_error = together(set->cost_error, pair->cost_error);
}

static struct set set_of(struct symbol_pair *pair)
{
	struct set set = { 0 };

	add(&set, pair);
	return set;
}

static double rise_of(const struct set *set)
{
	return set->now - set->before;
}

struct search {
	struct symbol_pairs *pairs;
	const struct symbol_terms *terms;
	double shrinking;	/* factor on the shares of all others if every unexplained rise is a slowdown */
};

/* -------- whether the ones pay for the others */

static double shrinking_beside(const struct set *risen)
{
	return (1 - risen->now) / (1 - risen->before);
}

/* True if FALLEN fell by more than all shares shrink when others become slower. A smaller fall pays for nothing. */
static bool fell_by_themselves(const struct search *s, const struct set *fallen, const struct set *risen)
{
	double shrunk = fallen->before * fmin(s->shrinking, shrinking_beside(risen));

	return fallen->now < shrunk - SYMBOL_Z_PASS * fallen->error;
}

/* True if RISEN rose by more than all shares grow when FALLEN becomes faster. */
static bool rose_by_themselves(const struct set *risen, const struct set *fallen)
{
	double grown = risen->before * shrinking_beside(fallen);

	return risen->now > grown + SYMBOL_Z_PASS * risen->error;
}

/* True if FALL pays for RISE. Both are positive; ERROR is the standard error of their difference. */
static bool balances(double fall, double rise, double error, enum payment payment)
{
	double left = rise - fall, open = SYMBOL_Z_PASS * error;

	return left <= open && (payment == ENOUGH || left >= -open);
}

static bool pay(const struct search *s, const struct set *fallen, const struct set *risen, enum payment payment)
{
	double less = fallen->base_cost - fallen->cost, more = risen->cost - risen->base_cost;

	if (!fallen->n || !risen->n || -rise_of(fallen) <= SYMBOL_Z_PASS * fallen->error ||
	    !balances(-rise_of(fallen), rise_of(risen), together(fallen->error, risen->error), payment))
		return false;
	if (1 - risen->now - fallen->now >= WITNESS_LEAST)
		return fell_by_themselves(s, fallen, risen);
	/* If they are nearly the whole profile, their costs decide. */
	return less > SYMBOL_Z_PASS * fallen->cost_error &&
	       balances(less, more, together(fallen->cost_error, risen->cost_error), payment);
}

/* -------- facts about one symbol */

static bool surely_rose(const struct symbol_pair *pair)
{
	return pair->change.rise > SYMBOL_Z_PASS * pair->change.error;
}

/* True if it rose, did not pass, and is not explained yet. */
static bool is_open(const struct symbol_pair *pair)
{
	return pair->judged && surely_rose(pair) && pair->change_kind != SYMBOL_MOVED &&
	       (pair->verdict == VERDICT_REGRESSION || pair->verdict == VERDICT_INCONCLUSIVE);
}

/* True if it fell beyond chance and has not paid for a rise yet. */
static bool is_unspent(const struct symbol_pair *pair)
{
	return pair->change_kind != SYMBOL_MOVED && !pair->unnamed && pair->change.rise < -SYMBOL_Z_PASS * pair->change.error;
}

static double total_share(const struct profile *profile, const struct profile_symbol *symbol)
{
	return symbol && profile->weight > 0 ? symbol->total_weight / profile->weight : 0;
}

/* Returns a pair with SHARE and BASE_SHARE whose samples scatter like PAIR's. */
static struct symbol_pair as_symbol(const struct symbol_pair *pair, double share, double base_share,
				    const struct symbol_terms *terms)
{
	struct symbol_pair made = { .share = share, .base_share = base_share, .change.dispersion = pair->change.dispersion };

	set_errors(&made, terms->now, terms->before, terms->cost);
	return made;
}

/*
 * True if it did not change together with the functions it calls as it did alone. The code then moved between it and
 * them.
 */
static bool is_contained(const struct symbol_pair *pair, const struct symbol_terms *terms)
{
	struct symbol_pair whole = as_symbol(pair, total_share(terms->now, pair->now),
					     total_share(terms->before, pair->before), terms);
	double same_way = pair->change.rise > 0 ? whole.change.rise : -whole.change.rise;

	return pair->now && pair->before && same_way <= SYMBOL_Z_PASS * whole.change.error;
}

/* -------- its reason */

static void add_names(struct strbuf *out, const struct set *set)
{
	for (size_t i = 0; i < set->n && i < NAMED; i++) {
		CLEANUP(free_ptr) char *name = symbol_pair_name(set->items[i]);

		strbuf_addf(out, "%s%s", !i ? "" : i + 1 == set->n ? " and " : ", ", name);
	}
	if (set->n > NAMED)
		strbuf_addf(out, " and %zu more", set->n - NAMED);
}

static const struct symbol_pair *largest(const struct set *set)
{
	const struct symbol_pair *found = set->items[0];

	for (size_t i = 1; i < set->n; i++)
		if (fabs(set->items[i]->change.rise) > fabs(found->change.rise))
			found = set->items[i];
	return found;
}

/* Takes over REASON. */
static void let_pass(struct symbol_pair *pair, char *reason)
{
	free(pair->reason);
	pair->reason = reason;
	pair->verdict = VERDICT_PASS;
}

/* Marks the code of FALLEN as moved to RISEN. */
static void mark(const struct search *s, const struct set *fallen, const struct set *risen)
{
	bool less = !balances(-rise_of(fallen), rise_of(risen), together(fallen->error, risen->error), ALL_SPENT);
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;

	add_names(&reason, risen);
	strbuf_addf(&reason, " rose by %.1f pp%s, by which ", rise_of(risen) * 100, risen->n > 1 ? " together" : "");
	add_names(&reason, fallen);
	strbuf_addf(&reason, " fell%s: the code moved, and costs %s per %s", less ? " and more" : "",
		    less ? "less" : "the same", s->terms->work);
	for (size_t i = 0; i < risen->n; i++) {
		struct symbol_pair *pair = risen->items[i];

		if (is_open(pair))
			let_pass(pair, xstrdup(reason.buf));
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

/* Inlined: the functions that RISEN calls fell by as much as it rose, and both together cost the same. */
static void try_callees(const struct search *s, struct symbol_pair *risen)
{
	double now = total_share(s->terms->now, risen->now), before = total_share(s->terms->before, risen->before);
	struct symbol_pair callees = as_symbol(risen, fmax(0, now - risen->share), fmax(0, before - risen->base_share),
					       s->terms);
	CLEANUP(set_release) struct set fallen = set_of(&callees), one = set_of(risen);
	CLEANUP(free_ptr) char *name = symbol_pair_name(risen);

	if (!pay(s, &fallen, &one, ALL_SPENT))
		return;
	let_pass(risen, text_printf("%s rose by %.1f pp, by which what it calls fell: the code moved, and costs the same "
				    "per %s", name, risen->change.rise * 100, s->terms->work));
	risen->change_kind = SYMBOL_MOVED;
}

/* Tries the single symbol whose fall fits best. Returns true if one fits. */
static bool try_one(const struct search *s, const struct set *risen)
{
	struct symbol_pair *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < s->pairs->n; i++) {
		struct symbol_pair *pair = &s->pairs->items[i];
		double left = fabs(pair->change.rise + rise_of(risen));
		CLEANUP(set_release) struct set fallen = set_of(pair);

		if (is_unspent(pair) && left < least && pay(s, &fallen, risen, ALL_SPENT)) {
			best = pair;
			least = left;
		}
	}
	if (best) {
		CLEANUP(set_release) struct set fallen = set_of(best);

		mark(s, &fallen, risen);
	}
	return best;
}

/* True if both are names of one file. A renamed program has symbols known by both names. */
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
	struct set gone;		/* vanished names, and symbols that now call what they did themselves */
	struct set fallen, risen;	/* on both sides */
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

/* Split, merged or renamed: new names have the share that others of the file had. */
static void try_new_names(const struct search *s, struct symbol_pair *risen)
{
	CLEANUP(file_changes_release) struct file_changes changes = gather(s, risen);

	if (settle(s, &changes.gone, &changes.appeared, ENOUGH) || try_one(s, &changes.appeared))
		return;
	/* Extracted from several: the file's new names have all that its symbols lost by themselves. */
	for (size_t i = 0; i < changes.fallen.n; i++) {
		CLEANUP(set_release) struct set one = set_of(changes.fallen.items[i]);

		if (fell_by_themselves(s, &one, &changes.appeared))
			add(&changes.gone, changes.fallen.items[i]);
	}
	settle(s, &changes.gone, &changes.appeared, ALL_SPENT);
}

/* Merged into an existing symbol, or inlined: it has the share of the file's vanished names. */
static void try_old_names(const struct search *s, struct symbol_pair *risen)
{
	CLEANUP(file_changes_release) struct file_changes changes = gather(s, risen);
	CLEANUP(set_release) struct set only = set_of(risen), contained = { 0 }, all = { 0 };

	for (size_t i = 0; i < changes.risen.n; i++) {
		struct symbol_pair *pair = changes.risen.items[i];
		CLEANUP(set_release) struct set one = set_of(pair);

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
	CLEANUP(set_release) struct set one = set_of(risen);

	try_one(s, &one);
}

/* Sorted by strength of evidence, strongest first. */
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
			CLEANUP(set_release) struct set open = { 0 };

			if (!is_open(pair) || !(pair->before ? tries[t].known : tries[t].appeared))
				continue;
			for (size_t k = 0; k < pairs->n; k++)
				if (is_open(&pairs->items[k]))
					add(&open, &pairs->items[k]);
			search.shrinking = shrinking_beside(&open);
			tries[t].try(&search, pair);
		}
}

/* -------- the rule */

#define AGREEMENT_LEAST (2.0 / 3)
/* Most samples a side that a reason asks for. */
#define SAMPLES_AFFORDABLE 1e6

bool symbol_exceeds(double rise, double error, double z, double tolerance)
{
	return rise > tolerance && rise - z * error > tolerance / 2;
}

/* Judges a pair by its cost, once its share rose beyond chance. REASON already describes the rise. */
static enum verdict judge_cost(const struct symbol_pair *pair, const struct symbol_terms *terms, double tolerance,
			       struct strbuf *reason)
{
	double more = pair->cost - pair->base_cost, sure = SYMBOL_Z_PASS * pair->cost_error;
	double tolerated = tolerance * terms->cost->before;

	if (isnan(more)) {
		strbuf_adds(reason, "; whether it costs more is not known, since both sides have neither task-clock nor "
				    "instructions");
		return VERDICT_INCONCLUSIVE;
	}
	if (more > sure && more > tolerated) {
		strbuf_addf(reason, ", limit %.6g pp, and costs %s more per %s", tolerance * 100,
			    cost_text(more, terms->cost->metric).text, terms->work);
		return VERDICT_REGRESSION;
	}
	if (more + sure < 2 * tolerated) {
		strbuf_addf(reason, " only because others shrank: it costs %s per %s, and cost %s",
			    cost_text(pair->cost, terms->cost->metric).text, terms->work,
			    cost_text(pair->base_cost, terms->cost->metric).text);
		return VERDICT_PASS;
	}
	strbuf_addf(reason, ", but its cost per %s did not rise beyond what the runs leave open: more measure.runs decide",
		    terms->work);
	return VERDICT_INCONCLUSIVE;
}

void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms)
{
	double rise = pair->change.rise, error = pair->change.error, sure = SYMBOL_Z_PASS * error;
	double tolerance = (pair->before ? terms->gate->rise_pp : terms->gate->new_pp) / 100;
	/*
	 * A pass must exclude `shown`: twice the tolerance, or the smallest rise that the samples can show if that is
	 * larger. Scatter between runs does not enlarge it.
	 */
	double of_samples = error * sqrt(SHARE_DISPERSION_LEAST / pair->change.dispersion);
	double shown = fmax(2 * tolerance, 2 * SYMBOL_Z_PASS * of_samples);
	/* The samples a side that would give the same error as both sides together. */
	double n = 2 / (1 / (double)terms->now->samples + 1 / (double)terms->before->samples), needed;
	CLEANUP(free_ptr) char *name = symbol_pair_name(pair);
	struct strbuf reason = STRBUF_INIT;

	pair->verdict = VERDICT_INCONCLUSIVE;
	if (symbol_exceeds(rise - pair->unlisted, error, SYMBOL_Z_WORSE, tolerance)) {
		if (pair->before)
			strbuf_addf(&reason, "%s rose from %.1f %% to %.1f %% of the samples", name, pair->base_share * 100,
				    pair->share * 100);
		else
			strbuf_addf(&reason, "%s is new with %.1f %% of the samples", name, pair->share * 100);
		if (pair->agreement >= AGREEMENT_LEAST)
			pair->verdict = judge_cost(pair, terms, tolerance, &reason);
		else
			strbuf_addf(&reason, ", but only in %.0f %% of the pairs of profiled runs", pair->agreement * 100);
	} else if (rise + sure < shown) {
		pair->verdict = VERDICT_PASS;
		/* A pass that excludes less than twice the tolerance has a reason. */
		if (rise + sure >= 2 * tolerance)
			strbuf_addf(&reason, "a rise of %s by less than %.1f pp does not show in %.0f samples a side; about "
				    "%.0f show one of %.6g pp", name, shown * 100, n,
				    ceil(share_samples_needed(n, shown / 2, 1, tolerance) / 1000) * 1000, 2 * tolerance * 100);
	} else {
		needed = rise - pair->unlisted > tolerance ? rise - pair->unlisted - tolerance / 2 : 0;
		needed = fmin(share_samples_needed(n, error, SYMBOL_Z_WORSE, needed),
			      share_samples_needed(n, error, SYMBOL_Z_PASS, 2 * tolerance - rise));
		strbuf_addf(&reason, "%s %+.1f pp (%+.1f to %+.1f pp), limit %.6g pp", name, rise * 100, (rise - sure) * 100,
			    (rise + sure) * 100, tolerance * 100);
		if (needed <= SAMPLES_AFFORDABLE)
			strbuf_addf(&reason, ": about %.0f samples a side would decide", ceil(needed / 1000) * 1000);
		else
			strbuf_adds(&reason, ": too near to the limit for any number of samples to decide");
	}
	free(pair->reason);
	pair->reason = reason.len ? strbuf_take(&reason) : NULL;
}
