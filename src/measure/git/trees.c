#include "measure/git/git.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/process/process.h"

static uint64_t timeout_of(const struct trees *trees)
{
	return trees->build_timeout_ns ? trees->build_timeout_ns : 3600 * NS_PER_S;
}

/* -------- building a tree, its output kept */

enum { QUOTED_LINES = 12 };

static void quote(const char *log, struct strbuf *out)
{
	CLEANUP(tail_release) struct tail tail = TAIL_INIT;
	char buf[16384];
	ssize_t n;
	int fd = open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	if (fd < 0)
		return;
	while ((n = read(fd, buf, sizeof buf)) > 0)
		tail_feed(&tail, buf, (size_t)n);
	close(fd);
	tail_lines(&tail, QUOTED_LINES, out);
}

static int fail(const char *root, const char *log, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	CLEANUP(free_ptr) char *first = NULL;

	if (err && err->kind == ERR_INTERRUPTED)
		return -1;
	if (err && err->kind == ERR_TARGET)
		quote(log, &words);
	if (!err || !words.len)
		return error_wrap(err, "the build in %s (build: of pawl.yaml) failed", root);
	/* What went wrong comes before paths, which may be long: headlines are cut. */
	error_wrap(err, "the build failed (build: of pawl.yaml)");
	first = xstrdup(err->msg);
	return error_set(err, ERR_TARGET, "%s, in %s; its log is %s\n%s", first, root, log, words.buf);
}

static int open_log(const char *log, struct error *err)
{
	int fd;

	/* A new file: whoever reads the last one keeps it, and a link is replaced. */
	unlink(log);
	fd = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	return fd < 0 ? error_sys(err, errno, "cannot write the build's log %s", log) : fd;
}

int trees_build(const struct trees *trees, const char *root, const struct command *build, const char *log,
		struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root };
	char names[256];
	int ret;

	git_leave_place(&argv);
	/* Both streams to one file, in their order. */
	strv_push(&argv, "/bin/sh");
	strv_push(&argv, "-c");
	strv_push(&argv, "exec \"$@\" 2>&1");
	strv_push(&argv, "build");
	for (size_t i = 0; i < build->argv.n; i++)
		strv_push(&argv, build->argv.items[i]);
	spec.stdout_fd = open_log(log, err);
	if (spec.stdout_fd < 0)
		return -1;
	ret = child_run(trees->git->keeper, &spec, timeout_of(trees), NULL, err);
	close(spec.stdout_fd);
	keeper_sweep(trees->git->keeper, 0, names, NULL);
	return ret < 0 ? fail(root, log, err) : 0;
}

/* -------- its lock */

enum { TRY_EVERY_MS = 50 };

/* The descriptor, -2 while others hold it, -1 with an error. */
static int try_lock(const char *path, bool shared, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), why;
	struct stat held, named;

	if (fd < 0)
		return error_sys(err, errno, "cannot open the lock file %s", path);
	/* Whoever removes a tree removes its lock too: what is held must still be what PATH names. */
	if (flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 && fstat(fd, &held) == 0 && lstat(path, &named) == 0 &&
	    held.st_dev == named.st_dev && held.st_ino == named.st_ino)
		return fd;
	why = errno;
	close(fd);
	if (why != EWOULDBLOCK && why != EINTR && why != ENOENT && why != 0)
		return error_sys(err, why, "cannot lock %s", path);
	return -2;
}

/* Waits at most WAIT_NS (0: not at all); the descriptor, to be closed, or -1. */
static int take_lock(const char *path, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err)
{
	uint64_t deadline = clock_now_ns() + wait_ns;

	for (;;) {
		struct pollfd p = { .fd = interrupt ? interrupt->fd : -1, .events = POLLIN };
		int fd;

		errno = 0;
		fd = try_lock(path, shared, err);
		if (fd != -2)
			return fd;
		if (clock_now_ns() >= deadline)
			return error_set(err, ERR_SYSTEM, "another pawl builds or uses this tree, and still did after %.3g s; "
					 "wait for it (lock file %s)", (double)wait_ns / 1e9, path);
		if (poll(&p, 1, TRY_EVERY_MS) > 0 && interrupt_check(interrupt, err) < 0)
			return -1;
	}
}

/* -------- which are kept */

struct kept {
	char *top;
	struct timespec used;	/* 0: it was never finished */
};

/* The file of the tree at TOP that ends so (".done", see git.h); for free(). */
static char *beside(const char *top, const char *end)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s%s", top, end);
	return strbuf_take(&path);
}

/* COMMIT-BUILD: what find_place() names, and nothing else, may be removed. */
static bool is_tree_name(const char *name)
{
	size_t commit = strspn(name, "0123456789abcdef"), build = name[commit] == '-' ? strspn(name + commit + 1, "0123456789abcdef") : 0;

	return commit >= 40 && build == 16 && !name[commit + 1 + build];
}

static int newest_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? 1 : -1;
	return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

static void remove_end(const char *top, const char *end)
{
	CLEANUP(free_ptr) char *path = beside(top, end);

	unlink(path);
}

static void remove_unused(const struct trees *trees, const char *top)
{
	CLEANUP(free_ptr) char *lock = beside(top, ".lock");
	int fd = take_lock(lock, false, NULL, 0, NULL);

	if (fd < 0)
		return;
	remove_end(top, ".done");
	git_worktree_remove(trees->git, trees->root, top);
	remove_end(top, ".log");
	unlink(lock);
	close(fd);
}

/* Removes all but the newest TREES_KEPT in FOLDER, and those that were never finished, but for what others use. */
static void prune(const struct trees *trees, const char *folder)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) struct kept *kept = NULL;
	size_t n = 0;

	if (file_list(folder, &names, NULL) < 0)
		return;
	kept = xcalloc(names.n + 1, sizeof *kept);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *top = file_join(folder, names.items[i]);
		CLEANUP(free_ptr) char *done = beside(top, ".done");
		struct stat st;

		if (!is_tree_name(names.items[i]))
			continue;
		kept[n++] = (struct kept){ take_ptr(&top), stat(done, &st) == 0 ? st.st_mtim : (struct timespec){ 0 } };
	}
	qsort(kept, n, sizeof *kept, newest_first);
	for (size_t i = 0; i < n; i++) {
		if (i >= TREES_KEPT || !kept[i].used.tv_sec)
			remove_unused(trees, kept[i].top);
		free(kept[i].top);
	}
}

/* -------- whether it is still what was built */

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

static int describe_tracked(struct git *git, const char *top, struct strbuf *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf changes = STRBUF_INIT;

	if (git_worktree_changes(git, top, &changes, err) < 0)
		return -1;
	strbuf_addf(out, FORMAT " %016" PRIx64, fnv_bytes(FNV_START, changes.buf, changes.len));
	strbuf_add(out, "", 1);
	return 0;
}

static int describe_made(struct git *git, const char *top, struct strbuf *out, struct error *err)
{
	CLEANUP(strv_release) struct strv made = STRV_INIT;

	if (git_worktree_untracked(git, top, &made, err) < 0)
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

/* Writes the state of the worktree at TOP to DONE. */
static int state_keep(struct git *git, const char *top, const char *done, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT;
	struct error why = ERROR_INIT;

	if (describe_tracked(git, top, &state, &why) < 0 || describe_made(git, top, &state, &why) < 0) {
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

/* True when TOP is still what DONE says; false too where there is no DONE, or it cannot be told. */
static bool state_same(struct git *git, const char *top, const char *done)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT, now = STRBUF_INIT;

	if (!file_exists(done) || file_read(done, STATE_LARGEST, &state, NULL) < 0 ||
	    describe_tracked(git, top, &now, NULL) < 0)
		return false;
	if (state.len < now.len || memcmp(state.buf, now.buf, now.len))
		return false;
	for (size_t at = now.len; at < state.len; at += strlen(state.buf + at) + 1)
		if (!file_is_same(top, state.buf + at))
			return false;
	return true;
}

/* -------- where a tree lies */

/* What a tree's files are called. */
struct tree_place {
	char *folder;		/* of all trees of this repository */
	char *top, *log, *done, *lock;
	bool kept;
};

static void place_release(struct tree_place *place)
{
	free(place->folder);
	free(place->top);
	free(place->log);
	free(place->done);
	free(place->lock);
}

/* The user's cache; NULL when there is none that can be written. For free(). */
static char *cache_folder(const char *repository)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = cache && *cache == '/';
	struct strbuf path = STRBUF_INIT;

	if (!own && !(home && *home == '/'))
		return NULL;
	strbuf_addf(&path, "%s%s/pawl/trees/%016" PRIx64, own ? cache : home, own ? "" : "/.cache", fnv_text(FNV_START, repository));
	if (file_make_dirs(path.buf, NULL) == 0 && access(path.buf, W_OK | X_OK) == 0)
		return strbuf_take(&path);
	strbuf_release(&path);
	return NULL;
}

/* What a build is made of besides its command: what compilers and build tools take from the environment. */
static uint64_t hash_environment(uint64_t hash)
{
	static const char *const names[] = {
		"AR", "AS", "CC", "CFLAGS", "CPPFLAGS", "CXX", "CXXFLAGS", "GOFLAGS", "LD", "LDFLAGS", "LDLIBS", "MAKEFLAGS", "PATH",
		"RUSTFLAGS",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]) ?: "";

		hash = fnv_bytes(hash, value, strlen(value) + 1);
	}
	return hash;
}

static int find_place(const struct trees *trees, const char *commit, const struct command *build, struct tree_place *out,
		      struct error *err)
{
	CLEANUP(free_ptr) char *repository = NULL, *text = command_text(build);
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (git_common_dir(trees->git, trees->root, &repository, err) < 0)
		return -1;
	strbuf_addf(&name, "%s-%016" PRIx64, commit, hash_environment(fnv_text(FNV_START, text ?: "")));
	out->folder = cache_folder(repository);
	out->kept = out->folder;
	if (!out->folder)
		out->folder = file_join(trees->scratch, "trees");
	if (file_make_dirs(out->folder, err) < 0)
		return -1;
	out->top = file_join(out->folder, name.buf);
	out->done = beside(out->top, ".done");
	out->lock = beside(out->top, ".lock");
	if (!out->kept && trees->logs) {
		strbuf_reset(&name);
		strbuf_addf(&name, "build-%.12s.log", commit);
		out->log = file_join(trees->logs, name.buf);
	} else {
		out->log = beside(out->top, ".log");
	}
	return 0;
}

/* -------- making one */

static void tell(const struct trees *trees, const char *what, const char *commit)
{
	if (trees->progress)
		trees->progress(trees->ctx, what, commit);
}

static int check_out(const struct trees *trees, const struct tree_place *place, const char *commit, struct error *err)
{
	tell(trees, "checking out", commit);
	unlink(place->done);
	git_worktree_remove(trees->git, trees->root, place->top);
	if (git_worktree_add(trees->git, trees->root, place->top, commit, timeout_of(trees), err) < 0)
		return error_wrap(err, "cannot check out %.12s of %s", commit, trees->root);
	return 0;
}

/* The project's root in the tree: as deep below its top as it is in the project's own repository. */
static int find_root(const struct trees *trees, const char *top, const char *commit, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *prefix = NULL, *root = NULL;
	size_t len;

	if (git_prefix(trees->git, trees->root, &prefix, err) < 0)
		return -1;
	len = strlen(prefix);
	if (len && prefix[len - 1] == '/')
		prefix[--len] = '\0';
	root = len ? file_join(top, prefix) : xstrdup(top);
	if (!file_is_dir(root))
		return error_set(err, ERR_TARGET, "%.12s has no folder %s, which is the project's", commit, prefix);
	*out = take_ptr(&root);
	return 0;
}

static int make(const struct trees *trees, const struct tree_place *place, const char *commit, const struct command *build,
		char **root_out, struct error *err)
{
	CLEANUP(free_ptr) char *root = NULL;

	if (check_out(trees, place, commit, err) < 0 || find_root(trees, place->top, commit, &root, err) < 0)
		return -1;
	if (build->argv.n)
		tell(trees, "building", commit);
	if (build->argv.n && trees_build(trees, root, build, place->log, err) < 0)
		return error_wrap(err, "%.12s", commit);
	*root_out = take_ptr(&root);
	return 0;
}

static bool is_there(const struct trees *trees, const struct tree_place *place, const char *commit, char **root_out)
{
	return place->kept && git_worktree_whole(trees->git, place->top, commit) &&
	       state_same(trees->git, place->top, place->done) && find_root(trees, place->top, commit, root_out, NULL) == 0;
}

static int lock(const struct trees *trees, const struct tree_place *place, bool shared, struct error *err)
{
	return take_lock(place->lock, shared, trees->git->keeper->interrupt, timeout_of(trees), err);
}

/* Used as it is, else made: by one pawl, while others wait. */
static int get(const struct trees *trees, const struct tree_place *place, const char *commit, const struct command *build,
	       struct tree *out, struct error *err)
{
	int ret = -1;

	out->lock = lock(trees, place, true, err);
	if (out->lock < 0)
		return -1;
	out->reused = is_there(trees, place, commit, &out->root);
	if (!out->reused) {
		close(out->lock);
		out->lock = lock(trees, place, false, err);
		if (out->lock < 0)
			return -1;
		out->reused = is_there(trees, place, commit, &out->root);
	}
	/* The time of .done says when the tree was used last. */
	if (out->reused)
		ret = utimensat(AT_FDCWD, place->done, NULL, 0) < 0 ?
		      error_sys(err, errno, "cannot set the time of %s", place->done) : 0;
	else if (make(trees, place, commit, build, &out->root, err) == 0)
		ret = place->kept ? state_keep(trees->git, place->top, place->done, err) : 0;
	if (ret == 0) {
		/* From here on others may use it too. */
		flock(out->lock, LOCK_SH);
		return 0;
	}
	close(out->lock);
	free(out->root);
	return -1;
}

int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct command build = { 0 };
	CLEANUP(place_release) struct tree_place place = { 0 };
	struct tree tree = { 0 };

	if (trees->build_of && trees->build_of(trees->ctx, commit, &arena, &build, err) < 0)
		return -1;
	if (find_place(trees, commit, &build, &place, err) < 0)
		return -1;
	if (get(trees, &place, commit, &build, &tree, err) < 0) {
		if (!place.kept)
			git_worktree_remove(trees->git, trees->root, place.top);
		return -1;
	}
	tree.commit = xstrdup(commit);
	tree.top = take_ptr(&place.top);
	tree.kept = place.kept;
	if (build.argv.n)
		tree.log = take_ptr(&place.log);
	*out = tree;
	if (tree.kept)
		prune(trees, place.folder);
	return 0;
}

void trees_put(const struct trees *trees, struct tree *tree)
{
	if (tree->top && !tree->kept)
		git_worktree_remove(trees->git, trees->root, tree->top);
	if (tree->lock)
		close(tree->lock);
	free(tree->root);
	free(tree->commit);
	free(tree->log);
	free(tree->top);
	*tree = (struct tree){ 0 };
}
