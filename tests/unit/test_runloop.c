/*
 * The run loop on recordings of real runs (tests/fixtures/replay): what it asks for, in which
 * order, and what it keeps.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "loop_fixture.h"

/* -------- counted runs */

static void runs_are_counted_until_there_are_enough(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;
	struct error err = ERROR_INIT;

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.wanted = 15;
	assert_int_equal(play(&fixture, "", &options, &result, &err), 0);
	assert_int_equal(err.kind, ERR_NONE);
	assert_int_equal(result.state, SCENARIO_MEASURED);
	assert_null(result.failure);
	assert_notes(&result, "");
	assert_int_equal(result.n_runs, 15);
	assert_int_equal(result.runs_wanted, 15);
	assert_memory_equal(fixture.calls.buf, "run / run task-clock," ALL " / run", strlen("run / run task-clock," ALL " / run"));
	/* The first run of the recording was the warm-up. */
	assert_true(value_of(&result, 0, "instructions") == 34331794);
	assert_true(value_of(&result, 0, "page-faults") == 147);
	assert_true(value_of(&result, 0, "wall-time") == 34.63);
	assert_true(fabs(value_of(&result, 0, "ipc") - 34331794. / 26582075) < 1e-12);
	assert_true(value_of(&result, 14, "wall-time") == fixture.replay.runs[15].measured.wall_ms);
}

static void as_many_as_are_wanted(void **state)
{
	(void)state;
	for (unsigned wanted = 1; wanted < 6; wanted++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

		fixture_open(&fixture, SIX);
		fixture.wanted = wanted;
		assert_int_equal(play(&fixture, "", &six_counters, &result, NULL), 0);
		assert_int_equal(result.n_runs, wanted);
	}
}

static void the_budget_ends_it_early(void **state)
{
	static const struct {
		const char *body;
		double budget_ms, command_ms;
		size_t runs;
		const char *notes;
	} cases[] = {
		/* the warm-up took 35 ms, a run takes 34.6 */
		{ "", 200, 0, 5, "the budget of 0.2 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "", 174, 0, 5, "the budget of 0.174 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "", 173, 0, 4, "the budget of 0.173 s ended after 4 of 15 runs; raise measure.budget\n" },
		{ "", 1, 0, 1, "the budget of 0.001 s ended after 1 of 15 runs; raise measure.budget\n" },
		{ "", 560, 0, 15, "" },
		/* what is done once is not of the budget, what is done again and again is */
		{ "setup: [s]\ncleanup: [c]\n", 200, 5000, 5,
		  "the budget of 0.2 s ended after 5 of 15 runs; raise measure.budget\n" },
		{ "prepare: [p]\n", 1000, 200, 4,
		  "the budget of 1 s ended after 4 of 15 runs; raise measure.budget\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		struct loop_options options = six_counters;

		fixture_open(&fixture, SIX);
		fixture.command_ns = (uint64_t)(cases[i].command_ms * 1e6);
		fixture.wanted = 15;
		options.budget_ns = (uint64_t)(cases[i].budget_ms * 1e6);
		assert_int_equal(play(&fixture, cases[i].body, &options, &result, NULL), 0);
		assert_int_equal(result.state, SCENARIO_MEASURED);
		assert_int_equal(result.n_runs, cases[i].runs);
		assert_notes(&result, cases[i].notes);
	}
}

static void without_perf_the_target_is_measured_alone(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, SIX);
	options.perf = false;
	assert_int_equal(play(&fixture, "measure: { events: [cache-misses] }\n", &options, &result, NULL), 0);
	assert_string_equal(fixture.calls.buf, "run / run / run / run");
	assert_int_equal(result.n_runs, 3);
	assert_true(value_of(&result, 2, "page-faults") == fixture.replay.runs[3].measured.page_faults);
	assert_true(isnan(value_of(&result, 0, "instructions")));
	assert_true(isnan(value_of(&result, 0, "cache-misses")));
}

/* -------- the order of things */

#define E "task-clock,cycles"
static void everything_comes_in_its_order(void **state)
{
	static const struct {
		const char *body;
		unsigned wanted;
		bool simulate;
		const char *calls;
	} cases[] = {
		{ "", 2, false, "run / run " E " / run " E },
		{ "warmup: { runs: 0 }\n", 1, false, "run " E },
		{ "warmup: { runs: 3 }\n", 1, false, "run / run / run / run " E },
		/* three runs take 103.8 ms, two 69.2 */
		{ "warmup: { duration: 100ms }\n", 1, false, "run / run / run / run " E },
		{ "warmup: { duration: 70ms }\n", 1, false, "run / run / run / run " E },
		{ "warmup: { duration: 69ms }\n", 1, false, "run / run / run " E },
		{ "warmup: { command: [w] }\n", 1, false, "warmup w / run / run " E },
		{ "warmup: { command: [w], runs: 0 }\n", 1, false, "warmup w / run " E },
		{ "setup: [s]\nprepare: [p]\ncleanup: [c]\n", 2, false,
		  "setup s / prepare p / run / prepare p / run " E " / prepare p / run " E " / cleanup c" },
		{ "prepare: [p]\ncleanup: [c]\n", 1, true,
		  "prepare p / run / prepare p / run " E " / prepare p / simulate / cleanup c" },
		{ "setup: [s]\nwarmup: { command: [w], runs: 0 }\nprepare: [p]\n", 1, false,
		  "setup s / warmup w / prepare p / run " E },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(fixture_close) struct fixture fixture;
		CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
		struct loop_options options = six_counters;

		fixture_open(&fixture, SIX);
		fixture.replay.next = 1;	/* behind the one that was not counted: not every case has a warm-up */
		fixture.wanted = cases[i].wanted;
		options.simulate = cases[i].simulate;
		options.counters = 1;
		strbuf_addf(&body, "%sgates: { cycles: +5%% }\n", cases[i].body);
		assert_int_equal(play(&fixture, body.buf, &options, &result, NULL), 0);
		if (strcmp(fixture.calls.buf, cases[i].calls))
			fail_msg("%s:\nexpected %s\nfound    %s", cases[i].body, cases[i].calls, fixture.calls.buf);
		assert_int_equal(result.n_runs, cases[i].wanted);
	}
}

static void commands_are_not_measured(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	fixture_open(&fixture, SIX);
	fixture.command_ns = NS_PER_S;
	assert_int_equal(play(&fixture, "prepare: [p]\n", &six_counters, &result, NULL), 0);
	for (size_t i = 0; i < 3; i++)
		assert_true(value_of(&result, i, "wall-time") < 35);
}

static void progress_is_told(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, SIX);
	options.simulate = true;
	assert_int_equal(play(&fixture, "setup: [s]\ncleanup: [c]\nwarmup: { runs: 2 }\n", &options, &result, NULL), 0);
	assert_string_equal(fixture.progress.buf, "S0/0 W1/2 W2/2 R1/3 R2/3(69ms) R3/3(35ms) V1/1 C0/0");
}

/* What is left is never more than the budget has. */
static void the_time_left_is_within_the_budget(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, SIX);
	options.budget_ns = 110 * NS_PER_MS;
	assert_int_equal(play(&fixture, "warmup: { duration: 10ms }\n", &options, &result, NULL), 0);
	assert_string_equal(fixture.progress.buf, "W1/0 R1/3 R2/3(40ms) R3/3(5ms)");
}

/* -------- fewer counters than were believed */

#define GATES "gates: { ipc: -10%, branch-miss-rate: +20%, l1d-miss-rate: +20% }\n"
#define FIRST "task-clock,instructions,cycles,branch-misses,branches"
#define SECOND "task-clock,L1-dcache-load-misses,L1-dcache-loads"

static void multiplexed_events_are_split_up(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };

	(void)state;
	fixture_open(&fixture, CROWDED);
	assert_int_equal(play(&fixture, GATES, &six_counters, &result, NULL), 0);
	assert_string_equal(fixture.calls.buf,
			    "run / run " FIRST ",L1-dcache-load-misses,L1-dcache-loads / "
			    "run " FIRST " / run " SECOND " / run " FIRST " / run " SECOND " / run " FIRST " / run " SECOND);
	assert_notes(&result, "instructions was multiplexed with 6 events at once: split into smaller groups\n"
			      "the events need 2 groups of at most 5 counters: each is counted in runs of its own\n");
	assert_int_equal(result.n_runs, 7);
	assert_true(isnan(value_of(&result, 0, "cycles")));
	assert_true(isnan(value_of(&result, 0, "ipc")));
	assert_true(isnan(value_of(&result, 0, "l1d-miss-rate")));
	assert_true(value_of(&result, 0, "task-clock") == 34.40);
	assert_true(value_of(&result, 1, "instructions") == 34313833);
	assert_true(isnan(value_of(&result, 1, "l1d-miss-rate")));
	assert_true(fabs(value_of(&result, 2, "l1d-miss-rate") - 324151. / 6961598) < 1e-12);
	assert_true(isnan(value_of(&result, 2, "ipc")));
	assert_int_equal(result.runs[1].pass, 0);
	assert_int_equal(result.runs[2].pass, 1);
	/* perf's words of the multiplexed run are kept for the report. */
	assert_true(result.runs[0].rows.items[1].running_pct == 53);
}

/* The budget speaks of executions: three of each group. */
static void groups_share_the_budget(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, CROWDED);
	options.budget_ns = 150 * NS_PER_MS;
	assert_int_equal(play(&fixture, GATES, &options, &result, NULL), 0);
	assert_int_equal(result.n_runs, 4);
	assert_string_equal(result.notes.items[1], "the budget of 0.15 s ended after 4 of 6 runs; raise measure.budget");
}

/* One event at a time that still does not get its counter cannot be split any further. */
static void what_cannot_be_split_is_left(void **state)
{
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, CROWDED);
	options.counters = fixture.wanted = 1;
	assert_int_equal(play(&fixture, "gates: { cycles: +5% }\n", &options, &result, NULL), 0);
	assert_string_equal(fixture.calls.buf, "run / run task-clock,cycles");
	assert_notes(&result, "");
	assert_true(isnan(value_of(&result, 0, "cycles")));
}

/* -------- simulation */

static void simulated_values_land_in_the_first_run(void **state)
{
	static const struct {
		const char *metric;
		double expected;
	} cases[] = {
		{ "sim-instructions", 32020761 }, { "sim-branches", 5251222 }, { "sim-branch-misses", 336379 },
		{ "sim-l1d-loads", 6868005 }, { "sim-l1d-misses", 948550 },
		{ "sim-branch-miss-rate", 336379. / 5251222 }, { "sim-l1d-miss-rate", 948550. / 6868005 },
	};
	CLEANUP(fixture_close) struct fixture fixture;
	CLEANUP(scenario_result_release) struct scenario_result result = { 0 };
	struct loop_options options = six_counters;

	(void)state;
	fixture_open(&fixture, SIX);
	options.simulate = true;
	assert_int_equal(play(&fixture, "", &options, &result, NULL), 0);
	assert_int_equal(result.n_runs, 3);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_true(fabs(value_of(&result, 0, cases[i].metric) - cases[i].expected) < 1e-12);
		assert_true(isnan(value_of(&result, 1, cases[i].metric)));
		assert_true(isnan(value_of(&result, 2, cases[i].metric)));
	}
	assert_true(value_of(&result, 0, "instructions") == 34331794);
	assert_notes(&result, "simulated values come from one more run, under valgrind's cachegrind\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_are_counted_until_there_are_enough),
		cmocka_unit_test(as_many_as_are_wanted),
		cmocka_unit_test(the_budget_ends_it_early),
		cmocka_unit_test(without_perf_the_target_is_measured_alone),
		cmocka_unit_test(everything_comes_in_its_order),
		cmocka_unit_test(commands_are_not_measured),
		cmocka_unit_test(progress_is_told),
		cmocka_unit_test(the_time_left_is_within_the_budget),
		cmocka_unit_test(multiplexed_events_are_split_up),
		cmocka_unit_test(groups_share_the_budget),
		cmocka_unit_test(what_cannot_be_split_is_left),
		cmocka_unit_test(simulated_values_land_in_the_first_run),
	};

	return cmocka_run_group_tests_name("runloop", tests, NULL, NULL);
}
