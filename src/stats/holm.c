#include "stats/holm.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"

struct ranked {
	double p;
	size_t at;
};

static int smallest_first(const void *a, const void *b)
{
	double x = ((const struct ranked *)a)->p, y = ((const struct ranked *)b)->p;

	return (x > y) - (x < y);
}

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
	qsort(ranked, kept, sizeof *ranked, smallest_first);
	for (size_t i = 0; i < kept; i++) {
		least = fmax(least, fmin((double)(kept - i) * ranked[i].p, 1));
		adjusted_out[ranked[i].at] = least;
	}
}
