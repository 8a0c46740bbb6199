/* Shares of a whole that was sampled: how far a share found may be from the true one. Pure: numbers in, numbers out. */
#ifndef PAWL_STATS_PROPORTION_H
#define PAWL_STATS_PROPORTION_H

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

#endif
