#include "stats/stats.h"

#include <math.h>

/* -------- binomial tests */

/* Terms of a tail below this fraction of the sum no longer change it. */
#define NEGLIGIBLE 1e-18

/* ln of the binomial coefficient, N choose K. */
static double log_choices(unsigned k, unsigned n)
{
	unsigned few = k < n - k ? k : n - k;
	double sum = 0;

	for (unsigned i = 1; i <= few; i++)
		sum += log((double)(n - few + i) / i);
	return sum;
}

/* P(X = k), 0 < p < 1. */
static double term(unsigned k, unsigned n, double p)
{
	return exp(log_choices(k, n) + k * log(p) + (n - k) * log1p(-p));
}

/* P(X <= k), summed downwards from k, where the terms fall. Requires k <= n p. */
static double lower_tail(unsigned k, unsigned n, double p)
{
	double odds = (1 - p) / p, part = term(k, n, p), sum = part;

	for (unsigned i = k; i > 0 && part > sum * NEGLIGIBLE; i--) {
		part *= odds * i / (n - i + 1.0);
		sum += part;
	}
	return sum;
}

double binomial_cdf(unsigned k, unsigned n, double p)
{
	if (isnan(p))
		return NAN;
	if (k >= n || p <= 0)
		return 1;
	if (p >= 1)
		return 0;
	/* More than k hits are fewer than n - k misses. */
	if (k > n * p)
		return fmax(1 - lower_tail(n - k - 1, n, 1 - p), 0);
	return fmin(lower_tail(k, n, p), 1);
}

/* Returns the probability at which HITS or fewer hits have probability ALPHA. */
static double upper_bound(unsigned hits, unsigned n, double alpha)
{
	double low = 0, high = 1;

	if (hits >= n)
		return 1;
	for (;;) {
		double middle = low + (high - low) / 2;

		if (middle <= low || middle >= high)
			return high;
		if (binomial_cdf(hits, n, middle) > alpha)
			low = middle;
		else
			high = middle;
	}
}

struct interval binomial_interval(unsigned hits, unsigned n, double alpha)
{
	return (struct interval){ 1 - upper_bound(n - hits, n, alpha), upper_bound(hits, n, alpha) };
}

/* -------- shares of two profiles */

static double hits(const struct share_count *count, size_t run)
{
	return count->run_hits ? (double)count->run_hits[run] : 0;
}

/* Returns Pearson's statistic of the runs against their common share. Adds its degrees of freedom to *FREEDOM. */
static double pearson(const struct share_count *count, double *freedom)
{
	double all_hits = 0, all = 0, p, sum = 0;

	for (size_t i = 0; i < count->n_runs; i++) {
		all_hits += hits(count, i);
		all += (double)count->run_samples[i];
	}
	p = all > 0 ? all_hits / all : 0;
	if (count->n_runs < 2 || p <= 0 || p >= 1)
		return 0;
	for (size_t i = 0; i < count->n_runs; i++) {
		double n = (double)count->run_samples[i], off = hits(count, i) - n * p;

		sum += n > 0 ? off * off / (n * p * (1 - p)) : 0;
	}
	*freedom += (double)count->n_runs - 1;
	return sum;
}

double share_dispersion(const struct share_count *now, const struct share_count *before)
{
	double freedom = 0, sum = pearson(now, &freedom);

	if (before)
		sum += pearson(before, &freedom);
	return freedom > 0 ? fmax(SHARE_DISPERSION_LEAST, sum / freedom) : SHARE_DISPERSION_LEAST;
}

double share_error(double p, uint64_t samples, double dispersion)
{
	return samples ? sqrt(dispersion * p * (1 - p) / (double)samples) : INFINITY;
}

double share_rise_error(double p, uint64_t samples, double q, uint64_t others, double dispersion)
{
	double n = (double)samples, m = (double)others, pooled = (p * n + q * m) / (n + m);

	return sqrt(dispersion * pooled * (1 - pooled) * (1 / n + 1 / m));
}

void share_compare(const struct share_count *now, const struct share_count *before, struct share_change *out)
{
	out->rise = now->share - before->share;
	out->dispersion = share_dispersion(now, before);
	out->error = share_rise_error(now->share, now->samples, before->share, before->samples, out->dispersion);
}

static double run_share(const struct share_count *count, size_t run)
{
	return count->run_samples[run] ? hits(count, run) / (double)count->run_samples[run] : 0;
}

double share_agreement(const struct share_count *now, const struct share_count *before)
{
	double agree = 0;

	for (size_t i = 0; i < now->n_runs; i++) {
		for (size_t k = 0; k < before->n_runs; k++) {
			double rise = run_share(now, i) - run_share(before, k);

			agree += rise > 0 ? 1 : rise < 0 ? 0 : 0.5;
		}
	}
	return now->n_runs && before->n_runs ? agree / (double)(now->n_runs * before->n_runs) : 0;
}

double share_samples_needed(double samples, double error, double z, double distance)
{
	double ratio = distance > 0 ? z * error / distance : INFINITY;

	return samples * ratio * ratio;
}

/* -------- intervals of one proportion */

struct interval stats_wilson(double hits, double n, double z)
{
	double p, centre, half, scale;

	if (!(n > 0))
		return (struct interval){ 0, 1 };
	p = fmin(fmax(hits / n, 0), 1);
	scale = 1 + z * z / n;
	centre = (p + z * z / (2 * n)) / scale;
	half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
	/* At 0 and 1 one bound is exactly the end. Rounding may miss it. */
	return (struct interval){ p > 0 ? fmax(centre - half, 0) : 0, p < 1 ? fmin(centre + half, 1) : 1 };
}
