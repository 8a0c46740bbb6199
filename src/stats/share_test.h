/*
 * Two profiles of the same program: did the share of one symbol rise? Samples are nearly binomial; how much more
 * they scatter from run to run than that is taken from the runs and widens every bound.
 *
 * McCullagh & Nelder (1989), Generalized Linear Models, 2nd ed., section 4.5: over-dispersion as the mean Pearson
 * statistic.
 */
#ifndef PAWL_STATS_SHARE_TEST_H
#define PAWL_STATS_SHARE_TEST_H

#include <stddef.h>
#include <stdint.h>

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
