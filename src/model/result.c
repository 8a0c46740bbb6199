#include "model/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
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

/* The normalised metric that NAME stands for, made of a metric known here, else of an event; NULL when it is none. */
static struct metric *new_normalised(const struct scenario_result *scenario, const char *name)
{
	CLEANUP(free_ptr) char *base_name = NULL;
	const struct metric *base;
	struct metric *event, *made;

	if (!metric_name_is_per_work(name))
		return NULL;
	base_name = xstrndup(name, strlen(name) - strlen(METRIC_PER_WORK));
	base = metric_find(base_name);
	if (!base || strcmp(base->name, base_name))
		base = find_own(scenario, base_name);
	event = base ? NULL : metric_new_event(base_name);
	made = metric_grows_with_work(base ?: event) ? metric_new_per_work(base ?: event) : NULL;
	metric_free_event(event);
	return made;
}

const struct metric *scenario_result_metric(struct scenario_result *scenario, const char *name)
{
	const struct metric *known = metric_find(name) ?: find_own(scenario, name);

	if (known)
		return known;
	return add_own(scenario, new_normalised(scenario, name) ?: metric_new_event(name));
}

void scenario_result_define(struct scenario_result *scenario, const struct metric *definition)
{
	if (!metric_find(definition->name) && !find_own(scenario, definition->name))
		add_own(scenario, metric_new_copy(definition));
}

/* -------- pairs */

static void release_side(struct pair_side *side)
{
	free(side->label);
	free(side->commit);
	scenario_result_release(side->measured);
	free(side->measured);
}

/* Also of NULL. */
static void pairing_free(struct pairing *pairing)
{
	if (!pairing)
		return;
	release_side(&pairing->base);
	release_side(&pairing->head);
	free(pairing->services);
	free(pairing->one_program);
	free(pairing);
}

static struct scenario_result *new_measured(const char *name)
{
	struct scenario_result *measured = xcalloc(1, sizeof *measured);

	*measured = (struct scenario_result){
		.name = xstrdup(name), .state = SCENARIO_SKIPPED, .profile = { .overhead_pct = NAN },
	};
	return measured;
}

struct pairing *scenario_result_pair(struct scenario_result *scenario)
{
	struct pairing *pairing = xcalloc(1, sizeof *pairing);

	pairing_free(scenario->pairing);
	*pairing = (struct pairing){
		.base.measured = new_measured(scenario->name), .head.measured = new_measured(scenario->name),
		.gates = 1, .batch = 1,
	};
	scenario->pairing = pairing;
	return pairing;
}

void scenario_result_unpair(struct scenario_result *scenario)
{
	pairing_free(scenario->pairing);
	scenario->pairing = NULL;
}

size_t scenario_result_pairs(const struct scenario_result *scenario)
{
	const struct pairing *pairing = scenario->pairing;
	size_t base, head;

	if (!pairing)
		return 0;
	base = pairing->base.measured->n_runs;
	head = pairing->head.measured->n_runs;
	return base < head ? base : head;
}

const struct scenario_result *scenario_result_measured(const struct scenario_result *scenario)
{
	return scenario->pairing ? scenario->pairing->head.measured : scenario;
}

static double *side_values(const struct pair_side *side, const char *metric, size_t n)
{
	const struct scenario_result *measured = side->measured;
	double *values = xcalloc(n, sizeof *values);
	size_t column = 0;

	while (column < measured->n_metrics && strcmp(measured->metrics[column]->name, metric))
		column++;
	for (size_t i = 0; i < n; i++)
		values[i] = column < measured->n_metrics ? measured->runs[i].values[column] : NAN;
	return values;
}

void scenario_result_pair_values(const struct scenario_result *scenario, const char *metric, double **base_out,
				 double **head_out, size_t *n_out)
{
	size_t n = scenario_result_pairs(scenario);

	*n_out = n;
	*base_out = n ? side_values(&scenario->pairing->base, metric, n) : NULL;
	*head_out = n ? side_values(&scenario->pairing->head, metric, n) : NULL;
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
	scenario->symbol_gate = *gate;
	for (size_t i = 0; i < n_budgets; i++) {
		struct share_budget *budget;

		VEC_GROW(scenario->budgets, scenario->n_budgets, scenario->cap_budgets);
		budget = &scenario->budgets[scenario->n_budgets++];
		*budget = budgets[i];
		budget->symbol = xstrdup(budget->symbol);
		budget->dso = xstrdup(budget->dso);
	}
}

struct symbol_result *scenario_result_add_symbol(struct scenario_result *scenario, const char *symbol, const char *dso)
{
	struct symbol_result *added;

	VEC_GROW(scenario->symbols, scenario->n_symbols, scenario->cap_symbols);
	added = &scenario->symbols[scenario->n_symbols++];
	*added = symbol_result_empty;
	added->symbol = xstrdup(symbol);
	added->dso = xstrdup(dso);
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

void scenario_result_forget_symbols(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_symbols; i++) {
		free(scenario->symbols[i].symbol);
		free(scenario->symbols[i].dso);
		free(scenario->symbols[i].moved);
		free(scenario->symbols[i].reason);
	}
	scenario->n_symbols = 0;
}

/* -------- metrics of the settings */

static const char no_unit[] = "-", higher[] = " higher";

void settings_add_figure(struct settings *settings, const char *name, const char *unit, const char *where,
			 const char *how)
{
	strv_pushf(&settings->metrics, "%s %s %s %s", name, unit ?: no_unit, where, how);
}

/* The word at *TEXT, for free(); *TEXT becomes what is behind it. NULL when nothing is. */
static char *take_word(const char **text)
{
	size_t len = strcspn(*text, " ");
	char *word;

	if (!len || !(*text)[len])
		return NULL;
	word = xstrndup(*text, len);
	*text += len + 1;
	return word;
}

static void define(const char *text, struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *name = take_word(&text);
	CLEANUP(free_ptr) char *unit = name ? take_word(&text) : NULL;
	struct metric *metric;

	if (!unit)
		return;
	if (!strcmp(unit, no_unit) || !metric_unit_valid(unit)) {
		free(unit);
		unit = NULL;
	}
	if (!strcmp(name, METRIC_WORK)) {
		free(scenario->work_unit);
		scenario->work_unit = take_ptr(&unit);
		return;
	}
	metric = metric_new_printed(name, unit, text_ends(text, strlen(text), higher));
	scenario_result_define(scenario, metric);
	metric_free_event(metric);
}

void settings_define_metrics(const struct settings *settings, struct scenario_result *scenario)
{
	for (size_t i = 0; i < settings->metrics.n; i++)
		define(settings->metrics.items[i], scenario);
}

/* -------- whose files judged */

void judged_by_release(struct judged_by *by)
{
	for (size_t i = 0; i < by->n_edits; i++) {
		free(by->edits[i].path);
		free(by->edits[i].note);
	}
	free(by->edits);
	free(by->ref);
	free(by->commit);
	strv_release(&by->open);
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
	VEC_GROW(by->edits, by->n_edits, by->cap_edits);
	by->edits[by->n_edits++] = (struct judge_edit){ xstrdup(path), change, xstrdup(note) };
}

void judged_by_merge(struct judged_by *into, const struct judged_by *from)
{
	if (!into->ref) {
		into->ref = xstrdup(from->ref);
		into->commit = xstrdup(from->commit);
		into->own = from->own;
	}
	for (size_t i = 0; i < from->n_edits; i++)
		judged_by_add(into, from->edits[i].path, from->edits[i].change, from->edits[i].note);
	for (size_t i = 0; i < from->open.n; i++)
		if (!strv_has(&into->open, from->open.items[i]))
			strv_push(&into->open, from->open.items[i]);
}

void judged_by_copy(struct judged_by *out, const struct judged_by *from)
{
	*out = (struct judged_by){ 0 };
	judged_by_merge(out, from);
}

const char *const judge_change_names[] = {
	[JUDGE_EDITED] = "edited", [JUDGE_ADDED] = "added", [JUDGE_REMOVED] = "removed", [JUDGE_RENAMED] = "renamed", NULL,
};

/* -------- commit */

void commits_drop(struct commits *commits, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(commits->items[i].id);
		free(commits->items[i].author);
		free(commits->items[i].date);
		free(commits->items[i].subject);
	}
	commits->n -= n;
	for (size_t i = 0; i < commits->n; i++)
		commits->items[i] = commits->items[n + i];
}

void commits_release(struct commits *commits)
{
	commits_drop(commits, commits->n);
	free(commits->items);
	*commits = (struct commits){ 0 };
}

void commits_add(struct commits *commits, const char *id, const char *author, const char *date, const char *subject)
{
	VEC_GROW(commits->items, commits->n, commits->cap);
	commits->items[commits->n++] = (struct commit){
		.id = xstrdup(id), .author = xstrdup(author), .date = xstrdup(date), .subject = xstrdup(subject),
	};
}

/* -------- scenarios and the whole */

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
		free(scenario->gates[i].share);
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

const char *const result_mode_names[] = { [MODE_STORED] = "stored", [MODE_PAIRED] = "paired", NULL };

void result_release(struct result *result)
{
	strv_release(&result->command);
	strv_release(&result->options);
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

char *result_command_line(const struct result *result)
{
	struct strbuf line = STRBUF_INIT;

	if (!result->command.n)
		return NULL;
	escape_shell_words(&line, &result->command);
	return strbuf_take(&line);
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

const char *gate_name(const struct gate_result *gate)
{
	return gate->share ?: gate->gate.metric->name;
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
	if (gate->kind == GATE_METRIC && gate->metric->source == SOURCE_PRINTED)
		scenario_result_define(scenario, gate->metric);
	result->gate.metric = gate->kind == GATE_METRIC ? scenario_result_metric(scenario, gate->metric->name) : &metric_share;
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
		return strict ? STATUS_UNDECIDED : STATUS_OK;
	case VERDICT_INCONCLUSIVE:
	case VERDICT_NEW:
		return strict ? STATUS_UNDECIDED : STATUS_OK;
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

bool scenario_result_is_gated(const struct scenario_result *scenario, const char *metric)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(free_ptr) char *series = metric_ref_name(&gate_judgement(&scenario->gates[i])->ref);

		if (!strcmp(series, metric) || !strcmp(scenario->gates[i].gate.metric->name, metric))
			return true;
	}
	return false;
}

struct metric_ref scenario_result_normalised(const struct scenario_result *scenario, const char *metric)
{
	const struct metric *found = metric_find(metric);

	return (struct metric_ref){ found, .per_work = metric_grows_with_work(found) && scenario_result_count(scenario, METRIC_WORK) };
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
