#include "cause/ledger/touched.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/side.h"
#include "profile/names.h"

enum { LEVELS_MOST = 6, FOREIGN_MOST = 4 };

/* A change that touches a function of one side. */
struct touched_hit {
	uint32_t function;
	const struct change *change;
	enum touch_how how;
	const char *through;
	double weight;		/* instructions in changed lines */
};

/* -------- changes in a source */

struct side_view {
	unsigned line, n_lines;
	struct line_span span;
	const char *path;
};

static struct side_view view_of(const struct change *c, int side)
{
	if (side == HEAD)
		return (struct side_view){ c->line, c->n_lines, c->span, c->path };
	return (struct side_view){ c->base_line, c->n_base_lines, c->base_span, c->base_path ?: c->path };
}

/* A source of one side, with its changes and uses. */
struct source {
	const char *text;
	size_t *changes, n_changes, cap_changes;
	size_t *uses, n_uses, cap_uses;
};

struct sources {
	struct source *items;
	size_t n, cap;
};

static void fill_source(struct arena *arena, struct source *s, const struct changes *changes, int side)
{
	for (size_t i = 0; i < changes->n; i++) {
		if (!changes_has_source(changes, side, s->text, view_of(&changes->items[i], side).path))
			continue;
		*ARENA_ADD(arena, s->changes, s->n_changes, s->cap_changes) = i;
	}
	/* Uses have lines of head, which mean nothing in base. */
	for (size_t i = 0; i < changes->n_uses && side == HEAD; i++) {
		if (!changes_has_source(changes, side, s->text, changes->uses[i].path))
			continue;
		*ARENA_ADD(arena, s->uses, s->n_uses, s->cap_uses) = i;
	}
}

/* Returns the source called TEXT; valid until the next call. Lines of one source share its text. */
static const struct source *source_of(struct touched *t, struct sources *all, const char *text, int side)
{
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].text == text)
			return &all->items[i];
	ARENA_GROW(&t->arena, all->items, all->n, all->cap);
	all->items[all->n] = (struct source){ .text = text };
	fill_source(&t->arena, &all->items[all->n], t->changes, side);
	return &all->items[all->n++];
}

/* -------- hits */

static void add_hit(struct touched *t, int side, struct touched_hit hit)
{
	struct touched_hits *hits = &t->hits[side];
	struct touched_hit *last = hits->n ? &hits->items[hits->n - 1] : NULL;

	/* Lines of one function follow each other. */
	if (last && last->function == hit.function && last->change == hit.change && last->how == hit.how) {
		last->weight += hit.weight;
		return;
	}
	*ARENA_ADD(&t->arena, hits->items, hits->n, hits->cap) = hit;
}

static bool within(struct line_span span, unsigned line)
{
	return span.first && line >= span.first && line <= span.last;
}

/* Returns the code of C in the function KEY of a side, its own lines first; or NULL. */
static const struct change_code *code_in(const struct change *c, int side, const char *key)
{
	const struct change_code *found = NULL;

	for (size_t i = 0; i < c->n_code; i++)
		if (c->code[i].side == side && !strcmp(c->code[i].key, key) && (!found || !c->code[i].through))
			found = &c->code[i];
	return found;
}

/* True if the lines of C, which the compiler made no code of, are CODE's own. */
static bool is_own_line(const struct code *code, const struct change *c, const char *source)
{
	return c->function ? symbol_is_named(code->key, c->function) : !code->source || !strcmp(code->source, source);
}

static void hit_by_line(struct touched *t, int side, const struct work_line *l, const struct source *source)
{
	const struct code *code = &t->works[side]->functions[l->function].code;
	const struct changes *changes = t->changes;

	for (size_t i = 0; i < source->n_changes; i++) {
		const struct change *c = &changes->items[source->changes[i]];
		struct side_view view = view_of(c, side);
		bool changed = l->line >= view.line && l->line < view.line + view.n_lines, own;
		const struct change_code *compiled = code_in(c, side, code->key);

		if (!changed && (c->n_code || !within(view.span, l->line)))
			continue;
		own = compiled ? !compiled->through : is_own_line(code, c, l->source);
		add_hit(t, side, (struct touched_hit){
			.function = l->function, .change = c, .how = own ? TOUCH_BODY : TOUCH_INLINED,
			.through = own ? NULL : compiled ? compiled->through : c->function, .weight = changed ? l->self : 0,
		});
	}
	for (size_t i = 0; i < source->n_uses; i++) {
		const struct change_use *use = &changes->uses[source->uses[i]];

		if (use->line == l->line)
			add_hit(t, side, (struct touched_hit){
				.function = l->function, .change = &changes->items[use->change], .how = TOUCH_WORD,
				.through = use->word, .weight = l->self,
			});
	}
}

static void hit_by_lines(struct touched *t, int side)
{
	const struct work *work = t->works[side];
	struct sources sources = { 0 };
	const struct source *source = NULL;

	for (size_t i = 0; i < work->n_lines; i++) {
		const struct work_line *l = &work->lines[i];

		if (!work->functions[l->function].code.own)
			continue;
		if (!source || source->text != l->source)
			source = source_of(t, &sources, l->source, side);
		hit_by_line(t, side, l, source);
	}
}

/* A function's name in the source, with the change or use in it. */
struct named {
	char name[NAME_PLAIN_MOST];	/* last part */
	const char *function, *path, *word;
	const struct change *change;
};

struct names {
	struct named *items;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static void add_name(struct arena *arena, struct names *names, struct named named)
{
	/* The compiler knows better than names. */
	if (!named.function || (!named.word && named.change->n_code))
		return;
	symbol_last_name(named.function, named.name, sizeof named.name);
	*ARENA_ADD(arena, names->items, names->n, names->cap) = named;
}

static void find_names(struct touched *t, int side, struct names *out)
{
	const struct changes *changes = t->changes;

	for (size_t i = 0; i < changes->n; i++) {
		const struct change *c = &changes->items[i];

		add_name(&t->arena, out, (struct named){ .function = c->function, .path = view_of(c, side).path, .change = c });
	}
	for (size_t i = 0; i < changes->n_uses; i++) {
		const struct change_use *use = &changes->uses[i];

		add_name(&t->arena, out, (struct named){
			.function = use->function, .path = use->path, .word = use->word, .change = &changes->items[use->change],
		});
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, by_name);
}

static void hit_by_name(struct touched *t, const struct names *names, int side, uint32_t function)
{
	const struct code *code = &t->works[side]->functions[function].code;
	struct named wanted;

	symbol_last_name(code->key, wanted.name, sizeof wanted.name);
	for (size_t at = SEARCH_FIRST(i, names->n, by_name(&names->items[i], &wanted) >= 0);
	     at < names->n && !by_name(&names->items[at], &wanted); at++) {
		const struct named *n = &names->items[at];

		if ((!code->source || changes_has_source(t->changes, side, code->source, n->path)) &&
		    symbol_is_named(code->key, n->function))
			add_hit(t, side, (struct touched_hit){
				.function = function, .change = n->change, .how = n->word ? TOUCH_WORD : TOUCH_BODY, .through = n->word,
			});
	}
}

/* Adds a hit for a nameless script function that begins in a changed line. */
static void hit_by_place(struct touched *t, int side, uint32_t function)
{
	const struct code *code = &t->works[side]->functions[function].code;

	for (size_t i = 0; i < t->changes->n && code->source && name_is_anonymous(code->key); i++) {
		const struct change *c = &t->changes->items[i];
		struct side_view view = view_of(c, side);

		if (code->line >= view.line && code->line < view.line + view.n_lines &&
		    changes_has_source(t->changes, side, code->source, view.path))
			add_hit(t, side, (struct touched_hit){ .function = function, .change = c, .how = TOUCH_BODY });
	}
}

/* Returns the position of the first function with KEY among those sorted by key, or where it would be. */
static size_t first_of_key(const struct touched *t, int side, const char *key)
{
	const struct work *work = t->works[side];

	return SEARCH_FIRST(i, work ? work->n_functions : 0, strcmp(work->functions[t->by_key[side][i]].code.key, key) >= 0);
}

/* Adds hits for the functions that the compiler put the lines of C into. */
static void hit_by_code(struct touched *t, int side, const struct change *c)
{
	const struct work *work = t->works[side];

	for (size_t i = 0; i < c->n_code; i++) {
		const struct change_code *compiled = &c->code[i];

		for (size_t at = first_of_key(t, side, compiled->key); compiled->side == side && at < work->n_functions; at++) {
			uint32_t function = t->by_key[side][at];
			const struct code *code = &work->functions[function].code;

			if (strcmp(code->key, compiled->key) != 0)
				break;
			/* Two files of a program may have functions of one name. */
			if (!code->own || (!compiled->through && code->source &&
					   !changes_has_source(t->changes, side, code->source, view_of(c, side).path)))
				continue;
			add_hit(t, side, (struct touched_hit){
				.function = function, .change = c, .how = compiled->through ? TOUCH_INLINED : TOUCH_BODY,
				.through = compiled->through,
			});
		}
	}
}

static int by_function(const void *a, const void *b)
{
	const struct touched_hit *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return x->change < y->change ? -1 : x->change > y->change;
}

static int by_key(const void *a, const void *b, void *work)
{
	const struct work_function *functions = ((const struct work *)work)->functions;

	return strcmp(functions[*(const uint32_t *)a].code.key, functions[*(const uint32_t *)b].code.key);
}

static uint32_t *sorted_by_key(struct arena *arena, const struct work *work)
{
	uint32_t *order = arena_alloc(arena, (work->n_functions + 1) * sizeof *order);

	for (size_t i = 0; i < work->n_functions; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, work->n_functions, sizeof *order, by_key, (void *)(uintptr_t)work);
	return order;
}

void touched_init(struct touched *out, const struct changes *changes, const struct work *base, const struct work *head)
{
	*out = (struct touched){ .changes = changes, .works = { base, head } };
	for (int side = BASE; side < SIDES; side++) {
		struct touched_hits *hits = &out->hits[side];
		const struct work *work = out->works[side];
		struct names names = { 0 };

		if (!work)
			continue;
		out->by_key[side] = sorted_by_key(&out->arena, work);
		if (!changes->n)
			continue;
		hit_by_lines(out, side);
		for (size_t i = 0; i < changes->n; i++)
			hit_by_code(out, side, &changes->items[i]);
		find_names(out, side, &names);
		for (uint32_t i = 0; i < work->n_functions; i++)
			if (work->functions[i].code.own) {
				hit_by_name(out, &names, side, i);
				hit_by_place(out, side, i);
			}
		if (hits->n)
			qsort(hits->items, hits->n, sizeof *hits->items, by_function);
	}
}

void touched_release(struct touched *touched)
{
	arena_release(&touched->arena);
	*touched = (struct touched){ 0 };
}

/* -------- finding */

/* Returns the first hit of FUNCTION, and their number in N. */
static const struct touched_hit *hits_of(const struct touched *t, int side, uint32_t function, size_t *n)
{
	const struct touched_hits *hits = &t->hits[side];
	size_t first = SEARCH_FIRST(i, hits->n, hits->items[i].function >= function);

	*n = 0;
	while (first + *n < hits->n && hits->items[first + *n].function == function)
		(*n)++;
	return *n ? hits->items + first : NULL;
}

static size_t word_length(const char *at)
{
	size_t n = 0;

	while (text_is_digit(at[n]) || (at[n] >= 'a' && at[n] <= 'z') || (at[n] >= 'A' && at[n] <= 'Z') || at[n] == '_')
		n++;
	return n;
}

/* False for a line of only braces, brackets or "else". */
static bool says_something(const char *line)
{
	const char *at = line;

	while (*at && !word_length(at) && !(*at & 0x80))
		at++;
	return *at && strcmp(line, "else") != 0 && strcmp(line, "} else {") != 0;
}

/* Returns the number of changed lines for which says_something() is true. */
static double changed_lines(const struct change *c)
{
	double n = 0;

	for (size_t i = 0; i < c->before.n; i++)
		n += says_something(c->before.items[i]);
	for (size_t i = 0; i < c->now.n; i++)
		n += says_something(c->now.items[i]);
	return n;
}

/* Returns the first change with a line that says something. If neither has one, returns FIRST unless it is NULL. */
static const struct change *first_telling(const struct change *first, const struct change *second)
{
	return first && (changed_lines(first) > 0 || !(changed_lines(second) > 0)) ? first : second;
}

/*
 * Returns how much more head executes in the lines of CHANGE than base, in both functions. UINT32_MAX: missing on that
 * side.
 */
static double moved(const struct touched *t, const uint32_t functions[SIDES], const struct change *change)
{
	double weight = 0;

	for (int side = BASE; side < SIDES; side++) {
		size_t n = 0;
		const struct touched_hit *hits = functions[side] == UINT32_MAX ? NULL : hits_of(t, side, functions[side], &n);

		for (size_t i = 0; i < n; i++)
			if (hits[i].change == change)
				weight += side == HEAD ? hits[i].weight : -hits[i].weight;
	}
	return weight;
}

/*
 * Finds the nearest change to these functions themselves. Changes with a line that says something rank first. Equally
 * near ones rank by the growth of their lines' cost, then by their number of lines. Work at a function's end counts at
 * its closing brace.
 */
static bool touched_itself(const struct touched *t, const uint32_t functions[SIDES], struct touch *out)
{
	double best = 0;
	bool found = false, tells = false;

	for (int side = SIDES; side-- > BASE;) {
		size_t n = 0;
		const struct touched_hit *hits = functions[side] == UINT32_MAX ? NULL : hits_of(t, side, functions[side], &n);

		for (size_t i = 0; i < n; i++) {
			double lines = changed_lines(hits[i].change), weight = moved(t, functions, hits[i].change) + lines * 1e-6;
			int nearer = !found ? 1 : (lines > 0) - tells ?: (int)out->how - (int)hits[i].how ?: weight > best;

			if (nearer <= 0)
				continue;
			*out = (struct touch){ .how = hits[i].how, .change = hits[i].change, .through = hits[i].through };
			best = weight;
			tells = lines > 0;
			found = true;
		}
	}
	return found;
}

/* Returns the number of names that two paths share at their end. The trees of both sides differ before that. */
static int same_end(const char *a, const char *b)
{
	size_t n = strlen(a), k = strlen(b);
	int names = 0;

	for (; n && k && a[n - 1] == b[k - 1]; n--, k--)
		names += a[n - 1] == '/';
	return names + ((!n || a[n - 1] == '/') && (!k || b[k - 1] == '/') && (!n || !k));
}

static bool same_base_name(const char *a, const char *b)
{
	return !strcmp(path_name(a), path_name(b));
}

/*
 * Returns how well F matches CODE, apart from its key: two files of a program may have functions of one name. 0: not at
 * all.
 */
static int likeness(const struct work_function *f, const struct code *code)
{
	bool sources = f->code.source && code->source;

	if (&f->code == code)
		return INT_MAX;
	if (sources && same_base_name(f->code.source, code->source))
		return 3 + same_end(f->code.source, code->source);
	if (sources)
		return 0;
	/* A profile may have another name for a file. */
	return same_base_name(f->code.object, code->object) ? 2 : f->code.own;
}

/* Returns CODE's number among the functions of a side; UINT32_MAX: missing. */
static uint32_t function_of(const struct touched *t, int side, const struct code *code)
{
	const struct work *work = t->works[side];
	uint32_t found = UINT32_MAX;
	size_t low = first_of_key(t, side, code->key);
	int best = 0;

	for (; work && low < work->n_functions; low++) {
		const struct work_function *f = &work->functions[t->by_key[side][low]];

		if (strcmp(f->code.key, code->key) != 0)
			break;
		if (likeness(f, code) > best) {
			best = likeness(f, code);
			found = t->by_key[side][low];
		}
	}
	return found;
}

static bool function_touched(const struct touched *t, int side, uint32_t function, struct touch *out)
{
	uint32_t functions[SIDES];

	functions[side] = function;
	functions[!side] = function_of(t, !side, &t->works[side]->functions[function].code);
	return touched_itself(t, functions, out);
}

/*
 * Goes one step along the calls from level DEPTH: DOWN to callees, else to callers. New functions get the next level in
 * LEVELS. Returns false if none is new.
 */
static bool step(const struct work *work, uint8_t *levels, uint8_t depth, bool down, bool foreign_only)
{
	bool any = false;

	for (size_t i = 0; i < work->n_calls; i++) {
		uint32_t from = down ? work->calls[i].caller : work->calls[i].callee;
		uint32_t to = down ? work->calls[i].callee : work->calls[i].caller;

		if (from >= work->n_functions || to >= work->n_functions || levels[from] != depth || levels[to])
			continue;
		if (foreign_only && work->functions[from].code.own)
			continue;
		levels[to] = (uint8_t)(depth + 1);
		any = true;
	}
	return any;
}

/* Finds the costliest function at level DEPTH that is touched itself. */
static bool touched_at(const struct touched *t, int side, const uint8_t *levels, uint8_t depth, enum touch_how how, struct touch *out)
{
	const struct work *work = t->works[side];
	double best = -1;

	for (size_t i = 0; i < work->n_functions; i++) {
		struct touch found;

		if (levels[i] != depth || !work->functions[i].code.own || work->functions[i].self <= best ||
		    !function_touched(t, side, (uint32_t)i, &found))
			continue;
		best = work->functions[i].self;
		*out = (struct touch){ .how = how, .change = found.change, .through = work->functions[i].code.function, .distance = depth - 1u };
	}
	return best >= 0;
}

/* Finds a touched callee, direct or behind foreign code that calls back, or a touched caller some levels up. */
static bool touched_around(const struct touched *t, int side, uint32_t function, bool down, struct touch *out)
{
	const struct work *work = t->works[side];
	CLEANUP(free_ptr) uint8_t *levels = xcalloc(work->n_functions + 1, 1);

	levels[function] = 1;
	for (unsigned depth = 1; depth <= (down ? FOREIGN_MOST : LEVELS_MOST); depth++) {
		if (!step(work, levels, (uint8_t)depth, down, down && depth > 1))
			return false;
		if (touched_at(t, side, levels, (uint8_t)(depth + 1), down ? TOUCH_CALLEE : TOUCH_CALLER, out))
			return true;
	}
	return false;
}

/* Finds a change by place or name alone, for a function missing in both works. */
static bool touched_by_name(const struct touched *t, const struct code *code, struct touch *out)
{
	const struct change *itself = NULL;
	const struct change_code *compiled;
	bool found;

	for (size_t i = 0; i < t->changes->n; i++) {
		const struct change *c = &t->changes->items[i];

		if (code_in(c, HEAD, code->key) ||
		    (c->function && !c->n_code && (!code->source || changes_has_source(t->changes, HEAD, code->source, c->path)) &&
		     symbol_is_named(code->key, c->function)))
			itself = first_telling(itself, c);
	}
	found = itself != NULL;
	compiled = found ? code_in(itself, HEAD, code->key) : NULL;
	if (found)
		*out = (struct touch){
			.how = compiled && compiled->through ? TOUCH_INLINED : TOUCH_BODY, .change = itself,
			.through = compiled ? compiled->through : NULL,
		};
	for (size_t i = 0; i < t->changes->n_uses && !found; i++) {
		const struct change_use *use = &t->changes->uses[i];

		if (use->function && (!code->source || changes_has_source(t->changes, HEAD, code->source, use->path)) && symbol_is_named(code->key, use->function)) {
			*out = (struct touch){ .how = TOUCH_WORD, .change = &t->changes->items[use->change], .through = use->word };
			found = true;
		}
	}
	return found;
}

/* Finds a change outside all functions of a Python module, which runs on import. */
static bool touched_module(const struct touched *t, const struct code *code, struct touch *out)
{
	const struct change *found = NULL;

	for (size_t i = 0; i < t->changes->n && code->source && !strcmp(code->function, "<module>"); i++) {
		const struct change *c = &t->changes->items[i];

		if (!c->function && c->now.n && changes_has_source(t->changes, HEAD, code->source, c->path))
			found = first_telling(found, c);
	}
	if (found)
		*out = (struct touch){ .how = TOUCH_BODY, .change = found };
	return found != NULL;
}

/*
 * Finds the only changed function in CODE's file, if functions are known from samples alone. An engine or a compiler
 * may have inlined it into CODE.
 */
static bool touched_unseen(const struct touched *t, const struct code *code, struct touch *out)
{
	const struct change *found = NULL;
	char name[NAME_PLAIN_MOST];

	if (!code->source || (t->works[HEAD] && t->works[HEAD]->total > 0))
		return false;
	symbol_last_name(code->key, name, sizeof name);
	for (size_t i = 0; i < t->changes->n; i++) {
		const struct change *c = &t->changes->items[i];

		/* Calls are unknown, except from the words of the diff. */
		if (strv_has(&c->words, name)) {
			*out = (struct touch){ .how = TOUCH_CALLER, .change = c, .through = c->function };
			return true;
		}
		if (!c->function || !changes_has_source(t->changes, HEAD, code->source, c->path))
			continue;
		if (found && strcmp(found->function, c->function) != 0)
			return false;
		found = first_telling(found, c);
	}
	if (!found)
		return false;
	*out = (struct touch){ .how = TOUCH_INLINED, .change = found, .through = found->function, .by_file = true };
	return true;
}

bool touched_find(const struct touched *touched, const struct code *code, struct touch *out)
{
	uint32_t functions[SIDES] = { function_of(touched, BASE, code), function_of(touched, HEAD, code) };

	if (!touched->changes->n)
		return false;
	if (functions[BASE] == UINT32_MAX && functions[HEAD] == UINT32_MAX)
		return code->own && touched_by_name(touched, code, out);
	if (touched_itself(touched, functions, out) || touched_module(touched, code, out) || touched_unseen(touched, code, out))
		return true;
	for (int down = 1; down >= 0; down--)
		for (int side = SIDES; side-- > BASE;)
			if (functions[side] != UINT32_MAX && touched_around(touched, side, functions[side], down, out))
				return true;
	return false;
}

/* -------- the text of a change */

/* Returns the position of WORD in LINE as a whole word; or NULL. */
static const char *find_word(const char *line, const char *word)
{
	size_t len = strlen(word), n;

	for (const char *at = line; *at; at += n ?: 1) {
		n = word_length(at);
		if (n == len && !memcmp(at, word, len))
			return at;
	}
	return NULL;
}

/* Rates a new line: a new call ranks highest, then another new word, then a line that does something. */
static int telling(const char *line, const struct strv *words)
{
	int score = !!strpbrk(line, "(=");

	for (size_t i = 0; i < words->n; i++) {
		const char *at = find_word(line, words->items[i]);

		if (at && score < 4)
			score = at[strlen(words->items[i])] == '(' ? 4 : 2;
	}
	return score;
}

static int words_shared(const char *a, const char *b)
{
	int shared = 0;

	for (size_t n; *a; a += n ?: 1) {
		char word[64];

		n = word_length(a);
		snprintf(word, sizeof word, "%.*s", (int)n, a);
		shared += n && n < sizeof word && find_word(b, word);
	}
	return shared;
}

/* Returns the line of LINES, missing in OTHERS, that rates highest or, given LIKE, resembles it most. "": none. */
static const char *line_of(const struct strv *lines, const struct strv *others, const struct strv *words, const char *like)
{
	const char *found = "";
	int best = -1;
	size_t n = 0;

	for (size_t i = 0; i < lines->n; i++) {
		const char *line = lines->items[i];
		int score = like && *like ? words_shared(line, like) - 1 : telling(line, words);

		if (!says_something(line) || strv_has(others, line))
			continue;
		if (!n++ || score > best)
			found = line;
		best = score > best ? score : best;
	}
	/* If several lines have nothing in common with LIKE, no line was replaced. */
	return n > 1 && best < 0 ? "" : found;
}

/* Returns the first line that says something, else the first line. */
static const char *first_line(const struct strv *lines)
{
	size_t i = 0;

	while (i < lines->n && !says_something(lines->items[i]))
		i++;
	return lines->items[i < lines->n ? i : 0];
}

/* Appends LINE in at most COLUMNS, without the end of a statement. Tabs become blanks. */
static void add_line(struct strbuf *out, const char *line, size_t columns)
{
	size_t len = strlen(line);
	CLEANUP(free_ptr) char *text = NULL;

	while (len > 1 && strchr("; {\\", line[len - 1]))
		len--;
	text = xstrndup(line, len);
	for (char *at = text; *at; at++)
		*at = *at == '\t' ? ' ' : *at;
	if (utf8_width(text) > columns) {
		text[utf8_clip(text, columns - 3)] = '\0';
		strbuf_addf(out, "%s...", text);
	} else {
		strbuf_adds(out, text);
	}
}

/* Returns the number of equal bytes at the start of A and B, up to the start of a word; 0 if fewer than 12. */
static size_t same_beginning(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	while (n && (word_length(a + n - 1) || (a[n - 1] & 0x80)))
		n--;
	return n >= 12 ? n : 0;
}

const char *change_place(const struct change *change, struct arena *arena)
{
	return arena_printf(arena, "%s:%u", change->path, change->line ? change->line : 1);
}

void change_text(const struct change *change, struct strbuf *out)
{
	const char *now = line_of(&change->now, &change->before, &change->words, NULL);
	const char *before = line_of(&change->before, &change->now, &change->words, now);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t left;

	strbuf_addf(&text, "%s:%u: ", path_name(change->path), change->n_lines || !change->base_line ? change->line : change->base_line);
	left = text.len + 40 < TOUCH_COLUMNS ? TOUCH_COLUMNS - text.len : 40;
	if (*before && *now) {
		size_t same = utf8_width(before) + utf8_width(now) + 4 > left ? same_beginning(before, now) : 0;
		size_t half = (left - 4) / 2, mine, others;

		/* Show the part that differs. */
		before += same;
		now += same;
		mine = utf8_width(before);
		others = utf8_width(now);
		strbuf_adds(&text, same ? "... " : "");

		add_line(&text, before, others < half ? left - 4 - others : half);
		strbuf_adds(&text, " -> ");
		add_line(&text, now, mine < half ? left - 4 - mine : half);
	} else if (*now) {
		strbuf_adds(&text, "added: ");
		add_line(&text, now, left - 7);
	} else if (!*before && change->now.n) {
		add_line(&text, first_line(&change->now), left);
	} else {
		strbuf_adds(&text, "removed: ");
		add_line(&text, *before || !change->before.n ? before : first_line(&change->before), left - 9);
	}
	strbuf_adds(out, text.buf);
}
