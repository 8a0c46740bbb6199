/* The paired rule on real pairs run at once on a busy machine. Unchanged programs rarely regress, and pass soon. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "together_recording.h"

enum { SEED = 1, TRIES = 100, GATES_OF_ONE = 1 };

static void an_unchanged_program_hardly_ever_regresses(void **state)
{
	struct tally one = toss_together(GATES_OF_ONE, 2, true, 1, SEED, TRIES), suite = toss_together(GATES, 2, true, 1, SEED, TRIES);

	(void)state;
	assert_true(regressed_pct(&one) < 0.2);
	assert_true(suite.sets_regressed == 0);
	assert_true(pct(one.passed, one.gates) > 90 && pct(suite.passed, suite.gates) > 90);
}

static void more_looks_pass_sooner_and_no_oftener(void **state)
{
	struct tally few = toss_together(GATES, 2, false, 1, SEED, TRIES), many = toss_together(GATES, 2, true, 1, SEED, TRIES);
	struct tally worse_few = toss_together(GATES, 2, false, 1.03, SEED, TRIES);
	struct tally worse_many = toss_together(GATES, 2, true, 1.03, SEED, TRIES);

	(void)state;
	assert_true(many.runs < 0.85 * few.runs);
	/* 3 % worse at a tolerance of 2 %. */
	assert_true(pct(worse_many.passed, worse_many.gates) < 1);
	assert_true(worse_many.regressed + worse_many.gates / 50 > worse_few.regressed);
}

static void what_is_tolerated_is_seen_half_of_the_time(void **state)
{
	struct tally two = toss_together(GATES_OF_ONE, 2, true, 1.02, SEED, TRIES);
	struct tally strict = toss_together(GATES_OF_ONE, 1, true, 1.02, SEED, TRIES);

	(void)state;
	assert_true(regressed_pct(&two) > 35 && regressed_pct(&two) < 75);
	assert_true(regressed_pct(&strict) > 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unchanged_program_hardly_ever_regresses),
		cmocka_unit_test(more_looks_pass_sooner_and_no_oftener),
		cmocka_unit_test(what_is_tolerated_is_seen_half_of_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
