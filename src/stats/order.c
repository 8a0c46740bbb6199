#include "stats/stats.h"

#include <math.h>

#include "base/mem.h"

/* -------- Holm's correction */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct ranked {
	double p;	/* first, for ascending() */
	size_t at;
};

void holm_adjust(const double *p, size_t n, double *adjusted_out)
{
	CLEANUP(free_ptr) struct ranked *ranked = xcalloc(n ?: 1, sizeof *ranked);
	size_t kept = 0;
	double least = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(p[i]))
			ranked[kept++] = (struct ranked){ p[i], i };
		adjusted_out[i] = NAN;
	}
	qsort(ranked, kept, sizeof *ranked, ascending);
	for (size_t i = 0; i < kept; i++) {
		least = fmax(least, fmin((double)(kept - i) * ranked[i].p, 1));
		adjusted_out[ranked[i].at] = least;
	}
}

/* -------- order statistics */

void stats_sort(double *values, size_t n)
{
	if (n > 1)
		qsort(values, n, sizeof *values, ascending);
}

double stats_median_sorted(const double *sorted, size_t n)
{
	double low = sorted[(n - 1) / 2], high = sorted[n / 2];

	/* Halve first: the sum of two large values would overflow. */
	return low == high ? low : low / 2 + high / 2;
}

double stats_median(const double *values, size_t n)
{
	CLEANUP(free_ptr) double *sorted = NULL;

	if (!n)
		return NAN;
	sorted = xcopy(values, n * sizeof *values);
	stats_sort(sorted, n);
	return stats_median_sorted(sorted, n);
}

double stats_least(const double *values, size_t n)
{
	double least = values[0];

	for (size_t i = 1; i < n; i++)
		least = fmin(least, values[i]);
	return least;
}

double stats_most(const double *values, size_t n)
{
	double most = values[0];

	for (size_t i = 1; i < n; i++)
		most = fmax(most, values[i]);
	return most;
}

double stats_mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

double stats_sd(const double *values, size_t n)
{
	double mean, squares = 0;

	if (n < 2)
		return 0;
	mean = stats_mean(values, n);
	for (size_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return sqrt(squares / (double)(n - 1));
}

double stats_trend(const double *values, size_t n)
{
	double score = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			score += (values[k] > values[i]) - (values[k] < values[i]);
	/* Continuity correction: scores are 2 apart. */
	score -= score > 0 ? 1 : score < 0 ? -1 : 0;
	return n < 2 ? 0 : score / sqrt((double)n * ((double)n - 1) * (2 * (double)n + 5) / 18);
}

bool stats_all_finite(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return false;
	return true;
}
