/* Hand-made baselines and gates for the judging tests. */
#ifndef PAWL_TESTS_GATE_SAMPLES_H
#define PAWL_TESTS_GATE_SAMPLES_H

#include <math.h>

#include "base/mem.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/measured.h"

static inline struct gate relative_gate(const struct metric *metric, double tolerance_pct)
{
	return (struct gate){ .metric = metric, .relative = true, .tolerance_pct = tolerance_pct, .max = NAN, .min = NAN };
}

/* Starts a new session at the end of BASE, for add_to_session(). */
static inline void add_session(struct baseline *base)
{
	baseline_add_session(base);
}

static inline void add_to_session(struct baseline *base, const char *metric, const double *values, size_t n)
{
	struct baseline_session *session = &base->sessions[base->n_sessions - 1];
	const struct metric *known = own_metrics_find(&base->own_metrics, metric);

	for (size_t i = 0; i < n; i++) {
		const struct series *series;

		baseline_add_value(base, session, known, values[i]);
		series = series_find(&session->series, known);
		/* Stored unrounded, so that a test can compute the expected result. */
		if (series)
			series->values[series->n - 1] = values[i];
	}
}

static inline void add_same(struct baseline *base, const char *metric, double value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add_to_session(base, metric, &value, 1);
}

/* Sets METRIC to VALUE in all N runs of S. */
static inline void set_runs(struct scenario_result *s, const char *metric, double value, size_t n)
{
	while (s->head.n_runs < n)
		side_result_add_run(&s->head);
	for (size_t i = 0; i < n; i++)
		measured_set(&s->head, &s->head.runs[i], own_metrics_find(&s->head.own_metrics, metric), value);
}

#endif
