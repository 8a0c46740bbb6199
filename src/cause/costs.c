#include "cause/explain.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/changed.h"
#include "cause/kind.h"
#include "cause/sentence.h"
#include "profile/names.h"

/* Names the project functions that account for most of the increase; functions touched by the diff rank first. */

/* Least part for the first cause, unless the diff touches it. */
#define FIRST_LEAST 0.15
/* Least part for a further cause that the diff does not touch. */
#define OTHER_LEAST 0.25

/* Weight of a function sampled on one side only. Engines inline at will, so its cost may have been elsewhere before. */
#define SEEN_ONCE 0.25

static double score(const struct search *s, const struct suspect *x)
{
	bool counted = x->at->cost[COST_INSTRUCTIONS][BASE] > 0 || x->at->cost[COST_INSTRUCTIONS][HEAD] > 0;

	return x->caused * suspect_nearness(x) * (!counted && !x->touch && !suspect_in(s, x, BASE) ? SEEN_ONCE : 1);
}

static int by_score(const void *a, const void *b, void *search)
{
	double x = score(search, *(const struct suspect *const *)a), y = score(search, *(const struct suspect *const *)b);

	return (x < y) - (x > y);
}

/* Returns what applies to the whole change, such as "Cargo.toml changed"; NULL: nothing. */
static const char *lead_of(const struct search *s)
{
	enum cause_kind whole = s->whole;
	const struct traced_file *file = whole == CAUSE_INPUT ? kind_grown_input(s) : NULL;
	const char *path = changed_place(s) ? changed_place(s)->path : changed_file(s);
	struct arena *arena = &s->scenario->arena;

	if (whole == CAUSE_BUILD && s->in->build)
		return s->in->build;
	if (whole == CAUSE_BUILD)
		return path ? arena_printf(arena, "%s changed", path_name(path)) : "files that say how to build it changed";
	if (whole == CAUSE_LIBRARY)
		return s->in->library;
	if (file)
		return arena_printf(arena, "%s, which it reads, is larger", path_name(file->path));
	if (whole == CAUSE_INPUT)
		return arena_printf(arena, "the same program has more to do%s%s", s->in->given ? ", as " : "", s->in->given ?: "");
	return NULL;
}

/* Adds the cost that X causes. */
static void add_suspect_cause(struct search *s, const struct suspect *x)
{
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	enum cause_kind own = kind_of(s, x);
	struct cause *cause = sentence_add_cause(s, kind_whole(s, own));
	const char *used = x->touch && x->touch->how == TOUCH_WORD ? x->touch->through : NULL;
	struct words words = { .lead = lead_of(s), .who = sentence_name_suspect(s, cause, x), .does = "costs", .part = true };

	sentence_set_amount(s, cause, x->caused);
	/*
	 * A changed build executes other instructions, so it needs no reason. With more input, the program does more
	 * work but is not slower.
	 */
	if (s->whole != CAUSE_BUILD)
		sentence_add_reason(s, s->whole == CAUSE_INPUT && own == CAUSE_SLOWER ? CAUSE_WORK : own, x, &reason);
	words.reason = reason.buf;
	words.tail = used ? arena_printf(&s->scenario->arena, "%s, which it uses, changed", used) : NULL;
	sentence_set(s, cause, s->asked.metric, &words);
}

/* Removes the last cause if it repeats an earlier change: changed code may be inlined into several functions. */
static void leave_out_again(struct scenario_result *s)
{
	const struct cause *last = &s->causes[s->n_causes - 1];
	bool again = false;

	for (const struct cause *c = s->causes; c < last && last->changed; c++)
		again |= text_same(c->function, last->function) && text_same(c->changed, last->changed);
	s->n_causes -= again;
}

/* Least part of the change to name a single sampled function. So large a part is hardly due to chance. */
#define NEARLY_ALL 0.75
/* Least part if that function is the only changed one. */
#define ONLY_LEAST 0.25

/*
 * Adds a cause if no cost is certain: the changed function if its samples cover most of the change, else a function
 * whose samples cover nearly all of it.
 */
static void name_changed(struct search *s)
{
	struct suspect *best;
	size_t n_changed = 0;
	double least;

	for (size_t i = 0; i < s->n; i++)
		n_changed += suspect_changed(&s->suspects[i]);
	least = (n_changed == 1 ? ONLY_LEAST : MOST_OF) * s->asked.change;
	best = SUSPECT_MOST(s, x, suspect_changed(x) && more_of(x, COST_TIME) >= least ? more_of(x, COST_TIME) : 0);
	/* An interpreter's work for a changed function, such as importing, mostly has no owner. */
	for (size_t i = 0; i < s->n && !best && s->ledger.timed; i++)
		if (suspect_changed(&s->suspects[i]) && s->suspects[i].caused > 0) {
			add_suspect_cause(s, &s->suspects[i]);
			return;
		}
	least = NEARLY_ALL * s->asked.change;
	if (!best)
		best = SUSPECT_MOST(s, x, more_of(x, COST_TIME) >= least && more_of(x, COST_TIME) > 2 * entry_error(x->at) ? more_of(x, COST_TIME) : 0);
	if (!best)
		return;
	best->more = best->caused = more_of(best, COST_TIME);
	add_suspect_cause(s, best);
}

/*
 * Returns the change to the only changed function, if costs come from samples alone and its samples did not grow. An
 * engine or a compiler inlined it, or it makes other functions do more. Otherwise NULL.
 */
static const struct change *unseen_change(const struct search *s)
{
	const struct change *only = changed_function(s);

	if (!only || s->ledger.total[COST_INSTRUCTIONS][HEAD] > 0)
		return NULL;
	for (size_t i = 0; i < s->n; i++)
		if (symbol_is_named(suspect_code(s, &s->suspects[i])->key, only->function) && s->suspects[i].caused >= CAUSE_LEAST * s->asked.change)
			return NULL;
	return only;
}

static void name_unseen(struct search *s)
{
	struct cause *cause = s->scenario->n_causes ? &s->scenario->causes[0] : NULL;
	const struct change *c = cause ? unseen_change(s) : NULL;

	if (!c || text_same(cause->function, c->function))
		return;
	/* The kind of a function that did not change is less certain than that of the change. */
	if (cause->kind == CAUSE_WORK)
		cause->kind = kind_of_place(s, c);
	cause->sentence = arena_printf(&s->scenario->arena, "%s changed, and %s", sentence_name_change(s, cause, c, 1), cause->sentence);
}

/* Returns the total of the causes so far. */
static double told(const struct search *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->scenario->n_causes; i++)
		sum += s->scenario->causes[i].share_pct / 100 * s->asked.change;
	return sum;
}

void explain_costs(struct search *s, const struct question *question)
{
	CLEANUP(free_ptr) const struct suspect **order = xcalloc(s->n + 1, sizeof *order);

	kind_ask(s, question);
	for (size_t i = 0; i < s->n; i++)
		order[i] = &s->suspects[i];
	explain_unowned(s);
	qsort_r(order, s->n, sizeof *order, by_score, s);
	for (size_t i = 0; i < s->n && s->scenario->n_causes < CAUSES_MOST; i++) {
		const struct suspect *x = order[i];
		bool changed = suspect_changed(x), other = s->scenario->n_causes && !changed;

		/* The causes so far cover nearly all: this is the same time again, of a caller or a callee. */
		if (other && x->caused > s->asked.change * (1 + CAUSE_LEAST) - told(s))
			continue;
		/*
		 * If a cause is known, a further function needs more than samples, which may be chance, unless the diff
		 * touches it.
		 */
		if (x->caused >= (changed ? CAUSE_LEAST : other ? OTHER_LEAST : FIRST_LEAST) * s->asked.change &&
		    !(other && x->counted < x->caused / 2)) {
			add_suspect_cause(s, x);
			leave_out_again(s->scenario);
		}
	}
	if (!s->scenario->n_causes && question->cost == COST_TIME)
		name_changed(s);
	if (s->whole == CAUSE_KINDS)
		name_unseen(s);
}
