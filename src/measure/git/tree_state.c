#include "measure/git/tree_state.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"

enum { STATE_LARGEST = 1 << 30, HEAD_LARGEST = 64, BLOCK = 512 };

/* These words precede the bytes on the disk. Lines end in NUL, because a path may have a newline. */
#define FORMAT "pawl tree 3 "
/* No path contains it. */
#define BEHIND_PATH "//"

struct state {
	struct strv lines;	/* "PATH//HASH TYPE", "PATH//folder", sorted */
	uint64_t bytes;
};

static void state_release(struct state *state)
{
	strv_release(&state->lines);
}

/* Returns 0 for an unreadable file, which nobody can run. */
static uint64_t hash_file(const char *path)
{
	CLEANUP(close_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	uint64_t hash = FNV_START;
	char buf[65536];
	ssize_t n = -1;

	if (fd < 0) {
		n = readlink(path, buf, sizeof buf);
		return n < 0 ? 0 : fnv_bytes(hash, buf, (size_t)n);
	}
	while ((n = read(fd, buf, sizeof buf)) > 0)
		hash = fnv_bytes(hash, buf, (size_t)n);
	return n < 0 ? 0 : hash;
}

static int walk(const char *top, const char *folder, struct state *out, struct error *err)
{
	CLEANUP(free_ptr) char *here = file_join(top, folder);
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_list(here, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = *folder ? file_join(folder, names.items[i]) : xstrdup(names.items[i]);
		CLEANUP(free_ptr) char *full = file_join(top, path);
		struct stat st;

		/* Git rewrites its files when it inspects them. */
		if (!strcmp(names.items[i], ".git") || lstat(full, &st) < 0)
			continue;
		out->bytes += (uint64_t)st.st_blocks * BLOCK;
		if (S_ISDIR(st.st_mode)) {
			strv_pushf(&out->lines, "%s" BEHIND_PATH "folder", path);
			/* Files in a folder that cannot be listed cannot be run. */
			walk(top, path, out, NULL);
		} else {
			/* Other bits depend on who unpacked an archive. */
			strv_pushf(&out->lines, "%s" BEHIND_PATH "%016" PRIx64 " %o", path, S_ISREG(st.st_mode) || S_ISLNK(st.st_mode) ? hash_file(full) : 0,
				   (unsigned)st.st_mode & (S_IFMT | S_IXUSR));
		}
	}
	return 0;
}

static int read_state(const char *top, struct state *out, struct error *err)
{
	if (walk(top, "", out, err) < 0)
		return -1;
	strv_sort(&out->lines);
	return 0;
}

int tree_state_write(const char *top, const char *marker, struct error *err)
{
	CLEANUP(state_release) struct state state = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (read_state(top, &state, err) < 0)
		return -1;
	strbuf_addf(&text, FORMAT "%" PRIu64, state.bytes);
	strbuf_addc(&text, '\0');
	for (size_t i = 0; i < state.lines.n; i++)
		strbuf_add(&text, state.lines.items[i], strlen(state.lines.items[i]) + 1);
	return file_write(marker, text.buf, text.len, err);
}

bool tree_state_size(const char *marker, uint64_t *bytes_out)
{
	CLEANUP(close_fd) int fd = open(marker, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	char head[HEAD_LARGEST] = "";

	if (fd < 0 || read(fd, head, sizeof head - 1) <= 0 || !text_starts(head, FORMAT))
		return false;
	*bytes_out = strtoull(head + strlen(FORMAT), NULL, 10);
	return true;
}

static size_t path_len(const char *line)
{
	const char *end = strstr(line, BEHIND_PATH);

	return end ? (size_t)(end - line) : strlen(line);
}

static int compare_paths(const char *a, const char *b)
{
	size_t longest = path_len(a) > path_len(b) ? path_len(a) : path_len(b);

	return strncmp(a, b, longest + strlen(BEHIND_PATH));
}

static char *words(const char *line, const char *what)
{
	return text_printf("%.*s %s", (int)path_len(line), line, what);
}

/* MORE gets new lines. Returns what differs, for free(), or NULL. */
static char *find_difference(const struct strbuf *marker, const struct strv *now, struct strv *more)
{
	size_t i = 0;

	for (size_t at = strlen(marker->buf) + 1; at < marker->len; at += strlen(marker->buf + at) + 1, i++) {
		const char *then = marker->buf + at;

		for (; i < now->n && compare_paths(now->items[i], then) < 0; i++)
			strv_push(more, now->items[i]);
		if (i == now->n || compare_paths(now->items[i], then) != 0)
			return words(then, "is gone");
		if (strcmp(now->items[i], then) != 0)
			return words(then, "changed");
	}
	for (; i < now->n; i++)
		strv_push(more, now->items[i]);
	return NULL;
}

bool tree_state_same(const char *top, const char *marker, bool may_write, char **why_out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(state_release) struct state now = { 0 };
	CLEANUP(strv_release) struct strv more = STRV_INIT;

	*why_out = NULL;
	if (!file_exists(marker))
		return false;
	if (file_read(marker, STATE_LARGEST, &text, NULL) < 0 || !text_starts(text.buf, FORMAT) || text.buf[text.len - 1] ||
	    read_state(top, &now, NULL) < 0)
		*why_out = xstrdup("its marker cannot be read");
	else
		*why_out = find_difference(&text, &now.lines, &more);
	for (size_t i = 0; i < more.n && !*why_out; i++) {
		CLEANUP(free_ptr) char *path = xstrndup(more.items[i], path_len(more.items[i])), *full = file_join(top, path);

		if (!may_write || file_remove_tree(full, NULL) < 0)
			*why_out = words(more.items[i], "is new");
	}
	return !*why_out;
}
