/* Targets under a tracing tool: the files read for each target, and the errors if there are none. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "measure/tools/valgrind.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/tools/tool.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "keeper_fixture.h"

struct taken {
	struct strbuf texts[2];
	bool refuse;
};

static int take(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	struct taken *taken = ctx;

	if (taken->refuse)
		return error_set(err, ERR_INPUT, "not this");
	strbuf_add(&taken->texts[side], text, len);
	return 0;
}

/* A tool made of sh: runs the command after its first words, FOLDER SUFFIX, and writes the command's output to files. */
static const char *const options[] = { "-c", "f=$0; shift; \"$@\" >\"$f/out.1\"; r=$?; echo more >\"$f/out.2\"; echo log >\"$f/log\"; exit $r",
				       "{dir}", NULL };
static const struct tool shell = { .program = "sh", .options = options, .files = "out.", .own_cpus = true };

static int run_commands(const struct tool *tool, const char *const *commands, size_t n, uint64_t limit_ns, struct taken *taken,
			struct error *err)
{
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	struct strv argv[2] = { STRV_INIT, STRV_INIT };
	struct target_spec specs[2];
	int ret;

	for (size_t i = 0; i < n; i++) {
		strv_push(&argv[i], "sh");
		strv_push(&argv[i], "-c");
		strv_push(&argv[i], commands[i]);
		specs[i] = (struct target_spec){ .child = { .argv = &argv[i], .cwd = root }, .timeout_ns = PATIENCE_NS };
	}
	ret = tool_run(&session, tool, specs, n, &(struct tool_use){ .limit_ns = limit_ns, .feed = take, .ctx = taken }, err);
	/* The tool's folders are gone. */
	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_ptr) char *dir = text_printf("%s/%s-%zu", root, tool->program, i);

		assert_false(file_exists(dir));
		strv_release(&argv[i]);
	}
	return ret;
}

static void release(struct taken *taken)
{
	strbuf_release(&taken->texts[0]);
	strbuf_release(&taken->texts[1]);
}

TEST_WITH(files_of_each_side_are_handed_on, fixture_up, fixture_down)
{
	static const char *const commands[] = { "echo one", "echo two; grep Cpus_allowed_list /proc/self/status" };
	CLEANUP(release) struct taken taken = { .texts = { STRBUF_INIT, STRBUF_INIT } };
	struct error err = ERROR_INIT;

	MUST(run_commands(&shell, commands, 2, PATIENCE_NS, &taken, &err));
	assert_true(strstr(taken.texts[0].buf, "one\n") && strstr(taken.texts[0].buf, "more\n"));
	assert_true(strstr(taken.texts[1].buf, "two\n") && !strstr(taken.texts[1].buf, "log"));
	/* one CPU each */
	assert_null(strpbrk(strstr(taken.texts[1].buf, "list:") + strlen("list:"), "-,"));
	nothing_left();
}

/* The target's own GODEBUG is kept. */
TEST_WITH(programs_in_go_get_their_settings, fixture_up, fixture_down)
{
	static const char *const commands[] = { "echo $GODEBUG", "GODEBUG=x; echo $GODEBUG" };
	CLEANUP(release) struct taken taken = { .texts = { STRBUF_INIT, STRBUF_INIT } };
	struct tool go = shell;
	struct error err = ERROR_INIT;

	go.godebug = "a=1";
	setenv("GODEBUG", "b=2", 1);
	assert_int_equal(run_commands(&go, commands, 2, PATIENCE_NS, &taken, &err), 0);
	unsetenv("GODEBUG");
	assert_true(strstr(taken.texts[0].buf, "b=2,a=1\n"));
	assert_true(strstr(taken.texts[1].buf, "x\n"));
	nothing_left();
}

TEST_WITH(what_goes_wrong_is_said, fixture_up, fixture_down)
{
	static const char *const none[] = { "-c", "exit 0", NULL };
	static const struct tool silent = { .program = "sh", .options = none, .files = "out." },
				 missing = { .program = "no-such-tool-3871", .options = none, .files = "out." };
	static const struct {
		const struct tool *tool; const char *command, *words; uint64_t limit_ns; bool refuse;
	} cases[] = {
		{ &shell, "echo no memory map >&2; exit 3", "under sh: the target exited with status 3; it printed: no memory map",
		  PATIENCE_NS, false },
		{ &shell, "sleep 60", "timed out after 0.3 s under sh", 300 * NS_PER_MS, false },
		{ &silent, "true", "sh left no output", PATIENCE_NS, false },
		{ &shell, "true", "not this", PATIENCE_NS, true },
		{ &missing, "true", "no-such-tool-3871 is not installed; to install it: ", PATIENCE_NS, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(release) struct taken taken = { .texts = { STRBUF_INIT, STRBUF_INIT }, .refuse = cases[i].refuse };
		struct error err = ERROR_INIT;

		assert_int_equal(run_commands(cases[i].tool, &cases[i].command, 1, cases[i].limit_ns, &taken, &err), -1);
		if (!strstr(err.msg, cases[i].words) || err.kind != (cases[i].refuse ? ERR_INPUT : ERR_SYSTEM) || err.sys)
			fail_msg("case %zu: %s", i, err.msg);
		nothing_left();
	}
}

/* A tool that is stopped at its limit has time to write what it has, like a process that a shell left. */
TEST_WITH(a_stopped_tool_writes_its_files, fixture_up, fixture_down)
{
	static const char *const slow[] = { "-c", "trap 'sleep 1; echo all of it >\"$0/out.1\"' TERM; while [ ! -e \"$0/out.1\" ]; do sleep 0.1; done", "{dir}", NULL };
	static const char *const left[] = { "-c", "sh -c \"trap 'sleep 1; echo all of it >$0/out.1' TERM; while [ ! -e $0/out.1 ]; do sleep 0.1; done\"; true", "{dir}", NULL };
	static const char *const *const both[] = { slow, left };

	for (size_t i = 0; i < 2; i++) {
		CLEANUP(release) struct taken taken = { .texts = { STRBUF_INIT, STRBUF_INIT } };
		CLEANUP(strv_release) struct strv argv = STRV_INIT;
		const struct tool tool = { .program = "sh", .options = both[i], .files = "out." };
		struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
		struct target_spec spec = { .child = { .argv = &argv, .cwd = root }, .timeout_ns = PATIENCE_NS };
		bool cut = false;
		struct error err = ERROR_INIT;

		strv_push(&argv, "true");
		if (tool_run(&session, &tool, &spec, 1, &(struct tool_use){ .limit_ns = 2 * NS_PER_S, .cut = &cut, .feed = take, .ctx = &taken }, &err) < 0)
			fail_msg("tool %zu: %s", i, err.msg);
		assert_true(cut);
		assert_string_equal(taken.texts[0].buf, "all of it\n");
		nothing_left();
	}
}

/* -------- callgrind */

struct works {
	struct work works[2];
};

static int read_one(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	static const struct own_code own = { 0 };

	return callgrind_read(text, len, &own, &((struct works *)ctx)->works[side], err);
}

TEST_WITH(callgrind_counts_both_sides, fixture_up, fixture_down)
{
	static const char *const commands[] = { "i=0; while [ $i -lt 10 ]; do i=$((i + 1)); done",
						"i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); done; true; /bin/true" };
	struct session session = { .keeper = &keeper, .lock_fd = -1, .scratch = root };
	struct strv argv[2] = { STRV_INIT, STRV_INIT };
	struct target_spec specs[2];
	struct works works = { 0 };
	const struct tool_use use = { .limit_ns = 10 * PATIENCE_NS, .feed = read_one, .ctx = &works };
	struct error err = ERROR_INIT;

	if (!tool_available("valgrind"))
		skip();
	for (size_t i = 0; i < 2; i++) {
		strv_push(&argv[i], "sh");
		strv_push(&argv[i], "-c");
		strv_push(&argv[i], commands[i]);
		specs[i] = (struct target_spec){ .child = { .argv = &argv[i], .cwd = root }, .timeout_ns = PATIENCE_NS };
	}
	MUST(tool_run(&session, &tool_callgrind, specs, 2, &use, &err));
	assert_true(works.works[0].total > 10000 && works.works[1].total > works.works[0].total + 100000);
	assert_true(works.works[1].n_functions > 50 && works.works[1].n_calls > 50);
	for (size_t i = 0; i < 2; i++) {
		work_release(&works.works[i]);
		strv_release(&argv[i]);
	}
	nothing_left();
}
