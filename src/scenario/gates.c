#include "scenario/yaml.h"

#include <ctype.h>
#include <math.h>

#include "base/mem.h"
#include "base/parse.h"

/* -------- a gate on a metric */

enum { TOLERANCE_MAX_PCT = 1000, LOSS_MAX_PCT = 100 };

static bool is_word(const struct node *node, const char *word)
{
	return node->kind == NODE_TEXT && !strcmp(node->text, word);
}

static bool is_off(const struct node *node)
{
	return is_word(node, "off") || is_word(node, "false");
}

/* `default` or a percentage, which is a change for the worse whatever its sign. */
static int parse_tolerance(struct source *source, const struct node *node, const char *expected, struct gate *gate)
{
	const struct metric *metric = gate->metric;
	bool higher = metric->higher_is_better;
	double pct, limit = higher ? LOSS_MAX_PCT : TOLERANCE_MAX_PCT;

	if (is_word(node, "default")) {
		if (metric->stored_tolerance_pct == 0)
			return source_fault(source, node->at, "'%s' has no default limit; write one such as 5%%", metric->name);
		gate->relative = gate->by_default = true;
		gate->tolerance_pct = metric->stored_tolerance_pct;
		return 0;
	}
	if (node->kind != NODE_TEXT || parse_percent(node->text, &pct, NULL) < 0)
		return node_expected(source, node, expected);
	pct = fabs(pct);
	if (higher ? pct >= limit : pct > limit)
		return source_fault(source, node->at, "expected a limit %s %g%%, found '%.60s'",
				    higher ? "under" : "up to", limit, node->text);
	gate->relative = true;
	gate->tolerance_pct = pct;
	return 0;
}

static const char *claim_fault(const struct metric *metric, double pct)
{
	if (metric->higher_is_better)
		return pct > 0 && pct <= TOLERANCE_MAX_PCT ? NULL : "an improvement above 0% and up to 1000%";
	return pct > 0 && pct < LOSS_MAX_PCT ? NULL : "an improvement above 0% and under 100%";
}

static int parse_claim(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct gate *gate = out;
	const char *fault;
	double pct;

	if (node->kind != NODE_TEXT || parse_percent(node->text, &pct, NULL) < 0)
		return node_expected(source, node, "an improvement such as 10%");
	fault = claim_fault(gate->metric, pct);
	if (fault)
		return node_expected(source, node, fault);
	if (gate->relative)
		return source_fault(source, entry->key.at, "a gate on %s either has a limit or claims an improvement", gate->metric->name);
	gate->relative = gate->claim = true;
	gate->tolerance_pct = pct;
	return 0;
}

/* Each metric has one of max-increase and max-decrease. */
static int parse_change(struct source *source, const struct node_entry *entry, void *out)
{
	struct gate *gate = out;
	bool higher = gate->metric->higher_is_better;
	const char *right = higher ? "max-decrease" : "max-increase";

	if (gate->claim)
		return source_fault(source, entry->key.at, "a gate on %s either has a limit or claims an improvement", gate->metric->name);
	if (strcmp(entry->key.text, right))
		return source_fault(source, entry->key.at, "%s is worse when it %s: use %s", gate->metric->name,
				    higher ? "falls" : "rises", right);
	return parse_tolerance(source, &entry->value, "a limit such as 5%", gate);
}

/* In the metric's unit; a share may also be a plain number. */
static int parse_bound(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const expected[] = {
		[UNIT_COUNT] = "a number that is not negative", [UNIT_MS] = "a duration such as 250ms",
		[UNIT_BYTES] = "a size such as 512MiB", [UNIT_RATIO] = "a number that is not negative",
		[UNIT_FRACTION] = "a share such as 5%, or 0.05", [UNIT_HZ] = "a number that is not negative",
	};
	struct gate *gate = out;
	enum metric_unit unit = gate->metric->unit;
	const char *text = entry->value.text;
	double value;

	if (entry->value.kind != NODE_TEXT ||
	    (extractor_parse_unit(text, unit, &value, NULL) < 0 &&
	     (unit != UNIT_FRACTION || parse_double(text, &value, NULL) < 0)) ||
	    value < 0 || (unit == UNIT_FRACTION && value > 1))
		return node_expected(source, &entry->value, expected[unit]);
	*(strcmp(entry->key.text, "max") ? &gate->min : &gate->max) = value;
	return 0;
}

#define PERCENT "[+-]?[0-9.]+([eE][+-]?[0-9]+)?%"
#define CHANGE "{'type': 'string', 'pattern': '^(" PERCENT "|default)$'}"

static void show_limit(struct yaml_writer *w, const struct gate *gate)
{
	const struct metric *metric = gate->metric;
	double paired = metric->paired_tolerance_pct ?: gate->tolerance_pct, together = metric->together_tolerance_pct ?: paired;

	if (!gate->by_default) {
		yaml_number(w, gate->tolerance_pct, "%");
		return;
	}
	strbuf_addf(w->out, " default    # %g%% against the baseline, %g%% in pairs", gate->tolerance_pct, together);
	if (together != paired)
		strbuf_addf(w->out, " (%g%% if base and head cannot run at the same time)", paired);
	strbuf_addc(w->out, '\n');
}

static void show_change(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct gate *gate = member;

	if (gate->relative && !gate->claim && text_ends(field->key, strlen(field->key), gate->metric->higher_is_better ? "decrease" : "increase"))
		show_limit(w, gate);
}

static void show_claim(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct gate *gate = member;

	(void)field;
	if (gate->claim)
		yaml_number(w, gate->tolerance_pct, "%");
}

static void show_bound(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct gate *gate = member;
	double value = strcmp(field->key, "max") ? gate->min : gate->max;

	if (isnan(value))
		return;
	if (gate->metric->unit == UNIT_MS)
		yaml_duration(w, (uint64_t)round(value * 1e6));
	else if (gate->metric->unit == UNIT_BYTES)
		yaml_size(w, (uint64_t)value);
	else
		yaml_number(w, value, "");
}

static const struct field gate_items[] = {
	{ .key = "max-increase", .yaml = parse_change, .show = show_change,
	  .help = "The limit of a metric that is worse when it rises, such as `5%`, or `default`.",
	  .schema = CHANGE },
	{ .key = "max-decrease", .yaml = parse_change, .show = show_change,
	  .help = "The limit of a metric that is worse when it falls, such as `10%`, or `default`.",
	  .schema = CHANGE },
	{ .key = "improve", .yaml = parse_claim, .show = show_claim, .schema = "{'type': 'string', 'pattern': '^" PERCENT "$'}",
	  .help = "Claims an improvement by at least this much, such as 10%: fails unless it is proven." },
	{ .key = "max", .yaml = parse_bound, .show = show_bound, .schema = "{'type': ['string', 'number'], 'minimum': 0}",
	  .help = "The most allowed, in the metric's unit: `2s`, `512MiB`, `5%`, a number. Needs no baseline." },
	{ .key = "min", .yaml = parse_bound, .show = show_bound, .schema = "{'type': ['string', 'number'], 'minimum': 0}",
	  .help = "The least allowed, in the metric's unit." },
	{ FIELD(struct gate, required), .help = "`true`: if the metric cannot be measured, the status is 3." },
};

static const struct fields gate_fields = {
	FIELDS(gate_items), .rules = "{'minProperties': 1, 'anyOf': [{'required': ['max-increase']}, "
				     "{'required': ['max-decrease']}, {'required': ['improve']}, {'required': ['max']}, "
				     "{'required': ['min']}]}",
};

/* -------- the metric of a gate */

static size_t find_gate(const struct gates *gates, const char *metric)
{
	size_t i = 0;

	while (i < gates->n && strcmp(gates->items[i].metric->name, metric))
		i++;
	return i;
}

const struct metric *gates_find_metric(const struct gates *gates, const char *name)
{
	size_t i = find_gate(gates, name);

	return i < gates->n ? gates->items[i].metric : NULL;
}

/* For an event it is made in the source's arena. */
static const struct metric *metric_of(const struct source *source, const struct gates *gates, const char *name)
{
	const struct metric *known = metric_find(name) ?: gates_find_metric(gates, name);

	for (size_t i = 0; !known && source->scope && i < source->scope->n_metrics; i++)
		if (!strcmp(source->scope->metrics[i].metric->name, name))
			known = source->scope->metrics[i].metric;
	if (!known && strv_has(source->events, name))
		known = metric_event(source->arena, name);
	/* The benchmarks are not known yet. */
	if (!known && source->scope && source->scope->harness.kind != HARNESS_NONE)
		known = metric_benchmark(source->arena, name, "ms", false, NULL);
	return known ?: metric_call(source->arena, name);
}

static const char *nearest_gate(const struct source *source, const char *name)
{
	size_t n_custom = source->scope ? source->scope->n_metrics : 0, n = 0;
	CLEANUP(free_ptr) const char **known = xcalloc(metric_catalogue_size + source->events->n + n_custom + 2, sizeof *known);

	for (size_t i = 0; i < metric_catalogue_size; i++)
		known[n++] = metric_catalogue[i].name;
	for (size_t i = 0; i < source->events->n; i++)
		known[n++] = source->events->items[i];
	for (size_t i = 0; i < n_custom; i++)
		known[n++] = source->scope->metrics[i].metric->name;
	known[n++] = "symbols";
	known[n++] = "budgets";
	return nearest(name, known, n);
}

static const char *misfit(const struct scenario *scope, const struct metric *metric)
{
	if (metric->source == SOURCE_LOAD && !load_has_work(&scope->load))
		return "needs load.work, where the load of an attached target reports how much it did";
	if (metric_of_windows(metric) && scope->target_kind == TARGET_COMMAND)
		return "is for attached targets; use max-rss for a command";
	return NULL;
}

static int unknown_metric(struct source *source, const struct node *key)
{
	bool per_work = text_ends(key->text, strlen(key->text), METRIC_PER_WORK);
	CLEANUP(free_ptr) char *base = xstrndup(key->text, strlen(key->text) - (per_work ? strlen(METRIC_PER_WORK) : 0));
	const char *near;

	if (text_starts(key->text, METRIC_OF_CALL)) {
		near = metric_call_near(key->text);
		return source_fault(source, key->at, "unknown system call '%.60s'%s%s%s", key->text + strlen(METRIC_OF_CALL),
				    near ? "; did you mean '" METRIC_OF_CALL : "; `man 2 syscalls` lists them", near ?: "", near ? "'?" : "");
	}
	if (metric_gone(key->text))
		return source_fault(source, key->at, "the gate '%.60s' is gone; use %s; "
				    "profile.kinds: [cpu, offcpu] shows what threads wait for", key->text, metric_gone(key->text));
	if (metric_renamed(base))
		return source_fault(source, key->at, "the metric '%.60s' is gone; use %s", key->text, metric_renamed(base));
	if (per_work && metric_find(base))
		return source_fault(source, key->at, "use '%s': it is judged per unit of work if the load reports its work",
				    metric_find(base)->name);
	near = nearest_gate(source, key->text);
	if (near)
		return source_fault(source, key->at, "unknown metric '%.60s'; did you mean '%s'?", key->text, near);
	return source_fault(source, key->at,
			    "unknown metric '%.60s'; add it to measure.events or metrics, or use one of 'man pawl-metrics'",
			    key->text);
}

/* -------- budgets: limits on the profile's share of symbols or files */

enum { GLOB_LONGEST = 1000 };

static const struct field budget_items[] = {
	{ FIELD(struct share_budget, symbol), .max = GLOB_LONGEST,
	  .help = "Which symbols, as reports name them: `*` stands for any characters, `?` for one." },
	{ FIELD(struct share_budget, dso), .max = GLOB_LONGEST,
	  .help = "Instead: which files, by their base names, in the same way: `libc.so*`, `[kernel]`." },
	{ FIELD_AS("max", struct share_budget, max_pct), .max = 100, .expected = "a share from 0% to 100%, such as 5%",
	  .needed = true, .missing = "one such as max: 5%",
	  .help = "The most of the profile that they may have together, by their own samples, such as `5%`." },
	{ FIELD(struct share_budget, required), .help = "`true`: without a profile, the status is 3." },
};

static const struct fields share_budget_fields = {
	FIELDS(budget_items), .one_of = (const char *const[]){ "symbol", "dso", NULL }, .what = "what the budget is for",
};

static int add_budget(struct source *source, const struct node_entry *entry, void *out)
{
	struct share_budget budget = { .max_pct = NAN, .line = entry->value.at.line, .column = entry->value.at.column };
	struct gates *gates = out;

	if (fields_parse(source, &entry->value, &share_budget_fields, &budget) < 0)
		return -1;
	for (size_t i = 0; i < gates->n_budgets; i++) {
		const struct share_budget *other = &gates->budgets[i];

		if (text_same(other->symbol, budget.symbol) && text_same(other->dso, budget.dso))
			return source_fault(source, entry->value.at, "the same as on line %u; keep one", other->line);
	}
	*ARENA_ADD(source->arena, gates->budgets, gates->n_budgets, gates->cap_budgets) = budget;
	return 0;
}

/* An empty list removes them. */
static int parse_budgets(struct source *source, const struct node_entry *entry, struct gates *gates)
{
	const struct node *node = &entry->value;

	gates->n_budgets = 0;
	if (is_off(node) || (node->kind == NODE_LIST && !node->n))
		return 0;
	return fields_each(source, node, "budgets", SHARE_BUDGETS_MAX, add_budget, gates);
}

/* -------- symbols: limits on the rise of shares */

#define SHARE_POINTS "{'type': 'string', 'pattern': '^[+]?[0-9.]+([eE][+-]?[0-9]+)?pp$'}"

enum { TOP_DEFAULT = 10, TOP_MAX = 50, POINTS_DEFAULT = 1, POINTS_MAX = 100 };

static const struct symbol_gate builtin_symbols = {
	.on = true, .top = TOP_DEFAULT, .rise_pp = POINTS_DEFAULT, .new_pp = POINTS_DEFAULT, .by_default = true,
};

static int set_points(struct source *source, const struct node *node, const char *expected, double *out)
{
	double points;

	if (node->kind != NODE_TEXT || parse_points(node->text, &points, NULL) < 0)
		return node_expected(source, node, expected);
	/* A limit of zero would be judged by chance alone. */
	if (points <= 0 || points > POINTS_MAX)
		return node_expected(source, node, "percentage points above 0pp and up to 100pp");
	*out = points;
	return 0;
}

static int parse_points_field(struct source *source, const struct node_entry *entry, void *out)
{
	return set_points(source, &entry->value, "percentage points such as 3pp", out);
}

static void show_points(struct yaml_writer *w, const struct field *field, const void *member)
{
	(void)field;
	yaml_number(w, *(const double *)member, "pp");
}

static const struct field symbol_gate_items[] = {
	{ FIELD(struct symbol_gate, top), .min = 1, .max = TOP_MAX,
	  .help = "How many of the hottest symbols, of this profile and of the baseline's, are judged. Default: 10." },
	{ FIELD_BY("rise", struct symbol_gate, rise_pp, parse_points_field), .show = show_points, .schema = SHARE_POINTS,
	  .help = "By how many percentage points a share may rise, up to `100pp`. Default: 1pp." },
	{ FIELD_BY("new", struct symbol_gate, new_pp, parse_points_field), .show = show_points, .schema = SHARE_POINTS,
	  .help = "The same for a symbol that the baseline's profile does not have. Default: as `rise`." },
	{ FIELD(struct symbol_gate, required), .help = "`true`: if symbols cannot be judged, the status is 3." },
};

static const struct fields symbol_gate_fields = { FIELDS(symbol_gate_items) };

/* A higher limit for known symbols also applies to new ones. */
static int parse_symbols(struct source *source, const struct node_entry *entry, struct symbol_gate *out)
{
	const struct node *node = &entry->value;
	struct symbol_gate gate = builtin_symbols;
	int ret = 0;

	gate.line = entry->key.at.line;
	gate.column = entry->key.at.column;
	gate.by_default = is_word(node, "default");
	gate.on = !is_off(node);
	if (gate.on && !gate.by_default) {
		gate.new_pp = NAN;
		ret = node->kind == NODE_MAPPING ? fields_parse(source, node, &symbol_gate_fields, &gate)
						 : set_points(source, node, "points such as 3pp, default, off, or a mapping "
									    "such as { top: 10, rise: 3pp }", &gate.rise_pp);
	}
	if (isnan(gate.new_pp))
		gate.new_pp = gate.rise_pp;
	if (!ret)
		*out = gate;
	return ret;
}

/* -------- all of them */

static void gates_put(struct arena *arena, struct gates *gates, const struct gate *gate)
{
	size_t i = find_gate(gates, gate->metric->name);

	if (i == gates->n) {
		ARENA_GROW(arena, gates->items, gates->n, gates->cap);
		gates->n++;
	}
	gates->items[i] = *gate;
}

void gates_init(struct arena *arena, struct gates *out)
{
	static const enum metric_id builtin[] = { METRIC_TASK_CLOCK, METRIC_PAGE_FAULTS };

	*out = (struct gates){ .symbols = builtin_symbols };
	for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++) {
		const struct metric *metric = &metric_catalogue[builtin[i]];

		gates_put(arena, out, &(struct gate){
			.metric = metric, .relative = true, .by_default = true, .builtin = true,
			.tolerance_pct = metric->stored_tolerance_pct, .max = NAN, .min = NAN,
		});
	}
}

void gates_copy(struct arena *arena, struct gates *out, const struct gates *from)
{
	*out = (struct gates){ .symbols = from->symbols };
	out->symbols.line = out->symbols.column = 0;
	for (size_t i = 0; i < from->n_budgets; i++) {
		struct share_budget budget = from->budgets[i];

		budget.symbol = arena_strdup(arena, budget.symbol);
		budget.dso = arena_strdup(arena, budget.dso);
		budget.line = budget.column = 0;
		*ARENA_ADD(arena, out->budgets, out->n_budgets, out->cap_budgets) = budget;
	}
	for (size_t i = 0; i < from->n; i++) {
		struct gate gate = from->items[i];

		gate.metric = metric_copy(arena, gate.metric);
		gate.line = gate.column = 0;
		gates_put(arena, out, &gate);
	}
}

static void put_pattern(struct arena *arena, struct gates *gates, const struct gate *gate)
{
	*ARENA_ADD(arena, gates->patterns, gates->n_patterns, gates->cap_patterns) = *gate;
}

bool scenario_benchmark_gate(const struct scenario *scenario, const struct metric *metric, struct gate *out)
{
	const struct gates *gates = &scenario->gates;
	const struct gate *best = NULL, standard = { .relative = true, .by_default = true, .max = NAN, .min = NAN };

	for (size_t i = 0; i < gates->n_patterns; i++) {
		const struct gate *gate = &gates->patterns[i];
		const char *glob = gate->metric->name;

		if (!strcmp(glob, metric->name)) {
			best = gate;
			break;
		}
		if (glob_match(glob, metric->name) && (!best || strlen(glob) > strlen(best->metric->name)))
			best = gate;
	}
	if (gates->no_benchmarks || (!best && gates->n_patterns))
		return false;
	*out = best ? *best : standard;
	out->metric = metric;
	if (out->by_default)
		out->tolerance_pct = metric->stored_tolerance_pct;
	return out->relative || !isnan(out->max) || !isnan(out->min);
}

static void gates_drop(struct gates *gates, size_t at)
{
	gates->n--;
	memmove(&gates->items[at], &gates->items[at + 1], (gates->n - at) * sizeof *gates->items);
}

static void no_profile(struct source *source, const char *key, unsigned line, unsigned column)
{
	size_t mark = source_enter(source, "gates");

	source_enter(source, key);
	source_fault(source, (struct place){ line, column },
		     "this gate needs a profile; add cpu to profile.kinds, or leave the gate out");
	source_leave(source, mark);
}

void gates_settle(struct source *source, struct scenario *scenario)
{
	struct gates *gates = &scenario->gates;
	bool attached = scenario->target_kind != TARGET_COMMAND;

	if (scenario->profile.off) {
		if (gates->symbols.on && gates->symbols.line)
			no_profile(source, "symbols", gates->symbols.line, gates->symbols.column);
		for (size_t i = 0; i < gates->n_budgets; i++)
			if (gates->budgets[i].line)
				no_profile(source, "budgets", gates->budgets[i].line, gates->budgets[i].column);
		gates->symbols.on = false;
		gates->n_budgets = 0;
	}
	/* Gates on whole runs of a benchmark program, which runs for as long as it is asked to, must be its own. */
	for (size_t i = gates->n; i-- > 0 && scenario->harness.kind != HARNESS_NONE;)
		if (!gates->items[i].line)
			gates_drop(gates, i);
	for (size_t i = gates->n; i-- > 0;) {
		const struct gate *gate = &gates->items[i];
		/* The memory a service touches in a window is chance. */
		bool by_chance = attached && gate->builtin && gate->metric == METRIC(PAGE_FAULTS);

		if (by_chance || (gate->metric->source == SOURCE_LOAD && !load_has_work(&scenario->load)) ||
		    (!attached && metric_of_windows(gate->metric)))
			gates_drop(gates, i);
	}
}

void scenario_keep_counts(struct scenario *scenario)
{
	struct gates *gates = &scenario->gates;
	const struct metric *instructions = METRIC(INSTRUCTIONS);
	bool benchmarks = scenario->harness.kind != HARNESS_NONE;
	/* So its instructions say nothing either. */
	bool own = scenario->target_kind != TARGET_COMMAND || benchmarks;
	size_t kept = 0;

	for (size_t i = 0; i < gates->n; i++) {
		const struct gate *gate = &gates->items[i];

		if (!metric_counted(gate->metric)) {
			arena_push(&scenario->arena, &scenario->unjudged, gate->metric->name);
			continue;
		}
		own |= !gate->builtin;
		gates->items[kept++] = *gate;
	}
	gates->n = kept;
	if (gates->symbols.on)
		arena_push(&scenario->arena, &scenario->unjudged, "symbols");
	if (gates->n_budgets)
		arena_push(&scenario->arena, &scenario->unjudged, "budgets");
	if (benchmarks)
		arena_push(&scenario->arena, &scenario->unjudged, "benchmarks");
	gates->no_benchmarks = benchmarks;
	gates->n_patterns = 0;
	gates->symbols.on = false;
	gates->n_budgets = 0;
	if (!own)
		gates_put(&scenario->arena, gates, &(struct gate){
			.metric = instructions, .relative = true, .by_default = true, .tolerance_pct = instructions->stored_tolerance_pct,
			.max = NAN, .min = NAN,
		});
	scenario->measure.runs = 1;
}

/* Parses a limit, `default`, `off`, or a mapping. */
static int parse_gate(struct source *source, const struct node_entry *entry, const struct metric *metric, struct gates *gates)
{
	struct gate gate = {
		.metric = metric, .max = NAN, .min = NAN, .line = entry->key.at.line, .column = entry->key.at.column,
	};
	const struct node *node = &entry->value;
	size_t known = find_gate(gates, metric->name);

	if (is_off(node) && metric->benchmark) {
		put_pattern(source->arena, gates, &gate);
		return 0;
	}
	if (is_off(node)) {
		if (known < gates->n)
			gates_drop(gates, known);
		return 0;
	}
	if (source->scope && misfit(source->scope, metric))
		return source_fault(source, entry->key.at, "%s %s", metric->name, misfit(source->scope, metric));
	if (node->kind != NODE_MAPPING) {
		if (parse_tolerance(source, node, "a limit such as 5%, default, off, or a mapping such as { max: ... }",
				    &gate) < 0)
			return -1;
	} else if (fields_parse(source, node, &gate_fields, &gate) < 0) {
		return -1;
	} else if (!gate.relative && isnan(gate.max) && isnan(gate.min)) {
		return source_fault(source, node->at, "nothing to check: add %s, improve, max or min",
				    metric->higher_is_better ? "max-decrease" : "max-increase");
	} else if (gate.min > gate.max) {
		return source_fault(source, node->at, "min is above max: no value can pass");
	}
	(metric->benchmark ? put_pattern : gates_put)(source->arena, gates, &gate);
	return 0;
}

bool gates_word(const char *key)
{
	return !strcmp(key, "symbols") || !strcmp(key, "budgets");
}

static int parse_entry(struct source *source, const struct node_entry *entry, void *out)
{
	struct gates *gates = out;
	const char *key = entry->key.text;
	const struct metric *metric = gates_word(key) ? NULL : metric_of(source, gates, key);
	size_t mark;
	int ret;

	if (!metric && !gates_word(key))
		return unknown_metric(source, &entry->key);
	mark = source_enter(source, key);
	ret = metric ? parse_gate(source, entry, metric, gates) :
	      !strcmp(key, "symbols") ? parse_symbols(source, entry, &gates->symbols) : parse_budgets(source, entry, gates);
	source_leave(source, mark);
	return ret;
}

int gates_parse(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct gates *gates = out;
	bool any = false;

	/* Shares have their own defaults, independent of gates on metrics. */
	for (size_t i = 0; source->scope && node->kind == NODE_MAPPING && i < node->n; i++)
		any |= !gates_word(node->entries[i].key.text) && !is_off(&node->entries[i].value);
	for (size_t i = gates->n; any && i-- > 0;)
		if (gates->items[i].builtin)
			gates_drop(gates, i);
	return node_each(source, node, NODE_MAPPING, "a mapping of metrics to limits", parse_entry, gates);
}

/* -------- claims of a command line */

#define CLAIM_SHAPE "expected a metric and its change, such as 'cpu-time -10%%'"

static const struct metric *expected_metric(struct scenario *scenario, const char *name, struct error *err)
{
	struct source source = { .arena = &scenario->arena, .scope = scenario, .events = &scenario->measure.events };
	const struct metric *metric = gates_word(name) ? NULL : metric_of(&source, &scenario->gates, name);
	const char *near = metric_renamed(name) ?: nearest_gate(&source, name);

	if (metric && misfit(scenario, metric))
		return error_set(err, ERR_INPUT, "%s %s", name, misfit(scenario, metric)), NULL;
	if (!metric && near && !gates_word(near))
		error_set(err, ERR_INPUT, "unknown metric '%.60s'; did you mean '%s'?", name, near);
	else if (!metric)
		error_set(err, ERR_INPUT, "unknown metric '%.60s'; " CLAIM_SHAPE, name);
	return metric;
}

int scenario_expect(struct scenario *scenario, const char *text, struct error *err)
{
	const char *space = strrchr(text, ' '), *change = space ? space + 1 : text;
	CLEANUP(free_ptr) char *name = xstrndup(text, space ? (size_t)(space - text) : 0);
	const struct metric *metric;
	const char *fault, *end = name + strlen(name);
	char better;
	double pct;

	while (end > name && end[-1] == ' ')
		end--;
	name[end - name] = '\0';
	if (!*name || parse_percent(change, &pct, NULL) < 0)
		return error_set(err, ERR_INPUT, CLAIM_SHAPE ", found '%.80s'", text);
	metric = expected_metric(scenario, name, err);
	if (!metric)
		return -1;
	better = metric->higher_is_better ? '+' : '-';
	if (*change != better)
		return error_set(err, ERR_INPUT, "%s is better when it %s: expected '%s %c%g%%', found '%.80s'", name,
				 metric->higher_is_better ? "rises" : "falls", name, better, fabs(pct), text);
	fault = claim_fault(metric, fabs(pct));
	if (fault)
		return error_set(err, ERR_INPUT, "expected %s, found '%.80s'", fault, text);
	gates_put(&scenario->arena, &scenario->gates, &(struct gate){
		.metric = metric, .relative = true, .claim = true, .tolerance_pct = fabs(pct), .max = NAN, .min = NAN, .required = true,
	});
	return 0;
}

/* -------- written */

static void show_gate(struct yaml_writer *w, const struct gate *gate)
{
	yaml_key(w, gate->metric->name);
	if (gate->relative && isnan(gate->max) && isnan(gate->min) && !gate->required && !gate->claim)
		show_limit(w, gate);
	else
		yaml_object(w, &gate_fields, gate);
}

static void show_symbols(struct yaml_writer *w, const struct symbol_gate *gate)
{
	yaml_key(w, "symbols");
	if (!gate->on)
		yaml_text(w, "off");
	else if (gate->by_default)
		strbuf_addf(w->out, " default    # for each of the %u hottest, a share of at most %gpp more\n", gate->top, gate->rise_pp);
	else
		yaml_object(w, &symbol_gate_fields, gate);
}

/* A default gate that the scenario lacks is off: those of pawl.yaml, and the built-in ones if no other replaces them. */
void gates_show(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct gates *gates = member, *defaults = &w->defaults->gates;

	(void)field;
	strbuf_addc(w->out, '\n');
	w->depth++;
	/* In the order in which they are read: those that pawl.yaml has come first. */
	for (size_t i = 0; i < 2 * gates->n; i++) {
		const struct gate *gate = &gates->items[i % gates->n];
		size_t at = find_gate(defaults, gate->metric->name);

		if ((at < defaults->n && !defaults->items[at].builtin) == (i < gates->n))
			show_gate(w, gate);
	}
	for (size_t i = 0; i < defaults->n; i++) {
		const struct gate *gate = &defaults->items[i];

		if (find_gate(gates, gate->metric->name) < gates->n || (gate->builtin && gates->n))
			continue;
		yaml_key(w, gate->metric->name);
		yaml_text(w, "off");
	}
	for (size_t i = 0; i < gates->n_patterns; i++) {
		const struct gate *gate = &gates->patterns[i];

		if (gate->relative || !isnan(gate->max) || !isnan(gate->min)) {
			show_gate(w, gate);
		} else {
			yaml_key(w, gate->metric->name);
			yaml_text(w, "off");
		}
	}
	show_symbols(w, &gates->symbols);
	yaml_key(w, "budgets");
	strbuf_adds(w->out, gates->n_budgets ? "\n" : " []\n");
	for (size_t i = 0; i < gates->n_budgets; i++)
		yaml_item(w, &share_budget_fields, &gates->budgets[i]);
	w->depth--;
}

/* -------- their schema */

static const struct field definition_items[] = {
	{ .key = "command", .help = "A string is run by /bin/sh -c; a list is executed as it stands.",
	  .schema = "{'oneOf': [{'type': 'string', 'minLength': 1}, {'type': 'array', 'minItems': 1, 'maxItems': 1000, "
		    "'items': {'type': ['string', 'number', 'boolean']}}]}" },
	{ .key = "environment",
	  .schema = "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'}, "
		    "'additionalProperties': {'type': ['string', 'number', 'boolean']}}" },
	{ .key = "regex", .help = "A regular expression with one group, which captures the number.",
	  .schema = "{'type': ['string', 'number'], 'minLength': 1, 'maxLength': 1000}" },
	{ .key = "jsonPath",
	  .help = "A path into the last JSON value of the output, such as latency.p99 or results[0].rps.",
	  .schema = "{'type': ['string', 'number'], 'minLength': 1}" },
	{ .key = "limits", .object = &gate_fields },
	{ .key = "limit",
	  .help = "Such as 5%: at most 5 % worse than the base or the baseline, whether worse is more or less.",
	  .schema = "{'oneOf': [{'type': 'string', 'pattern': '^" PERCENT "$'}, {'enum': ['default', 'off', false]}, "
		    "{'$ref': '#/definitions/limits'}]}" },
	{ .key = "symbolLimits", .object = &symbol_gate_fields },
	{ .key = "budget", .object = &share_budget_fields },
};

static const struct field share_items[] = {
	{ .key = "symbols", .help = "By how much the shares of the hottest symbols may rise.",
	  .schema = "{'oneOf': [" SHARE_POINTS ", {'enum': ['default', 'off', false]}, {'$ref': '#/definitions/symbolLimits'}]}" },
	{ .key = "budgets", .help = "The most that symbols or files may have of the profile.",
	  .schema = "{'oneOf': [{'type': 'array', 'maxItems': 64, 'items': {'$ref': '#/definitions/budget'}}, "
		    "{'enum': ['off', false]}]}" },
};

enum { DEFINITIONS = sizeof definition_items / sizeof *definition_items, SHARES = sizeof share_items / sizeof *share_items };

const struct fields *gates_definitions(struct arena *arena)
{
	struct field *items = arena_alloc(arena, (DEFINITIONS + 1) * sizeof *items);
	struct field *named = arena_alloc(arena, (metric_catalogue_size + SHARES) * sizeof *named);
	struct fields *out = arena_alloc(arena, 2 * sizeof *out), *gates = out + 1;

	/* Gates with a name of their own; others are on events or on printed metrics. */
	gates->items = named;
	gates->rules = "{'additionalProperties': {'$ref': '#/definitions/limit'}}";
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *metric = &metric_catalogue[i];
		char *help = arena_printf(arena, "%s.", metric->help);

		*help = (char)toupper((unsigned char)*help);
		named[gates->n++] = (struct field){ .key = metric->name, .help = help, .definition = "limit" };
	}
	memcpy(named + gates->n, share_items, sizeof share_items);
	gates->n += SHARES;
	memcpy(items, definition_items, sizeof definition_items);
	items[DEFINITIONS] = (struct field){ .key = "gates", .object = gates };
	*out = (struct fields){ .items = items, .n = DEFINITIONS + 1 };
	return out;
}
