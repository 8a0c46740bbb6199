#include "unit.h"

#include "stats/stats.h"

/* -------- Wilson's interval against published values, and at its ends. */

TEST(published_intervals_come_out)
{
	/* Newcombe, Statistics in Medicine 17 (1998), table I, method 3. */
	static const struct { double hits, n, low, high; } cases[] = {
		{ 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 }, { 0, 20, 0.0000, 0.1611 },
		{ 1, 29, 0.0061, 0.1718 },
		/* By its formula. */
		{ 0, 10, 0, 0.277533 }, { 5, 10, 0.236593, 0.763407 }, { 900, 9000, 0.093968, 0.106372 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct interval found = stats_wilson(cases[i].hits, cases[i].n, STATS_Z95);
		struct interval mirrored = stats_wilson(cases[i].n - cases[i].hits, cases[i].n, STATS_Z95);

		assert_true(fabs(found.low - cases[i].low) < 0.00005);
		assert_true(fabs(found.high - cases[i].high) < 0.00005);
		assert_true(fabs(mirrored.low - (1 - found.high)) < 1e-12);
		assert_true(fabs(mirrored.high - (1 - found.low)) < 1e-12);
	}
}

TEST(intervals_stay_within_the_whole)
{
	static const struct { double hits, n, low, high; } cases[] = {
		{ 0, 0, 0, 1 }, { 5, 0, 0, 1 }, { 0, -1, 0, 1 }, { NAN, NAN, 0, 1 },
		{ 0, 1e9, 0, 0 }, { 1e9, 1e9, 1, 1 }, { -3, 1e9, 0, 0 }, { 2e9, 1e9, 1, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct interval found = stats_wilson(cases[i].hits, cases[i].n, STATS_Z95);

		assert_true(fabs(found.low - cases[i].low) < 1e-8 && fabs(found.high - cases[i].high) < 1e-8);
	}
	assert_true(stats_wilson(0, 20, STATS_Z95).low == 0);
	assert_true(stats_wilson(20, 20, STATS_Z95).high == 1);
	assert_true(stats_wilson(10, 100, 3.1).high > stats_wilson(10, 100, STATS_Z95).high);
}

/* -------- Exact bounds of a rate, against published values, their definition and their limits. */

#define N(array) (sizeof(array) / sizeof *(array))

TEST(published_intervals_come_out_binomial)
{
	static const struct { unsigned hits, n; double low, high, precision; } cases[] = {
		/* Newcombe, Statistics in Medicine 17 (1998), table I, method 5. */
		{ 81, 263, 0.2527, 0.3676, 0.00005 }, { 15, 148, 0.0578, 0.1617, 0.00005 },
		{ 0, 20, 0.0000, 0.1684, 0.00005 }, { 1, 29, 0.0009, 0.1776, 0.00005 },
		/* R 4, binom.test(682, 925), its own example, of Conover (1971). */
		{ 682, 925, 0.7076683, 0.7654066, 0.00000005 },
	};

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

TEST(sums_are_those_of_counting)
{
	static const unsigned trials[] = { 1, 2, 7, 20, 50 };
	static const double chances[] = { 1e-6, 0.01, 0.3, 0.5, 0.77, 0.999 };

	for (size_t i = 0; i < N(trials); i++)
		for (size_t j = 0; j < N(chances); j++)
			for (unsigned k = 0; k < trials[i]; k++) {
				double expected = cdf_by_counting(k, trials[i], chances[j]);
				double found = binomial_cdf(k, trials[i], chances[j]);

				if (fabs(found - expected) > 1e-12)
					fail_msg("%u of %u at %g: expected %.15g, found %.15g", k, trials[i], chances[j], expected, found);
			}
}

TEST(bounds_are_where_the_tails_have_alpha)
{
	static const struct {
		unsigned hits, n;
		double alpha;
	} cases[] = { { 3, 10, 0.025 }, { 1, 200, 0.025 }, { 26, 30, 0.05 }, { 500, 100000, 0.005 }, { 99999, 100000, 0.01 } };

	for (size_t i = 0; i < N(cases); i++) {
		struct interval found = binomial_interval(cases[i].hits, cases[i].n, cases[i].alpha);

		assert_true(fabs(1 - binomial_cdf(cases[i].hits - 1, cases[i].n, found.low) - cases[i].alpha) < 1e-7);
		assert_true(fabs(binomial_cdf(cases[i].hits, cases[i].n, found.high) - cases[i].alpha) < 1e-7);
	}
}

TEST(ends_are_exact)
{
	struct interval none = binomial_interval(0, 0, 0.025);
	struct interval never = binomial_interval(0, 20, 0.05), always = binomial_interval(20, 20, 0.05);

	assert_true(none.low == 0 && none.high == 1);
	/* (1 - p)^20 = 0.05 */
	assert_true(never.low == 0 && fabs(never.high - (1 - pow(0.05, 0.05))) < 1e-12);
	assert_true(always.high == 1 && fabs(always.low - pow(0.05, 0.05)) < 1e-12);
	assert_true(binomial_cdf(0, 0, 0.5) == 1 && binomial_cdf(5, 5, 1) == 1 && binomial_cdf(9, 5, 0.5) == 1);
	assert_true(binomial_cdf(4, 5, 1) == 0 && binomial_cdf(0, 5, 0) == 1);
	assert_true(isnan(binomial_cdf(1, 5, NAN)));
	assert_true(fabs(binomial_cdf(499999, 1000000, 0.5) - 0.5) < 0.001);
}

/* -------- share_test */

enum { RUNS = 3 };

static const uint64_t whole[RUNS] = { 1000, 1000, 1000 };

static struct share_count count(const uint64_t *hits)
{
	uint64_t all = 0;

	for (size_t i = 0; hits && i < RUNS; i++)
		all += hits[i];
	return (struct share_count){
		.share = (double)all / 3000, .samples = 3000, .run_hits = hits, .run_samples = whole, .n_runs = RUNS,
	};
}

static void assert_near(double a, double b)
{
	if (fabs(a - b) > 1e-6 * fmax(1, fabs(b)))
		fail_msg("%.9g is not %.9g", a, b);
}

TEST(even_runs_have_the_least_dispersion)
{
	struct share_count a = count((const uint64_t[]){ 100, 100, 100 }), b = count((const uint64_t[]){ 130, 130, 130 });
	struct share_change change;
	double p = 690.0 / 6000;

	share_compare(&b, &a, &change);
	assert_near(change.rise, 0.03);
	assert_near(change.dispersion, 2);
	assert_near(change.error, sqrt(2 * p * (1 - p) * 2 / 3000));
	share_compare(&a, &b, &change);
	assert_near(change.rise, -0.03);
}

/* (30^2 + 0 + 30^2) / 90 = 20 on two degrees of freedom, 0 on the other two: 5. */
TEST(scattered_runs_widen_the_error)
{
	struct share_count a = count((const uint64_t[]){ 70, 100, 130 }), b = count((const uint64_t[]){ 100, 100, 100 });

	assert_near(share_dispersion(&a, NULL), 10);
	assert_near(share_dispersion(&a, &b), 5);
	assert_near(share_error(0.1, 3000, 5), sqrt(5 * 0.09 / 3000));
}

TEST(what_one_side_does_not_have_is_none)
{
	struct share_count none = count(NULL), some = count((const uint64_t[]){ 60, 60, 60 });
	struct share_change change;

	share_compare(&some, &none, &change);
	assert_near(change.rise, 0.06);
	assert_near(change.error, sqrt(2 * 0.03 * 0.97 * 2 / 3000));
	assert_near(share_agreement(&some, &none), 1);
	assert_near(share_agreement(&none, &some), 0);
	assert_near(share_agreement(&none, &none), 0.5);
	none.n_runs = 0;
	assert_near(share_agreement(&some, &none), 0);
}

TEST(agreement_counts_pairs)
{
	struct share_count a = count((const uint64_t[]){ 100, 100, 100 }), b = count((const uint64_t[]){ 90, 100, 130 });

	assert_near(share_agreement(&b, &a), 4.5 / 9);
}

TEST(nothing_at_all_is_no_trap)
{
	struct share_count a = { .share = 0, .samples = 3000 }, all = count(whole);

	assert_near(share_dispersion(&a, &a), 2);
	assert_near(share_dispersion(&all, NULL), 2);
	assert_true(isinf(share_error(0.5, 0, 2)));
	assert_near(share_error(0, 100, 2), 0);
}

TEST(twice_the_distance_takes_a_quarter)
{
	assert_near(share_samples_needed(9000, 0.01, 2, 0.02), 9000);
	assert_near(share_samples_needed(9000, 0.01, 2, 0.01), 36000);
	assert_true(isinf(share_samples_needed(9000, 0.01, 2, 0)));
	assert_true(isinf(share_samples_needed(9000, 0.01, 2, -1)));
}
