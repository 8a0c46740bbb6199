#include "measure/git/file_source.h"

#include <search.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/git/git.h"

enum {
	TREE_LARGEST = 16 << 20,
	LINK_LONGEST = 4096,
	LINKS_MOST = 32,
	FOLDERS_DEEPEST = 128,
	MODE_SUBMODULE = 0160000,
};

/* A file's first contents stay valid: later changes to the file have no effect, and no file is read twice. */
struct kept_file {
	char *path;
	bool there;
	char *text;
	size_t len;
};

/* -------- paths in a commit's tree */

struct walk {
	struct file_source *source;
	const char *path;		/* as the caller gave it */
	char folders[FOLDERS_DEEPEST][GIT_ID];	/* the tree ids from the top to the current folder */
	size_t depth;
	char *todo;			/* rest of the path */
	size_t links, behind_link;	/* number of links followed; length of the path after the last link */
};

static int refuse(const struct walk *walk, const char *name, struct error *err, const char *why)
{
	return error_set(err, ERR_INPUT, "%s of %.12s: '%s' %s", walk->path, walk->source->commit, name, why);
}

static int read_object(const struct walk *walk, const char *id, size_t limit, struct strbuf *out, struct error *err)
{
	struct git_object object = { .text = STRBUF_INIT };
	int got = git_object_read(walk->source->git, walk->source->dir, id, limit, &object, err);

	strbuf_add(out, object.text.buf, object.text.len);
	git_object_release(&object);
	if (got == 2)
		return error_set(err, ERR_INPUT, "cannot read '%s' of %.12s: larger than the limit of %zu bytes", walk->path,
				 walk->source->commit, limit);
	if (got == 0)
		return error_set(err, ERR_SYSTEM, "'%s' of %.12s is missing in git's objects; fetch them", walk->path,
				 walk->source->commit);
	return got < 0 ? -1 : 0;
}

/* Steps through a tree object: "MODE NAME\0" and the id as bytes. Returns the name, or NULL at the end. */
static const char *next_entry(const struct strbuf *tree, size_t id_bytes, size_t *at, unsigned *mode, const char **id)
{
	const char *entry = tree->buf + *at, *name = memchr(entry, ' ', tree->len - *at);
	const char *end = name ? memchr(name, '\0', tree->len - (size_t)(name - tree->buf)) : NULL;

	if (!end || (size_t)(end + 1 - tree->buf) + id_bytes > tree->len)
		return NULL;
	*mode = (unsigned)strtoul(entry, NULL, 8);
	*id = end + 1;
	*at = (size_t)(*id - tree->buf) + id_bytes;
	return name + 1;
}

/* Reads the walk's current folder. */
static int read_here(struct walk *walk, struct strbuf *tree, struct error *err)
{
	return read_object(walk, walk->folders[walk->depth], TREE_LARGEST, tree, err);
}

/* Looks NAME up in the walk's current folder. Returns its mode, 0 if absent, -1 on error. */
static int look_up(struct walk *walk, const char *name, char id_out[GIT_ID], struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf tree = STRBUF_INIT;
	size_t id_bytes = strlen(walk->folders[0]) / 2, at = 0;
	const char *found, *id;
	unsigned mode;

	if (read_here(walk, &tree, err) < 0)
		return -1;
	while ((found = next_entry(&tree, id_bytes, &at, &mode, &id))) {
		if (strcmp(found, name))
			continue;
		for (size_t i = 0; i < id_bytes; i++)
			snprintf(id_out + 2 * i, 3, "%02x", (unsigned char)id[i]);
		return (int)mode;
	}
	return 0;
}

/* Puts the target of link NAME before the rest of the path. Returns 1 or -1. */
static int follow(struct walk *walk, const char *name, const char *id, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf todo = STRBUF_INIT;

	if (++walk->links > LINKS_MOST)
		return refuse(walk, name, err, "is a symbolic link that leads in a circle");
	if (read_object(walk, id, LINK_LONGEST, &todo, err) < 0)
		return -1;
	if (todo.buf[0] == '/' || !todo.len || strlen(todo.buf) != todo.len)
		return refuse(walk, name, err, "is a symbolic link that leaves the repository");
	walk->behind_link = strlen(walk->todo);
	if (walk->behind_link)
		strbuf_addf(&todo, "/%s", walk->todo);
	free(walk->todo);
	walk->todo = strbuf_take(&todo);
	return 1;
}

/* Advances by one name. 2: a file, the end, id in ID; 1: a folder, or a link to follow; 0: no such path; -1: error. */
static int step(struct walk *walk, const char *name, char id[GIT_ID], struct error *err)
{
	int mode;

	if (!strcmp(name, "."))
		return 1;
	if (!strcmp(name, "..")) {
		if (!walk->depth)
			return refuse(walk, name, err, "leaves the repository");
		walk->depth--;
		return 1;
	}
	mode = look_up(walk, name, id, err);
	if (mode < 0)
		return -1;
	if (!mode && walk->links && strlen(walk->todo) >= walk->behind_link)
		return refuse(walk, name, err, "is where a symbolic link leads, and is not there");
	if (!mode)
		return 0;
	if (S_ISLNK((mode_t)mode))
		return follow(walk, name, id, err);
	if (mode == MODE_SUBMODULE)
		return refuse(walk, name, err, "is a submodule, whose files are in another repository; keep what judges a "
					       "project in the project's own");
	if (!S_ISDIR((mode_t)mode))
		return *walk->todo ? 0 : 2;
	if (walk->depth + 1 == FOLDERS_DEEPEST)
		return refuse(walk, name, err, "lies too deep");
	memcpy(walk->folders[++walk->depth], id, GIT_ID);
	return 1;
}

/* Starts and runs WALK. 2: a file, id in ID; 1: a folder, now the walk's current one; 0: neither; -1: error. */
static int walk_to(struct walk *walk, struct file_source *source, const char *path, char id[GIT_ID], struct error *err)
{
	CLEANUP(git_object_release) struct git_object tree = { .text = STRBUF_INIT };
	CLEANUP(free_ptr) char *top = text_printf("%s^{tree}", source->commit);
	int got;

	walk->source = source;
	walk->path = path;
	got = git_object_read(source->git, source->dir, top, TREE_LARGEST, &tree, err);
	memcpy(walk->folders[0], tree.id, sizeof tree.id);
	if (got != 1)
		return got < 0 ? -1 : error_set(err, ERR_SYSTEM, "git has no tree of commit %.12s", source->commit);
	walk->todo = text_printf("%s%s", source->prefix, path);
	do {
		const char *start = walk->todo + strspn(walk->todo, "/");
		size_t len = strcspn(start, "/");
		CLEANUP(free_ptr) char *name = xstrndup(start, len), *before = walk->todo;

		walk->todo = xstrdup(start + len + strspn(start + len, "/"));
		got = len ? step(walk, name, id, err) : 1;
		if (!len)
			break;
	} while (got == 1);
	free(walk->todo);
	return got;
}

/* -------- either */

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

/* Reads a file for the first time. Returns 1, 0 if it does not exist, -1 on error. */
static int read_new(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *file = file_join(source->dir, path);
	CLEANUP(free_ptr) struct walk *walk = NULL;
	char id[GIT_ID];
	int got;

	if (!source->commit)
		return !file_exists(file) ? 0 : file_read(file, limit, out, err) < 0 ? -1 : 1;
	walk = xcalloc(1, sizeof *walk);
	got = walk_to(walk, source, path, id, err);
	if (got == 2)
		return read_object(walk, id, limit, out, err) < 0 ? -1 : 1;
	return got < 0 ? -1 : 0;
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
	CLEANUP(free_ptr) struct walk *walk = NULL;
	CLEANUP(strbuf_release) struct strbuf tree = STRBUF_INIT;
	char id[GIT_ID];
	const char *name, *entry_id;
	unsigned mode;
	size_t at = 0;
	int got;

	if (!source->commit)
		return file_list(folder, out, err);
	walk = xcalloc(1, sizeof *walk);
	got = walk_to(walk, source, path, id, err);
	if (got != 1)
		return got < 0 ? -1 : 0;
	if (read_here(walk, &tree, err) < 0)
		return -1;
	while ((name = next_entry(&tree, strlen(walk->folders[0]) / 2, &at, &mode, &entry_id)))
		strv_push(out, name);
	return 0;
}
