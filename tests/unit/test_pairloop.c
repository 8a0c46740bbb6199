/* The loop of pairs on made-up targets: what it runs, in which order, and what it keeps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pair_fixture.h"

static const struct loop_options plain = { .seed = 3, .counters = 6, .perf = true, .batch = 1, .wanted = 10 };

/* -------- order */

/*
 * The top bits of SplitMix64's numbers, computed once in Python, where seed 1234567 gives the five that Rosetta Code
 * publishes (6457827717110365317, 3203168211198807973, ...).
 */
static void the_order_follows_from_the_seed(void **state)
{
	static const struct { uint64_t seed; const char *order; } cases[] = {
		{ 0, "hbbhbbbhbhbhhhhh" }, { 1, "hhhbbhhhbhbhbhbb" }, { 42, "hbbbbhbhbhbbhhhb" },
		{ 1234567, "bbhbh" }, { UINT64_MAX, "hhbbhhhbhbbhbhbh" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (unsigned k = 0; cases[i].order[k]; k++)
			assert_int_equal(loop_head_first(cases[i].seed, k), cases[i].order[k] == 'h');
}

/* The same of ~SEED, one for every two pairs, of which the second is the other way round. */
static void who_starts_follows_from_the_seed_too(void **state)
{
	static const struct { uint64_t seed; const char *order; } cases[] = {
		{ 0, "hbhbbhbhhbhbhbbh" }, { 3, "hbhbbhbhhbbhbhbh" }, { 42, "bhhbhbbhbhbhbhbh" },
		{ UINT64_MAX, "hbbhbhhbbhbhbhhb" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (unsigned k = 0; cases[i].order[k]; k++)
			assert_int_equal(loop_head_starts(cases[i].seed, k), cases[i].order[k] == 'h');
}

/* Whoever is older or idles longer must be so as often on either side, whichever window comes first. */
static void starts_and_windows_are_tossed_apart(void **state)
{
	unsigned seen[2][2] = { { 0 } };

	(void)state;
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		unsigned started = 0;

		for (unsigned i = 0; i < 40; i++) {
			started += loop_head_starts(seed, i);
			seen[loop_head_starts(seed, i)][loop_head_first(seed, i)]++;
		}
		assert_int_equal(started, 20);
	}
	/* 10,000 each, with a spread of some 90. */
	for (int i = 0; i < 4; i++)
		assert_in_range(seen[i / 2][i % 2], 9500, 10500);
}

static void pairs_are_adjacent_and_in_the_tossed_order(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

	(void)state;
	open_pairs(&fixture, "", &plain);
	assert_int_equal(loop_measure(fixture.loop, 12, 0, NULL), 0);
	strbuf_adds(&expected, "bh");
	for (unsigned i = 0; i < 12; i++)
		strbuf_adds(&expected, loop_head_first(3, i) ? "HB" : "BH");
	assert_log(&fixture, expected.buf);
}

/* What a pair is numbered by is how many there are, whoever asks for them in how many calls. */
static void the_order_goes_on_over_calls(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

	(void)state;
	open_pairs(&fixture, "", &plain);
	for (unsigned pairs = 4; pairs <= 12; pairs += 4) {
		assert_int_equal(loop_measure(fixture.loop, pairs, 0, NULL), 0);
		/* Warmed up as they are measured next. */
		strbuf_adds(&expected, loop_head_first(3, pairs - 4) ? "hb" : "bh");
		for (unsigned i = pairs - 4; i < pairs; i++)
			strbuf_adds(&expected, loop_head_first(3, i) ? "HB" : "BH");
	}
	assert_log(&fixture, expected.buf);
	assert_int_equal(loop_state(fixture.loop).pairs, 12);
	for (unsigned i = 0; i < 12; i++) {
		assert_int_equal(fixture.results[1].runs[i].first, loop_head_first(3, i));
		assert_int_equal(fixture.results[0].runs[i].first, !loop_head_first(3, i));
	}
	/* Those that are there already are not measured again. */
	assert_int_equal(loop_measure(fixture.loop, 12, 0, NULL), 0);
	assert_log(&fixture, expected.buf);
}

static void everything_else_is_done_around_the_pairs(void **state)
{
	static const struct { const char *body, *log; } cases[] = {
		{ "setup: [s]\ncleanup: [c]\n",
		  "base:setup head:setup bhBHHBhbHB base:simulate head:simulate base:profile head:profile "
		  "head:cleanup base:cleanup" },
		{ "prepare: [p]\n",
		  "base:prepare b head:prepare h base:prepare B head:prepare H head:prepare H base:prepare B "
		  "head:prepare h base:prepare b head:prepare H base:prepare B "
		  "base:prepare base:simulate head:prepare head:simulate base:profile head:profile" },
		{ "warmup: { runs: 2, command: [w] }\n",
		  "base:warmup bb head:warmup hhBHHB head:warmup hh base:warmup bbHB base:simulate head:simulate "
		  "base:profile head:profile" },
		{ "warmup: { duration: 250ms }\n", "bbbhhhBHHBhhhbbbHB base:simulate head:simulate base:profile head:profile" },
		{ "warmup: { runs: 0 }\n", "bhBHHBhbHB base:simulate head:simulate base:profile head:profile" },
	};
	struct loop_options options = plain;

	(void)state;
	options.simulate = true;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };

		open_pairs(&fixture, cases[i].body, &options);
		assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
		assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
		assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
		assert_int_equal(loop_profile(fixture.loop, NULL), 0);
		end_pairs(&fixture);
		assert_log(&fixture, cases[i].log);
		assert_true(pair_value(&fixture.results[0], 0, "sim-instructions") == 7);
		assert_true(pair_value(&fixture.results[1], 0, "sim-instructions") == 7);
	}
}

/* -------- batches */

static void short_commands_are_batched(void **state)
{
	static const struct {
		double base_ms, head_ms;
		unsigned wished, batch;
	} cases[] = {
		{ 100, 100, 0, 1 }, { 150, 10, 0, 2 }, { 99, 99, 0, 2 }, { 50, 50, 0, 2 }, { 40, 40, 0, 3 }, { 10, 10, 0, 10 },
		{ 10, 30, 0, 5 }, { 0.1, 0.1, 0, LOOP_BATCH_MOST }, { 10, 10, 4, 4 }, { 1000, 1000, 3, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.base.wall_ms = cases[i].base_ms, .head.wall_ms = cases[i].head_ms,
		};
		struct loop_options options = plain;
		unsigned warm_up;

		options.batch = cases[i].wished;
		open_pairs(&fixture, "", &options);
		assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
		assert_int_equal(loop_state(fixture.loop).batch, cases[i].batch);
		warm_up = fixture.base.runs - cases[i].batch;
		assert_int_equal(warm_up, !cases[i].wished && cases[i].base_ms < 100 ? 3 : 1);
		assert_int_equal(fixture.results[0].n_runs, 1);
		/* Chosen once. */
		assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
		assert_int_equal(fixture.base.runs, warm_up + 1 + 3 * cases[i].batch);
	}
}

static void a_batch_reads_as_one_run(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.wall_ms = 10, .head.wall_ms = 20, .base.work = 5, .head.work = 5 };
	struct loop_options options = plain;

	(void)state;
	options.batch = 4;
	open_pairs(&fixture, "prepare: [p]\n", &options);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_true(pair_value(&fixture.results[0], 0, "wall-time") == 10);
	assert_true(pair_value(&fixture.results[1], 1, "wall-time") == 20);
	/* Runs 2 to 5, and 6 to 9; the first was the warm-up. */
	assert_true(pair_value(&fixture.results[0], 0, "user-time") == 3.5);
	assert_true(pair_value(&fixture.results[0], 1, "user-time") == 7.5);
	assert_true(pair_value(&fixture.results[0], 0, "max-rss") == 5);
	assert_true(pair_value(&fixture.results[1], 1, "max-rss") == 9);
	assert_true(pair_value(&fixture.results[0], 0, "task-clock") == 10);
	assert_true(pair_value(&fixture.results[0], 0, "throughput") == 500);
	assert_int_equal(fixture.results[0].runs[0].rows.n, 7);
	assert_non_null(strstr(fixture.log.buf, "base:prepare B base:prepare B base:prepare B base:prepare B "));
}

/* Windows are as long as the scenario says. */
/* A window takes 100 ms, starting both sides twice that for each of its warm-up windows. */
static void a_start_serves_as_many_windows_as_pay(void **state)
{
	static const struct {
		unsigned warm_ups;
		uint64_t deadline_ms;
		unsigned batch;
	} cases[] = {
		{ 1, 0, 2 }, { 2, 0, 3 }, { 4, 0, 4 }, { 20, 0, LOOP_WINDOWS_MOST },
		/* ten pairs of 800 ms, and no time for more windows in them */
		{ 2, 8000, 2 }, { 2, 20000, 3 }, { 2, 6100, 1 }, { 2, 2000, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
		struct loop_options options = plain;

		options.batch = 0;
		options.services = PAIR_SERVICES_BESIDE;
		strbuf_addf(&body, "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { service: s }\nwarmup: { runs: %u }\n",
			    cases[i].warm_ups);
		open_pairs(&fixture, body.buf, &options);
		assert_int_equal(loop_measure(fixture.loop, 10, cases[i].deadline_ms * NS_PER_MS, NULL), 0);
		if (loop_state(fixture.loop).batch != cases[i].batch)
			fail_msg("case %zu: %u windows", i, loop_state(fixture.loop).batch);
		assert_int_equal(fixture.base.runs, fixture.results[0].n_runs * (cases[i].warm_ups + cases[i].batch));
		assert_true(fixture.results[0].n_runs == 10 || cases[i].batch == 1);
	}
}

/* Their mean: the first pair's are runs 2 and 3 of each side. */
static void windows_of_one_start_are_one_value(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.work = 5, .head.work = 5 };
	struct loop_options options = plain;

	(void)state;
	options.batch = 0;
	options.services = PAIR_SERVICES_BESIDE;
	open_pairs(&fixture, "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { service: s }\n", &options);
	assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
	assert_int_equal(fixture.results[0].n_runs, 1);
	assert_true(pair_value(&fixture.results[0], 0, "user-time") == 2.5);
	assert_true(pair_value(&fixture.results[0], 0, "max-rss") == 3);
	assert_true(pair_value(&fixture.results[0], 0, "wall-time") == 100);
}

/* -------- groups of events */

#define GATES "gates: { ipc: -10%, branch-miss-rate: +20%, l1d-miss-rate: +20% }\n"

static void groups_of_events_make_one_value(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.wall_ms = 10, .head.wall_ms = 10 };
	struct loop_options options = plain;

	(void)state;
	options.counters = 4;
	options.batch = 2;
	open_pairs(&fixture, GATES, &options);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_log(&fixture, "bhBBBBHHHHHHHHBBBB");
	assert_int_equal(fixture.results[0].n_runs, 2);
	assert_int_equal(fixture.results[1].n_runs, 2);
	assert_true(pair_value(&fixture.results[0], 0, "user-time") == 3.5);
	assert_true(pair_value(&fixture.results[0], 0, "max-rss") == 5);
	assert_false(isnan(pair_value(&fixture.results[0], 0, "ipc")));
	assert_false(isnan(pair_value(&fixture.results[0], 0, "l1d-miss-rate")));
	end_pairs(&fixture);
	assert_pair_notes(&fixture.results[1],
			  "the events need 2 groups of at most 4 counters: each is counted in runs of its own\n");
}

static void a_pair_with_multiplexed_events_is_measured_again_in_groups(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .crowd_at = 5 };

	(void)state;
	open_pairs(&fixture, GATES, &plain);
	assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
	/* The second pair, of which the first run was multiplexed, is of no use; seed 3 lets its head go first. */
	assert_log(&fixture, "bhBHHB" "HHBB" "HHBB");
	assert_int_equal(loop_state(fixture.loop).dropped, 0);
	assert_int_equal(fixture.results[0].n_runs, 3);
	end_pairs(&fixture);
	assert_pair_notes(&fixture.results[0],
			  "instructions was multiplexed with 6 events at once: split into smaller groups\n"
			  "the events need 2 groups of at most 5 counters: each is counted in runs of its own\n");
}

static void without_perf_nothing_is_counted(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	struct loop_options options = plain;

	(void)state;
	options.perf = false;
	open_pairs(&fixture, "", &options);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_log(&fixture, "bhbhhb");
	assert_true(pair_value(&fixture.results[0], 1, "wall-time") == 100);
	assert_true(isnan(pair_value(&fixture.results[0], 1, "instructions")));
}

/* -------- time */

static void a_deadline_ends_it_between_pairs(void **state)
{
	static const struct { unsigned deadline_ms, pairs; } cases[] = {
		/* two warm-up runs and two a pair, 100 ms each */
		{ 1, 0 }, { 200, 0 }, { 201, 1 }, { 400, 1 }, { 401, 2 }, { 2200, 10 }, { 9999, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .now_ns = 7 };

		open_pairs(&fixture, "", &plain);
		assert_int_equal(loop_measure(fixture.loop, 10, cases[i].deadline_ms * NS_PER_MS + 7, NULL), 0);
		assert_int_equal(loop_state(fixture.loop).pairs, cases[i].pairs);
		assert_int_equal(fixture.results[0].n_runs, cases[i].pairs);
		assert_int_equal(fixture.results[1].state, SCENARIO_MEASURED);
	}
}

static void after_the_deadline_nothing_is_begun(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .now_ns = 10 };

	(void)state;
	open_pairs(&fixture, "", &plain);
	assert_int_equal(loop_measure(fixture.loop, 10, 10, NULL), 0);
	assert_log(&fixture, "");
}

static void progress_counts_pairs(void **state)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };

	(void)state;
	open_pairs(&fixture, "", &plain);
	assert_int_equal(loop_measure(fixture.loop, 2, 0, NULL), 0);
	assert_int_equal(loop_measure(fixture.loop, 5, fixture.now_ns + 700 * NS_PER_MS, NULL), 0);
	assert_string_equal(fixture.progress.buf, "1/2(0ms) 2/2(200ms) 3/5(0ms) 4/5(300ms) 5/5(100ms) ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_follows_from_the_seed),
		cmocka_unit_test(who_starts_follows_from_the_seed_too),
		cmocka_unit_test(starts_and_windows_are_tossed_apart),
		cmocka_unit_test(pairs_are_adjacent_and_in_the_tossed_order),
		cmocka_unit_test(the_order_goes_on_over_calls),
		cmocka_unit_test(everything_else_is_done_around_the_pairs),
		cmocka_unit_test(short_commands_are_batched),
		cmocka_unit_test(a_batch_reads_as_one_run),
		cmocka_unit_test(a_start_serves_as_many_windows_as_pay),
		cmocka_unit_test(windows_of_one_start_are_one_value),
		cmocka_unit_test(groups_of_events_make_one_value),
		cmocka_unit_test(a_pair_with_multiplexed_events_is_measured_again_in_groups),
		cmocka_unit_test(without_perf_nothing_is_counted),
		cmocka_unit_test(a_deadline_ends_it_between_pairs),
		cmocka_unit_test(after_the_deadline_nothing_is_begun),
		cmocka_unit_test(progress_counts_pairs),
	};

	return cmocka_run_group_tests_name("pairloop", tests, NULL, NULL);
}
