/*
 * One side's value of a pair: a batch of adjacent runs of the target, once for each group of events; or the mean of
 * several such values.
 *
 *	pair_value_measure() -> pair_value_mean() -> pair_value_split(), pair_value_fault() -> pair_value_store() -> pair_value_release()
 */
#ifndef PAWL_MEASURE_PAIR_VALUE_H
#define PAWL_MEASURE_PAIR_VALUE_H

#include "measure/event_groups.h"
#include "measure/runloop.h"
#include "measure/window_doubts.h"

struct pair_value {
	struct measured parts[PASSES_MAX];	/* one a group of events: the mean of its runs */
	size_t n;
};

struct pair_value_spec {
	const struct loop_ops *ops;
	const struct plan *plan;
	const struct event_groups *groups;
	unsigned batch;			/* adjacent runs of each group */
	bool perf;			/* false: nothing is counted */
	struct window_doubts *doubts;	/* gathers those of the windows that count */
};

/* Into OUT, which holds nothing. A run that fails, and a window that must not be counted, is an error. */
int pair_value_measure(const struct pair_value_spec *spec, struct pair_value *out, struct error *err);
/* The mean of N (at least 1) values of one side into OUT, which holds nothing. */
void pair_value_mean(const struct pair_value *values, size_t n, struct pair_value *out);
/* Plan smaller groups where those that were counted were too large: then the value is of no use. */
bool pair_value_split(const struct pair_value *value, struct event_groups *groups, struct strv *notes);
/* Why its times cannot be: no time passed, or what is not a number. NULL: they can. */
const char *pair_value_fault(const struct pair_value *value);
/* Append it to RESULT as one run. */
void pair_value_store(struct pair_value *value, const struct pair_value_spec *spec, struct scenario_result *result);
void pair_value_release(struct pair_value *value);

/* How many runs make a value where the shortest warm-up run of each side took so long. */
unsigned pair_value_batch(double base_ms, double head_ms);

#endif
