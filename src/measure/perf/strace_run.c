#include "measure/perf/perf.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/mem.h"

enum { TEXT_LARGEST = 512 << 20 };

bool strace_available(void)
{
	CLEANUP(free_ptr) char *path = file_find_program("strace", "/");

	return path != NULL;
}

/* Whoever traces a program takes the rights from it that its file would give it. */
static int refuse_setuid(const struct child_spec *child, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_find_program(child->argv->items[0], child->cwd ? child->cwd : ".");
	struct stat st;

	if (geteuid() != 0 && path && stat(path, &st) == 0 && (st.st_mode & (S_ISUID | S_ISGID)))
		return error_set(err, ERR_SYSTEM, "%s runs with the rights of another user, which strace would take from it: measure as root",
				 child->argv->items[0]);
	return 0;
}

static int refuse(const struct target_spec *spec, struct error *err)
{
	if (!strace_available())
		return error_set(err, ERR_SYSTEM, "strace is not installed: install the package strace");
	if (spec->child.user)
		return error_set(err, ERR_SYSTEM, "the target runs as user %s, whom pawl does not trace: leave out target.user",
				 spec->child.user);
	return refuse_setuid(&spec->child, err);
}

static void push_options(const struct strace_wish *wish, const char *file, struct strv *argv)
{
	static const char *const options[] = { "strace", "-q", "-f", "-ttt", "-T", "-y", "-s", "4", "-e", "signal=none", NULL };

	strv_push_all(argv, options);
	if (wish->calls) {
		strv_push(argv, "--seccomp-bpf");
		strv_push(argv, "-e");
		strv_pushf(argv, "trace=%s", wish->calls);
	}
	if (wish->stacks)
		strv_push(argv, "-k");
	strv_push(argv, "-o");
	strv_push(argv, file);
	strv_push(argv, "--");
}

/* What strace says when the kernel does not let it. */
static bool forbidden(const char *printed)
{
	const char *at = strstr(printed, "ptrace(");

	return (at && (strstr(at, "Operation not permitted") || strstr(at, "Permission denied") || strstr(at, "not implemented"))) ||
	       strstr(printed, "test_ptrace_get_syscall_info") != NULL;
}

/* In words of what to do; an interrupt stays what it is. */
static int explain(const struct outcome *outcomes, size_t n, struct error *err)
{
	if (!err || err->kind == ERR_INTERRUPTED)
		return -1;
	err->sys = 0;
	for (size_t i = 0; i < n; i++)
		if (forbidden(outcomes[i].output->buf))
			return error_set(err, ERR_SYSTEM, "strace may not trace here: in a container add --cap-add=SYS_PTRACE, elsewhere "
							  "`sudo sysctl kernel.yama.ptrace_scope=1`");
	for (size_t i = 0; i < n; i++)
		if (outcomes[i].failed)
			tool_quote_last_line(outcomes[i].output, err);
	if (err->kind == ERR_TARGET) {
		err->kind = ERR_SYSTEM;
		return error_wrap(err, "under strace, which the target may not bear");
	}
	return error_wrap(err, "under strace");
}

/* The last line is that of the last process to end: "123 1600000000.000000 +++ exited with 0 +++". */
static bool has_ended(const struct strbuf *text)
{
	const char *line = text->len > 1 ? memrchr(text->buf, '\n', text->len - 1) : NULL;

	return text->len && strstr(line ?: text->buf, " +++ ");
}

int strace_run(struct session *session, const struct target_spec *specs, size_t n, const struct strace_wish *wish,
	       struct strace_text *texts, struct error *err)
{
	CLEANUP(free_ptr) char *dir = file_join(session->scratch, "strace");
	struct strv argvs[AT_ONCE_MOST] = { 0 };
	struct strbuf outputs[AT_ONCE_MOST] = { STRBUF_INIT, STRBUF_INIT };
	struct measured measured[AT_ONCE_MOST] = { 0 };
	struct target_spec traced[AT_ONCE_MOST];
	struct outcome outcomes[AT_ONCE_MOST];
	char *files[AT_ONCE_MOST] = { 0 };
	int ret = 0;
	bool cut;

	for (size_t i = 0; i < n; i++)
		if (refuse(&specs[i], err) < 0)
			return -1;
	if (file_remove_tree(dir, err) < 0 || file_make_dirs(dir, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		files[i] = text_printf("%s/%zu", dir, i);
		push_options(wish, files[i], &argvs[i]);
		strv_copy(&argvs[i], specs[i].child.argv);
		traced[i] = specs[i];
		traced[i].child.argv = &argvs[i];
		/* It is N times as long of several. */
		traced[i].timeout_ns = wish->limit_ns / n;
		outcomes[i] = (struct outcome){ .out = &measured[i], .output = &outputs[i] };
	}
	ret = targets_run(session, traced, outcomes, n, NULL, err);
	cut = ret < 0 && err && err->sys == ETIMEDOUT;
	if (ret < 0)
		ret = cut ? 0 : explain(outcomes, n, err);
	for (size_t i = 0; i < n; i++) {
		if (ret == 0)
			ret = file_read(files[i], TEXT_LARGEST, &texts[i].text, err);
		texts[i].cut = cut && !has_ended(&texts[i].text);
		measured_release(&measured[i]);
		strbuf_release(&outputs[i]);
		strv_release(&argvs[i]);
		free(files[i]);
	}
	if (cut && ret == 0)
		*err = (struct error)ERROR_INIT;
	return file_remove_tree(dir, ret < 0 ? NULL : err) < 0 ? -1 : ret;
}
