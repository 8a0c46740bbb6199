#include "measure/git/file_source.h"

#include <search.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/git/git.h"

enum { TREE_LARGEST = 16 << 20, LINKS_MOST = 32, MODE_SUBMODULE = 0160000 };

/* A file as first read. Later changes to it have no effect. */
struct kept_file {
	char *path;
	bool there;
	char *text;
	size_t len;
};

/* -------- paths in a commit's tree */

/*
 * Returns the name of the next entry of a tree object, "MODE NAME" NUL, and the id as bytes before the new *AT; or
 * NULL.
 */
static const char *next_entry(const struct git_object *tree, size_t *at, unsigned *mode)
{
	const struct strbuf *text = &tree->text;
	const char *entry = text->buf + *at, *name = memchr(entry, ' ', text->len - *at);
	const char *end = name ? memchr(name, '\0', text->len - (size_t)(name - text->buf)) : NULL;

	if (!end)
		return NULL;
	*mode = (unsigned)strtoul(entry, NULL, 8);
	*at = (size_t)(end + 1 - text->buf) + strlen(tree->id) / 2;
	return *at <= text->len ? name + 1 : NULL;
}

static int ask(struct file_source *source, const char *path, size_t limit, struct git_object *out, struct error *err)
{
	CLEANUP(free_ptr) char *name = text_printf("%s:%s", source->commit, path);

	return git_object_read(source->git, source->dir, name, limit, out, err);
}

struct search {
	struct file_source *source;
	size_t limit;
	struct git_object *out;
	unsigned links;
};

static int look_up(struct search *search, const char *path, struct error *err);

/*
 * Looks up PATH with the link's text in place of its first LEN bytes: git does not follow "./x". FOLDER has the link's
 * id before AT.
 */
static int follow(struct search *search, const char *path, size_t len, const struct git_object *folder, size_t at, struct error *err)
{
	CLEANUP(git_object_release) struct git_object link = { .text = STRBUF_INIT };
	const char *slash = memrchr(path, '/', len);
	CLEANUP(free_ptr) char *target = NULL;
	char id[GIT_ID];
	int got;

	for (size_t i = 0, n = strlen(folder->id); i < n; i += 2)
		snprintf(id + i, 3, "%02x", (unsigned char)folder->text.buf[at - (n - i) / 2]);
	got = git_object_read(search->source->git, search->source->dir, id, TREE_LARGEST, &link, err);
	if (got != 1)
		return got < 0 ? -1 : 0;
	if (search->links++ == LINKS_MOST)
		return error_set(err, ERR_INPUT, "%.*s of %.12s is a symbolic link that leads in a circle", (int)len, path, search->source->commit);
	target = text_printf("%.*s%s%s", slash ? (int)(slash + 1 - path) : 0, path, link.text.buf, path + len);
	for (char *name = target; *name;) {
		size_t n = strcspn(name, "/"), next = n + (name[n] == '/');

		if (n == 1 && *name == '.')
			memmove(name, name + next, strlen(name + next) + 1);
		else
			name += next;
	}
	return look_up(search, target, err);
}

/*
 * Follows the link at the first LEN bytes of PATH, or before, that git did not follow. Returns 0 if there is no such
 * name. Links that lead nowhere, and submodules, are refused. ASTRAY is that of the object not found.
 */
static int look_behind(struct search *search, const char *path, size_t len, const char *astray, struct error *err)
{
	CLEANUP(git_object_release) struct git_object folder = { .text = STRBUF_INIT };
	const char *slash = memrchr(path, '/', len), *commit = search->source->commit, *entry;
	CLEANUP(free_ptr) char *above = xstrndup(path, slash ? (size_t)(slash - path) : 0), *here = xstrndup(path, len);
	unsigned mode = 0;
	size_t at = 0;
	int got = ask(search->source, above, TREE_LARGEST, &folder, err);

	if (got == 0 && slash)
		return look_behind(search, path, (size_t)(slash - path), folder.astray, err);
	if (got != 1 || !folder.tree)
		return got < 0 ? -1 : 0;
	while ((entry = next_entry(&folder, &at, &mode)) && strcmp(entry, path_name(here)))
		;
	if (!entry)
		return 0;
	if (mode == MODE_SUBMODULE)
		return error_set(err, ERR_INPUT, "%s of %.12s is a submodule, whose files are in another repository; keep what judges a "
				 "project in the project's own", here, commit);
	if (!S_ISLNK((mode_t)mode))
		return error_set(err, ERR_SYSTEM, "'%s' of %.12s is missing in git's objects; fetch them", here, commit);
	got = text_same(astray, GIT_NOWHERE) ? follow(search, path, len, &folder, at, err) : 0;
	return got ? got : error_set(err, ERR_INPUT, "%s of %.12s is a symbolic link that %s", here, commit, astray ?: GIT_NOWHERE);
}

/* PATH is below the repository's top. Returns 1 for a file or a folder's tree, 0 for nothing. */
static int look_up(struct search *search, const char *path, struct error *err)
{
	int got;

	if (path_below(path, ".."))
		return error_set(err, ERR_INPUT, "%s leaves the repository", path);
	got = ask(search->source, path, search->limit, search->out, err);
	if (got == 2)
		return error_set(err, ERR_INPUT, "cannot read '%s' of %.12s: larger than the limit of %zu bytes", path,
				 search->source->commit, search->limit);
	return got ? got : look_behind(search, path, strlen(path), search->out->astray, err);
}

static int find(struct file_source *source, const char *path, size_t limit, struct git_object *out, struct error *err)
{
	CLEANUP(free_ptr) char *full = text_printf("%s%s", source->prefix, path);

	path_tidy(full);
	return look_up(&(struct search){ .source = source, .limit = limit, .out = out }, full, err);
}

void file_source_folder(struct file_source *out, const char *dir)
{
	*out = (struct file_source){ .dir = xstrdup(dir) };
}

int file_source_commit(struct file_source *out, struct git *git, const char *dir, const char *commit, struct error *err)
{
	char *prefix;

	if (git_prefix(git, dir, &prefix, err) < 0)
		return -1;
	*out = (struct file_source){ .dir = xstrdup(dir), .commit = xstrdup(commit), .prefix = prefix, .git = git };
	return 0;
}

void file_source_move(struct file_source *source, const char *prefix)
{
	free(source->prefix);
	source->prefix = xstrdup(prefix);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct kept_file *)a)->path, ((const struct kept_file *)b)->path);
}

static void free_kept(void *file)
{
	struct kept_file *kept = file;

	free(kept->path);
	free(kept->text);
	free(kept);
}

void file_source_release(struct file_source *source)
{
	tdestroy(source->kept, free_kept);
	free(source->dir);
	free(source->commit);
	free(source->prefix);
	*source = (struct file_source){ 0 };
}

static int read_new(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *file = file_join(source->dir, path);
	CLEANUP(git_object_release) struct git_object object = { .text = STRBUF_INIT };
	int got;

	if (!source->commit)
		return !file_exists(file) ? 0 : file_read(file, limit, out, err) < 0 ? -1 : 1;
	got = find(source, path, limit, &object, err);
	if (got != 1 || object.tree)
		return got < 0 ? -1 : 0;
	strbuf_add(out, object.text.buf, object.text.len);
	return 1;
}

int file_source_read(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *full = file_join(source->prefix ?: "", path);
	struct kept_file *kept, **place = tfind(&(struct kept_file){ .path = full }, &source->kept, by_path);

	if (!place) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		int got = read_new(source, path, limit, &text, err);
		size_t len = text.len;

		if (got < 0)
			return -1;
		kept = xcalloc(1, sizeof *kept);
		*kept = (struct kept_file){ take_ptr(&full), got, strbuf_take(&text), len };
		place = xtsearch(kept, &source->kept, by_path);
	}
	kept = *place;
	strbuf_add(out, kept->text, kept->len);
	return kept->there;
}

int file_source_list(struct file_source *source, const char *path, struct strv *out, struct error *err)
{
	CLEANUP(free_ptr) char *folder = file_join(source->dir, path);
	CLEANUP(git_object_release) struct git_object tree = { .text = STRBUF_INIT };
	const char *name;
	unsigned mode;
	size_t at = 0;
	int got;

	if (!source->commit)
		return file_list(folder, out, err);
	got = find(source, path, TREE_LARGEST, &tree, err);
	while (got == 1 && tree.tree && (name = next_entry(&tree, &at, &mode)))
		strv_push(out, name);
	return got < 0 ? -1 : 0;
}
