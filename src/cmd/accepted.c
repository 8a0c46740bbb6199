#include "cmd/accepted.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "model/settings_metrics.h"
#include "report/format.h"
#include "stats/order.h"

void accepted_init(struct accepted *accepted, const struct baseline *base)
{
	*accepted = (struct accepted){ .base = base };
	if (base)
		settings_define_metrics(&base->settings, &accepted->known);
}

void accepted_release(struct accepted *accepted)
{
	scenario_result_release(&accepted->known);
}

const struct session *accepted_last(const struct baseline *base)
{
	return &base->sessions[base->n_sessions - 1];
}

/* What a window took in all follows from how much its load did: the value per unit of work tells it. */
static bool told_per_work(const struct series_set *series, const struct metric *metric)
{
	CLEANUP(free_ptr) char *twin = metric_per_work_name(metric);

	return metric_grows_with_work(metric) && series_find(series, twin);
}

void accepted_each(struct accepted *accepted, void (*each)(const struct metric *metric, void *ctx), void *ctx)
{
	const struct series_set *series = &accepted_last(accepted->base)->series;

	for (size_t i = 0; i < series->n; i++) {
		const struct metric *metric = scenario_result_metric(&accepted->known, series->items[i].metric);

		if (!told_per_work(series, metric))
			each(metric, ctx);
	}
}

static bool same_unit(const struct metric *a, const struct metric *b)
{
	return a->unit == b->unit && !strcmp(a->label ?: "", b->label ?: "");
}

/* In METRIC's unit; what was accepted in another cannot be told so. */
static double median_of(struct accepted *accepted, const struct metric *metric)
{
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	if (!accepted->base || !same_unit(scenario_result_metric(&accepted->known, metric->name), metric))
		return NAN;
	values = baseline_values(accepted->base, metric->name, &n);
	return n ? stats_median(values, n) : NAN;
}

void metric_change_set(struct accepted *before, const struct metric *metric, double now, struct metric_change *out)
{
	double median = median_of(before, metric);

	*out = (struct metric_change){
		.metric = metric, .before = median, .now = now, .pct = median > 0 ? (now / median - 1) * 100 : NAN,
	};
}

void metric_change_add(struct strbuf *out, const struct scenario_result *known, const struct metric_change *change)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	format_metric(&name, known, change->metric);
	strbuf_addf(&words, "%-32s ", name.buf);
	format_measured(&words, change->before, change->metric);
	strbuf_adds(&words, " -> ");
	format_measured(&words, change->now, change->metric);
	strbuf_adds(&words, "  ");
	format_change(&words, change->pct);
	escape_terminal(out, words.buf);
}
