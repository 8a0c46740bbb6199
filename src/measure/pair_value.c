#include "measure/pair_value.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/loop_steps.h"
#include "measure/pairloop.h"
#include "model/measured_mean.h"
#include "model/perfstat_value.h"

/* -------- measuring */

static void release_runs(struct measured *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		measured_release(&runs[i]);
	free(runs);
}

static int measure_once(const struct pair_value_spec *spec, const struct strv *events, struct measured *out,
			struct error *err)
{
	if (loop_run(spec->ops, spec->plan, events, 0, out, err) < 0)
		return -1;
	if (out->dropped)
		return error_set(err, ERR_TARGET, "a %s could not be counted: %s", loop_run_name(spec->plan), out->dropped);
	window_doubts_add(spec->doubts, out);
	return 0;
}

static int measure_batch(const struct pair_value_spec *spec, const struct strv *events, struct measured *out,
			 struct error *err)
{
	struct measured *runs = xcalloc(spec->batch, sizeof *runs);
	int ret = 0;

	for (unsigned i = 0; ret == 0 && i < spec->batch; i++)
		ret = measure_once(spec, events, &runs[i], err);
	if (ret == 0)
		measured_mean(runs, spec->batch, out);
	release_runs(runs, spec->batch);
	return ret;
}

int pair_value_measure(const struct pair_value_spec *spec, struct pair_value *out, struct error *err)
{
	const struct passes *passes = &spec->groups->passes;

	for (size_t i = 0; i < passes->n; i++) {
		if (measure_batch(spec, spec->perf ? &passes->events[i] : NULL, &out->parts[i], err) < 0)
			return -1;
		out->n++;
	}
	return 0;
}

/* -------- what was measured */

void pair_value_mean(const struct pair_value *values, size_t n, struct pair_value *out)
{
	struct measured *parts = xcalloc(n, sizeof *parts);

	for (size_t p = 0; p < values[0].n; p++) {
		for (size_t i = 0; i < n; i++)
			parts[i] = values[i].parts[p];
		measured_mean(parts, n, &out->parts[out->n++]);
	}
	free(parts);
}

bool pair_value_split(const struct pair_value *value, struct event_groups *groups, struct strv *notes)
{
	for (size_t i = 0; i < value->n; i++)
		if (event_groups_split(groups, &value->parts[i].rows, &groups->passes.events[i], notes))
			return true;
	return false;
}

const char *pair_value_fault(const struct pair_value *value)
{
	for (size_t i = 0; i < value->n; i++) {
		double wall_ms = value->parts[i].wall_ms;
		double task_clock = perfstat_value(&value->parts[i].rows, "task-clock", NULL);

		if (!isfinite(wall_ms) || wall_ms <= 0)
			return "the clock went backward, or stood still";
		if (task_clock <= 0 || isinf(task_clock))
			return "no CPU time was counted";
	}
	return NULL;
}

void pair_value_store(struct pair_value *value, const struct pair_value_spec *spec, struct scenario_result *result)
{
	static const struct strv none = STRV_INIT;

	for (size_t i = 0; i < value->n; i++)
		measured_store(&value->parts[i], spec->perf ? &spec->groups->passes.events[i] : &none, 0, result);
	measured_fold(result, value->n);
}

void pair_value_release(struct pair_value *value)
{
	for (size_t i = 0; i < value->n; i++)
		measured_release(&value->parts[i]);
	value->n = 0;
}

/* The same on both sides, so that both sums hold as much of what starting a process costs. */
unsigned pair_value_batch(double base_ms, double head_ms)
{
	double mean_ms = (base_ms + head_ms) / 2;

	if (!(mean_ms > 0) || mean_ms >= PAIRLOOP_BATCH_MS)
		return 1;
	return (unsigned)fmin(ceil(PAIRLOOP_BATCH_MS / mean_ms), PAIRLOOP_BATCH_MOST);
}
