#include "measure/perf/strace_run.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/perf/traced.h"
#include "measure/process/child.h"
#include "measure/process/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "model/measured.h"

enum { TEXT_LARGEST = 512 << 20 };

bool strace_available(void)
{
	CLEANUP(free_ptr) char *path = file_find_program("strace", "/");

	return path != NULL;
}

/* A traced program does not get the rights of its set-user-ID file. */
static int refuse_setuid(const struct child_spec *child, struct error *err)
{
	if (target_takes_rights(child))
		return error_set(err, ERR_SYSTEM, "%s runs with the rights of another user, which strace would take from it: measure as root",
				 child->argv->items[0]);
	return 0;
}

static int refuse_missing(struct error *err)
{
	return strace_available() ? 0 : error_set(err, ERR_SYSTEM, "strace is not installed: install the package strace");
}

static int refuse(const struct target_spec *spec, struct error *err)
{
	if (refuse_missing(err) < 0)
		return -1;
	if (spec->child.user)
		return error_set(err, ERR_SYSTEM, "the target runs as user %s, whom pawl does not trace: leave out target.user",
				 spec->child.user);
	return refuse_setuid(&spec->child, err);
}

/* Builds strace's argv for COMMAND, or for PROCESSES if that is NULL. */
static void set_argv(const struct strace_wish *wish, const char *file, const struct strv *command, const struct processes *processes,
		     struct strv *argv)
{
	static const char *const options[] = { "strace", "-q", "-f", "-ttt", "-y", "-s", "4", "-e", "signal=none", NULL };

	strv_push_all(argv, options);
	/* strace accepts a filter, which makes other calls free, only for a command it starts itself. */
	if (wish->calls && command)
		strv_push(argv, "--seccomp-bpf");
	if (wish->calls) {
		strv_push(argv, "-e");
		strv_pushf(argv, "trace=%s", wish->calls);
	}
	if (wish->stacks)
		strv_push(argv, "-k");
	strv_push(argv, "-o");
	strv_push(argv, file);
	for (size_t i = 0; !command && i < processes->n; i++) {
		strv_push(argv, "-p");
		strv_pushf(argv, "%d", (int)processes->items[i].pid);
	}
	if (command) {
		strv_push(argv, "--");
		strv_copy(argv, command);
	}
}

/* True if strace printed that the kernel denied tracing. */
static bool forbidden(const char *printed)
{
	const char *at = strstr(printed, "ptrace(");

	return (at && (strstr(at, "Operation not permitted") || strstr(at, "Permission denied") || strstr(at, "not implemented"))) ||
	       strstr(printed, "test_ptrace_get_syscall_info") != NULL;
}

/* Turns the failure into advice. An interrupt stays an interrupt. */
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

/* True if the last process has ended. Its line is the last: "123 1600000000.000000 +++ exited with 0 +++". */
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
		set_argv(wish, files[i], specs[i].child.argv, NULL, &argvs[i]);
		traced[i] = specs[i];
		traced[i].child.argv = &argvs[i];
		/* targets_run() allows N times this. */
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

/* -------- processes that run already */

/* Attaching takes a millisecond per thread. LOOK_EVERY_NS separates the checks that all threads are traced. */
#define ATTACH_NS (10 * NS_PER_S)
#define LOOK_EVERY_NS (5 * NS_PER_MS)
#define DETACH_NS (10 * NS_PER_S)

/* True if all threads of PROCESS are traced, or it has ended. */
static bool is_traced(const struct process *process)
{
	CLEANUP(free_ptr) char *tasks = text_printf("/proc/%d/task", (int)process->pid);
	CLEANUP(strv_release) struct strv threads = STRV_INIT;

	file_list(tasks, &threads, NULL);
	for (size_t i = 0; i < threads.n; i++) {
		CLEANUP(free_ptr) char *name = text_printf("task/%s/status", threads.items[i]);
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		uint64_t tracer;

		if (process_read_file(process->pid, name, &text) && proc_status_number(text.buf, "TracerPid", 10, &tracer) && !tracer &&
		    process_lives(process->pid, process->start))
			return false;
	}
	return true;
}

/* Returns the first untraced process, or NULL. */
static const struct process *untraced(const struct processes *processes)
{
	for (size_t i = 0; i < processes->n; i++)
		if (!is_traced(&processes->items[i]))
			return &processes->items[i];
	return NULL;
}

static int explain_attaching(struct child *child, const struct process *left, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf printed = STRBUF_INIT;

	child_read_output(child);
	tail_text(&child->output, &printed);
	if (forbidden(printed.buf))
		return error_set(err, ERR_SYSTEM, "strace may not attach to process %d (%s): run pawl as root, or "
				 "`sudo sysctl kernel.yama.ptrace_scope=0`; in a container add --cap-add=SYS_PTRACE", (int)left->pid, left->name);
	error_set(err, ERR_SYSTEM, "strace did not attach to process %d (%s)", (int)left->pid, left->name);
	tool_quote_last_line(&printed, err);
	return -1;
}

static int wait_until_traced(struct keeper *keeper, const struct processes *processes, struct child *child, struct error *err)
{
	uint64_t give_up = clock_now_ns() + ATTACH_NS;
	const struct process *left;

	while ((left = untraced(processes))) {
		if (child->ended || clock_now_ns() >= give_up)
			return explain_attaching(child, left, err);
		if (keeper_pump(keeper, clock_now_ns() + LOOK_EVERY_NS, err) < 0)
			return -1;
	}
	return 0;
}

int strace_attach(struct session *session, const struct processes *processes, const struct strace_wish *wish, struct strace *out,
		  struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv };

	*out = (struct strace){ .child.output_fd = -1, .file = file_join(session->scratch, "strace.attached") };
	if (refuse_missing(err) < 0)
		return -1;
	set_argv(wish, out->file, NULL, processes, &argv);
	if (child_start(session->keeper, &spec, &out->child, err) < 0 || child_release(&out->child, err) < 0)
		return -1;
	return wait_until_traced(session->keeper, processes, &out->child, err);
}

int strace_detach(struct session *session, struct strace *strace, struct strace_text *out, struct error *err)
{
	int waited;

	child_signal(session->keeper, &strace->child, SIGINT);
	waited = child_wait(session->keeper, &strace->child, clock_now_ns() + DETACH_NS, err);
	if (waited < 0)
		return -1;
	if (waited)
		return error_set(err, ERR_SYSTEM, "strace did not end within %.3g s of its stop signal", (double)DETACH_NS / 1e9);
	out->cut = true;
	return file_read(strace->file, TEXT_LARGEST, &out->text, err);
}

void strace_dispose(struct session *session, struct strace *strace)
{
	/* On request strace releases its tracees. If it must be killed, the kernel releases them. */
	child_end(session->keeper, &strace->child, DETACH_NS);
	child_dispose(session->keeper, &strace->child);
	if (strace->file)
		unlink(strace->file);
	free(strace->file);
	*strace = (struct strace){ .child.output_fd = -1 };
}
