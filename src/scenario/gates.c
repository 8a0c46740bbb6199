#include "scenario/gates.h"

#include <math.h>

#include "scenario/share_budget.h"
#include "scenario/symbol_gate.h"

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

static void add_builtin(struct arena *arena, struct gates *gates)
{
	static const char *const builtin[] = { "task-clock", "page-faults" };

	for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++) {
		const struct metric *metric = metric_find(builtin[i]);

		gates_put(arena, gates, &(struct gate){
			.metric = metric,
			.relative = true,
			.by_default = true,
			.builtin = true,
			.tolerance_pct = metric->stored_tolerance_pct,
			.max = NAN,
			.min = NAN,
		});
	}
}

void gates_init(struct arena *arena, struct gates *out)
{
	*out = (struct gates){ 0 };
	add_builtin(arena, out);
	symbol_gate_init(&out->symbols);
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

		gate.metric = metric_find(gate.metric->name) ?: metric_copy(arena, gate.metric);
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
	if (gate_parse(source, entry, &gate) < 0)
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
	const struct metric *metric = gates_word(key) ? NULL : gates_metric(source->arena, gates, names, key);
	size_t mark;
	int ret;

	if (!metric && !gates_word(key))
		return gates_unknown_metric(source, &entry->key, names);
	mark = source_enter(source, key);
	if (!strcmp(key, "symbols"))
		ret = symbol_gate_parse(source, entry, &gates->symbols);
	else if (!strcmp(key, "budgets"))
		ret = share_budgets_parse(source, entry, gates);
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
