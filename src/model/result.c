#include "model/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/stats.h"

/* -------- metrics */

/* The metrics of a scenario's result: columns of its runs, and definitions that outlive the scenario. */

void perf_rows_release(struct perf_rows *rows)
{
	for (size_t i = 0; i < rows->n; i++)
		free(rows->items[i].event);
	free(rows->items);
	*rows = (struct perf_rows){ 0 };
}

void perf_rows_copy(struct arena *arena, struct perf_rows *out, const struct perf_rows *from)
{
	for (size_t i = 0; i < from->n; i++) {
		ARENA_GROW(arena, out->items, out->n, out->cap);
		out->items[out->n] = from->items[i];
		out->items[out->n++].event = arena_strdup(arena, from->items[i].event);
	}
}

/* Returns the column of METRIC; n_metrics if missing. */
static size_t find_column(const struct side_result *side, const struct metric *metric)
{
	size_t column = 0;

	while (column < side->n_metrics && !metric_same(side->metrics[column], metric))
		column++;
	return column;
}

size_t side_result_column(struct side_result *side, const struct metric *metric)
{
	size_t column = find_column(side, metric), cap = side->cap_metrics;

	if (column < side->n_metrics)
		return column;
	*ARENA_ADD(&side->arena, side->metrics, side->n_metrics, side->cap_metrics) = own_metrics_add(&side->own_metrics, metric);
	/* Existing runs have not measured it. Their values have room for cap_metrics items. */
	for (size_t i = 0; i < side->n_runs; i++) {
		struct run *run = &side->runs[i];

		if (side->cap_metrics != cap)
			run->values = arena_grow(&side->arena, run->values, column, side->cap_metrics,
						 sizeof *run->values);
		run->values[column] = NAN;
	}
	return column;
}

bool side_result_knows(const struct side_result *side, const struct metric *metric)
{
	return find_column(side, metric) < side->n_metrics;
}

bool side_result_benchmarks(const struct side_result *side)
{
	for (size_t i = 0; i < side->n_metrics; i++)
		if (side->metrics[i]->benchmark)
			return true;
	return false;
}

double run_value(const struct side_result *side, const struct run *run, const struct metric *metric)
{
	size_t column = find_column(side, metric);

	return column < side->n_metrics ? run->values[column] : NAN;
}

/* -------- sides */

void side_result_init(struct side_result *side)
{
	*side = (struct side_result){ .state = SCENARIO_SKIPPED, .profile = { .overhead_pct = NAN } };
}

void side_result_release(struct side_result *side)
{
	own_metrics_release(&side->own_metrics);
	profile_release(&side->profile);
	arena_release(&side->arena);
	*side = (struct side_result){ 0 };
}

void scenario_result_unpair(struct scenario_result *scenario)
{
	scenario->pairing = (struct pairing){ 0 };
	scenario->paired = false;
	side_result_release(&scenario->base);
	side_result_release(&scenario->again);
}

void scenario_result_pair(struct scenario_result *scenario, bool confirming)
{
	scenario_result_unpair(scenario);
	scenario->paired = true;
	scenario->pairing = (struct pairing){ .gates = 1, .batch = 1, .confirming = confirming };
	side_result_init(&scenario->base);
	side_result_init(&scenario->again);
}

struct side_result *scenario_result_measured(const struct scenario_result *scenario)
{
	const struct side_result *side = scenario->pairing.confirming ? &scenario->again : &scenario->head;

	return (struct side_result *)side;
}

size_t scenario_result_pairs(const struct scenario_result *scenario)
{
	size_t base = scenario->base.n_runs, head = scenario_result_measured(scenario)->n_runs;

	return !scenario->paired ? 0 : base < head ? base : head;
}

bool scenario_result_together(const struct scenario_result *scenario, const struct metric *metric)
{
	return scenario->pairing.way != PAIR_IN_TURN && metric_together(metric);
}

void scenario_result_pair_values(const struct scenario_result *scenario, const struct metric *metric, double **base_out,
				 double **head_out, size_t *n_out)
{
	const struct side_result *base = &scenario->base, *head = scenario_result_measured(scenario);
	size_t n = scenario_result_pairs(scenario);

	*n_out = n;
	*base_out = xcalloc(n + 1, sizeof **base_out);
	*head_out = xcalloc(n + 1, sizeof **head_out);
	for (size_t i = 0; i < n; i++) {
		(*base_out)[i] = run_value(base, &base->runs[i], metric);
		(*head_out)[i] = run_value(head, &head->runs[i], metric);
	}
}

/* -------- symbols */

const char *const symbol_change_names[] = { "same", "rose", "fell", "new", "vanished", "moved", NULL };

const struct symbol_result symbol_result_empty = {
	.share_pct = NAN, .base_share_pct = NAN, .low_pct = NAN, .high_pct = NAN, .total_pct = NAN,
	.change_pp = NAN, .error_pp = NAN, .cost_ms = NAN, .base_cost_ms = NAN, .verdict = VERDICT_NOT_MEASURED,
};

void scenario_result_gate_symbols(struct scenario_result *scenario, const struct symbol_gate *gate,
				  const struct share_budget *budgets, size_t n_budgets)
{
	struct arena *arena = &scenario->arena;

	scenario->symbol_gate = *gate;
	for (size_t i = 0; i < n_budgets; i++) {
		struct share_budget *budget;

		budget = ARENA_ADD(arena, scenario->budgets, scenario->n_budgets, scenario->cap_budgets);
		*budget = budgets[i];
		budget->symbol = arena_strdup(arena, budget->symbol);
		budget->dso = arena_strdup(arena, budget->dso);
	}
}

struct symbol_result *scenario_result_add_symbol(struct scenario_result *scenario, const char *symbol, const char *dso)
{
	struct symbol_result *added;

	added = ARENA_ADD(&scenario->arena, scenario->symbols, scenario->n_symbols, scenario->cap_symbols);
	*added = symbol_result_empty;
	added->symbol = arena_strdup(&scenario->arena, symbol);
	added->dso = arena_strdup(&scenario->arena, dso);
	return added;
}

static int badness(const struct symbol_result *symbol)
{
	return symbol->verdict == VERDICT_REGRESSION ? 2 : symbol->verdict == VERDICT_INCONCLUSIVE ? 1 : 0;
}

static bool is_worse(const struct symbol_result *a, const struct symbol_result *b)
{
	if (badness(a) != badness(b))
		return badness(a) > badness(b);
	return a->change_pp + 2 * a->error_pp > b->change_pp + 2 * b->error_pp;
}

const struct symbol_result *scenario_result_worst_symbol(const struct scenario_result *scenario)
{
	const struct symbol_result *worst = NULL;

	for (size_t i = 0; i < scenario->n_symbols; i++) {
		const struct symbol_result *symbol = &scenario->symbols[i];

		if (symbol->verdict == VERDICT_NOT_MEASURED || symbol->change == SYMBOL_MOVED)
			continue;
		if (!worst || is_worse(symbol, worst))
			worst = symbol;
	}
	return worst;
}

/* -------- whose files judged */

void judged_by_release(struct judged_by *by)
{
	arena_release(&by->arena);
	*by = (struct judged_by){ 0 };
}

static bool has_path(const struct judged_by *by, const char *path)
{
	for (size_t i = 0; i < by->n_edits; i++)
		if (!strcmp(by->edits[i].path, path) ||
		    (by->edits[i].change == JUDGE_RENAMED && by->edits[i].note && !strcmp(by->edits[i].note, path)))
			return true;
	return false;
}

void judged_by_add(struct judged_by *by, const char *path, enum judge_change change, const char *note)
{
	if (by->n_edits == JUDGE_EDITS_MOST || has_path(by, path))
		return;
	ARENA_GROW(&by->arena, by->edits, by->n_edits, by->cap_edits);
	by->edits[by->n_edits++] = (struct judge_edit){ arena_strdup(&by->arena, path), change, arena_strdup(&by->arena, note) };
}

void judged_by_merge(struct judged_by *into, const struct judged_by *from)
{
	if (!into->ref) {
		into->ref = arena_strdup(&into->arena, from->ref);
		into->commit = arena_strdup(&into->arena, from->commit);
		into->own = from->own;
	}
	for (size_t i = 0; i < from->n_edits; i++)
		judged_by_add(into, from->edits[i].path, from->edits[i].change, from->edits[i].note);
	arena_merge(&into->arena, &into->open, &from->open);
}

const char *const judge_change_names[] = {
	[JUDGE_EDITED] = "edited", [JUDGE_ADDED] = "added", [JUDGE_REMOVED] = "removed", [JUDGE_RENAMED] = "renamed", NULL,
};

/* -------- commit */

void commits_release(struct commits *commits)
{
	for (size_t i = 0; i < commits->n; i++) {
		free(commits->items[i].id);
		free(commits->items[i].date);
		free(commits->items[i].subject);
	}
	free(commits->items);
	*commits = (struct commits){ 0 };
}

void commits_add(struct commits *commits, const char *id, const char *date, const char *subject)
{
	*VEC_ADD(commits->items, commits->n, commits->cap) = (struct commit){ .id = xstrdup(id), .date = xstrdup(date), .subject = xstrdup(subject) };
}

/* -------- scenarios and the whole */

bool phases_empty(const struct phases *p)
{
	return p->setup_s + p->services_s + p->warm_up_s + p->runs_s + p->simulation_s + p->profile_s + p->evidence_s +
	       p->cleanup_s + p->confirmation_s <= 0;
}

void scenario_result_release(struct scenario_result *scenario)
{
	scenario_result_unpair(scenario);
	side_result_release(&scenario->head);
	arena_release(&scenario->arena);
	*scenario = (struct scenario_result){ 0 };
}

const char *const pair_way_names[] = {
	[PAIR_IN_TURN] = "in-turn", [PAIR_TOGETHER] = "together", [PAIR_BOTH_WAYS] = "together-and-in-turn", NULL,
};

const char *const result_mode_names[] = { [MODE_STORED] = "stored", [MODE_PAIRED] = "paired", NULL };

void result_release(struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		scenario_result_release(&result->scenarios[i]);
	machine_release(&result->machine);
	judged_by_release(&result->judged_by);
	arena_release(&result->arena);
	*result = (struct result){ 0 };
}

char *result_command_line(const struct result *result)
{
	struct strbuf line = STRBUF_INIT;

	if (!result->command.n)
		return NULL;
	escape_shell_words(&line, &result->command);
	return strbuf_take(&line);
}

bool result_compares(const struct result *result)
{
	return result->command.n > 1 && !strcmp(result->command.items[1], "compare");
}

struct scenario_result *result_add_scenario(struct result *result, const char *name)
{
	struct scenario_result *scenario;

	scenario = ARENA_ADD(&result->arena, result->scenarios, result->n_scenarios, result->cap_scenarios);
	*scenario = (struct scenario_result){ 0 };
	scenario->name = arena_strdup(&scenario->arena, name);
	side_result_init(&scenario->head);
	return scenario;
}

const char *scenario_result_label(const struct scenario_result *scenario)
{
	return scenario->label ?: scenario->name;
}

const struct scenario_result *result_scenario(const struct result *result, const char *name)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (!strcmp(result->scenarios[i].name, name))
			return &result->scenarios[i];
	return NULL;
}

static bool has_twin(const struct result *result, const struct scenario_result *scenario)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (&result->scenarios[i] != scenario && !strcmp(result->scenarios[i].name, scenario->name))
			return true;
	return false;
}

void result_label(struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		s->label = s->class && has_twin(result, s) ? arena_printf(&s->arena, "%s on %s", s->name, s->class) : NULL;
	}
}

struct run *side_result_add_run(struct side_result *side)
{
	struct run *run;

	run = ARENA_ADD(&side->arena, side->runs, side->n_runs, side->cap_runs);
	*run = (struct run){ .values = arena_alloc(&side->arena, side->cap_metrics * sizeof *run->values) };
	for (size_t i = 0; i < side->n_metrics; i++)
		run->values[i] = NAN;
	return run;
}

void judgement_reset(struct judgement *judgement, const struct gate *gate)
{
	*judgement = (struct judgement){
		.verdict = VERDICT_NOT_MEASURED, .metric = gate->metric,
		.baseline = NAN, .current = NAN,
		.change_pct = NAN, .low_pct = NAN, .high_pct = NAN, .tolerance_pct = gate->tolerance_pct,
		.more_pairs = NAN, .detectable_pct = NAN,
	};
}

void gate_result_forget(struct gate_result *g)
{
	judgement_reset(&g->stored, &g->gate);
	judgement_reset(&g->paired, &g->gate);
	g->by_baseline = false;
}

const char *gate_name(const struct gate_result *gate)
{
	return gate->share ?: gate->gate.metric->name;
}

const struct judgement *gate_judgement(const struct gate_result *gate)
{
	return gate->paired.done && !gate->by_baseline ? &gate->paired : &gate->stored;
}

bool gate_judged_again(const struct gate_result *gate)
{
	return gate->stored.done && gate->paired.done;
}

struct gate_result *scenario_result_add_gate(struct scenario_result *scenario, const struct gate *gate)
{
	struct gate_result *result;

	result = ARENA_ADD(&scenario->arena, scenario->gates, scenario->n_gates, scenario->cap_gates);
	*result = (struct gate_result){ .gate = *gate };
	/* Copy the scenario's own metrics, because the result outlives the scenario. */
	result->gate.metric = gate->kind == GATE_METRIC ? own_metrics_add(&scenario->head.own_metrics, gate->metric) : &metric_share;
	gate_result_forget(result);
	return result;
}

double *side_result_values(const struct side_result *side, const struct metric *metric, size_t *n_out)
{
	size_t n = 0, column = find_column(side, metric);
	double *values = NULL;

	if (column < side->n_metrics && side->n_runs) {
		values = xcalloc(side->n_runs, sizeof *values);
		for (size_t i = 0; i < side->n_runs; i++)
			if (!isnan(side->runs[i].values[column]))
				values[n++] = side->runs[i].values[column];
	}
	*n_out = n;
	return values;
}

void scenario_result_set_baseline(struct scenario_result *scenario, const char *path, const char *label, char *class)
{
	scenario->baseline_path = arena_strdup(&scenario->arena, path);
	scenario->baseline_label = arena_strdup(&scenario->arena, label);
	scenario->baseline_class = arena_take(&scenario->arena, class);
}

double side_result_median(const struct side_result *side, const struct metric *metric)
{
	size_t n;
	CLEANUP(free_ptr) double *values = side_result_values(side, metric, &n);

	return n ? stats_median(values, n) : NAN;
}

bool scenario_result_identified(const struct scenario_result *scenario)
{
	return scenario->head.executable && !scenario->head.attached && !scenario->settings.services.n;
}

const char *scenario_result_runs(const struct scenario_result *scenario, size_t n)
{
	if (scenario->head.attached)
		return n == 1 ? "window" : "windows";
	return n == 1 ? "run" : "runs";
}

const char *scenario_result_work_unit(const struct scenario_result *scenario)
{
	return scenario->head.work_unit ?: "unit of work";
}

size_t side_result_count(const struct side_result *side, const struct metric *metric)
{
	size_t n;

	free(side_result_values(side, metric, &n));
	return n;
}

bool scenario_result_regressed(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judgement(&scenario->gates[i])->verdict == VERDICT_REGRESSION)
			return true;
	return false;
}

bool scenario_result_cost_changed(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *g = &scenario->gates[i];
		const struct metric *metric = g->gate.metric;
		enum verdict verdict = gate_judgement(g)->verdict;
		bool of_cost = metric->kind == KIND_TIME || metric->source == SOURCE_HARDWARE ||
			       metric_repeats(metric) || metric->source == SOURCE_DERIVED;

		if (of_cost && g->gate.relative && (verdict == VERDICT_REGRESSION || verdict == VERDICT_IMPROVEMENT))
			return true;
	}
	return false;
}

bool scenario_result_overran(const struct scenario_result *scenario)
{
	return scenario->head.state == SCENARIO_FAILED && scenario->head.timed_out_ms > 0 && scenario_result_regressed(scenario);
}

static int gate_status(const struct gate_result *gate, bool strict)
{
	bool claim = gate->gate.claim;

	if (gate_result_quiet(gate))
		return STATUS_OK;
	switch (gate_judgement(gate)->verdict) {
	case VERDICT_REGRESSION:
		return STATUS_REGRESSION;
	case VERDICT_NOT_MEASURED:
		if (gate->gate.required || claim)
			return STATUS_NOT_MEASURED;
		return strict ? STATUS_UNDECIDED : STATUS_OK;
	case VERDICT_INCONCLUSIVE:
		return claim ? STATUS_REGRESSION : strict ? STATUS_UNDECIDED : STATUS_OK;
	case VERDICT_NEW:
		return claim ? STATUS_NOT_MEASURED : strict ? STATUS_UNDECIDED : STATUS_OK;
	default:
		return STATUS_OK;
	}
}

void scenario_result_settle(struct scenario_result *scenario, bool strict)
{
	bool failed = scenario->head.state == SCENARIO_FAILED && !scenario_result_overran(scenario);

	scenario->status = failed ? STATUS_NOT_MEASURED : STATUS_OK;
	for (size_t i = 0; i < scenario->n_gates; i++)
		scenario->status = status_worse(scenario->status, gate_status(&scenario->gates[i], strict));
	if (strict && scenario->head.state == SCENARIO_MEASURED && !scenario->n_gates)
		scenario->status = status_worse(scenario->status, STATUS_UNDECIDED);
}

void result_settle(struct result *result)
{
	result->status = STATUS_OK;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		scenario_result_settle(&result->scenarios[i], result->strict);
		result->status = status_worse(result->status, result->scenarios[i].status);
	}
}

bool scenario_result_is_gated(const struct scenario_result *scenario, const struct metric *metric)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (metric_same(gate_judgement(&scenario->gates[i])->metric, metric) ||
		    metric_same(scenario->gates[i].gate.metric, metric))
			return true;
	return false;
}

const struct metric *side_result_normalised(const struct side_result *side, const struct metric *metric)
{
	return metric->normalised && side_result_count(side, METRIC(WORK)) ? metric->normalised : metric;
}

double side_result_least(const struct side_result *side, const struct gate *gate, const struct metric *values, bool paired)
{
	double least = paired && gate->metric->paired_least > 0 ? gate->metric->paired_least : gate->metric->least;

	return values->of ? least / side_result_median(side, METRIC(WORK)) : least;
}

bool gate_result_quiet(const struct gate_result *gate)
{
	enum verdict verdict = gate_judgement(gate)->verdict;
	bool unsure = verdict == VERDICT_NEW || verdict == VERDICT_NOT_MEASURED || verdict == VERDICT_INCONCLUSIVE;

	return unsure && gate->gate.by_default && !gate->gate.required && gate->gate.kind != GATE_METRIC;
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
