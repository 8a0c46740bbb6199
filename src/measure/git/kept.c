#include "measure/git/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/git/tree_state.h"
#include "measure/process/interrupt.h"
#include "measure/process/lock.h"
#include "model/metrics/numbers.h"

#define ACCEPTED "accepted-"

enum { LINES_LARGEST = 1 << 20 };

/* -------- the lock of a tree */

int kept_lock(const char *top, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err)
{
	CLEANUP(free_ptr) char *path = text_printf("%s.lock", top);
	int fd, waited = lock_open(path, O_RDWR | O_CREAT | O_NOFOLLOW, shared ? LOCK_SH : LOCK_EX, wait_ns, interrupt, &fd, err);

	if (waited > 0)
		return error_set(err, ERR_SYSTEM, "another pawl builds or uses this tree, and still did after %s; wait for it (lock file %s)",
				 format_duration(wait_ns).s, path);
	return waited < 0 ? -1 : fd;
}

/* -------- the folders */

int kept_cap(uint64_t *bytes_out, struct error *err)
{
	const char *text = getenv("PAWL_CACHE_SIZE");

	*bytes_out = KEPT_DEFAULT_BYTES;
	return text && *text && parse_size(text, bytes_out, err) < 0 ? error_wrap(err, "PAWL_CACHE_SIZE") : 0;
}

/* For free(); NULL if the environment names no folder. */
static char *user_folder(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return xstrdup(cache);
	return home && *home == '/' ? file_join(home, ".cache") : NULL;
}

/* Makes PATH, or makes sure that it is the user's own and that others cannot write there. */
static int own_folder(const char *path, struct error *err)
{
	CLEANUP(close_fd) int fd = -1;
	struct stat st;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return error_sys(err, errno, "cannot make %s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_set(err, ERR_SYSTEM, "%s is not a folder, or a link, which is not followed; remove it", path);
	if (st.st_uid != geteuid())
		return error_set(err, ERR_SYSTEM, "%s belongs to another user (uid %u), who could plant builds there", path, (unsigned)st.st_uid);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) && fchmod(fd, st.st_mode & ~(mode_t)(S_IWGRP | S_IWOTH)) < 0)
		return error_sys(err, errno, "others may write to %s", path);
	return 0;
}

char *kept_folder(const char *repository, struct error *err)
{
	CLEANUP(free_ptr) char *user = user_folder(), *pawl = user ? file_join(user, "pawl") : NULL;
	CLEANUP(free_ptr) char *trees = user ? file_join(pawl, "trees") : NULL, *own = NULL;
	uint64_t cap;

	if (kept_cap(&cap, err) < 0)
		return NULL;
	if (!cap)
		error_set(err, ERR_SYSTEM, "PAWL_CACHE_SIZE is 0");
	else if (!user)
		error_set(err, ERR_SYSTEM, "neither XDG_CACHE_HOME nor HOME names a folder");
	if (!cap || !user)
		return NULL;
	own = text_printf("%s/%016" PRIx64, trees, fnv_text(FNV_START, repository));
	if (file_make_dirs(user, err) < 0 || own_folder(pawl, err) < 0 || own_folder(trees, err) < 0 || own_folder(own, err) < 0)
		return NULL;
	if (access(own, W_OK | X_OK) < 0) {
		error_sys(err, errno, "cannot write to %s", own);
		return NULL;
	}
	return take_ptr(&own);
}

/* -------- what is there */

/* Nothing but these may be removed. */
static bool is_tree_name(const char *name)
{
	return regex_matches("^([0-9a-f]{40,}-[0-9a-f]{16}|" ACCEPTED "[0-9a-f]{32})$", name);
}

static bool read_accepted(const char *top, struct strbuf *text)
{
	CLEANUP(free_ptr) char *path = text_printf("%s.accepted", top);

	return file_exists(path) && file_read(path, LINES_LARGEST, text, NULL) == 0;
}

static void describe_accepted(struct kept *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, names = STRBUF_INIT;
	const char *at, *line;
	size_t len = 0;

	if (!read_accepted(out->top, &text))
		return;
	at = text.buf;
	line = text_next_line(&at, text.buf + text.len, &len);
	out->commit = xstrndup(line ?: "", len);
	while ((line = text_next_line(&at, text.buf + text.len, &len))) {
		const char *name = memchr(line, ' ', len);

		if (name)
			strbuf_addf(&names, "%s%.*s", names.len ? ", " : "", (int)(line + len - name - 1), name + 1);
	}
	out->scenarios = strbuf_take(&names);
}

char *kept_accepted_commit(const char *top, bool *dirty_out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t len;

	read_accepted(top, &text);
	len = strcspn(text.buf, "+\n");
	*dirty_out = text.buf[len] == '+';
	return xstrndup(text.buf, len);
}

/* Reads the repository from TOP's file .git; for free(), or NULL. */
static char *project_of(const char *top)
{
	static const char begin[] = "gitdir: ", end[] = "/.git/worktrees/";
	CLEANUP(free_ptr) char *path = file_join(top, ".git");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *at;

	if (file_read(path, LINES_LARGEST, &text, NULL) < 0 || !text_starts(text.buf, begin))
		return NULL;
	at = strstr(text.buf, end);
	return at ? xstrndup(text.buf + strlen(begin), (size_t)(at - text.buf) - strlen(begin)) : NULL;
}

static bool is_in_use(const char *top)
{
	CLEANUP(free_ptr) char *path = text_printf("%s.lock", top);
	CLEANUP(close_fd) int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;
}

static struct kept describe(const char *folder, const char *name)
{
	struct kept out = { .top = file_join(folder, name) };
	CLEANUP(free_ptr) char *done = text_printf("%s.done", out.top);
	struct stat st;

	out.finished = tree_state_size(done, &out.bytes) && stat(done, &st) == 0;
	if (out.finished)
		out.used = st.st_mtim;
	out.in_use = is_in_use(out.top);
	out.project = project_of(out.top);
	if (text_starts(name, ACCEPTED))
		describe_accepted(&out);
	if (!out.commit)
		out.commit = text_starts(name, ACCEPTED) ? xstrdup("-") : xstrndup(name, strcspn(name, "-"));
	return out;
}

static int newest_first(const void *a, const void *b)
{
	return file_time_order(((const struct kept *)b)->used, ((const struct kept *)a)->used);
}

int kept_list(struct kept **out, size_t *n_out, struct error *err)
{
	CLEANUP(free_ptr) char *user = user_folder(), *pawl = user ? file_join(user, "pawl") : NULL;
	CLEANUP(free_ptr) char *trees = user ? file_join(pawl, "trees") : NULL;
	CLEANUP(strv_release) struct strv folders = STRV_INIT;
	struct kept *list = NULL;
	size_t n = 0;

	/* In a folder of others nothing is removed, and git does not run. */
	if (trees && file_exists(trees) && (own_folder(pawl, err) < 0 || own_folder(trees, err) < 0 || file_list(trees, &folders, err) < 0))
		return -1;
	for (size_t i = 0; i < folders.n; i++) {
		CLEANUP(free_ptr) char *folder = file_join(trees, folders.items[i]);
		CLEANUP(strv_release) struct strv names = STRV_INIT;

		if (own_folder(folder, NULL) < 0 || file_list(folder, &names, NULL) < 0)
			continue;
		list = xrealloc(list, (n + names.n + 1) * sizeof *list);
		for (size_t k = 0; k < names.n; k++)
			if (is_tree_name(names.items[k]))
				list[n++] = describe(folder, names.items[k]);
	}
	if (n)
		qsort(list, n, sizeof *list, newest_first);
	*out = list;
	*n_out = n;
	return 0;
}

void kept_free(struct kept *trees, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(trees[i].top);
		free(trees[i].project);
		free(trees[i].commit);
		free(trees[i].scenarios);
	}
	free(trees);
}

char *kept_find_accepted(const char *folder, const char *measurement)
{
	CLEANUP(free_ptr) char *line = text_printf("\n%s ", measurement);
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_list(folder, &names, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *top = file_join(folder, names.items[i]);
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (text_starts(names.items[i], ACCEPTED) && is_tree_name(names.items[i]) && read_accepted(top, &text) &&
		    strstr(text.buf, line))
			return take_ptr(&top);
	}
	return NULL;
}

/* -------- what goes */

void kept_choose(const struct kept *trees, size_t n, uint64_t cap, bool *drop)
{
	uint64_t bytes = 0;
	bool full = false;

	for (size_t i = 0; i < n; i++) {
		drop[i] = !trees[i].finished;
		if (drop[i])
			continue;
		/* A tree that does not fit ends the list: an older one must not outlive it. */
		full |= trees[i].bytes > cap - bytes;
		drop[i] = full;
		if (!full)
			bytes += trees[i].bytes;
	}
}

void kept_clear(struct git *git, const char *top)
{
	if (!file_exists(top))
		return;
	/* Git refuses what is no worktree any more. */
	git_run_there(git, top, ARGV("worktree", "remove", "--force", "--force", "--", top), 0, NULL, NULL);
	file_remove_tree(top, NULL);
}

bool kept_remove(struct git *git, const char *top)
{
	/* The lock last: others wait for it, and see that it is gone. */
	static const char *const more[] = { "log", "accepted", "lock" };
	CLEANUP(free_ptr) char *done = text_printf("%s.done", top);
	CLEANUP(close_fd) int fd = kept_lock(top, false, NULL, 0, NULL);

	if (fd < 0)
		return false;
	unlink(done);
	kept_clear(git, top);
	for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
		CLEANUP(free_ptr) char *path = text_printf("%s.%s", top, more[i]);

		unlink(path);
	}
	return true;
}

void kept_prune(struct git *git)
{
	struct kept *trees = NULL;
	size_t n = 0;
	uint64_t cap;
	bool *drop;

	if (kept_cap(&cap, NULL) < 0 || kept_list(&trees, &n, NULL) < 0)
		return;
	drop = xcalloc(n + 1, sizeof *drop);
	kept_choose(trees, n, cap, drop);
	for (size_t i = 0; i < n; i++)
		if (drop[i])
			kept_remove(git, trees[i].top);
	free(drop);
	kept_free(trees, n);
}
