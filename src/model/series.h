/*
 * Values of named metrics, one array a metric. Not measured is NaN in a run and absent here:
 * a series holds only what was measured.
 */
#ifndef PAWL_MODEL_SERIES_H
#define PAWL_MODEL_SERIES_H

#include <stdbool.h>
#include <stddef.h>

struct series {
	char *metric;
	double *values;
	size_t n, cap;
};

struct series_set {
	struct series *items;
	size_t n, cap;
};

void series_set_release(struct series_set *set);
/* The series called METRIC, or NULL. */
const struct series *series_find(const struct series_set *set, const char *metric);
/* Append VALUE to the series called METRIC, which is made when missing. NaN is skipped. */
void series_add(struct series_set *set, const char *metric, double value);

/* The same metrics with the same values, in whatever order the metrics are. */
bool series_set_equal(const struct series_set *a, const struct series_set *b);

#endif
