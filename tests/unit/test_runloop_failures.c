/* What goes wrong in the run loop is told, and cleaned up after. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "loop_fixture.h"

#define FULL "setup: [s]\nprepare: [p]\ncleanup: [c]\nwarmup: { command: [w], runs: 1 }\n"

static void a_failure_is_told_and_cleaned_up(void **state)
{
	static const struct {
		const char *at;
		unsigned nth;
		const char *failure, *last;
		size_t runs;
	} cases[] = {
		{ "setup", 1, "setup went wrong", "setup s / cleanup c", 0 },
		{ "warmup", 1, "warmup went wrong", "warmup w / cleanup c", 0 },
		{ "prepare", 1, "in warm-up run 1: prepare went wrong", "prepare p / cleanup c", 0 },
		{ "run", 1, "in warm-up run 1: run went wrong", "prepare p / run / cleanup c", 0 },
		{ "prepare", 2, "in run 1: prepare went wrong", "run / prepare p / cleanup c", 0 },
		{ "run", 4, "in run 3: run went wrong", "prepare p / run task-clock / cleanup c", 2 },
		{ "prepare", 5, "prepare went wrong", "run task-clock / prepare p / cleanup c", 3 },
		{ "simulate", 1, "simulate went wrong", "prepare p / simulate / cleanup c", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = { .budget_ns = NEVER, .perf = true, .simulate = true };
		struct error err = ERROR_INIT;
		size_t last = strlen(cases[i].last);

		fixture_open(&fixture, SIX);
		fixture.fail_at = cases[i].at;
		fixture.fail_nth = cases[i].nth;
		fixture.fail_kind = i % 2 ? ERR_TARGET : ERR_SYSTEM;
		assert_int_equal(play(&fixture, FULL, &options, &result, &err), 0);
		assert_int_equal(err.kind, ERR_NONE);
		assert_int_equal(result.state, SCENARIO_FAILED);
		assert_string_equal(result.failure, cases[i].failure);
		assert_int_equal(result.n_runs, cases[i].runs);
		assert_null(result.log_tail);
		assert_true(fixture.calls.len >= last);
		assert_string_equal(fixture.calls.buf + fixture.calls.len - last, cases[i].last);
	}
}

static void what_the_target_printed_last_is_quoted(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	fixture_open(&fixture, FAILING);
	fixture.wanted = 15;
	assert_int_equal(play(&fixture, "cleanup: [c]\n", &six_counters, &result, NULL), 0);
	assert_int_equal(result.state, SCENARIO_FAILED);
	assert_string_equal(result.failure, "in run 3: exited with status 1");
	assert_string_equal(result.log_tail, "reading input.csv\ninput.csv: line 7: no such column\n");
	assert_int_equal(result.n_runs, 2);
	assert_true(strbuf_ends_with(&fixture.calls, " / cleanup c"));
}

static void a_failing_cleanup_is_a_note(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.fail_at = "cleanup";
	fixture.fail_nth = 1;
	fixture.fail_kind = ERR_TARGET;
	assert_int_equal(play(&fixture, "cleanup: [c]\n", &six_counters, &result, NULL), 0);
	assert_int_equal(result.state, SCENARIO_MEASURED);
	assert_null(result.failure);
	assert_notes(&result, "cleanup failed: cleanup went wrong\n");
}

static void an_interrupt_leaves_a_part(void **state)
{
	static const struct {
		const char *at;
		unsigned nth;
		size_t runs;
	} cases[] = {
		{ "setup", 1, 0 }, { "warmup", 1, 0 }, { "run", 1, 0 }, { "prepare", 2, 0 }, { "run", 4, 2 },
		{ "simulate", 1, 3 },
	};

	(void)state;
	for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = six_counters;
		struct error err = ERROR_INIT;

		fixture_open(&fixture, SIX);
		options.simulate = true;
		fixture.fail_at = cases[i / 2].at;
		fixture.fail_nth = cases[i / 2].nth;
		fixture.fail_kind = ERR_INTERRUPTED;
		assert_int_equal(play(&fixture, FULL, &options, &result, i % 2 ? NULL : &err), -1);
		if (i % 2 == 0) {
			assert_int_equal(err.kind, ERR_INTERRUPTED);
			assert_int_equal(err.sys, SIGINT);
		}
		assert_int_equal(result.state, SCENARIO_PARTIAL);
		assert_null(result.failure);
		assert_int_equal(result.n_runs, cases[i / 2].runs);
		assert_true(strbuf_ends_with(&fixture.calls, " / cleanup c"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_is_told_and_cleaned_up),
		cmocka_unit_test(what_the_target_printed_last_is_quoted),
		cmocka_unit_test(a_failing_cleanup_is_a_note),
		cmocka_unit_test(an_interrupt_leaves_a_part),
	};

	return cmocka_run_group_tests_name("runloop_failures", tests, NULL, NULL);
}
