#include "job/sides/places.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "model/side.h"
#include "model/source/changes.h"
#include "profile/names.h"

struct defined {
	struct code *code;
	const char *source;	/* NULL: not found */
	unsigned line;
	bool same_file;		/* the same file as callgrind's */
	bool unclear;		/* several places match */
};

struct places {
	struct work *work;
	const struct own_code *own;
	struct defined *defined;	/* sorted by file and key */
	size_t n_defined;
};

static int by_object(const void *a, const void *b)
{
	const struct defined *x = a, *y = b;

	return strcmp(x->code->object, y->code->object) ?: strcmp(x->code->key, y->code->key);
}

struct defining {
	struct places *places;
	const char *object;
	bool has_main, has_other_main;	/* "main"; "rsidx::main" */
};

static void take_defined(void *ctx, const char *symbol, const char *source, unsigned line)
{
	struct defining *d = ctx;
	struct places *p = d->places;
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT;
	struct code wanted = { .object = d->object };
	struct defined *found;
	bool same_file;

	name_shown(symbol, false, &shown);
	name_comparable(shown.buf, d->object, &key);
	d->has_main |= !strcmp(key.buf, "main");
	d->has_other_main |= text_ends(key.buf, key.len, "::main");
	wanted.key = key.buf;
	found = bsearch(&(struct defined){ .code = &wanted }, p->defined, p->n_defined, sizeof *p->defined, by_object);
	if (!found)
		return;
	same_file = found->code->source && !strcmp(path_name(found->code->source), path_name(source));
	if (found->source && (found->same_file > same_file || (found->line == line && !strcmp(found->source, source))))
		return;
	found->unclear = found->source && found->same_file == same_file;
	found->source = arena_strdup(&p->work->arena, source);
	found->line = line;
	found->same_file = same_file;
}

/* Disowns the "main" that Rust and others put before the project's. */
static void disown_start(struct places *p, const struct defining *d)
{
	for (size_t i = 0; i < p->n_defined && !d->has_main && d->has_other_main; i++)
		if (!strcmp(p->defined[i].code->object, d->object) && !strcmp(p->defined[i].code->key, "main"))
			p->defined[i].code->own = false;
}

static bool has_own_source(const struct places *p, const struct defined *d)
{
	return d->source && !d->unclear && own_code_has(p->own, d->source);
}

/* A source decides whose a function is, unless none is the project's: then the program was built elsewhere. */
static void place_defined(struct places *p, struct defined *d, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= has_own_source(p, &d[i]);
	for (size_t i = 0; i < n; i++) {
		if (!d[i].source || d[i].unclear)
			continue;
		d[i].code->own &= !any || has_own_source(p, &d[i]);
		d[i].code->line = d[i].line;
		/* Counted lines name the file as callgrind does. */
		if (!d[i].same_file)
			d[i].code->source = d[i].source;
	}
}

static void read_debug_information(struct places *p)
{
	struct work *work = p->work;

	p->defined = xcalloc(work->n_functions + 1, sizeof *p->defined);
	for (size_t i = 0; i < work->n_functions; i++)
		if (work->functions[i].code.own && work->functions[i].code.object[0] == '/')
			p->defined[p->n_defined++].code = &work->functions[i].code;
	qsort(p->defined, p->n_defined, sizeof *p->defined, by_object);
	for (size_t i = 0, end; i < p->n_defined; i = end) {
		struct defining defining = { .places = p, .object = p->defined[i].code->object };

		for (end = i + 1; end < p->n_defined && !strcmp(defining.object, p->defined[end].code->object);)
			end++;
		elf_functions(defining.object, take_defined, &defining);
		disown_start(p, &defining);
		place_defined(p, p->defined + i, end - i);
	}
}

void places_find(struct work *work, const struct own_code *own)
{
	struct places places = { .work = work, .own = own };

	read_debug_information(&places);
	free(places.defined);
}

/* -------- the code of changes */

struct asking {
	struct changes *changes;
	int side;
	const char *object;
	const char *last, *path;	/* last source, and its path below the side's top or as it is */
	struct arena arena;
};

/* A build may have shortened its folders, or called them otherwise. */
static const char *in_tree(struct asking *a, const char *source)
{
	const char *top = a->changes->top[a->side];
	char *tidy = arena_strdup(&a->arena, source);

	path_tidy(tidy);
	if (!top || path_below(tidy, top))
		return tidy;
	for (const char *at = tidy + (*tidy == '/'); *at; at += strcspn(at, "/"), at += *at == '/') {
		CLEANUP(free_ptr) char *path = file_join(top, at);

		if (file_exists(path))
			return arena_strdup(&a->arena, path);
	}
	return tidy;
}

static const char *path_of(const struct asking *a, const struct change *c)
{
	return a->side == HEAD ? c->path : c->base_path ?: c->path;
}

static bool is_changed(void *ctx, const char *source)
{
	struct asking *a = ctx;

	for (size_t i = 0; i < a->changes->n; i++) {
		const char *path = path_of(a, &a->changes->items[i]);

		if (strcmp(path_name(path), path_name(source)) != 0)
			continue;
		if (a->last != source)
			a->path = in_tree(a, source);
		a->last = source;
		if (changes_has_source(a->changes, a->side, a->path, path))
			return true;
	}
	return false;
}

static const char *bare_name(struct arena *arena, const char *symbol)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, bare = STRBUF_INIT;

	name_shown(symbol, false, &shown);
	name_without_parameters(shown.buf, &bare);
	return arena_strdup(arena, name_qualified(bare.buf));
}

/* Code that runs before main() for values of variables. */
static bool is_start(const char *symbol)
{
	return text_starts(symbol, "_GLOBAL__") || text_starts(symbol, "__static_init") || text_ends(symbol, strlen(symbol), ".init");
}

static void add_code(struct asking *a, struct change *c, const struct elf_code *code)
{
	struct arena *arena = &a->changes->arena;
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT, key = STRBUF_INIT;
	const char *through = code->inlined ? bare_name(arena, code->inlined) : NULL;

	name_shown(code->symbol, false, &shown);
	name_comparable(shown.buf, a->object, &key);
	for (size_t i = 0; i < c->n_code; i++)
		if (c->code[i].side == a->side && !strcmp(c->code[i].key, key.buf) && text_same(c->code[i].through, through))
			return;
	*ARENA_ADD(arena, c->code, c->n_code, c->cap_code) = (struct change_code){ a->side, arena_strdup(arena, key.buf), through };
	/* Methods within a class have no line of their own in git's eyes. */
	if (c->function || is_start(code->symbol))
		return;
	c->function = through ?: bare_name(arena, code->symbol);
	c->holder = NULL;
}

static void take_code(void *ctx, const struct elf_code *code)
{
	struct asking *a = ctx;

	for (size_t i = 0; i < a->changes->n; i++) {
		struct change *c = &a->changes->items[i];
		unsigned line = a->side == HEAD ? c->line : c->base_line, n = a->side == HEAD ? c->n_lines : c->n_base_lines;

		if (code->line >= line && code->line < line + n && is_changed(a, code->source) &&
		    changes_has_source(a->changes, a->side, a->path, path_of(a, c)))
			add_code(a, c, code);
	}
}

void places_of_changes(struct changes *changes, int side, const struct work *work, const struct own_code *own)
{
	CLEANUP(strv_release) struct strv objects = STRV_INIT;

	if (own->program)
		strv_push(&objects, own->program);
	for (size_t i = 0; i < work->n_functions; i++) {
		const struct code *code = &work->functions[i].code;

		if (code->own && code->object[0] == '/' && strcmp(code->object, objects.n ? objects.items[objects.n - 1] : "") != 0)
			strv_push_new(&objects, code->object);
	}
	for (size_t i = 0; i < objects.n && changes->n; i++) {
		struct asking asking = { .changes = changes, .side = side, .object = objects.items[i] };

		elf_lines(objects.items[i], is_changed, take_code, &asking);
		arena_release(&asking.arena);
	}
}
