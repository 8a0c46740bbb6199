/*
 * The paired rule on runs with real noise: an unchanged program almost never regresses, and a slower one is caught.
 * `make bench` repeats this with more resamples and compares other rules.
 */
#include "unit.h"

#include "noise_pairs.h"
#include "together_recording.h"

enum { SUITES = 50, SEED = 7 };

static void skip_without(const struct noise *noise)
{
	if (noise)
		return;
	SKIP("xz is not installed");
}

static void holds(const char *words, double found_pct, double least_pct, double most_pct)
{
	print_message("%s: %.3f %%\n", words, found_pct);
	if (!(found_pct >= least_pct && found_pct <= most_pct))
		fail_msg("%s: found %g %%, expected %g to %g %%", words, found_pct, least_pct, most_pct);
}

static struct tally toss_everywhere(const struct noise *noise, double factor)
{
	struct tally sum = { 0 };

	for (size_t i = 0; i < noise->regimes.n; i++) {
		struct tally t = toss_pairs(noise, i, factor, SEED + i, SUITES);

		add(&sum, &t);
	}
	assert_int_equal(sum.gates, 6 * SUITES * GATES);
	return sum;
}

static struct tally stand_everywhere(const struct noise *noise, const char *head, double factor)
{
	struct tally sum = { 0 };

	for (size_t i = 0; i < noise->regimes.n; i++) {
		struct tally t = stand_pairs(noise, i, head, factor);

		add(&sum, &t);
	}
	return sum;
}

TEST(an_unchanged_program_hardly_ever_regresses)
{
	CLEANUP(noise_free) struct noise *noise = noise_open();
	struct tally t;

	skip_without(noise);
	t = toss_everywhere(noise, 1);
	holds("sets of twenty with a regression", pct(t.sets_regressed, t.sets), 0, 0.2);
	holds("gates passed", pct(t.passed, t.gates), 94, 100);
	assert_true(t.runs / 2 / t.gates > 16 && t.runs / 2 / t.gates < 22);
	t = stand_everywhere(noise, "dA2", 1);
	assert_in_range(t.gates, 2000, 3000);
	holds("gates that regressed, as pairs stood", regressed_pct(&t), 0, 0.1);
}

TEST(a_slower_program_is_caught)
{
	CLEANUP(noise_free) struct noise *noise = noise_open();
	struct tally five, ten, real_five, real_ten;

	skip_without(noise);
	five = toss_everywhere(noise, 1.05);
	ten = toss_everywhere(noise, 1.10);
	real_five = stand_everywhere(noise, "dB5", 1);
	real_ten = stand_everywhere(noise, "dB10", 1);
	holds("caught at +5 %", regressed_pct(&five), 92, 100);
	holds("caught at +10 %", regressed_pct(&ten), 97, 100);
	holds("passed at +5 %", pct(five.passed, five.gates), 0, 1);
	assert_int_equal(real_five.gates, 6 * 40);
	holds("caught at +5 %, really slower, up to four runs apart", regressed_pct(&real_five), 85, 100);
	holds("caught at +10 %, really slower", regressed_pct(&real_ten), 97, 100);
}

/* -------- Real pairs run at once on a busy machine. Unchanged programs rarely regress, and pass soon. */

enum { SEED_AT_ONCE = 1, TRIES = 100, GATES_OF_ONE = 1 };

TEST(an_unchanged_program_at_once_hardly_ever_regresses)
{
	struct tally one = toss_together(GATES_OF_ONE, 2, true, 1, SEED_AT_ONCE, TRIES), suite = toss_together(GATES, 2, true, 1, SEED_AT_ONCE, TRIES);

	assert_true(regressed_pct(&one) < 0.2);
	assert_true(suite.sets_regressed == 0);
	assert_true(pct(one.passed, one.gates) > 90 && pct(suite.passed, suite.gates) > 90);
}

TEST(more_looks_pass_sooner_and_no_oftener)
{
	struct tally few = toss_together(GATES, 2, false, 1, SEED_AT_ONCE, TRIES), many = toss_together(GATES, 2, true, 1, SEED_AT_ONCE, TRIES);
	struct tally worse_few = toss_together(GATES, 2, false, 1.03, SEED_AT_ONCE, TRIES);
	struct tally worse_many = toss_together(GATES, 2, true, 1.03, SEED_AT_ONCE, TRIES);

	assert_true(many.runs < 0.85 * few.runs);
	/* 3 % worse at a tolerance of 2 %. */
	assert_true(pct(worse_many.passed, worse_many.gates) < 1);
	assert_true(worse_many.regressed + worse_many.gates / 50 > worse_few.regressed);
}

TEST(what_is_tolerated_is_seen_half_of_the_time)
{
	struct tally two = toss_together(GATES_OF_ONE, 2, true, 1.02, SEED_AT_ONCE, TRIES);
	struct tally strict = toss_together(GATES_OF_ONE, 1, true, 1.02, SEED_AT_ONCE, TRIES);

	assert_true(regressed_pct(&two) > 35 && regressed_pct(&two) < 75);
	assert_true(regressed_pct(&strict) > 80);
}

/* As many benchmarks as a program may have: fewer than two of 1,000 comparisons of them all have a false alarm. */
TEST(a_program_of_300_benchmarks_hardly_ever_regresses)
{
	struct tally t = toss_suites(300, 2, 1, SEED_AT_ONCE, 30);

	assert_int_equal(t.sets, 30);
	assert_int_equal(t.sets_regressed, 0);
	assert_true(pct(t.passed, t.gates) > 90);
	/* A planted slowdown in every benchmark is still found. */
	t = toss_suites(300, 2, 1.05, SEED_AT_ONCE, 1);
	assert_true(regressed_pct(&t) > 80);
}
