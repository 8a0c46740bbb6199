#include "measure/tools/strace.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/tools/tool.h"
#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "model/metrics/numbers.h"

enum { TEXT_LARGEST = 512 << 20 };
#define TRACE "strace.out"	/* its file */

/* A traced program does not get the rights of its set-user-ID file. */
static int refuse(const struct child_spec *child, struct error *err)
{
	if (child->user)
		return error_set(err, ERR_SYSTEM, "the target runs as user %s, whom pawl does not trace: leave out target.user", child->user);
	if (target_takes_rights(child))
		return error_set(err, ERR_SYSTEM, "%s runs with the rights of another user, which strace would take from it: measure as root",
				 child->argv->items[0]);
	return 0;
}

static bool forbidden(const char *printed)
{
	const char *at = strstr(printed, "ptrace(");

	return (at && (strstr(at, "Operation not permitted") || strstr(at, "Permission denied") || strstr(at, "not implemented"))) ||
	       strstr(printed, "test_ptrace_get_syscall_info") != NULL;
}

static void explain(const struct tool_side *side, struct error *err)
{
	if (forbidden(side->output.buf))
		error_set(err, ERR_SYSTEM, "strace may not trace here: in a container add --cap-add=SYS_PTRACE, elsewhere "
					   "`sudo sysctl kernel.yama.ptrace_scope=1`");
}

static const char *const options[] = { "-q", "-f", "-ttt", "-y", "-s", "4", "-e", "signal=none", "-o", "{dir}/" TRACE, NULL };

static const struct tool tool_strace = {
	.program = "strace", .options = options, .files = TRACE, .under = "under strace, which the target may not bear", .refuse = refuse,
	.explain = explain,
};

/* A filter makes other calls free, but strace accepts it only for a command that it starts. */
struct extra { const char *options[5]; };

static struct extra extra_options(const char *trace, bool command, const struct strace_wish *wish)
{
	struct extra out = { { NULL } };
	size_t n = 0;

	if (wish->calls && command)
		out.options[n++] = "--seccomp-bpf";
	if (wish->calls) {
		out.options[n++] = "-e";
		out.options[n++] = trace;
	}
	if (wish->stacks)
		out.options[n++] = "-k";
	return out;
}

/* The last line is then "123 1600000000.000000 +++ exited with 0 +++". */
static bool has_ended(const struct strbuf *text)
{
	const char *line = text->len > 1 ? memrchr(text->buf, '\n', text->len - 1) : NULL;

	return text->len && strstr(line ?: text->buf, " +++ ");
}

static int take_text(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	(void)err;
	strbuf_add(&((struct strace_text *)ctx)[side].text, text, len);
	return 0;
}

int strace_run(struct session *session, const struct target_spec *specs, size_t n, const struct strace_wish *wish,
	       struct strace_text *texts, struct error *err)
{
	CLEANUP(free_ptr) char *trace = text_printf("trace=%s", wish->calls ?: "all");
	const struct extra extra = extra_options(trace, true, wish);
	bool cut = false;
	const struct tool_use use = { .extra = extra.options, .limit_ns = wish->limit_ns, .cut = &cut, .feed = take_text, .ctx = texts };
	int ret = tool_run(session, &tool_strace, specs, n, &use, err);

	for (size_t i = 0; i < n; i++)
		texts[i].cut = cut && !has_ended(&texts[i].text);
	return ret;
}

/* Attaching takes a millisecond for each thread. */
#define ATTACH_NS (10 * NS_PER_S)
#define LOOK_EVERY_NS (5 * NS_PER_MS)
#define DETACH_NS (10 * NS_PER_S)

static bool is_traced(const struct process *process)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;

	process_threads(process->pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		uint64_t tracer;

		if (process_read_thread(process->pid, threads.items[i], "status", &text) && proc_status_number(text.buf, "TracerPid", 10, &tracer) && !tracer &&
		    process_lives(process->pid, process->start))
			return false;
	}
	return true;
}

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
	CLEANUP(free_ptr) char *trace = text_printf("trace=%s", wish->calls ?: "all");
	const struct extra extra = extra_options(trace, false, wish);
	struct child_spec spec = { .argv = &argv };

	*out = (struct strace){ .child.output_fd = -1, .file = file_join(session->scratch, TRACE) };
	if (tool_find(tool_strace.program, err) < 0)
		return -1;
	tool_words(&tool_strace, extra.options, session->scratch, &argv);
	for (size_t i = 0; i < processes->n; i++) {
		strv_push(&argv, "-p");
		strv_pushf(&argv, "%d", (int)processes->items[i].pid);
	}
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
		return error_set(err, ERR_SYSTEM, "strace did not end within %s of its stop signal", format_duration(DETACH_NS).s);
	out->cut = true;
	return file_read(strace->file, TEXT_LARGEST, &out->text, err);
}

void strace_dispose(struct session *session, struct strace *strace)
{
	/* strace, or the kernel if it must be killed, releases its tracees. */
	child_end(session->keeper, &strace->child, DETACH_NS);
	child_dispose(session->keeper, &strace->child);
	if (strace->file)
		unlink(strace->file);
	free(strace->file);
	*strace = (struct strace){ .child.output_fd = -1 };
}
