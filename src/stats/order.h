/*
 * Order statistics and robust estimates of location and spread. Pure: numbers in, numbers out.
 * Functions sort their argument where they say so; n must be at least 1 unless said.
 */
#ifndef PAWL_STATS_ORDER_H
#define PAWL_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

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

#endif
