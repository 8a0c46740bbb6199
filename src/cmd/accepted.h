/*
 * What a baseline's numbers are, for showing them: the settings know the units of printed metrics and
 * what the load does.
 */
#ifndef PAWL_CMD_ACCEPTED_H
#define PAWL_CMD_ACCEPTED_H

#include "base/strbuf.h"
#include "model/result.h"

struct accepted {
	const struct baseline *base;	/* NULL: there is none */
	struct scenario_result known;	/* its metrics, for format.h */
};

/* BASE, which may be NULL, must outlive it. */
void accepted_init(struct accepted *accepted, const struct baseline *base);
void accepted_release(struct accepted *accepted);
const struct session *accepted_last(const struct baseline *base);

/* Calls EACH for the metrics that people are shown; a total is left out where there is its value per unit of work. */
void accepted_each(struct accepted *accepted, void (*each)(const struct metric *metric, void *ctx), void *ctx);

/* How a metric moved from one baseline to what is NOW; pct is NaN where there is nothing to compare. */
struct metric_change {
	const struct metric *metric;
	double before, now, pct;
};

void metric_change_set(struct accepted *before, const struct metric *metric, double now, struct metric_change *out);
/* "task-clock per request   2.5 us -> 2.7 us  +8.0 %", safe for a terminal; KNOWN has the metric. */
void metric_change_add(struct strbuf *out, const struct scenario_result *known, const struct metric_change *change);

#endif
