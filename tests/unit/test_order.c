#include "unit.h"

#include <float.h>

#include "stats/stats.h"

/* -------- Order statistics. */

#define N(array) (sizeof(array) / sizeof *(array))

static void assert_near(double found, double expected)
{
	if (!(fabs(found - expected) <= 1e-12 * fmax(1, fabs(expected))))
		fail_msg("expected %.17g, found %.17g", expected, found);
}

TEST(sorts)
{
	double values[] = { 3, -1, 2, -0.5, 2, 1e300, -1e300 };
	const double sorted[] = { -1e300, -1, -0.5, 2, 2, 3, 1e300 };

	stats_sort(values, N(values));
	for (size_t i = 0; i < N(values); i++)
		assert_near(values[i], sorted[i]);
	stats_sort(NULL, 0);
}

TEST(tells_what_goes_one_way)
{
	static const struct { double values[8]; size_t n; double z; } cases[] = {
		{ { 0 }, 0, 0 }, { { 3 }, 1, 0 }, { { 4, 4, 4, 4, 4 }, 5, 0 },
		/* a score of 10 of 10, less 1, by the square root of 5 * 4 * 15 / 18 */
		{ { 1, 2, 3, 4, 5 }, 5, 9 / 4.0824829046386302 }, { { 9, 7, 5, 3, 1 }, 5, -9 / 4.0824829046386302 },
		/* 7 up, 3 down */
		{ { 1, 3, 2, 5, 2.5 }, 5, 3 / 4.0824829046386302 },
	};

	for (size_t i = 0; i < N(cases); i++)
		assert_near(stats_trend(cases[i].values, cases[i].n), cases[i].z);
}

TEST(finds_the_median)
{
	static const struct { double values[6]; size_t n; double median; } cases[] = {
		{ { 7 }, 1, 7 }, { { 4, 1 }, 2, 2.5 }, { { 9, 1, 5 }, 3, 5 }, { { 4, 1, 3, 2 }, 4, 2.5 },
		{ { 2, 2, 2, 9, 9 }, 5, 2 }, { { -3, 0, 3, -1, 1, 0 }, 6, 0 }, { { DBL_MAX, DBL_MAX, 0 }, 3, DBL_MAX },
		{ { DBL_MAX, DBL_MAX / 2 }, 2, 0.75 * DBL_MAX },
		{ { 5e-324, 5e-324 }, 2, 5e-324 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		double found = stats_median(cases[i].values, cases[i].n);

		if (found != cases[i].median)
			fail_msg("case %zu: expected %.17g, found %.17g", i, cases[i].median, found);
	}
	assert_true(isnan(stats_median(NULL, 0)));
}

TEST(leaves_its_argument_alone)
{
	double values[] = { 3, 1, 2 };

	assert_near(stats_median(values, 3), 2);
	assert_true(values[0] == 3 && values[1] == 1 && values[2] == 2);
}

TEST(has_mean_and_deviation)
{
	static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	/* The deviation is 1 whatever the offset; sums of squares would lose it. */
	static const double far[] = { 1e9 + 1, 1e9 + 2, 1e9 + 3 };

	assert_near(stats_mean(values, N(values)), 5);
	assert_near(stats_sd(values, N(values)), sqrt(32.0 / 7));
	assert_near(stats_mean(far, N(far)), 1e9 + 2);
	assert_near(stats_sd(far, N(far)), 1);
	assert_near(stats_sd(values, 1), 0);
	assert_near(stats_sd(values, 0), 0);
}

TEST(knows_what_is_no_number)
{
	static const double bad[] = { NAN, INFINITY, -INFINITY };

	assert_true(stats_all_finite(NULL, 0));
	for (size_t i = 0; i < N(bad); i++) {
		const double values[] = { 1, -DBL_MAX, bad[i] };

		assert_true(stats_all_finite(values, 2));
		assert_false(stats_all_finite(values, 3));
	}
}

/* -------- Holm's correction on textbook p values, ties and values that are not p values. */

TEST(adjusts_step_by_step)
{
	static const struct { double p[5], adjusted[5]; size_t n; } cases[] = {
		/* Four hypotheses at 0.05, worked out by hand. The first and the last are rejected. */
		{ { 0.01, 0.04, 0.03, 0.005 }, { 0.03, 0.06, 0.06, 0.02 }, 4 },
		/* After the first hypothesis that is not rejected, adjusted values do not fall. */
		{ { 0.01, 0.02, 0.022, 0.09, 0.5 }, { 0.05, 0.08, 0.08, 0.18, 0.5 }, 5 },
		{ { 0.02, 0.02, 0.02 }, { 0.06, 0.06, 0.06 }, 3 },
		{ { 0.6, 0.7 }, { 1, 1 }, 2 }, { { 0, 1 }, { 0, 1 }, 2 }, { { 0.03 }, { 0.03 }, 1 },
		{ { NAN, 0.01, NAN, 0.04 }, { NAN, 0.02, NAN, 0.04 }, 4 },
		{ { NAN }, { NAN }, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double found[5], own[5];

		holm_adjust(cases[i].p, cases[i].n, found);
		for (size_t j = 0; j < cases[i].n; j++)
			own[j] = cases[i].p[j];
		holm_adjust(own, cases[i].n, own);
		for (size_t j = 0; j < cases[i].n; j++) {
			double expected = cases[i].adjusted[j];

			if (isnan(expected) ? !isnan(found[j]) : !(fabs(found[j] - expected) < 1e-12))
				fail_msg("case %zu, %zu: expected %g, found %g", i, j, expected, found[j]);
			assert_true(isnan(expected) ? isnan(own[j]) : own[j] == found[j]);
		}
	}
	holm_adjust(NULL, 0, NULL);
}
