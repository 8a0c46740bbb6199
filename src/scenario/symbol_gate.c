#include "scenario/symbol_gate.h"

#include <math.h>

#include "base/parse.h"
#include "scenario/gates.h"
#include "scenario/values.h"

enum { TOP_DEFAULT = 10, POINTS_DEFAULT = 1, POINTS_MAX = 100 };

void symbol_gate_init(struct symbol_gate *gate)
{
	*gate = (struct symbol_gate){
		.on = true, .top = TOP_DEFAULT, .rise_pp = POINTS_DEFAULT, .new_pp = POINTS_DEFAULT, .by_default = true,
	};
}

static int parse_top(struct source *source, const struct node_entry *entry, void *out)
{
	return value_count(source, &entry->value, 1, SYMBOL_GATE_TOP_MAX, out);
}

static int set_points(struct source *source, const struct node *node, double *out)
{
	double points;

	if (node->kind != NODE_TEXT || parse_points(node->text, &points, NULL) < 0)
		return node_expected(source, node, "percentage points such as 3pp");
	/* A share that may not rise at all would be judged by chance alone. */
	if (points <= 0 || points > POINTS_MAX)
		return node_expected(source, node, "percentage points above 0pp and up to 100pp");
	*out = points;
	return 0;
}

static int parse_points_field(struct source *source, const struct node_entry *entry, void *out)
{
	return set_points(source, &entry->value, out);
}

static const struct field symbol_gate_items[] = {
	{ "top", .parse = parse_top, .offset = offsetof(struct symbol_gate, top) },
	{ "rise", .parse = parse_points_field, .offset = offsetof(struct symbol_gate, rise_pp) },
	{ "new", .parse = parse_points_field, .offset = offsetof(struct symbol_gate, new_pp) },
	{ "required", .parse = value_switch, .offset = offsetof(struct symbol_gate, required) },
};

const struct fields symbol_gate_fields = FIELDS(symbol_gate_items);

/* Whoever lets symbols rise by more lets new ones have as much. */
static int parse_mapping(struct source *source, const struct node *node, struct symbol_gate *gate)
{
	gate->new_pp = NAN;
	if (fields_parse(source, node, &symbol_gate_fields, gate) < 0)
		return -1;
	if (isnan(gate->new_pp))
		gate->new_pp = gate->rise_pp;
	return 0;
}

static int parse_text(struct source *source, const struct node *node, struct symbol_gate *gate)
{
	double points;

	if (node->kind != NODE_TEXT || parse_points(node->text, &points, NULL) < 0)
		return node_expected(source, node, "points such as 3pp, default, off, or a mapping such as { top: 10, rise: 3pp }");
	if (set_points(source, node, &gate->rise_pp) < 0)
		return -1;
	gate->new_pp = gate->rise_pp;
	return 0;
}

int symbol_gate_parse(struct source *source, const struct node_entry *entry, struct symbol_gate *gate)
{
	const struct node *node = &entry->value;
	struct symbol_gate parsed;

	symbol_gate_init(&parsed);
	parsed.line = entry->key.at.line;
	parsed.column = entry->key.at.column;
	parsed.by_default = node->kind == NODE_TEXT && !strcmp(node->text, "default");
	parsed.on = !gate_is_off(node);
	if (parsed.on && !parsed.by_default &&
	    (node->kind == NODE_MAPPING ? parse_mapping : parse_text)(source, node, &parsed) < 0)
		return -1;
	*gate = parsed;
	return 0;
}
