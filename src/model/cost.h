/*
 * What the whole of a profile stands for, by which shares become costs; and a cost in words.
 */
#ifndef PAWL_MODEL_COST_H
#define PAWL_MODEL_COST_H

#include <stdbool.h>

#include "model/baseline.h"
#include "model/metric.h"
#include "model/result.h"

/* What the whole of a profile stands for on both sides, by which shares become costs. */
struct cost {
	const struct metric *metric;	/* task-clock, else instructions; NULL: neither is known on both sides */
	double now, before;		/* medians; NaN unknown. `now` may be known where `before` is not */
	double now_error, before_error;	/* one standard error of them, as their runs scatter */
	bool per_work;
	/*
	 * The clock's first tick comes a whole period after a program's start. Where the profiles were taken at two
	 * frequencies, the part of an execution that only one of them sees, 0 to 1: a share may rise by so much by itself.
	 */
	double unseen;
};

/* BASE may be NULL, or of another machine whose values are not to be compared: then only `now` is known. */
void cost_find(const struct scenario_result *scenario, const struct baseline *base, struct cost *out);
/* "6.1 ms", "310 us", "12.4 M instructions". Unsigned: the caller adds more or less. */
struct cost_text { char text[64]; } cost_text(double amount, const struct metric *metric);

#endif
