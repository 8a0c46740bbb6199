/* The metrics of a scenario's result: columns of its runs, and definitions that outlive the scenario. */
#include "model/result.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"

/* Runs that exist already have not measured a metric that comes later. */
static void widen_runs(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_runs; i++) {
		struct run *run = &scenario->runs[i];

		run->values = xrealloc_array(run->values, scenario->n_metrics, sizeof *run->values);
		run->values[scenario->n_metrics - 1] = NAN;
	}
}

size_t scenario_result_column(struct scenario_result *scenario, const struct metric *metric)
{
	for (size_t i = 0; i < scenario->n_metrics; i++)
		if (!strcmp(scenario->metrics[i]->name, metric->name))
			return i;
	VEC_GROW(scenario->metrics, scenario->n_metrics, scenario->cap_metrics);
	scenario->metrics[scenario->n_metrics++] = metric;
	widen_runs(scenario);
	return scenario->n_metrics - 1;
}

static struct metric *find_own(const struct scenario_result *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_own_metrics; i++)
		if (!strcmp(scenario->own_metrics[i]->name, name))
			return scenario->own_metrics[i];
	return NULL;
}

static const struct metric *add_own(struct scenario_result *scenario, struct metric *metric)
{
	VEC_GROW(scenario->own_metrics, scenario->n_own_metrics, scenario->cap_own_metrics);
	return scenario->own_metrics[scenario->n_own_metrics++] = metric;
}

/* The twin that NAME stands for, made of a metric known here, else of an event; NULL when it is no twin's. */
static struct metric *new_twin(const struct scenario_result *scenario, const char *name)
{
	CLEANUP(free_ptr) char *base_name = NULL;
	const struct metric *base;
	struct metric *event, *twin;

	if (!metric_name_is_per_work(name))
		return NULL;
	base_name = xstrndup(name, strlen(name) - strlen(METRIC_PER_WORK));
	base = metric_find(base_name);
	if (!base || strcmp(base->name, base_name))
		base = find_own(scenario, base_name);
	event = base ? NULL : metric_new_event(base_name);
	twin = metric_grows_with_work(base ?: event) ? metric_new_per_work(base ?: event) : NULL;
	metric_free_event(event);
	return twin;
}

const struct metric *scenario_result_metric(struct scenario_result *scenario, const char *name)
{
	const struct metric *known = metric_find(name) ?: find_own(scenario, name);

	if (known)
		return known;
	if (metric_name_is_share(name))
		return add_own(scenario, metric_new_share(name));
	return add_own(scenario, new_twin(scenario, name) ?: metric_new_event(name));
}

void scenario_result_define(struct scenario_result *scenario, const struct metric *definition)
{
	if (!metric_find(definition->name) && !find_own(scenario, definition->name))
		add_own(scenario, metric_new_copy(definition));
}
