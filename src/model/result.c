#include "model/result.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "model/result_pairs.h"
#include "stats/order.h"

static void release_runs(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_runs; i++) {
		free(scenario->runs[i].values);
		perf_rows_release(&scenario->runs[i].rows);
	}
	free(scenario->runs);
}

static void release_metrics(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_own_metrics; i++)
		metric_free_event(scenario->own_metrics[i]);
	free(scenario->own_metrics);
	free(scenario->metrics);
}

static void release_budgets(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_budgets; i++) {
		free(scenario->budgets[i].symbol);
		free(scenario->budgets[i].dso);
	}
	free(scenario->budgets);
}

static void release_gates(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		free(scenario->gates[i].stored.reason);
		free(scenario->gates[i].paired.reason);
	}
	free(scenario->gates);
}

void scenario_result_release(struct scenario_result *scenario)
{
	free(scenario->name);
	free(scenario->path);
	free(scenario->description);
	free(scenario->failure);
	free(scenario->log_tail);
	free(scenario->log_path);
	release_runs(scenario);
	settings_release(&scenario->settings);
	free(scenario->work_unit);
	free(scenario->attached);
	free(scenario->executable);
	free(scenario->measurement);
	strv_release(&scenario->notes);
	strv_release(&scenario->variables);
	release_gates(scenario);
	release_metrics(scenario);
	free(scenario->baseline_path);
	free(scenario->baseline_label);
	free(scenario->baseline_class);
	free(scenario->waits);
	strv_release(&scenario->explanation);
	profile_release(&scenario->profile);
	release_budgets(scenario);
	scenario_result_forget_symbols(scenario);
	free(scenario->symbols);
	pairing_free(scenario->pairing);
	*scenario = (struct scenario_result){ 0 };
}

void result_release(struct result *result)
{
	free(result->mode);
	free(result->command);
	free(result->date);
	free(result->commit);
	free(result->pawl);
	free(result->out_dir);
	machine_release(&result->machine);
	strv_release(&result->notes);
	strv_release(&result->busy);
	judged_by_release(&result->judged_by);
	for (size_t i = 0; i < result->n_scenarios; i++)
		scenario_result_release(&result->scenarios[i]);
	free(result->scenarios);
	*result = (struct result){ 0 };
}

struct scenario_result *result_add_scenario(struct result *result, const char *name)
{
	struct scenario_result *scenario;

	VEC_GROW(result->scenarios, result->n_scenarios, result->cap_scenarios);
	scenario = &result->scenarios[result->n_scenarios++];
	*scenario = (struct scenario_result){ .name = xstrdup(name), .state = SCENARIO_SKIPPED, .profile = { .overhead_pct = NAN } };
	return scenario;
}

struct run *scenario_result_add_run(struct scenario_result *scenario)
{
	struct run *run;

	VEC_GROW(scenario->runs, scenario->n_runs, scenario->cap_runs);
	run = &scenario->runs[scenario->n_runs++];
	*run = (struct run){ .values = xcalloc(scenario->n_metrics, sizeof *run->values) };
	for (size_t i = 0; i < scenario->n_metrics; i++)
		run->values[i] = NAN;
	return run;
}

void judgement_reset(struct judgement *judgement, const struct gate *gate)
{
	free(judgement->reason);
	*judgement = (struct judgement){
		.verdict = VERDICT_NOT_MEASURED, .ref.metric = gate->metric,
		.baseline = NAN, .current = NAN,
		.change_pct = NAN, .low_pct = NAN, .high_pct = NAN, .tolerance_pct = gate->tolerance_pct,
		.more_pairs = NAN, .detectable_pct = NAN,
	};
}

void gate_result_forget(struct gate_result *g)
{
	judgement_reset(&g->stored, &g->gate);
	judgement_reset(&g->paired, &g->gate);
}

const struct judgement *gate_judgement(const struct gate_result *gate)
{
	return gate->paired.done ? &gate->paired : &gate->stored;
}

bool gate_judged_again(const struct gate_result *gate)
{
	return gate->stored.done && gate->paired.done;
}

struct gate_result *scenario_result_add_gate(struct scenario_result *scenario, const struct gate *gate)
{
	struct gate_result *result;

	VEC_GROW(scenario->gates, scenario->n_gates, scenario->cap_gates);
	result = &scenario->gates[scenario->n_gates++];
	*result = (struct gate_result){ .gate = *gate };
	/* The scenario's own metrics die with the scenario; the result outlives it. */
	if (gate->metric->source == SOURCE_PRINTED)
		scenario_result_define(scenario, gate->metric);
	result->gate.metric = scenario_result_metric(scenario, gate->metric->name);
	gate_result_forget(result);
	return result;
}

double *scenario_result_values(const struct scenario_result *scenario, const char *metric, size_t *n_out)
{
	double *values = NULL;
	size_t n = 0, column = 0;

	while (column < scenario->n_metrics && strcmp(scenario->metrics[column]->name, metric))
		column++;
	if (column < scenario->n_metrics && scenario->n_runs) {
		values = xcalloc(scenario->n_runs, sizeof *values);
		for (size_t i = 0; i < scenario->n_runs; i++)
			if (!isnan(scenario->runs[i].values[column]))
				values[n++] = scenario->runs[i].values[column];
	}
	*n_out = n;
	return values;
}

void scenario_result_set_baseline(struct scenario_result *scenario, char *path, char *label, char *class)
{
	free(scenario->baseline_path);
	free(scenario->baseline_label);
	free(scenario->baseline_class);
	scenario->baseline_path = path;
	scenario->baseline_label = label;
	scenario->baseline_class = class;
}

double scenario_result_median(const struct scenario_result *scenario, const char *metric)
{
	size_t n;
	CLEANUP(free_ptr) double *values = scenario_result_values(scenario, metric, &n);

	return n ? stats_median(values, n) : NAN;
}

const char *scenario_result_runs(const struct scenario_result *scenario, size_t n)
{
	if (scenario->attached)
		return n == 1 ? "window" : "windows";
	return n == 1 ? "run" : "runs";
}

const char *scenario_result_work_unit(const struct scenario_result *scenario)
{
	return scenario->work_unit ?: "unit of work";
}

size_t scenario_result_count(const struct scenario_result *scenario, const char *metric)
{
	size_t n;

	free(scenario_result_values(scenario, metric, &n));
	return n;
}

bool scenario_result_regressed(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judgement(&scenario->gates[i])->verdict == VERDICT_REGRESSION)
			return true;
	return false;
}

static bool is_of_cost(const struct metric *metric)
{
	return metric->kind == KIND_TIME || metric->source == SOURCE_HARDWARE || metric->source == SOURCE_SIMULATED ||
	       metric->source == SOURCE_DERIVED;
}

bool scenario_result_cost_changed(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *g = &scenario->gates[i];
		enum verdict verdict = gate_judgement(g)->verdict;

		if (is_of_cost(g->gate.metric) && g->gate.relative &&
		    (verdict == VERDICT_REGRESSION || verdict == VERDICT_IMPROVEMENT))
			return true;
	}
	return false;
}

bool scenario_result_overran(const struct scenario_result *scenario)
{
	return scenario->state == SCENARIO_FAILED && scenario->timed_out_ms > 0 && scenario_result_regressed(scenario);
}

static int gate_status(const struct gate_result *gate, bool strict)
{
	if (gate_result_quiet(gate))
		return STATUS_OK;
	switch (gate_judgement(gate)->verdict) {
	case VERDICT_REGRESSION:
		return STATUS_REGRESSION;
	case VERDICT_NOT_MEASURED:
		if (gate->gate.required)
			return STATUS_NOT_MEASURED;
		return strict ? STATUS_DOUBTFUL : STATUS_OK;
	case VERDICT_INCONCLUSIVE:
	case VERDICT_NEW:
		return strict ? STATUS_DOUBTFUL : STATUS_OK;
	default:
		return STATUS_OK;
	}
}

void scenario_result_settle(struct scenario_result *scenario, bool strict)
{
	bool failed = scenario->state == SCENARIO_FAILED && !scenario_result_overran(scenario);

	scenario->status = failed ? STATUS_NOT_MEASURED : STATUS_OK;
	for (size_t i = 0; i < scenario->n_gates; i++)
		scenario->status = status_worse(scenario->status, gate_status(&scenario->gates[i], strict));
	if (strict && scenario->state == SCENARIO_MEASURED && !scenario->n_gates)
		scenario->status = status_worse(scenario->status, STATUS_DOUBTFUL);
}

void result_settle(struct result *result)
{
	result->status = STATUS_OK;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		scenario_result_settle(&result->scenarios[i], result->strict);
		result->status = status_worse(result->status, result->scenarios[i].status);
	}
}

bool scenario_result_is_gated(const struct scenario_result *scenario, const char *metric)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(free_ptr) char *series = metric_ref_name(&gate_judgement(&scenario->gates[i])->ref);

		if (!strcmp(series, metric) || !strcmp(scenario->gates[i].gate.metric->name, metric))
			return true;
	}
	return false;
}

double scenario_result_least(const struct scenario_result *scenario, const struct metric_ref *ref, bool paired)
{
	const struct metric *metric = ref->metric;
	double least = paired && metric->paired_least > 0 ? metric->paired_least : metric->least;

	return ref->per_work ? least / scenario_result_median(scenario, METRIC_WORK) : least;
}

bool gate_result_quiet(const struct gate_result *gate)
{
	enum verdict verdict = gate_judgement(gate)->verdict;
	bool unsure = verdict == VERDICT_NEW || verdict == VERDICT_NOT_MEASURED || verdict == VERDICT_INCONCLUSIVE;

	return unsure && gate->gate.by_default && !gate->gate.required && gate->gate.metric->source == SOURCE_PROFILE;
}

bool gate_result_judged(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	bool limited = !isnan(gate->gate.max) || !isnan(gate->gate.min);

	if (gate_result_quiet(gate))
		return false;
	if (j->verdict != VERDICT_NOT_MEASURED && j->verdict != VERDICT_NEW)
		return true;
	return limited && !isnan(j->current);
}

bool result_judged_anything(const struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		for (size_t k = 0; k < result->scenarios[i].n_gates; k++)
			if (gate_result_judged(&result->scenarios[i].gates[k]))
				return true;
	return false;
}
