#include "measure/git/trees.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/git/git.h"
#include "measure/git/kept.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "scenario/scenario.h"

extern char **environ;

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
	/* The reason comes before paths, because headlines are cut. */
	error_wrap(err, "the build failed (build: of pawl.yaml)");
	first = xstrdup(err->msg);
	return error_set(err, ERR_TARGET, "%s, in %s; its log is %s\n%s", first, root, log, words.buf);
}

int trees_build(const struct trees *trees, const char *root, const struct command *build, const char *log,
		struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root };
	int ret;

	git_leave_place(&argv);
	/* Both streams go to one file, in their order. */
	strv_push_all(&argv, ARGV("/bin/sh", "-c", "exec \"$@\" 2>&1", "build"));
	for (size_t i = 0; i < build->argv.n; i++)
		strv_push(&argv, build->argv.items[i]);
	/* Readers of the old log keep it, and a link is replaced. */
	unlink(log);
	spec.stdout_fd = open(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (spec.stdout_fd < 0)
		return error_sys(err, errno, "cannot write the build's log %s", log);
	ret = child_run(trees->git->keeper, &spec, timeout_of(trees), NULL, err);
	close(spec.stdout_fd);
	keeper_sweep(trees->git->keeper, 0, NULL, NULL);
	return ret < 0 ? build_failed(root, log, err) : 0;
}

/* -------- the place of a tree */

enum { OS_RELEASE_LARGEST = 1 << 16 };

/* All worktrees have the same. For free(). */
static char *common_dir(const struct trees *trees, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	CLEANUP(free_ptr) char *below = NULL;
	char *real;

	if (git_run_there(trees->git, trees->root, ARGV("rev-parse", "--git-common-dir"), 0, &path, err) < 0) {
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

static void ask_compilers(const struct trees *trees, struct strbuf *out)
{
	static const char script[] = "exec 2>/dev/null; ${CC:-cc} --version; ${CXX:-c++} --version; ${LD:-ld} --version; "
				     "[ ! -e Cargo.toml ] || rustc -vV; [ ! -e go.mod ] || go version";
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = trees->root };

	strv_push_all(&argv, ARGV("/bin/sh", "-c", script));
	child_run(trees->git->keeper, &spec, 10 * NS_PER_S, out, NULL);
}

static uint64_t hash_build(const struct trees *trees, const struct command *build)
{
	CLEANUP(free_ptr) char *text = command_text(build);
	CLEANUP(strbuf_release) struct strbuf compilers = STRBUF_INIT, os_release = STRBUF_INIT;
	struct utsname name = { 0 };

	/* A checkout depends on its commit alone. */
	if (!build->argv.n)
		return FNV_START;
	ask_compilers(trees, &compilers);
	file_read("/etc/os-release", OS_RELEASE_LARGEST, &os_release, NULL);
	uname(&name);
	return kept_key(&(struct kept_build){ text, (const char *const *)environ, compilers.buf, name.machine, os_release.buf });
}

/* FOLDER NULL stands for the scratch folder. */
static int find_place(const struct trees *trees, const char *folder, const char *commit, const struct command *build, struct tree *out,
		      struct error *err)
{
	CLEANUP(free_ptr) char *scratch = folder ? NULL : file_join(trees->scratch, "trees");

	if (scratch && file_make_dirs(scratch, err) < 0)
		return -1;
	out->kept = folder;
	out->commit = xstrdup(commit);
	out->top = text_printf("%s/%s-%016" PRIx64, folder ?: scratch, commit, hash_build(trees, build));
	if (!out->kept && trees->logs)
		out->log = text_printf("%s/build-%.12s.log", trees->logs, commit);
	else
		out->log = text_printf("%s.log", out->top);
	return 0;
}

/* -------- making a tree */

static void tell(const struct trees *trees, char *words)
{
	if (trees->progress)
		trees->progress(trees->ctx, words);
	free(words);
}

static int add_worktree(const struct trees *trees, const char *top, const char *commit, bool files, struct error *err)
{
	kept_clear(trees->git, top);
	/* Git keeps records of worktrees that are gone. */
	git_run_there(trees->git, trees->root, ARGV("worktree", "prune"), 0, NULL, NULL);
	if (git_run_there(trees->git, trees->root, ARGV("worktree", "add", "--quiet", "--detach", "--force",
							files ? "--checkout" : "--no-checkout", "--", top, commit),
			  timeout_of(trees), NULL, err) < 0)
		return error_wrap(err, "cannot check out %.12s of %s", commit, trees->root);
	return 0;
}

/* Returns NULL if TOP is no worktree's top; for free(). */
static char *worktree_commit(const struct trees *trees, const char *top)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	/* Git prints the prefix, here empty, then the commit. */
	if (git_run_there(trees->git, top, ARGV("rev-parse", "--show-prefix", "HEAD"), 0, &printed, NULL) < 0 || printed.buf[0] != '\n')
		return NULL;
	return xstrndup(printed.buf + 1, strcspn(printed.buf + 1, "\n"));
}

/*
 * Makes the files a worktree of COMMIT again: a CI cache restores them beside a new clone, and `git worktree prune`
 * forgets what it does not find.
 */
static bool adopt(const struct trees *trees, const char *top, const char *commit)
{
	CLEANUP(free_ptr) char *was = worktree_commit(trees, top), *place = text_printf("%s.git", top);
	CLEANUP(free_ptr) char *from = file_join(place, ".git"), *to = file_join(top, ".git");
	bool done;

	if (text_same(was, commit))
		return true;
	if (was)
		return git_run_there(trees->git, top, ARGV("update-ref", "--no-deref", "HEAD", commit), 0, NULL, NULL) == 0 &&
		       git_run_there(trees->git, top, ARGV("read-tree", "HEAD"), 0, NULL, NULL) == 0;
	done = file_remove_tree(to, NULL) == 0 && add_worktree(trees, place, commit, false, NULL) == 0 && rename(from, to) == 0 &&
	       git_run_there(trees->git, trees->root, ARGV("worktree", "repair", top), 0, NULL, NULL) == 0 &&
	       git_run_there(trees->git, top, ARGV("read-tree", "HEAD"), 0, NULL, NULL) == 0;
	file_remove_tree(place, NULL);
	return done;
}

/* The project is as deep below the top as in its own repository. */
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

enum { SUBMODULES_DEEPEST = 8 };

/*
 * Fills submodules from what is fetched in MODULES. Only some builds need them, so the build reports what is missing.
 */
static void fill_submodules(const struct trees *trees, const char *dir, const char *modules, unsigned depth)
{
	static const char begin[] = "submodule.", end[] = ".path";
	CLEANUP(strbuf_release) struct strbuf items = STRBUF_INIT;
	CLEANUP(free_ptr) char *list = file_join(dir, ".gitmodules"), *top = realpath(dir, NULL);
	CLEANUP(strv_release) struct strv words = STRV_INIT, folders = STRV_INIT, within = STRV_INIT;

	if (!file_exists(list) || !top ||
	    git_run_there(trees->git, dir, ARGV("config", "-z", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"), 0,
			  &items, NULL) < 0)
		return;
	/* Since CVE-2022-39253 git does not clone from folders, but this one is the user's. */
	strv_push_all(&words, ARGV("-c", "protocol.file.allow=always"));
	/* An item is "submodule.NAME.path", a newline and the path. */
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
	strv_push_all(&words, ARGV("submodule", "--quiet", "update"));
	git_run_there(trees->git, dir, (const char *const *)words.items, timeout_of(trees), NULL, NULL);
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
	CLEANUP(free_ptr) char *repository = common_dir(trees, NULL), *modules = repository ? file_join(repository, "modules") : NULL;

	tell(trees, text_printf("checking out %.12s", tree->commit));
	unlink(done);
	if (add_worktree(trees, tree->top, tree->commit, true, err) < 0)
		return -1;
	if (modules)
		fill_submodules(trees, tree->top, modules, SUBMODULES_DEEPEST);
	if (find_root(trees, tree, err) < 0)
		return -1;
	if (build->argv.n) {
		tell(trees, text_printf("building %.12s", tree->commit));
		if (trees_build(trees, tree->root, build, tree->log, err) < 0)
			return error_wrap(err, "%.12s", tree->commit);
	}
	return tree->kept ? kept_write_state(tree->top, done, err) : 0;
}

/* Locks the tree. Unless it can be reused, this pawl has it alone. */
static int take(const struct trees *trees, struct tree *tree, const char *done, struct error *err)
{
	CLEANUP(free_ptr) char *why = NULL;

	for (bool shared = true; ; shared = false) {
		CLEANUP(free_ptr) char *at = NULL;

		tree->lock = kept_lock(tree->top, shared, trees->git->keeper->interrupt, timeout_of(trees), err);
		if (tree->lock < 0)
			return -1;
		free(take_ptr(&why));
		at = tree->kept && shared ? worktree_commit(trees, tree->top) : NULL;
		tree->reused = tree->kept && kept_state_same(tree->top, done, !shared, &why) &&
			       (shared ? text_same(at, tree->commit) : adopt(trees, tree->top, tree->commit)) && find_root(trees, tree, NULL) == 0;
		if (tree->reused || !shared)
			break;
		close(tree->lock);
	}
	if (!tree->reused && !why && tree->kept && file_exists(tree->top))
		why = xstrdup("it was never finished");
	if (why)
		tell(trees, text_printf("the kept build of %.12s is damaged and is removed: %s", tree->commit, why));
	/* The time of .done is that of the last use. */
	if (tree->reused && utimensat(AT_FDCWD, done, NULL, 0) < 0)
		return error_sys(err, errno, "cannot set the time of %s", done);
	if (tree->reused)
		flock(tree->lock, LOCK_SH);
	return 0;
}

/* A compiler needs more. */
enum { FULL_BELOW = 1 << 20 };

static bool is_full(const char *path, const struct error *why)
{
	struct statvfs fs;

	if (why->sys == ENOSPC || why->sys == EDQUOT || strstr(why->msg, strerror(ENOSPC)) || strstr(why->msg, strerror(EDQUOT)))
		return true;
	return statvfs(path, &fs) == 0 && fs.f_bavail * fs.f_frsize < FULL_BELOW;
}

/*
 * Uses the tree if it is valid; otherwise one pawl makes it while others wait. Returns -2 if there is no room in
 * FOLDER.
 */
static int get(const struct trees *trees, const char *folder, const char *commit, const struct command *build, struct tree *out,
	       struct error *err)
{
	struct tree tree = { 0 };
	CLEANUP(free_ptr) char *done = NULL;
	int ret = find_place(trees, folder, commit, build, &tree, err);

	if (ret == 0) {
		done = text_printf("%s.done", tree.top);
		ret = take(trees, &tree, done, err);
	}
	if (ret == 0 && !tree.reused)
		ret = make(trees, &tree, build, done, err);
	if (ret < 0) {
		bool full = folder && is_full(folder, err);

		if (full)
			kept_clear(trees->git, tree.top);
		trees_put(trees, &tree);
		return full ? -2 : -1;
	}
	/* From here on others may share the tree. */
	flock(tree.lock, LOCK_SH);
	if (!build->argv.n)
		free(take_ptr(&tree.log));
	*out = tree;
	return 0;
}

char *trees_folder(const struct trees *trees, struct error *err)
{
	CLEANUP(free_ptr) char *repository = common_dir(trees, err);

	return repository ? kept_folder(repository, err) : NULL;
}

/* Returns -2, with the reason, if it cannot be kept. */
static int get_kept(const struct trees *trees, const char *commit, const struct command *build, struct tree *out, struct error *err)
{
	CLEANUP(free_ptr) char *folder = trees_folder(trees, err);
	int ret;

	if (!folder)
		return err->kind == ERR_INPUT ? -1 : -2;
	ret = get(trees, folder, commit, build, out, err);
	if (ret == -2)
		error_set(err, ERR_SYSTEM, "the disk of %s is full", folder);
	else if (ret == 0)
		kept_prune(trees->git);
	return ret;
}

int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct command build = { 0 };
	struct error why = ERROR_INIT;
	int ret;

	if (trees->build_of && trees->build_of(trees->ctx, commit, &arena, &build, err) < 0)
		return -1;
	ret = get_kept(trees, commit, &build, out, &why);
	if (ret == -2 && trees->scratch) {
		tell(trees, text_printf("builds cannot be kept (%s): %.12s is built in a temporary folder", why.msg, commit));
		return get(trees, NULL, commit, &build, out, err);
	}
	if (ret < 0)
		*err = why;
	return ret;
}

/* -------- accepted trees */

/* Copies modes and times, too, but no .git and nothing of SKIP. */
static int copy_tree(const struct trees *trees, const char *from, const char *to, const struct strv *skip, struct error *err)
{
	static const char script[] = "to=$1; shift; bad=$({ { tar \"$@\" -cf - . || echo 1 >&3; } | "
				     "tar -C \"$to\" --no-same-owner -xpf - || echo 1; } 3>&1); [ -z \"$bad\" ]";
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = from };

	strv_push_all(&argv, ARGV("/bin/sh", "-c", script, "copy", to, "--exclude=.git", "--anchored", "--no-wildcards"));
	for (size_t i = 0; i < skip->n; i++) {
		const char *below = path_below(skip->items[i], from);

		if (below && *below)
			strv_pushf(&argv, "--exclude=./%s", below);
	}
	return child_run(trees->git->keeper, &spec, timeout_of(trees), NULL, err) < 0 ? error_wrap(err, "cannot copy %s", from) : 0;
}

static int keep_copy(const struct trees *trees, const struct accepted *accepted, const struct tree *tree, struct error *err)
{
	CLEANUP(free_ptr) char *list = text_printf("%s.accepted", tree->top), *done = text_printf("%s.done", tree->top);
	CLEANUP(free_ptr) char *top = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	uint64_t cap, bytes = 0;

	strbuf_addf(&text, "%s%s\n", tree->commit, tree->dirty ? "+dirty" : "");
	for (size_t i = 0; i < accepted->runs.n; i++)
		strbuf_addf(&text, "%s\n", accepted->runs.items[i]);
	if (kept_cap(&cap, err) < 0 || git_top(trees->git, trees->root, &top, err) < 0 ||
	    add_worktree(trees, tree->top, tree->commit, false, err) < 0 ||
	    copy_tree(trees, top, tree->top, &accepted->skip, err) < 0 ||
	    git_run_there(trees->git, tree->top, ARGV("read-tree", "HEAD"), 0, NULL, err) < 0 ||
	    file_write(list, text.buf, text.len, err) < 0 || kept_write_state(tree->top, done, err) < 0)
		return -1;
	if (kept_size(done, &bytes) && bytes > cap)
		return error_set(err, ERR_SYSTEM, "it is larger than the cache may be, see PAWL_CACHE_SIZE");
	return 0;
}

int trees_accept(const struct trees *trees, const struct accepted *accepted, struct error *err)
{
	CLEANUP(free_ptr) char *folder = trees_folder(trees, err), *top = NULL;
	struct tree tree = { .kept = true, .dirty = accepted->dirty };
	int ret;

	if (!folder || git_resolve(trees->git, trees->root, "HEAD", &tree.commit, err) < 0)
		return -1;
	tree.top = text_printf("%s/accepted-%.32s", folder, accepted->runs.items[0]);
	top = xstrdup(tree.top);
	tree.lock = kept_lock(top, false, trees->git->keeper->interrupt, 0, err);
	ret = tree.lock < 0 ? -1 : keep_copy(trees, accepted, &tree, err);
	trees_put(trees, &tree);
	if (ret < 0)
		kept_remove(trees->git, top);
	else
		kept_prune(trees->git);
	return ret;
}

int trees_get_accepted(const struct trees *trees, const char *top, struct tree *out, struct error *err)
{
	CLEANUP(free_ptr) char *done = text_printf("%s.done", top);
	struct tree tree = { .kept = true, .top = xstrdup(top) };
	int ret;

	tree.commit = kept_accepted_commit(top, &tree.dirty);
	ret = take(trees, &tree, done, err);
	if (ret == 0 && tree.reused) {
		*out = tree;
		return 0;
	}
	trees_put(trees, &tree);
	if (ret == 0) {
		kept_remove(trees->git, top);
		error_set(err, ERR_TARGET, "it was damaged, and is removed");
	}
	return -1;
}

void trees_put(const struct trees *trees, struct tree *tree)
{
	if (tree->top && !tree->kept)
		kept_clear(trees->git, tree->top);
	if (tree->lock > 0)
		close(tree->lock);
	free(tree->root);
	free(tree->commit);
	free(tree->log);
	free(tree->top);
	*tree = (struct tree){ 0 };
}
