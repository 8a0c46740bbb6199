/* The loop of pairs where something goes wrong: what is dropped, what is measured again, what ends it, what is told. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pair_fixture.h"

/* Seed 3 has the order bhhbbhbhbh of who goes first. The first two runs are warm-up; pair i (from 1) is runs 2i + 1, 2i + 2. */
static const struct loop_options plain = { .seed = 3, .counters = 6, .perf = true, .batch = 1, .wanted = 10 };

static void assert_both_failed(const struct pair_fixture *fixture, const char *failure, const char *words)
{
	for (int i = 0; i < 2; i++) {
		assert_int_equal(fixture->results[i].state, SCENARIO_FAILED);
		assert_string_equal(fixture->results[i].failure, failure);
		assert_string_equal(fixture->results[i].log_tail, words);
	}
	assert_true(loop_failed(fixture->loop));
}

/* -------- runs that fail */

static void a_pair_that_fails_is_dropped_with_its_partner(void **state)
{
	static const struct {
		unsigned at;
		const char *log, *note;
	} cases[] = {
		/* its first run: the other one is not begun */
		{ 5, "bhBHHHBHBBH", "a pair was dropped: head: exited with status 1\n" },
		/* its second */
		{ 6, "bhBHHBHBHBBH", "a pair was dropped: base: exited with status 1\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = cases[i].at, .fail_to = cases[i].at };

		open_pairs(&fixture, "", &plain);
		assert_int_equal(loop_measure(fixture.loop, 4, 0, NULL), 0);
		assert_log(&fixture, cases[i].log);
		assert_int_equal(loop_state(fixture.loop).pairs, 4);
		assert_int_equal(loop_state(fixture.loop).dropped, 1);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(fixture.results[k].state, SCENARIO_MEASURED);
			assert_int_equal(fixture.results[k].n_runs, 4);
		}
		end_pairs(&fixture);
		assert_pair_notes(&fixture.results[0], cases[i].note);
		assert_pair_notes(&fixture.results[1], cases[i].note);
	}
}

/* The base runs on alone until it has three values, which tell what its time is. */
static void a_head_that_reaches_its_timeout_is_held_against_the_base(void **state)
{
	static const struct {
		unsigned from, to;
		bool times_out;
		const char *log;
		size_t base_runs;
		double timed_out_ms;
	} cases[] = {
		/* in its warm-up, before anything was counted */
		{ 2, 2, true, "bhBBB", 3, 60000 },
		/* in its third pair, and when that is tried again: those before it count */
		{ 7, 8, true, "bhBHHBHHB", 3, 60000 },
		/* the base does too */
		{ 2, 3, true, "bhB", 0, 60000 },
		/* it is the base's */
		{ 1, 1, true, "b", 0, 0 },
		/* another failure */
		{ 2, 2, false, "bh", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.fail_from = cases[i].from, .fail_to = cases[i].to, .times_out = cases[i].times_out,
		};

		open_pairs(&fixture, "", &plain);
		assert_int_equal(loop_measure(fixture.loop, 5, 0, NULL), 0);
		assert_log(&fixture, cases[i].log);
		assert_true(loop_failed(fixture.loop));
		assert_int_equal(fixture.results[0].state, SCENARIO_FAILED);
		assert_int_equal(fixture.results[0].n_runs, cases[i].base_runs);
		assert_true(fixture.results[1].timed_out_ms == cases[i].timed_out_ms && fixture.results[0].timed_out_ms == 0);
	}
}

static void too_many_of_them_fail_the_scenario(void **state)
{
	static const struct {
		unsigned wanted, pairs, failing;
		bool fails;
	} cases[] = {
		{ 1, 1, 1, false }, { 1, 1, 2, true }, { 10, 10, 1, false }, { 10, 10, 2, true }, { 19, 3, 2, true },
		{ 20, 3, 2, false }, { 20, 3, 3, true }, { 40, 3, 4, false }, { 40, 3, 5, true },
		/* more pairs than were wanted at first */
		{ 10, 40, 4, false }, { 10, 40, 5, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 5, .fail_to = 4 + cases[i].failing };
		struct loop_options options = plain;

		fixture.fail_from = cases[i].pairs == 1 ? 3 : 5;
		fixture.fail_to = fixture.fail_from + cases[i].failing - 1;
		options.wanted = cases[i].wanted;
		open_pairs(&fixture, "", &options);
		assert_int_equal(loop_measure(fixture.loop, cases[i].pairs, 0, NULL), 0);
		assert_int_equal(loop_failed(fixture.loop), cases[i].fails);
		assert_int_equal(loop_state(fixture.loop).dropped, cases[i].failing);
		assert_int_equal(fixture.results[0].n_runs, fixture.results[1].n_runs);
		if (!cases[i].fails)
			assert_int_equal(fixture.results[0].n_runs, cases[i].pairs);
	}
}

static void the_failure_names_the_side(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 5, .fail_to = 99 };

	(void)state;
	open_pairs(&fixture, "cleanup: [c]\n", &plain);
	assert_int_equal(loop_measure(fixture.loop, 10, 0, NULL), 0);
	assert_both_failed(&fixture, "head: exited with status 1; 2 of 3 pairs failed", "the last words of head");
	assert_int_equal(fixture.results[0].n_runs, 1);
	assert_int_equal(loop_measure(fixture.loop, 20, 0, NULL), 0);
	assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	end_pairs(&fixture);
	assert_log(&fixture, "bhBHHH head:cleanup base:cleanup");
	/* What has failed needs no notes beside that. */
	assert_pair_notes(&fixture.results[1], "");
}

static void what_does_not_start_fails_at_once(void **state)
{
	static const struct {
		unsigned fail_run;
		const char *fail_call, *failure, *words, *log;
	} cases[] = {
		{ 1, NULL, "base: in warm-up run 1: exited with status 1", "the last words of base",
		  "base:setup head:setup b head:cleanup base:cleanup" },
		{ 2, NULL, "head: in warm-up run 1: exited with status 1", "the last words of head",
		  "base:setup head:setup bh head:cleanup base:cleanup" },
		{ 0, "base:setup", "base: setup went wrong", "the last words of base", "base:setup base:cleanup" },
		{ 0, "head:setup", "head: setup went wrong", "the last words of head",
		  "base:setup head:setup head:cleanup base:cleanup" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.fail_from = cases[i].fail_run, .fail_to = cases[i].fail_run, .fail_call = cases[i].fail_call,
		};

		fixture.fail_to = cases[i].fail_run;
		fixture.fail_from = cases[i].fail_run ?: 1;
		open_pairs(&fixture, "setup: [s]\ncleanup: [c]\n", &plain);
		assert_int_equal(loop_measure(fixture.loop, 10, 0, NULL), 0);
		assert_both_failed(&fixture, cases[i].failure, cases[i].words);
		assert_int_equal(fixture.results[0].n_runs, 0);
		end_pairs(&fixture);
		assert_log(&fixture, cases[i].log);
	}
}

static void a_cleanup_that_fails_is_a_note_of_its_side(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_call = "base:cleanup" };

	(void)state;
	open_pairs(&fixture, "cleanup: [c]\n", &plain);
	assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
	end_pairs(&fixture);
	assert_int_equal(fixture.results[0].state, SCENARIO_MEASURED);
	assert_pair_notes(&fixture.results[0], "cleanup failed: cleanup went wrong\n");
	assert_pair_notes(&fixture.results[1], "");
}

static void what_else_fails_is_a_note_of_its_side(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_call = "base:simulate" };
	struct loop_options options = plain;

	(void)state;
	options.simulate = true;
	open_pairs(&fixture, "", &options);
	/* There is no run yet that simulated values could go to. */
	assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
	assert_log(&fixture, "");
	assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
	assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
	fixture.fail_call = "head:profile";
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	end_pairs(&fixture);
	assert_pair_notes(&fixture.results[0], "nothing was simulated: simulate went wrong\n");
	assert_pair_notes(&fixture.results[1], "simulated values come from one more run, under valgrind's cachegrind\n"
					     "no profile could be taken: profile went wrong\n");
	assert_int_equal(fixture.results[1].profile.warnings.n, 1);
	assert_true(isnan(pair_value(&fixture.results[0], 0, "sim-instructions")));
	assert_true(pair_value(&fixture.results[1], 0, "sim-instructions") == 7);
}

/* -------- the machine */

static void pairs_that_were_stolen_from_are_measured_again(void **state)
{
	static const struct {
		unsigned from, to, ticks, wanted, rerun;
		const char *log;
	} cases[] = {
		{ 5, 5, 2, 10, 1, "bhBHHBHBHB" },
		{ 6, 6, 2, 10, 1, "bhBHHBHBHB" },
		{ 6, 6, 9, 10, 1, "bhBHHBHBHB" },
		/* one tick may be rounding, in either run */
		{ 5, 6, 1, 10, 0, "bhBHHBHB" },
		/* the warm-up is nobody's */
		{ 1, 2, 9, 10, 0, "bhBHHBHB" },
		/* no more than one in ten */
		{ 3, 99, 2, 10, 1, "bhBHBHHBHB" },
		{ 3, 99, 2, 20, 2, "bhBHBHBHHBHB" },
		{ 3, 99, 2, 2, 1, "bhBHBHHBHB" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.steal_from = cases[i].from, .steal_to = cases[i].to, .steal_ticks = cases[i].ticks,
		};
		struct loop_options options = plain;

		options.wanted = cases[i].wanted;
		open_pairs(&fixture, "", &options);
		assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
		assert_log(&fixture, cases[i].log);
		assert_int_equal(loop_state(fixture.loop).rerun, cases[i].rerun);
		assert_int_equal(loop_state(fixture.loop).dropped, 0);
		assert_int_equal(fixture.results[0].n_runs, 3);
		end_pairs(&fixture);
		assert_pair_notes(&fixture.results[0], "");
	}
}

/* The decision must not depend on what was measured: one that is kept and one that is not look the same. */
static void what_was_stolen_from_is_not_stored(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .steal_from = 3, .steal_to = 3, .steal_ticks = 2 };

	(void)state;
	open_pairs(&fixture, "", &plain);
	assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
	assert_true(pair_value(&fixture.results[0], 0, "user-time") == 3);
	assert_true(pair_value(&fixture.results[1], 0, "user-time") == 3);
}

static void what_clocks_did_drops_a_pair(void **state)
{
	static const struct { unsigned sleep_at, stop_at; const char *note; } cases[] = {
		{ 5, 0, "a pair was dropped: the machine slept for 5 s\n" },
		{ 6, 0, "a pair was dropped: the machine slept for 5 s\n" },
		{ 0, 5, "a pair was dropped: head: the clock went backward, or stood still\n" },
		{ 0, 6, "a pair was dropped: base: the clock went backward, or stood still\n" },
		/* between pairs a machine may sleep */
		{ 1, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .sleep_at = cases[i].sleep_at, .stop_clock_at = cases[i].stop_at };

		open_pairs(&fixture, "", &plain);
		assert_int_equal(loop_measure(fixture.loop, 4, 0, NULL), 0);
		assert_int_equal(loop_state(fixture.loop).pairs, 4);
		assert_int_equal(loop_state(fixture.loop).dropped, cases[i].note[0] ? 1 : 0);
		end_pairs(&fixture);
		assert_pair_notes(&fixture.results[0], cases[i].note);
	}
}

/* Readings of two clocks may step back by the time between them. */
static void a_reading_that_steps_back_is_no_sleep(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .slept_ns = 9 * NS_PER_S };

	(void)state;
	open_pairs(&fixture, "", &plain);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_true(fixture.slept_ns < 9 * NS_PER_S);
	assert_int_equal(loop_state(fixture.loop).dropped, 0);
}

/* -------- interrupts */

static void an_interrupt_keeps_complete_pairs(void **state)
{
	static const struct {
		unsigned at;
		size_t pairs;
		const char *log;
	} cases[] = {
		{ 1, 0, "base:setup head:setup b head:cleanup base:cleanup" },
		{ 5, 1, "base:setup head:setup bhBHH head:cleanup base:cleanup" },
		{ 6, 1, "base:setup head:setup bhBHHB head:cleanup base:cleanup" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .interrupt_at = cases[i].at };
		struct error err = ERROR_INIT;

		open_pairs(&fixture, "setup: [s]\ncleanup: [c]\n", &plain);
		assert_int_equal(loop_measure(fixture.loop, 4, 0, &err), -1);
		assert_int_equal(err.kind, ERR_INTERRUPTED);
		assert_int_equal(err.sys, SIGINT);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(fixture.results[k].state, SCENARIO_PARTIAL);
			assert_int_equal(fixture.results[k].n_runs, cases[i].pairs);
			assert_null(fixture.results[k].failure);
		}
		end_pairs(&fixture);
		assert_log(&fixture, cases[i].log);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair_that_fails_is_dropped_with_its_partner),
		cmocka_unit_test(a_head_that_reaches_its_timeout_is_held_against_the_base),
		cmocka_unit_test(too_many_of_them_fail_the_scenario),
		cmocka_unit_test(the_failure_names_the_side),
		cmocka_unit_test(what_does_not_start_fails_at_once),
		cmocka_unit_test(a_cleanup_that_fails_is_a_note_of_its_side),
		cmocka_unit_test(what_else_fails_is_a_note_of_its_side),
		cmocka_unit_test(pairs_that_were_stolen_from_are_measured_again),
		cmocka_unit_test(what_was_stolen_from_is_not_stored),
		cmocka_unit_test(what_clocks_did_drops_a_pair),
		cmocka_unit_test(a_reading_that_steps_back_is_no_sleep),
		cmocka_unit_test(an_interrupt_keeps_complete_pairs),
	};

	return cmocka_run_group_tests_name("pairloop_failures", tests, NULL, NULL);
}
