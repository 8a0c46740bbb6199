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

/* First word of the marker, before the bytes on the disk. One line per file follows. Lines end in NUL, because a path may contain a newline. */
#define FORMAT "pawl tree 3 "
/* Separates a path from the rest of its line. No walked path contains it. */
#define BEHIND_PATH "//"

struct walked {
	struct strv lines;	/* "PATH//MODE SIZE INODE MODIFIED CHANGED", "PATH//folder" */
	uint64_t bytes;
};

static void walked_release(struct walked *walked)
{
	strv_release(&walked->lines);
}

/* Lists everything in FOLDER of the tree at TOP. */
static int walk(const char *top, const char *folder, struct walked *out, struct error *err)
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
			continue;
		}
		strv_pushf(&out->lines, "%s" BEHIND_PATH "%o %lld %llu %lld.%09ld %lld.%09ld", path, (unsigned)st.st_mode, (long long)st.st_size,
			   (unsigned long long)st.st_ino, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			   (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
	}
	return 0;
}

static size_t path_len(const char *line)
{
	const char *end = strstr(line, BEHIND_PATH);

	return end ? (size_t)(end - line) : strlen(line);
}

static const char *facts_of(const char *line)
{
	size_t len = path_len(line);

	return line[len] ? line + len + strlen(BEHIND_PATH) : line + len;
}

/* Compares two lines by their paths only, in the order of strv_sort(). */
static int compare_paths(const char *a, const char *b)
{
	size_t longest = path_len(a) > path_len(b) ? path_len(a) : path_len(b);

	return strncmp(a, b, longest + strlen(BEHIND_PATH));
}

/* Returns a hash of the bytes of the file or link at PATH; 0 if they cannot be read, as nobody can run them then. */
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

static uint64_t hash_of_line(const char *top, const char *line)
{
	CLEANUP(free_ptr) char *path = xstrndup(line, path_len(line)), *full = file_join(top, path);

	return strcmp(facts_of(line), "folder") ? hash_file(full) : 0;
}

/* Writes the marker. HASHES: of LINES, or NULL to compute them. */
static int write_marker(const char *top, const char *marker, const struct walked *walked, const uint64_t *hashes, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT;

	strbuf_addf(&state, FORMAT "%" PRIu64, walked->bytes);
	strbuf_addc(&state, '\0');
	for (size_t i = 0; i < walked->lines.n; i++) {
		const char *line = walked->lines.items[i];

		strbuf_addf(&state, "%s %016" PRIx64, line, hashes ? hashes[i] : hash_of_line(top, line));
		strbuf_addc(&state, '\0');
	}
	return file_write(marker, state.buf, state.len, err);
}

int tree_state_write(const char *top, const char *marker, struct error *err)
{
	CLEANUP(walked_release) struct walked walked = { 0 };

	if (walk(top, "", &walked, err) < 0)
		return -1;
	strv_sort(&walked.lines);
	return write_marker(top, marker, &walked, NULL, err);
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

/* -------- comparing */

enum same { SAME, SAME_BYTES, DIFFERENT };

/* Compares NOW with THEN, a line of the marker, which ends in a hash. */
static enum same compare(const char *top, const char *now, const char *then, uint64_t *hash_out)
{
	const char *hash = strrchr(then, ' ') ?: then, *a = facts_of(now), *b = facts_of(then);
	unsigned mode_now = 0, mode_then = 0;
	char *size_now, *size_then;

	*hash_out = strtoull(hash, NULL, 16);
	if (strlen(now) == (size_t)(hash - then) && !memcmp(now, then, strlen(now)))
		return SAME;
	mode_now = (unsigned)strtoul(a, &size_now, 8);
	mode_then = (unsigned)strtoul(b, &size_then, 8);
	/* What unpacks an archive may leave out other bits. A folder has none here, and differs from any file. */
	if (!mode_now || ((mode_now ^ mode_then) & (S_IFMT | S_IXUSR)) ||
	    strtoll(size_now, NULL, 10) != strtoll(size_then, NULL, 10))
		return DIFFERENT;
	return hash_of_line(top, now) == *hash_out ? SAME_BYTES : DIFFERENT;
}

static char *words(const char *line, const char *what)
{
	return text_printf("%.*s %s", (int)path_len(line), line, what);
}

/*
 * Merges the lines of the marker with those of WALKED, which then has only the former; MORE gets the others. Returns
 * what differs, for free(), or NULL. *RENEWED_OUT: only bytes told that a file is the same.
 */
static char *merge(const char *top, const struct strbuf *state, struct walked *walked, uint64_t *hashes, struct strv *more, bool *renewed_out)
{
	struct strv *now = &walked->lines;
	size_t i = 0, kept = 0;

	for (size_t at = strlen(state->buf) + 1; at < state->len; at += strlen(state->buf + at) + 1) {
		const char *then = state->buf + at;
		enum same same;

		for (; i < now->n && compare_paths(now->items[i], then) < 0; i++)
			strv_push(more, now->items[i]);
		if (i == now->n || compare_paths(now->items[i], then) != 0)
			return words(then, "is gone");
		same = compare(top, now->items[i], then, &hashes[kept]);
		if (same == DIFFERENT)
			return words(then, "changed");
		*renewed_out |= same == SAME_BYTES;
		if (i != kept) {
			char *moved = now->items[kept];

			now->items[kept] = now->items[i];
			now->items[i] = moved;
		}
		i++;
		kept++;
	}
	for (; i < now->n; i++)
		strv_push(more, now->items[i]);
	strv_shorten(now, kept);
	return NULL;
}

bool tree_state_same(const char *top, const char *marker, bool may_write, char **why_out)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT;
	CLEANUP(walked_release) struct walked walked = { 0 };
	CLEANUP(strv_release) struct strv more = STRV_INIT;
	CLEANUP(free_ptr) uint64_t *hashes = NULL;
	bool renewed = false;

	*why_out = NULL;
	if (!file_exists(marker))
		return false;
	if (file_read(marker, STATE_LARGEST, &state, NULL) < 0 || !text_starts(state.buf, FORMAT) || state.buf[state.len - 1] ||
	    walk(top, "", &walked, NULL) < 0) {
		*why_out = xstrdup("its marker cannot be read");
		return false;
	}
	strv_sort(&walked.lines);
	hashes = xcalloc(walked.lines.n + 1, sizeof *hashes);
	*why_out = merge(top, &state, &walked, hashes, &more, &renewed);
	if (*why_out)
		return false;
	for (size_t i = 0; i < more.n; i++) {
		CLEANUP(free_ptr) char *path = xstrndup(more.items[i], path_len(more.items[i])), *full = file_join(top, path);

		if (may_write && file_remove_tree(full, NULL) == 0)
			continue;
		*why_out = words(more.items[i], "is new");
		return false;
	}
	if (!renewed)
		return true;
	if (!may_write)
		*why_out = xstrdup("the times of its files changed");
	return may_write && write_marker(top, marker, &walked, hashes, NULL) == 0;
}
