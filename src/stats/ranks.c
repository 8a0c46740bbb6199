#include "stats/stats.h"

#include <math.h>

#include "base/mem.h"

/* -------- signed ranks (Wilcoxon) */

/*
 * Holds ranks and rank sums of at most SIGNRANK_MOST differences, with room to spare. All are doubled, so that the
 * ranks of ties are whole numbers.
 */
typedef unsigned rank_sum;

/*
 * Returns P(S = s) for s up to LIMIT, for free(). S is the sum of the RANKS, N in number, whose fair coin shows heads.
 * Halving at each step keeps the smallest value, 2^-N, within the range of a double.
 */
static double *signrank_distribution(const rank_sum *ranks, size_t n, rank_sum limit)
{
	double *p = xcalloc((size_t)limit + 1, sizeof *p);
	rank_sum last = 0;

	p[0] = 1;
	for (size_t i = 0; i < n; i++) {
		rank_sum rank = ranks[i];

		last = limit - last > rank ? last + rank : limit;
		for (rank_sum s = last; s >= rank; s--)
			p[s] = (p[s] + p[s - rank]) / 2;
		for (rank_sum s = 0; s < rank && s <= last; s++)
			p[s] /= 2;
	}
	return p;
}

static size_t walsh_count(size_t n)
{
	return n * (n + 1) / 2;
}

/*
 * Returns the largest k up to LIMIT with P(W < k) <= alpha, given P(W = k) as P. The bounds are the k-th smallest and
 * the k-th largest average or difference (from 1). 0 if even the extremes are too likely. LIMIT is the middle of the
 * distribution; k cannot exceed it, because alpha < 0.5.
 */
static size_t critical(const double *p, size_t limit, double alpha)
{
	/* Rounding must not lose a tail of exactly alpha, such as 1 in 32. */
	double left = alpha * (1 + 1e-9);
	size_t k = 0;

	while (k < limit && p[k] <= left)
		left -= p[k++];
	return k;
}

bool signrank_shift(const double *differences, size_t n, double alpha_low, double alpha_high, struct shift *out)
{
	size_t count = walsh_count(n), low, high, at = 0;
	CLEANUP(free_ptr) double *walsh = NULL, *p = NULL;
	CLEANUP(free_ptr) rank_sum *untied = NULL;

	if (!n || n > SIGNRANK_MOST || !stats_all_finite(differences, n))
		return false;
	walsh = xcalloc(count, sizeof *walsh);
	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			double a = differences[i], b = differences[j];

			/* Halve first: the sum of two large differences would overflow. */
			walsh[at++] = a == b ? a : a / 2 + b / 2;
		}
	stats_sort(walsh, count);
	untied = xcalloc(n, sizeof *untied);
	for (size_t i = 0; i < n; i++)
		untied[i] = (rank_sum)i + 1;
	p = signrank_distribution(untied, n, (rank_sum)(count / 2));
	low = critical(p, count / 2, alpha_low);
	high = critical(p, count / 2, alpha_high);
	*out = (struct shift){
		.estimate = stats_median_sorted(walsh, count),
		.low = low ? walsh[low - 1] : -INFINITY,
		.high = high ? walsh[count - high] : INFINITY,
	};
	return true;
}

static int by_size(const void *a, const void *b)
{
	double x = fabs(*(const double *)a), y = fabs(*(const double *)b);

	return (x > y) - (x < y);
}

/*
 * Computes twice the ranks of SORTED's magnitudes, with mean ranks for ties. Returns twice the rank sum of the
 * positive differences.
 */
static rank_sum doubled_ranks(const double *sorted, size_t n, rank_sum *ranks)
{
	rank_sum positive = 0;

	for (size_t start = 0, end; start < n; start = end) {
		for (end = start; end < n && fabs(sorted[end]) == fabs(sorted[start]); end++)
			;
		for (size_t i = start; i < end; i++) {
			ranks[i] = (rank_sum)(start + 1 + end);
			if (sorted[i] > 0)
				positive += ranks[i];
		}
	}
	return positive;
}

double signrank_p(const double *differences, size_t n)
{
	CLEANUP(free_ptr) double *sorted = xcalloc(n ?: 1, sizeof *sorted);
	CLEANUP(free_ptr) rank_sum *ranks = xcalloc(n ?: 1, sizeof *ranks);
	CLEANUP(free_ptr) double *p = NULL;
	rank_sum positive, negative, smaller;
	size_t kept = 0;
	double tail = 0;

	if (n > SIGNRANK_MOST || !stats_all_finite(differences, n))
		return NAN;
	for (size_t i = 0; i < n; i++)
		if (differences[i] != 0)
			sorted[kept++] = differences[i];
	qsort(sorted, kept, sizeof *sorted, by_size);
	positive = doubled_ranks(sorted, kept, ranks);
	negative = (rank_sum)(2 * walsh_count(kept)) - positive;
	smaller = positive < negative ? positive : negative;
	p = signrank_distribution(ranks, kept, smaller);
	for (rank_sum s = 0; s <= smaller; s++)
		tail += p[s];
	return fmin(2 * tail, 1);
}

/* -------- rank sums (Mann-Whitney) */

/* Returns P(U = u) for u up to LIMIT; for free(). */
static double *distribution(size_t nx, size_t ny, size_t limit)
{
	size_t fewer = nx < ny ? nx : ny, more = nx < ny ? ny : nx, width = limit + 1;
	double *rows = xcalloc((fewer + 1) * width, sizeof *rows), *wanted;

	for (size_t j = 0; j <= fewer; j++)
		rows[j * width] = 1;
	/*
	 * (i, j) follows from (i - 1, j), which is in its row, and from (i, j - 1). The largest value belongs to the
	 * first sample, and then exceeds j others, or to the second. Descends, so that each cell is read before it is
	 * overwritten.
	 */
	for (size_t i = 1; i <= more; i++)
		for (size_t j = 1; j <= fewer; j++) {
			double *row = rows + j * width, p = (double)i / (double)(i + j);

			for (size_t u = (i * j < limit ? i * j : limit) + 1; u-- > 0;)
				row[u] = p * (u >= j ? row[u - j] : 0) + (1 - p) * row[u - width];
		}
	wanted = xcopy(rows + fewer * width, width * sizeof *rows);
	free(rows);
	return wanted;
}

size_t ranksum_critical(size_t nx, size_t ny, double alpha)
{
	double x = (double)nx, y = (double)ny, sd = sqrt(x * y * (x + y + 1) / 12);
	size_t most = nx * ny / 2;

	if (!nx || !ny)
		return 0;
	if (nx <= (size_t)RANKSUM_EXACT_LIMIT * RANKSUM_EXACT_LIMIT / ny) {
		CLEANUP(free_ptr) double *p = distribution(nx, ny, most);

		return critical(p, most, alpha);
	}
	return SEARCH_FIRST(k, most, erfc((x * y / 2 - ((double)k + 0.5)) / sd / M_SQRT2) / 2 > alpha);
}

bool ranksum_shift(const double *x, size_t nx, const double *y, size_t ny, double alpha, struct shift *out)
{
	CLEANUP(free_ptr) double *all = NULL;
	size_t n, k;

	if (!nx || !ny || __builtin_mul_overflow(nx, ny, &n) || !stats_all_finite(x, nx) || !stats_all_finite(y, ny))
		return false;
	all = xrealloc_array(NULL, n, sizeof *all);
	for (size_t i = 0; i < n; i++)
		all[i] = y[i % ny] - x[i / ny];
	if (!stats_all_finite(all, n))
		return false;
	stats_sort(all, n);
	k = ranksum_critical(nx, ny, alpha);
	*out = (struct shift){
		.estimate = stats_median_sorted(all, n),
		.low = k ? all[k - 1] : -INFINITY,
		.high = k ? all[n - k] : INFINITY,
	};
	return true;
}
