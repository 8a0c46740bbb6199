/* Wilson's interval against published values, and at its ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "stats/stats.h"

static void published_intervals_come_out(void **state)
{
	/* Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
	static const struct {
		double hits, n, low, high;
	} cases[] = {
		{ 81, 263, 0.2553, 0.3662 },
		{ 15, 148, 0.0624, 0.1605 },
		{ 0, 20, 0.0000, 0.1611 },
		{ 1, 29, 0.0061, 0.1718 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct interval found = stats_wilson(cases[i].hits, cases[i].n, STATS_Z95);
		struct interval mirrored = stats_wilson(cases[i].n - cases[i].hits, cases[i].n, STATS_Z95);

		assert_true(fabs(found.low - cases[i].low) < 0.00005);
		assert_true(fabs(found.high - cases[i].high) < 0.00005);
		assert_true(fabs(mirrored.low - (1 - found.high)) < 1e-12);
		assert_true(fabs(mirrored.high - (1 - found.low)) < 1e-12);
	}
}

static void intervals_stay_within_the_whole(void **state)
{
	static const struct {
		double hits, n, low, high;
	} cases[] = {
		{ 0, 0, 0, 1 }, { 5, 0, 0, 1 }, { 0, -1, 0, 1 }, { NAN, NAN, 0, 1 },
		{ 0, 1e9, 0, 0 }, { 1e9, 1e9, 1, 1 }, { -3, 1e9, 0, 0 }, { 2e9, 1e9, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct interval found = stats_wilson(cases[i].hits, cases[i].n, STATS_Z95);

		assert_true(fabs(found.low - cases[i].low) < 1e-8 && fabs(found.high - cases[i].high) < 1e-8);
	}
	assert_true(stats_wilson(0, 20, STATS_Z95).low == 0);
	assert_true(stats_wilson(20, 20, STATS_Z95).high == 1);
	assert_true(stats_wilson(10, 100, 3.1).high > stats_wilson(10, 100, STATS_Z95).high);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_intervals_come_out),
		cmocka_unit_test(intervals_stay_within_the_whole),
	};

	return cmocka_run_group_tests_name("proportion", tests, NULL, NULL);
}
