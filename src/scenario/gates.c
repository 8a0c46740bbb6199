#include "scenario/gates.h"

#include <ctype.h>
#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "scenario/extractor.h"
#include "scenario/scenario.h"
#include "scenario/values.h"
#include "scenario/yaml.h"

/* -------- a gate on a metric */

enum { TOLERANCE_MAX_PCT = 1000, LOSS_MAX_PCT = 100 };

/* True for the value that takes a gate away. */
static bool gate_is_off(const struct node *node)
{
	return node->kind == NODE_TEXT && (!strcmp(node->text, "off") || !strcmp(node->text, "false"));
}

static int set_default(struct source *source, const struct node *node, struct gate *gate)
{
	double tolerance_pct = gate->metric->stored_tolerance_pct;

	if (tolerance_pct == 0)
		return source_fault(source, node->at, "'%s' has no default tolerance; write one such as %s5%%",
				    gate->metric->name, gate->metric->higher_is_better ? "-" : "+");
	gate->relative = gate->by_default = true;
	gate->tolerance_pct = tolerance_pct;
	return 0;
}

/* `default` or a percentage. What is worse has one sign for each metric; a tolerance without a sign means worse. */
static int parse_tolerance(struct source *source, const struct node *node, const char *expected, struct gate *gate)
{
	bool higher = gate->metric->higher_is_better;
	double pct, limit = higher ? LOSS_MAX_PCT : TOLERANCE_MAX_PCT;

	if (node->kind == NODE_TEXT && !strcmp(node->text, "default"))
		return set_default(source, node, gate);
	if (node->kind != NODE_TEXT || parse_percent(node->text, &pct, NULL) < 0)
		return node_expected(source, node, expected);
	if (*node->text == (higher ? '+' : '-'))
		return source_fault(source, node->at, "%s is worse when it %s: a tolerance is written %c%.40s, found '%.40s'",
				    gate->metric->name, higher ? "falls" : "rises", higher ? '-' : '+',
				    node->text + strspn(node->text, "+-"), node->text);
	pct = fabs(pct);
	if (higher ? pct >= limit : pct > limit)
		return source_fault(source, node->at, "expected a tolerance %s %g%%, found '%.60s'",
				    higher ? "under" : "up to", limit, node->text);
	gate->relative = true;
	gate->tolerance_pct = pct;
	return 0;
}

/* max-increase or max-decrease, of which each metric has one. */
static int parse_change(struct source *source, const struct node_entry *entry, void *out)
{
	struct gate *gate = out;
	bool higher = gate->metric->higher_is_better;
	const char *right = higher ? "max-decrease" : "max-increase";

	if (strcmp(entry->key.text, right))
		return source_fault(source, entry->key.at, "%s is worse when it %s: use %s", gate->metric->name,
				    higher ? "falls" : "rises", right);
	return parse_tolerance(source, &entry->value, "a tolerance such as 5%", gate);
}

/* max or min, in the metric's unit; a share may also be a plain number. */
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

static const struct field gate_items[] = {
	{ .key = "max-increase", .yaml = parse_change,
	  .help = "For metrics that are worse when they rise: how much is tolerated, such as 5%, or default.",
	  .schema = "{'type': 'string', 'pattern': '^(\\\\+?[0-9.]+([eE][+-]?[0-9]+)?%|default)$'}" },
	{ .key = "max-decrease", .yaml = parse_change,
	  .help = "For metrics that are worse when they fall: how much is tolerated, such as 10%, or default.",
	  .schema = "{'type': 'string', 'pattern': '^(-?[0-9.]+([eE][+-]?[0-9]+)?%|default)$'}" },
	{ .key = "max", .yaml = parse_bound, .schema = "{'type': ['string', 'number'], 'minimum': 0}",
	  .help = "The most allowed, in the metric's unit, such as 2s, 512MiB or 5%; needs no baseline." },
	{ .key = "min", .yaml = parse_bound, .schema = "{'type': ['string', 'number'], 'minimum': 0}",
	  .help = "The least allowed, in the metric's unit." },
	{ FIELD(struct gate, required), .help = "Fail when the metric cannot be measured." },
};

static const struct fields gate_fields = {
	FIELDS(gate_items), .rules = "{'minProperties': 1, 'anyOf': [{'required': ['max-increase']}, "
				     "{'required': ['max-decrease']}, {'required': ['max']}, {'required': ['min']}]}",
};

/* From a tolerance, `default`, or a mapping. GATE has its metric and place. */
static int parse_gate(struct source *source, const struct node *node, struct gate *gate)
{
	gate->max = gate->min = NAN;
	if (node->kind != NODE_MAPPING)
		return parse_tolerance(source, node, "a tolerance such as 5%, default, off, or a mapping such as { max: ... }",
				       gate);
	if (fields_parse(source, node, &gate_fields, gate) < 0)
		return -1;
	if (!gate->relative && isnan(gate->max) && isnan(gate->min))
		return source_fault(source, node->at, "nothing to check: add %s, max or min",
				    gate->metric->higher_is_better ? "max-decrease" : "max-increase");
	if (gate->min > gate->max)
		return source_fault(source, node->at, "min is above max: no value can pass");
	return 0;
}

/* -------- which metric a gate means */

const struct metric *gates_find_metric(const struct gates *gates, const char *name)
{
	for (size_t i = 0; i < gates->n; i++)
		if (!strcmp(gates->items[i].metric->name, name))
			return gates->items[i].metric;
	return NULL;
}

/* The metric that a gate names, made in ARENA when it is an event; NULL when there is none. */
static const struct metric *metric_of(struct arena *arena, const struct gates *gates, const struct gate_names *names,
				      const char *name)
{
	const struct metric *known = metric_find(name) ?: gates_find_metric(gates, name);

	for (size_t i = 0; !known && i < names->n_printed; i++)
		if (!strcmp(names->printed[i].metric->name, name))
			known = names->printed[i].metric;
	if (!known && strv_has(names->events, name)) {
		const struct metric event = metric_of_event(name);

		known = metric_copy(arena, &event);
	}
	return known;
}

static const char *nearest_metric(const char *word, const struct gate_names *names)
{
	static const char *const words[] = { "symbols", "budgets" };
	size_t all = metric_catalogue_size * 2 + names->events->n + names->n_printed + sizeof words / sizeof *words, n = 0;
	CLEANUP(free_ptr) const char **known = xcalloc(all, sizeof *known);

	for (size_t i = 0; i < metric_catalogue_size; i++) {
		known[n++] = metric_catalogue[i].name;
		if (metric_catalogue[i].alias)
			known[n++] = metric_catalogue[i].alias;
	}
	for (size_t i = 0; i < names->events->n; i++)
		known[n++] = names->events->items[i];
	for (size_t i = 0; i < names->n_printed; i++)
		known[n++] = names->printed[i].metric->name;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		known[n++] = words[i];
	return nearest(word, known, n);
}

/* The metric whose form per unit of work is called WORD; NULL: none is. */
static const struct metric *base_of(const char *word)
{
	CLEANUP(free_ptr) char *name = NULL;

	if (!metric_name_is_per_work(word))
		return NULL;
	name = xstrndup(word, strlen(word) - strlen(METRIC_PER_WORK));
	return metric_find(name);
}

/* Always -1, with the nearest name. */
static int unknown_metric(struct source *source, const struct node *key, const struct gate_names *names)
{
	const struct metric *base = base_of(key->text);
	const char *near = nearest_metric(key->text, names);

	if (base)
		return source_fault(source, key->at, "write '%s': it is judged per unit of work where the load tells its work",
				    base->name);
	if (near)
		return source_fault(source, key->at, "unknown metric '%.60s'; did you mean '%s'?", key->text, near);
	return source_fault(source, key->at,
			    "unknown metric '%.60s': neither in the catalogue of metrics nor under measure.events or "
			    "metrics",
			    key->text);
}

/* -------- budgets: the most that symbols or files may have of the profile */

static int check_glob(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	if (strlen(entry->value.text) > SHARE_GLOB_LONGEST)
		return source_fault(source, entry->value.at, "the text is longer than %d bytes", SHARE_GLOB_LONGEST);
	return 0;
}

#define GLOB "{'type': ['string', 'number'], 'minLength': 1, 'maxLength': 1000}"

static const struct field budget_items[] = {
	{ FIELD(struct share_budget, symbol), .yaml = check_glob, .schema = GLOB,
	  .help = "Which symbols: a name in which * and ? stand for others." },
	{ FIELD(struct share_budget, dso), .yaml = check_glob, .schema = GLOB, .help = "Which files: the same of their base names." },
	{ FIELD_AS("max", struct share_budget, max_pct), .max = 100, .expected = "a share from 0% to 100%, such as 5%",
	  .needed = true, .missing = "one such as max: 5%", .help = "The most they may have of the profile together, such as 5%." },
	{ FIELD(struct share_budget, required), .help = "Fail when there is no profile to tell." },
};

static const struct fields share_budget_fields = {
	FIELDS(budget_items), .one_of = (const char *const[]){ "symbol", "dso", NULL }, .what = "what the budget is for",
};

static const struct share_budget *find_budget(const struct gates *gates, const struct share_budget *like)
{
	for (size_t i = 0; i < gates->n_budgets; i++)
		if (text_same(gates->budgets[i].symbol, like->symbol) && text_same(gates->budgets[i].dso, like->dso))
			return &gates->budgets[i];
	return NULL;
}

static int parse_budget(struct source *source, const struct node_entry *entry, void *out)
{
	struct share_budget budget = { .max_pct = NAN, .line = entry->value.at.line, .column = entry->value.at.column };
	const struct share_budget *same;
	struct gates *gates = out;

	if (fields_parse(source, &entry->value, &share_budget_fields, &budget) < 0)
		return -1;
	same = find_budget(gates, &budget);
	if (same)
		return source_fault(source, entry->value.at, "the same as on line %u; keep one", same->line);
	ARENA_GROW(source->arena, gates->budgets, gates->n_budgets, gates->cap_budgets);
	gates->budgets[gates->n_budgets++] = budget;
	return 0;
}

/* Those of a scenario replace those of pawl.yaml as a whole, and an empty list takes them away. */
static int parse_budgets(struct source *source, const struct node_entry *entry, struct gates *gates)
{
	const struct node *node = &entry->value;

	gates->n_budgets = 0;
	if (gate_is_off(node) || (node->kind == NODE_LIST && !node->n))
		return 0;
	return fields_each(source, node, "budgets", SHARE_BUDGETS_MAX, parse_budget, gates);
}

/* -------- symbols: by how much shares may rise */

enum { TOP_DEFAULT = 10, TOP_MAX = 50, POINTS_DEFAULT = 1, POINTS_MAX = 100 };

static const struct symbol_gate builtin_symbols = {
	.on = true, .top = TOP_DEFAULT, .rise_pp = POINTS_DEFAULT, .new_pp = POINTS_DEFAULT, .by_default = true,
};

static int set_points(struct source *source, const struct node *node, const char *expected, double *out)
{
	double points;

	if (node->kind != NODE_TEXT || parse_points(node->text, &points, NULL) < 0)
		return node_expected(source, node, expected);
	/* A share that may not rise at all would be judged by chance alone. */
	if (points <= 0 || points > POINTS_MAX)
		return node_expected(source, node, "percentage points above 0pp and up to 100pp");
	*out = points;
	return 0;
}

static int parse_points_field(struct source *source, const struct node_entry *entry, void *out)
{
	return set_points(source, &entry->value, "percentage points such as 3pp", out);
}

static const struct field symbol_gate_items[] = {
	{ FIELD(struct symbol_gate, top), .min = 1, .max = TOP_MAX,
	  .help = "How many of the hottest symbols of either side are judged. Default: 10." },
	{ FIELD_BY("rise", struct symbol_gate, rise_pp, parse_points_field), .schema = SHARE_POINTS,
	  .help = "By how many percentage points a symbol's share may rise. Default: 1pp." },
	{ FIELD_BY("new", struct symbol_gate, new_pp, parse_points_field), .schema = SHARE_POINTS,
	  .help = "The same for a symbol that the baseline does not have. Default: as rise." },
	{ FIELD(struct symbol_gate, required), .help = "Fail when symbols cannot be judged." },
};

static const struct fields symbol_gate_fields = { FIELDS(symbol_gate_items) };

/*
 * From points, `default`, `off`, or a mapping; that of a scenario replaces that of pawl.yaml as a whole. Whoever lets
 * symbols rise by more lets new ones have as much.
 */
static int parse_symbols(struct source *source, const struct node_entry *entry, struct symbol_gate *gate)
{
	const struct node *node = &entry->value;
	struct symbol_gate parsed = builtin_symbols;
	int ret = 0;

	parsed.line = entry->key.at.line;
	parsed.column = entry->key.at.column;
	parsed.by_default = node->kind == NODE_TEXT && !strcmp(node->text, "default");
	parsed.on = !gate_is_off(node);
	if (parsed.on && !parsed.by_default) {
		parsed.new_pp = NAN;
		ret = node->kind == NODE_MAPPING ? fields_parse(source, node, &symbol_gate_fields, &parsed)
						 : set_points(source, node, "points such as 3pp, default, off, or a mapping "
									    "such as { top: 10, rise: 3pp }", &parsed.rise_pp);
	}
	if (ret < 0)
		return -1;
	if (isnan(parsed.new_pp))
		parsed.new_pp = parsed.rise_pp;
	*gate = parsed;
	return 0;
}

/* -------- all of them */

static size_t find_gate(const struct gates *gates, const struct metric *metric)
{
	size_t i = 0;

	while (i < gates->n && gates->items[i].metric != metric)
		i++;
	return i;
}

static void gates_put(struct arena *arena, struct gates *gates, const struct gate *gate)
{
	size_t i = find_gate(gates, gate->metric);

	if (i == gates->n) {
		ARENA_GROW(arena, gates->items, gates->n, gates->cap);
		gates->n++;
	}
	gates->items[i] = *gate;
}

void gates_init(struct arena *arena, struct gates *out)
{
	static const char *const builtin[] = { "task-clock", "page-faults" };

	*out = (struct gates){ .symbols = builtin_symbols };
	for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++) {
		const struct metric *metric = metric_find(builtin[i]);

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
		ARENA_GROW(arena, out->budgets, out->n_budgets, out->cap_budgets);
		out->budgets[out->n_budgets++] = budget;
	}
	for (size_t i = 0; i < from->n; i++) {
		struct gate gate = from->items[i];

		gate.metric = metric_copy(arena, gate.metric);
		gate.line = gate.column = 0;
		gates_put(arena, out, &gate);
	}
}

static void gates_drop(struct gates *gates, const struct metric *metric)
{
	size_t i = find_gate(gates, metric);

	if (i == gates->n)
		return;
	gates->n--;
	memmove(&gates->items[i], &gates->items[i + 1], (gates->n - i) * sizeof *gates->items);
}

void gates_settle_attached(struct gates *gates)
{
	size_t i = find_gate(gates, metric_find("page-faults"));

	if (i < gates->n && gates->items[i].builtin)
		gates_drop(gates, gates->items[i].metric);
}

static int no_profile(struct source *source, const char *key, unsigned line, unsigned column)
{
	const struct place at = { line, column };
	size_t mark = source_enter(source, "gates");

	source_enter(source, key);
	source_fault(source, at, "there is no profile to judge by, since profile.kinds is []; leave one of the two out");
	source_leave(source, mark);
	return -1;
}

int gates_drop_shares(struct source *source, struct gates *gates)
{
	int ret = 0;

	if (gates->symbols.on && gates->symbols.line)
		ret = no_profile(source, "symbols", gates->symbols.line, gates->symbols.column);
	for (size_t i = 0; i < gates->n_budgets; i++)
		if (gates->budgets[i].line)
			ret = no_profile(source, "budgets", gates->budgets[i].line, gates->budgets[i].column);
	gates->symbols.on = false;
	gates->n_budgets = 0;
	return ret;
}

void gates_drop_work(struct gates *gates)
{
	for (size_t i = gates->n; i-- > 0;)
		if (gates->items[i].metric->source == SOURCE_LOAD)
			gates_drop(gates, gates->items[i].metric);
}

static int lay_over(struct source *source, const struct node_entry *entry, const struct metric *metric, bool work,
		    struct gates *gates)
{
	struct gate gate = { .metric = metric, .line = entry->key.at.line, .column = entry->key.at.column };
	size_t known = find_gate(gates, metric);

	if (known < gates->n && gates->items[known].line)
		return source_fault(source, entry->key.at, "another name of '%s', which has a gate on line %u",
				    metric->name, gates->items[known].line);
	if (gate_is_off(&entry->value)) {
		gates_drop(gates, metric);
		return 0;
	}
	if (metric->source == SOURCE_LOAD && !work)
		return source_fault(source, entry->key.at,
				    "%s is known only with load.work, by which the load of an attached target tells how "
				    "much it did", metric->name);
	if (parse_gate(source, &entry->value, &gate) < 0)
		return -1;
	gates_put(source->arena, gates, &gate);
	return 0;
}

bool gates_word(const char *key)
{
	return !strcmp(key, "symbols") || !strcmp(key, "budgets");
}

static int parse_entry(struct source *source, const struct node_entry *entry, const struct gate_names *names,
		       struct gates *gates)
{
	const char *key = entry->key.text;
	const struct metric *metric = gates_word(key) ? NULL : metric_of(source->arena, gates, names, key);
	size_t mark;
	int ret;

	if (!metric && !gates_word(key))
		return unknown_metric(source, &entry->key, names);
	mark = source_enter(source, key);
	if (!strcmp(key, "symbols"))
		ret = parse_symbols(source, entry, &gates->symbols);
	else if (!strcmp(key, "budgets"))
		ret = parse_budgets(source, entry, gates);
	else
		ret = lay_over(source, entry, metric, names->work, gates);
	source_leave(source, mark);
	return ret;
}

/* Shares have defaults of their own, which gates on metrics neither replace nor are replaced by. */
static bool sets_any(const struct node *mapping)
{
	for (size_t i = 0; i < mapping->n; i++)
		if (!gates_word(mapping->entries[i].key.text) && !gate_is_off(&mapping->entries[i].value))
			return true;
	return false;
}

void gates_drop_builtin(const struct node *node, struct gates *gates)
{
	if (node->kind != NODE_MAPPING || !sets_any(node))
		return;
	for (size_t i = gates->n; i-- > 0;)
		if (gates->items[i].builtin)
			gates_drop(gates, gates->items[i].metric);
}

int gates_parse(struct source *source, const struct node *node, const struct gate_names *names, struct gates *gates)
{
	int ret = 0;

	if (node->kind != NODE_MAPPING)
		return node_expected(source, node, "a mapping of metrics to tolerances");
	for (size_t i = 0; i < node->n; i++)
		if (parse_entry(source, &node->entries[i], names, gates) < 0)
			ret = -1;
	return ret;
}

/* -------- what a schema says of them */

static const char rise[] = "Such as +5%: not more than 5 % above the baseline.";
static const char fall[] = "Such as -5%: not more than 5 % below the baseline.";

#define TOLERANCE(sign_) "{'oneOf': [{'type': 'string', 'pattern': '^[" sign_ "]?[0-9.]+([eE][+-]?[0-9]+)?%$'}, " \
	"{'enum': ['default', 'off', false]}, {'$ref': '#/definitions/limits'}]}"

static const struct field definition_items[] = {
	{ .key = "command", .help = "A string is run by /bin/sh -c; a list is executed as it stands.",
	  .schema = "{'oneOf': [{'type': 'string', 'minLength': 1}, {'type': 'array', 'minItems': 1, 'maxItems': 1000, "
		    "'items': {'type': ['string', 'number', 'boolean']}}]}" },
	{ .key = "environment",
	  .schema = "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'}, "
		    "'additionalProperties': {'type': ['string', 'number', 'boolean']}}" },
	{ .key = "regex", .help = "A POSIX extended regular expression with one group, which captures the number.",
	  .schema = "{'type': ['string', 'number'], 'minLength': 1, 'maxLength': 1000}" },
	{ .key = "jsonPath",
	  .help = "A path into the last JSON value of the output, such as latency.p99 or results[0].rps.",
	  .schema = "{'type': ['string', 'number'], 'minLength': 1}" },
	{ .key = "limits", .object = &gate_fields },
	{ .key = "rise", .help = rise, .schema = TOLERANCE("+") },
	{ .key = "fall", .help = fall, .schema = TOLERANCE("-") },
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

/* The gates that have a name of their own; others are on events or on printed metrics. */
static const struct fields *named_gates(struct arena *arena, bool printed)
{
	struct field *items = arena_alloc(arena, (2 * metric_catalogue_size + SHARES) * sizeof *items);
	struct fields *fields = arena_alloc(arena, sizeof *fields);

	fields->items = items;
	fields->rules = "{'additionalProperties': {'$ref': '#/definitions/rise'}}";
	if (printed)
		fields->rules = "{'additionalProperties': {'anyOf': [{'$ref': '#/definitions/rise'}, {'$ref': '#/definitions/fall'}]}}";
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *metric = &metric_catalogue[i];
		const char *definition = metric->higher_is_better ? "fall" : "rise";
		char *help = arena_printf(arena, "%s.", metric->help);

		*help = (char)toupper((unsigned char)*help);
		items[fields->n++] = (struct field){ .key = metric->name, .help = help, .definition = definition };
		if (metric->alias)
			items[fields->n++] = (struct field){
				.key = metric->alias, .definition = definition,
				.help = arena_printf(arena, "Another name of %s.", metric->name),
			};
	}
	memcpy(items + fields->n, share_items, sizeof share_items);
	fields->n += SHARES;
	return fields;
}

const struct fields *gates_definitions(struct arena *arena, bool printed)
{
	struct field *items = arena_alloc(arena, (DEFINITIONS + 1) * sizeof *items);
	struct fields *fields = arena_alloc(arena, sizeof *fields);

	memcpy(items, definition_items, sizeof definition_items);
	items[DEFINITIONS] = (struct field){ .key = "gates", .object = named_gates(arena, printed) };
	*fields = (struct fields){ .items = items, .n = DEFINITIONS + 1 };
	return fields;
}
