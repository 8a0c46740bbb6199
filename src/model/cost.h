/* Converts shares of a profile to costs, and formats costs. */
#ifndef PAWL_MODEL_COST_H
#define PAWL_MODEL_COST_H

#include <stdbool.h>

#include "model/baseline.h"
#include "model/metrics/metric.h"
#include "model/result.h"

/* The cost of the whole profile on both sides. Multiplied by it, a share becomes a cost. */
struct cost {
	const struct metric *metric;	/* task-clock, else instructions; NULL: neither is known on both sides */
	double now, before;		/* medians; NaN: unknown. `now` may be known without `before` */
	double now_error, before_error;	/* one standard error of the medians, from the scatter of the runs */
	bool per_work;
	/*
	 * Part of an execution that only one of the profiles can see, 0 to 1. A share may rise by this without a
	 * change. The clock's first tick comes a whole period after a program's start, so two frequencies differ in
	 * it.
	 */
	double unseen;
};

/* Fills OUT. If BASE is NULL, or of another machine whose values do not compare, only `now` is known. */
void cost_find(const struct scenario_result *scenario, const struct baseline *base, struct cost *out);

/* AMOUNT without a sign, with the name of what is counted: "6.10 ms", "12.4 M instructions". The caller adds "more". */
struct cost_text { char text[64]; } cost_text(double amount, const struct metric *metric);

#endif
