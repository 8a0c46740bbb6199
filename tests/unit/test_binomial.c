/* Exact bounds of a rate, against published ones, by their definition, and at their ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "stats/stats.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void published_intervals_come_out(void **state)
{
	static const struct {
		unsigned hits, n;
		double low, high, precision;
	} cases[] = {
		/* Newcombe, Statistics in Medicine 17 (1998), table I, method 5. */
		{ 81, 263, 0.2527, 0.3676, 0.00005 },
		{ 15, 148, 0.0578, 0.1617, 0.00005 },
		{ 0, 20, 0.0000, 0.1684, 0.00005 },
		{ 1, 29, 0.0009, 0.1776, 0.00005 },
		/* R 4, binom.test(682, 925), its own example, of Conover (1971). */
		{ 682, 925, 0.7076683, 0.7654066, 0.00000005 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct interval found = binomial_interval(cases[i].hits, cases[i].n, 0.025);
		struct interval mirrored = binomial_interval(cases[i].n - cases[i].hits, cases[i].n, 0.025);

		if (fabs(found.low - cases[i].low) >= cases[i].precision || fabs(found.high - cases[i].high) >= cases[i].precision)
			fail_msg("%u of %u: found %.8f to %.8f", cases[i].hits, cases[i].n, found.low, found.high);
		assert_true(fabs(mirrored.low - (1 - found.high)) < 1e-12);
		assert_true(fabs(mirrored.high - (1 - found.low)) < 1e-12);
	}
}

/* Pascal's triangle: exact in doubles up to 50 trials. */
static double cdf_by_counting(unsigned k, unsigned n, double p)
{
	double ways[51] = { 1 }, sum = 0;

	for (unsigned i = 1; i <= n; i++)
		for (unsigned j = i; j > 0; j--)
			ways[j] += ways[j - 1];
	for (unsigned i = 0; i <= k; i++)
		sum += ways[i] * pow(p, i) * pow(1 - p, n - i);
	return sum;
}

static void sums_are_those_of_counting(void **state)
{
	static const unsigned trials[] = { 1, 2, 7, 20, 50 };
	static const double chances[] = { 1e-6, 0.01, 0.3, 0.5, 0.77, 0.999 };

	(void)state;
	for (size_t i = 0; i < N(trials); i++)
		for (size_t j = 0; j < N(chances); j++)
			for (unsigned k = 0; k < trials[i]; k++) {
				double expected = cdf_by_counting(k, trials[i], chances[j]);
				double found = binomial_cdf(k, trials[i], chances[j]);

				if (fabs(found - expected) > 1e-12)
					fail_msg("%u of %u at %g: expected %.15g, found %.15g", k, trials[i], chances[j], expected, found);
			}
}

static void bounds_are_where_the_tails_have_alpha(void **state)
{
	static const struct {
		unsigned hits, n;
		double alpha;
	} cases[] = { { 3, 10, 0.025 }, { 1, 200, 0.025 }, { 26, 30, 0.05 }, { 500, 100000, 0.005 }, { 99999, 100000, 0.01 } };

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct interval found = binomial_interval(cases[i].hits, cases[i].n, cases[i].alpha);

		assert_true(fabs(1 - binomial_cdf(cases[i].hits - 1, cases[i].n, found.low) - cases[i].alpha) < 1e-7);
		assert_true(fabs(binomial_cdf(cases[i].hits, cases[i].n, found.high) - cases[i].alpha) < 1e-7);
	}
}

static void ends_are_exact(void **state)
{
	struct interval none = binomial_interval(0, 0, 0.025);
	struct interval never = binomial_interval(0, 20, 0.05), always = binomial_interval(20, 20, 0.05);

	(void)state;
	assert_true(none.low == 0 && none.high == 1);
	/* (1 - p)^20 = 0.05 */
	assert_true(never.low == 0 && fabs(never.high - (1 - pow(0.05, 0.05))) < 1e-12);
	assert_true(always.high == 1 && fabs(always.low - pow(0.05, 0.05)) < 1e-12);
	assert_true(binomial_cdf(0, 0, 0.5) == 1 && binomial_cdf(5, 5, 1) == 1 && binomial_cdf(9, 5, 0.5) == 1);
	assert_true(binomial_cdf(4, 5, 1) == 0 && binomial_cdf(0, 5, 0) == 1);
	assert_true(isnan(binomial_cdf(1, 5, NAN)));
	assert_true(fabs(binomial_cdf(499999, 1000000, 0.5) - 0.5) < 0.001);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_intervals_come_out),
		cmocka_unit_test(sums_are_those_of_counting),
		cmocka_unit_test(bounds_are_where_the_tails_have_alpha),
		cmocka_unit_test(ends_are_exact),
	};

	return cmocka_run_group_tests_name("binomial", tests, NULL, NULL);
}
