/* Shares of a whole that was sampled: how far a share found may be from the true one. Pure: numbers in, numbers out. */
#ifndef PAWL_STATS_PROPORTIONS_H
#define PAWL_STATS_PROPORTIONS_H

#include <stddef.h>
#include <stdint.h>

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

#endif
