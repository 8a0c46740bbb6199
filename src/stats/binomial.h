/*
 * How often something happens that was seen so and so many times: exact bounds, for rates of false alarms and
 * the like, where zero of twenty must not be read as never.
 *
 * Clopper & Pearson (1934), The use of confidence or fiducial limits, Biometrika 26, 404-413.
 */
#ifndef PAWL_STATS_BINOMIAL_H
#define PAWL_STATS_BINOMIAL_H

#include "stats/proportion.h"

/* P(X <= k) of N trials with probability P each; NaN when P is. */
double binomial_cdf(unsigned k, unsigned n, double p);
/*
 * The exact interval of a probability of which HITS of N (HITS <= N) were seen; each bound is wrong with probability
 * ALPHA at the most (0 < alpha < 0.5). Without any trial it is 0 to 1.
 */
struct interval binomial_interval(unsigned hits, unsigned n, double alpha);

#endif
