/* The paired rule on real pairs run at once on a busy machine. Unchanged programs rarely regress, and pass soon. */
#include "unit.h"

#include "together_recording.h"

enum { SEED = 1, TRIES = 100, GATES_OF_ONE = 1 };

TEST(an_unchanged_program_hardly_ever_regresses)
{
	struct tally one = toss_together(GATES_OF_ONE, 2, true, 1, SEED, TRIES), suite = toss_together(GATES, 2, true, 1, SEED, TRIES);

	assert_true(regressed_pct(&one) < 0.2);
	assert_true(suite.sets_regressed == 0);
	assert_true(pct(one.passed, one.gates) > 90 && pct(suite.passed, suite.gates) > 90);
}

TEST(more_looks_pass_sooner_and_no_oftener)
{
	struct tally few = toss_together(GATES, 2, false, 1, SEED, TRIES), many = toss_together(GATES, 2, true, 1, SEED, TRIES);
	struct tally worse_few = toss_together(GATES, 2, false, 1.03, SEED, TRIES);
	struct tally worse_many = toss_together(GATES, 2, true, 1.03, SEED, TRIES);

	assert_true(many.runs < 0.85 * few.runs);
	/* 3 % worse at a tolerance of 2 %. */
	assert_true(pct(worse_many.passed, worse_many.gates) < 1);
	assert_true(worse_many.regressed + worse_many.gates / 50 > worse_few.regressed);
}

TEST(what_is_tolerated_is_seen_half_of_the_time)
{
	struct tally two = toss_together(GATES_OF_ONE, 2, true, 1.02, SEED, TRIES);
	struct tally strict = toss_together(GATES_OF_ONE, 1, true, 1.02, SEED, TRIES);

	assert_true(regressed_pct(&two) > 35 && regressed_pct(&two) < 75);
	assert_true(regressed_pct(&strict) > 80);
}

/* As many benchmarks as a program may have: fewer than two of 1,000 comparisons of them all have a false alarm. */
TEST(a_program_of_300_benchmarks_hardly_ever_regresses)
{
	struct tally t = toss_suites(300, 2, 1, SEED, 30);

	assert_int_equal(t.sets, 30);
	assert_int_equal(t.sets_regressed, 0);
	assert_true(pct(t.passed, t.gates) > 90);
	/* A planted slowdown in every benchmark is still found. */
	t = toss_suites(300, 2, 1.05, SEED, 1);
	assert_true(regressed_pct(&t) > 80);
}
