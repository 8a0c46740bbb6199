#include "measure/git/file_source.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/git/git.h"
#include "measure/process/child.h"
#include "measure/process/files.h"
#include "measure/process/interrupt.h"

#define ANSWER_NS (60 * NS_PER_S)
enum {
	HEADER_LONGEST = 4096,
	TREE_LARGEST = 16 << 20,
	LINK_LONGEST = 4096,
	LINKS_MOST = 32,
	FOLDERS_DEEPEST = 128,
	OBJECT_ID = 64 + 1,	/* of SHA-256 */
	MODE_SUBMODULE = 0160000,
};

/* What a commit holds does not change, so that it is asked for once. */
struct kept_file {
	char *path;
	bool there;
	char *text;
	size_t len;
};

/* -------- git cat-file --batch */

struct git_batch {
	struct child child;
	int fd;			/* ours of a pair of sockets: git reads requests from the other, and answers into it */
	struct strbuf read;	/* and not yet used */
};

static void batch_close(struct file_source *source)
{
	struct git_batch *batch = source->batch;

	if (!batch)
		return;
	close(batch->fd);
	child_dispose(source->keeper, &batch->child);
	strbuf_release(&batch->read);
	free(batch);
	source->batch = NULL;
}

/* Standard input of a child is empty, so its requests come through descriptor 3. */
static int batch_start(struct file_source *source, int theirs, struct child *out, struct error *err)
{
	static const char *const words[] = { "/bin/sh", "-c", "exec \"$@\" <&3 3<&-", "git", "git", "--no-pager",
					     "--no-replace-objects", "cat-file", "--batch" };
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .environment = &environment, .cwd = source->dir,
				   .stdout_fd = theirs, .extra_fds = { theirs } };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		strv_push(&argv, words[i]);
	git_environment(&environment);
	if (child_start(source->keeper, &spec, out, err) < 0)
		return -1;
	if (child_release(out, err) == 0)
		return 0;
	child_dispose(source->keeper, out);
	return -1;
}

static int batch_open(struct file_source *source, struct error *err)
{
	struct git_batch *batch;
	int pair[2], ret;

	if (source->batch)
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return error_sys(err, errno, "cannot make sockets for git");
	batch = xcalloc(1, sizeof *batch);
	batch->read = (struct strbuf)STRBUF_INIT;
	batch->fd = pair[0];
	ret = batch_start(source, pair[1], &batch->child, err);
	close(pair[1]);
	if (ret < 0) {
		close(batch->fd);
		free(batch);
		return -1;
	}
	source->batch = batch;
	return 0;
}

/* What git said on standard error is why it ended. */
static int batch_gone(struct file_source *source, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	if (child_wait(source->keeper, &source->batch->child, clock_now_ns() + NS_PER_S, err) < 0)
		return -1;
	tail_text(&source->batch->child.output, &said);
	return error_set(err, ERR_TARGET, "git cat-file ended, before it gave what %.12s holds: %.*s", source->commit,
			 (int)strcspn(said.buf, "\n"), said.buf);
}

/* At least one more byte of the answer. */
static int batch_more(struct file_source *source, uint64_t deadline_ns, struct error *err)
{
	struct git_batch *batch = source->batch;
	struct interrupt *interrupt = source->keeper->interrupt;
	char chunk[65536];
	ssize_t n;

	for (;;) {
		struct pollfd fd = { .fd = batch->fd, .events = POLLIN };

		if (clock_now_ns() > deadline_ns)
			return error_set(err, ERR_SYSTEM, "git cat-file does not answer");
		if (poll(&fd, 1, 200) > 0)
			break;
		if (interrupt && interrupt_check(interrupt, err) < 0)
			return -1;
	}
	n = read(batch->fd, chunk, sizeof chunk);
	if (n < 0)
		return errno == EINTR ? 0 : error_sys(err, errno, "cannot read git's output");
	if (!n)
		return batch_gone(source, err);
	strbuf_add(&batch->read, chunk, (size_t)n);
	return 0;
}

static void batch_used(struct git_batch *batch, size_t n)
{
	CLEANUP(strbuf_release) struct strbuf rest = STRBUF_INIT;

	strbuf_add(&rest, batch->read.buf + n, batch->read.len - n);
	strbuf_reset(&batch->read);
	strbuf_add(&batch->read, rest.buf, rest.len);
}

/* "ID TYPE SIZE\n"; "NAME missing\n" is *SIZE -1. */
static int read_header(struct file_source *source, uint64_t deadline_ns, long long *size, char id[OBJECT_ID], struct error *err)
{
	struct strbuf *read = &source->batch->read;
	const char *end, *space;

	while (!(end = memchr(read->buf, '\n', read->len))) {
		if (read->len > HEADER_LONGEST)
			return error_set(err, ERR_SYSTEM, "git cat-file answers what cannot be read");
		if (batch_more(source, deadline_ns, err) < 0)
			return -1;
	}
	space = memrchr(read->buf, ' ', (size_t)(end - read->buf));
	*size = space ? strtoll(space + 1, NULL, 10) : -1;
	if (!space || !strncmp(space, " missing\n", 9))
		*size = -1;
	snprintf(id, OBJECT_ID, "%.*s", (int)strcspn(read->buf, " \n"), read->buf);
	batch_used(source->batch, (size_t)(end - read->buf) + 1);
	return 0;
}

/* Takes SIZE bytes of the answer, and the newline behind them, into OUT unless that is NULL. */
static int read_body(struct file_source *source, uint64_t deadline_ns, size_t size, struct strbuf *out, struct error *err)
{
	struct strbuf *read = &source->batch->read;

	while (size + 1 > read->len) {
		size_t have = read->len < size ? read->len : size;

		if (out)
			strbuf_add(out, read->buf, have);
		batch_used(source->batch, have);
		size -= have;
		if (size + 1 > read->len && batch_more(source, deadline_ns, err) < 0)
			return -1;
	}
	if (out)
		strbuf_add(out, read->buf, size);
	batch_used(source->batch, size + 1);
	return 0;
}

static int ask(struct file_source *source, const char *name, size_t limit, struct strbuf *out, char id[OBJECT_ID],
	       struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf request = STRBUF_INIT;
	uint64_t deadline_ns = clock_now_ns() + ANSWER_NS;
	long long size = -1;

	if (batch_open(source, err) < 0)
		return -1;
	strbuf_addf(&request, "%s\n", name);
	/* Shorter than what a socket takes at once. */
	if (send(source->batch->fd, request.buf, request.len, MSG_NOSIGNAL) != (ssize_t)request.len)
		return batch_gone(source, err);
	if (read_header(source, deadline_ns, &size, id, err) < 0)
		return -1;
	if (size < 0)
		return 0;
	if (read_body(source, deadline_ns, (size_t)size, (size_t)size > limit ? NULL : out, err) < 0)
		return -1;
	return (size_t)size > limit ? 2 : 1;
}

/* The object that NAME means: 1, 0 when there is none, 2 when it has more than LIMIT bytes, -1. Its id goes to ID. */
static int batch_read(struct file_source *source, const char *name, size_t limit, struct strbuf *out, char id[OBJECT_ID],
		      struct error *err)
{
	int got = ask(source, name, limit, out, id, err);

	/* Half an answer would be taken for the next one. */
	if (got < 0)
		batch_close(source);
	return got;
}

/* -------- paths in a commit's tree */

struct walk {
	struct file_source *source;
	const char *path;		/* as it was asked for */
	char folders[FOLDERS_DEEPEST][OBJECT_ID];	/* from the top to where the walk is */
	size_t depth;
	char *todo;			/* what is left of the path */
	size_t links, behind_link;	/* length of what was left behind the last link */
};

static int refuse(const struct walk *walk, const char *name, struct error *err, const char *why)
{
	return error_set(err, ERR_INPUT, "%s of %.12s: '%s' %s", walk->path, walk->source->commit, name, why);
}

static int read_object(const struct walk *walk, const char *id, size_t limit, struct strbuf *out, struct error *err)
{
	char same[OBJECT_ID];
	int got = batch_read(walk->source, id, limit, out, same, err);

	if (got == 2)
		return error_set(err, ERR_INPUT, "cannot read '%s' of %.12s: larger than the limit of %zu bytes", walk->path,
				 walk->source->commit, limit);
	if (got == 0)
		return error_set(err, ERR_SYSTEM, "'%s' of %.12s is missing in git's objects; fetch them", walk->path,
				 walk->source->commit);
	return got < 0 ? -1 : 0;
}

/* Steps through a tree object: "MODE NAME\0", and the id in bytes. The name, or NULL at the end. */
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

static int here(struct walk *walk, struct strbuf *tree, struct error *err)
{
	return read_object(walk, walk->folders[walk->depth], TREE_LARGEST, tree, err);
}

/* NAME in the folder where the walk is: its mode, 0 when it is not there; -1. */
static int look_up(struct walk *walk, const char *name, char id_out[OBJECT_ID], struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf tree = STRBUF_INIT;
	size_t id_bytes = strlen(walk->folders[0]) / 2, at = 0;
	const char *found, *id;
	unsigned mode;

	if (here(walk, &tree, err) < 0)
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

/* What the link holds comes before the rest of the path. */
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
	return 0;
}

/* Takes the first name of what is left; NULL when nothing is. For free(). */
static char *next_name(struct walk *walk)
{
	const char *start = walk->todo + strspn(walk->todo, "/");
	size_t len = strcspn(start, "/");
	char *name = len ? xstrndup(start, len) : NULL, *rest;

	start += len;
	rest = xstrdup(start + strspn(start, "/"));
	free(walk->todo);
	walk->todo = rest;
	return name;
}

/* One name further: 1, the file's id in ID when that is the end; 0: there is no such path; -1. */
static int step(struct walk *walk, const char *name, char id[OBJECT_ID], struct error *err)
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
		return follow(walk, name, id, err) < 0 ? -1 : 1;
	if (mode == MODE_SUBMODULE)
		return refuse(walk, name, err, "is a submodule, whose files are in another repository; keep what judges a "
					       "project in the project's own");
	if (!S_ISDIR((mode_t)mode))
		return *walk->todo ? 0 : 2;
	if (walk->depth + 1 == FOLDERS_DEEPEST)
		return refuse(walk, name, err, "lies too deep");
	memcpy(walk->folders[++walk->depth], id, OBJECT_ID);
	return 1;
}

static int find_top(struct walk *walk, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, tree = STRBUF_INIT;
	int got;

	strbuf_addf(&name, "%s^{tree}", walk->source->commit);
	got = batch_read(walk->source, name.buf, TREE_LARGEST, &tree, walk->folders[0], err);
	if (got == 1)
		return 0;
	return got < 0 ? -1 : error_set(err, ERR_SYSTEM, "git has no tree of commit %.12s", walk->source->commit);
}

/* 2: a file, its id in ID; 1: a folder, the walk being in it; 0: neither; -1. */
static int walk_to(struct walk *walk, char id[OBJECT_ID], struct error *err)
{
	struct strbuf todo = STRBUF_INIT;
	int got;

	if (find_top(walk, err) < 0)
		return -1;
	strbuf_addf(&todo, "%s%s", walk->source->prefix, walk->path);
	walk->todo = strbuf_take(&todo);
	do {
		CLEANUP(free_ptr) char *name = next_name(walk);

		if (!name)
			return 1;
		got = step(walk, name, id, err);
	} while (got == 1);
	return got;
}

static int read_commit(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) struct walk *walk = xcalloc(1, sizeof *walk);
	char id[OBJECT_ID];
	int got;

	walk->source = source;
	walk->path = path;
	got = walk_to(walk, id, err);
	free(walk->todo);
	if (got == 2)
		return read_object(walk, id, limit, out, err) < 0 ? -1 : 1;
	return got < 0 ? -1 : 0;
}

static int list_commit(struct file_source *source, const char *path, struct strv *out, struct error *err)
{
	CLEANUP(free_ptr) struct walk *walk = xcalloc(1, sizeof *walk);
	CLEANUP(strbuf_release) struct strbuf tree = STRBUF_INIT;
	char id[OBJECT_ID];
	const char *name, *entry_id;
	unsigned mode;
	size_t at = 0;
	int got;

	walk->source = source;
	walk->path = path;
	got = walk_to(walk, id, err);
	free(walk->todo);
	if (got != 1)
		return got < 0 ? -1 : 0;
	if (here(walk, &tree, err) < 0)
		return -1;
	while ((name = next_entry(&tree, strlen(walk->folders[0]) / 2, &at, &mode, &entry_id)))
		strv_push(out, name);
	return 0;
}

/* -------- either */

void file_source_folder(struct file_source *out, const char *dir)
{
	*out = (struct file_source){ .dir = xstrdup(dir) };
}

void file_source_commit(struct file_source *out, struct keeper *keeper, const char *dir, const char *commit, const char *prefix)
{
	*out = (struct file_source){
		.dir = xstrdup(dir), .commit = xstrdup(commit), .prefix = xstrdup(prefix), .keeper = keeper,
	};
}

void file_source_move(struct file_source *source, const char *prefix)
{
	free(source->prefix);
	source->prefix = xstrdup(prefix);
}

void file_source_release(struct file_source *source)
{
	batch_close(source);
	for (size_t i = 0; i < source->n_kept; i++) {
		free(source->kept[i].path);
		free(source->kept[i].text);
	}
	free(source->kept);
	free(source->dir);
	free(source->commit);
	free(source->prefix);
	*source = (struct file_source){ 0 };
}

static const struct kept_file *find_kept(const struct file_source *source, const char *path)
{
	for (size_t i = 0; i < source->n_kept; i++)
		if (!strcmp(source->kept[i].path, path))
			return &source->kept[i];
	return NULL;
}

static const struct kept_file *keep(struct file_source *source, const char *path, bool there, struct strbuf *text)
{
	size_t len = text->len;

	VEC_GROW(source->kept, source->n_kept, source->cap_kept);
	source->kept[source->n_kept] = (struct kept_file){
		.path = xstrdup(path), .there = there, .text = strbuf_take(text), .len = len,
	};
	return &source->kept[source->n_kept++];
}

static int read_folder(const struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	CLEANUP(free_ptr) char *file = file_join(source->dir, path);

	if (!file_exists(file))
		return 0;
	return file_read(file, limit, out, err) < 0 ? -1 : 1;
}

int file_source_read(struct file_source *source, const char *path, size_t limit, struct strbuf *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *full = NULL;
	const struct kept_file *kept;
	int got;

	if (!source->commit)
		return read_folder(source, path, limit, out, err);
	full = file_join(source->prefix, path);
	kept = find_kept(source, full);
	if (!kept) {
		got = read_commit(source, path, limit, &text, err);
		if (got < 0)
			return -1;
		kept = keep(source, full, got, &text);
	}
	strbuf_add(out, kept->text, kept->len);
	return kept->there;
}

int file_source_list(struct file_source *source, const char *path, struct strv *out, struct error *err)
{
	CLEANUP(free_ptr) char *folder = NULL;

	if (source->commit)
		return list_commit(source, path, out, err);
	folder = file_join(source->dir, path);
	return file_list(folder, out, err);
}
