/* Statistics: order, ranks, proportions, change points. Pure functions of numbers. NaN means unknown. */
#ifndef PAWL_STATS_STATS_H
#define PAWL_STATS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -------- order */

/*
 * Order statistics and robust estimates of location and spread. Functions that sort their argument say so. n must be
 * at least 1 unless noted.
 */

/* Sorts in ascending order. NaN must not occur. */
void stats_sort(double *values, size_t n);
/* Requires sorted values. */
double stats_median_sorted(const double *sorted, size_t n);
/* Returns the median of values in any order without changing them. NaN if n is 0. */
double stats_median(const double *values, size_t n);
double stats_least(const double *values, size_t n);
double stats_most(const double *values, size_t n);
double stats_mean(const double *values, size_t n);
/* Sample standard deviation (n - 1); 0 if n < 2. */
double stats_sd(const double *values, size_t n);
/*
 * Tests VALUES for a trend by Kendall's rank correlation with their order. Returns a z score, negative if they fall, 0
 * if n < 2. Kendall (1938), A new measure of rank correlation, Biometrika 30, 81-93.
 */
double stats_trend(const double *values, size_t n);
/* True if all values are finite, or n is 0. */
bool stats_all_finite(const double *values, size_t n);

/*
 * Multiple p values: Holm's step-down correction. It keeps the chance of rejecting any true null hypothesis at the
 * level, whatever their dependence.
 *
 * Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 65-70.
 */

/*
 * ADJUSTED_OUT[i] belongs to P[i]. Comparing it with a level is Holm's test at that level. NaN stays NaN and is not
 * counted as a test. Both may be the same array.
 */
void holm_adjust(const double *p, size_t n, double *adjusted_out);

/* -------- changepoint */

/*
 * Finds the changes of level in a series: E-divisive, with distances of power 1, as is usual for series of benchmarks.
 * For adjacent pieces X and Y of m and n values, the distance is
 *
 *	E(X, Y) = 2 / (m n) sum |x - y|  -  1 / C(m, 2) sum |x - x'|  -  1 / C(n, 2) sum |y - y'|
 *	Q(X, Y) = m n / (m + n) E(X, Y)
 *
 * with the sums over all pairs. The series is split where Q is largest, and then each half. Splitting stops when more
 * than LEVEL of the tossed orders of a piece have a split as good. This is a permutation test with a fixed seed, so
 * the result is reproducible. Each point is then searched for once more between its neighbours. A Fenwick tree over
 * ranks gives all Q of a piece in n log n.
 *
 * A level that changes and returns hardly shows when a piece is cut in two. Matteson & James also search for the end
 * of Y. Here stretches of many lengths are compared with the values around them, with Q of ranks at power 2, which is
 * quick. Each of the two tests has half of LEVEL.
 *
 * If values are independent, a series without a change gives a false alarm with probability at most LEVEL. A machine's
 * drift over days counts as a change.
 *
 * Matteson & James (2014), A nonparametric approach for multiple change point analysis of multivariate data, JASA 109, 334-345.
 * Daly, Brown, Ingo, O'Leary & Bradford (2020), The use of change point detection to identify software performance
 * regressions in a continuous integration system, ICPE '20, 67-75: for series of benchmarks.
 * Fleming, Kolaczkowski, Kumar, Das, McCarthy, Pattabhiraman & Ingo (2023), Hunter: using change point detection to hunt for
 * performance regressions, ICPE '23, 199-206: today Apache Otava, whose test is Student's t in place of the permutations.
 * Olshen, Venkatraman, Lucito & Wigler (2004), Circular binary segmentation for the analysis of array-based DNA copy number
 * data, Biostatistics 5, 557-572: the stretches.
 */

/* Minimum number of values in a piece. Only segments of at least two pieces are split. */
enum { CHANGEPOINT_SEGMENT = 3 };

/* The default level: one unchanged series in a thousand shows a change. */
#define CHANGEPOINT_LEVEL 0.001
/* Minimum number of values. With fewer, hardly any order is that rare: one in 16 choose 8, 12,870, splits as well. */
enum { CHANGEPOINT_VALUES_LEAST = 16 };

struct changepoint {
	size_t at;		/* index of the first value of the new level */
	double p;		/* twice the fraction of tossed orders that split as well, because two tests are run */
	double before, after;	/* medians of the adjacent pieces */
	bool spread;		/* ranks show no change of level: the spread changed */
};

/*
 * Finds the change points in order, *OUT for free(). Returns their number. NaN and infinite values are skipped. LEVEL
 * is above 0 and below 1.
 */
size_t changepoints_find(const double *values, size_t n, double level, struct changepoint **out);

/* -------- proportions */

/* Shares of a sampled whole: the possible distance between a sampled share and the true one. */

/* Standard errors on each side of a two-sided 95 % interval. */
#define STATS_Z95 1.959963984540054

struct interval {
	double low, high;
};

/*
 * Wilson's score interval for a proportion with HITS in N samples, Z standard errors on each side. HITS need not be
 * whole, for example with weighted samples. It is clamped to 0 and N. The interval lies within 0 and 1; without
 * samples it is 0 to 1.
 */
struct interval stats_wilson(double hits, double n, double z);

/*
 * Exact bounds for the probability of an event from its observed count, for rates of false alarms and the like. Zero of
 * twenty must not be read as never.
 *
 * Clopper & Pearson (1934), The use of confidence or fiducial limits, Biometrika 26, 404-413.
 */

/* P(X <= k) in N trials with probability P each; NaN if P is NaN. */
double binomial_cdf(unsigned k, unsigned n, double p);
/*
 * Returns the exact interval for a probability with HITS in N trials (HITS <= N). Each bound is wrong with probability
 * at most ALPHA (0 < alpha < 0.5). Without trials it is 0 to 1.
 */
struct interval binomial_interval(unsigned hits, unsigned n, double alpha);

/*
 * Compares two profiles of the same program: did the share of one symbol rise? Samples are nearly binomial. Their
 * additional scatter between runs is estimated from the runs and widens every bound.
 *
 * McCullagh & Nelder (1989), Generalized Linear Models, 2nd ed., section 4.5: over-dispersion as the mean Pearson
 * statistic.
 */

/* Lower bound for the ratio of the samples' variance to the binomial one. */
#define SHARE_DISPERSION_LEAST 2.0

/* One symbol in one profile. */
struct share_count {
	double share;			/* 0 to 1; by weight, so it may differ from hits / samples */
	uint64_t samples;		/* total of the profile, at least 1 */
	const uint64_t *run_hits;	/* the symbol's samples per run; NULL: zero in all */
	const uint64_t *run_samples;	/* the profile's samples per run */
	size_t n_runs;
};

struct share_change {
	double rise;		/* rise of the share, absolute: 0.05 is five percentage points */
	double error;		/* standard error of the rise */
	double dispersion;	/* ratio to the binomial variance */
};

void share_compare(const struct share_count *now, const struct share_count *before, struct share_change *out);

/* Returns the variance ratio of both sides' runs together, at least SHARE_DISPERSION_LEAST. BEFORE may be NULL. */
double share_dispersion(const struct share_count *now, const struct share_count *before);
/* Returns the standard error of a share P of SAMPLES. */
double share_error(double p, uint64_t samples, double dispersion);
/* Returns the standard error of P - Q, shares of SAMPLES and OTHERS, under the hypothesis that both are equal. */
double share_rise_error(double p, uint64_t samples, double q, uint64_t others, double dispersion);
/*
 * Returns the fraction, 0 to 1, of all pairs of a NOW run and a BEFORE run in which NOW has the larger share. Ties
 * count as half.
 */
double share_agreement(const struct share_count *now, const struct share_count *before);
/*
 * Returns the samples per side that would reduce Z standard errors to DISTANCE, given SAMPLES per side and a standard
 * error of ERROR now. INFINITY if no number would: DISTANCE is not positive.
 */
double share_samples_needed(double samples, double error, double z, double distance);

/* -------- ranks */

/*
 * Compares two independent samples by the differences of all their pairs: the Hodges-Lehmann
 * estimate of the shift and its exact confidence bounds from the rank-sum distribution.
 *
 * Hodges & Lehmann (1963), Estimates of location based on rank tests, Ann. Math. Stat. 34, 598-611.
 * Mann & Whitney (1947), On a test of whether one of two random variables is stochastically larger
 * than the other, Ann. Math. Stat. 18, 50-60: the recurrence of the null distribution.
 * Bauer (1972), Constructing confidence sets using rank statistics, JASA 67, 687-690: the bounds.
 */

/*
 * The largest size of two samples whose exact distribution is computed. Other sizes count by their number of pairs.
 * Larger samples use the normal approximation with a continuity correction.
 */
enum { RANKSUM_EXACT_LIMIT = 100 };

struct shift {
	double estimate;	/* median of y - x over all pairs */
	double low, high;	/* each bound holds with probability 1 - alpha; -INFINITY, INFINITY if n is too small */
};

/*
 * Computes the shift of Y against X, with one-sided error ALPHA on each side (0 < alpha < 0.5). Returns false, writing
 * nothing, if a side is empty, or a value or difference is not finite. Ties make the bounds wider than necessary,
 * never narrower.
 */
bool ranksum_shift(const double *x, size_t nx, const double *y, size_t ny, double alpha, struct shift *out);

/*
 * Returns the largest k with P(U < k) <= alpha under the null hypothesis, with U the Mann-Whitney statistic of sizes
 * nx, ny. The bounds are the k-th smallest and k-th largest pairwise differences (from 1). 0 if even the extremes are
 * too likely.
 */
size_t ranksum_critical(size_t nx, size_t ny, double alpha);

/*
 * Differences of adjacent pairs: the Hodges-Lehmann estimate of their median, which is the median of the Walsh
 * averages, and its exact confidence bounds from the distribution of Wilcoxon's signed-rank statistic.
 *
 * Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1, 80-83.
 * Hodges & Lehmann (1963), Estimates of location based on rank tests, Ann. Math. Stat. 34, 598-611.
 * Tukey (1949), The simplest signed-rank tests, Memo. Rep. 17, Princeton: bounds as order statistics of Walsh averages.
 */

/* Maximum number of differences: more would have over half a million Walsh averages. */
enum { SIGNRANK_MOST = 1000 };

/*
 * Estimates the median of N differences. The lower bound is too high with probability at most ALPHA_LOW, the upper
 * bound too low with probability at most ALPHA_HIGH (each above 0 and below 0.5). With too few differences a bound is
 * infinite. Ties and zeros make bounds wider than necessary, never narrower. Returns false, writing nothing, if N is 0
 * or beyond SIGNRANK_MOST, or a difference is not finite.
 */
bool signrank_shift(const double *differences, size_t n, double alpha_low, double alpha_high, struct shift *out);

/*
 * Returns the two-sided p value of "the median is 0", exact for the actual ranks: ties share their mean rank, zeros
 * are left out (Wilcoxon's way). 1 if nothing is left; NaN if a difference is not finite or N exceeds SIGNRANK_MOST.
 */
double signrank_p(const double *differences, size_t n);

#endif
