#include "scenario/share_budget.h"

#include <math.h>

#include "base/parse.h"
#include "scenario/gates.h"
#include "scenario/values.h"

static int parse_glob(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind == NODE_TEXT && strlen(entry->value.text) > SHARE_GLOB_LONGEST)
		return source_fault(source, entry->value.at, "the text is longer than %d bytes", SHARE_GLOB_LONGEST);
	return value_string(source, entry, out);
}

static int parse_max(struct source *source, const struct node_entry *entry, void *out)
{
	double pct;

	if (entry->value.kind != NODE_TEXT || parse_percent(entry->value.text, &pct, NULL) < 0 || pct < 0 || pct > 100)
		return node_expected(source, &entry->value, "a share from 0% to 100%, such as 5%");
	*(double *)out = pct;
	return 0;
}

static const struct field budget_items[] = {
	{ "symbol", .parse = parse_glob, .offset = offsetof(struct share_budget, symbol) },
	{ "dso", .parse = parse_glob, .offset = offsetof(struct share_budget, dso) },
	{ "max", .parse = parse_max, .offset = offsetof(struct share_budget, max_pct), .required = "one such as max: 5%" },
	{ "required", .parse = value_switch, .offset = offsetof(struct share_budget, required) },
};

const struct fields share_budget_fields = FIELDS(budget_items);

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static const struct share_budget *find_budget(const struct gates *gates, const struct share_budget *like)
{
	for (size_t i = 0; i < gates->n_budgets; i++)
		if (same_text(gates->budgets[i].symbol, like->symbol) && same_text(gates->budgets[i].dso, like->dso))
			return &gates->budgets[i];
	return NULL;
}

static int check_budget(struct source *source, const struct node *node, const struct share_budget *budget,
			const struct gates *gates)
{
	static const char *const ways[] = { "symbol", "dso" };
	const struct share_budget *twin;
	const struct node_entry *found;

	if (fields_one_of(source, node, ways, 2, "what the budget is for", &found) < 0)
		return -1;
	twin = find_budget(gates, budget);
	if (twin)
		return source_fault(source, node->at, "the same as on line %u; keep one", twin->line);
	return 0;
}

static int parse_budget(struct source *source, const struct node_entry *entry, void *out)
{
	struct share_budget budget = { .max_pct = NAN, .line = entry->value.at.line, .column = entry->value.at.column };
	struct gates *gates = out;

	if (fields_parse(source, &entry->value, &share_budget_fields, &budget) < 0 ||
	    check_budget(source, &entry->value, &budget, gates) < 0)
		return -1;
	ARENA_GROW(source->arena, gates->budgets, gates->n_budgets, gates->cap_budgets);
	gates->budgets[gates->n_budgets++] = budget;
	return 0;
}

int share_budgets_parse(struct source *source, const struct node_entry *entry, struct gates *gates)
{
	const struct node *node = &entry->value;

	gates->n_budgets = 0;
	if (gate_is_off(node) || (node->kind == NODE_LIST && !node->n))
		return 0;
	return fields_each(source, node, "budgets", SHARE_BUDGETS_MAX, parse_budget, gates);
}
