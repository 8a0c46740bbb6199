/* Building a tree, its output kept. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/child.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/git.h"
#include "measure/trees.h"

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
	ret = child_run(trees->keeper, &spec, trees->build_timeout_ns ? trees->build_timeout_ns : 3600 * NS_PER_S, NULL, err);
	close(spec.stdout_fd);
	keeper_sweep(trees->keeper, 0, names, NULL);
	return ret < 0 ? fail(root, log, err) : 0;
}
