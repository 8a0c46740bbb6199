/* What a scenario tolerates of one metric. A plain value; the metric is not owned. */
#ifndef PAWL_MODEL_GATE_H
#define PAWL_MODEL_GATE_H

#include <stdbool.h>

#include "model/metric.h"

struct gate {
	const struct metric *metric;
	bool relative;		/* compared with a baseline */
	bool by_default;	/* the tolerance is the catalogue's, not the scenario's */
	double tolerance_pct;	/* how much worse is tolerated: positive whichever way is worse */
	double max, min;	/* absolute budgets in the metric's unit; NaN: none */
	bool required;		/* not measured is status 3 */
	unsigned line, column;	/* in the scenario, for annotations; 0 unknown */
};

#endif
