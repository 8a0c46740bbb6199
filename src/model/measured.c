#include "model/measured.h"

#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "model/perfstat_value.h"

void measured_release(struct measured *measured)
{
	perf_rows_release(&measured->rows);
	free(measured->figures);
	free(measured->dropped);
	measured->figures = NULL;
	measured->n_figures = 0;
	measured->dropped = NULL;
}

/*
 * The kernel also charges what perf does not count: switching, and a process's end, which takes 5 ms of one that holds
 * 100 MB. So perf told 57 to 108 % of what the kernel did in programs that only fork, start threads, or exit, on a machine
 * with a load of 11 on two CPUs.
 */
#define PERF_LEAST 0.4
#define KERNEL_LEAST 0.4

void measured_check(struct measured *m, double kernel_ms, double slack_ms, double stolen_ms)
{
	double clock_ms = perfstat_value(&m->rows, "task-clock", NULL);
	CLEANUP(strbuf_release) struct strbuf why = STRBUF_INIT;

	if (isnan(clock_ms) || isnan(kernel_ms))
		return;
	if (clock_ms < PERF_LEAST * kernel_ms - slack_ms) {
		strbuf_addf(&why, "perf counted %.4g ms of CPU time, the kernel %.4g ms: the target ran a program that perf may not "
			    "look at (setuid, or unreadable), or interfered with perf", clock_ms, kernel_ms);
		free(m->dropped);
		m->dropped = strbuf_take(&why);
	} else if (KERNEL_LEAST * clock_ms > kernel_ms + slack_ms + stolen_ms) {
		m->unwaited = true;
		m->user_ms = m->system_ms = m->cpu_ms = m->max_rss_bytes = m->page_faults = m->major_faults = NAN;
		m->voluntary_switches = m->involuntary_switches = NAN;
	}
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

static void set_work(const struct measured *measured, struct scenario_result *result, struct run *run)
{
	if (!(measured->work > 0))
		return;
	measured_set(result, run, METRIC_WORK, measured->work);
	if (measured->wall_ms > 0)
		measured_set(result, run, METRIC_THROUGHPUT, measured->work / measured->wall_ms * 1e3);
}

static void set_figures(const struct measured *measured, struct scenario_result *result, struct run *run)
{
	for (size_t i = 0; i < measured->n_figures; i++) {
		scenario_result_define(result, measured->figures[i].metric);
		measured_set(result, run, measured->figures[i].metric->name, measured->figures[i].value);
	}
}

/* What a window counted depends on how much was done in it; what was done once does not. */
static void set_per_work(double work, struct scenario_result *result, struct run *run)
{
	size_t n = work > 0 ? result->n_metrics : 0;

	for (size_t i = 0; i < n; i++) {
		CLEANUP(free_ptr) char *twin = NULL;

		if (!metric_grows_with_work(result->metrics[i]) || isnan(run->values[i]))
			continue;
		twin = metric_per_work_name(result->metrics[i]);
		measured_set(result, run, twin, run->values[i] / work);
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
	set_work(measured, result, run);
	set_figures(measured, result, run);
	measured_derive(result, run);
	set_per_work(measured->work, result, run);
}
