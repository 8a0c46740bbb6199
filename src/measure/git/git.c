#include "measure/git/git.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/child.h"
#include "measure/process/files.h"
#include "measure/process/interrupt.h"

#define GIT_TIMEOUT_NS (60 * NS_PER_S)
enum { GIT_OUTPUT_LARGEST = 16 << 20 };

static int read_all(int fd, struct strbuf *out, struct error *err)
{
	char buf[65536];
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, buf, sizeof buf, at)) > 0; at += n) {
		if (at + n > GIT_OUTPUT_LARGEST)
			return error_set(err, ERR_INPUT, "git gave more than 16 MiB");
		strbuf_add(out, buf, (size_t)n);
	}
	return n < 0 ? error_sys(err, errno, "cannot read git's output") : 0;
}

/* Where git works when pawl itself was started by one of its hooks, which say so in the environment. */
static const char *const places[] = {
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
};

void git_leave_place(struct strv *argv)
{
	bool any = false;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		any = any || getenv(places[i]);
	if (!any)
		return;
	strv_push(argv, "env");
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		strv_pushf(argv, "--unset=%s", places[i]);
}

void git_environment(struct strv *out)
{
	strv_push(out, "LC_ALL=C");
	strv_push(out, "GIT_OPTIONAL_LOCKS=0");
	strv_push(out, "GIT_TERMINAL_PROMPT=0");
}

/* Standard output goes to a memory file: unlike what a report quotes, it must be whole. */
static int run_words(struct keeper *keeper, const char *dir, struct strv *argv, uint64_t timeout_ns, struct strbuf *out,
		     struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	struct child_spec spec = { .argv = argv, .environment = &environment, .cwd = dir };
	int ret;

	git_environment(&environment);
	spec.stdout_fd = memfd_create("git-output", MFD_CLOEXEC);
	if (spec.stdout_fd < 0)
		return error_sys(err, errno, "cannot make a memory file");
	ret = child_run(keeper, &spec, timeout_ns, &said, err);
	if (ret < 0 && said.len && (!err || err->kind == ERR_TARGET))
		error_set(err, ERR_TARGET, "git says: %.*s", (int)strcspn(said.buf, "\n"), said.buf);
	if (ret == 0)
		ret = read_all(spec.stdout_fd, out, err);
	close(spec.stdout_fd);
	return ret;
}

static int run_git(struct keeper *keeper, const char *dir, const char *const *args, struct strbuf *out,
		   struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	strv_push(&argv, "git");
	strv_push(&argv, "--no-pager");
	for (; *args; args++)
		strv_push(&argv, *args);
	return run_words(keeper, dir, &argv, GIT_TIMEOUT_NS, out, err);
}

static char *first_line(struct strbuf *text)
{
	strbuf_truncate(text, strcspn(text->buf, "\n"));
	return strbuf_take(text);
}

char *git_commit(struct keeper *keeper, const char *dir)
{
	CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT, status = STRBUF_INIT;

	if (run_git(keeper, dir, (const char *const[]){ "rev-parse", "--short=12", "HEAD", NULL }, &head, NULL) < 0)
		return NULL;
	strbuf_truncate(&head, strcspn(head.buf, "\n"));
	if (run_git(keeper, dir, (const char *const[]){ "status", "--porcelain", "--untracked-files=no", NULL }, &status,
		    NULL) == 0 && status.len)
		strbuf_adds(&head, "+dirty");
	return strbuf_take(&head);
}

int git_resolve(struct keeper *keeper, const char *dir, const char *ref, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf commit = STRBUF_INIT, spec = STRBUF_INIT;

	if (ref[0] == '-')
		return error_set(err, ERR_INPUT, "'%.100s' is no name of a commit", ref);
	strbuf_addf(&spec, "%s^{commit}", ref);
	if (run_git(keeper, dir, (const char *const[]){ "rev-parse", "--verify", spec.buf, NULL }, &commit, err) < 0)
		return error_wrap(err, "git finds no commit '%.100s' in %s; fetch it first (git fetch origin; for "
				  "actions/checkout: fetch-depth: 0)", ref, dir);
	*out = first_line(&commit);
	return 0;
}

static bool is_shallow(struct keeper *keeper, const char *dir)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	return run_git(keeper, dir, (const char *const[]){ "rev-parse", "--is-shallow-repository", NULL }, &said, NULL) == 0 &&
	       !strcmp(said.buf, "true\n");
}

static bool has_parent(struct keeper *keeper, const char *dir, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT, parent = STRBUF_INIT;

	strbuf_addf(&parent, "%s^", commit);
	return run_git(keeper, dir, (const char *const[]){ "rev-parse", "--verify", "--quiet", parent.buf, NULL }, &said, NULL) == 0;
}

int git_brought(struct keeper *keeper, const char *dir, const char *path, const char *text, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf commits = STRBUF_INIT;
	CLEANUP(free_ptr) char *commit = NULL;

	if (run_git(keeper, dir, (const char *const[]){ "log", "--reverse", "--format=%H", "-S", text, "--", path, NULL },
		    &commits, err) < 0)
		return -1;
	if (!commits.len)
		return error_set(err, ERR_INPUT, "no commit has %s as it is", path);
	commit = first_line(&commits);
	if (is_shallow(keeper, dir) && !has_parent(keeper, dir, commit))
		return error_set(err, ERR_INPUT, "this clone is too shallow to tell which commit %s is of; fetch more of its history",
				 path);
	*out = take_ptr(&commit);
	return 0;
}

int git_prefix(struct keeper *keeper, const char *dir, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf prefix = STRBUF_INIT;

	if (run_git(keeper, dir, (const char *const[]){ "rev-parse", "--show-prefix", NULL }, &prefix, err) < 0)
		return error_wrap(err, "%s is not inside a git repository", dir);
	*out = first_line(&prefix);
	return 0;
}

int git_top(struct keeper *keeper, const char *dir, char **top_out, char **above_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	char *line;

	if (run_git(keeper, dir, (const char *const[]){ "rev-parse", "--show-toplevel", "--show-superproject-working-tree", NULL },
		    &said, err) < 0)
		return error_wrap(err, "%s is not inside a git repository", dir);
	line = strchrnul(said.buf, '\n');
	*above_out = *line && line[1] ? xstrndup(line + 1, strcspn(line + 1, "\n")) : NULL;
	*top_out = first_line(&said);
	return 0;
}

char *git_merge_base(struct keeper *keeper, const char *dir, const char *a, const char *b)
{
	CLEANUP(strbuf_release) struct strbuf commit = STRBUF_INIT;

	if (run_git(keeper, dir, (const char *const[]){ "merge-base", a, b, NULL }, &commit, NULL) < 0)
		return NULL;
	return first_line(&commit);
}

/* The NUL-terminated text that FIELD points to in TEXT, FIELD moved behind it; NULL at the end. */
static const char *next_field(const struct strbuf *text, size_t *field)
{
	const char *start = text->buf + *field;

	if (*field >= text->len)
		return NULL;
	*field += strlen(start) + 1;
	return start;
}

static bool descends(struct keeper *keeper, const char *dir, const char *from, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	return run_git(keeper, dir, (const char *const[]){ "merge-base", "--is-ancestor", from, commit, NULL }, &said, NULL) == 0;
}

/*
 * Where GOOD was merged from a branch, first parents lead past it: those before the merge do not have it. (git log's
 * --ancestry-path finds none at all then.) Whoever comes after one that descends from it does too.
 */
static size_t first_with(struct keeper *keeper, const char *dir, const char *good, const struct commits *commits)
{
	size_t low = 0, high = commits->n ? commits->n - 1 : 0;

	if (!commits->n || descends(keeper, dir, good, commits->items[0].id))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (descends(keeper, dir, good, commits->items[middle].id))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

int git_commits(struct keeper *keeper, const char *dir, const char *good, const char *bad, struct commits *out,
		struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, not_good = STRBUF_INIT;
	CLEANUP(commits_release) struct commits commits = { 0 };
	const char *fields[4];
	size_t at = 0;

	strbuf_addf(&not_good, "^%s", good);
	/* -z ends a commit as %x00 ends its other fields. */
	if (run_git(keeper, dir, (const char *const[]){ "-c", "log.showSignature=false", "log", "-z", "--first-parent",
		    "--reverse", "--no-color", "--no-show-signature", "--encoding=UTF-8",
		    "--format=%H%x00%an%x00%as%x00%s", bad, not_good.buf, "--", NULL }, &text, err) < 0)
		return error_wrap(err, "the commits from %.12s to %.12s cannot be listed", good, bad);
	while (at < text.len) {
		for (size_t i = 0; i < 4; i++)
			if (!(fields[i] = next_field(&text, &at)))
				return error_set(err, ERR_SYSTEM, "git listed half a commit after %.12s", good);
		commits_add(&commits, fields[0], fields[1], fields[2], fields[3]);
	}
	commits_drop(&commits, first_with(keeper, dir, good, &commits));
	*out = commits;
	commits = (struct commits){ 0 };
	return 0;
}

/* -------- worktrees */

/* As run_git(), in the repository of DIR whatever the environment says, and without its hooks. */
static int run_there(struct keeper *keeper, const char *dir, const char *const *args, uint64_t timeout_ns,
		     struct strbuf *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	git_leave_place(&argv);
	strv_push(&argv, "git");
	strv_push(&argv, "--no-pager");
	strv_push(&argv, "-c");
	strv_push(&argv, "core.hooksPath=/dev/null");
	for (; *args; args++)
		strv_push(&argv, *args);
	return run_words(keeper, dir, &argv, timeout_ns, out, err);
}

int git_common_dir(struct keeper *keeper, const char *dir, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT, path = STRBUF_INIT;
	char *real;

	if (run_there(keeper, dir, (const char *const[]){ "rev-parse", "--git-common-dir", NULL }, GIT_TIMEOUT_NS, &said, err) < 0)
		return error_wrap(err, "%s is not inside a git repository", dir);
	strbuf_truncate(&said, strcspn(said.buf, "\n"));
	strbuf_addf(&path, "%s%s%s", said.buf[0] == '/' ? "" : dir, said.buf[0] == '/' ? "" : "/", said.buf);
	real = realpath(path.buf, NULL);
	if (!real)
		return error_sys(err, errno, "cannot find git's folder %s", path.buf);
	*out = real;
	return 0;
}

int git_worktree_add(struct keeper *keeper, const char *dir, const char *path, const char *commit, uint64_t timeout_ns,
		     struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	run_there(keeper, dir, (const char *const[]){ "worktree", "prune", NULL }, GIT_TIMEOUT_NS, &said, NULL);
	return run_there(keeper, dir, (const char *const[]){ "worktree", "add", "--quiet", "--detach", "--force", "--", path, commit, NULL },
			 timeout_ns, &said, err);
}

void git_worktree_remove(struct keeper *keeper, const char *dir, const char *path)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	/* What git refuses to remove, such as a folder that is no worktree any more, is a folder all the same. */
	run_there(keeper, dir, (const char *const[]){ "worktree", "remove", "--force", "--force", "--", path, NULL },
		  GIT_TIMEOUT_NS, &said, NULL);
	file_remove_tree(path, NULL);
	run_there(keeper, dir, (const char *const[]){ "worktree", "prune", NULL }, GIT_TIMEOUT_NS, &said, NULL);
}

bool git_worktree_whole(struct keeper *keeper, const char *path, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT, top = STRBUF_INIT;

	return run_there(keeper, path, (const char *const[]){ "rev-parse", "--show-prefix", NULL }, GIT_TIMEOUT_NS, &top, NULL) == 0 &&
	       !strcmp(top.buf, "\n") &&
	       run_there(keeper, path, (const char *const[]){ "rev-parse", "--verify", "HEAD", NULL }, GIT_TIMEOUT_NS, &head, NULL) == 0 &&
	       !strncmp(head.buf, commit, strlen(commit));
}

int git_worktree_changes(struct keeper *keeper, const char *path, struct strbuf *out, struct error *err)
{
	return run_there(keeper, path, (const char *const[]){ "-c", "core.fsmonitor=false", "diff",
			 "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--binary", "--full-index",
			 "--submodule=short", "--ignore-submodules=untracked", "HEAD", "--", NULL }, GIT_TIMEOUT_NS, out, err);
}

int git_worktree_untracked(struct keeper *keeper, const char *path, struct strv *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	if (run_there(keeper, path, (const char *const[]){ "ls-files", "-z", "--others", NULL }, GIT_TIMEOUT_NS, &names, err) < 0)
		return -1;
	for (size_t at = 0; at < names.len; at += strlen(names.buf + at) + 1)
		strv_push(out, names.buf + at);
	return 0;
}
