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
#include "measure/process/interrupt.h"
#include "measure/process/lock.h"
#include "model/metrics/numbers.h"

#define ACCEPTED "accepted-"

enum { LINES_LARGEST = 1 << 20 };

/* -------- the key of a build */

/* Variables that differ between shells, sessions or jobs, but not builds. */
static const char *const noise[] = {
	"_", "SHLVL", "PWD", "OLDPWD", "PS1", "PROMPT_COMMAND", "HIST*", "LINES", "COLUMNS", "TERM*", "COLOR*", "LS_COLORS",
	"LESS*", "PAGER", "EDITOR", "VISUAL", "TMPDIR", "TMP", "TEMP", "USER", "USERNAME", "LOGNAME", "MAIL", "HOSTNAME",
	"XDG_*", "DBUS_*", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "WINDOWID", "TMUX*", "STY", "SSH_*", "GPG_*", "SUDO_*",
	"VSCODE_*", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_*", "MEMORY_PRESSURE_*", "NOTIFY_SOCKET", "MAKELEVEL", "MFLAGS",
	"MAKE_TERM*", "GIT_*", "PAWL_*", "GH_*", "GITHUB_*", "RUNNER_*", "ACTIONS_*", "CI_*", "GITLAB_*", "BUILDKITE_*",
	"CIRCLE_*", "STATS_*", "BUILD_ID", "BUILD_NUMBER", "BUILD_TAG", "BUILD_URL", "JOB_*", "CHANGE_*", "JENKINS_*", NULL,
};

static bool is_noise(const char *entry)
{
	CLEANUP(free_ptr) char *name = xstrndup(entry, strcspn(entry, "="));

	return text_matches_any(name, noise);
}

/* MAKEFLAGS counts without its jobserver, which differs in each run of make. */
static void list_environment(const char *const *environment, struct strv *out)
{
	static const char makeflags[] = "MAKEFLAGS=";

	for (const char *const *e = environment; e && *e; e++) {
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

/* The final NUL keeps texts from moving to the next part. */
static uint64_t add(uint64_t hash, const char *text)
{
	return fnv_bytes(hash, text ?: "", strlen(text ?: "") + 1);
}

uint64_t kept_key(const struct kept_build *build)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	uint64_t hash = add(FNV_START, build->command);

	list_environment(build->environment, &environment);
	for (size_t i = 0; i < environment.n; i++)
		hash = add(hash, environment.items[i]);
	return add(add(add(add(hash, ""), build->compilers), build->machine), build->os_release);
}

/* -------- the state of a tree */

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

int kept_write_state(const char *top, const char *marker, struct error *err)
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

bool kept_size(const char *marker, uint64_t *bytes_out)
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

bool kept_state_same(const char *top, const char *marker, bool may_write, char **why_out)
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

/* -------- the lock of a tree */

int kept_lock(const char *top, bool shared, struct interrupt *interrupt, uint64_t wait_ns, struct error *err)
{
	const struct lock_way way = { O_RDWR | O_CREAT | O_NOFOLLOW, shared ? LOCK_SH : LOCK_EX, wait_ns, interrupt };
	CLEANUP(free_ptr) char *path = text_printf("%s.lock", top);
	int fd, waited = lock_open(path, &way, &fd, err);

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

	out.finished = kept_size(done, &out.bytes) && stat(done, &st) == 0;
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
