/* A recording is read whole or refused, and given back run by run. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "measure/process/process.h"
#include "model/measured.h"
#include "replay.h"

#define SIX "tests/fixtures/replay/six"
#define FAILING "tests/fixtures/replay/failing"

#define USAGE                                                                                          \
	"wall_ms=34.63\nuser_ms=26.975\nsystem_ms=7.707\ncpu_ms=34.682\nmax_rss_bytes=1495040\n"       \
	"page_faults=147\nmajor_faults=0\nvoluntary_switches=2\ninvoluntary_switches=3\n"

static void usage_is_parsed(void **state)
{
	static const char *const same[] = { USAGE, "\n" USAGE "\n\n" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct measured m = { .rows.n = 9 };
		struct error err = ERROR_INIT;

		assert_int_equal(replay_parse_usage(same[i], strlen(same[i]), &m, &err), 0);
		assert_true(m.wall_ms == 34.63 && m.user_ms == 26.975 && m.system_ms == 7.707 && m.cpu_ms == 34.682);
		assert_true(m.max_rss_bytes == 1495040 && m.page_faults == 147 && m.major_faults == 0);
		assert_true(m.voluntary_switches == 2 && m.involuntary_switches == 3);
		assert_int_equal(m.rows.n, 9);
	}
}

static void damaged_usage_is_refused(void **state)
{
	static const struct {
		const char *text, *expected;
	} cases[] = {
		{ "", "wall_ms is missing" },
		{ "wall_ms=1\nuser_ms=1\n", "system_ms is missing" },
		{ "wall_ms\n" USAGE, "expected KEY=VALUE, found 'wall_ms'" },
		{ "wall_ms=1\n" USAGE, "wall_ms is given twice" },
		{ "walls=1\n" USAGE, "unknown key 'walls'" },
		{ "=1\n" USAGE, "unknown key ''" },
		{ "wall_ms=\n" USAGE, "wall_ms: expected a number, found ''" },
		{ "wall_ms=1ms\n" USAGE, "wall_ms: expected a number, found '1ms'" },
		{ "wall_ms=nan\n" USAGE, "wall_ms: expected a number, found 'nan'" },
		{ "wall_ms=-1\n" USAGE, "wall_ms: expected nothing below 0, found '-1'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct measured m = { .wall_ms = 7 };
		struct error err = ERROR_INIT;

		assert_int_equal(replay_parse_usage(cases[i].text, strlen(cases[i].text), &m, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_string_equal(err.msg, cases[i].expected);
		assert_true(m.wall_ms == 7);
	}
}

static void load(const char *dir, struct replay *replay)
{
	struct error err = ERROR_INIT;

	if (replay_load(dir, replay, &err) < 0)
		fail_msg("%s", err.msg);
}

static void a_recording_is_loaded_whole(void **state)
{
	CLEANUP(replay_release) struct replay replay = { 0 };

	(void)state;
	load(SIX, &replay);
	assert_int_equal(replay.n, 17);
	assert_false(replay.runs[0].counted);
	assert_int_equal(replay.runs[0].measured.rows.n, 0);
	assert_true(replay.runs[0].measured.page_faults == 150);
	for (size_t i = 1; i < 17; i++) {
		assert_true(replay.runs[i].counted);
		assert_int_equal(replay.runs[i].measured.rows.n, 7);
	}
	assert_true(perfstat_value(&replay.runs[1].measured.rows, "instructions", NULL) == 34331794);
	assert_true(replay.has_simulated);
	assert_true(replay.simulated.instructions == 32020761);
}

static void runs_come_in_order_and_move_the_clock(void **state)
{
	CLEANUP(replay_release) struct replay replay = { 0 };
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	struct loop_ops ops = replay_ops(&replay);
	struct error err = ERROR_INIT;
	struct measured m;

	(void)state;
	load(SIX, &replay);
	strv_push(&events, "cycles");
	assert_int_equal(ops.now_ns(ops.ctx), 0);
	assert_int_equal(ops.run(ops.ctx, NULL, NULL, 0, &m, &err), 0);
	assert_true(m.wall_ms == 35.372 && !m.rows.n);
	assert_int_equal(ops.now_ns(ops.ctx), 35372000);
	assert_int_equal(ops.run(ops.ctx, NULL, &events, 0, &m, &err), 0);
	assert_true(m.wall_ms == 34.63);
	assert_int_equal(m.rows.n, 7);
	measured_release(&m);
	assert_int_equal(ops.now_ns(ops.ctx), 35372000 + 34630000);
	/* Without events nothing was counted, whatever the recording has. */
	assert_int_equal(ops.run(ops.ctx, NULL, NULL, 0, &m, &err), 0);
	assert_int_equal(m.rows.n, 0);
	while (replay.next < replay.n)
		assert_int_equal(ops.run(ops.ctx, NULL, NULL, 0, &m, &err), 0);
	assert_int_equal(ops.run(ops.ctx, NULL, NULL, 0, &m, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.msg, "the recording ends after 17 runs");
}

static void a_run_that_was_not_counted_stays_so(void **state)
{
	CLEANUP(replay_release) struct replay replay = { 0 };
	struct strv events = STRV_INIT;
	struct loop_ops ops = replay_ops(&replay);
	struct error err = ERROR_INIT;
	struct measured m = { .wall_ms = 7 };

	(void)state;
	load(SIX, &replay);
	assert_int_equal(ops.run(ops.ctx, NULL, &events, 0, &m, &err), -1);
	assert_int_equal(err.kind, ERR_SYSTEM);
	assert_string_equal(err.msg, "run 1 of the recording was not counted");
	assert_true(m.wall_ms == 7);
}

static void a_failure_is_the_targets(void **state)
{
	CLEANUP(replay_release) struct replay replay = { 0 };
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	struct loop_ops ops = replay_ops(&replay);
	struct error err = ERROR_INIT;
	struct simulated simulated;
	struct measured m;

	(void)state;
	load(FAILING, &replay);
	ops.last_words(ops.ctx, &words);
	for (int i = 0; i < 3; i++)
		assert_int_equal(ops.run(ops.ctx, NULL, NULL, 0, &m, &err), 0);
	ops.last_words(ops.ctx, &words);
	assert_string_equal(words.buf, "");
	assert_int_equal(ops.run(ops.ctx, NULL, NULL, 0, &m, &err), -1);
	assert_int_equal(err.kind, ERR_TARGET);
	assert_string_equal(err.msg, "exited with status 1");
	ops.last_words(ops.ctx, &words);
	assert_string_equal(words.buf, "reading input.csv\ninput.csv: line 7: no such column\n");
	assert_int_equal(ops.simulate(ops.ctx, NULL, &simulated, &err), -1);
	assert_string_equal(err.msg, "the recording has no simulation.out");
	assert_int_equal(ops.command(ops.ctx, NULL, "setup", NULL, &err), 0);
}

static void damaged_recordings_name_the_file(void **state)
{
	static const struct {
		const char *name, *text, *expected;
	} cases[] = {
		{ "run-002.usage", "wall_ms=1\n", "run-002.usage: user_ms is missing" },
		{ "run-001.csv", "many;;cycles;1;100.00;;\n", "run-001.csv: " },
		{ "simulation.out", "cmd: true\n", "simulation.out: cachegrind's output has no events" },
		{ "run-001.usage/x", "", "run-001.usage" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char root[] = "/tmp/pawl-test-replay-XXXXXX";
		CLEANUP(free_ptr) char *usage = NULL, *path = NULL;
		struct replay replay = { .n = 7 };
		struct error err = ERROR_INIT;

		assert_non_null(mkdtemp(root));
		usage = file_join(root, "run-001.usage");
		path = file_join(root, cases[i].name);
		if (!strchr(cases[i].name, '/'))
			assert_int_equal(file_write(usage, USAGE, strlen(USAGE), NULL), 0);
		assert_int_equal(file_write(path, cases[i].text, strlen(cases[i].text), NULL), 0);
		assert_int_equal(replay_load(root, &replay, &err), -1);
		if (!strstr(err.msg, cases[i].expected) || !strstr(err.msg, root))
			fail_msg("%s", err.msg);
		assert_int_equal(replay.n, 7);
		assert_int_equal(file_remove_tree(root, NULL), 0);
	}
}

static void an_empty_folder_is_no_recording(void **state)
{
	struct replay replay = { .n = 7 };
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(replay_load("tests/fixtures/replay/nothing", &replay, &err), -1);
	assert_non_null(strstr(err.msg, "tests/fixtures/replay/nothing/run-001.usage"));
	assert_int_equal(replay.n, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usage_is_parsed),
		cmocka_unit_test(damaged_usage_is_refused),
		cmocka_unit_test(a_recording_is_loaded_whole),
		cmocka_unit_test(runs_come_in_order_and_move_the_clock),
		cmocka_unit_test(a_run_that_was_not_counted_stays_so),
		cmocka_unit_test(a_failure_is_the_targets),
		cmocka_unit_test(damaged_recordings_name_the_file),
		cmocka_unit_test(an_empty_folder_is_no_recording),
	};

	return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
