#include "model/series.h"

#include <math.h>

#include "base/mem.h"

void series_set_release(struct series_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		free(set->items[i].metric);
		free(set->items[i].values);
	}
	free(set->items);
	*set = (struct series_set){ 0 };
}

const struct series *series_find(const struct series_set *set, const char *metric)
{
	for (size_t i = 0; i < set->n; i++)
		if (!strcmp(set->items[i].metric, metric))
			return &set->items[i];
	return NULL;
}

void series_add(struct series_set *set, const char *metric, double value)
{
	struct series *series = (struct series *)series_find(set, metric);

	if (isnan(value))
		return;
	if (!series) {
		VEC_GROW(set->items, set->n, set->cap);
		series = &set->items[set->n++];
		*series = (struct series){ .metric = xstrdup(metric) };
	}
	VEC_GROW(series->values, series->n, series->cap);
	series->values[series->n++] = value;
}

bool series_set_equal(const struct series_set *a, const struct series_set *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct series *x = &a->items[i], *y = series_find(b, x->metric);

		if (!y || x->n != y->n || memcmp(x->values, y->values, x->n * sizeof *x->values) != 0)
			return false;
	}
	return true;
}
