#include "model/measured.h"

#include <math.h>

#include "model/perfstat.h"

void measured_release(struct measured *measured)
{
	perf_rows_release(&measured->rows);
}

void measured_set(struct scenario_result *result, struct run *run, const char *metric, double value)
{
	size_t column = scenario_result_column(result, scenario_result_metric(result, metric));

	run->values[column] = value;
}

static double get(const struct scenario_result *result, const struct run *run, const char *metric)
{
	for (size_t i = 0; i < result->n_metrics; i++)
		if (!strcmp(result->metrics[i]->name, metric))
			return run->values[i];
	return NAN;
}

void measured_derive(struct scenario_result *result, struct run *run)
{
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *m = &metric_catalogue[i];
		double above, below;

		if (!m->numerator)
			continue;
		above = get(result, run, m->numerator);
		below = get(result, run, m->denominator);
		if (isnan(above) || isnan(below) || below <= 0)
			continue;
		/* The only denominator with a dimension is task-clock, in milliseconds. */
		measured_set(result, run, m->name, above / below * (m->unit == UNIT_HZ ? 1e3 : 1));
	}
}

void measured_store(struct measured *measured, const struct strv *events, unsigned pass,
		    struct scenario_result *result)
{
	const struct { const char *metric; double value; } target[] = {
		{ "wall-time", measured->wall_ms },
		{ "user-time", measured->user_ms },
		{ "system-time", measured->system_ms },
		{ "cpu-time", measured->cpu_ms },
		{ "max-rss", measured->max_rss_bytes },
		{ "page-faults", measured->page_faults },
		{ "major-faults", measured->major_faults },
		{ "voluntary-switches", measured->voluntary_switches },
		{ "involuntary-switches", measured->involuntary_switches },
	};
	struct run *run = scenario_result_add_run(result);

	run->pass = pass;
	run->rows = measured->rows;
	measured->rows = (struct perf_rows){ 0 };
	for (size_t i = 0; i < events->n; i++)
		measured_set(result, run, events->items[i], perfstat_value(&run->rows, events->items[i], NULL));
	for (size_t i = 0; i < sizeof target / sizeof target[0]; i++)
		measured_set(result, run, target[i].metric, target[i].value);
	measured_derive(result, run);
}
