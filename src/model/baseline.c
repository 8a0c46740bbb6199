#include "model/baseline.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/result.h"

/* -------- series */

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

/* The same metrics with the same values, in whatever order the metrics are. */
static bool series_set_equal(const struct series_set *a, const struct series_set *b)
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

/* -------- baseline */

void baseline_session_release(struct baseline_session *session)
{
	free(session->date);
	free(session->commit);
	free(session->by);
	free(session->reason);
	free(session->pawl);
	free(session->perf);
	free(session->kernel);
	free(session->executable);
	free(session->measurement);
	strv_release(&session->notes);
	series_set_release(&session->series);
	*session = (struct baseline_session){ 0 };
}

bool baseline_same_measurement(const struct baseline_session *a, const struct baseline_session *b)
{
	if (a->measurement && b->measurement)
		return !strcmp(a->measurement, b->measurement);
	return text_same(a->date, b->date) && series_set_equal(&a->series, &b->series);
}

void baseline_release(struct baseline *baseline)
{
	free(baseline->scenario);
	machine_release(&baseline->machine);
	settings_release(&baseline->settings);
	for (size_t i = 0; i < baseline->n_sessions; i++)
		baseline_session_release(&baseline->sessions[i]);
	free(baseline->sessions);
	profile_release(&baseline->profile);
	*baseline = (struct baseline){ 0 };
}

static void drop_oldest(struct baseline *baseline)
{
	baseline_session_release(&baseline->sessions[0]);
	baseline->n_sessions--;
	memmove(baseline->sessions, baseline->sessions + 1, baseline->n_sessions * sizeof *baseline->sessions);
}

static void round_series(struct series *series, const struct metric *metric)
{
	for (size_t i = 0; i < series->n; i++)
		series->values[i] = metric_round(metric, series->values[i]);
}

static void round_sessions(struct baseline *baseline, size_t from)
{
	CLEANUP(side_result_release) struct side_result known = { 0 };

	settings_define_metrics(&baseline->settings, &known);
	for (size_t i = from; i < baseline->n_sessions; i++) {
		struct series_set *set = &baseline->sessions[i].series;

		for (size_t k = 0; k < set->n; k++)
			round_series(&set->items[k], side_result_metric(&known, set->items[k].metric));
	}
}

void baseline_round(struct baseline *baseline)
{
	round_sessions(baseline, 0);
}

void baseline_add_session(struct baseline *baseline, struct baseline_session *session)
{
	VEC_GROW(baseline->sessions, baseline->n_sessions, baseline->cap_sessions);
	baseline->sessions[baseline->n_sessions++] = *session;
	*session = (struct baseline_session){ 0 };
	round_sessions(baseline, baseline->n_sessions - 1);
	while (baseline->n_sessions > SESSIONS_KEPT)
		drop_oldest(baseline);
}

struct baseline_session *baseline_find_measurement(const struct baseline *baseline, const struct baseline_session *session)
{
	for (size_t i = 0; i < baseline->n_sessions; i++)
		if (baseline_same_measurement(&baseline->sessions[i], session))
			return &baseline->sessions[i];
	return NULL;
}

double *baseline_values(const struct baseline *baseline, const char *metric, size_t *n_out)
{
	double *values = NULL;
	size_t n = 0;

	for (size_t i = 0; i < baseline->n_sessions; i++) {
		const struct series *series = series_find(&baseline->sessions[i].series, metric);

		if (!series || !series->n)
			continue;
		values = xrealloc_array(values, n + series->n, sizeof *values);
		memcpy(values + n, series->values, series->n * sizeof *values);
		n += series->n;
	}
	*n_out = n;
	return values;
}

size_t baseline_count(const struct baseline *baseline, const char *metric)
{
	size_t n;

	free(baseline_values(baseline, metric, &n));
	return n;
}
