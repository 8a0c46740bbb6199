#include "measure/tree_state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "measure/files.h"
#include "measure/git.h"

/* More than any list that git_worktree_untracked() reads can become. */
enum { STATE_LARGEST = 1 << 30 };

/*
 * The file: this word, the hash of what differs from the commit, and one line for each file that the build made. All
 * of it ends in NUL, since a path may hold a newline.
 */
#define FORMAT "pawl tree 1"

static void describe_file(const char *top, const char *path, struct strbuf *out)
{
	CLEANUP(free_ptr) char *file = file_join(top, path);
	struct stat st;

	if (lstat(file, &st) < 0)
		strbuf_adds(out, "gone");
	else
		strbuf_addf(out, "%o %lld %lld.%09ld", (unsigned)(st.st_mode & S_IFMT), (long long)st.st_size,
			    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}

static int describe_tracked(struct keeper *keeper, const char *top, struct strbuf *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf changes = STRBUF_INIT;

	if (git_worktree_changes(keeper, top, &changes, err) < 0)
		return -1;
	strbuf_addf(out, FORMAT " %016" PRIx64, fnv_bytes(FNV_START, changes.buf, changes.len));
	strbuf_add(out, "", 1);
	return 0;
}

static int describe_made(struct keeper *keeper, const char *top, struct strbuf *out, struct error *err)
{
	CLEANUP(strv_release) struct strv made = STRV_INIT;

	if (git_worktree_untracked(keeper, top, &made, err) < 0)
		return -1;
	for (size_t i = 0; i < made.n; i++) {
		const char *path = made.items[i];

		if (path[strlen(path) - 1] == '/')
			continue;
		describe_file(top, path, out);
		strbuf_addf(out, " %s", path);
		strbuf_add(out, "", 1);
	}
	return 0;
}

int tree_state_keep(struct keeper *keeper, const char *top, const char *done, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT;
	struct error why = ERROR_INIT;

	if (describe_tracked(keeper, top, &state, &why) < 0 || describe_made(keeper, top, &state, &why) < 0) {
		if (why.kind != ERR_INPUT) {
			*err = why;
			return -1;
		}
		/* Too long to be read: no tree is the same as an empty state. */
		strbuf_reset(&state);
	}
	return file_write(done, state.buf, state.len, err);
}

/* LINE is "TYPE SIZE TIME PATH". */
static bool file_is_same(const char *top, const char *line)
{
	CLEANUP(strbuf_release) struct strbuf now = STRBUF_INIT;
	const char *path = line;

	for (int i = 0; path && i < 3; i++) {
		path = strchr(path, ' ');
		path += path != NULL;
	}
	if (!path)
		return false;
	describe_file(top, path, &now);
	return strlen(line) == now.len + 1 + strlen(path) && !memcmp(line, now.buf, now.len);
}

bool tree_state_same(struct keeper *keeper, const char *top, const char *done)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT, now = STRBUF_INIT;

	if (!file_exists(done) || file_read(done, STATE_LARGEST, &state, NULL) < 0 ||
	    describe_tracked(keeper, top, &now, NULL) < 0)
		return false;
	if (state.len < now.len || memcmp(state.buf, now.buf, now.len))
		return false;
	for (size_t at = now.len; at < state.len; at += strlen(state.buf + at) + 1)
		if (!file_is_same(top, state.buf + at))
			return false;
	return true;
}

int tree_state_used(const char *done, struct error *err)
{
	return utimensat(AT_FDCWD, done, NULL, 0) < 0 ? error_sys(err, errno, "cannot set the time of %s", done) : 0;
}
