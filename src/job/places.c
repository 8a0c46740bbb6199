#include "job/places.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/own_code.h"
#include "cause/work.h"
#include "measure/process/elf.h"
#include "profile/names.h"

/* An own function, and its place in the debug information of its file. */
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

/*
 * Sets the places of N functions of one file. A source decides whose a function is, since programs contain libraries
 * of the language and of packages too. If no source is the project's, the program was built elsewhere, and sources
 * decide nothing.
 */
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
