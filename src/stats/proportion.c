#include "stats/proportion.h"

#include <math.h>

struct interval stats_wilson(double hits, double n, double z)
{
	double p, centre, half, scale;

	if (!(n > 0))
		return (struct interval){ 0, 1 };
	p = fmin(fmax(hits / n, 0), 1);
	scale = 1 + z * z / n;
	centre = (p + z * z / (2 * n)) / scale;
	half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
	/* At both ends one bound is exactly the end, which rounding may miss. */
	return (struct interval){ p > 0 ? fmax(centre - half, 0) : 0, p < 1 ? fmin(centre + half, 1) : 1 };
}
