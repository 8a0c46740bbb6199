#include "report/load.h"

#include <math.h>
#include <string.h>

#include "report/format.h"

void load_attached(struct strbuf *out, const struct scenario_result *scenario)
{
	double wall_ms = scenario_result_median(scenario, "wall-time");

	if (!scenario->attached)
		return;
	strbuf_adds(out, scenario->attached);
	if (!scenario->n_runs)
		return;
	strbuf_addf(out, ", %zu %s", scenario->n_runs, scenario_result_runs(scenario, scenario->n_runs));
	if (isnan(wall_ms))
		return;
	strbuf_adds(out, " of ");
	format_value(out, wall_ms, UNIT_MS);
}

static void add_unit(struct strbuf *out, const struct scenario_result *scenario, bool one)
{
	if (one)
		strbuf_adds(out, scenario_result_work_unit(scenario));
	else if (scenario->work_unit)
		format_plural(out, scenario->work_unit);
	else
		strbuf_adds(out, "units of work");
}

void load_work(struct strbuf *out, const struct scenario_result *scenario)
{
	double work = scenario_result_median(scenario, METRIC_WORK);
	double rate = scenario_result_median(scenario, METRIC_THROUGHPUT);

	if (isnan(work))
		return;
	format_value(out, work, UNIT_COUNT);
	strbuf_addc(out, ' ');
	add_unit(out, scenario, work == 1);
	strbuf_addf(out, " in each %s", scenario_result_runs(scenario, 1));
	if (isnan(rate))
		return;
	strbuf_adds(out, ", ");
	format_measured(out, rate, metric_find(METRIC_THROUGHPUT));
}

bool load_tells(const struct scenario_result *scenario, const struct metric *metric)
{
	if (metric->source == SOURCE_LOAD)
		return true;
	return scenario->attached && !strcmp(metric->name, "wall-time");
}
