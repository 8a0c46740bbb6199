#include "measure/git/trees.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "model/metrics/numbers.h"
#include "scenario/scenario.h"

extern char **environ;

#define ARGS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static uint64_t timeout_of(const struct trees *trees)
{
	return trees->build_timeout_ns ?: 3600 * NS_PER_S;
}

/* -------- building a tree, its output kept */

enum { QUOTED_LINES = 12 };

static int build_failed(const char *root, const char *log, struct error *err)
{
	CLEANUP(tail_release) struct tail tail = TAIL_INIT;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	CLEANUP(free_ptr) char *first = NULL;
	char buf[16384];
	ssize_t n;
	int fd;

	if (err && err->kind == ERR_INTERRUPTED)
		return -1;
	fd = err && err->kind == ERR_TARGET ? open(log, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	while (fd >= 0 && (n = read(fd, buf, sizeof buf)) > 0)
		tail_feed(&tail, buf, (size_t)n);
	if (fd >= 0)
		close(fd);
	tail_lines(&tail, QUOTED_LINES, &words);
	if (!words.len)
		return error_wrap(err, "the build in %s (build: of pawl.yaml) failed", root);
	/* The reason comes before paths, which may be long: headlines are cut. */
	error_wrap(err, "the build failed (build: of pawl.yaml)");
	first = xstrdup(err->msg);
	return error_set(err, ERR_TARGET, "%s, in %s; its log is %s\n%s", first, root, log, words.buf);
}

int trees_build(const struct trees *trees, const char *root, const struct command *build, const char *log,
		struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root };
	char names[256];
	int ret;

	git_leave_place(&argv);
	/* Both streams go to one file, in their order. */
	strv_push_all(&argv, ARGS("/bin/sh", "-c", "exec \"$@\" 2>&1", "build"));
	for (size_t i = 0; i < build->argv.n; i++)
		strv_push(&argv, build->argv.items[i]);
	/* Create a new file: readers of the old log keep it, and a link is replaced. */
	unlink(log);
	spec.stdout_fd = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (spec.stdout_fd < 0)
		return error_sys(err, errno, "cannot write the build's log %s", log);
	ret = child_run(trees->git->keeper, &spec, timeout_of(trees), NULL, err);
	close(spec.stdout_fd);
	keeper_sweep(trees->git->keeper, 0, names, NULL);
	return ret < 0 ? build_failed(root, log, err) : 0;
}

/* -------- its lock */

enum { TRY_EVERY_MS = 50 };

/* Returns the descriptor, -2 while others hold the lock, -1 on error. */
static int try_lock(const char *path, bool shared, struct error *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600), why;
	struct stat held, named;

	if (fd < 0)
		return error_sys(err, errno, "cannot open the lock file %s", path);
	errno = 0;
	/* Removing a tree also removes its lock, so check that the locked file is still the one at PATH. */
	if (flock(fd, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) == 0 && fstat(fd, &held) == 0 && lstat(path, &named) == 0 &&
	    held.st_dev == named.st_dev && held.st_ino == named.st_ino)
		return fd;
	why = errno;
	close(fd);
	if (why != EWOULDBLOCK && why != EINTR && why != ENOENT && why != 0)
		return error_sys(err, why, "cannot lock %s", path);
	return -2;
}

/* Waits at most WAIT_NS (0: not at all). Returns the descriptor, to be closed, or -1. */
static int take_lock(const char *path, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err)
{
	uint64_t deadline = clock_now_ns() + wait_ns;
	int fd;

	while ((fd = try_lock(path, shared, err)) == -2) {
		struct pollfd p = { .fd = interrupt ? interrupt->fd : -1, .events = POLLIN };

		if (clock_now_ns() >= deadline)
			return error_set(err, ERR_SYSTEM, "another pawl builds or uses this tree, and still did after %s; "
					 "wait for it (lock file %s)", format_duration(wait_ns).s, path);
		if (poll(&p, 1, TRY_EVERY_MS) > 0 && interrupt_check(interrupt, err) < 0)
			return -1;
	}
	return fd;
}

/* -------- worktrees */

static void prune_worktrees(const struct trees *trees)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	git_run_there(trees->git, trees->root, ARGS("worktree", "prune"), 0, &printed, NULL);
}

/* Removes the worktree with all its contents, or any other file or folder at TOP. */
static void remove_worktree(const struct trees *trees, const char *top)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	if (!file_exists(top))
		return;
	/* If git refuses, for example because TOP is no longer a worktree, remove it as a plain folder. */
	git_run_there(trees->git, trees->root, ARGS("worktree", "remove", "--force", "--force", "--", top), 0, &printed,
		      NULL);
	file_remove_tree(top, NULL);
	prune_worktrees(trees);
}

/* True if TOP is the top of a worktree whose HEAD is COMMIT. The output is the prefix, here empty, then the commit. */
static bool is_worktree_of(const struct trees *trees, const char *top, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	return git_run_there(trees->git, top, ARGS("rev-parse", "--show-prefix", "HEAD"), 0, &printed, NULL) == 0 &&
	       printed.buf[0] == '\n' && text_starts(printed.buf + 1, commit);
}

/* -------- which trees are kept */

/* Matches the tree names, COMMIT-BUILD, that find_place() makes. Nothing else may be removed. */
static bool is_tree_name(const char *name)
{
	static const char hex[] = "0123456789abcdef";
	size_t commit = strspn(name, hex), build = name[commit] == '-' ? strspn(name + commit + 1, hex) : 0;

	return commit >= 40 && build == 16 && !name[commit + 1 + build];
}

struct kept {
	char *top;
	struct timespec used;	/* 0: never finished */
};

static int newest_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? 1 : -1;
	return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

static void remove_unused(const struct trees *trees, const char *top)
{
	CLEANUP(free_ptr) char *lock = text_printf("%s.lock", top), *done = text_printf("%s.done", top);
	CLEANUP(free_ptr) char *log = text_printf("%s.log", top);
	int fd = take_lock(lock, false, NULL, 0, NULL);

	if (fd < 0)
		return;
	unlink(done);
	remove_worktree(trees, top);
	unlink(log);
	unlink(lock);
	close(fd);
}

/* Removes all trees but the newest TREES_KEPT in FOLDER, and unfinished ones. Trees in use by others stay. */
static void prune(const struct trees *trees, const char *folder)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) struct kept *kept = NULL;
	size_t n = 0;

	if (file_list(folder, &names, NULL) < 0)
		return;
	kept = xcalloc(names.n + 1, sizeof *kept);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *done = text_printf("%s/%s.done", folder, names.items[i]);
		struct stat st;

		if (is_tree_name(names.items[i]))
			kept[n++] = (struct kept){ file_join(folder, names.items[i]),
						   stat(done, &st) == 0 ? st.st_mtim : (struct timespec){ 0 } };
	}
	qsort(kept, n, sizeof *kept, newest_first);
	for (size_t i = 0; i < n; i++) {
		if (i >= (size_t)TREES_KEPT || !kept[i].used.tv_sec)
			remove_unused(trees, kept[i].top);
		free(kept[i].top);
	}
}

/* -------- checking that a tree is unchanged since its build */

enum { STATE_LARGEST = 1 << 30 };

/* First word of the state file. One line per file follows. Lines end in NUL, because a path may contain a newline. */
#define FORMAT "pawl tree 2"
/* Separates a path from the rest of its line. No walked path contains it. */
#define BEHIND_PATH "//"

/*
 * Lists everything in FOLDER of the tree at TOP as "PATH//WHAT". The kernel sets the change time; programs cannot fake
 * it.
 */
static int walk(const char *top, const char *folder, struct strv *out, struct error *err)
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
		if (S_ISDIR(st.st_mode)) {
			strv_pushf(out, "%s" BEHIND_PATH "folder", path);
			/* Files in a folder that cannot be listed cannot be run. */
			walk(top, path, out, NULL);
			continue;
		}
		strv_pushf(out, "%s" BEHIND_PATH "%o %lld %llu %lld.%09ld %lld.%09ld", path, (unsigned)st.st_mode, (long long)st.st_size,
			   (unsigned long long)st.st_ino, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
			   (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
	}
	return 0;
}

/* Writes the state of the worktree at TOP to DONE. */
static int keep_state(const char *top, const char *done, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT;
	CLEANUP(strv_release) struct strv lines = STRV_INIT;

	if (walk(top, "", &lines, err) < 0)
		return -1;
	strv_sort(&lines);
	strbuf_add(&state, FORMAT, sizeof FORMAT);
	for (size_t i = 0; i < lines.n; i++)
		strbuf_add(&state, lines.items[i], strlen(lines.items[i]) + 1);
	return file_write(done, state.buf, state.len, err);
}

static size_t path_len(const char *line)
{
	const char *end = strstr(line, BEHIND_PATH);

	return end ? (size_t)(end - line) : strlen(line);
}

/* Compares two lines by their paths only, in the order of strv_sort(). */
static int compare_paths(const char *a, const char *b)
{
	size_t longest = path_len(a) > path_len(b) ? path_len(a) : path_len(b);

	return strncmp(a, b, longest + strlen(BEHIND_PATH));
}

/*
 * True if TOP is unchanged since DONE was written; false also if DONE does not exist. New files, left by measuring or
 * able to run in place of the tree's own, are removed if MAY_REMOVE; otherwise they count as a difference.
 */
static bool is_same_state(const char *top, const char *done, bool may_remove)
{
	CLEANUP(strbuf_release) struct strbuf state = STRBUF_INIT;
	CLEANUP(strv_release) struct strv now = STRV_INIT, more = STRV_INIT;
	size_t i = 0;

	if (!file_exists(done) || file_read(done, STATE_LARGEST, &state, NULL) < 0 || strcmp(state.buf, FORMAT) != 0 ||
	    walk(top, "", &now, NULL) < 0)
		return false;
	strv_sort(&now);
	for (size_t at = sizeof FORMAT; at < state.len; at += strlen(state.buf + at) + 1, i++) {
		while (i < now.n && compare_paths(now.items[i], state.buf + at) < 0)
			strv_push(&more, now.items[i++]);
		if (i == now.n || strcmp(now.items[i], state.buf + at) != 0)
			return false;
	}
	for (; i < now.n; i++)
		strv_push(&more, now.items[i]);
	for (i = 0; i < more.n; i++) {
		CLEANUP(free_ptr) char *path = xstrndup(more.items[i], path_len(more.items[i])), *full = file_join(top, path);

		if (!may_remove || file_remove_tree(full, NULL) < 0)
			return false;
	}
	return true;
}

/* -------- the place of a tree */

/* Returns the repository's common folder, the same for all its worktrees; absolute, for free(). */
static char *common_dir(const struct trees *trees, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	CLEANUP(free_ptr) char *below = NULL;
	char *real;

	if (git_run_there(trees->git, trees->root, ARGS("rev-parse", "--git-common-dir"), 0, &path, err) < 0) {
		error_wrap(err, "%s is not inside a git repository", trees->root);
		return NULL;
	}
	strbuf_truncate(&path, strcspn(path.buf, "\n"));
	if (path.buf[0] != '/')
		below = file_join(trees->root, path.buf);
	real = realpath(below ?: path.buf, NULL);
	if (!real)
		error_sys(err, errno, "cannot find git's folder %s", below ?: path.buf);
	return real;
}

/* Returns the user's cache folder; NULL if none is writable. For free(). */
static char *cache_folder(const char *repository)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = cache && *cache == '/';
	CLEANUP(free_ptr) char *path = NULL;

	if (!own && !(home && *home == '/'))
		return NULL;
	path = text_printf("%s%s/pawl/trees/%016" PRIx64, own ? cache : home, own ? "" : "/.cache",
			   fnv_text(FNV_START, repository));
	return file_make_dirs(path, NULL) == 0 && access(path, W_OK | X_OK) == 0 ? take_ptr(&path) : NULL;
}

/*
 * Variables that differ between shells, sessions or jobs and that builds are not expected to read. A final '*' matches
 * any rest. docs/how-to/kept-builds.md lists them.
 */
static const char *const noise[] = {
	"_", "SHLVL", "PWD", "OLDPWD", "PS1", "PROMPT_COMMAND", "HIST*", "LINES", "COLUMNS", "TERM*", "COLOR*", "LS_COLORS",
	"LESS*", "PAGER", "EDITOR", "VISUAL", "TMPDIR", "TMP", "TEMP", "USER", "USERNAME", "LOGNAME", "MAIL", "HOSTNAME",
	"XDG_*", "DBUS_*", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "WINDOWID", "TMUX*", "STY", "SSH_*", "GPG_*", "SUDO_*",
	"VSCODE_*", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_*", "MEMORY_PRESSURE_*", "NOTIFY_SOCKET", "MAKELEVEL", "MFLAGS",
	"MAKE_TERM*", "GIT_*", "PAWL_*", "GH_*", "GITHUB_*", "RUNNER_*", "ACTIONS_*", "CI_*", "GITLAB_*", "BUILDKITE_*",
	"CIRCLE_*", "BUILD_ID", "BUILD_NUMBER", "BUILD_TAG", "BUILD_URL", "JOB_*",
};

static bool is_noise(const char *entry)
{
	size_t len = strcspn(entry, "=");

	for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++) {
		size_t fixed = strcspn(noise[i], "*");

		if (!strncmp(entry, noise[i], fixed) && (noise[i][fixed] || len == fixed))
			return true;
	}
	return false;
}

/*
 * Lists the variables that builds may read, sorted. MAKEFLAGS is listed without its jobserver, which differs in each
 * run of make.
 */
static void list_environment(struct strv *out)
{
	static const char makeflags[] = "MAKEFLAGS=";

	for (char **e = environ; *e; e++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		if (is_noise(*e))
			continue;
		if (!text_starts(*e, makeflags)) {
			strv_push(out, *e);
			continue;
		}
		for (const char *at = *e + strlen(makeflags), *end; *at; at = end) {
			at += strspn(at, " ");
			end = at + strcspn(at, " ");
			if (end > at && !text_starts(at, "-j") && !text_starts(at, "--jobserver"))
				strbuf_addf(&words, "%s%.*s ", words.len ? "" : makeflags, (int)(end - at), at);
		}
		if (words.len)
			strv_push(out, words.buf);
	}
	strv_sort(out);
}

/* Appends the version texts of the compilers that a build would find. Missing compilers are skipped. */
static void ask_compilers(const struct trees *trees, struct strbuf *out)
{
	static const char script[] = "exec 2>/dev/null; ${CC:-cc} --version; ${CXX:-c++} --version; [ ! -e Cargo.toml ] || rustc -vV; "
				     "[ ! -e go.mod ] || go version";
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = trees->root };

	strv_push_all(&argv, ARGS("/bin/sh", "-c", script));
	child_run(trees->git->keeper, &spec, 10 * NS_PER_S, out, NULL);
}

/* Hashes a build's inputs: its command, the compilers, and the environment without noise. */
static uint64_t hash_build(const struct trees *trees, const struct command *build)
{
	CLEANUP(free_ptr) char *text = command_text(build);
	CLEANUP(strbuf_release) struct strbuf compilers = STRBUF_INIT;
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	uint64_t hash = fnv_text(FNV_START, text ?: "");

	if (!build->argv.n)
		return hash;
	list_environment(&environment);
	for (size_t i = 0; i < environment.n; i++)
		hash = fnv_bytes(hash, environment.items[i], strlen(environment.items[i]) + 1);
	ask_compilers(trees, &compilers);
	hash = fnv_bytes(hash, compilers.buf, compilers.len);
	return hash;
}

/*
 * Sets OUT's commit, top, log and kept for the tree of COMMIT. *FOLDER_OUT is the folder of all trees of this
 * repository.
 */
static int find_place(const struct trees *trees, const char *commit, const struct command *build, struct tree *out,
		      char **folder_out, struct error *err)
{
	CLEANUP(free_ptr) char *repository = common_dir(trees, err), *folder = NULL;

	if (!repository)
		return -1;
	folder = cache_folder(repository);
	out->kept = folder;
	if (!folder)
		folder = file_join(trees->scratch, "trees");
	if (file_make_dirs(folder, err) < 0)
		return -1;
	out->commit = xstrdup(commit);
	out->top = text_printf("%s/%s-%016" PRIx64, folder, commit, hash_build(trees, build));
	if (!out->kept && trees->logs)
		out->log = text_printf("%s/build-%.12s.log", trees->logs, commit);
	else
		out->log = text_printf("%s.log", out->top);
	*folder_out = take_ptr(&folder);
	return 0;
}

/* -------- making a tree */

static void report_progress(const struct trees *trees, const char *what, const char *commit)
{
	if (trees->progress)
		trees->progress(trees->ctx, what, commit);
}

/* Finds the project's root in the tree. It is as deep below the top as in the project's own repository. */
static int find_root(const struct trees *trees, struct tree *tree, struct error *err)
{
	CLEANUP(free_ptr) char *prefix = NULL, *root = NULL;
	size_t len;

	if (git_prefix(trees->git, trees->root, &prefix, err) < 0)
		return -1;
	len = strlen(prefix);
	if (len && prefix[len - 1] == '/')
		prefix[--len] = '\0';
	root = len ? file_join(tree->top, prefix) : xstrdup(tree->top);
	if (!file_is_dir(root))
		return error_set(err, ERR_TARGET, "%.12s has no folder %s, which is the project's", tree->commit, prefix);
	tree->root = take_ptr(&root);
	return 0;
}

/* Depth of submodules within submodules. */
enum { SUBMODULES_DEEPEST = 8 };

/*
 * Fills the submodules of the repository at DIR, and those within them, from what is fetched in the folder MODULES.
 * Failure is left for the build to report, because only some builds need them.
 */
static void fill_submodules(const struct trees *trees, const char *dir, const char *modules, unsigned depth)
{
	static const char begin[] = "submodule.", end[] = ".path";
	CLEANUP(strbuf_release) struct strbuf items = STRBUF_INIT, printed = STRBUF_INIT;
	CLEANUP(free_ptr) char *list = file_join(dir, ".gitmodules"), *top = realpath(dir, NULL);
	CLEANUP(strv_release) struct strv words = STRV_INIT, folders = STRV_INIT, within = STRV_INIT;

	if (!file_exists(list) || !top ||
	    git_run_there(trees->git, dir, ARGS("config", "-z", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"), 0,
			  &items, NULL) < 0)
		return;
	/* Since CVE-2022-39253 git does not clone from folders by default. This folder is the user's own. */
	strv_push_all(&words, ARGS("-c", "protocol.file.allow=always"));
	/* Each is "submodule.NAME.path\nPATH". */
	for (size_t at = 0, len; at < items.len; at += len + 1) {
		CLEANUP(free_ptr) char *name = NULL, *fetched = NULL;
		const char *item = items.buf + at, *path = item + strcspn(item, "\n");

		len = strlen(item);
		name = xstrndup(item + strlen(begin), (size_t)(path - item) - strlen(begin) - strlen(end));
		fetched = file_join(modules, name);
		if (!*path || !file_is_dir(fetched))
			continue;
		strv_push(&words, "-c");
		strv_pushf(&words, "submodule.%s.url=%s", name, fetched);
		strv_take(&folders, file_join(dir, path + 1));
		strv_take(&within, file_join(fetched, "modules"));
	}
	strv_push_all(&words, ARGS("submodule", "--quiet", "update"));
	git_run_there(trees->git, dir, (const char *const *)words.items, timeout_of(trees), &printed, NULL);
	for (size_t i = 0; i < folders.n && depth; i++) {
		CLEANUP(free_ptr) char *git = file_join(folders.items[i], ".git"), *real = realpath(folders.items[i], NULL);

		/* .gitmodules may name any path. */
		if (real && path_below(real, top) && file_exists(git))
			fill_submodules(trees, folders.items[i], within.items[i], depth - 1);
	}
}

static int make(const struct trees *trees, struct tree *tree, const struct command *build, const char *done,
		struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;
	CLEANUP(free_ptr) char *repository = common_dir(trees, NULL), *modules = repository ? file_join(repository, "modules") : NULL;

	report_progress(trees, "checking out", tree->commit);
	unlink(done);
	remove_worktree(trees, tree->top);
	/* Remove git's records of deleted worktrees. */
	prune_worktrees(trees);
	if (git_run_there(trees->git, trees->root, ARGS("worktree", "add", "--quiet", "--detach", "--force", "--",
							tree->top, tree->commit), timeout_of(trees), &printed, err) < 0)
		return error_wrap(err, "cannot check out %.12s of %s", tree->commit, trees->root);
	if (modules)
		fill_submodules(trees, tree->top, modules, SUBMODULES_DEEPEST);
	if (find_root(trees, tree, err) < 0)
		return -1;
	if (build->argv.n) {
		report_progress(trees, "building", tree->commit);
		if (trees_build(trees, tree->root, build, tree->log, err) < 0)
			return error_wrap(err, "%.12s", tree->commit);
	}
	return tree->kept ? keep_state(tree->top, done, err) : 0;
}

/* Uses the tree if it is valid. Otherwise one pawl makes it while others wait. */
static int use_or_make(const struct trees *trees, struct tree *tree, const struct command *build, struct error *err)
{
	CLEANUP(free_ptr) char *lock = text_printf("%s.lock", tree->top), *done = text_printf("%s.done", tree->top);
	struct interrupt *interrupt = trees->git->keeper->interrupt;

	for (bool shared = true; ; shared = false) {
		tree->lock = take_lock(lock, shared, interrupt, timeout_of(trees), err);
		if (tree->lock < 0)
			return -1;
		tree->reused = tree->kept && is_worktree_of(trees, tree->top, tree->commit) &&
			       is_same_state(tree->top, done, !shared) && find_root(trees, tree, NULL) == 0;
		if (tree->reused || !shared)
			break;
		close(tree->lock);
	}
	if (!tree->reused && make(trees, tree, build, done, err) < 0)
		return -1;
	/* The time of .done is the tree's last use. */
	if (tree->reused && utimensat(AT_FDCWD, done, NULL, 0) < 0)
		return error_sys(err, errno, "cannot set the time of %s", done);
	/* From here on others may share the tree. */
	flock(tree->lock, LOCK_SH);
	return 0;
}

int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	CLEANUP(free_ptr) char *folder = NULL;
	struct command build = { 0 };
	struct tree tree = { 0 };

	if (trees->build_of && trees->build_of(trees->ctx, commit, &arena, &build, err) < 0)
		return -1;
	if (find_place(trees, commit, &build, &tree, &folder, err) < 0 || use_or_make(trees, &tree, &build, err) < 0) {
		trees_put(trees, &tree);
		return -1;
	}
	if (!build.argv.n)
		free(take_ptr(&tree.log));
	if (tree.kept)
		prune(trees, folder);
	*out = tree;
	return 0;
}

void trees_put(const struct trees *trees, struct tree *tree)
{
	if (tree->top && !tree->kept)
		remove_worktree(trees, tree->top);
	if (tree->lock > 0)
		close(tree->lock);
	free(tree->root);
	free(tree->commit);
	free(tree->log);
	free(tree->top);
	*tree = (struct tree){ 0 };
}
