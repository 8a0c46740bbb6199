/* Targets under strace: at once and alone, started by strace and already running. Failures are reported. */
#include "unit.h"

#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cause/ledger/system_calls.h"
#include "measure/perf/session.h"
#include "measure/tools/strace.h"
#include "measure/tools/tool.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "keeper_fixture.h"

static int run_of(const char *const commands[], size_t n, const struct strace_wish *wish, struct strace_text *texts, struct error *err)
{
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	struct strv argvs[2] = { 0 };
	struct target_spec specs[2];
	int ret;

	for (size_t i = 0; i < n; i++) {
		strv_push(&argvs[i], "/bin/sh");
		strv_push(&argvs[i], "-c");
		strv_push(&argvs[i], commands[i]);
		specs[i] = (struct target_spec){ .child = { .argv = &argvs[i], .cwd = root }, .timeout_ns = PATIENCE_NS };
	}
	ret = strace_run(&session, specs, n, wish, texts, err);
	strv_release(&argvs[0]);
	strv_release(&argvs[1]);
	return ret;
}

static void skip_without_strace(void)
{
	if (!tool_available("strace"))
		skip();
}

TEST_WITH(two_at_once, fixture_up, fixture_down)
{
	static const char *const commands[] = { "sleep 0.05", "echo a >out; cat out out >/dev/null" };
	struct strace_text texts[2] = { { STRBUF_INIT, true }, { STRBUF_INIT, true } };
	struct system_calls calls[2];
	struct error err = ERROR_INIT;

	skip_without_strace();
	if (run_of(commands, 2, &(struct strace_wish){ .limit_ns = PATIENCE_NS }, texts, &err) < 0)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < 2; i++) {
		assert_false(texts[i].cut);
		MUST(strace_read(texts[i].text.buf, texts[i].text.len, &calls[i], &err));
		strbuf_release(&texts[i].text);
	}
	assert_true(system_calls_find(&calls[0], "clock_nanosleep") && !system_calls_find(&calls[1], "clock_nanosleep"));
	assert_true(calls[0].programs.n >= 1 && calls[1].processes == 2);
	system_calls_release(&calls[0]);
	system_calls_release(&calls[1]);
	nothing_left();
}

/* An endless shell is ended. Its calls until then are known, limited to the requested ones. */
TEST_WITH(what_takes_too_long_is_cut, fixture_up, fixture_down)
{
	static const char *const commands[] = { "while :; do : </dev/null; done" };
	struct strace_text text = { STRBUF_INIT, false };
	struct system_calls calls;
	struct error err = ERROR_INIT;

	skip_without_strace();
	if (run_of(commands, 1, &(struct strace_wish){ .calls = "openat", .limit_ns = NS_PER_S / 2 }, &text, &err) < 0)
		fail_msg("%s", err.msg);
	assert_true(text.cut && err.kind == ERR_NONE);
	assert_int_equal(strace_read(text.text.buf, text.text.len, &calls, &err), 0);
	assert_true(calls.n == 1 && calls.items[0].calls > 10);
	system_calls_release(&calls);
	strbuf_release(&text.text);
	nothing_left();
}

TEST_WITH(why_it_cannot_be, fixture_up, fixture_down)
{
	static const struct { const char *command, *words; } cases[] = {
		{ "exit 3", "under strace, which the target may not bear: the target exited with status 3" },
		{ "echo 'strace: ptrace(PTRACE_SEIZE, 12): Operation not permitted' >&2; exit 1", "add --cap-add=SYS_PTRACE" },
	};

	skip_without_strace();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct strace_text text = { STRBUF_INIT, false };
		struct error err = ERROR_INIT;

		assert_int_equal(run_of(&cases[i].command, 1, &(struct strace_wish){ .limit_ns = PATIENCE_NS }, &text, &err), -1);
		if (err.kind != ERR_SYSTEM || !strstr(err.msg, cases[i].words))
			fail_msg("case %zu: %s", i, err.msg);
		strbuf_release(&text.text);
		nothing_left();
	}
}

/* -------- processes that already run */

static void start_script(const char *script, struct child *out)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root };
	struct error err = ERROR_INIT;

	set_shell(&argv, script);
	MUST(child_start(&keeper, &spec, out, &err));
	MUST(child_release(out, &err));
}

static int attach_to(const struct child *target, const struct strace_wish *wish, struct strace *out, struct error *err)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 };
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };

	processes_read(&all);
	processes_add_tree(&tree, &all, target->pid);
	return strace_attach(&session, &tree, wish, out, err);
}

/* Asserts that the process is neither traced nor stopped, and works: its counter in OUT rises. */
static void assert_goes_on(pid_t pid)
{
	CLEANUP(strbuf_release) struct strbuf status = STRBUF_INIT;
	struct process before, now;
	uint64_t tracer;

	assert_true(process_read_file(pid, "status", &status));
	assert_true(proc_status_number(status.buf, "TracerPid", 10, &tracer) && !tracer);
	assert_true(strstr(status.buf, "State:\tR") || strstr(status.buf, "State:\tS"));
	assert_true(process_read(pid, &before));
	for (int i = 0; i < 200; i++) {
		poll(NULL, 0, 20);
		assert_true(process_read(pid, &now));
		if (now.user_ticks + now.system_ticks > before.user_ticks + before.system_ticks)
			return;
	}
	fail_msg("process %d does nothing any more", (int)pid);
}

/* After either way of detaching, a target continues as before. */
TEST_WITH(what_is_attached_to_goes_on, fixture_up, fixture_down)
{
	static const int ends[] = { 0, SIGKILL };
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };

	skip_without_strace();
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct child target;
		struct strace_text text = { STRBUF_INIT, false };
		struct system_calls calls;
		struct strace strace;
		struct error err = ERROR_INIT;
		uint64_t tracer = 0;

		start_script("while :; do : </dev/null; done", &target);
		if (attach_to(&target, &(struct strace_wish){ .calls = "openat" }, &strace, &err) < 0)
			fail_msg("%s", err.msg);
		assert_true(process_read_status(target.pid, "TracerPid", &tracer) && tracer == (uint64_t)strace.child.pid);
		poll(NULL, 0, 200);
		child_signal(&keeper, &strace.child, ends[i]);
		MUST(strace_detach(&session, &strace, &text, &err));
		assert_goes_on(target.pid);
		assert_true(text.cut);
		if (!ends[i]) {
			MUST(strace_read(text.text.buf, text.text.len, &calls, &err));
			assert_true(calls.n == 1 && calls.items[0].calls > 10);
			system_calls_release(&calls);
		}
		strbuf_release(&text.text);
		strace_dispose(&session, &strace);
		child_end(&keeper, &target, 0);
		child_dispose(&keeper, &target);
		nothing_left();
	}
}

/* As with kernel.yama.ptrace_scope = 1: strace reports it and ends. */
TEST_WITH(why_it_cannot_be_attached, fixture_up, fixture_down)
{
	static const struct { const char *script, *words; } cases[] = {
		{ "echo 'strace: attach: ptrace(PTRACE_SEIZE, 12): Operation not permitted' >&2; exit 1",
		  "(sh): run pawl as root, or `sudo sysctl kernel.yama.ptrace_scope=0`; in a container add --cap-add=SYS_PTRACE" },
		{ "echo 'strace: it is Monday' >&2; exit 1", "(sh); it printed: strace: it is Monday" },
	};
	CLEANUP(free_ptr) char *path = text_printf("%s:%s", root, getenv("PATH")), *before = xstrdup(getenv("PATH"));
	CLEANUP(free_ptr) char *file = file_join(root, "strace");
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *script = text_printf("#!/bin/sh\n%s\n", cases[i].script);
		struct child target;
		struct error err = ERROR_INIT;
		struct strace strace;

		start_script("while :; do sleep 1; done", &target);
		assert_int_equal(file_write(file, script, strlen(script), &err), 0);
		assert_int_equal(chmod(file, 0755), 0);
		setenv("PATH", path, 1);
		assert_int_equal(attach_to(&target, &(struct strace_wish){ .calls = "openat" }, &strace, &err), -1);
		setenv("PATH", before, 1);
		if (err.kind != ERR_SYSTEM || !strstr(err.msg, cases[i].words))
			fail_msg("case %zu: %s", i, err.msg);
		strace_dispose(&session, &strace);
		child_end(&keeper, &target, 0);
		child_dispose(&keeper, &target);
		assert_int_equal(unlink(file), 0);
	}
}
