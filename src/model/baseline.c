#include "model/baseline.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- settings */

const char *const extracted_as_names[] = {
	[EXTRACTED_LOWER] = "lower", [EXTRACTED_HIGHER] = "higher", [EXTRACTED_COUNT] = "count", [EXTRACTED_RATE] = "rate", NULL,
};

void settings_release(struct settings *settings)
{
	strv_release(&settings->command);
	free(settings->setup);
	free(settings->prepare);
	strv_release(&settings->environment);
	strv_release(&settings->events);
	free(settings->cpus);
	strv_release(&settings->services);
	free(settings->load);
	for (size_t i = 0; i < settings->n_extracted; i++) {
		free(settings->extracted[i].name);
		free(settings->extracted[i].unit);
		free(settings->extracted[i].where);
	}
	free(settings->extracted);
	*settings = (struct settings){ 0 };
}

void settings_copy(struct settings *out, const struct settings *from)
{
	*out = (struct settings){
		.setup = xstrdup(from->setup),
		.prepare = xstrdup(from->prepare),
		.cpus = xstrdup(from->cpus),
		.aslr_off = from->aslr_off,
		.load = xstrdup(from->load),
		.window_s = from->window_s,
	};
	strv_copy(&out->command, &from->command);
	strv_copy(&out->environment, &from->environment);
	strv_copy(&out->events, &from->events);
	strv_copy(&out->services, &from->services);
	for (size_t i = 0; i < from->n_extracted; i++) {
		const struct extracted *e = &from->extracted[i];

		settings_extract(out, e->name, e->unit, e->where, e->as);
	}
}

void settings_extract(struct settings *settings, const char *name, const char *unit, const char *where, enum extracted_as as)
{
	VEC_GROW(settings->extracted, settings->n_extracted, settings->cap_extracted);
	settings->extracted[settings->n_extracted++] = (struct extracted){ xstrdup(name), xstrdup(unit), xstrdup(where), as };
}

static bool same_extracted(const struct settings *a, const struct settings *b)
{
	if (a->n_extracted != b->n_extracted)
		return false;
	for (size_t i = 0; i < a->n_extracted; i++) {
		const struct extracted *x = &a->extracted[i], *y = &b->extracted[i];

		/* Files have "-" for no unit. */
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

void series_set_release(struct series_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		free(set->items[i].values);
	free(set->items);
	*set = (struct series_set){ 0 };
}

const struct series *series_find(const struct series_set *set, const struct metric *metric)
{
	for (size_t i = 0; i < set->n; i++)
		if (metric_same(set->items[i].metric, metric))
			return &set->items[i];
	return NULL;
}

void series_add(struct series_set *set, const struct metric *metric, double value)
{
	struct series *series = (struct series *)series_find(set, metric);

	if (isnan(value))
		return;
	if (!series) {
		VEC_GROW(set->items, set->n, set->cap);
		series = &set->items[set->n++];
		*series = (struct series){ .metric = metric };
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
	own_metrics_release(&baseline->own_metrics);
	for (size_t i = 0; i < baseline->n_sessions; i++)
		baseline_session_release(&baseline->sessions[i]);
	free(baseline->sessions);
	profile_release(&baseline->profile);
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

void baseline_add_session(struct baseline *baseline, struct baseline_session *session)
{
	for (size_t i = 0; i < session->series.n; i++) {
		struct series *series = &session->series.items[i];

		series->metric = own_metrics_add(&baseline->own_metrics, series->metric);
		for (size_t k = 0; k < series->n; k++)
			series->values[k] = metric_round(series->metric, series->values[k]);
	}
	VEC_GROW(baseline->sessions, baseline->n_sessions, baseline->cap_sessions);
	baseline->sessions[baseline->n_sessions++] = *session;
	*session = (struct baseline_session){ 0 };
	while (baseline->n_sessions > SESSIONS_KEPT) {
		baseline_session_release(&baseline->sessions[0]);
		baseline->n_sessions--;
		memmove(baseline->sessions, baseline->sessions + 1, baseline->n_sessions * sizeof *baseline->sessions);
	}
}

struct baseline_session *baseline_find_measurement(const struct baseline *baseline, const struct baseline_session *session)
{
	for (size_t i = 0; i < baseline->n_sessions; i++)
		if (baseline_same_measurement(&baseline->sessions[i], session))
			return &baseline->sessions[i];
	return NULL;
}

double *baseline_values(const struct baseline *baseline, const struct metric *metric, size_t *n_out)
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

size_t baseline_count(const struct baseline *baseline, const struct metric *metric)
{
	size_t n;

	free(baseline_values(baseline, metric, &n));
	return n;
}
