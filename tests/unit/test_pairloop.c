#include "unit.h"

#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/files/files.h"
#include "measure/process/interrupt.h"
#include "measure/process/processes.h"
#include "measure/run/loop.h"
#include "measure/run/loop_parts.h"
#include "measure/run/system.h"
#include "measure/services/ports.h"
#include "stats/stats.h"
#include "keeper_fixture.h"
#include "pair_fixture.h"
#include "replay.h"

/* -------- The loop of pairs on simulated targets: its runs, their order, and the values it keeps. */

/* Seed 3 has the order bhhbbhbhbh of first sides. Runs 1 and 2 are warm-up; pair i (from 1) is runs 2i+1 and 2i+2. */
static const struct loop_options plain = { .seed = 3, .counters = 6, .perf = true, .batch = 1, .wanted = 10 };

/* Opens the loop and measures PAIRS. */
static void measure_pairs(struct pair_fixture *fixture, const char *body, const struct loop_options *options, size_t pairs)
{
	open_pairs(fixture, body, options);
	assert_int_equal(loop_measure(fixture->loop, pairs, 0, NULL), 0);
}

/* -------- order */

/*
 * The top bits of SplitMix64's numbers, computed once in Python, where seed 1234567 gives the five that Rosetta Code
 * publishes (6457827717110365317, 3203168211198807973, ...). Who starts follows from the numbers of ~SEED, one for every
 * two pairs; the second pair has the opposite order.
 */
TEST(the_order_follows_from_the_seed)
{
	static const struct { bool (*head)(uint64_t seed, unsigned i); uint64_t seed; const char *order; } cases[] = {
		{ pair_head_first, 0, "hbbhbbbhbhbhhhhh" }, { pair_head_first, 1, "hhhbbhhhbhbhbhbb" },
		{ pair_head_first, 42, "hbbbbhbhbhbbhhhb" }, { pair_head_first, 1234567, "bbhbh" },
		{ pair_head_first, UINT64_MAX, "hhbbhhhbhbbhbhbh" }, { pair_head_starts, 0, "hbhbbhbhhbhbhbbh" },
		{ pair_head_starts, 3, "hbhbbhbhhbbhbhbh" }, { pair_head_starts, 42, "bhhbhbbhbhbhbhbh" },
		{ pair_head_starts, UINT64_MAX, "hbbhbhhbbhbhbhhb" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (unsigned k = 0; cases[i].order[k]; k++)
			assert_int_equal(cases[i].head(cases[i].seed, k), cases[i].order[k] == 'h');
}

/* Overall, both sides are moved equally far, independently of the order. */
TEST(stacks_are_moved_alike_on_both_sides)
{
	double mean[2] = { 0 }, together = 0, first[2] = { 0 };
	size_t n = 0, most = 0;

	for (uint64_t seed = 1; seed <= 1000; seed++)
		for (unsigned i = 0; i < 40; i++, n++) {
			size_t base = pair_pad(seed, i, false), head = pair_pad(seed, i, true);

			assert_true(base % 16 == 0 && head % 16 == 0 && base < PAIR_PAD_BYTES && head < PAIR_PAD_BYTES);
			most = head > most ? head : most;
			mean[0] += (double)base;
			mean[1] += (double)head;
			together += ((double)base - 2040) * ((double)head - 2040);
			first[pair_head_first(seed, i)] += (double)head;
		}
	/* Uniform from 0 to 4080, standard deviation 1,182. The mean of 40,000 has a standard deviation of 6. */
	assert_int_equal(most, 4080);
	assert_true(fabs(mean[0] / (double)n - 2040) < 24 && fabs(mean[1] / (double)n - 2040) < 24);
	assert_true(fabs(together / (double)n) < 4 * 1182.0 * 1182 / sqrt((double)n));
	assert_true(fabs(first[0] - first[1]) / (double)n < 24);
}

/* All runs of a pair have the same place; the next pair has another. */
TEST(each_pair_has_a_place_of_its_own)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	struct loop_options options = plain;

	options.batch = 2;
	measure_pairs(&fixture, "", &options, 6);
	for (unsigned i = 0; i < 6; i++) {
		assert_int_equal(fixture.base.pads[2 * i], pair_pad(3, i, false));
		assert_int_equal(fixture.base.pads[2 * i + 1], pair_pad(3, i, false));
		assert_int_equal(fixture.head.pads[2 * i], pair_pad(3, i, true));
	}
	/* Runs that are not compared, such as profiles, are not moved. */
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	assert_true(fixture.base.pad == 0 && fixture.head.pad == 0);
}

/* The loaded files of warm sides are checked once. The check decides whether more than one pair is run. */
TEST(loads_are_looked_at_before_the_first_pair)
{
	static const struct {
		int pointless; const char *log; size_t pairs;
	} cases[] = { { 0, "bh<2>BHHB", 2 }, { 1, "bh<2>BH", 1 }, { -1, "bh<2>", 0 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .looks = true, .pointless = cases[i].pointless };
		struct error err = ERROR_INIT;

		open_pairs(&fixture, "", &plain);
		assert_int_equal(loop_measure(fixture.loop, 2, 0, &err), cases[i].pointless < 0 ? -1 : 0);
		assert_int_equal(loop_state(fixture.loop).pairs, cases[i].pairs);
		assert_log(&fixture, cases[i].log);
	}
}

/* Each side starts first equally often, whatever the order of windows. Age and idle time favour no side. */
TEST(starts_and_windows_are_tossed_apart)
{
	unsigned seen[2][2] = { { 0 } };

	for (uint64_t seed = 1; seed <= 1000; seed++) {
		unsigned started = 0;

		for (unsigned i = 0; i < 40; i++) {
			started += pair_head_starts(seed, i);
			seen[pair_head_starts(seed, i)][pair_head_first(seed, i)]++;
		}
		assert_int_equal(started, 20);
	}
	/* 10,000 each, with a standard deviation of about 90. */
	for (int i = 0; i < 4; i++)
		assert_in_range(seen[i / 2][i % 2], 9500, 10500);
}

TEST(pairs_are_adjacent_and_in_the_tossed_order)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

	measure_pairs(&fixture, "", &plain, 12);
	strbuf_adds(&expected, "bh");
	for (unsigned i = 0; i < 12; i++)
		strbuf_adds(&expected, pair_head_first(3, i) ? "HB" : "BH");
	assert_log(&fixture, expected.buf);
}

/*
 * Pairs are numbered in sequence, across calls. A call that follows immediately, such as the next look of a comparison,
 * finds both sides warm.
 */
TEST(the_order_goes_on_over_calls)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

	open_pairs(&fixture, "", &plain);
	for (unsigned pairs = 4; pairs <= 12; pairs += 4) {
		fixture.now_ns += pairs == 8 ? LOOP_COLD_NS - 1 : LOOP_COLD_NS;
		assert_int_equal(loop_measure(fixture.loop, pairs, 0, NULL), 0);
		/* Warm-up has the order of the next pair. */
		if (pairs != 8)
			strbuf_adds(&expected, pair_head_first(3, pairs - 4) ? "hb" : "bh");
		for (unsigned i = pairs - 4; i < pairs; i++)
			strbuf_adds(&expected, pair_head_first(3, i) ? "HB" : "BH");
	}
	assert_log(&fixture, expected.buf);
	assert_int_equal(loop_state(fixture.loop).pairs, 12);
	for (unsigned i = 0; i < 12; i++) {
		assert_int_equal(fixture.results[1].runs[i].first, pair_head_first(3, i));
		assert_int_equal(fixture.results[0].runs[i].first, !pair_head_first(3, i));
	}
	/* Existing pairs are not measured again. */
	assert_int_equal(loop_measure(fixture.loop, 12, 0, NULL), 0);
	assert_log(&fixture, expected.buf);
}

TEST(everything_else_is_done_around_the_pairs)
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

	options.simulate = true;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };

		measure_pairs(&fixture, cases[i].body, &options, 2);
		fixture.now_ns += LOOP_COLD_NS;
		assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
		assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
		assert_int_equal(loop_profile(fixture.loop, NULL), 0);
		end_pairs(&fixture);
		assert_log(&fixture, cases[i].log);
		assert_true(value_of(&fixture.results[0], 0, "sim-instructions") == 7);
		assert_true(value_of(&fixture.results[1], 0, "sim-instructions") == 7);
	}
}

/* -------- batches */

TEST(short_commands_are_batched)
{
	static const struct { double base_ms, head_ms; unsigned wished, batch; } cases[] = {
		{ 100, 100, 0, 1 }, { 150, 10, 0, 2 }, { 99, 99, 0, 2 }, { 50, 50, 0, 2 }, { 40, 40, 0, 3 }, { 10, 10, 0, 10 },
		{ 10, 30, 0, 5 }, { 0.1, 0.1, 0, LOOP_BATCH_MOST }, { 10, 10, 4, 4 }, { 1000, 1000, 3, 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.base.wall_ms = cases[i].base_ms, .head.wall_ms = cases[i].head_ms,
		};
		struct loop_options options = plain;
		unsigned warm_up;

		options.batch = cases[i].wished;
		measure_pairs(&fixture, "", &options, 1);
		assert_int_equal(loop_state(fixture.loop).batch, cases[i].batch);
		warm_up = fixture.base.runs - cases[i].batch;
		assert_int_equal(warm_up, !cases[i].wished && cases[i].base_ms < 100 ? 3 : 1);
		assert_int_equal(fixture.results[0].n_runs, 1);
		/* Chosen once. */
		assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
		assert_int_equal(fixture.base.runs, warm_up + 3 * cases[i].batch);
	}
}

/* The first brackets are the trial. */
TEST(both_sides_run_at_once)
{
	static const struct {
		const char *body; unsigned batch; bool in_turn;
	} cases[] = { { "", 1, false }, { "prepare: [p]\n", 1, false }, { "", 2, false }, { "", 1, true } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
		CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;
		const char *prepare = cases[i].body[0] ? "base:prepare head:prepare " : "";
		struct loop_options options = plain;
		struct loop_state now;

		options.both = true;
		options.in_turn = cases[i].in_turn;
		options.batch = cases[i].batch;
		measure_pairs(&fixture, cases[i].body, &options, 3);
		now = loop_state(fixture.loop);
		assert_true(now.both && !now.apart && now.in_turn == cases[i].in_turn && now.pairs == 3);
		strbuf_adds(&expected, prepare[0] ? "base:prepare b head:prepare h base:prepare head:prepare 0[bh]" : "bh0[bh]");
		for (unsigned pair = 0; pair < 3; pair++) {
			bool head_first = pair_head_first(3, pair);

			for (unsigned run = 0; run < cases[i].batch; run++)
				strbuf_addf(&expected, "%s%s%u[%s]", prepare[0] ? " " : "", prepare, pair,
					    head_first != (run % 2) ? "HB" : "BH");
			if (cases[i].in_turn)
				strbuf_adds(&expected, head_first ? "HB" : "BH");
		}
		assert_log(&fixture, expected.buf);
		/* Wall time comes from the runs in turn; the program's own costs from the runs at once. */
		for (unsigned run = 0; run < 3; run++) {
			assert_true(isnan(value_of(&fixture.results[0], run, "wall-time")) != cases[i].in_turn);
			assert_true(value_of(&fixture.results[0], run, "task-clock") > 0);
			assert_true(fixture.results[0].runs[run].both_ms > 0);
			assert_int_equal(fixture.results[1].runs[run].first, pair_head_first(3, run));
		}
	}
}

TEST(the_warm_up_shows_who_cannot)
{
	static const struct {
		const char *body; double cpus, crowd; bool anyway; unsigned fails; enum pair_services services;
		const char *apart;
	} cases[] = {
		{ "", 0.9, 0, false, 0, PAIR_SERVICES_NONE, NULL },
		{ "", 1.9, 0, false, 0, PAIR_SERVICES_NONE, "the target uses 1.9 CPUs; --pairs together" },
		{ "", 0.9, 0.3, false, 0, PAIR_SERVICES_NONE, "several threads of the target work at the same time, 30 % of it; --pairs" },
		{ "", 0.9, 0.2, false, 0, PAIR_SERVICES_NONE, NULL },
		{ "", 0.9, 0.3, true, 0, PAIR_SERVICES_NONE, NULL },
		{ "", 1.9, 0, true, 0, PAIR_SERVICES_NONE, NULL },
		{ "", 0.9, 0, false, 4, PAIR_SERVICES_NONE, "beside the other side a run fails: head: exited with status 1" },
		{ "", 0.9, 0, false, 0, PAIR_SERVICES_AFRESH, "the services of both sides cannot be up at the same time" },
		{ "target: { service: s }\nenv: [ { name: s, command: [s] } ]\n", 0.9, 0, false, 0, PAIR_SERVICES_BESIDE, NULL },
		{ "target: { service: s }\nenv: [ { name: s, command: [s] } ]\n", 1.9, 0, false, 0, PAIR_SERVICES_BESIDE, NULL },
		{ "target: { service: s }\nenv: [ { name: s, command: [s] } ]\n", 0.9, 0, false, 1, PAIR_SERVICES_BESIDE,
		  "beside the other side a window fails: in warm-up window 1: base: exited with status 1" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.base.cpus = 0.5, .head.cpus = cases[i].cpus, .base.crowd = cases[i].crowd,
			.fail_from = cases[i].fails, .fail_to = cases[i].fails,
		};
		struct loop_options options = plain;
		struct loop_state now;

		options.both = true;
		options.both_anyway = cases[i].anyway;
		options.services = cases[i].services;
		measure_pairs(&fixture, cases[i].body, &options, 2);
		now = loop_state(fixture.loop);
		assert_int_equal(now.pairs, 2);
		assert_true(now.both == !cases[i].apart && now.in_turn == !now.both);
		if (cases[i].apart)
			assert_memory_equal(now.apart, cases[i].apart, strlen(cases[i].apart));
		/* A failed trial is not a failed pair. */
		assert_int_equal(now.dropped, 0);
	}
}

TEST(a_batch_reads_as_one_run)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.wall_ms = 10, .head.wall_ms = 20, .base.work = 5, .head.work = 5 };
	struct loop_options options = plain;

	options.batch = 4;
	measure_pairs(&fixture, "prepare: [p]\n", &options, 2);
	assert_true(value_of(&fixture.results[0], 0, "wall-time") == 10);
	assert_true(value_of(&fixture.results[1], 1, "wall-time") == 20);
	/* Runs 2 to 5, and 6 to 9; the first was the warm-up. */
	assert_true(value_of(&fixture.results[0], 0, "user-time") == 3.5);
	assert_true(value_of(&fixture.results[0], 1, "user-time") == 7.5);
	assert_true(value_of(&fixture.results[0], 0, "max-rss") == 5);
	assert_true(value_of(&fixture.results[1], 1, "max-rss") == 9);
	assert_true(value_of(&fixture.results[0], 0, "task-clock") == 10);
	assert_true(value_of(&fixture.results[0], 0, "throughput") == 500);
	assert_int_equal(fixture.results[0].runs[0].rows.n, 7);
	assert_non_null(strstr(fixture.log.buf, "base:prepare B base:prepare B base:prepare B base:prepare B "));
}

/* A window takes 100 ms. Starting both sides takes 200 ms for each warm-up window. */
TEST(a_start_serves_as_many_windows_as_pay)
{
	static const struct { unsigned warm_ups; uint64_t fit_ms; unsigned batch; } cases[] = {
		{ 1, 0, 2 }, { 2, 0, 3 }, { 4, 0, 4 }, { 20, 0, LOOP_WINDOWS_MOST },
		/* no time for more windows */
		{ 2, 800, 2 }, { 2, 2000, 3 }, { 2, 610, 1 }, { 2, 200, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
		struct loop_options options = plain;

		options.batch = 0;
		options.fit_ns = cases[i].fit_ms * NS_PER_MS;
		options.services = PAIR_SERVICES_BESIDE;
		strbuf_addf(&body, "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { service: s }\nwarmup: { runs: %u }\n",
			    cases[i].warm_ups);
		measure_pairs(&fixture, body.buf, &options, 10);
		if (loop_state(fixture.loop).batch != cases[i].batch)
			fail_msg("case %zu: %u windows", i, loop_state(fixture.loop).batch);
		assert_int_equal(fixture.base.runs, fixture.results[0].n_runs * (cases[i].warm_ups + cases[i].batch));
		assert_int_equal(fixture.results[0].n_runs, 10);
	}
}

/* The mean of the windows: the first pair has runs 2 and 3 of each side. */
TEST(windows_of_one_start_are_one_value)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.work = 5, .head.work = 5 };
	struct loop_options options = plain;

	options.batch = 0;
	options.services = PAIR_SERVICES_BESIDE;
	measure_pairs(&fixture, "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { service: s }\n", &options, 1);
	assert_int_equal(fixture.results[0].n_runs, 1);
	assert_true(value_of(&fixture.results[0], 0, "user-time") == 2.5);
	assert_true(value_of(&fixture.results[0], 0, "max-rss") == 3);
	assert_true(value_of(&fixture.results[0], 0, "wall-time") == 100);
}

/* -------- groups of events */

#define GATES "gates: { ipc: -10%, branch-miss-rate: +20%, l1d-miss-rate: +20% }\n"

TEST(groups_of_events_make_one_value)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.wall_ms = 10, .head.wall_ms = 10 };
	struct loop_options options = plain;

	options.counters = 4;
	options.batch = 2;
	measure_pairs(&fixture, GATES, &options, 2);
	assert_log(&fixture, "bhBBBBHHHHHHHHBBBB");
	assert_int_equal(fixture.results[0].n_runs, 2);
	assert_int_equal(fixture.results[1].n_runs, 2);
	assert_true(value_of(&fixture.results[0], 0, "user-time") == 3.5);
	assert_true(value_of(&fixture.results[0], 0, "max-rss") == 5);
	assert_false(isnan(value_of(&fixture.results[0], 0, "ipc")));
	assert_false(isnan(value_of(&fixture.results[0], 0, "l1d-miss-rate")));
	end_pairs(&fixture);
	assert_notes(&fixture.results[1],
			  "the events need 2 groups of at most 4 counters: each is counted in runs of its own\n");
}

TEST(a_pair_with_multiplexed_events_is_measured_again_in_groups)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .crowd_at = 5 };

	measure_pairs(&fixture, GATES, &plain, 3);
	/* The first run of the second pair was multiplexed, so the pair is dropped. With seed 3 its head runs first. */
	assert_log(&fixture, "bhBHHB" "HHBB" "HHBB");
	assert_int_equal(loop_state(fixture.loop).dropped, 0);
	assert_int_equal(fixture.results[0].n_runs, 3);
	end_pairs(&fixture);
	assert_notes(&fixture.results[0],
			  "instructions was multiplexed with 6 events at once: split into smaller groups\n"
			  "the events need 2 groups of at most 5 counters: each is counted in runs of its own\n");
}

TEST(without_perf_nothing_is_counted)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
	struct loop_options options = plain;

	options.perf = false;
	measure_pairs(&fixture, "", &options, 2);
	assert_log(&fixture, "bhbhhb");
	assert_true(value_of(&fixture.results[0], 1, "wall-time") == 100);
	assert_true(isnan(value_of(&fixture.results[0], 1, "instructions")));
}

/* -------- time */

TEST(a_deadline_ends_it_between_pairs)
{
	static const struct { unsigned deadline_ms, pairs; } cases[] = {
		/* two warm-up runs and two runs a pair, 100 ms each */
		{ 0, 0 }, { 1, 0 }, { 200, 0 }, { 201, 1 }, { 400, 1 }, { 401, 2 }, { 2200, 10 }, { 9999, 10 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .now_ns = 7 };

		open_pairs(&fixture, "", &plain);
		assert_int_equal(loop_measure(fixture.loop, 10, cases[i].deadline_ms * NS_PER_MS + 7, NULL), 0);
		assert_int_equal(loop_state(fixture.loop).pairs, cases[i].pairs);
		assert_int_equal(fixture.results[0].n_runs, cases[i].pairs);
		assert_int_equal(fixture.results[1].state, SCENARIO_MEASURED);
		/* At the deadline nothing is begun. */
		if (!cases[i].deadline_ms)
			assert_log(&fixture, "");
	}
}

TEST(progress_counts_pairs)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };

	measure_pairs(&fixture, "", &plain, 2);
	assert_int_equal(loop_measure(fixture.loop, 5, fixture.now_ns + 700 * NS_PER_MS, NULL), 0);
	assert_string_equal(fixture.progress.buf, "1/2(0ms) 2/2(200ms) 3/5(0ms) 4/5(400ms) 5/5(200ms) ");
}

/* -------- Failures in the loop of pairs: dropped pairs, repeated pairs, fatal errors and reports. */

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

TEST(a_pair_that_fails_is_dropped_with_its_partner)
{
	static const struct { unsigned at; const char *log, *note; } cases[] = {
		/* its first run: the second one is not started */
		{ 5, "bhBHHHBHBBH", "a pair was dropped: head: exited with status 1\n" },
		/* its second */
		{ 6, "bhBHHBHBHBBH", "a pair was dropped: base: exited with status 1\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = cases[i].at, .fail_to = cases[i].at };

		measure_pairs(&fixture, "", &plain, 4);
		assert_log(&fixture, cases[i].log);
		assert_int_equal(loop_state(fixture.loop).pairs, 4);
		assert_int_equal(loop_state(fixture.loop).dropped, 1);
		for (int k = 0; k < 2; k++) {
			assert_int_equal(fixture.results[k].state, SCENARIO_MEASURED);
			assert_int_equal(fixture.results[k].n_runs, 4);
		}
		end_pairs(&fixture);
		assert_notes(&fixture.results[0], cases[i].note);
		assert_notes(&fixture.results[1], cases[i].note);
	}
}

/* If a program changes its own nice value or stops itself, this also happens when it runs alone, or on both sides. */
TEST(what_is_done_to_a_side_from_outside_drops_the_pair)
{
	static const struct {
		uint64_t base_alone, base, head_alone, head; const char *failure; unsigned wanted;
	} cases[] = {
		/* One in ten of these may fail for other reasons. */
		{ .base = PROPERTY_BITS(PROPERTY_LIMITS), .wanted = 60,
		  .failure = "base: the target was given other resource limits during a run, which it does not do itself; 3 of 3 pairs failed" },
		{ .base = 0, .failure = NULL },
		{ .base = PROPERTY_BITS(PROPERTY_STOP), .failure = "base: the target was stopped during a run, which it does not do itself; 2 of 2 pairs failed" },
		{ .head = PROPERTY_BITS(PROPERTY_CPUS), .failure = "head: the target was moved to other CPUs during a run, which it does not do itself; 2 of 2 pairs failed" },
		{ .base_alone = PROPERTY_BITS(PROPERTY_CPUS), .base = PROPERTY_BITS(PROPERTY_CPUS) },
		{ .head_alone = PROPERTY_BITS(PROPERTY_NICE), .base = PROPERTY_BITS(PROPERTY_NICE), .head = PROPERTY_BITS(PROPERTY_NICE) },
		{ .base_alone = PROPERTY_BITS(PROPERTY_TRACER), .base = PROPERTY_BITS(PROPERTY_TRACER) | PROPERTY_BITS(PROPERTY_NICE),
		  .failure = "base: the target was traced by a process that it did not start during a run, which it does not do itself; 2 of 2 pairs failed" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.base = { .alone = cases[i].base_alone, .touched = cases[i].base },
			.head = { .alone = cases[i].head_alone, .touched = cases[i].head },
		};
		struct loop_options options = plain;

		for (int both = 0; both < 2; both++) {
			fixture.results[1].failure = NULL;
			options.both = both;
			options.wanted = cases[i].wanted ?: options.wanted;
			measure_pairs(&fixture, "", &options, 4);
			if (cases[i].failure)
				assert_string_equal(fixture.results[1].failure, cases[i].failure);
			else
				assert_int_equal(fixture.results[1].n_runs, 4);
			if (!both)
				close_pairs(&fixture);
		}
	}
}

/* The looks at a short run may see what it does to itself on one side only. */
TEST(what_both_sides_do_in_any_pair_is_their_own)
{
	for (int both = 0; both < 2; both++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.base = { .touched = PROPERTY_BITS(PROPERTY_NICE), .touched_at = 1 },
			.head = { .touched = PROPERTY_BITS(PROPERTY_NICE), .touched_at = 3 },
		};
		struct loop_options options = plain;

		options.both = both;
		measure_pairs(&fixture, "", &options, 4);
		assert_false(loop_failed(fixture.loop));
		assert_int_equal(loop_state(fixture.loop).dropped, 1);
	}
}

/* The base runs on alone until it has three values, which establish its time. */
TEST(a_head_that_reaches_its_timeout_is_held_against_the_base)
{
	static const struct {
		unsigned from, to; bool times_out; const char *log; size_t base_runs; double timed_out_ms;
	} cases[] = {
		/* in its warm-up, before anything was counted */
		{ 2, 2, true, "bhBBB", 3, 60000 },
		/* in its third pair, and again in the retry: earlier pairs count */
		{ 7, 8, true, "bhBHHBHHB", 3, 60000 },
		/* the base does too */
		{ 2, 3, true, "bhB", 0, 60000 },
		/* the base times out */
		{ 1, 1, true, "b", 0, 0 },
		/* another failure */
		{ 2, 2, false, "bh", 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.fail_from = cases[i].from, .fail_to = cases[i].to, .times_out = cases[i].times_out,
		};

		measure_pairs(&fixture, "", &plain, 5);
		assert_log(&fixture, cases[i].log);
		assert_true(loop_failed(fixture.loop));
		assert_int_equal(fixture.results[0].state, SCENARIO_FAILED);
		assert_int_equal(fixture.results[0].n_runs, cases[i].base_runs);
		assert_true(fixture.results[1].timed_out_ms == cases[i].timed_out_ms && fixture.results[0].timed_out_ms == 0);
	}
}

TEST(too_many_of_them_fail_the_scenario)
{
	static const struct { unsigned wanted, pairs, failing; bool fails; } cases[] = {
		{ 1, 1, 1, false }, { 1, 1, 2, true }, { 10, 10, 1, false }, { 10, 10, 2, true }, { 19, 3, 2, true },
		{ 20, 3, 2, false }, { 20, 3, 3, true }, { 40, 3, 4, false }, { 40, 3, 5, true },
		/* more pairs than first requested */
		{ 10, 40, 4, false }, { 10, 40, 5, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 5, .fail_to = 4 + cases[i].failing };
		struct loop_options options = plain;

		fixture.fail_from = cases[i].pairs == 1 ? 3 : 5;
		fixture.fail_to = fixture.fail_from + cases[i].failing - 1;
		options.wanted = cases[i].wanted;
		measure_pairs(&fixture, "", &options, cases[i].pairs);
		assert_int_equal(loop_failed(fixture.loop), cases[i].fails);
		assert_int_equal(loop_state(fixture.loop).dropped, cases[i].failing);
		assert_int_equal(fixture.results[0].n_runs, fixture.results[1].n_runs);
		if (!cases[i].fails)
			assert_int_equal(fixture.results[0].n_runs, cases[i].pairs);
	}
}

TEST(the_failure_names_the_side)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 5, .fail_to = 99 };

	measure_pairs(&fixture, "cleanup: [c]\n", &plain, 10);
	assert_both_failed(&fixture, "head: exited with status 1; 2 of 3 pairs failed", "the last words of head");
	assert_int_equal(fixture.results[0].n_runs, 1);
	assert_int_equal(loop_measure(fixture.loop, 20, 0, NULL), 0);
	assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	end_pairs(&fixture);
	assert_log(&fixture, "bhBHHH head:cleanup base:cleanup");
	/* A failed side has no further notes. */
	assert_notes(&fixture.results[1], "");
}

TEST(what_does_not_start_fails_at_once)
{
	static const struct { unsigned fail_run; const char *fail_call, *failure, *words, *log; } cases[] = {
		{ 1, NULL, "base: in warm-up run 1: exited with status 1", "the last words of base",
		  "base:setup head:setup b head:cleanup base:cleanup" },
		{ 2, NULL, "head: in warm-up run 1: exited with status 1", "the last words of head",
		  "base:setup head:setup bh head:cleanup base:cleanup" },
		{ 0, "base:setup", "base: setup went wrong", "the last words of base", "base:setup base:cleanup" },
		{ 0, "head:setup", "head: setup went wrong", "the last words of head",
		  "base:setup head:setup head:cleanup base:cleanup" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.fail_from = cases[i].fail_run, .fail_to = cases[i].fail_run, .fail_call = cases[i].fail_call,
		};

		fixture.fail_to = cases[i].fail_run;
		fixture.fail_from = cases[i].fail_run ?: 1;
		measure_pairs(&fixture, "setup: [s]\ncleanup: [c]\n", &plain, 10);
		assert_both_failed(&fixture, cases[i].failure, cases[i].words);
		assert_int_equal(fixture.results[0].n_runs, 0);
		end_pairs(&fixture);
		assert_log(&fixture, cases[i].log);
	}
}

TEST(a_cleanup_that_fails_is_a_note_of_its_side)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_call = "base:cleanup" };

	measure_pairs(&fixture, "cleanup: [c]\n", &plain, 1);
	end_pairs(&fixture);
	assert_int_equal(fixture.results[0].state, SCENARIO_MEASURED);
	assert_null(fixture.results[0].failure);
	assert_notes(&fixture.results[0], "cleanup failed: cleanup went wrong\n");
	assert_notes(&fixture.results[1], "");
}

TEST(what_else_fails_is_a_note_of_its_side)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_call = "base:simulate" };
	struct loop_options options = plain;

	options.simulate = true;
	open_pairs(&fixture, "", &options);
	/* There is not yet a run to hold simulated values. */
	assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
	assert_log(&fixture, "");
	assert_int_equal(loop_measure(fixture.loop, 1, 0, NULL), 0);
	assert_int_equal(loop_simulate(fixture.loop, NULL), 0);
	fixture.fail_call = "head:profile";
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	end_pairs(&fixture);
	assert_notes(&fixture.results[0], "nothing was simulated: simulate went wrong\n");
	assert_notes(&fixture.results[1], "simulated values come from one more run, under valgrind's cachegrind\n"
					     "no profile could be taken: profile went wrong\n");
	assert_int_equal(fixture.results[1].profile.warnings.n, 1);
	assert_true(isnan(value_of(&fixture.results[0], 0, "sim-instructions")));
	assert_true(value_of(&fixture.results[1], 0, "sim-instructions") == 7);
}

/* -------- the machine */

TEST(pairs_that_were_stolen_from_are_measured_again)
{
	static const struct { unsigned from, to, ticks, wanted, rerun; const char *log; } cases[] = {
		{ 5, 5, 2, 10, 1, "bhBHHBHBHB" }, { 6, 6, 2, 10, 1, "bhBHHBHBHB" }, { 6, 6, 9, 10, 1, "bhBHHBHBHB" },
		/* one tick may be rounding, in both runs */
		{ 5, 6, 1, 10, 0, "bhBHHBHB" },
		/* steal time in the warm-up is ignored */
		{ 1, 2, 9, 10, 0, "bhBHHBHB" },
		/* at most one pair in ten is repeated */
		{ 3, 99, 2, 10, 1, "bhBHBHHBHB" }, { 3, 99, 2, 20, 2, "bhBHBHBHHBHB" },
		{ 3, 99, 2, 2, 1, "bhBHBHHBHB" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.steal_from = cases[i].from, .steal_to = cases[i].to, .steal_ticks = cases[i].ticks,
		};
		struct loop_options options = plain;

		options.wanted = cases[i].wanted;
		measure_pairs(&fixture, "", &options, 3);
		assert_log(&fixture, cases[i].log);
		assert_int_equal(loop_state(fixture.loop).rerun, cases[i].rerun);
		assert_int_equal(loop_state(fixture.loop).dropped, 0);
		assert_int_equal(fixture.results[0].n_runs, 3);
		end_pairs(&fixture);
		assert_notes(&fixture.results[0], "");
	}
}

/* The decision must not depend on the measured values. Kept and repeated pairs look the same. */
TEST(what_was_stolen_from_is_not_stored)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .steal_from = 3, .steal_to = 3, .steal_ticks = 2 };

	measure_pairs(&fixture, "", &plain, 1);
	assert_true(value_of(&fixture.results[0], 0, "user-time") == 3);
	assert_true(value_of(&fixture.results[1], 0, "user-time") == 3);
}

TEST(what_clocks_did_drops_a_pair)
{
	static const struct { unsigned sleep_at, stop_at; const char *note; } cases[] = {
		{ 5, 0, "a pair was dropped: the machine slept for 5 s\n" },
		{ 6, 0, "a pair was dropped: the machine slept for 5 s\n" },
		{ 0, 5, "a pair was dropped: head: the clock went backward, or stood still\n" },
		{ 0, 6, "a pair was dropped: base: the clock went backward, or stood still\n" },
		/* the machine may sleep between pairs */
		{ 1, 0, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .sleep_at = cases[i].sleep_at, .stop_clock_at = cases[i].stop_at };

		measure_pairs(&fixture, "", &plain, 4);
		assert_int_equal(loop_state(fixture.loop).pairs, 4);
		assert_int_equal(loop_state(fixture.loop).dropped, cases[i].note[0] ? 1 : 0);
		end_pairs(&fixture);
		assert_notes(&fixture.results[0], cases[i].note);
	}
}

/* The difference of two clocks may fall by the time between the two readings. */
TEST(a_reading_that_steps_back_is_no_sleep)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .slept_ns = 9 * NS_PER_S };

	measure_pairs(&fixture, "", &plain, 2);
	assert_true(fixture.slept_ns < 9 * NS_PER_S);
	assert_int_equal(loop_state(fixture.loop).dropped, 0);
}

/* -------- interrupts */

TEST(an_interrupt_keeps_complete_pairs)
{
	static const struct { unsigned at; size_t pairs; const char *log; } cases[] = {
		{ 1, 0, "base:setup head:setup b head:cleanup base:cleanup" },
		{ 5, 1, "base:setup head:setup bhBHH head:cleanup base:cleanup" },
		{ 6, 1, "base:setup head:setup bhBHHB head:cleanup base:cleanup" },
	};

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

/* -------- The loop of pairs with services: their lifetime, and targets that cannot have two sides. */

#define SERVICE "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { service: s }\n"

/*
 * Starting and warming up takes as long as a window of each side, so two windows a start are best. Seed 3 has the order
 * bhhbbhbhbh of first windows, and hbhbbhbhhb of services that start first.
 */
#define SERVED .seed = 3, .counters = 6, .perf = true, .wanted = 10
static const struct loop_options beside = { SERVED, .services = PAIR_SERVICES_BESIDE }, afresh = { SERVED, .services = PAIR_SERVICES_AFRESH };

/* -------- lifetime */

TEST(side_by_side_they_are_started_for_each_pair)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };

	measure_pairs(&fixture, "setup: [s]\ncleanup: [c]\n" SERVICE, &beside, 2);
	assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
	assert_int_equal(loop_profile(fixture.loop, NULL), 0);
	end_pairs(&fixture);
	assert_log(&fixture, "base:setup head:setup head:up base:up bhBHHB head:down base:down "
			   "base:up head:up hbHBBH head:down base:down "
			   "head:up base:up hbHBBH head:down base:down "
			   "base:up b base:profile base:down head:up h head:profile head:down head:cleanup base:cleanup");
	/* A note repeated at every stop is reported once. */
	assert_notes(&fixture.results[0], "it had to be killed\n");
}

/*
 * Every start, including the first, is warmed up in the way its windows are measured, and as often. The warm-up shows
 * that both sides can be measured at once. Without a warm-up, services that tried this are restarted.
 */
TEST(windows_are_taken_at_once)
{
	static const struct { bool in_turn; const char *log, *body; } cases[] = {
		{ false, "head:up base:up 0[bh]0[BH]0[HB] head:down base:down "
			 "base:up head:up 1[hb]1[HB]1[BH] head:down base:down "
			 "head:up base:up 2[hb]2[HB]2[BH] head:down base:down", "" },
		{ true, "head:up base:up 0[bh]0[BH]BH head:down base:down "
			"base:up head:up 1[hb]1[HB]HB head:down base:down "
			"head:up base:up 2[hb]2[HB]HB head:down base:down", "" },
		{ true, "head:up base:up 0[bh] head:down base:down head:up base:up 0[BH]BH head:down base:down "
			"base:up head:up 1[HB]HB head:down base:down "
			"head:up base:up 2[HB]HB head:down base:down", "warmup: { runs: 0 }\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .base.work = 5, .head.work = 5 };
		struct loop_options options = beside;
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;

		options.both = true;
		options.in_turn = cases[i].in_turn;
		options.batch = cases[i].in_turn ? 1 : 2;
		strbuf_addf(&body, SERVICE "%s", cases[i].body);
		measure_pairs(&fixture, body.buf, &options, 2);
		assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
		assert_log(&fixture, cases[i].log);
		assert_true(loop_state(fixture.loop).both && !loop_state(fixture.loop).apart);
		for (unsigned run = 0; run < 3; run++) {
			assert_true(isnan(value_of(&fixture.results[0], run, "wall-time")) != cases[i].in_turn);
			assert_true(isnan(value_of(&fixture.results[0], run, "throughput")) != cases[i].in_turn);
			assert_true(value_of(&fixture.results[1], run, "task-clock-per-work") > 0);
		}
	}
}

/* -------- warm-up */

#define LOADED SERVICE "load: { command: [l], work: { regex: 'did ([0-9]+)', as: count, unit: request } }\n"

/* Lasts until both sides have done the work, within the budget. A window takes 100 ms a side and does 5 units. */
TEST(a_warm_up_can_be_an_amount_of_work)
{
	static const struct { bool both; const char *body, *log, *note; } cases[] = {
		{ true, "warmup: { work: 11 }\n", "0[bh]0[bh]0[bh]0[BH]", NULL },
		{ false, "warmup: { work: 10 }\n", "bbhhBH", NULL },
		{ false, "warmup: { work: 11 }\n", "bbbhhhBH", NULL },
		{ false, "warmup: { work: 1000 }\nmeasure: { budget: 250ms }\n", "bbbhhhBH",
		  "1 of 1 warm-ups had not done 1000 requests when the budget of 0.25 s was over; lower warmup.work\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .base.work = 5, .head.work = 5 };
		CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT, log = STRBUF_INIT, notes = STRBUF_INIT;
		struct loop_options options = beside;

		options.both = cases[i].both;
		options.batch = 1;
		strbuf_addf(&body, LOADED "%s", cases[i].body);
		measure_pairs(&fixture, body.buf, &options, 1);
		strbuf_addf(&log, "head:up base:up %s head:down base:down", cases[i].log);
		assert_log(&fixture, log.buf);
		end_pairs(&fixture);
		strbuf_addf(&notes, "%sit had to be killed\n", cases[i].note ?: "");
		if (cases[i].note)
			assert_non_null(strstr(fixture.results[1].notes.items[1], "had not done 1000 requests"));
		else
			assert_notes(&fixture.results[1], notes.buf);
	}
}

/* Lasts until two windows in a row cost no less than the best before them. The table lists the cost of each window. */
TEST(a_warm_up_can_last_until_windows_are_steady)
{
	static const struct { double cost[12]; unsigned windows; bool steady; } cases[] = {
		{ { 10, 10, 10 }, 3, true }, { { 10, 12, 14 }, 3, true }, { { 10, 9.6, 9.8 }, 3, true },
		{ { 100, 60, 45, 42, 41.5, 41.6 }, 6, true }, { { 100, 60, 59, 50, 49, 50, 1 }, 6, true },
		{ { 100, 90, 81, 73, 66, 59, 53, 48, 43, 39 }, 10, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };
		struct side side = { 0 };
		unsigned windows = 0;

		open_pairs(&fixture, LOADED "warmup: { steady: 10s }\n", &beside);
		side.plan = &fixture.plan;
		side.result = &fixture.results[0];
		for (; warming_goes_on(&side, 0, windows * NS_PER_S); windows++)
			warming_add(&side, &(struct measured){ .cpu_ms = 4 * cases[i].cost[windows], .work = 4 });
		warming_end(&side);
		if (windows != cases[i].windows)
			fail_msg("case %zu: %u windows", i, windows);
		warming_note(&side);
		assert_notes(side.result, cases[i].steady ? "" : "the target was not steady after 10 s in 1 of 1 warm-ups: its windows "
				  "still got faster by more than 5 %; raise warmup.steady\n");
	}
}

/* Target and load may wait for the same CPU. If a pair then exceeds its time, loads run on any CPU. */
TEST(loads_run_anywhere_where_there_is_no_time)
{
	static const struct { double more_ms; uint64_t fit_ms; bool anywhere; } cases[] = {
		{ 0, 500, false }, { 900, 0, false }, { 900, 20000, false }, { 900, 3000, true }, { 100, 700, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .base.work = 5, .head.work = 5, .both_more_ms = cases[i].more_ms };
		struct loop_options options = beside;

		options.both = true;
		options.batch = 1;
		options.fit_ns = cases[i].fit_ms * NS_PER_MS;
		measure_pairs(&fixture, SERVICE, &options, 3);
		if (!strstr(fixture.log.buf, "~[") != !cases[i].anywhere)
			fail_msg("case %zu: %s", i, fixture.log.buf);
	}
}

#define RATED SERVICE "load: { command: [l], work: { regex: '([0-9]+)/s', as: rate, unit: request } }\n"

/* Windows are shortened to fit, to at least a second. A load that does not report its work keeps its full time. */
TEST(windows_are_shortened_where_there_is_no_time)
{
	static const struct {
		uint64_t fit_ms; bool both, silent; const char *body, *log; bool in_turn, idle;
	} cases[] = {
		{ 0, true, false, RATED, "head:up base:up 0[bh]0[BH] head:down base:down", false, false },
		/* Two windows of 5 s */
		{ 10000, true, false, RATED, "head:up base:up 0[bh]0[BH] head:down base:down", false, false },
		{ 9000, true, false, RATED, "head:up base:up <4500>h head:down base:down head:up base:up 0[bh]0[BH] head:down base:down", false, false },
		{ 900, true, false, RATED, "head:up base:up <1000>h head:down base:down head:up base:up 0[bh]0[BH] head:down base:down", false, false },
		{ 9000, true, true, RATED, "head:up base:up <4500>h<0> head:down base:down head:up base:up 0[bh]0[BH] head:down base:down", false, false },
		{ 9000, false, false, RATED, "head:up base:up <2250>h head:down base:down head:up base:up bhBH head:down base:down", false, false },
		/* At once and in turn: a warm-up window of both and three counted ones */
		{ 9000, true, false, RATED, "head:up base:up <2250>h head:down base:down head:up base:up 0[bh]0[BH]BH head:down base:down", true, false },
		/* A trial window that does not count shows that the load cannot be asked to end. */
		{ 9000, true, false, RATED, "head:up base:up <4500>h<0> head:down base:down head:up base:up 0[bh]0[BH] head:down base:down", false, true },
		{ 9000, true, false, LOADED, "head:up base:up 0[bh]0[BH] head:down base:down", false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = {
			.base.work = 5, .head.work = 5, .fail_from = cases[i].silent, .fail_to = cases[i].silent, .drop_at = cases[i].idle,
		};
		struct loop_options options = beside;

		options.both = cases[i].both;
		options.in_turn = cases[i].in_turn;
		options.batch = 1;
		options.fit_ns = cases[i].fit_ms * NS_PER_MS;
		measure_pairs(&fixture, cases[i].body, &options, 1);
		assert_log(&fixture, cases[i].log);
		assert_null(loop_state(fixture.loop).apart);
	}
}

/* Services that start for each window: their warm-up is part of it once, and the trial is no part of a start. */
TEST(windows_of_services_that_start_afresh_are_shortened)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .base.work = 5, .head.work = 5 };
	struct loop_options options = afresh;

	options.batch = 1;
	options.fit_ns = 12 * NS_PER_S;
	measure_pairs(&fixture, RATED, &options, 1);
	assert_non_null(strstr(fixture.log.buf, "<3000>"));
}

/* How long windows are, and how many rounds of them a start serves. */
TEST(a_pair_fits_its_time)
{
	static const struct {
		double limit_s, fixed_s, warming, counted, window_s, spread, fitting_s; unsigned rounds; bool fits;
	} cases[] = {
		/* No limit: the root of spread times the start's part */
		{ 0, 2, 1, 1, 5, 1, 5, 1, true }, { 0, 15, 1, 1, 5, 1, 5, 2, true }, { 0, 2, 0, 1, 2, 4, 2, 2, true },
		{ 0, 500, 0, 1, 5, 1, 5, LOOP_WINDOWS_MOST, true },
		/* Windows share what the start leaves. */
		{ 10, 2, 1, 1, 5, 1, 4, 1, false }, { 12, 2, 1, 1, 5, 1, 5, 1, true }, { 10, 0, 2, 2, 5, 1, 2.5, 1, false },
		{ 10, 2, 1, 3, 5, 1, 2, 1, false },
		/* A warm-up by time leaves less. */
		{ 10, 6, 0, 1, 5, 1, 4, 1, false },
		/* Never under a second, and never longer than the scenario's. */
		{ 3, 2, 1, 1, 5, 1, 1, 1, false }, { 1, 2, 1, 1, 5, 1, 1, 1, false }, { 1, 2, 1, 1, 0.5, 1, 0.5, 1, false },
		/* More rounds only if they fit. */
		{ 13, 9, 0, 1, 2, 1, 2, 2, true }, { 11, 9, 0, 1, 2, 1, 2, 1, true }, { 100, 36, 0, 1, 4, 1, 4, 3, true },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct pair_fit fit = {
			.limit_ns = (uint64_t)(cases[i].limit_s * NS_PER_S), .fixed_ns = (uint64_t)(cases[i].fixed_s * NS_PER_S),
			.warming = cases[i].warming, .counted = cases[i].counted, .window_ns = (uint64_t)(cases[i].window_s * NS_PER_S),
			.spread = cases[i].spread,
		};

		if (pair_fits(&fit) != cases[i].fits || pair_fit_window(&fit) != (uint64_t)(cases[i].fitting_s * NS_PER_S) ||
		    pair_fit_rounds(&fit) != cases[i].rounds)
			fail_msg("case %zu: %d, %.3g s, %u rounds", i, pair_fits(&fit), (double)pair_fit_window(&fit) / 1e9, pair_fit_rounds(&fit));
	}
}

/* After a failed window, pairs in turn start with fresh services. */
TEST(those_that_cannot_take_turns_with_fresh_services)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 2, .fail_to = 2 };
	struct loop_options options = beside;

	options.both = true;
	options.batch = 1;
	measure_pairs(&fixture, SERVICE, &options, 1);
	assert_log(&fixture, "head:up base:up 0[bh head:down base:down head:up base:up bhBH head:down base:down");
	assert_string_equal(loop_state(fixture.loop).apart,
			    "beside the other side a window fails: in warm-up window 1: head: exited with status 1");
	assert_int_equal(loop_state(fixture.loop).dropped, 0);
}

TEST(afresh_one_is_up_at_a_time)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { 0 };

	measure_pairs(&fixture, SERVICE, &afresh, 2);
	assert_int_equal(loop_measure(fixture.loop, 3, 0, NULL), 0);
	end_pairs(&fixture);
	assert_log(&fixture, "head:up h head:down base:up b base:down "
			   "base:up bBB base:down head:up hHH head:down "
			   "head:up hHH head:down base:up bBB base:down "
			   "head:up hHH head:down base:up bBB base:down");
	assert_notes(&fixture.results[1], "it had to be killed\n");
}

/* A failure may have changed the state of a service, so services are restarted. */
TEST(after_a_failure_they_are_started_again)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_from = 9, .fail_to = 9 };

	measure_pairs(&fixture, SERVICE, &beside, 2);
	assert_log(&fixture, "head:up base:up bhBHHB head:down base:down base:up head:up hb"
			   "H head:down base:down base:up head:up hbHBBH head:down base:down");
	assert_int_equal(loop_state(fixture.loop).dropped, 1);
}

TEST(one_that_does_not_start_fails_at_once)
{
	static const struct { const struct loop_options *options; const char *call, *failure, *log; } cases[] = {
		{ &beside, "head:up", "head: up went wrong", "head:up head:down" },
		{ &beside, "base:up", "base: up went wrong", "head:up base:up head:down base:down" },
		{ &afresh, "base:up", "base: up went wrong", "head:up h head:down base:up base:down" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture = { .fail_call = cases[i].call };

		measure_pairs(&fixture, SERVICE, cases[i].options, 10);
		assert_true(loop_failed(fixture.loop));
		assert_string_equal(fixture.results[0].failure, cases[i].failure);
		assert_log(&fixture, cases[i].log);
	}
}

TEST(an_interrupt_stops_them)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .interrupt_at = 4 };

	open_pairs(&fixture, SERVICE, &beside);
	assert_int_equal(loop_measure(fixture.loop, 10, 0, NULL), -1);
	assert_log(&fixture, "head:up base:up bhBH head:down base:down");
}

TEST(a_window_that_does_not_count_drops_its_pair)
{
	CLEANUP(close_pairs) struct pair_fixture fixture = { .drop_at = 4 };

	measure_pairs(&fixture, SERVICE, &beside, 1);
	end_pairs(&fixture);
	assert_notes(&fixture.results[1], "it had to be killed\na pair was dropped: head: a window could not be counted: it was idle\n");
	assert_int_equal(fixture.results[1].n_runs, 1);
}

/* -------- from the scenario */

static void parse(struct pair_fixture *fixture, const char *body)
{
	*fixture = (struct pair_fixture){ 0 };
	open_pairs(fixture, body, &plain);
}

#define TCP "ready: { tcp: \"127.0.0.1:6379\" }"
TEST(the_scenario_says_how_they_can_live)
{
	static const struct { const char *body; enum pair_services services; const char *refused; } cases[] = {
		{ "", PAIR_SERVICES_NONE, NULL }, { SERVICE, PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s], ready: { tcp: \"127.0.0.1:${port.admin}\" } }]\ntarget: { service: s }\n",
		  PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: s, environment: { PORT: \"${port}\" } }]\ntarget: { service: s }\n",
		  PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s] }]\ntarget: { service: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s], " TCP " }]\ntarget: { service: s }\n", PAIR_SERVICES_AFRESH, NULL },
		/* a separate folder does not help a service on a fixed port */
		{ "env: [{ name: s, command: [s, \"${tmp}\"], " TCP " }]\ntarget: { service: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s, \"${tmp}/socket\"] }]\ntarget: { service: s }\n", PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }, { name: t, command: [t], " TCP " }]\ntarget: { service: s }\n",
		  PAIR_SERVICES_AFRESH, NULL },
		/* a command that uses services */
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\n", PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { port: \"${port}\" }\n", PAIR_SERVICES_BESIDE, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { pidfile: \"${tmp}/s.pid\" }\n", PAIR_SERVICES_BESIDE, NULL },
		/* the pidfile would name the process of either side */
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { pidfile: /run/s.pid }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { process: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { container: s }\n", PAIR_SERVICES_AFRESH, NULL },
		{ "target: { pid: 12 }\n", PAIR_SERVICES_NONE, "target.pid runs already" },
		{ "target: { pidfile: /run/s.pid }\n", PAIR_SERVICES_NONE, "target.pidfile runs already" },
		{ "target: { process: s }\n", PAIR_SERVICES_NONE, "target.process runs already" },
		{ "target: { port: 6379 }\n", PAIR_SERVICES_NONE, "target.port runs already" },
		{ "target: { cgroup: s.service }\n", PAIR_SERVICES_NONE, "target.cgroup runs already" },
		{ "target: { container: s }\n", PAIR_SERVICES_NONE, "target.container runs already" },
		{ "env: [{ name: s, command: [s, \"${port}\"] }]\ntarget: { pid: 12 }\n", PAIR_SERVICES_AFRESH,
		  "target.pid runs already" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(close_pairs) struct pair_fixture fixture;
		struct error err = ERROR_INIT;
		int ret;

		parse(&fixture, cases[i].body);
		if (pair_services_of(&fixture.scenario) != cases[i].services)
			fail_msg("%s: %d", cases[i].body, (int)pair_services_of(&fixture.scenario));
		ret = pair_refuse(&fixture.scenario, &err);
		if (ret != (cases[i].refused ? -1 : 0) || (ret < 0 && !strstr(err.msg, cases[i].refused)))
			fail_msg("%s: %s", cases[i].body, err.msg);
		assert_int_equal(err.kind, ret < 0 ? ERR_INPUT : ERR_NONE);
	}
}

/* -------- The loop of pairs on real processes and on recorded runs. */

#define SIX "tests/fixtures/replay/six"

/* Two trees, ROOT/base and ROOT/head, and a scenario run in both. */
struct two {
	struct scenario_defaults defaults;
	struct scenario scenario;
	struct plan plans[2];
	struct system lives[2];
	struct ports ports[2];
	struct side_result results[2];
	struct session session;
	struct loop *loop;
};

static const char *const names[] = { "base", "head" };

static void quiet(void *ctx, const struct loop_progress *progress)
{
}

static void write_file(const char *side, const char *name, const char *text)
{
	CLEANUP(free_ptr) char *folder = in_root(side), *path = file_join(folder, name);

	assert_int_equal(file_make_dirs(folder, NULL), 0);
	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
}

static void parse_scenario(struct two *t, const char *body)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;

	*t = (struct two){ .session = { .keeper = &keeper, .lock_fd = -1, .scratch = root } };
	scenario_defaults_init(&t->defaults);
	strbuf_addf(&text, "version: 1\nname: two\n%s", body);
	if (scenario_parse(text.buf, text.len, "two.yaml", &t->defaults, &t->scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
}

static void open_two(struct two *t, const char *body, enum pair_services services)
{
	const struct loop_options options = { .seed = 1, .batch = 1, .wanted = 10, .services = services };
	struct loop_side sides[2];

	parse_scenario(t, body);
	for (int i = 0; i < 2; i++) {
		CLEANUP(free_ptr) char *folder = in_root(names[i]);
		const struct plan_context context = {
			.root = folder, .scenario_dir = folder, .out = folder, .tmp = folder, .port = ports_get, .ctx = &t->ports[i],
		};

		assert_int_equal(plan_build(&t->scenario, &context, &t->plans[i], NULL), 0);
		t->lives[i] = (struct system){ .session = &t->session, .progress = quiet };
		sides[i] = (struct loop_side){
			.name = names[i], .plan = &t->plans[i], .ops = system_ops(&t->lives[i]), .result = &t->results[i],
		};
	}
	t->loop = loop_new(sides, 2, &options);
}

static void close_two(struct two *t)
{
	loop_free(t->loop);
	for (int i = 0; i < 2; i++) {
		system_finish(&t->lives[i]);
		plan_release(&t->plans[i]);
		ports_release(&t->ports[i]);
		side_result_release(&t->results[i]);
	}
	scenario_release(&t->scenario);
	scenario_defaults_release(&t->defaults);
	nothing_left();
}

static void assert_file(const char *side, const char *name, const char *expected)
{
	CLEANUP(free_ptr) char *folder = in_root(side), *path = file_join(folder, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(path, 1000, &text, NULL), 0);
	assert_string_equal(text.buf, expected);
}

static size_t file_length(const char *side, const char *name)
{
	CLEANUP(free_ptr) char *folder = in_root(side), *path = file_join(folder, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_int_equal(file_read(path, 1000, &text, NULL), 0);
	return text.len;
}

/* -------- commands */

#define WORK(rounds) "i=0; while [ $i -lt " #rounds " ]; do i=$((i + 1)); done\n"

TEST_WITH(the_slower_side_is_seen, fixture_up, fixture_down)
{
	CLEANUP(close_two) struct two t;
	double ratios[7];

	write_file("base", "work.sh", WORK(20000));
	write_file("head", "work.sh", WORK(80000));
	open_two(&t, "target: { command: [sh, work.sh] }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 7, 0, NULL), 0);
	assert_false(loop_failed(t.loop));
	assert_int_equal(side_result_count(&t.results[1], metric_find("cpu-time")), 7);
	for (size_t i = 0; i < 7; i++)
		ratios[i] = t.results[1].runs[i].values[side_result_column(&t.results[1], metric_find("cpu-time"))] /
			    t.results[0].runs[i].values[side_result_column(&t.results[0], metric_find("cpu-time"))];
	assert_true(stats_median(ratios, 7) > 1.5);
}

TEST_WITH(each_side_lives_in_its_tree, fixture_up, fixture_down)
{
	struct two t;

	write_file("base", "log", "");
	write_file("head", "log", "");
	open_two(&t, "setup: printf s >>log\nprepare: printf p >>log\ncleanup: printf c >>log\n"
		     "target: { command: printf r >>log }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 2, 0, NULL), 0);
	close_two(&t);
	assert_file("base", "log", "sprprprc");
	assert_file("head", "log", "sprprprc");
}

TEST_WITH(a_run_that_fails_is_dropped, fixture_up, fixture_down)
{
	struct two t;

	write_file("base", "log", "");
	write_file("head", "log", "");
	write_file("base", "work.sh", "printf r >>log\n");
	write_file("head", "work.sh", "printf r >>log; [ \"$(cat log)\" != rrr ]\n");
	open_two(&t, "target: { command: [sh, work.sh] }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 4, 0, NULL), 0);
	assert_int_equal(t.results[0].state, SCENARIO_MEASURED);
	assert_int_equal(t.results[1].n_runs, 4);
	assert_int_equal(loop_state(t.loop).dropped, 1);
	close_two(&t);
	assert_int_equal(file_length("head", "log"), 6);
}

TEST_WITH(one_that_fails_always_is_told_with_its_words, fixture_up, fixture_down)
{
	CLEANUP(close_two) struct two t;

	write_file("base", "work.sh", ":\n");
	write_file("head", "work.sh", "echo no such table; exit 3\n");
	open_two(&t, "target: { command: [sh, work.sh] }\n", PAIR_SERVICES_NONE);
	assert_int_equal(loop_measure(t.loop, 4, 0, NULL), 0);
	assert_int_equal(t.results[0].state, SCENARIO_FAILED);
	assert_non_null(strstr(t.results[0].failure, "head: in warm-up run 1: "));
	assert_non_null(strstr(t.results[0].failure, "status 3"));
	assert_string_equal(t.results[1].log_tail, "no such table");
}

/* -------- services */

#define BUSY								\
	"env:\n  - name: s\n    command: printf u >>log; while :; do :; done\n    stop: { grace: 1s }\n"	\
	"target: { service: s }\nmeasure: { window: 100ms }\n"

TEST_WITH(services_start_as_often_as_they_should, fixture_up, fixture_down)
{
	static const struct { enum pair_services services; size_t starts; } cases[] = {
		{ PAIR_SERVICES_BESIDE, 2 }, { PAIR_SERVICES_AFRESH, 3 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned again;
		struct two t;

		write_file("base", "log", "");
		write_file("head", "log", "");
		open_two(&t, BUSY, cases[i].services);
		assert_int_equal(loop_measure(t.loop, 2, 0, NULL), 0);
		if (t.results[0].failure)
			fail_msg("%s", t.results[0].failure);
		assert_int_equal(t.results[0].n_runs, 2);
		assert_string_equal(t.results[0].attached, "service s");
		/* All services are down before the loop ends. */
		nothing_left();
		/* On a busy machine a window may be idle or lose time to steal. */
		again = loop_state(t.loop).dropped + loop_state(t.loop).rerun;
		close_two(&t);
		assert_in_range(file_length("base", "log"), cases[i].starts, cases[i].starts + again);
		assert_in_range(file_length("head", "log"), cases[i].starts, cases[i].starts + again);
	}
}

TEST_WITH(one_that_ends_is_noted, fixture_up, fixture_down)
{
	CLEANUP(close_two) struct two t;

	write_file("base", "log", "");
	write_file("head", "log", "");
	write_file("base", "work.sh", "while :; do :; done\n");
	write_file("head", "work.sh", "echo out of memory; exit 9\n");
	open_two(&t, "env:\n  - { name: s, command: [sh, work.sh], ready: { delay: 200ms } }\ntarget: { service: s }\n"
		     "measure: { window: 100ms }\n", PAIR_SERVICES_BESIDE);
	assert_int_equal(loop_measure(t.loop, 2, 0, NULL), 0);
	assert_int_equal(t.results[0].state, SCENARIO_FAILED);
	assert_memory_equal(t.results[0].failure, "head: ", 6);
	assert_non_null(strstr(t.results[0].log_tail, "out of memory"));
}

/* -------- recorded runs */

TEST_WITH(recorded_runs_come_in_their_order, fixture_up, fixture_down)
{
	const struct loop_options options = { .seed = 1, .counters = 6, .perf = true, .batch = 3, .wanted = 5 };
	struct replay replays[2];
	struct loop_side sides[2];
	struct two t;

	parse_scenario(&t, "target: { command: [gzip] }\n");
	for (int i = 0; i < 2; i++) {
		const struct plan_context context = { .root = "/p", .scenario_dir = "/p", .out = "/o", .tmp = "/t" };

		replays[i] = replay_load(SIX);
		assert_int_equal(plan_build(&t.scenario, &context, &t.plans[i], NULL), 0);
		sides[i] = (struct loop_side){
			.name = names[i], .plan = &t.plans[i], .ops = replay_ops(&replays[i]), .result = &t.results[i],
		};
	}
	t.loop = loop_new(sides, 2, &options);
	assert_int_equal(loop_measure(t.loop, 5, 0, NULL), 0);
	if (t.results[0].failure)
		fail_msg("%s", t.results[0].failure);
	/* The first run of the recording is the warm-up. Three runs make a value. Both sides are the same. */
	for (size_t i = 0; i < 5; i++) {
		const struct recorded_run *runs = &replays[0].runs[1 + 3 * i];
		size_t wall = side_result_column(&t.results[0], metric_find("wall-time"));
		double mean = (runs[0].measured.wall_ms + runs[1].measured.wall_ms + runs[2].measured.wall_ms) / 3;

		assert_true(fabs(t.results[0].runs[i].values[wall] - mean) < 1e-9);
		assert_true(t.results[1].runs[i].values[wall] == t.results[0].runs[i].values[wall]);
	}
	assert_false(isnan(side_result_median(&t.results[1], metric_find("ipc"))));
	/* The loop ends with the recording. */
	assert_int_equal(loop_measure(t.loop, 6, 0, NULL), 0);
	assert_true(loop_failed(t.loop));
	assert_string_equal(t.results[0].failure, "head: the recording ends after 17 runs; 2 of 7 pairs failed");
	for (int i = 0; i < 2; i++)
		replay_release(&replays[i]);
	close_two(&t);
}
