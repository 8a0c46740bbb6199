/* The run loop's profile: where it comes, and what becomes of a scenario whose profile cannot be taken. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "loop_fixture.h"

#define COUNTED "run task-clock," ALL

static void it_is_taken_while_the_environment_stands(void **state)
{
	static const struct {
		bool profile;
		const char *calls;
	} cases[] = {
		{ false, "setup s / up / run / " COUNTED " / " COUNTED " / down / cleanup c" },
		{ true, "setup s / up / run / " COUNTED " / " COUNTED " / profile / down / cleanup c" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = six_counters;

		fixture_open(&fixture, SIX);
		fixture.wanted = 2;
		fixture.env = true;
		fixture.profile = cases[i].profile;
		assert_int_equal(play(&fixture, "setup: [s]\ncleanup: [c]\n", &options, &result, NULL), 0);
		assert_string_equal(fixture.calls.buf, cases[i].calls);
		assert_int_equal(result.state, SCENARIO_MEASURED);
	}
}

static void without_one_the_counted_runs_stay(void **state)
{
	static const enum error_kind kinds[] = { ERR_TARGET, ERR_SYSTEM, ERR_INPUT };

	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = six_counters;

		fixture_open(&fixture, SIX);
		fixture.fail_at = "profile";
		fixture.fail_nth = 1;
		fixture.fail_kind = kinds[i];
		fixture.profile = true;
		assert_int_equal(play(&fixture, "", &options, &result, NULL), 0);
		assert_int_equal(result.state, SCENARIO_MEASURED);
		assert_int_equal(result.n_runs, 3);
		assert_null(result.failure);
		assert_notes(&result, "no profile could be taken: profile went wrong\n");
		assert_int_equal(result.profile.warnings.n, 1);
		assert_string_equal(result.profile.warnings.items[0], result.notes.items[0]);
	}
}

static void interrupted_it_leaves_a_partial_scenario(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;
	struct error err = ERROR_INIT;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.env = true;
	fixture.fail_at = "profile";
	fixture.fail_nth = 1;
	fixture.fail_kind = ERR_INTERRUPTED;
	fixture.profile = true;
	assert_int_equal(play(&fixture, "cleanup: [c]\n", &options, &result, &err), -1);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.sys, SIGINT);
	assert_int_equal(result.state, SCENARIO_PARTIAL);
	assert_int_equal(result.n_runs, 3);
	assert_non_null(strstr(fixture.calls.buf, "profile / down / cleanup c"));
}

static void after_a_failed_run_none_is_tried(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.fail_at = "run";
	fixture.fail_nth = 3;
	fixture.fail_kind = ERR_TARGET;
	fixture.profile = true;
	assert_int_equal(play(&fixture, "", &options, &result, NULL), 0);
	assert_int_equal(result.state, SCENARIO_FAILED);
	assert_null(strstr(fixture.calls.buf, "profile"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_taken_while_the_environment_stands),
		cmocka_unit_test(without_one_the_counted_runs_stay),
		cmocka_unit_test(interrupted_it_leaves_a_partial_scenario),
		cmocka_unit_test(after_a_failed_run_none_is_tried),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
