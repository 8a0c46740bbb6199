#include "job/places.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/own_code.h"
#include "cause/work.h"
#include "measure/process/elf.h"
#include "measure/process/files.h"
#include "model/outline.h"
#include "profile/names.h"

enum { NAME_MOST = 256, SOURCES_MOST = 3000, DEPTH_MOST = 12 };
enum { SOURCE_LARGEST = 4 << 20, ALL_LARGEST = 48 << 20 };

/* A function whose place is searched for. If its source is known, only in that file. */
struct wanted {
	char name[NAME_MOST];	/* the last part of its key */
	struct code *code;
	unsigned line;		/* start of the best match so far */
	const char *source;	/* file of that match */
	unsigned found;		/* number of functions with this name */
};

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
	const char *root;
	const struct own_code *own;
	struct defined *defined;	/* sorted by file and key */
	size_t n_defined;
	struct wanted *items;	/* sorted by name */
	size_t n;
	size_t bytes, files;	/* read so far */
	bool lost;		/* a function has no source */
	bool everywhere;	/* all files are searched now */
};

/* -------- debug information */

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

static bool is_defined(const struct places *p, const struct code *code)
{
	const struct defined *found = bsearch(&(struct defined){ .code = (struct code *)code }, p->defined, p->n_defined,
					      sizeof *p->defined, by_object);

	return found && found->source && !found->unclear;
}

/* -------- sources */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct wanted *)a)->name, ((const struct wanted *)b)->name);
}

static void find_wanted(struct places *p)
{
	p->items = xcalloc(p->work->n_functions + 1, sizeof *p->items);
	for (size_t i = 0; i < p->work->n_functions; i++) {
		struct code *code = &p->work->functions[i].code;
		struct wanted *w = &p->items[p->n];

		/* Scripts know where their functions begin. A function without a name cannot be found. */
		if (!code->own || code->key[0] == '[' || is_defined(p, code))
			continue;
		symbol_last_name(code->key, w->name, sizeof w->name);
		w->code = code;
		p->lost |= !code->source;
		p->n += w->name[0] != '\0';
	}
	qsort(p->items, p->n, sizeof *p->items, by_name);
}

/*
 * Returns the line with the function's name. Return types, attributes and templates may be on lines of their own
 * before it.
 */
static unsigned name_line(const struct outline *outline, const struct outline_item *item, const char *name)
{
	for (unsigned line = item->first; line <= item->last && line < item->first + 10; line++)
		if (strstr(outline->code[line - 1], name))
			return line;
	return item->first;
}

static bool is_wanted_here(const struct places *p, const struct wanted *w, const char *path)
{
	return p->everywhere ? !w->code->source : w->code->source && !strcmp(w->code->source, path);
}

/* Records ITEM as the place of wanted functions of its name. A definition around the executed line comes first. */
static void take_item(struct places *p, const struct outline *outline, const struct outline_item *item, const char *path)
{
	struct wanted key;
	size_t low = 0, high = p->n;

	symbol_last_name(item->name, key.name, sizeof key.name);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_name(&p->items[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < p->n && !by_name(&p->items[low], &key); low++) {
		struct wanted *w = &p->items[low];
		bool within = w->code->line >= item->first && w->code->line <= item->last;

		if (!is_wanted_here(p, w, path) || !symbol_is_named(w->code->key, item->name))
			continue;
		if (!w->found++ || within) {
			w->line = name_line(outline, item, w->name);
			w->source = path;
		}
	}
}

static void read_source(struct places *p, const char *path, const char *file)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(outline_release) struct outline outline = { 0 };

	if (p->files++ >= SOURCES_MOST || p->bytes > ALL_LARGEST || file_read(file, SOURCE_LARGEST, &text, NULL) < 0)
		return;
	p->bytes += text.len;
	outline_read(text.buf, text.len, outline_language(path, text.buf), &outline);
	for (size_t i = 0; i < outline.n; i++)
		if (outline.items[i].kind == OUTLINE_FUNCTION)
			take_item(p, &outline, &outline.items[i], path);
}

/* Reads the sources that debug information names. */
static void read_known(struct places *p)
{
	CLEANUP(strv_release) struct strv paths = STRV_INIT;

	for (size_t i = 0; i < p->n; i++)
		if (p->items[i].code->source)
			strv_push(&paths, p->items[i].code->source);
	strv_sort(&paths);
	for (size_t i = 0; i < paths.n; i++) {
		const char *path = paths.items[i];
		CLEANUP(free_ptr) char *file = path[0] == '/' ? xstrdup(path) : file_join(p->root, path);

		if (!i || strcmp(path, paths.items[i - 1]) != 0)
			read_source(p, arena_strdup(&p->work->arena, path), file);
	}
}

static bool is_compiled(enum language language)
{
	return language == LANGUAGE_C || language == LANGUAGE_RUST || language == LANGUAGE_BRACES;
}

/* Reads all sources below DIR. Links are not followed. */
static void read_folder(struct places *p, const char *dir, unsigned depth)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (depth == DEPTH_MOST || file_list(dir, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n && p->files < SOURCES_MOST; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);
		struct stat st;

		if (names.items[i][0] == '.' || !strcmp(names.items[i], "node_modules") || lstat(path, &st) < 0)
			continue;
		if (S_ISDIR(st.st_mode))
			read_folder(p, path, depth + 1);
		else if (S_ISREG(st.st_mode) && is_compiled(outline_language(names.items[i], NULL)))
			read_source(p, arena_strdup(&p->work->arena, path), path);
	}
}

void places_find(struct work *work, const struct own_code *own)
{
	struct places places = { .work = work, .root = own->root, .own = own };

	read_debug_information(&places);
	find_wanted(&places);
	read_known(&places);
	places.everywhere = true;
	if (places.lost && own->root)
		read_folder(&places, own->root, 0);
	for (size_t i = 0; i < places.n; i++) {
		struct wanted *w = &places.items[i];

		/* Without a source, several functions of one name are ambiguous. */
		if (!w->found || (!w->code->source && w->found > 1))
			continue;
		w->code->source = w->source;
		w->code->line = w->line;
	}
	free(places.items);
	free(places.defined);
}
