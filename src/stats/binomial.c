#include "stats/binomial.h"

#include <math.h>

/* Below this part of the sum so far, further terms of a tail change nothing. */
#define NEGLIGIBLE 1e-18

/* ln of how many ways there are to choose K of N. */
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

/* P(X <= k), summed downwards from k, where the terms fall: k at most n p. */
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

/* The probability at which so few hits as HITS, or fewer, have probability ALPHA. */
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
