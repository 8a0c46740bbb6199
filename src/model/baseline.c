#include "model/baseline.h"

#include <math.h>

/* -------- settings */

const char *const extracted_as_names[] = {
	[EXTRACTED_LOWER] = "lower", [EXTRACTED_HIGHER] = "higher", [EXTRACTED_COUNT] = "count", [EXTRACTED_RATE] = "rate", NULL,
};

void settings_extract(struct arena *arena, struct settings *settings, const char *name, const char *unit,
		      const char *where, enum extracted_as as)
{
	*ARENA_ADD(arena, settings->extracted, settings->n_extracted, settings->cap_extracted) = (struct extracted){
		arena_strdup(arena, name), arena_strdup(arena, unit), arena_strdup(arena, where), as,
	};
}

static bool same_extracted(const struct settings *a, const struct settings *b)
{
	if (a->n_extracted != b->n_extracted)
		return false;
	for (size_t i = 0; i < a->n_extracted; i++) {
		const struct extracted *x = &a->extracted[i], *y = &b->extracted[i];

		/* Files write "-" for no unit. */
		if (strcmp(x->name, y->name) || strcmp(x->unit ?: "-", y->unit ?: "-") || strcmp(x->where, y->where) || x->as != y->as)
			return false;
	}
	return true;
}

const char *settings_difference(const struct settings *a, const struct settings *b)
{
	const struct { const char *name; bool same; } parts[] = {
		{ "command", strv_equal(&a->command, &b->command) },
		{ "setup", text_same(a->setup, b->setup) },
		{ "prepare", text_same(a->prepare, b->prepare) },
		{ "environment", strv_equal(&a->environment, &b->environment) },
		{ "events", strv_equal(&a->events, &b->events) },
		{ "cpus", text_same(a->cpus, b->cpus) },
		{ "aslr", a->aslr_off == b->aslr_off },
		{ "services", strv_equal(&a->services, &b->services) },
		{ "load", text_same(a->load, b->load) },
		{ "metrics", same_extracted(a, b) },
		{ "window", a->window_s == b->window_s },
	};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!parts[i].same)
			return parts[i].name;
	return NULL;
}

/* -------- series */

const struct series *series_find(const struct series_set *set, const struct metric *metric)
{
	for (size_t i = 0; i < set->n; i++)
		if (metric_same(set->items[i].metric, metric))
			return &set->items[i];
	return NULL;
}

/* True if both have the same metrics with the same values. The order of the metrics does not matter. */
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

bool baseline_same_measurement(const struct baseline_session *a, const struct baseline_session *b)
{
	if (a->measurement && b->measurement)
		return !strcmp(a->measurement, b->measurement);
	return text_same(a->date, b->date) && series_set_equal(&a->series, &b->series);
}

void baseline_release(struct baseline *baseline)
{
	machine_release(&baseline->machine);
	own_metrics_release(&baseline->own_metrics);
	profile_release(&baseline->profile);
	arena_release(&baseline->arena);
	*baseline = (struct baseline){ 0 };
}

void baseline_define_metrics(struct baseline *baseline)
{
	for (size_t i = 0; i < baseline->settings.n_extracted; i++) {
		const struct extracted *e = &baseline->settings.extracted[i];
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;

		if (e->as == EXTRACTED_LOWER || e->as == EXTRACTED_HIGHER)
			own_metrics_add(&baseline->own_metrics, metric_custom(&arena, e->name, e->unit, e->as == EXTRACTED_HIGHER));
	}
}

const char *baseline_work_unit(const struct baseline *baseline)
{
	const char *unit = NULL;

	for (size_t i = 0; i < baseline->settings.n_extracted; i++)
		if (baseline->settings.extracted[i].as == EXTRACTED_COUNT || baseline->settings.extracted[i].as == EXTRACTED_RATE)
			unit = baseline->settings.extracted[i].unit;
	return unit ?: "unit of work";
}

struct baseline_session *baseline_add_session(struct baseline *baseline)
{
	if (baseline->n_sessions == SESSIONS_KEPT) {
		size_t drop = 0;

		while (drop < SESSIONS_KEPT && !baseline->sessions[drop].busy.n)
			drop++;
		drop %= SESSIONS_KEPT;
		baseline->n_sessions = SESSIONS_KEPT - 1;
		memmove(&baseline->sessions[drop], &baseline->sessions[drop + 1], (baseline->n_sessions - drop) * sizeof *baseline->sessions);
	}
	ARENA_GROW(&baseline->arena, baseline->sessions, baseline->n_sessions, baseline->cap_sessions);
	baseline->sessions[baseline->n_sessions] = (struct baseline_session){ 0 };
	return &baseline->sessions[baseline->n_sessions++];
}

void baseline_add_value(struct baseline *baseline, struct baseline_session *session, const struct metric *metric,
			double value)
{
	struct series_set *set = &session->series;
	struct series *series = (struct series *)series_find(set, metric);

	if (isnan(value))
		return;
	if (!series) {
		series = ARENA_ADD(&baseline->arena, set->items, set->n, set->cap);
		series->metric = own_metrics_add(&baseline->own_metrics, metric);
	}
	*ARENA_ADD(&baseline->arena, series->values, series->n, series->cap) = metric_round(series->metric, value);
}

struct baseline_session *baseline_find_measurement(const struct baseline *baseline, const struct baseline_session *session)
{
	for (size_t i = 0; i < baseline->n_sessions; i++)
		if (baseline_same_measurement(&baseline->sessions[i], session))
			return &baseline->sessions[i];
	return NULL;
}

const char *baseline_simulator(const struct baseline *baseline)
{
	for (size_t i = baseline->n_sessions; i-- > 0;) {
		const struct series_set *set = &baseline->sessions[i].series;

		for (size_t k = 0; k < set->n; k++)
			if (set->items[k].metric->source == SOURCE_SIMULATED)
				return baseline->sessions[i].simulator;
	}
	return NULL;
}

bool baseline_counted_alike(const struct baseline *baseline, const char *simulator, const struct metric *metric)
{
	return metric->source != SOURCE_SIMULATED || text_same(simulator, baseline_simulator(baseline));
}

static bool has_values(const struct baseline_session *session, const struct metric *metric)
{
	const struct series *series = series_find(&session->series, metric);

	return series && series->n;
}

bool baseline_counts(const struct baseline *baseline, const struct baseline_session *session, const struct metric *metric)
{
	if (!has_values(session, metric))
		return false;
	if (metric->source == SOURCE_SIMULATED)
		return text_same(session->simulator, baseline_simulator(baseline));
	for (size_t i = 0; session->busy.n && metric_disturbed(metric) && i < baseline->n_sessions; i++)
		if (!baseline->sessions[i].busy.n && has_values(&baseline->sessions[i], metric))
			return false;
	return true;
}

double *baseline_values(const struct baseline *baseline, const struct metric *metric, size_t *n_out)
{
	double *values = NULL;
	size_t n = 0;

	for (size_t i = 0; i < baseline->n_sessions; i++) {
		const struct series *series = series_find(&baseline->sessions[i].series, metric);

		if (!baseline_counts(baseline, &baseline->sessions[i], metric))
			continue;
		values = xrealloc_array(values, n + series->n, sizeof *values);
		memcpy(values + n, series->values, series->n * sizeof *values);
		n += series->n;
	}
	*n_out = n;
	return values;
}

size_t baseline_count(const struct baseline *baseline, const struct metric *metric)
{
	size_t n;

	free(baseline_values(baseline, metric, &n));
	return n;
}
