#include "stats/ranksum.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "stats/order.h"

/* The largest k with P(U < k) <= alpha is at most the centre of the distribution, as alpha < 0.5. */
static size_t centre(size_t nx, size_t ny)
{
	return nx * ny / 2;
}

/*
 * P(U = u) of sizes I, J from the distributions of (I - 1, J), which stands in ROW, and of
 * (I, J - 1): the largest of all values is one of the first sample, and then exceeds J others,
 * or it is not. Descending, so that ROW is read before it is overwritten.
 */
static void next_distribution(double *row, const double *fewer, size_t i, size_t j, size_t limit)
{
	double p = (double)i / (double)(i + j);
	size_t last = i * j < limit ? i * j : limit;

	for (size_t u = last + 1; u-- > 0;)
		row[u] = p * (u >= j ? row[u - j] : 0) + (1 - p) * fewer[u];
}

/* P(U = u) for u up to LIMIT; for free(). */
static double *distribution(size_t nx, size_t ny, size_t limit)
{
	size_t fewer = nx < ny ? nx : ny, more = nx < ny ? ny : nx, width = limit + 1;
	double *rows = xcalloc((fewer + 1) * width, sizeof *rows), *last;

	for (size_t j = 0; j <= fewer; j++)
		rows[j * width] = 1;
	for (size_t i = 1; i <= more; i++)
		for (size_t j = 1; j <= fewer; j++)
			next_distribution(rows + j * width, rows + (j - 1) * width, i, j, limit);
	last = xmemdup(rows + fewer * width, width * sizeof *rows);
	free(rows);
	return last;
}

static size_t critical_exact(size_t nx, size_t ny, double alpha)
{
	size_t limit = centre(nx, ny), k = 0;
	CLEANUP(free_ptr) double *p = distribution(nx, ny, limit);
	/* A tail of exactly alpha, such as 1 in 20, must not be lost to rounding. */
	double left = alpha * (1 + 1e-9);

	while (k < limit && p[k] <= left)
		left -= p[k++];
	return k;
}

static double tail_normal(size_t nx, size_t ny, size_t k)
{
	double x = (double)nx, y = (double)ny, sd = sqrt(x * y * (x + y + 1) / 12);

	return erfc((x * y / 2 - ((double)k - 0.5)) / sd / M_SQRT2) / 2;
}

static size_t critical_normal(size_t nx, size_t ny, double alpha)
{
	size_t low = 0, high = centre(nx, ny);

	while (low < high) {
		size_t middle = high - (high - low) / 2;

		if (tail_normal(nx, ny, middle) <= alpha)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

size_t ranksum_critical(size_t nx, size_t ny, double alpha)
{
	if (!nx || !ny)
		return 0;
	if (nx <= RANKSUM_EXACT_LIMIT * RANKSUM_EXACT_LIMIT / ny)
		return critical_exact(nx, ny, alpha);
	return critical_normal(nx, ny, alpha);
}

/* All differences y - x, ascending; NULL when one is not finite. For free(). */
static double *differences(const double *x, size_t nx, const double *y, size_t ny)
{
	double *all = xrealloc_array(NULL, nx * ny, sizeof *all), *next = all;

	for (size_t i = 0; i < nx; i++) {
		for (size_t j = 0; j < ny; j++) {
			*next = y[j] - x[i];
			if (!isfinite(*next++)) {
				free(all);
				return NULL;
			}
		}
	}
	stats_sort(all, nx * ny);
	return all;
}

bool ranksum_shift(const double *x, size_t nx, const double *y, size_t ny, double alpha, struct shift *out)
{
	CLEANUP(free_ptr) double *all = NULL;
	size_t n, k;

	if (!nx || !ny || __builtin_mul_overflow(nx, ny, &n))
		return false;
	all = differences(x, nx, y, ny);
	if (!all)
		return false;
	k = ranksum_critical(nx, ny, alpha);
	*out = (struct shift){
		.estimate = stats_median_sorted(all, n),
		.low = k ? all[k - 1] : -INFINITY,
		.high = k ? all[n - k] : INFINITY,
	};
	return true;
}
