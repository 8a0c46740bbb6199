/* Statistics: order, ranks, proportions, change points. Numbers in, numbers out; NaN is what cannot be known. */
#ifndef PAWL_STATS_STATS_H
#define PAWL_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -------- order */

/*
 * Order statistics and robust estimates of location and spread. Pure: numbers in, numbers out.
 * Functions sort their argument where it is noted; n must be at least 1 unless noted.
 */

/* Ascending; NaN must not occur. */
void stats_sort(double *values, size_t n);
/* Of sorted values. */
double stats_median_sorted(const double *sorted, size_t n);
/* The median of values in any order; they are not changed. NaN when n is 0. */
double stats_median(const double *values, size_t n);
double stats_least(const double *values, size_t n);
double stats_most(const double *values, size_t n);
double stats_mean(const double *values, size_t n);
/* Sample standard deviation (n - 1); 0 when n < 2. */
double stats_sd(const double *values, size_t n);
/*
 * Whether VALUES rise or fall in their order, by Kendall's rank correlation with it: a z score, negative where they fall, 0
 * when n < 2. Kendall (1938), A new measure of rank correlation, Biometrika 30, 81-93.
 */
double stats_trend(const double *values, size_t n);
/* None of them is infinite or NaN; true when n is 0. */
bool stats_all_finite(const double *values, size_t n);

/*
 * Several p values at once: Holm's step-down correction, which keeps the chance that any true null hypothesis is
 * rejected at the level, whatever their dependence.
 *
 * Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 65-70.
 */

/*
 * ADJUSTED_OUT[i] belongs to P[i]; comparing it with a level is Holm's test at that level. NaN stays NaN and counts for
 * none. Both may be the same array.
 */
void holm_adjust(const double *p, size_t n, double *adjusted_out);

/* -------- changepoint */

/*
 * Where the level of a series changes: E-divisive, with distances of power 1, as is usual for series of benchmarks.
 * Of two pieces X and Y next to each other, of m and n values, the distance is
 *
 *	E(X, Y) = 2 / (m n) sum |x - y|  -  1 / C(m, 2) sum |x - x'|  -  1 / C(n, 2) sum |y - y'|
 *	Q(X, Y) = m n / (m + n) E(X, Y)
 *
 * with the sums over all pairs. The series is split where Q is largest, and so is each half, as long as no more than LEVEL of
 * the tossed orders of a piece have a split as good (a permutation test, from a fixed seed, so that the answer is always the
 * same). Then each point is looked for once more between its neighbours. A Fenwick tree over ranks gives all Q of a
 * piece in n log n.
 *
 * A level that is left and comes back hardly shows where a piece is cut in two. Matteson & James search the end of Y too; here
 * stretches of many lengths are compared with all that is around them, with Q of ranks at power 2, which is quick. Each of both
 * tests has half of LEVEL.
 *
 * A series without a change gives a false alarm with probability LEVEL at the most, where its values do not depend on each
 * other. What a machine does for days is a change like any other.
 *
 * Matteson & James (2014), A nonparametric approach for multiple change point analysis of multivariate data, JASA 109, 334-345.
 * Daly, Brown, Ingo, O'Leary & Bradford (2020), The use of change point detection to identify software performance
 * regressions in a continuous integration system, ICPE '20, 67-75: for series of benchmarks.
 * Fleming, Kolaczkowski, Kumar, Das, McCarthy, Pattabhiraman & Ingo (2023), Hunter: using change point detection to hunt for
 * performance regressions, ICPE '23, 199-206: today Apache Otava, whose test is Student's t in place of the permutations.
 * Olshen, Venkatraman, Lucito & Wigler (2004), Circular binary segmentation for the analysis of array-based DNA copy number
 * data, Biostatistics 5, 557-572: the stretches.
 */

/* No piece has fewer values; two pieces are the least that is split. */
enum { CHANGEPOINT_SEGMENT = 3 };

/* What is used where nobody says otherwise: one unchanged series in a thousand shows a change. */
#define CHANGEPOINT_LEVEL 0.001
/* With fewer values hardly an order of them is that rare, whatever they are: one in 16 choose 8, 12,870, splits as well. */
enum { CHANGEPOINT_VALUES_LEAST = 16 };

struct changepoint {
	size_t at;		/* the first value of the new level */
	double p;		/* twice the part of tossed orders that is split as well, since there are two tests */
	double before, after;	/* medians of the pieces on both sides */
	bool spread;		/* no level changed that ranks could show: the values scatter otherwise than before */
};

/* In order, in *OUT for free(); how many. NaN and infinite values are passed over. LEVEL is above 0 and below 1. */
size_t changepoints_find(const double *values, size_t n, double level, struct changepoint **out);

/* -------- proportions */

/* Shares of a whole that was sampled: how far a share found may be from the true one. Pure: numbers in, numbers out. */

/* Standard errors to each side of a two-sided interval of 95 %. */
#define STATS_Z95 1.959963984540054

struct interval {
	double low, high;
};

/*
 * Wilson's score interval for a proportion of which HITS of N samples were found, Z standard errors to each side. HITS
 * need not be whole, as where samples have weights; beyond 0 and N it counts as these. Both ends lie within 0 and 1, and
 * without any sample they are 0 and 1.
 */
struct interval stats_wilson(double hits, double n, double z);

/*
 * How often something happens that was seen so and so many times: exact bounds, for rates of false alarms and
 * the like, where zero of twenty must not be read as never.
 *
 * Clopper & Pearson (1934), The use of confidence or fiducial limits, Biometrika 26, 404-413.
 */

/* P(X <= k) of N trials with probability P each; NaN when P is. */
double binomial_cdf(unsigned k, unsigned n, double p);
/*
 * The exact interval of a probability of which HITS of N (HITS <= N) were seen; each bound is wrong with probability
 * ALPHA at the most (0 < alpha < 0.5). Without any trial it is 0 to 1.
 */
struct interval binomial_interval(unsigned hits, unsigned n, double alpha);

/*
 * Two profiles of the same program: did the share of one symbol rise? Samples are nearly binomial; how much more
 * they scatter from run to run than that is taken from the runs and widens every bound.
 *
 * McCullagh & Nelder (1989), Generalized Linear Models, 2nd ed., section 4.5: over-dispersion as the mean Pearson
 * statistic.
 */

/* The variance of samples is taken to be at least so many times the binomial one. */
#define SHARE_DISPERSION_LEAST 2.0

/* One symbol in one profile. */
struct share_count {
	double share;			/* 0 to 1; by weight, so it need not be hits by samples */
	uint64_t samples;		/* of the whole profile, at least 1 */
	const uint64_t *run_hits;	/* the symbol's samples, run by run; NULL: none in any */
	const uint64_t *run_samples;	/* the profile's */
	size_t n_runs;
};

struct share_change {
	double rise;		/* of the share, raw: 0.05 is five percentage points */
	double error;		/* one standard error of it */
	double dispersion;	/* by which the binomial variance was multiplied */
};

void share_compare(const struct share_count *now, const struct share_count *before, struct share_change *out);

/* The variance ratio of both sides' runs together, SHARE_DISPERSION_LEAST or more. BEFORE may be NULL. */
double share_dispersion(const struct share_count *now, const struct share_count *before);
/* One standard error of a share of P, of SAMPLES. */
double share_error(double p, uint64_t samples, double dispersion);
/* One standard error of P - Q, shares of so many SAMPLES and OTHERS, if they are the same. */
double share_rise_error(double p, uint64_t samples, double q, uint64_t others, double dispersion);
/* The part of all pairs of a run of NOW and one of BEFORE in which NOW's has the larger share, ties as half; 0 to 1. */
double share_agreement(const struct share_count *now, const struct share_count *before);
/*
 * How many samples a side would make Z standard errors as small as DISTANCE, when there are SAMPLES a side now and one
 * standard error is ERROR. INFINITY where none would: the distance is not positive.
 */
double share_samples_needed(double samples, double error, double z, double distance);

/* -------- ranks */

/*
 * Comparing two independent samples by the differences of all their pairs: the Hodges-Lehmann
 * estimate of the shift and its exact confidence bounds from the rank-sum distribution.
 *
 * Hodges & Lehmann (1963), Estimates of location based on rank tests, Ann. Math. Stat. 34, 598-611.
 * Mann & Whitney (1947), On a test of whether one of two random variables is stochastically larger
 * than the other, Ann. Math. Stat. 18, 50-60: the recurrence of the null distribution.
 * Bauer (1972), Constructing confidence sets using rank statistics, JASA 67, 687-690: the bounds.
 */

/*
 * Two samples of this size are the largest whose exact distribution is computed; so are others
 * with as many pairs. Beyond, the normal approximation with a continuity correction is used.
 */
enum { RANKSUM_EXACT_LIMIT = 100 };

struct shift {
	double estimate;	/* median of y - x over all pairs */
	double low, high;	/* bounds, each holding with probability 1 - alpha; -INFINITY, INFINITY when n is too small */
};

/*
 * The shift of Y against X, with one-sided error ALPHA on each side (0 < alpha < 0.5).
 * Returns false, writing nothing, when a side is empty, or a value or difference is not finite.
 * Tied values make the bounds wider than they need be, never narrower.
 */
bool ranksum_shift(const double *x, size_t nx, const double *y, size_t ny, double alpha, struct shift *out);

/*
 * The largest k such that P(U < k) <= alpha under the null hypothesis, U the Mann-Whitney statistic
 * of sizes nx, ny: the k-th smallest and k-th largest pairwise differences (from 1) are the bounds.
 * 0 when even the extremes are too likely.
 */
size_t ranksum_critical(size_t nx, size_t ny, double alpha);

/*
 * Differences of adjacent pairs: the Hodges-Lehmann estimate of their middle, which is the median of the Walsh averages,
 * and its exact confidence bounds from the distribution of Wilcoxon's signed-rank statistic.
 *
 * Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, 80-83.
 * Hodges & Lehmann (1963), Estimates of location based on rank tests, Ann. Math. Stat. 34, 598-611.
 * Tukey (1949), The simplest signed-rank tests, Memo. Rep. 17, Princeton: bounds as order statistics of Walsh averages.
 */

/* More differences than this are refused: their Walsh averages alone would be half a million. */
enum { SIGNRANK_MOST = 1000 };

/*
 * The middle of N differences, with a lower bound that is too high with probability ALPHA_LOW at the most and an upper
 * bound that is too low with ALPHA_HIGH at the most (each above 0 and below 0.5). A bound is infinite where so few
 * differences allow none. Ties and zeros make bounds wider than they need be, never narrower. Returns false, writing
 * nothing, when N is 0 or beyond SIGNRANK_MOST, or a difference is not finite.
 */
bool signrank_shift(const double *differences, size_t n, double alpha_low, double alpha_high, struct shift *out);

/*
 * The two-sided p value of "the middle is 0", exact for the ranks as they are: ties share their mean rank, zeros
 * are left out (Wilcoxon's way). 1 when nothing is left; NaN when a difference is not finite or N beyond SIGNRANK_MOST.
 */
double signrank_p(const double *differences, size_t n);

#endif
