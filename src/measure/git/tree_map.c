#include "measure/git/tree_map.h"

#include <stdlib.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/process/child.h"

extern char **environ;

/* Characters that end words of commands and lists of folders. A closing brace does not: "${tmp}/src" is one path. */
static const char ends[] = " \t\n:,;=|&<>()[]{\"'`";
/* Characters that continue a path: /src is not in /src2. */
static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+@%~";

void tree_map_init(struct tree_map *out, const char *own, const char *const *trees, size_t n)
{
	*out = (struct tree_map){ .trees = STRV_INIT, .reals = STRV_INIT };
	for (size_t i = 0; i <= n; i++) {
		const char *tree = i ? trees[i - 1] : own;

		if (strv_has(&out->trees, tree))
			continue;
		strv_push(&out->trees, tree);
		strv_take(&out->reals, realpath(tree, NULL) ?: xstrdup(tree));
	}
	out->own = out->trees.items[0];
	out->own_real = out->reals.items[0];
}

void tree_map_release(struct tree_map *map)
{
	strv_release(&map->trees);
	strv_release(&map->reals);
	*map = (struct tree_map){ 0 };
}

static bool is_one_tree(const struct tree_map *map)
{
	for (size_t i = 0; i < map->reals.n; i++)
		if (strcmp(map->reals.items[i], map->own_real))
			return false;
	return true;
}

/* Returns the length of the longest folder that begins the path TEXT; 0: none. */
static size_t longest(const struct strv *folders, const char *text)
{
	size_t best = 0;

	for (size_t i = 0; i < folders->n; i++) {
		size_t len = strlen(folders->items[i]);
		char next;

		if (len <= best || strncmp(text, folders->items[i], len))
			continue;
		next = text[len];
		if (!next || next == '/' || !strchr(plain, next))
			best = len;
	}
	return best;
}

/* Resolves the part of PATH that exists; for free(). */
static char *resolve(const char *path)
{
	CLEANUP(free_ptr) char *head = xstrdup(path);
	struct strbuf out = STRBUF_INIT;

	for (size_t len = strlen(head); len; head[len] = '\0') {
		CLEANUP(free_ptr) char *real = realpath(head, NULL);

		if (real) {
			strbuf_adds(&out, real);
			strbuf_adds(&out, path + len);
			return strbuf_take(&out);
		}
		while (len && head[len - 1] == '/')
			len--;
		while (len && head[len - 1] != '/')
			len--;
		while (len > 1 && head[len - 1] == '/')
			len--;
	}
	return xstrdup(path);
}

enum tree_whose tree_map_whose(const struct tree_map *map, const char *path)
{
	CLEANUP(free_ptr) char *real = resolve(path);
	size_t len = longest(&map->reals, real);

	if (!len)
		return TREE_NONE;
	return len == strlen(map->own_real) && !strncmp(real, map->own_real, len) ? TREE_OWN : TREE_OTHER;
}

char *tree_map_folder(const struct tree_map *map, const char *path)
{
	CLEANUP(free_ptr) char *real = resolve(path);
	size_t len = longest(&map->reals, real);
	struct strbuf out = STRBUF_INIT;

	if (!len || longest(&map->trees, path) || longest(&map->reals, path) || is_one_tree(map))
		return NULL;
	strbuf_adds(&out, map->own);
	strbuf_add(&out, real + len, (size_t)(strrchr(real, '/') - real) - len);
	return strbuf_take(&out);
}

/* True if only allowed characters of its word precede the path. */
static bool begins_path(const char *text, size_t at)
{
	size_t start = at;

	while (start && !strchr(ends, text[start - 1]))
		start--;
	if (start == at || (at - start == 1 && text[start] == '@'))
		return true;
	if (at - start == 2 && !strncmp(text + start, "//", 2))
		return true;
	return text[start] == '-' && !memchr(text + start, '/', at - start);
}

/* Appends the own tree's counterpart of the path at TEXT. Returns the path's length; 0: it is in no tree. */
static size_t place(const struct tree_map *map, const char *text, struct strbuf *out)
{
	size_t len = longest(&map->trees, text), word = strcspn(text, ends);
	CLEANUP(free_ptr) char *path = NULL, *real = NULL;
	size_t inside;

	if (len) {
		strbuf_adds(out, map->own);
		return len;
	}
	word = strcspn(text, "$") < word ? strcspn(text, "$") : word;
	path = xstrndup(text, word);
	/* /dev and /proc are pawl's. "//" belongs to an address. */
	real = text_starts(path, "/dev/") || text_starts(path, "/proc/") || path[1] == '/' ? NULL : resolve(path);
	inside = real ? longest(&map->reals, real) : 0;
	if (!inside)
		return 0;
	strbuf_adds(out, map->own);
	strbuf_adds(out, real + inside);
	return word;
}

static bool map_text(const struct tree_map *map, const char *text, struct strbuf *out)
{
	bool any = false;

	for (size_t at = 0; text[at];) {
		size_t used = text[at] == '/' && begins_path(text, at) ? place(map, text + at, out) : 0;

		any = any || used;
		if (!used)
			strbuf_addc(out, text[at++]);
		at += used;
	}
	return any;
}

char *tree_map_text(const struct tree_map *map, const char *text)
{
	struct strbuf out = STRBUF_INIT;

	if (is_one_tree(map) || map->own[strspn(map->own, plain)])
		return xstrdup(text);
	map_text(map, text, &out);
	return strbuf_take(&out);
}

/* Maps each entry. True if one names a tree. */
static bool map_value(const struct tree_map *map, const char *value, bool list, struct strbuf *out)
{
	bool any = false;

	for (;;) {
		size_t len = strcspn(value, ":");
		CLEANUP(free_ptr) char *entry = xstrndup(value, len);
		CLEANUP(strbuf_release) struct strbuf mapped = STRBUF_INIT;
		bool found = map_text(map, entry, &mapped);
		bool missing = found && *entry == '/' && !file_exists(mapped.buf);

		if (!missing)
			strbuf_adds(out, mapped.buf);
		else if (list && strcmp(mapped.buf, entry))
			strbuf_addf(out, "%s:%s", mapped.buf, entry);
		else
			strbuf_adds(out, entry);
		any = any || found;
		value += len;
		if (!*value)
			return any;
		strbuf_addc(out, *value++);
	}
}

void tree_map_environment(const struct tree_map *map, const struct strv *only, struct arena *arena,
			  struct strv *environment)
{
	if (is_one_tree(map))
		return;
	for (char **e = environ; *e; e++) {
		size_t len = strcspn(*e, "=");
		CLEANUP(free_ptr) char *name = xstrndup(*e, len);
		CLEANUP(strbuf_release) struct strbuf value = STRBUF_INIT;
		bool list = text_ends(name, len, "PATH") || !strcmp(name, "PERL5LIB") || !strcmp(name, "RUBYLIB");

		if (!(*e)[len] || (only && !strv_has(only, name)) || variable_find(environment, *e) ||
		    TEXT_IS(name, "HOME", "PWD", "OLDPWD", "TMPDIR", "TMP", "TEMP", "_", "XDG_*", "PAWL_*", "GIT_*"))
			continue;
		if (map_value(map, *e + len + 1, list, &value))
			arena_pushf(arena, environment, "%s=%s", name, value.buf);
	}
}
