/*
 * Comparing two independent samples by the differences of all their pairs: the Hodges-Lehmann
 * estimate of the shift and its exact confidence bounds from the rank-sum distribution.
 *
 * Hodges & Lehmann (1963), Estimates of location based on rank tests, Ann. Math. Stat. 34, 598-611.
 * Mann & Whitney (1947), On a test of whether one of two random variables is stochastically larger
 * than the other, Ann. Math. Stat. 18, 50-60: the recurrence of the null distribution.
 * Bauer (1972), Constructing confidence sets using rank statistics, JASA 67, 687-690: the bounds.
 */
#ifndef PAWL_STATS_RANKS_H
#define PAWL_STATS_RANKS_H

#include <stdbool.h>
#include <stddef.h>

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
