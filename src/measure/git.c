#include "measure/git.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/child.h"
#include "measure/clock.h"

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

/* Standard output goes to a memory file: unlike what a report quotes, it must be whole. */
static int run_git(struct keeper *keeper, const char *dir, const char *const *args, struct strbuf *out,
		   struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT, environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	struct child_spec spec = { .argv = &argv, .environment = &environment, .cwd = dir };
	int ret;

	strv_push(&argv, "git");
	strv_push(&argv, "--no-pager");
	for (; *args; args++)
		strv_push(&argv, *args);
	strv_push(&environment, "LC_ALL=C");
	strv_push(&environment, "GIT_OPTIONAL_LOCKS=0");
	strv_push(&environment, "GIT_TERMINAL_PROMPT=0");
	spec.stdout_fd = memfd_create("git-output", MFD_CLOEXEC);
	if (spec.stdout_fd < 0)
		return error_sys(err, errno, "cannot make a memory file");
	ret = child_run(keeper, &spec, GIT_TIMEOUT_NS, &said, err);
	if (ret < 0 && said.len)
		error_set(err, ERR_TARGET, "git says: %.*s", (int)strcspn(said.buf, "\n"), said.buf);
	if (ret == 0)
		ret = read_all(spec.stdout_fd, out, err);
	close(spec.stdout_fd);
	return ret;
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

int git_prefix(struct keeper *keeper, const char *dir, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf prefix = STRBUF_INIT;

	if (run_git(keeper, dir, (const char *const[]){ "rev-parse", "--show-prefix", NULL }, &prefix, err) < 0)
		return error_wrap(err, "%s is not inside a git repository", dir);
	*out = first_line(&prefix);
	return 0;
}

int git_show(struct keeper *keeper, const char *dir, const char *commit, const char *path, struct strbuf *out,
	     struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf spec = STRBUF_INIT, type = STRBUF_INIT;

	strbuf_addf(&spec, "%s:%s", commit, path);
	if (run_git(keeper, dir, (const char *const[]){ "cat-file", "-t", spec.buf, NULL }, &type, NULL) < 0 ||
	    strcmp(type.buf, "blob\n"))
		return 0;
	return run_git(keeper, dir, (const char *const[]){ "cat-file", "blob", spec.buf, NULL }, out, err) < 0 ? -1 : 1;
}

int git_list(struct keeper *keeper, const char *dir, const char *commit, const char *path, struct strv *out,
	     struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT, spec = STRBUF_INIT;

	strbuf_addf(&spec, "%s:%s", commit, path);
	if (run_git(keeper, dir, (const char *const[]){ "cat-file", "-e", spec.buf, NULL }, &names, NULL) < 0)
		return 0;
	if (run_git(keeper, dir, (const char *const[]){ "ls-tree", "-z", "--name-only", spec.buf, NULL }, &names, err) < 0)
		return -1;
	for (size_t at = 0; at < names.len; at += strlen(names.buf + at) + 1)
		strv_push(out, names.buf + at);
	return 0;
}
