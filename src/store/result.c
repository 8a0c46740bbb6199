#include "store/store.h"

#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

static int find_metric(const struct json *at, const char *name, struct side_result *side,
		       const struct metric **out, struct error *err)
{
	*out = metric_read(at, name, &side->own_metrics, err);
	if (*out && side->own_metrics.n > METRICS_MAX)
		return json_fault(at, err, "more than %d metrics", METRICS_MAX);
	return *out ? 0 : -1;
}

/* -------- gates */

/* Its final judgement is stored among the gate's own keys. */
struct gate_row {
	const char *name;
	struct gate gate;
	struct judgement counts;
	struct judgement stored, paired;	/* done: the other judgement, against the baseline or in pairs, which does not count */
	struct accepted_session *sessions;
	size_t n_sessions, cap_sessions;
	bool simulated, per_work;	/* the metric of `counts` is the simulated or normalised form of gate.metric */
};

/* JSON has no infinity. No number of pairs would decide. */
static void add_unresolvable(cJSON *object, const char *key, const void *member)
{
	const struct gate_row *row = member;

	json_add_bool(object, key, isinf(row->counts.more_pairs));
}

static int read_unresolvable(const struct json *at, void *member, struct error *err)
{
	struct gate_row *row = member;
	bool unresolvable;

	if (json_bool(at, &unresolvable, err) < 0)
		return -1;
	if (unresolvable)
		row->counts.more_pairs = INFINITY;
	return 0;
}

static const struct json_codec unresolvable_codec = { .add = add_unresolvable, .read = read_unresolvable };

static bool has_stored(const void *record)
{
	return ((const struct gate_row *)record)->stored.done;
}

static bool has_paired(const void *record)
{
	return ((const struct gate_row *)record)->paired.done;
}

static bool in_pairs(const void *record)
{
	const struct gate_row *row = record;

	return row->counts.pairs || row->stored.done;
}

static const struct field judgement_items[] = {
	{ FIELD(struct judgement, verdict), .needed = true, .words = verdict_names, .help = "Its verdict." },
	{ FIELD(struct judgement, baseline), .help = "Median that was compared with." },
	{ FIELD(struct judgement, change_pct), .help = "Change against that." },
	{ FIELD(struct judgement, low_pct), .help = "Lower bound of that change." },
	{ FIELD(struct judgement, high_pct), .help = "Upper bound of that change." },
	{ FIELD(struct judgement, tolerance_pct), .help = "Limit of that change." },
	{ FIELD(struct judgement, reason), .help = "Why, in one sentence." },
	{ FIELD(struct judgement, pairs), .help = "The pairs it was judged in." },
};

static const struct judgement judgement_empty = {
	.done = true, .verdict = VERDICT_NOT_MEASURED, .baseline = NAN, .current = NAN, .change_pct = NAN, .low_pct = NAN,
	.high_pct = NAN, .tolerance_pct = NAN, .more_pairs = NAN, .detectable_pct = NAN,
};

static void add_session_values(cJSON *object, const char *key, const void *member)
{
	const struct accepted_session *session = member;
	cJSON *values = json_add_array(object, key);

	for (size_t i = 0; i < session->n; i++)
		json_add_number(values, NULL, session->values[i]);
}

static int read_session_value(const struct json *item, void *member, struct error *err)
{
	struct accepted_session *session = member;

	if (session->n == ACCEPTED_VALUES_MOST)
		return json_fault(item, err, "more than %d values", (int)ACCEPTED_VALUES_MOST);
	return json_measured(item, &session->values[session->n], err) < 0 ? -1 : (session->n++, 0);
}

static int read_session_values(const struct json *at, void *member, struct error *err)
{
	((struct accepted_session *)member)->n = 0;
	return json_each(at, read_session_value, member, err);
}

static const struct json_codec session_values_codec = { .add = add_session_values, .read = read_session_values };

static const struct field accepted_items[] = {
	{ FIELD(struct accepted_session, date), .needed = true, DATE_UTC, .help = "When it was measured, in UTC." },
	{ FIELD(struct accepted_session, commit), .help = "Commit of the measured project." },
	{ FIELD(struct accepted_session, runs), .help = "Runs that measured it." },
	{ FIELD(struct accepted_session, median), .needed = true, .not_negative = true, .help = "Their median." },
	{ .key = "values", .needed = true, .json = &session_values_codec,
	  .schema = "{'type': 'array', 'maxItems': 20, 'items': {'type': 'number', 'minimum': 0}}",
	  .help = "Their values; of more than 20 runs, a selection." },
};

static const struct fields accepted_fields = { FIELDS(accepted_items), .size = sizeof(struct accepted_session) };

static const struct fields judgement_fields = {
	FIELDS(judgement_items), .size = sizeof(struct judgement), .empty = &judgement_empty,
};

#define JUDGED(member) FIELD_AS(#member, struct gate_row, counts.member)
#define PAIRED .when = in_pairs

static const struct field gate_items[] = {
	{ FIELD_AS("metric", struct gate_row, name), .needed = true, .derived = true,
	  .schema = "{'type': 'string', 'pattern': '^.{1,1024}$'}",
	  .help = "Name of a metric; symbols, or the words symbol and dso with a glob behind: shares of the profile." },
	{ JUDGED(baseline), .help = "Median of the accepted runs, in the metric's unit." },
	{ JUDGED(current), .help = "Median of these runs." },
	{ JUDGED(change_pct), .help = "Change of current against baseline, in percent of it; of shares, "
							 "this and its bounds and tolerance in percentage points." },
	{ JUDGED(low_pct), .help = "Lower bound of the change; null if unbounded." },
	{ JUDGED(high_pct), .help = "Upper bound of the change; null if unbounded." },
	{ FIELD_AS("tolerance_pct", struct gate_row, counts.tolerance_pct),
	  .help = "The limit: how much worse it may be. Positive, whichever way is worse." },
	{ JUDGED(verdict), .needed = true, .words = verdict_names, .help = "The verdict of this gate." },
	{ JUDGED(reason), .help = "Why, in one sentence." },
	{ FIELD_AS("relative", struct gate_row, gate.relative), .help = "Whether it is compared with a baseline." },
	{ FIELD_AS("by_default", struct gate_row, gate.by_default),
	  .help = "Whether the tolerance is pawl's own, not the scenario's." },
	{ FIELD_AS("max", struct gate_row, gate.max), .help = "Absolute budget: the most that is allowed." },
	{ FIELD_AS("min", struct gate_row, gate.min), .help = "Absolute budget: the least that is allowed." },
	{ FIELD_AS("required", struct gate_row, gate.required), .help = "Whether not measuring it is a failure." },
	{ FIELD_AS("claim", struct gate_row, gate.claim), .omitted = true,
	  .help = "Whether an improvement by at least tolerance_pct is claimed: the verdict improvement means proven, regression "
		  "refuted, inconclusive not proven." },
	{ JUDGED(n_baseline), .help = "Accepted runs compared." },
	{ JUDGED(n_current), .help = "Runs compared." },
	{ JUDGED(gross), .help = "Whether few runs proved it, as all of them lie far beyond every stored one." },
	{ FIELD(struct gate_row, simulated), .help = "Whether both sides come from the simulator." },
	{ FIELD(struct gate_row, per_work), .help = "Whether baseline and current are per unit of work." },
	{ FIELD_AS("line", struct gate_row, gate.line), .help = "Line in the scenario; 0 unknown." },
	{ FIELD_AS("column", struct gate_row, gate.column), .help = "Column in the scenario; 0 unknown." },
	{ JUDGED(pairs), PAIRED,
	  .help = "The pairs it was judged in; `baseline` is then the base's median. Missing or 0: it was judged against the baseline." },
	{ JUDGED(more_pairs), PAIRED, .omitted = true, .not_negative = true, .nullable = true,
	  .help = "About how many more pairs would decide; null if it is decided." },
	{ .key = "unresolvable", .type = FIELD_BOOL, PAIRED, .json = &unresolvable_codec,
	  .help = "Whether even four times as many pairs would not decide." },
	{ JUDGED(detectable_pct), PAIRED, .omitted = true, .not_negative = true, .nullable = true,
	  .help = "The smallest change that this number of pairs detects four times out of five." },
	{ FIELD_ITEMS("sessions", struct gate_row, sessions, &accepted_fields), .omitted = true,
	  .max = SESSIONS_KEPT, .expected = "sessions",
	  .help = "Its values in each accepted session of the baseline, oldest first." },
	{ FIELD(struct gate_row, stored), .was = "screen", .object = &judgement_fields, .when = has_stored, .nullable = true,
	  .omitted = true,
	  .help = "The comparison with the baseline, if it was also compared in pairs and those count." },
	{ FIELD(struct gate_row, paired), .object = &judgement_fields, .when = has_paired, .nullable = true,
	  .omitted = true,
	  .help = "The comparison in pairs, if it was also compared with the baseline and that counts." },
};

static const struct fields gate_fields = { FIELDS(gate_items), .size = sizeof(struct gate_row) };

enum { SHARE_NAME_LONGEST = 1024 };

/* A budget's name is its glob, which may contain any character of a symbol. */
static int read_judged(const struct json *at, const char *name, struct scenario_result *scenario, struct gate *gate,
		       struct error *err)
{
	if (!metric_name_is_share(name))
		return find_metric(at, name, &scenario->head, &gate->metric, err);
	gate->kind = !strcmp(name, METRIC_OUTPUT) ? GATE_OUTPUT : strcmp(name, METRIC_SYMBOLS) ? GATE_SHARE : GATE_SYMBOLS;
	if (strlen(name) <= SHARE_NAME_LONGEST)
		return 0;
	return json_fault(at, err, "a gate's name has up to %d bytes, found %zu", (int)SHARE_NAME_LONGEST, strlen(name));
}

/* Adds the gate to the scenario first, so that it is released even if a key is faulty. */
static int read_gate(const struct json *item, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;
	struct gate_row row = { .gate = { .tolerance_pct = NAN, .max = NAN, .min = NAN } };
	struct gate_result *result;
	struct json at;
	int ret;

	if (json_need(item, "metric", &at, err) < 0 || json_string(&at, &name, err) < 0 ||
	    read_judged(&at, name, ctx, &row.gate, err) < 0)
		return -1;
	result = scenario_result_add_gate(ctx, &row.gate);
	row.gate = result->gate;
	if (row.gate.kind == GATE_SHARE || row.gate.kind == GATE_OUTPUT)
		result->share = arena_strdup(item->arena, name);
	row.counts = result->stored;
	ret = json_read(item, &gate_fields, &row, err);
	if (row.per_work && row.gate.metric->normalised)
		row.counts.metric = row.gate.metric->normalised;
	else if (row.simulated && row.gate.metric->simulated)
		row.counts.metric = row.gate.metric->simulated;
	result->gate = row.gate;
	result->gate.tolerance_pct = row.stored.done ? row.stored.tolerance_pct : row.counts.tolerance_pct;
	result->stored.tolerance_pct = row.counts.tolerance_pct;
	if (row.stored.done) {
		result->stored = row.stored;
		result->stored.metric = row.gate.metric;
	}
	result->sessions = row.sessions;
	result->n_sessions = row.n_sessions;
	result->cap_sessions = row.cap_sessions;
	result->by_baseline = row.paired.done;
	if (row.paired.done) {
		result->paired = row.paired;
		result->paired.metric = row.gate.metric;
		result->stored = row.counts;
		result->stored.done = true;
	} else if (row.stored.done || row.counts.pairs) {
		result->paired = row.counts;
		result->paired.done = true;
	} else {
		result->stored = row.counts;
	}
	return ret;
}

static void add_gates(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *gates = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];
		struct gate_row row = { .name = gate_name(gate), .gate = gate->gate, .counts = *gate_judgement(gate) };

		row.simulated = row.counts.metric->source == SOURCE_SIMULATED && !isnan(row.counts.current);
		row.per_work = row.counts.metric->of;
		row.sessions = gate->sessions;
		row.n_sessions = gate->n_sessions;
		if (gate_judged_again(gate))
			*(gate->by_baseline ? &row.paired : &row.stored) = gate->by_baseline ? gate->paired : gate->stored;
		json_write(json_add_object(gates, NULL), &gate_fields, &row);
	}
}

static const struct json_codec gates_codec = { .add = add_gates, .item = read_gate };

/* -------- limits for symbols, and judged symbols */

static const struct field symbol_gate_items[] = {
	{ FIELD(struct symbol_gate, on), .needed = true, .help = "Whether they are judged." },
	{ FIELD(struct symbol_gate, top), .help = "How many of the hottest of either side." },
	{ FIELD(struct symbol_gate, rise_pp), .not_negative = true,
	  .help = "By how many percentage points a share may rise." },
	{ FIELD(struct symbol_gate, new_pp), .not_negative = true, .help = "The same for a new symbol." },
	{ FIELD(struct symbol_gate, required), .help = "Whether not judging them is a failure." },
	{ FIELD(struct symbol_gate, by_default), .help = "Whether this is pawl's own." },
	{ FIELD(struct symbol_gate, line), .help = "Line in the scenario; 0 unknown." },
	{ FIELD(struct symbol_gate, column), .help = "Column in the scenario; 0 unknown." },
};

static const struct fields symbol_gate_fields = { FIELDS(symbol_gate_items) };

/* A budget has a glob of symbols or of files: "of" selects which, "glob" has it. */
static const char *const budget_kinds[] = { "symbol", "dso", NULL };

static void add_of(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, budget_kinds[((const struct share_budget *)member)->dso != NULL]);
}

static const struct field text_field = { .type = FIELD_TEXT };

static int read_of(const struct json *at, void *member, struct error *err)
{
	struct share_budget *budget = member;
	struct json glob;
	size_t kind;

	if (json_choice(at, budget_kinds, &kind, err) < 0 || json_need(at->parent, "glob", &glob, err) < 0)
		return -1;
	return json_read_value(&glob, &text_field, kind ? &budget->dso : &budget->symbol, err);
}

static void add_glob(cJSON *object, const char *key, const void *member)
{
	const struct share_budget *budget = member;

	json_add_string(object, key, budget->dso ?: budget->symbol);
}

static const struct json_codec of_codec = { .add = add_of, .read = read_of }, glob_codec = { .add = add_glob };

static const struct field budget_items[] = {
	{ .key = "of", .needed = true, .words = budget_kinds, .json = &of_codec, .help = "What it is for." },
	{ .key = "glob", .type = FIELD_TEXT, .needed = true, .derived = true, .json = &glob_codec,
	  .help = "Which of them: a name in which `*` and `?` stand for others." },
	{ FIELD(struct share_budget, max_pct), .needed = true, .not_negative = true,
	  .help = "The most they may have of the profile." },
	{ FIELD(struct share_budget, required), .help = "Whether a missing profile is a failure." },
	{ FIELD(struct share_budget, line), .help = "Line in the scenario; 0 unknown." },
	{ FIELD(struct share_budget, column), .help = "Column in the scenario; 0 unknown." },
};

static const struct fields budget_fields = { FIELDS(budget_items), .size = sizeof(struct share_budget) };

#define NUMBER .not_negative = true, .nullable = true

static const struct field symbol_items[] = {
	{ FIELD(struct symbol_result, symbol), .needed = true, .help = "As people read it." },
	{ FIELD(struct symbol_result, dso), .needed = true, .help = "Base name of its file; empty when unknown." },
	{ FIELD(struct symbol_result, share_pct), NUMBER, .help = "Its own share of the profile." },
	{ FIELD(struct symbol_result, low_pct), NUMBER, .help = "Lower bound of that share, from its samples." },
	{ FIELD(struct symbol_result, high_pct), NUMBER, .help = "Upper bound of that share." },
	{ FIELD(struct symbol_result, total_pct), NUMBER, .help = "Its share with what it called." },
	{ FIELD(struct symbol_result, samples), .help = "Its own samples." },
	{ FIELD(struct symbol_result, base_share_pct), NUMBER, .help = "Its own share of the baseline's profile." },
	{ FIELD(struct symbol_result, base_samples), .help = "Its own samples in the baseline's profile." },
	{ FIELD(struct symbol_result, change_pp), .help = "Change of its share in percentage points." },
	{ FIELD(struct symbol_result, error_pp), NUMBER, .help = "One standard error of that change." },
	{ FIELD(struct symbol_result, cost_ms), NUMBER, .help = "What it costs now, in ms a run or unit of work." },
	{ FIELD(struct symbol_result, base_cost_ms), NUMBER, .help = "What it cost in the baseline." },
	{ FIELD(struct symbol_result, change), .words = symbol_change_names, .help = "What became of it." },
	{ FIELD(struct symbol_result, moved), .help = "The symbol it moved to or from." },
	{ FIELD(struct symbol_result, verdict), .needed = true, .words = verdict_names,
	  .help = "The verdict of this symbol." },
	{ FIELD(struct symbol_result, reason), .help = "Why, in one sentence." },
};

static const struct fields symbol_fields = {
	FIELDS(symbol_items), .size = sizeof(struct symbol_result), .empty = &symbol_result_empty,
};

/* -------- printed metrics: read before the gates and runs that name them */

struct definition {
	const char *name, *unit;
	unsigned better, benchmark;
};

enum clock { CLOCK_NONE, CLOCK_CPU, CLOCK_OTHER };

static int read_name(const struct json *at, void *member, struct error *err)
{
	const char *const *name = member;

	return json_read_value(at, &text_field, member, err) < 0 ? -1 : metric_check_custom(at, *name, err);
}

static int read_unit(const struct json *at, void *member, struct error *err)
{
	const char *const *unit = member;

	if (json_read_value(at, &text_field, member, err) < 0)
		return -1;
	if (!metric_unit_valid(*unit))
		return json_fault(at, err, "expected a unit of 1 to %d bytes without blanks, found '%.60s'",
				  METRIC_UNIT_LONGEST, *unit);
	return 0;
}

static const struct json_codec name_codec = { .read = read_name }, unit_codec = { .read = read_unit };
static const char *const ways[] = { "lower", "higher", NULL }, *const clocks[] = { "none", "cpu", "other", NULL };

static const struct field definition_items[] = {
	{ FIELD(struct definition, name), .needed = true, .pattern = METRIC_PATTERN, .json = &name_codec,
	  .help = "Name of the metric: none of pawl's own, none that ends in -per-work." },
	{ FIELD(struct definition, unit), .json = &unit_codec, .help = "Its unit as the scenario has it." },
	{ FIELD(struct definition, better), .needed = true, .words = ways, .help = "Which way is better." },
	{ FIELD(struct definition, benchmark), .words = clocks, .omitted = true,
	  .help = "Of a benchmark of the target's harness: cpu if its value is CPU time, else other." },
};

static const struct fields definition_fields = { FIELDS(definition_items) };

static void add_definitions(cJSON *object, const char *key, const void *member)
{
	const struct side_result *side = member;
	cJSON *definitions = json_add_array(object, key);

	for (size_t i = 0; i < side->own_metrics.n; i++) {
		const struct metric *metric = side->own_metrics.items[i];
		struct definition definition = {
			.name = metric->name, .unit = metric->label, .better = metric->higher_is_better,
			.benchmark = !metric->benchmark ? CLOCK_NONE : metric->waits ? CLOCK_OTHER : CLOCK_CPU,
		};

		if (metric->source == SOURCE_CUSTOM)
			json_write(json_add_object(definitions, NULL), &definition_fields, &definition);
	}
}

static int read_definition(const struct json *item, void *ctx, struct error *err)
{
	struct definition definition = { 0 };
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct side_result *side = ctx;

	if (json_read(item, &definition_fields, &definition, err) < 0)
		return -1;
	if (side->own_metrics.n >= METRICS_MAX)
		return json_fault(item, err, "more than %d metrics", METRICS_MAX);
	own_metrics_add(&side->own_metrics, definition.benchmark == CLOCK_NONE ?
			metric_custom(&arena, definition.name, definition.unit, definition.better) :
			metric_benchmark(&arena, definition.name, definition.unit, definition.benchmark == CLOCK_OTHER, NULL));
	return 0;
}

static const struct json_codec definitions_codec = { .add = add_definitions, .item = read_definition };

/*
 * -------- runs in parallel arrays: "metrics" names the columns, "runs" has an object of numbers or null per run,
 * "event_groups" the group that each run counted, "raw" perf's unchanged rows; read in this order
 */

static void add_columns(cJSON *object, const char *key, const void *member)
{
	const struct side_result *side = member;
	cJSON *names = json_add_array(object, key);

	for (size_t i = 0; i < side->n_metrics; i++)
		json_add_string(names, NULL, side->metrics[i]->name);
}

static int add_column(const struct json *at, const char *name, struct side_result *side, struct error *err)
{
	const struct metric *metric;

	if (find_metric(at, name, side, &metric, err) < 0)
		return -1;
	side_result_column(side, metric);
	return 0;
}

static int read_column(const struct json *item, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;

	return json_string(item, &name, err) < 0 ? -1 : add_column(item, name, ctx, err);
}

static const struct json_codec columns_codec = { .add = add_columns, .item = read_column };

static void add_run(cJSON *parent, const char *key, const struct side_result *side, size_t i)
{
	cJSON *run = json_add_object(parent, key);

	for (size_t k = 0; k < side->n_metrics; k++)
		json_add_number(run, side->metrics[k]->name, side->runs[i].values[k]);
}

static void add_runs(cJSON *object, const char *key, const void *member)
{
	const struct side_result *side = member;
	cJSON *runs = json_add_array(object, key);

	for (size_t i = 0; i < side->n_runs; i++)
		add_run(runs, NULL, side, i);
}

struct run_reader {
	struct side_result *side;
	struct run *run;
};

static int read_run_value(const struct json *item, void *ctx, struct error *err)
{
	const struct run_reader *reader = ctx;
	const struct side_result *side = reader->side;
	/* Runs written by pawl have the columns in order. */
	size_t column = item->index, tried = 0;

	while (tried < side->n_metrics && strcmp(side->metrics[column % side->n_metrics]->name, item->key)) {
		column++;
		tried++;
	}
	if (tried == side->n_metrics)
		return json_fault(item, err, "this metric is not one of the scenario's \"metrics\"");
	if (cJSON_IsNull(item->value))
		return 0;
	return json_measured(item, &reader->run->values[column % side->n_metrics], err);
}

static int read_first_key(const struct json *item, void *ctx, struct error *err)
{
	return add_column(item, item->key, ctx, err);
}

/* The first run determines the metrics. Each must name every column, so that a small file cannot make a large table. */
static int read_run(const struct json *at, void *ctx, struct error *err)
{
	struct side_result *side = ctx;
	struct run_reader reader = { .side = side };

	if (!cJSON_IsObject(at->value))
		return json_mismatch(at, err, "an object of metrics");
	if (!side->n_metrics && !side->n_runs && json_each(at, read_first_key, side, err) < 0)
		return -1;
	if (json_size(at) < side->n_metrics)
		return json_fault(at, err, "expected all %zu metrics (null when not measured), found %zu",
				  side->n_metrics, json_size(at));
	reader.run = side_result_add_run(side);
	return json_each(at, read_run_value, &reader, err);
}

static const struct json_codec runs_codec = { .add = add_runs, .item = read_run };

static const char *const row_states[] = {
	[ROW_COUNTED] = "counted", [ROW_NOT_COUNTED] = "not-counted", [ROW_NOT_SUPPORTED] = "not-supported", NULL,
};

static const struct field row_items[] = {
	{ FIELD(struct perf_row, event), .needed = true, .help = "Event as perf wrote it." },
	{ FIELD(struct perf_row, state), .needed = true, .words = row_states, .help = "Whether perf counted it." },
	{ FIELD(struct perf_row, value), .help = "Value in the unit perf prints." },
	{ FIELD(struct perf_row, run_ns), .help = "How long the event counted, in nanoseconds." },
	{ FIELD(struct perf_row, running_pct), .help = "Share of that time it was counted." },
};

static const struct perf_row row_empty = { .value = NAN, .running_pct = NAN };

static const struct fields row_fields = { FIELDS(row_items), .size = sizeof(struct perf_row), .empty = &row_empty };

static const struct field group_field = { FIELD(struct run, group) };
static const struct field rows_field = { FIELD_ITEMS(NULL, struct run, rows, &row_fields), .expected = "perf's rows" };

static void add_parallel(cJSON *array, const struct side_result *side, const struct field *field)
{
	for (size_t i = 0; i < side->n_runs; i++)
		json_write_value(array, NULL, field, (const char *)&side->runs[i] + field->offset);
}

static int read_parallel(const struct json *at, struct side_result *side, const struct field *field, struct error *err)
{
	struct json item = { .parent = at, .strict = at->strict, .arena = at->arena };

	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array");
	if (json_size(at) != side->n_runs)
		return json_fault(at, err, "expected one entry for each of %zu runs, found %zu", side->n_runs, json_size(at));
	cJSON_ArrayForEach(item.value, at->value) {
		if (json_read_value(&item, field, (char *)&side->runs[item.index] + field->offset, err) < 0)
			return -1;
		item.index++;
	}
	return 0;
}

static void add_groups(cJSON *object, const char *key, const void *member)
{
	add_parallel(json_add_array(object, key), member, &group_field);
}

static int read_groups(const struct json *at, void *member, struct error *err)
{
	return read_parallel(at, member, &group_field, err);
}

static void add_raw(cJSON *object, const char *key, const void *member)
{
	add_parallel(json_add_array(object, key), member, &rows_field);
}

static int read_raw(const struct json *at, void *member, struct error *err)
{
	return read_parallel(at, member, &rows_field, err);
}

static const struct json_codec groups_codec = { .add = add_groups, .read = read_groups },
	raw_codec = { .add = add_raw, .read = read_raw };

/*
 * -------- a comparison: "pairing" has its method and sides, "pairs" both sides' values and the side that ran first;
 * read in this order, after "printed_metrics". The base's profile is not kept.
 */

/* Written as text: JSON readers round numbers beyond 2^53, and a seed must be exact. */
static void add_seed(cJSON *object, const char *key, const void *member)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)*(const uint64_t *)member);
	json_add_string(object, key, text);
}

static int read_seed(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *text = NULL;
	struct error unused = ERROR_INIT;

	if (json_string(at, &text, err) < 0)
		return -1;
	if (parse_u64(text, member, &unused) < 0)
		return json_fault(at, err, "expected a whole number from 0 to %llu as text, found '%.60s'",
				  (unsigned long long)UINT64_MAX, text);
	return 0;
}

static const struct json_codec seed_codec = { .add = add_seed, .read = read_seed };

static const struct field side_items[] = {
	{ FIELD(struct side_result, label), .help = "What reports call it." },
	{ FIELD(struct side_result, commit), .help = "Its commit in full, where it is a commit's tree." },
	{ FIELD(struct side_result, executable), .help = "Identity of the command's file." },
	{ FIELD(struct side_result, simulator), .omitted = true,
	  .help = "What simulated values depend on besides the program." },
	{ FIELD(struct side_result, attached), .help = "What was attached to; null for a command." },
};

static const struct fields side_fields = { FIELDS(side_items) };

static void add_head(cJSON *object, const char *key, const void *member)
{
	json_write(json_add_object(object, key), &side_fields, scenario_result_measured(member));
}

static int read_head(const struct json *at, void *member, struct error *err)
{
	return json_read(at, &side_fields, scenario_result_measured(member), err);
}

static const struct json_codec head_codec = { .add = add_head, .read = read_head };

#define HOW(member) FIELD_AS(#member, struct scenario_result, pairing.member)

static bool is_identical(const void *scenario)
{
	return ((const struct scenario_result *)scenario)->pairing.identical.binary != NULL;
}

static const struct field identical_items[] = {
	{ FIELD(struct identical_build, binary), .needed = true, .help = "Identity of the program, which is the same on both sides." },
	{ FIELD(struct identical_build, libraries), .needed = true, .help = "Libraries that it loads, equal on both sides." },
	{ FIELD(struct identical_build, files), .needed = true, .help = "Other files that it reads, equal on both sides." },
};

static const struct fields identical_fields = { FIELDS(identical_items) };

/* "confirming" is read before "head", which depends on it. */
static const struct field pairing_items[] = {
	{ HOW(seed), .json = &seed_codec, .schema = "{'type': 'string', 'pattern': '^[0-9]{1,20}$'}",
	  .help = "Seed of the order within the pairs. It is text, since it may be beyond 2^53." },
	{ HOW(gates), .help = "Number of gates for the multiple-comparison correction: all those in pairs." },
	{ HOW(pairs_least), .omitted = true, .help = "Fewest pairs before the first look." },
	{ HOW(pairs_most), .help = "Where the last look is; 0: after 60 pairs." },
	{ HOW(batch), .min = 1, .help = "Adjacent runs, or windows of one start of the services, that make a value." },
	{ HOW(commits), .omitted = true, .help = "Commits from the base's to the head's, the head's included." },
	{ HOW(dropped), .help = "Pairs in which a run failed." },
	{ HOW(rerun), .help = "Pairs that the hypervisor stole from, and that were measured again." },
	{ HOW(floor_pct), .not_negative = true, .help = "A regression is at least this much worse." },
	{ HOW(way), .words = pair_way_names, .help = "How the two runs of a pair were made, or were to be made." },
	{ HOW(apart), .help = "Why they were not run together, although that was wanted; else null." },
	{ HOW(services), .help = "Lifetime of the services; null without services." },
	{ HOW(one_program),
	  .help = "If both sides ran the same program although their trees differ: why, and what to do; else null." },
	{ HOW(unchanged), .omitted = true,
	  .help = "Set if both sides ran the same compiled program although its sources seem to have changed." },
	{ HOW(identical), .object = &identical_fields, .when = is_identical, .omitted = true,
	  .help = "Nothing can differ between the sides, so no pair was measured: the program's identity, and the libraries and files "
		  "that it loads and reads." },
	{ HOW(other_work), .omitted = true,
	  .help = "How the head's output or files differ from the base's; null when they do not, or that is unknown." },
	{ HOW(ended), .help = "Whether no more pairs were to come." },
	{ HOW(confirming), .help = "Whether the pairs only confirm what stored runs had flagged." },
	{ FIELD(struct scenario_result, base), .object = &side_fields, .nullable = true,
	  .help = "What was compared with." },
	{ .key = "head", .object = &side_fields, .nullable = true, .json = &head_codec, .help = "What was judged." },
};

static const struct fields pairing_fields = { FIELDS(pairing_items) };

static bool is_paired(const void *record)
{
	return ((const struct scenario_result *)record)->paired;
}

static void add_pairing(cJSON *object, const char *key, const void *member)
{
	json_write(json_add_object(object, key), &pairing_fields, member);
}

static void pair(struct scenario_result *scenario, bool confirming)
{
	const struct side_result *head = &scenario->head;

	scenario_result_pair(scenario, confirming);
	scenario->base.state = scenario->again.state = SCENARIO_MEASURED;
	for (size_t i = 0; i < head->own_metrics.n; i++) {
		if (head->own_metrics.items[i]->source != SOURCE_CUSTOM)
			continue;
		own_metrics_add(&scenario->base.own_metrics, head->own_metrics.items[i]);
		own_metrics_add(&scenario->again.own_metrics, head->own_metrics.items[i]);
	}
}

static int read_pairing(const struct json *at, void *member, struct error *err)
{
	pair(member, false);
	return json_read(at, &pairing_fields, member, err);
}

static const struct json_codec pairing_codec = { .add = add_pairing, .read = read_pairing };

static const char *const sides[] = { "base", "head", NULL };

static void add_pairs(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	const struct side_result *head = scenario_result_measured(scenario);
	size_t n = scenario_result_pairs(scenario);
	cJSON *pairs = json_add_array(object, key);

	for (size_t i = 0; i < n; i++) {
		cJSON *both = json_add_object(pairs, NULL);

		add_run(both, "base", &scenario->base, i);
		add_run(both, "head", head, i);
		json_add_string(both, "first", sides[head->runs[i].first]);
	}
}

/* Unless the pairs confirm them, the head's values are those of "runs", already read. */
static int read_pair(const struct json *item, void *ctx, struct error *err)
{
	struct scenario_result *scenario = ctx;
	struct side_result *measured;
	struct json base, head, at;
	size_t first;
	int found;

	if (!scenario->paired)
		pair(scenario, true);
	measured = scenario_result_measured(scenario);
	if (json_need(item, "base", &base, err) < 0 || json_need(item, "head", &head, err) < 0 ||
	    read_run(&base, &scenario->base, err) < 0 ||
	    (measured->n_runs <= item->index && read_run(&head, measured, err) < 0))
		return -1;
	found = json_get(item, "first", &at, err);
	if (found < 1)
		return found;
	if (json_choice(&at, sides, &first, err) < 0)
		return -1;
	scenario->base.runs[item->index].first = !first;
	measured->runs[item->index].first = first;
	return 0;
}

static const struct json_codec pairs_codec = { .add = add_pairs, .item = read_pair };

/* -------- the cause of a regression */

static const struct field cause_items[] = {
	{ FIELD(struct cause, kind), .needed = true, .words = cause_kind_names, .help = "What grew." },
	{ FIELD(struct cause, function), .omitted = true,
	  .help = "The project's function that costs more, if it is one in particular." },
	{ FIELD(struct cause, object), .omitted = true,
	  .help = "Base name of the program, library or script that holds it." },
	{ FIELD(struct cause, place), .omitted = true, .help = "Its file and line, if it has debug information." },
	{ FIELD(struct cause, changed), .omitted = true,
	  .help = "The changed line that it rests on, with its file and number." },
	{ FIELD(struct cause, amount), .help = "What it costs more, per run or unit of work." },
	{ FIELD(struct cause, unit), .words = metric_unit_names, .help = "Unit of that." },
	{ FIELD(struct cause, share_pct), .help = "Its part of the change." },
	{ FIELD(struct cause, sentence), .needed = true, .help = "All of it in one sentence." },
	{ FIELD(struct cause, changed_at), .omitted = true,
	  .help = "The changed line's file, from the top of the repository, and its number in the head." },
	{ FIELD(struct cause, hunk), .omitted = true, .help = "The lines of that change, each after its - or +." },
};

static const struct cause cause_empty = { .amount = NAN, .share_pct = NAN };

static const struct fields cause_fields = {
	FIELDS(cause_items), .size = sizeof(struct cause), .empty = &cause_empty,
};

/* -------- scenarios */

enum { SYMBOLS_READ = 1000 };

#define VALUES "'propertyNames': {'pattern': '" METRIC_PATTERN "'}, " \
	"'additionalProperties': {'type': ['number', 'null'], 'minimum': 0}"

static const char *const states[] = {
	[SCENARIO_MEASURED] = "measured", [SCENARIO_FAILED] = "failed", [SCENARIO_PARTIAL] = "partial",
	[SCENARIO_SKIPPED] = "skipped", NULL,
};

#define SECONDS(member) FIELD(struct phases, member), .not_negative = true

static const struct field phases_items[] = {
	{ SECONDS(setup_s), .help = "The setup command." },
	{ SECONDS(services_s), .help = "Starting services until they were ready." },
	{ SECONDS(warm_up_s), .help = "Warm-up." },
	{ SECONDS(runs_s), .help = "Counted runs, or pairs with what was started and warmed up between them." },
	{ SECONDS(simulation_s), .help = "The run under valgrind." },
	{ SECONDS(profile_s), .help = "Profiled runs, reading what they recorded, pictures." },
	{ SECONDS(evidence_s), .help = "Looking for the cause of a regression." },
	{ SECONDS(cleanup_s), .help = "The cleanup command." },
	{ SECONDS(confirmation_s), .help = "Comparing it in pairs after it had been measured alone." },
};

static const struct fields phases_fields = { FIELDS(phases_items) };

static bool has_phases(const void *record)
{
	return !phases_empty(&((const struct scenario_result *)record)->phases);
}

static bool has_profile(const void *record)
{
	return profile_exists(&((const struct scenario_result *)record)->head.profile);
}

#define HEAD(member) FIELD_AS(#member, struct scenario_result, head.member)
#define OF_HEAD .offset = offsetof(struct scenario_result, head)

/*
 * Printed metrics are defined before they are named, and "metrics" and "runs" precede what is parallel to them.
 * "pairs" may have heads that are not among the runs.
 */
static const struct field scenario_items[] = {
	{ FIELD(struct scenario_result, name), .needed = true, SCENARIO_NAME, .help = "The scenario's name." },
	{ FIELD(struct scenario_result, path), .needed = true, .nullable = true,
	  .help = "The scenario's file as it was given; null where two commands were compared." },
	{ FIELD_AS("machine_class", struct scenario_result, class), .omitted = true, .max = 200, .pattern = "^[A-Za-z0-9._-]+$",
	  .expected = "a machine class: letters, digits and . _ -",
	  .help = "In merged results of several machine classes: the one that measured this scenario." },
	{ FIELD(struct scenario_result, description), .help = "What it measures." },
	{ HEAD(state), .needed = true, .words = states, .help = "How far measuring came." },
	{ FIELD(struct scenario_result, status), .needed = true, .max = 255,
	  .help = "Exit status for this scenario alone." },
	{ HEAD(failure), .help = "What failed." },
	{ HEAD(timed_out_ms), .not_negative = true,
	  .help = "The timeout that a run reached, so that the scenario failed; else 0." },
	{ HEAD(log_tail), .help = "Last lines of the target's output when it failed." },
	{ HEAD(log_path), .help = "Path of the whole output." },
	{ FIELD(struct scenario_result, settings), .object = &settings_fields, .help = "What was run." },
	{ HEAD(work_unit), .help = "What the load does, in the singular, such as `request`." },
	{ HEAD(attached), .help = "What was attached to; its runs are windows. null for a command." },
	{ HEAD(executable),
	  .help = "Identity of the command's file: `build-id:`, or `fnv1a:` and a hash of its bytes. Behind a `+` "
		  "follows the same of each project file among its arguments." },
	{ HEAD(simulator), .omitted = true, .help = "What simulated values depend on besides the program." },
	{ FIELD(struct scenario_result, measurement), MEASUREMENT,
	  .help = "Name of the measurement, so that a baseline takes it once." },
	{ FIELD(struct scenario_result, variables),
	  .help = "Names of the variables of pawl's own environment that the command got." },
	{ HEAD(runs_wanted), .help = "Runs asked for." },
	{ FIELD(struct scenario_result, phases), .object = &phases_fields, .when = has_phases, .omitted = true,
	  .help = "Where its time went, in seconds." },
	{ HEAD(notes), .help = "Notes for the reader." },
	{ FIELD(struct scenario_result, baseline_path), .help = "Baseline compared with." },
	{ FIELD(struct scenario_result, baseline_label), .help = "That baseline in words." },
	{ FIELD(struct scenario_result, baseline_class), .help = "That baseline's machine class." },
	{ FIELD(struct scenario_result, difference),
	  .help = "diff.svg in the run's folder shows what changed since that baseline." },
	{ FIELD_ITEMS("causes", struct scenario_result, causes, &cause_fields), .max = CAUSES_MOST, .omitted = true,
	  .expected = "causes", .help = "What the regression comes from, the largest first." },
	{ FIELD(struct scenario_result, evidence), .omitted = true,
	  .help = "What the causes rest on, and what could not be found out, and why." },
	{ FIELD(struct scenario_result, explanation), .help = "What accounts for the change." },
	{ FIELD(struct scenario_result, idle), .omitted = true,
	  .help = "Set if the target does next to nothing, with a remedy." },
	{ FIELD(struct scenario_result, waits),
	  .help = "Set if wall time rose and neither CPU time nor a gate shows it." },
	{ .key = "printed_metrics", OF_HEAD, .type = FIELD_LIST, .object = &definition_fields, .json = &definitions_codec,
	  .expected = "printed metrics", .help = "Metrics that the target or its load prints." },
	{ .key = "pairing", .object = &pairing_fields, .when = is_paired, .nullable = true, .omitted = true,
	  .json = &pairing_codec,
	  .help = "How it was measured in pairs, and what the two sides are. Missing if it was measured alone." },
	{ .key = "gates", .type = FIELD_LIST, .object = &gate_fields, .needed = true, .json = &gates_codec,
	  .expected = "gates", .help = "One per gate, judged." },
	{ FIELD_ITEMS("symbols", struct scenario_result, symbols, &symbol_fields), .max = SYMBOLS_READ, .expected = "symbols",
	  .help = "Symbols of either profile as they were judged, hottest first." },
	{ FIELD(struct scenario_result, symbol_gate), .object = &symbol_gate_fields, .nullable = true,
	  .help = "What the scenario tolerates of symbols." },
	{ FIELD_ITEMS("budgets", struct scenario_result, budgets, &budget_fields), .max = SHARE_BUDGETS_MAX,
	  .expected = "budgets", .help = "The limits on shares." },
	{ .key = "metrics", OF_HEAD, .expected = "metrics", .json = &columns_codec,
	  .schema = "{'type': 'array', 'items': {'type': 'string', 'pattern': '" METRIC_PATTERN "', "
		    "'description': 'Name of a metric.'}}",
	  .help = "Names of the metrics in the runs." },
	{ .key = "runs", OF_HEAD, .needed = true, .expected = "runs", .json = &runs_codec,
	  .schema = "{'type': 'array', 'items': {'type': 'object', " VALUES "}}",
	  .help = "One per counted run: every metric's number, or null when not measured." },
	{ HEAD(profile), .object = &profile_result_fields, .when = has_profile, .nullable = true,
	  .json = &profile_codec, .help = "Where the time went: which symbols were sampled, how often." },
	{ .key = "event_groups", .was = "passes", OF_HEAD, .json = &groups_codec,
	  .schema = "{'type': 'array', 'items': {'type': 'integer', 'minimum': 0, 'maximum': 4294967295}}",
	  .help = "Event group each run counted, parallel to runs." },
	{ .key = "raw", OF_HEAD, .type = FIELD_LISTS, .object = &row_fields, .json = &raw_codec,
	  .help = "perf's own rows, parallel to runs; left out of very large results." },
	{ .key = "pairs", .when = is_paired, .expected = "pairs", .json = &pairs_codec,
	  .schema = "{'type': 'array', 'items': {'type': 'object', 'required': ['base', 'head'], 'properties': {"
		    "'base': {'description': 'Every number of the base, or null when not measured.', "
		    "'type': 'object', " VALUES "}, "
		    "'head': {'description': 'The same of the head.', 'type': 'object', " VALUES "}, "
		    "'first': {'description': 'Which of them ran first.', 'enum': ['base', 'head']}}}}",
	  .help = "One per pair, in order: `base` and `head`, each as in `runs`, and `first`, the side that ran first. In mode "
		  "`paired`, `runs` are the head's." },
};

static const struct scenario_result scenario_empty = { .head.profile.overhead_pct = NAN };

static const struct fields scenario_fields = {
	FIELDS(scenario_items), .size = sizeof(struct scenario_result), .empty = &scenario_empty, .arena = true,
};

/* -------- the files that judged */

static const struct field edit_items[] = {
	{ FIELD(struct judge_edit, path), .needed = true,
	  .help = "Path below the project's root; the old one if it was renamed." },
	{ FIELD(struct judge_edit, change), .needed = true, .words = judge_change_names,
	  .help = "What was done to it." },
	{ FIELD(struct judge_edit, note), .help = "What that means; the new path if it was renamed." },
};

static const struct fields edit_fields = { FIELDS(edit_items), .size = sizeof(struct judge_edit) };

static const struct field judge_items[] = {
	{ FIELD(struct judged_by, ref), .help = "The base, as it was named." },
	{ FIELD(struct judged_by, commit), .help = "Its commit; null: a folder." },
	{ FIELD(struct judged_by, own), .needed = true,
	  .help = "Whether the measured tree's own files judged; `ref` is then what they are compared with." },
	{ FIELD_ITEMS("edits", struct judged_by, edits, &edit_fields), .needed = true, .max = JUDGE_EDITS_MOST,
	  .expected = "files", .help = "Files that judge and that the change edits." },
	{ FIELD_AS("not_protected", struct judged_by, open), .help = "What the change could edit, and why." },
};

static const struct fields judge_fields = { FIELDS(judge_items), .arena = true };

static bool has_judge(const void *record)
{
	const struct result *result = record;

	return result->judged_by.ref || result->judged_by.open.n;
}

/* -------- the result */

/* As typed. */
static void add_command(cJSON *object, const char *key, const void *member)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	escape_shell_words(&line, member);
	json_add_string(object, key, line.len ? line.buf : NULL);
}

static int read_command(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *line = NULL;
	CLEANUP(strv_release) struct strv words = STRV_INIT;

	if (json_string(at, &line, err) < 0)
		return -1;
	escape_shell_split(line, &words);
	arena_push_all(at->arena, member, &words);
	return 0;
}

static const struct json_codec command_codec = { .add = add_command, .read = read_command };

enum { SUITE_MOST = 10000, SUITE_NAME_LONGEST = 100 };

/* Scenarios that no shard measured get results of their own. */
static int read_suite_name(const struct json *item, void *member, struct error *err)
{
	struct strv *suite = member;
	CLEANUP(free_ptr) char *name = NULL;

	if (json_string(item, &name, err) < 0)
		return -1;
	if (!text_made_of(name, "._-") || *name == '.' || strlen(name) > SUITE_NAME_LONGEST)
		return json_fault(item, err, "expected a scenario's name: at most %d letters, digits and . _ - with no dot first",
				  SUITE_NAME_LONGEST);
	if (suite->n == SUITE_MOST)
		return json_fault(item, err, "more than %d scenarios", SUITE_MOST);
	arena_push(item->arena, suite, name);
	return 0;
}

static void add_suite(cJSON *object, const char *key, const void *member)
{
	json_add_strings(object, key, member);
}

static const struct json_codec suite_codec = { .add = add_suite, .item = read_suite_name };

#define URL .omitted = true, .max = 2000, .pattern = "^https://[A-Za-z0-9._~/:@+-]+$", .expected = "an https address"

static const struct field result_items[] = {
	{ .key = "schema", .type = FIELD_VERSION, .min = RESULT_SCHEMA_OLDEST, .max = RESULT_SCHEMA, .needed = true,
	  .help = "Version of this format." },
	{ FIELD(struct result, mode), .needed = true, .words = result_mode_names,
	  .help = "Compared with a stored baseline, or in pairs." },
	{ FIELD(struct result, status), .needed = true, .max = 255, .help = "Exit status." },
	{ FIELD(struct result, partial), .needed = true, .help = "Whether measuring was interrupted." },
	{ FIELD(struct result, strict), .help = "Whether --strict was given." },
	{ .key = "command", .type = FIELD_TEXT, .offset = offsetof(struct result, command), .needed = true, .json = &command_codec,
	  .help = "The command line." },
	{ FIELD(struct result, date), .needed = true, DATE_UTC, .help = "When, in UTC." },
	{ FIELD(struct result, commit), .help = "Commit of the project, with `+dirty` if the tree was changed." },
	{ FIELD(struct result, repository), URL, .help = "Address of the project's repository on GitHub or GitLab." },
	{ FIELD(struct result, ci_run), URL, .help = "Address of the CI run that measured." },
	{ FIELD(struct result, pawl), .needed = true, .help = "Version of pawl." },
	{ FIELD(struct result, out_dir), .help = "Folder of this run." },
	{ FIELD(struct result, elapsed_s), .help = "How long it took, in seconds." },
	{ FIELD(struct result, machine), .object = &machine_fields, .needed = true,
	  .help = "The machine that measured." },
	{ FIELD_AS("judge", struct result, judged_by), .object = &judge_fields, .when = has_judge,
	  .help = "Whose pawl.yaml, scenarios and baselines judged, if not the tree's own." },
	{ FIELD(struct result, notes), .help = "What concerns all scenarios." },
	{ FIELD(struct result, shard), .omitted = true, .pattern = "^[0-9]{1,6}/[0-9]{1,6}$", .expected = "a shard such as 2/3",
	  .help = "Which shard of the selected scenarios this is." },
	{ .key = "suite", .type = FIELD_LIST, .offset = offsetof(struct result, suite), .omitted = true, .json = &suite_codec,
	  .expected = "names of scenarios", .schema = "{'type': 'array', 'items': {'type': 'string'}}",
	  .help = "The names of all selected scenarios, if this is a shard of them." },
	{ FIELD(struct result, mixed), .omitted = true, .help = "Why the merged results do not belong together." },
	{ FIELD(struct result, busy),
	  .help = "How busy the machine was, if times of these runs count for little in a baseline." },
	{ FIELD_ITEMS("scenarios", struct result, scenarios, &scenario_fields), .needed = true, .expected = "scenarios",
	  .help = "One per scenario." },
};

const struct fields result_fields = {
	FIELDS(result_items), .title = "pawl result", .arena = true,
	.help = "What one invocation found. Keys that are not described here may come with a newer pawl.",
};

/* NULL if that is not known. */
static const char *other_program(const cJSON *tree)
{
	if (cJSON_GetObjectItemCaseSensitive(tree, "schema"))
		return NULL;
	if (cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "results")))
		return "hyperfine";
	if (!cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "benchmarks")))
		return NULL;
	return cJSON_GetObjectItemCaseSensitive(tree, "machine_info") ? "pytest-benchmark" : "google-benchmark";
}

int result_parse(const char *text, size_t len, const char *path, struct result *out, struct error *err)
{
	CLEANUP(result_release) struct result result = { 0 };

	if (json_read_file(&(struct json_file){ text, len, path, false }, &result_fields, &result, err) < 0) {
		cJSON *tree = cJSON_ParseWithLength(text, len);
		const char *program = other_program(tree);

		cJSON_Delete(tree);
		if (!program)
			return -1;
		*err = (struct error)ERROR_INIT;
		error_set(err, ERR_INPUT, "this is a file of %s, and pawl compares its own results; it measures both sides itself, with "
			  "harness: %s in a scenario's target, or pawl ab 'OLD' 'NEW'", program, program);
		return error_at(err, path, 0, 0);
	}
	result_label(&result);
	*out = result;
	result = (struct result){ 0 };
	return 0;
}

static size_t count_values(const cJSON *value)
{
	const cJSON *child;
	size_t n = 1;

	cJSON_ArrayForEach(child, value)
		n += count_values(child);
	return n;
}

/* Parts that are dropped, in this order, from a result that would be too large to be read back. */
static const char *const spare[] = {
	"perf's own rows are not in this file: with them it would be too large to be read again",
	"of each profile only the heaviest symbols are in this file: with more it would be too large to be read again",
	"profiles are not in this file: with them it would be too large to be read again",
};

enum { N_SPARE = sizeof spare / sizeof spare[0] };

static void drop(cJSON *tree, size_t which)
{
	cJSON *scenario;

	cJSON_ArrayForEach(scenario, cJSON_GetObjectItemCaseSensitive(tree, "scenarios"))
		if (which == 1)
			profile_shorten(cJSON_GetObjectItemCaseSensitive(scenario, "profile"), PROFILE_BASELINE_MOST);
		else
			cJSON_DeleteItemFromObjectCaseSensitive(scenario, which ? "profile" : "raw");
	json_add_string(cJSON_GetObjectItemCaseSensitive(tree, "notes"), NULL, spare[which]);
}

char *result_format(const struct result *result)
{
	for (size_t dropped = 0;; dropped++) {
		CLEANUP(free_ptr) char *text = NULL;
		cJSON *tree = json_new_object();
		bool last = dropped == N_SPARE, few;

		json_write(tree, &result_fields, result);
		for (size_t i = 0; i < dropped; i++)
			drop(tree, i);
		few = count_values(tree) <= JSON_NODES_MAX;
		text = json_print(tree);
		if (last || (few && strlen(text) <= JSON_LARGEST))
			return take_ptr(&text);
	}
}
