/* The run loop around an environment, and with windows that must not be counted. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "loop_fixture.h"

#define ENV "env:\n  - { name: web, command: [web] }\ntarget: { service: web }\n"

static void the_environment_is_inside_setup_and_cleanup(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.env = true;
	fixture.wanted = 1;
	assert_int_equal(play(&fixture, "setup: a\ncleanup: b\n" ENV, &six_counters, &result, &err), 0);
	assert_string_equal(fixture.calls.buf, "setup /bin/sh / up / run / run task-clock," ALL " / down / cleanup /bin/sh");
	fixture_close(&fixture);
}

static void an_environment_that_fails_is_taken_down(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.env = true;
	fixture.fail_at = "up";
	fixture.fail_nth = 1;
	fixture.fail_kind = ERR_TARGET;
	assert_int_equal(play(&fixture, "cleanup: b\n" ENV, &six_counters, &result, &err), 0);
	assert_string_equal(fixture.calls.buf, "up / down / cleanup /bin/sh");
	assert_int_equal(result.state, SCENARIO_FAILED);
	assert_string_equal(result.failure, "up went wrong");
	fixture_close(&fixture);
}

static void a_setup_that_fails_starts_no_environment(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.env = true;
	fixture.fail_at = "setup";
	fixture.fail_nth = 1;
	fixture.fail_kind = ERR_TARGET;
	assert_int_equal(play(&fixture, "setup: a\n" ENV, &six_counters, &result, &err), 0);
	assert_string_equal(fixture.calls.buf, "setup /bin/sh");
	fixture_close(&fixture);
}

static void a_dropped_window_is_told_and_measured_again(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.wanted = 2;
	fixture.dropped = ".xx.x.";
	assert_int_equal(play(&fixture, ENV, &six_counters, &result, &err), 0);
	assert_int_equal(result.state, SCENARIO_MEASURED);
	assert_int_equal(result.n_runs, 2);
	/* The warm-up is the first of the recording. */
	assert_true(value_of(&result, 0, "wall-time") == fixture.replay.runs[3].measured.wall_ms);
	assert_true(value_of(&result, 1, "wall-time") == fixture.replay.runs[5].measured.wall_ms);
	assert_notes(&result, "3 windows were not counted; the last: it was idle\n");
	fixture_close(&fixture);
}

/* What the warm-up did is nobody's business. */
static void doubtful_windows_are_told_once(void **state)
{
	static const struct {
		const char *windows, *notes;
	} cases[] = {
		{ "x.", "" },
		{ ".x", "a window was not counted: it was idle\n" },
		{ "h", "" },
		{ ".hh", "in 2 of 2 windows the load ended within a second: its rate is taken to have held while it started and "
			 "ended as well, so that too much work is counted; give it more to do than a window takes, or tell its "
			 "work 'as: count'\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct error err = ERROR_INIT;
		struct fixture fixture;

		fixture_open(&fixture, SIX);
		fixture.wanted = 2;
		fixture.dropped = cases[i].windows;
		assert_int_equal(play(&fixture, ENV, &six_counters, &result, &err), 0);
		assert_int_equal(result.n_runs, 2);
		assert_notes(&result, cases[i].notes);
		fixture_close(&fixture);
	}
}

static void three_in_a_row_are_a_failure(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.wanted = 2;
	fixture.dropped = "..xxx";
	assert_int_equal(play(&fixture, ENV, &six_counters, &result, &err), 0);
	assert_int_equal(result.state, SCENARIO_FAILED);
	assert_int_equal(result.n_runs, 1);
	assert_string_equal(result.failure, "3 windows in a row could not be counted: it was idle");
	assert_notes(&result, "3 windows were not counted; the last: it was idle\n");
	fixture_close(&fixture);
}

static void runs_are_called_windows(void **state)
{
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.fail_at = "run";
	fixture.fail_nth = 3;
	fixture.fail_kind = ERR_TARGET;
	assert_int_equal(play(&fixture, ENV, &six_counters, &result, &err), 0);
	assert_string_equal(result.failure, "in window 2: run went wrong");
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_environment_is_inside_setup_and_cleanup),
		cmocka_unit_test(an_environment_that_fails_is_taken_down),
		cmocka_unit_test(a_setup_that_fails_starts_no_environment),
		cmocka_unit_test(a_dropped_window_is_told_and_measured_again),
		cmocka_unit_test(doubtful_windows_are_told_once),
		cmocka_unit_test(three_in_a_row_are_a_failure),
		cmocka_unit_test(runs_are_called_windows),
	};

	return cmocka_run_group_tests_name("runloop_windows", tests, NULL, NULL);
}
