#include "unit.h"

#include "stats/stats.h"

/*
 * -------- The rank-sum distribution and the shift of two samples.
 *
 * Critical values: the published ones are U of Mann and Whitney as tabled in Siegel (1956),
 * Nonparametric Statistics, tables J and K, plus one (there U itself is in the tail). All exact
 * ones were computed from the integer coefficients of the Gaussian binomial in Python, and up to
 * 2,500 pairs also with scipy 1.10.1: the largest k for which
 * scipy.stats._mannwhitneyu._mwu_state.cdf(k - 1, nx, ny) <= alpha. Normal ones are
 * floor(mu + scipy.stats.norm.ppf(alpha) * sigma + 0.5).
 */

#define N(array) (sizeof(array) / sizeof *(array))

static void assert_near(double found, double expected)
{
	if (!(found == expected || fabs(found - expected) <= 1e-12 * fmax(1, fabs(expected))))
		fail_msg("expected %.17g, found %.17g", expected, found);
}

TEST(has_exact_critical_values)
{
	static const struct { size_t nx, ny; double alpha; size_t k; } cases[] = {
		/* published */
		{ 4, 4, 0.025, 1 }, { 5, 5, 0.025, 3 }, { 5, 5, 0.05, 5 }, { 8, 8, 0.025, 14 },
		{ 10, 10, 0.05, 28 }, { 10, 10, 0.025, 24 }, { 15, 15, 0.025, 65 }, { 20, 20, 0.025, 128 },
		{ 20, 20, 0.01, 115 }, { 5, 20, 0.025, 21 },
		/* a tail of exactly alpha: 1 / C(6, 3) = 1 / 20 */
		{ 3, 3, 0.05, 1 }, { 1, 19, 0.05, 1 }, { 1, 18, 0.05, 0 },
		/* too small */
		{ 1, 1, 0.49, 0 }, { 2, 2, 0.05, 0 }, { 10, 5, 0.000125, 0 }, { 3, 3, 0.01, 0 },
		{ 0, 5, 0.05, 0 }, { 5, 0, 0.05, 0 },
		{ 13, 17, 0.0001, 27 }, { 10, 10, 0.005, 17 }, { 30, 30, 0.01, 294 }, { 40, 60, 0.001, 765 },
		{ 100, 100, 0.005, 3949 }, { 100, 100, 0.025, 4198 },
		{ 1, 500, 0.2, 100 }, { 3, 1000, 0.01, 389 },
		/* not a probability */
		{ 5, 5, 0, 0 }, { 5, 5, NAN, 0 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		size_t k = ranksum_critical(cases[i].nx, cases[i].ny, cases[i].alpha);

		if (k != cases[i].k)
			fail_msg("%zu x %zu at %g: expected %zu, found %zu", cases[i].nx, cases[i].ny,
				 cases[i].alpha, cases[i].k, k);
		assert_int_equal(ranksum_critical(cases[i].ny, cases[i].nx, cases[i].alpha), k);
	}
}

/* The exact values are 4287, 7361 and 9504. The approximation errs towards wider bounds. */
TEST(approximates_large_samples)
{
	static const struct { size_t nx, ny; double alpha; size_t k; } cases[] = {
		{ 101, 101, 0.025, 4286 }, { 120, 150, 0.005, 7358 }, { 150, 150, 0.01, 9502 },
		{ 1000, 1000, 0.025, 474691 }, { 1000, 1000, 0.005, 466738 }, { 1000, 1000, 0.0005, 457509 },
	};

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

TEST(reproduces_a_textbook)
{
	static const struct {
		double alpha, low, high;
	} cases[] = { { 0.025, -0.15, 0.76 }, { 0.05, -0.08, 0.72 }, { 0.005, -0.35, 1.01 } };
	struct shift shift;

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

TEST(treats_edges)
{
	static const struct { double x[4], y[4]; size_t nx, ny; double alpha, estimate, low, high; } cases[] = {
		{ { 1 }, { 3 }, 1, 1, 0.05, 2, -INFINITY, INFINITY },
		{ { 1, 2 }, { 5, 9 }, 2, 2, 0.05, 5.5, -INFINITY, INFINITY },
		/* 1 in 6: the extremes */
		{ { 1, 2 }, { 5, 9 }, 2, 2, 0.2, 5.5, 3, 8 },
		{ { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, 4, 4, 0.025, 0, 0, 0 },
		{ { 7, 7, 7, 7 }, { 9, 9, 9, 9 }, 4, 4, 0.025, 2, 2, 2 },
		{ { 1, 1, 2, 2 }, { 1, 2, 2, 2 }, 4, 4, 0.025, 0, -1, 1 },
		{ { -1e300, -1e300 }, { 1e300, 1e300 }, 2, 2, 0.2, 2e300, 2e300, 2e300 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct shift shift;

		assert_true(ranksum_shift(cases[i].x, cases[i].nx, cases[i].y, cases[i].ny, cases[i].alpha, &shift));
		assert_near(shift.estimate, cases[i].estimate);
		assert_near(shift.low, cases[i].low);
		assert_near(shift.high, cases[i].high);
	}
}

TEST(refuses_what_is_no_number)
{
	const double good[] = { 1, 2, 3 };
	const double bad[][3] = { { 1, NAN, 3 }, { INFINITY, 2, 3 }, { 1, 2, -INFINITY } };
	const double huge[] = { 1.5e308 }, low[] = { -1.5e308 };
	struct shift shift = { 1, 2, 3 };

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

TEST(takes_a_thousand_a_side)
{
	enum { SIDE = 1000 };
	double *x = xcalloc(SIDE, sizeof *x), *y = xcalloc(SIDE, sizeof *y);
	struct shift shift;

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

/*
 * -------- The signed-rank distribution, and the centre of differences.
 *
 * Critical values: those of standard tables, such as McCornack (1965), Extended tables of the Wilcoxon matched pair
 * signed rank statistic, JASA 60, 864-871: the largest W with P(W <= w) <= alpha. Ours is one more. All others come
 * from counting all 2^n sign patterns, here, in integers.
 */

enum { COUNTED = 16, SUMS = COUNTED * (COUNTED + 1) / 2 };

/* Returns the rank (from 1) of the Walsh average that is the lower bound at ALPHA for N untied values; 0: no bound. */
static size_t critical_value(size_t n, double alpha)
{
	double *differences = xcalloc(n + 1, sizeof *differences);
	uint64_t random = 7;
	struct shift found;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		differences[i] = (double)(random >> 11);
	}
	if (signrank_shift(differences, n, alpha, alpha, &found) && !isinf(found.low))
		for (size_t i = 0; i < n; i++)
			for (size_t j = i; j < n; j++)
				k += differences[i] / 2 + differences[j] / 2 <= found.low;
	free(differences);
	return k;
}

TEST(has_the_critical_values_of_the_tables)
{
	/* The largest W at the one-sided level; -1: none exists. */
	static const struct { size_t n; int w05, w025, w01, w005; } published[] = {
		{ 5, 0, -1, -1, -1 },	  { 6, 2, 0, -1, -1 },	   { 7, 3, 2, 0, -1 },	    { 8, 5, 3, 1, 0 },
		{ 9, 8, 5, 3, 1 },	  { 10, 10, 8, 5, 3 },	   { 11, 13, 10, 7, 5 },    { 12, 17, 13, 9, 7 },
		{ 13, 21, 17, 12, 9 },	  { 14, 25, 21, 15, 12 },  { 15, 30, 25, 19, 15 },  { 16, 35, 29, 23, 19 },
		{ 17, 41, 34, 27, 23 },	  { 18, 47, 40, 32, 27 },  { 19, 53, 46, 37, 32 },  { 20, 60, 52, 43, 37 },
		{ 21, 67, 58, 49, 42 },	  { 22, 75, 65, 55, 48 },  { 23, 83, 73, 62, 54 },  { 24, 91, 81, 69, 61 },
		{ 25, 100, 89, 76, 68 },  { 26, 110, 98, 84, 75 }, { 27, 119, 107, 92, 83 }, { 28, 130, 116, 101, 91 },
		{ 29, 140, 126, 110, 100 }, { 30, 151, 137, 120, 109 },
	};

	for (size_t i = 0; i < N(published); i++) {
		const double alpha[] = { 0.05, 0.025, 0.01, 0.005 };
		const int w[] = { published[i].w05, published[i].w025, published[i].w01, published[i].w005 };

		for (size_t j = 0; j < N(alpha); j++) {
			size_t k = critical_value(published[i].n, alpha[j]);

			if (k != (size_t)(w[j] + 1))
				fail_msg("%zu at %g: expected %d, found %zu", published[i].n, alpha[j], w[j] + 1, k);
		}
	}
}

/* Counts the sign patterns, of all 2^n, with each sum of positive ranks. */
static void count_sums(size_t n, unsigned counts[SUMS + 1])
{
	for (size_t s = 0; s <= SUMS; s++)
		counts[s] = 0;
	for (unsigned signs = 0; signs < 1u << n; signs++) {
		size_t sum = 0;

		for (size_t i = 0; i < n; i++)
			sum += signs >> i & 1 ? i + 1 : 0;
		counts[sum]++;
	}
}

/* A level equal to a tail still includes it; a slightly lower level does not. */
TEST(agrees_with_counting)
{
	unsigned counts[SUMS + 1];

	for (size_t n = 1; n <= COUNTED; n++) {
		double tail = 0;

		count_sums(n, counts);
		for (size_t k = 1; k <= n * (n + 1) / 4; k++) {
			tail += counts[k - 1] / (double)(1u << n);
			if (tail >= 0.5)
				break;
			assert_int_equal(critical_value(n, tail), k);
			assert_int_equal(critical_value(n, tail * (1 - 1e-6)), k - 1);
		}
	}
}

TEST(has_no_critical_value_without_any)
{
	static const struct { size_t n; double alpha; size_t k; } cases[] = {
		{ 0, 0.05, 0 }, { 1, 0.05, 0 }, { 4, 0.05, 0 }, { 5, 0.03125, 1 }, { 12, 0.000125, 0 }, { 13, 0.000125, 1 },
		{ 20, 0, 0 }, { 20, NAN, 0 }, { SIGNRANK_MOST + 1, 0.05, 0 },
	};

	for (size_t i = 0; i < N(cases); i++)
		assert_int_equal(critical_value(cases[i].n, cases[i].alpha), cases[i].k);
}

/* The normal approximation with Wilcoxon's mean and variance is accurate to some parts in ten thousand there. */
TEST(knows_a_thousand)
{
	static const struct {
		double alpha, z;
	} cases[] = { { 0.025, 1.959963985 }, { 0.005, 2.575829304 }, { 0.000125, 3.662260 } };
	double n = SIGNRANK_MOST, mean = n * (n + 1) / 4, sd = sqrt(n * (n + 1) * (2 * n + 1) / 24);

	for (size_t i = 0; i < N(cases); i++) {
		double k = (double)critical_value(SIGNRANK_MOST, cases[i].alpha);

		assert_true(fabs(k - (mean - cases[i].z * sd)) < 0.01 * sd);
	}
}

/*
 * Hollander and Wolfe (1973), Nonparametric Statistical Methods, pp. 27-33: a depression scale before and after. The
 * estimate and the interval are theirs, and what R 4, wilcox.test(x, y, paired = TRUE) of its own example, gives.
 */
TEST(reproduces_a_textbook_signrank)
{
	const double before[] = { 1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30 };
	const double after[] = { 0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29 };
	double d[N(before)];
	struct shift shift;

	for (size_t i = 0; i < N(d); i++)
		d[i] = before[i] - after[i];
	assert_true(signrank_shift(d, N(d), 0.025, 0.025, &shift));
	assert_near(shift.estimate, 0.46);
	assert_near(shift.low, 0.01);
	assert_near(shift.high, 0.786);
	/* V = 40: P(W <= 5) is 10 in 512. */
	assert_near(signrank_p(d, N(d)), 0.0390625);
}

TEST(treats_edges_signrank)
{
	static const struct { double d[6]; size_t n; double low_alpha, high_alpha, estimate, low, high; } cases[] = {
		{ { 3 }, 1, 0.025, 0.025, 3, -INFINITY, INFINITY },
		{ { 1, 2, 3, 4, 5 }, 5, 0.025, 0.025, 3, -INFINITY, INFINITY },
		/* 1 in 32 is enough for one side only. */
		{ { 1, 2, 3, 4, 5 }, 5, 0.025, 0.04, 3, -INFINITY, 5 },
		{ { 1, 2, 3, 4, 5 }, 5, 0.04, 0.025, 3, 1, INFINITY },
		/* W <= 2 has 3 in 64: the third from each end. */
		{ { 6, 5, 4, 3, 2, 1 }, 6, 0.05, 0.02, 3.5, 2, 6 },
		{ { 0, 0, 0, 0, 0, 0 }, 6, 0.05, 0.05, 0, 0, 0 },
		{ { 2, 2, 2, 2, 2, 2 }, 6, 0.05, 0.05, 2, 2, 2 },
		{ { 0, 0, 0, 0, 0, 9 }, 6, 0.02, 0.02, 0, 0, 9 },
		{ { 1.5e308, 1.5e308, 1.5e308, 1.5e308, 1.5e308, 1.5e308 }, 6, 0.02, 0.02, 1.5e308, 1.5e308, 1.5e308 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct shift shift;

		assert_true(signrank_shift(cases[i].d, cases[i].n, cases[i].low_alpha, cases[i].high_alpha, &shift));
		assert_near(shift.estimate, cases[i].estimate);
		assert_near(shift.low, cases[i].low);
		assert_near(shift.high, cases[i].high);
	}
}

TEST(refuses_what_is_no_number_signrank)
{
	const double bad[][3] = { { 1, NAN, 3 }, { INFINITY, 2, 3 }, { 1, 2, -INFINITY } };
	double *many = xcalloc(SIGNRANK_MOST + 1, sizeof *many);
	struct shift shift = { 1, 2, 3 };

	for (size_t i = 0; i < N(bad); i++) {
		assert_false(signrank_shift(bad[i], 3, 0.05, 0.05, &shift));
		assert_true(isnan(signrank_p(bad[i], 3)));
	}
	assert_false(signrank_shift(NULL, 0, 0.05, 0.05, &shift));
	assert_false(signrank_shift(many, SIGNRANK_MOST + 1, 0.05, 0.05, &shift));
	assert_true(isnan(signrank_p(many, SIGNRANK_MOST + 1)));
	assert_true(shift.estimate == 1 && shift.low == 2 && shift.high == 3);
	assert_true(signrank_shift(many, SIGNRANK_MOST, 0.05, 0.05, &shift));
	assert_true(signrank_p(many, SIGNRANK_MOST) == 1);
	free(many);
}

/* Returns the p value by its definition: the share of sign patterns whose rank sum is at least as far from the centre. */
static double p_by_counting(const double *d, size_t n)
{
	double ranks[12], middle = 0, seen = 0;
	size_t kept = 0;
	unsigned as_far = 0;

	for (size_t i = 0; i < n; i++) {
		double rank = 0.5;

		if (d[i] == 0)
			continue;
		for (size_t j = 0; j < n; j++)
			rank += d[j] == 0 ? 0 : fabs(d[j]) < fabs(d[i]) ? 1 : fabs(d[j]) == fabs(d[i]) ? 0.5 : 0;
		ranks[kept++] = rank;
		middle += rank / 2;
		seen += d[i] > 0 ? rank : 0;
	}
	for (unsigned signs = 0; signs < 1u << kept; signs++) {
		double sum = 0;

		for (size_t i = 0; i < kept; i++)
			sum += signs >> i & 1 ? ranks[i] : 0;
		as_far += fabs(sum - middle) >= fabs(seen - middle);
	}
	return as_far / (double)(1u << kept);
}

TEST(tests_ties_and_zeros_exactly)
{
	uint64_t seed = 5;

	for (int round = 0; round < 300; round++) {
		double d[12];
		size_t n = 1 + (size_t)(next_uniform(&seed) * 12);

		for (size_t i = 0; i < n; i++)
			d[i] = floor(next_uniform(&seed) * 9) - 3;
		assert_near(signrank_p(d, n), p_by_counting(d, n));
	}
	assert_true(signrank_p(NULL, 0) == 1);
}
