#include "measure/git/git.h"

#include <errno.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "model/result.h"

#define GIT_TIMEOUT_NS (60 * NS_PER_S)
#define ANSWER_NS (60 * NS_PER_S)
enum { GIT_OUTPUT_LARGEST = 16 << 20, HEADER_LONGEST = 4096 };

/* -------- running git */

bool git_leave_place(struct strv *argv)
{
	/* Variables that are set if a git hook started pawl. */
	static const char *const places[] = {
		"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR",
	};
	bool any = false;

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		any = any || getenv(places[i]);
	if (!any)
		return false;
	strv_push(argv, "env");
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		strv_pushf(argv, "--unset=%s", places[i]);
	return true;
}

/* Git finds the repository from DIR. Exception: a folder below GIT_WORK_TREE, whose GIT_DIR may be elsewhere. */
static void push_git(struct strv *argv, const char *dir)
{
	const char *git_dir = getenv("GIT_DIR"), *work_tree = getenv("GIT_WORK_TREE");
	CLEANUP(free_ptr) char *repository = git_dir && work_tree ? realpath(git_dir, NULL) : NULL;
	CLEANUP(free_ptr) char *top = repository ? realpath(work_tree, NULL) : NULL;
	CLEANUP(free_ptr) char *real = top ? realpath(dir, NULL) : NULL;

	if (git_leave_place(argv) && real && path_below(real, top)) {
		strv_pushf(argv, "GIT_DIR=%s", repository);
		strv_pushf(argv, "GIT_WORK_TREE=%s", top);
	}
	strv_push_all(argv, ARGV("git", "--no-pager"));
}

/* A replaced object (refs/replace) is not in its commit. */
static void add_environment(struct strv *out)
{
	strv_push_all(out, ARGV("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_REPLACE_OBJECTS=1"));
}

/* Output goes to a memory file, because it must be complete. */
int git_run_words(struct git *git, const char *dir, const struct strv *argv, uint64_t timeout_ns, struct strbuf *out,
		  struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;
	struct child_spec spec = { .argv = argv, .environment = &environment, .cwd = dir };
	char buf[65536];
	ssize_t n = 0;
	int ret;

	add_environment(&environment);
	spec.stdout_fd = memfd_create("git-output", MFD_CLOEXEC);
	if (spec.stdout_fd < 0)
		return error_sys(err, errno, "cannot make a memory file");
	ret = child_run(git->keeper, &spec, timeout_ns, &printed, err);
	if (ret < 0 && printed.len && (!err || err->kind == ERR_TARGET))
		error_set(err, ERR_TARGET, "git says: %.*s", (int)strcspn(printed.buf, "\n"), printed.buf);
	for (off_t at = 0; ret == 0 && (n = pread(spec.stdout_fd, buf, sizeof buf, at)) > 0; at += n) {
		if (at + n > GIT_OUTPUT_LARGEST)
			ret = error_set(err, ERR_INPUT, "git gave more than 16 MiB");
		if (out)
			strbuf_add(out, buf, (size_t)n);
	}
	if (n < 0)
		ret = error_sys(err, errno, "cannot read git's output");
	close(spec.stdout_fd);
	return ret;
}

int git_run_there(struct git *git, const char *dir, const char *const *args, uint64_t timeout_ns, struct strbuf *out,
		  struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	push_git(&argv, dir);
	strv_push_all(&argv, ARGV("-c", "core.hooksPath=/dev/null"));
	strv_push_all(&argv, args);
	return git_run_words(git, dir, &argv, timeout_ns ?: GIT_TIMEOUT_NS, out, err);
}

/* Git ran and refused, so the name, the folder or the clone's depth is wrong. */
static int git_refuses(struct error *err)
{
	if (err && err->kind == ERR_TARGET)
		err->kind = ERR_INPUT;
	return -1;
}

/* Returns the first line that git prints; NULL if it fails or prints nothing. For free(). */
static char *ask_line(struct git *git, const char *dir, const char *const *args)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	return git_run_there(git, dir, args, 0, &printed, NULL) == 0 && printed.len ? xstrndup(printed.buf, strcspn(printed.buf, "\n")) : NULL;
}

/* -------- cached answers about a folder */

struct git_folder {
	char *dir;
	char *top, *prefix, *commit;	/* NULL: not asked; "": none */
	/* for history_of() */
	bool asked, shallow;
	struct strbuf history;
	struct error refused;
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

static const struct git_folder *locate(struct git *git, const char *dir, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf top = STRBUF_INIT;
	CLEANUP(free_ptr) char *real = realpath(dir, NULL);
	struct git_folder *folder = folder_of(git, dir);
	const char *below;

	if (folder->top)
		return folder;
	if (git_run_there(git, dir, ARGV("rev-parse", "--show-toplevel"), 0, &top, err) < 0) {
		error_wrap(err, "%s is not inside a git repository", dir);
		return NULL;
	}
	/* Other newlines are part of folder names. */
	strbuf_truncate(&top, top.len - strbuf_ends_with(&top, "\n"));
	below = real ? path_below(real, top.buf) : NULL;
	folder->prefix = below && *below ? text_printf("%s/", below) : xstrdup("");
	folder->top = strbuf_take(&top);
	return folder;
}

int git_prefix(struct git *git, const char *dir, char **out, struct error *err)
{
	const struct git_folder *folder = locate(git, dir, err);

	if (!folder)
		return -1;
	*out = xstrdup(folder->prefix);
	return 0;
}

int git_top(struct git *git, const char *dir, char **out, struct error *err)
{
	const struct git_folder *folder = locate(git, dir, err);

	if (!folder)
		return git_refuses(err);
	*out = xstrdup(folder->top);
	return 0;
}

char *git_above(struct git *git, const char *dir)
{
	CLEANUP(strbuf_release) struct strbuf top = STRBUF_INIT;

	if (git_run_there(git, dir, ARGV("rev-parse", "--show-superproject-working-tree"), 0, &top, NULL) < 0 || !top.len)
		return NULL;
	strbuf_truncate(&top, top.len - strbuf_ends_with(&top, "\n"));
	return strbuf_take(&top);
}

char *git_commit(struct git *git, const char *dir)
{
	static const char head[] = "# branch.oid ";
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;
	struct strbuf commit = STRBUF_INIT;
	struct git_folder *folder = folder_of(git, dir);
	const char *at, *line;
	bool dirty = false;
	size_t len;

	if (folder->commit)
		return *folder->commit ? xstrdup(folder->commit) : NULL;
	/* Git prints "# branch.oid ID", other "#" lines, and a line for each differing file. */
	if (git_run_there(git, dir, ARGV("status", "--porcelain=v2", "--branch", "--untracked-files=no"), 0, &printed, NULL) < 0)
		strbuf_reset(&printed);
	at = printed.buf;
	while ((line = text_next_line(&at, printed.buf + printed.len, &len))) {
		/* "(initial)" stands for no commit. */
		if (text_starts(line, head) && line[strlen(head)] != '(')
			strbuf_addf(&commit, "%.12s", line + strlen(head));
		dirty = dirty || *line != '#';
	}
	if (commit.len && dirty)
		strbuf_adds(&commit, "+dirty");
	folder->commit = strbuf_take(&commit);
	return *folder->commit ? xstrdup(folder->commit) : NULL;
}

/* -------- commits */

#define UNKNOWN "unknown revision '%.100s' in %s; "
#define FETCH "if a remote has it, run git fetch"

static bool is_shallow(struct git *git, const char *dir)
{
	CLEANUP(free_ptr) char *shallow = ask_line(git, dir, ARGV("rev-parse", "--is-shallow-repository"));

	return text_same(shallow, "true");
}

static int unknown(struct git *git, const char *dir, const char *name, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf any = STRBUF_INIT, refs = STRBUF_INIT;
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	const char *at, *line, *near, *hint = getenv("CI") ? "fetch it first (for actions/checkout: fetch-depth: 0)" : FETCH;
	size_t len;

	if (git_run_there(git, dir, ARGV("rev-list", "--all", "--max-count=1"), 0, &any, NULL) == 0 && !any.len)
		return error_set(err, ERR_INPUT, "unknown revision '%.100s': %s has no commits yet", name, dir);
	if (is_shallow(git, dir))
		hint = "this clone is shallow: run git fetch --unshallow (for actions/checkout: fetch-depth: 0)";
	if (git_run_there(git, dir, ARGV("for-each-ref", "--format=%(refname:short)"), 0, &refs, NULL) == 0)
		for (at = refs.buf; (line = text_next_line(&at, refs.buf + refs.len, &len));)
			strv_pushf(&names, "%.*s", (int)len, line);
	near = nearest(name, (const char *const *)names.items, names.n);
	if (near)
		return error_set(err, ERR_INPUT, UNKNOWN "did you mean '%.100s'?", name, dir, near);
	return error_set(err, ERR_INPUT, UNKNOWN "%s", name, dir, hint);
}

const char *git_short_name(const char *ref)
{
	static const char *const common[] = { "refs/remotes/", "refs/heads/" };

	for (size_t i = 0; i < sizeof common / sizeof *common; i++)
		if (text_starts(ref, common[i]))
			return ref + strlen(common[i]);
	return ref;
}

/* Returns 1; 0 if SPEC names no commit; -1 if git failed. */
static int commit_of(struct git *git, const char *dir, const char *spec, char **out, struct error *err)
{
	struct error why = ERROR_INIT;
	CLEANUP(free_ptr) char *peeled = text_printf("%s^{commit}", spec);
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	if (git_run_there(git, dir, ARGV("rev-parse", "--verify", peeled), 0, &printed, &why) == 0) {
		*out = xstrndup(printed.buf, strcspn(printed.buf, "\n"));
		return 1;
	}
	return why.kind == ERR_TARGET ? 0 : error_copy(err, &why);
}

/* Git prefers a tag to a branch of the same name. REF was resolved to COMMIT. */
static int refuse_two_meanings(struct git *git, const char *dir, const char *ref, const char *commit, struct error *err)
{
	/* In git's order. */
	static const char *const folders[] = { "refs/", "refs/tags/", "refs/heads/", "refs/remotes/" };
	CLEANUP(free_ptr) char *name = xstrndup(ref, strcspn(ref, "~^:"));
	CLEANUP(strv_release) struct strv words = STRV_INIT, names = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;
	const char *taken = NULL, *taken_id = NULL;
	char *at = strstr(name, "@{");

	if (at)
		*at = '\0';
	/* Names such as ":/words" are no references and have one meaning. */
	if (!*name || name[strcspn(name, " *?[\\")] || !strcmp(ref, commit))
		return 0;
	for (size_t i = 0; !text_starts(name, "refs/") && i < sizeof folders / sizeof *folders; i++)
		strv_pushf(&names, "%s%s", folders[i], name);
	if (names.n)
		strv_pushf(&names, "refs/remotes/%s/HEAD", name);
	else
		strv_push(&names, name);
	strv_push_all(&words, ARGV("for-each-ref", "--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname)", "--"));
	strv_copy(&words, &names);
	if (git_run_there(git, dir, (const char *const *)words.items, 0, &printed, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *end = text_printf(" %s\n", names.items[i]);
		const char *found = strstr(printed.buf, end), *line = found ? memrchr(printed.buf, '\n', (size_t)(found - printed.buf)) : NULL;
		const char *id = line ? line + 1 : printed.buf;

		if (found && taken && strncmp(id, taken_id, (size_t)(found - id) + 1))
			return error_set(err, ERR_INPUT, "'%.100s' is ambiguous: %s (%.12s) or %s (%.12s); give the full name of one", ref, taken,
					 taken_id, names.items[i], id);
		if (found && !taken) {
			taken = names.items[i];
			taken_id = id;
		}
	}
	return text_starts(name, "refs/") && !taken ? unknown(git, dir, ref, err) : 0;
}

int git_resolve(struct git *git, const char *dir, const char *ref, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *commit = NULL;
	int got;

	if (ref[0] == '-')
		return error_set(err, ERR_INPUT, "'%.100s' is no name of a commit", ref);
	if (!locate(git, dir, err))
		return git_refuses(err);
	got = commit_of(git, dir, ref, &commit, err);
	if (got <= 0)
		return got < 0 ? -1 : unknown(git, dir, ref, err);
	if (refuse_two_meanings(git, dir, ref, commit, err) < 0)
		return -1;
	*out = take_ptr(&commit);
	return 0;
}

/*
 * Reads once which commits changed files below FOLDER, oldest first. Each piece ends in NUL: "=COMMIT PARENTS", or
 * ":MODE MODE BEFORE AFTER STATUS" and then the path from the top.
 */
static const struct git_folder *history_of(struct git *git, const char *dir, const char *folder, struct error *err)
{
	struct git_folder *kept = folder_of(git, folder);

	if (!kept->asked) {
		kept->asked = true;
		kept->history = (struct strbuf)STRBUF_INIT;
		git_run_there(git, dir, ARGV("log", "--reverse", "-z", "--raw", "--no-abbrev", "--no-renames", "--format==%H %P", "--", folder),
			      0, &kept->history, &kept->refused);
		kept->shallow = is_shallow(git, dir);
	}
	if (kept->refused.kind == ERR_NONE)
		return kept;
	error_copy(err, &kept->refused);
	return NULL;
}

int git_brought(struct git *git, const char *dir, struct git_line line, char **out, struct error *err)
{
	const struct git_folder *kept = history_of(git, dir, line.folder, err);
	const char *commit = NULL, *end, *next;
	size_t len = strlen(line.path);
	bool shallow;

	if (!kept)
		return -1;
	/* Reading objects may move KEPT. */
	shallow = kept->shallow;
	end = kept->history.buf + kept->history.len;
	for (const char *at = kept->history.buf; at < end; at = next) {
		CLEANUP(git_object_release) struct git_object content = { .text = STRBUF_INIT };
		char after[GIT_ID];

		next = at + strlen(at) + 1;
		at += *at == '\n';
		if (*at == '=')
			commit = at + 1;
		if (*at != ':' || sscanf(at, ":%*s %*s %*s %64s", after) != 1)
			continue;
		at = next;
		next += strlen(next) + 1;
		if (!text_ends(at, strlen(at), line.path) || (strlen(at) > len && at[strlen(at) - len - 1] != '/') ||
		    git_object_read(git, dir, after, GIT_OUTPUT_LARGEST, &content, NULL) != 1 ||
		    !strstr(content.text.buf, line.text))
			continue;
		/* In a shallow clone everything seems new in the oldest commit. */
		if (shallow && !commit[strcspn(commit, " ") + 1])
			return error_set(err, ERR_INPUT, "this clone is too shallow to find which commit %s/%s is of; "
					 "fetch more of its history", line.folder, line.path);
		*out = xstrndup(commit, strcspn(commit, " "));
		return 0;
	}
	return error_set(err, ERR_INPUT, "no commit has %s/%s as it is", line.folder, line.path);
}

char *git_merge_base(struct git *git, const char *dir, const char *a, const char *b)
{
	return ask_line(git, dir, ARGV("merge-base", a, b));
}

bool git_ignores(struct git *git, const char *dir, const char *path)
{
	return git_run_there(git, dir, ARGV("check-ignore", "--quiet", "--", path), 0, NULL, NULL) == 0;
}

char *git_origin(struct git *git, const char *dir)
{
	return ask_line(git, dir, ARGV("config", "--get", "remote.origin.url"));
}

unsigned git_distance(struct git *git, const char *dir, const char *from, const char *to)
{
	CLEANUP(free_ptr) char *range = text_printf("%s..%s", from, to);
	CLEANUP(free_ptr) char *count = ask_line(git, dir, ARGV("rev-list", "--count", "--ancestry-path", range));

	return count ? (unsigned)strtoul(count, NULL, 10) : 0;
}

int git_order(struct git *git, const char *dir, const char *ref, unsigned most, struct commits *out, struct error *err)
{
	CLEANUP(free_ptr) char *count = text_printf("--max-count=%u", most);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	/* A NUL ends each field. */
	if (git_run_there(git, dir, ARGV("-c", "log.showSignature=false", "log", "-z", "--reverse", "--no-color", "--no-show-signature",
					 "--encoding=UTF-8", "--format=%H%x00%as%x00%s", "--topo-order", count, ref, "--"), 0, &text, err) < 0)
		return error_wrap(err, "the commits that led to %.100s cannot be listed", ref);
	for (size_t at = 0; at < text.len;) {
		const char *fields[3];

		for (size_t i = 0; i < 3; i++) {
			fields[i] = text.buf + at;
			at += at < text.len ? strlen(fields[i]) + 1 : 0;
		}
		commits_add(out, fields[0], fields[1], fields[2]);
	}
	return 0;
}

int git_files(struct git *git, const char *dir, const char *commit, struct strv *paths, struct strv *ids, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *tab;

	/* A line is "100644 blob ID", a tab, the path and a NUL. */
	if (git_run_there(git, dir, ARGV("ls-tree", "-r", "-z", "--full-tree", commit), 0, &text, err) < 0)
		return error_wrap(err, "the files of %.12s cannot be listed", commit);
	for (const char *at = text.buf; at < text.buf + text.len; at += strlen(at) + 1) {
		char id[GIT_ID];

		if (!text_starts(at, "100") || sscanf(at, "%*s blob %64s", id) != 1 || !(tab = strchr(at, '\t')))
			continue;
		strv_push(ids, id);
		strv_push(paths, tab + 1);
	}
	return 0;
}

/* -------- objects */

struct git_batch {
	struct git_batch *next;
	char *top;		/* the repository's */
	struct child child;
	int fd;			/* of a socket pair, which git reads and writes */
};

static void batch_free(struct git *git, struct git_batch *batch)
{
	close(batch->fd);
	child_dispose(git->keeper, &batch->child);
	free(batch->top);
	free(batch);
}

void git_release(struct git *git)
{
	for (struct git_batch *batch = git->batches, *next; batch; batch = next) {
		next = batch->next;
		batch_free(git, batch);
	}
	for (size_t i = 0; i < git->n_folders; i++) {
		free(git->folders[i].dir);
		free(git->folders[i].top);
		free(git->folders[i].prefix);
		free(git->folders[i].commit);
		strbuf_release(&git->folders[i].history);
	}
	free(git->folders);
	*git = (struct git){ .keeper = git->keeper };
}

static struct git_batch *batch_of(struct git *git, const char *dir, struct error *err)
{
	const struct git_folder *folder = locate(git, dir, err);
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .environment = &environment };
	struct git_batch *batch;
	int pair[2], ret;

	if (!folder)
		return NULL;
	for (batch = git->batches; batch; batch = batch->next)
		if (!strcmp(batch->top, folder->top))
			return batch;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) {
		error_sys(err, errno, "cannot make sockets for git");
		return NULL;
	}
	batch = xcalloc(1, sizeof *batch);
	*batch = (struct git_batch){ .top = xstrdup(folder->top), .fd = pair[0] };
	/* A child's standard input is empty, so git reads from descriptor 3. */
	strv_push_all(&argv, ARGV("/bin/sh", "-c", "exec \"$@\" <&3 3<&-", "git"));
	push_git(&argv, batch->top);
	strv_push_all(&argv, ARGV("cat-file", "--batch", "--follow-symlinks"));
	add_environment(&environment);
	spec.cwd = batch->top;
	spec.stdout_fd = spec.extra_fds[0] = pair[1];
	ret = child_start(git->keeper, &spec, &batch->child, err);
	if (ret == 0)
		ret = child_release(&batch->child, err);
	close(pair[1]);
	if (ret < 0) {
		batch_free(git, batch);
		return NULL;
	}
	batch->next = git->batches;
	git->batches = batch;
	return batch;
}

static int batch_ended(struct git *git, struct git_batch *batch, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	if (child_wait(git->keeper, &batch->child, clock_now_ns() + NS_PER_S, err) < 0)
		return -1;
	tail_text(&batch->child.output, &printed);
	return error_set(err, ERR_TARGET, "git cat-file ended, before it gave what a commit holds: %.*s",
			 (int)strcspn(printed.buf, "\n"), printed.buf);
}

static int read_more(struct git *git, struct git_batch *batch, uint64_t deadline_ns, struct strbuf *out, struct error *err)
{
	int ready = keeper_poll(git->keeper, batch->fd, POLLIN, deadline_ns, err);
	char chunk[65536];
	ssize_t n;

	if (ready <= 0)
		return ready < 0 ? -1 : error_set(err, ERR_SYSTEM, "git cat-file does not answer");
	n = read(batch->fd, chunk, sizeof chunk);
	if (n < 0 && errno != EINTR)
		return error_sys(err, errno, "cannot read git's output");
	if (!n)
		return batch_ended(git, batch, err);
	strbuf_add(out, chunk, n > 0 ? (size_t)n : 0);
	return 0;
}

static const char *where_astray(const char *word)
{
	return text_starts(word, "symlink ") ? "leaves the repository" : text_starts(word, "loop ") ? "leads in a circle" :
	       text_starts(word, "dangling ") ? GIT_NOWHERE : NULL;
}

/*
 * An answer is "ID TYPE SIZE", a newline, SIZE bytes and a newline; or "NAME missing", or ambiguous. For a link that
 * leads to no object it is a word, "loop", and the size of a text.
 */
static int ask(struct git *git, struct git_batch *batch, const char *name, size_t limit, struct git_object *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf answer = STRBUF_INIT;
	CLEANUP(free_ptr) char *request = text_printf("%s\n", name);
	uint64_t deadline_ns = clock_now_ns() + ANSWER_NS;
	const char *end, *space, *type;
	size_t begin, size, have;
	bool found;

	/* A request fits into the socket's buffer. */
	if (send(batch->fd, request, strlen(request), MSG_NOSIGNAL) != (ssize_t)strlen(request))
		return batch_ended(git, batch, err);
	while (!(end = memchr(answer.buf, '\n', answer.len))) {
		if (answer.len > HEADER_LONGEST)
			return error_set(err, ERR_SYSTEM, "git cat-file answers what cannot be read");
		if (read_more(git, batch, deadline_ns, &answer, err) < 0)
			return -1;
	}
	begin = (size_t)(end + 1 - answer.buf);
	space = memrchr(answer.buf, ' ', begin);
	if (!space || text_starts(space, " missing\n") || text_starts(space, " ambiguous\n"))
		return 0;
	size = strtoull(space + 1, NULL, 10);
	type = memchr(answer.buf, ' ', begin);
	out->astray = where_astray(answer.buf);
	out->tree = text_starts(type, " tree ");
	snprintf(out->id, sizeof out->id, "%.*s", (int)(type - answer.buf), answer.buf);
	found = type < space;
	have = answer.len;
	while (have < begin + size + 1) {
		size_t before;

		if (size > limit)
			strbuf_reset(&answer);
		before = answer.len;
		if (read_more(git, batch, deadline_ns, &answer, err) < 0)
			return -1;
		have += answer.len - before;
	}
	if (!found)
		return 0;
	if (size > limit)
		return 2;
	strbuf_add(&out->text, answer.buf + begin, size);
	return 1;
}

int git_object_read(struct git *git, const char *dir, const char *name, size_t limit, struct git_object *out, struct error *err)
{
	struct git_batch *batch = batch_of(git, dir, err), **link = &git->batches;
	int got = !batch ? -1 : strchr(name, '\n') ? 0 : ask(git, batch, name, limit, out, err);

	if (!batch || got >= 0)
		return got;
	/* The rest of a partial answer would be read as the next one. */
	while (*link != batch)
		link = &(*link)->next;
	*link = batch->next;
	batch_free(git, batch);
	return -1;
}

int git_find(struct git *git, const char *dir, const char *id, char **out, struct error *err)
{
	CLEANUP(git_object_release) struct git_object found = { .text = STRBUF_INIT };
	CLEANUP(free_ptr) char *name = text_printf("%s^{commit}", id);
	int got = 0;

	if (!id[strspn(id, "0123456789abcdef")])
		got = git_object_read(git, dir, name, GIT_OUTPUT_LARGEST, &found, err);
	if (got == 0)
		return error_set(err, ERR_INPUT, UNKNOWN FETCH, id, dir);
	if (got == 1)
		*out = xstrdup(found.id);
	return got == 1 ? 0 : got < 0 ? -1 : error_set(err, ERR_INPUT, "commit %.100s is larger than 16 MiB", id);
}

bool git_adds_same(struct git *git, const char *dir, const char *commit, const char *prefix, const char *path)
{
	CLEANUP(free_ptr) char *name = text_printf("%s:%s%s", commit, prefix, path);
	CLEANUP(git_object_release) struct git_object object = { .text = STRBUF_INIT };
	CLEANUP(strbuf_release) struct strbuf ours = STRBUF_INIT;

	return git_object_read(git, dir, name, GIT_OUTPUT_LARGEST, &object, NULL) == 1 &&
	       git_run_there(git, dir, ARGV("hash-object", "--", path), 0, &ours, NULL) == 0 && text_starts(ours.buf, object.id);
}
