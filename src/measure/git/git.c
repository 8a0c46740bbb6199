#include "measure/git/git.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"

#define GIT_TIMEOUT_NS (60 * NS_PER_S)
/* How long git may take to answer for an object. */
#define ANSWER_NS (60 * NS_PER_S)
enum { GIT_OUTPUT_LARGEST = 16 << 20, HEADER_LONGEST = 4096 };

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

static void add_environment(struct strv *out)
{
	strv_push(out, "LC_ALL=C");
	strv_push(out, "GIT_OPTIONAL_LOCKS=0");
	strv_push(out, "GIT_TERMINAL_PROMPT=0");
}

/* Standard output goes to a memory file: unlike what a report quotes, it must be whole. */
static int run_words(struct git *git, const char *dir, struct strv *argv, uint64_t timeout_ns, struct strbuf *out,
		     struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	struct child_spec spec = { .argv = argv, .environment = &environment, .cwd = dir };
	int ret;

	add_environment(&environment);
	spec.stdout_fd = memfd_create("git-output", MFD_CLOEXEC);
	if (spec.stdout_fd < 0)
		return error_sys(err, errno, "cannot make a memory file");
	ret = child_run(git->keeper, &spec, timeout_ns, &said, err);
	if (ret < 0 && said.len && (!err || err->kind == ERR_TARGET))
		error_set(err, ERR_TARGET, "git says: %.*s", (int)strcspn(said.buf, "\n"), said.buf);
	if (ret == 0)
		ret = read_all(spec.stdout_fd, out, err);
	close(spec.stdout_fd);
	return ret;
}

static int run_git(struct git *git, const char *dir, const char *const *args, struct strbuf *out,
		   struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	strv_push(&argv, "git");
	strv_push(&argv, "--no-pager");
	for (; *args; args++)
		strv_push(&argv, *args);
	return run_words(git, dir, &argv, GIT_TIMEOUT_NS, out, err);
}

static char *first_line(struct strbuf *text)
{
	strbuf_truncate(text, strcspn(text->buf, "\n"));
	return strbuf_take(text);
}

/* Git ran and said no: the name, the folder, or the clone's depth, is the user's to mend. */
static int git_refuses(struct error *err)
{
	if (err && err->kind == ERR_TARGET)
		err->kind = ERR_INPUT;
	return -1;
}

/* -------- what is asked once of a folder */

struct git_folder {
	char *dir;
	char *top, *prefix, *above, *commit;	/* NULL until they are asked for, "" where there is none */
};

static struct git_folder *folder_of(struct git *git, const char *dir)
{
	for (size_t i = 0; i < git->n_folders; i++)
		if (!strcmp(git->folders[i].dir, dir))
			return &git->folders[i];
	VEC_GROW(git->folders, git->n_folders, git->cap_folders);
	git->folders[git->n_folders] = (struct git_folder){ .dir = xstrdup(dir) };
	return &git->folders[git->n_folders++];
}

/* The next line of *AT, for free(); "" behind the last one. */
static char *next_line(const char **at)
{
	size_t len = strcspn(*at, "\n");
	char *line = xstrndup(*at, len);

	*at += len + ((*at)[len] == '\n');
	return line;
}

/* Where DIR lies, and when ABOVE what has its repository as a submodule; NULL with an error outside a repository. */
static const struct git_folder *locate(struct git *git, const char *dir, bool above, struct error *err)
{
	const char *const args[] = { "rev-parse", "--show-toplevel", "--show-prefix", above ? "--show-superproject-working-tree" : NULL,
				     NULL };
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	struct git_folder *folder = folder_of(git, dir);
	const char *at;

	if (folder->top && (folder->above || !above))
		return folder;
	if (run_git(git, dir, args, &said, err) < 0) {
		error_wrap(err, "%s is not inside a git repository", dir);
		return NULL;
	}
	at = said.buf;
	free(folder->top);
	free(folder->prefix);
	folder->top = next_line(&at);
	folder->prefix = next_line(&at);
	if (above)
		folder->above = next_line(&at);
	/* Of the top there is nothing more to ask. */
	if (*folder->prefix) {
		CLEANUP(free_ptr) char *top = xstrdup(folder->top);

		folder = folder_of(git, top);
		folder->top = folder->top ?: xstrdup(top);
		folder->prefix = folder->prefix ?: xstrdup("");
	}
	return folder_of(git, dir);
}

int git_prefix(struct git *git, const char *dir, char **out, struct error *err)
{
	const struct git_folder *folder = locate(git, dir, false, err);

	if (!folder)
		return -1;
	*out = xstrdup(folder->prefix);
	return 0;
}

int git_top(struct git *git, const char *dir, char **top_out, char **above_out, struct error *err)
{
	const struct git_folder *folder = locate(git, dir, true, err);

	if (!folder)
		return git_refuses(err);
	*top_out = xstrdup(folder->top);
	*above_out = *folder->above ? xstrdup(folder->above) : NULL;
	return 0;
}

/* "# branch.oid ID", other lines that begin so, and one for each file that differs. */
static char *ask_commit(struct git *git, const char *dir)
{
	static const char *const args[] = { "status", "--porcelain=v2", "--branch", "--untracked-files=no", NULL };
	static const char head[] = "# branch.oid ";
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	struct strbuf commit = STRBUF_INIT;
	bool dirty = false;

	if (run_git(git, dir, args, &said, NULL) < 0)
		return xstrdup("");
	for (const char *at = said.buf; *at;) {
		CLEANUP(free_ptr) char *line = next_line(&at);

		/* "(initial)" before the first one */
		if (!strncmp(line, head, strlen(head)) && line[strlen(head)] != '(')
			strbuf_addf(&commit, "%.12s", line + strlen(head));
		dirty = dirty || *line != '#';
	}
	if (commit.len && dirty)
		strbuf_adds(&commit, "+dirty");
	return strbuf_take(&commit);
}

char *git_commit(struct git *git, const char *dir)
{
	struct git_folder *folder = folder_of(git, dir);

	if (!folder->commit)
		folder->commit = ask_commit(git, dir);
	return *folder->commit ? xstrdup(folder->commit) : NULL;
}

int git_resolve(struct git *git, const char *dir, const char *ref, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf commit = STRBUF_INIT, spec = STRBUF_INIT;

	if (ref[0] == '-')
		return error_set(err, ERR_INPUT, "'%.100s' is no name of a commit", ref);
	strbuf_addf(&spec, "%s^{commit}", ref);
	if (run_git(git, dir, (const char *const[]){ "rev-parse", "--verify", spec.buf, NULL }, &commit, err) < 0) {
		error_wrap(err, "git finds no commit '%.100s' in %s; fetch it first (git fetch origin; for "
				"actions/checkout: fetch-depth: 0)", ref, dir);
		return git_refuses(err);
	}
	*out = first_line(&commit);
	return 0;
}

static bool is_shallow(struct git *git, const char *dir)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	return run_git(git, dir, (const char *const[]){ "rev-parse", "--is-shallow-repository", NULL }, &said, NULL) == 0 &&
	       !strcmp(said.buf, "true\n");
}

static bool has_parent(struct git *git, const char *dir, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT, parent = STRBUF_INIT;

	strbuf_addf(&parent, "%s^", commit);
	return run_git(git, dir, (const char *const[]){ "rev-parse", "--verify", "--quiet", parent.buf, NULL }, &said, NULL) == 0;
}

int git_brought(struct git *git, const char *dir, const char *path, const char *text, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf commits = STRBUF_INIT;
	CLEANUP(free_ptr) char *commit = NULL;

	if (run_git(git, dir, (const char *const[]){ "log", "--reverse", "--format=%H", "-S", text, "--", path, NULL },
		    &commits, err) < 0)
		return -1;
	if (!commits.len)
		return error_set(err, ERR_INPUT, "no commit has %s as it is", path);
	commit = first_line(&commits);
	if (is_shallow(git, dir) && !has_parent(git, dir, commit))
		return error_set(err, ERR_INPUT, "this clone is too shallow to tell which commit %s is of; fetch more of its history",
				 path);
	*out = take_ptr(&commit);
	return 0;
}

char *git_merge_base(struct git *git, const char *dir, const char *a, const char *b)
{
	CLEANUP(strbuf_release) struct strbuf commit = STRBUF_INIT;

	if (run_git(git, dir, (const char *const[]){ "merge-base", a, b, NULL }, &commit, NULL) < 0)
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

static bool descends(struct git *git, const char *dir, const char *from, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	return run_git(git, dir, (const char *const[]){ "merge-base", "--is-ancestor", from, commit, NULL }, &said, NULL) == 0;
}

/*
 * Where GOOD was merged from a branch, first parents lead past it: those before the merge do not have it. (git log's
 * --ancestry-path finds none at all then.) Whoever comes after one that descends from it does too.
 */
static size_t first_with(struct git *git, const char *dir, const char *good, const struct commits *commits)
{
	size_t low = 0, high = commits->n ? commits->n - 1 : 0;

	if (!commits->n || descends(git, dir, good, commits->items[0].id))
		return 0;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (descends(git, dir, good, commits->items[middle].id))
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

int git_commits(struct git *git, const char *dir, const char *good, const char *bad, struct commits *out,
		struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, not_good = STRBUF_INIT;
	CLEANUP(commits_release) struct commits commits = { 0 };
	const char *fields[4];
	size_t at = 0;

	strbuf_addf(&not_good, "^%s", good);
	/* -z ends a commit as %x00 ends its other fields. */
	if (run_git(git, dir, (const char *const[]){ "-c", "log.showSignature=false", "log", "-z", "--first-parent",
		    "--reverse", "--no-color", "--no-show-signature", "--encoding=UTF-8",
		    "--format=%H%x00%an%x00%as%x00%s", bad, not_good.buf, "--", NULL }, &text, err) < 0)
		return error_wrap(err, "the commits from %.12s to %.12s cannot be listed", good, bad);
	while (at < text.len) {
		for (size_t i = 0; i < 4; i++)
			if (!(fields[i] = next_field(&text, &at)))
				return error_set(err, ERR_SYSTEM, "git listed half a commit after %.12s", good);
		commits_add(&commits, fields[0], fields[1], fields[2], fields[3]);
	}
	commits_drop(&commits, first_with(git, dir, good, &commits));
	*out = commits;
	commits = (struct commits){ 0 };
	return 0;
}

/* -------- objects */

struct git_batch {
	struct git_batch *next;
	struct keeper *keeper;
	char *top;		/* of the repository */
	struct child child;
	int fd;			/* ours of a pair of sockets: git reads requests from the other, and answers into it */
	struct strbuf read;	/* and not yet used */
};

static void batch_free(struct git_batch *batch)
{
	close(batch->fd);
	child_dispose(batch->keeper, &batch->child);
	strbuf_release(&batch->read);
	free(batch->top);
	free(batch);
}

void git_release(struct git *git)
{
	while (git->batches) {
		struct git_batch *batch = git->batches;

		git->batches = batch->next;
		batch_free(batch);
	}
	for (size_t i = 0; i < git->n_folders; i++) {
		free(git->folders[i].dir);
		free(git->folders[i].top);
		free(git->folders[i].above);
		free(git->folders[i].prefix);
		free(git->folders[i].commit);
	}
	free(git->folders);
	*git = (struct git){ .keeper = git->keeper };
}
/* Standard input of a child is empty, so its requests come through descriptor 3. */
static int batch_start(struct git *git, const char *top, int theirs, struct child *out, struct error *err)
{
	static const char *const words[] = { "/bin/sh", "-c", "exec \"$@\" <&3 3<&-", "git", "git", "--no-pager",
					     "--no-replace-objects", "cat-file", "--batch" };
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .environment = &environment, .cwd = top,
				   .stdout_fd = theirs, .extra_fds = { theirs } };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		strv_push(&argv, words[i]);
	add_environment(&environment);
	if (child_start(git->keeper, &spec, out, err) < 0)
		return -1;
	if (child_release(out, err) == 0)
		return 0;
	child_dispose(git->keeper, out);
	return -1;
}

/* The one of the repository that DIR is in; NULL with an error. */
static struct git_batch *batch_of(struct git *git, const char *dir, struct error *err)
{
	const struct git_folder *folder = locate(git, dir, false, err);
	struct git_batch *batch = git->batches;
	int pair[2], ret;

	if (!folder)
		return NULL;
	while (batch && strcmp(batch->top, folder->top))
		batch = batch->next;
	if (batch)
		return batch;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		error_sys(err, errno, "cannot make sockets for git");
		return NULL;
	}
	batch = xcalloc(1, sizeof *batch);
	*batch = (struct git_batch){ .keeper = git->keeper, .top = xstrdup(folder->top), .read = STRBUF_INIT, .fd = pair[0] };
	ret = batch_start(git, batch->top, pair[1], &batch->child, err);
	close(pair[1]);
	if (ret < 0) {
		close(batch->fd);
		free(batch->top);
		free(batch);
		return NULL;
	}
	batch->next = git->batches;
	git->batches = batch;
	return batch;
}

/* What git said on standard error is why it ended. */
static int batch_gone(struct git_batch *batch, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	if (child_wait(batch->keeper, &batch->child, clock_now_ns() + NS_PER_S, err) < 0)
		return -1;
	tail_text(&batch->child.output, &said);
	return error_set(err, ERR_TARGET, "git cat-file ended, before it gave what a commit holds: %.*s",
			 (int)strcspn(said.buf, "\n"), said.buf);
}

/* At least one more byte of the answer. */
static int batch_more(struct git_batch *batch, uint64_t deadline_ns, struct error *err)
{
	struct interrupt *interrupt = batch->keeper->interrupt;
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
		return batch_gone(batch, err);
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
static int read_header(struct git_batch *batch, uint64_t deadline_ns, long long *size, char id[GIT_ID], struct error *err)
{
	struct strbuf *read = &batch->read;
	const char *end, *space;

	while (!(end = memchr(read->buf, '\n', read->len))) {
		if (read->len > HEADER_LONGEST)
			return error_set(err, ERR_SYSTEM, "git cat-file answers what cannot be read");
		if (batch_more(batch, deadline_ns, err) < 0)
			return -1;
	}
	space = memrchr(read->buf, ' ', (size_t)(end - read->buf));
	*size = space ? strtoll(space + 1, NULL, 10) : -1;
	if (!space || !strncmp(space, " missing\n", 9))
		*size = -1;
	snprintf(id, GIT_ID, "%.*s", (int)strcspn(read->buf, " \n"), read->buf);
	batch_used(batch, (size_t)(end - read->buf) + 1);
	return 0;
}

/* Takes SIZE bytes of the answer, and the newline behind them, into OUT unless that is NULL. */
static int read_body(struct git_batch *batch, uint64_t deadline_ns, size_t size, struct strbuf *out, struct error *err)
{
	struct strbuf *read = &batch->read;

	while (size + 1 > read->len) {
		size_t have = read->len < size ? read->len : size;

		if (out)
			strbuf_add(out, read->buf, have);
		batch_used(batch, have);
		size -= have;
		if (size + 1 > read->len && batch_more(batch, deadline_ns, err) < 0)
			return -1;
	}
	if (out)
		strbuf_add(out, read->buf, size);
	batch_used(batch, size + 1);
	return 0;
}

static int ask(struct git_batch *batch, const char *name, size_t limit, struct strbuf *out, char id[GIT_ID], struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf request = STRBUF_INIT;
	uint64_t deadline_ns = clock_now_ns() + ANSWER_NS;
	long long size = -1;

	strbuf_addf(&request, "%s\n", name);
	/* Shorter than what a socket takes at once. */
	if (send(batch->fd, request.buf, request.len, MSG_NOSIGNAL) != (ssize_t)request.len)
		return batch_gone(batch, err);
	if (read_header(batch, deadline_ns, &size, id, err) < 0)
		return -1;
	if (size < 0)
		return 0;
	if (read_body(batch, deadline_ns, (size_t)size, (size_t)size > limit ? NULL : out, err) < 0)
		return -1;
	return (size_t)size > limit ? 2 : 1;
}

int git_object(struct git *git, const char *dir, const char *name, size_t limit, struct strbuf *out, char id[GIT_ID],
	       struct error *err)
{
	struct git_batch *batch = batch_of(git, dir, err), **link = &git->batches;
	int got = batch ? ask(batch, name, limit, out, id, err) : -1;

	if (!batch || got >= 0)
		return got;
	/* Half an answer would be taken for the next one. */
	while (*link != batch)
		link = &(*link)->next;
	*link = batch->next;
	batch_free(batch);
	return -1;
}

/* -------- worktrees */

/* As run_git(), in the repository of DIR whatever the environment says, and without its hooks. */
static int run_there(struct git *git, const char *dir, const char *const *args, uint64_t timeout_ns,
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
	return run_words(git, dir, &argv, timeout_ns, out, err);
}

int git_common_dir(struct git *git, const char *dir, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT, path = STRBUF_INIT;
	char *real;

	if (run_there(git, dir, (const char *const[]){ "rev-parse", "--git-common-dir", NULL }, GIT_TIMEOUT_NS, &said, err) < 0)
		return error_wrap(err, "%s is not inside a git repository", dir);
	strbuf_truncate(&said, strcspn(said.buf, "\n"));
	strbuf_addf(&path, "%s%s%s", said.buf[0] == '/' ? "" : dir, said.buf[0] == '/' ? "" : "/", said.buf);
	real = realpath(path.buf, NULL);
	if (!real)
		return error_sys(err, errno, "cannot find git's folder %s", path.buf);
	*out = real;
	return 0;
}

int git_worktree_add(struct git *git, const char *dir, const char *path, const char *commit, uint64_t timeout_ns,
		     struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	run_there(git, dir, (const char *const[]){ "worktree", "prune", NULL }, GIT_TIMEOUT_NS, &said, NULL);
	return run_there(git, dir, (const char *const[]){ "worktree", "add", "--quiet", "--detach", "--force", "--", path, commit, NULL },
			 timeout_ns, &said, err);
}

void git_worktree_remove(struct git *git, const char *dir, const char *path)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	if (!file_exists(path))
		return;
	/* What git refuses to remove, such as a folder that is no worktree any more, is a folder all the same. */
	run_there(git, dir, (const char *const[]){ "worktree", "remove", "--force", "--force", "--", path, NULL },
		  GIT_TIMEOUT_NS, &said, NULL);
	file_remove_tree(path, NULL);
	run_there(git, dir, (const char *const[]){ "worktree", "prune", NULL }, GIT_TIMEOUT_NS, &said, NULL);
}

bool git_worktree_whole(struct git *git, const char *path, const char *commit)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;

	/* No prefix, then the commit. */
	return run_there(git, path, (const char *const[]){ "rev-parse", "--show-prefix", "HEAD", NULL }, GIT_TIMEOUT_NS, &said, NULL) == 0 &&
	       said.buf[0] == '\n' && !strncmp(said.buf + 1, commit, strlen(commit));
}

int git_worktree_changes(struct git *git, const char *path, struct strbuf *out, struct error *err)
{
	return run_there(git, path, (const char *const[]){ "-c", "core.fsmonitor=false", "diff",
			 "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--binary", "--full-index",
			 "--submodule=short", "--ignore-submodules=untracked", "HEAD", "--", NULL }, GIT_TIMEOUT_NS, out, err);
}

int git_worktree_untracked(struct git *git, const char *path, struct strv *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	if (run_there(git, path, (const char *const[]){ "ls-files", "-z", "--others", NULL }, GIT_TIMEOUT_NS, &names, err) < 0)
		return -1;
	for (size_t at = 0; at < names.len; at += strlen(names.buf + at) + 1)
		strv_push(out, names.buf + at);
	return 0;
}
