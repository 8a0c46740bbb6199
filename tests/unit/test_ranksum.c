/*
 * The rank-sum distribution and the shift of two samples.
 *
 * Critical values: the published ones are U of Mann and Whitney as tabled in Siegel (1956),
 * Nonparametric Statistics, tables J and K, plus one (there U itself is in the tail). All exact
 * ones were computed from the integer coefficients of the Gaussian binomial in Python, and up to
 * 2,500 pairs also with scipy 1.10.1: the largest k for which
 * scipy.stats._mannwhitneyu._mwu_state.cdf(k - 1, nx, ny) <= alpha. Normal ones are
 * floor(mu + scipy.stats.norm.ppf(alpha) * sigma + 0.5).
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/mem.h"
#include "stats/stats.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void assert_near(double found, double expected)
{
	if (!(found == expected || fabs(found - expected) <= 1e-12 * fmax(1, fabs(expected))))
		fail_msg("expected %.17g, found %.17g", expected, found);
}

static void has_exact_critical_values(void **state)
{
	static const struct {
		size_t nx, ny;
		double alpha;
		size_t k;
	} cases[] = {
		/* published */
		{ 4, 4, 0.025, 1 }, { 5, 5, 0.025, 3 }, { 5, 5, 0.05, 5 }, { 8, 8, 0.025, 14 },
		{ 10, 10, 0.05, 28 }, { 10, 10, 0.025, 24 }, { 15, 15, 0.025, 65 }, { 20, 20, 0.025, 128 },
		{ 20, 20, 0.01, 115 }, { 5, 20, 0.025, 21 },
		/* a tail of exactly alpha: 1 in C(6, 3), 1 in 20 */
		{ 3, 3, 0.05, 1 }, { 1, 19, 0.05, 1 }, { 1, 18, 0.05, 0 },
		/* too small */
		{ 1, 1, 0.49, 0 }, { 2, 2, 0.05, 0 }, { 10, 5, 0.000125, 0 }, { 3, 3, 0.01, 0 },
		{ 0, 5, 0.05, 0 }, { 5, 0, 0.05, 0 },
		{ 13, 17, 0.0001, 27 }, { 10, 10, 0.005, 17 }, { 30, 30, 0.01, 294 }, { 40, 60, 0.001, 765 },
		{ 100, 100, 0.005, 3949 }, { 100, 100, 0.025, 4198 },
		{ 1, 500, 0.2, 100 }, { 3, 1000, 0.01, 389 },
		/* no probability at all */
		{ 5, 5, 0, 0 }, { 5, 5, NAN, 0 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		size_t k = ranksum_critical(cases[i].nx, cases[i].ny, cases[i].alpha);

		if (k != cases[i].k)
			fail_msg("%zu x %zu at %g: expected %zu, found %zu", cases[i].nx, cases[i].ny,
				 cases[i].alpha, cases[i].k, k);
		assert_int_equal(ranksum_critical(cases[i].ny, cases[i].nx, cases[i].alpha), k);
	}
}

/* The exact values are 4287, 7361 and 9504: the approximation errs to the wide side. */
static void approximates_large_samples(void **state)
{
	static const struct {
		size_t nx, ny;
		double alpha;
		size_t k;
	} cases[] = {
		{ 101, 101, 0.025, 4286 }, { 120, 150, 0.005, 7358 }, { 150, 150, 0.01, 9502 },
		{ 1000, 1000, 0.025, 474691 }, { 1000, 1000, 0.005, 466738 }, { 1000, 1000, 0.0005, 457509 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		size_t k = ranksum_critical(cases[i].nx, cases[i].ny, cases[i].alpha);

		if (k != cases[i].k)
			fail_msg("%zu x %zu at %g: expected %zu, found %zu", cases[i].nx, cases[i].ny,
				 cases[i].alpha, cases[i].k, k);
	}
}

/*
 * Hollander and Wolfe (1973), Nonparametric Statistical Methods, p. 69: permeability of the
 * chorioamnion. Estimate and bounds were read off the 50 differences, sorted in Python: the mean
 * of the 25th and 26th, and the k-th from either end, k = 9, 12 and 5.
 */
static const double term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46 };
static const double gestation[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };

static void reproduces_a_textbook(void **state)
{
	static const struct {
		double alpha, low, high;
	} cases[] = { { 0.025, -0.15, 0.76 }, { 0.05, -0.08, 0.72 }, { 0.005, -0.35, 1.01 } };
	struct shift shift;

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		assert_true(ranksum_shift(gestation, 5, term, 10, cases[i].alpha, &shift));
		assert_near(shift.estimate, 0.305);
		assert_near(shift.low, cases[i].low);
		assert_near(shift.high, cases[i].high);
	}
	assert_true(ranksum_shift(term, 10, gestation, 5, 0.025, &shift));
	assert_near(shift.estimate, -0.305);
	assert_near(shift.low, -0.76);
	assert_near(shift.high, 0.15);
}

static void treats_edges(void **state)
{
	static const struct {
		double x[4], y[4];
		size_t nx, ny;
		double alpha, estimate, low, high;
	} cases[] = {
		{ { 1 }, { 3 }, 1, 1, 0.05, 2, -INFINITY, INFINITY },
		{ { 1, 2 }, { 5, 9 }, 2, 2, 0.05, 5.5, -INFINITY, INFINITY },
		/* 1 in 6: the extremes */
		{ { 1, 2 }, { 5, 9 }, 2, 2, 0.2, 5.5, 3, 8 },
		{ { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, 4, 4, 0.025, 0, 0, 0 },
		{ { 7, 7, 7, 7 }, { 9, 9, 9, 9 }, 4, 4, 0.025, 2, 2, 2 },
		{ { 1, 1, 2, 2 }, { 1, 2, 2, 2 }, 4, 4, 0.025, 0, -1, 1 },
		{ { -1e300, -1e300 }, { 1e300, 1e300 }, 2, 2, 0.2, 2e300, 2e300, 2e300 },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct shift shift;

		assert_true(ranksum_shift(cases[i].x, cases[i].nx, cases[i].y, cases[i].ny, cases[i].alpha, &shift));
		assert_near(shift.estimate, cases[i].estimate);
		assert_near(shift.low, cases[i].low);
		assert_near(shift.high, cases[i].high);
	}
}

static void refuses_what_is_no_number(void **state)
{
	const double good[] = { 1, 2, 3 };
	const double bad[][3] = { { 1, NAN, 3 }, { INFINITY, 2, 3 }, { 1, 2, -INFINITY } };
	const double huge[] = { 1.5e308 }, low[] = { -1.5e308 };
	struct shift shift = { 1, 2, 3 };

	(void)state;
	for (size_t i = 0; i < N(bad); i++) {
		assert_false(ranksum_shift(bad[i], 3, good, 3, 0.05, &shift));
		assert_false(ranksum_shift(good, 3, bad[i], 3, 0.05, &shift));
		assert_false(ranksum_shift(bad[i], 3, bad[i], 3, 0.05, &shift));
	}
	assert_false(ranksum_shift(good, 3, NULL, 0, 0.05, &shift));
	assert_false(ranksum_shift(NULL, 0, good, 3, 0.05, &shift));
	assert_false(ranksum_shift(low, 1, huge, 1, 0.05, &shift));
	assert_true(shift.estimate == 1 && shift.low == 2 && shift.high == 3);
}

static double next_uniform(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

/* 2,000 draws at 2.5 % a side expect 50 misses, SD 7 (the exact tail of 7 x 9 is 2.07 %: 41). */
static void covers_as_often_as_it_says(void **state)
{
	enum { DRAWS = 2000 };
	unsigned above = 0, below = 0;
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		double x[7], y[9];
		struct shift shift;

		for (size_t j = 0; j < N(x); j++)
			x[j] = next_uniform(&seed);
		for (size_t j = 0; j < N(y); j++)
			y[j] = next_uniform(&seed) + 0.25;
		assert_true(ranksum_shift(x, N(x), y, N(y), 0.025, &shift));
		assert_true(shift.low <= shift.estimate && shift.estimate <= shift.high);
		above += shift.low > 0.25;
		below += shift.high < 0.25;
	}
	assert_in_range(above, 20, 70);
	assert_in_range(below, 20, 70);
}

static void takes_a_thousand_a_side(void **state)
{
	enum { SIDE = 1000 };
	double *x = xcalloc(SIDE, sizeof *x), *y = xcalloc(SIDE, sizeof *y);
	struct shift shift;

	(void)state;
	for (int i = 0; i < SIDE; i++) {
		x[i] = (i * 7919) % SIDE;
		y[i] = (i * 104729) % SIDE + 0.5;
	}
	assert_true(ranksum_shift(x, SIDE, y, SIDE, 0.005, &shift));
	assert_near(shift.estimate, 0.5);
	/* The differences are symmetric about the estimate, and so are the bounds. */
	assert_near(shift.high - 0.5, 0.5 - shift.low);
	/* The 466,738th smallest of the triangular distribution: -1000 + sqrt(2 * 466738) and rounding. */
	assert_in_range((uintmax_t)(-shift.low), 32, 35);
	free(x);
	free(y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(has_exact_critical_values),
		cmocka_unit_test(approximates_large_samples),
		cmocka_unit_test(reproduces_a_textbook),
		cmocka_unit_test(treats_edges),
		cmocka_unit_test(refuses_what_is_no_number),
		cmocka_unit_test(covers_as_often_as_it_says),
		cmocka_unit_test(takes_a_thousand_a_side),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
