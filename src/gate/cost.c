/* What a share of a profile amounts to. */
#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "gate/symbol_pairs.h"
#include "stats/order.h"

/* The standard error of a median is so much that of a mean, when values are normal. */
#define MEDIAN_FACTOR 1.2533

static void take(const double *values, size_t n, double *median, double *error)
{
	*median = n ? stats_median(values, n) : NAN;
	*error = n ? MEDIAN_FACTOR * stats_sd(values, n) / sqrt((double)n) : NAN;
}

static bool find(const struct scenario_result *scenario, const struct baseline *base, const char *name, struct cost *out)
{
	const struct scenario_result *s = scenario_result_measured(scenario);
	const struct metric *metric = metric_find(name);
	bool per_work = scenario_result_count(s, METRIC_WORK) > 0;
	CLEANUP(free_ptr) char *series = per_work ? metric_per_work_name(metric) : xstrdup(name);
	CLEANUP(free_ptr) double *now = NULL;
	CLEANUP(free_ptr) double *before = NULL;
	struct cost cost = { .metric = metric, .per_work = per_work, .before = NAN, .before_error = NAN };
	size_t n;

	now = scenario_result_values(s, series, &n);
	take(now, n, &cost.now, &cost.now_error);
	if (base) {
		before = baseline_values(base, series, &n);
		take(before, n, &cost.before, &cost.before_error);
	}
	if (isnan(cost.now) || (base && isnan(cost.before)))
		return false;
	*out = cost;
	return true;
}

void cost_find(const struct scenario_result *scenario, const struct baseline *base, struct cost *out)
{
	*out = (struct cost){ .now = NAN, .before = NAN, .now_error = NAN, .before_error = NAN };
	if (!find(scenario, base, "task-clock", out) && !find(scenario, base, "instructions", out) && base)
		find(scenario, NULL, "task-clock", out);
}

void cost_add(struct strbuf *out, double amount, const struct metric *metric)
{
	static const struct { double from, in; const char *word; } times[] = {
		{ 999.5, 1e3, "s" }, { 0.9995, 1, "ms" }, { 999.5e-6, 1e-3, "us" }, { 0, 1e-6, "ns" },
	}, counts[] = {
		{ 999.5e6, 1e9, " G" }, { 999.5e3, 1e6, " M" }, { 9999.5, 1e3, " k" }, { 0, 1, "" },
	};
	bool time = metric->unit == UNIT_MS;
	double size = fabs(amount);
	size_t i = 0;

	/* Nothing is nothing in the usual unit. */
	if (size == 0)
		i = time ? 1 : 3;
	while (size && size < (time ? times : counts)[i].from)
		i++;
	size /= (time ? times : counts)[i].in;
	strbuf_addf(out, "%.*f", size >= 99.95 || size == 0 ? 0 : 1, size);
	if (time)
		strbuf_addf(out, " %s", times[i].word);
	else
		strbuf_addf(out, "%s %s", counts[i].word, metric->name);
}
