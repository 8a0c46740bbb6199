#include <math.h>

#include "base/parse.h"
#include "scenario/fields.h"
#include "scenario/gates.h"
#include "scenario/values.h"

enum { TOLERANCE_MAX_PCT = 1000, LOSS_MAX_PCT = 100 };

bool gate_is_off(const struct node *node)
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

/* What is worse has one sign for each metric; a tolerance without a sign means worse. */
static int set_tolerance(struct source *source, const struct node *node, struct gate *gate)
{
	bool higher = gate->metric->higher_is_better;
	double pct, limit = higher ? LOSS_MAX_PCT : TOLERANCE_MAX_PCT;
	const char *digits;

	if (node->kind != NODE_TEXT || parse_percent(node->text, &pct, NULL) < 0)
		return node_expected(source, node, "a tolerance such as 5%");
	digits = node->text + strspn(node->text, "+-");
	if (*node->text == (higher ? '+' : '-'))
		return source_fault(source, node->at,
				    "%s is worse when it %s: a tolerance is written %c%.40s, found '%.40s'",
				    gate->metric->name, higher ? "falls" : "rises", higher ? '-' : '+', digits,
				    node->text);
	pct = fabs(pct);
	if (higher ? pct >= limit : pct > limit)
		return source_fault(source, node->at, "expected a tolerance %s %g%%, found '%.60s'",
				    higher ? "under" : "up to", limit, node->text);
	gate->relative = true;
	gate->tolerance_pct = pct;
	return 0;
}

static int parse_tolerance(struct source *source, const struct node *node, struct gate *gate)
{
	if (node->kind == NODE_TEXT && !strcmp(node->text, "default"))
		return set_default(source, node, gate);
	return set_tolerance(source, node, gate);
}

static int parse_increase(struct source *source, const struct node_entry *entry, void *out)
{
	struct gate *gate = out;

	if (gate->metric->higher_is_better)
		return source_fault(source, entry->key.at, "%s is worse when it falls: use max-decrease",
				    gate->metric->name);
	return parse_tolerance(source, &entry->value, gate);
}

static int parse_decrease(struct source *source, const struct node_entry *entry, void *out)
{
	struct gate *gate = out;

	if (!gate->metric->higher_is_better)
		return source_fault(source, entry->key.at, "%s is worse when it rises: use max-increase",
				    gate->metric->name);
	return parse_tolerance(source, &entry->value, gate);
}

static bool read_milliseconds(const char *text, double *out)
{
	uint64_t ns;

	if (parse_duration(text, &ns, NULL) < 0)
		return false;
	*out = (double)ns / 1e6;
	return true;
}

static bool read_bytes(const char *text, double *out)
{
	uint64_t bytes;

	if (parse_size(text, &bytes, NULL) < 0)
		return false;
	*out = (double)bytes;
	return true;
}

static bool read_number(const char *text, double *out)
{
	return parse_double(text, out, NULL) == 0 && *out >= 0;
}

static bool read_fraction(const char *text, double *out)
{
	if (parse_percent(text, out, NULL) == 0)
		*out /= 100;
	else if (parse_double(text, out, NULL) < 0)
		return false;
	return *out >= 0 && *out <= 1;
}

/* How the values of a unit are written. */
static const struct {
	bool (*read)(const char *text, double *out);
	const char *expected;
} units[] = {
	[UNIT_COUNT] = { read_number, "a number that is not negative" },
	[UNIT_MS] = { read_milliseconds, "a duration such as 250ms" },
	[UNIT_BYTES] = { read_bytes, "a size such as 512MiB" },
	[UNIT_RATIO] = { read_number, "a number that is not negative" },
	[UNIT_FRACTION] = { read_fraction, "a share such as 5%, or 0.05" },
	[UNIT_HZ] = { read_number, "a number that is not negative" },
};

static int parse_bound(struct source *source, const struct node *node, enum metric_unit unit, double *out)
{
	double value;

	if (node->kind != NODE_TEXT || !units[unit].read(node->text, &value))
		return node_expected(source, node, units[unit].expected);
	*out = value;
	return 0;
}

static int parse_max(struct source *source, const struct node_entry *entry, void *out)
{
	struct gate *gate = out;

	return parse_bound(source, &entry->value, gate->metric->unit, &gate->max);
}

static int parse_min(struct source *source, const struct node_entry *entry, void *out)
{
	struct gate *gate = out;

	return parse_bound(source, &entry->value, gate->metric->unit, &gate->min);
}

static const struct field gate_items[] = {
	{ "max-increase", .parse = parse_increase },
	{ "max-decrease", .parse = parse_decrease },
	{ "max", .parse = parse_max },
	{ "min", .parse = parse_min },
	{ "required", .parse = value_switch, .offset = offsetof(struct gate, required) },
};

const struct fields gate_fields = FIELDS(gate_items);

static int parse_mapping(struct source *source, const struct node *node, struct gate *gate)
{
	if (fields_parse(source, node, &gate_fields, gate) < 0)
		return -1;
	if (!gate->relative && isnan(gate->max) && isnan(gate->min))
		return source_fault(source, node->at, "nothing to check: add %s, max or min",
				    gate->metric->higher_is_better ? "max-decrease" : "max-increase");
	if (gate->min > gate->max)
		return source_fault(source, node->at, "min is above max: no value can pass");
	return 0;
}

int gate_parse(struct source *source, const struct node_entry *entry, struct gate *gate)
{
	const struct node *node = &entry->value;
	double pct;

	gate->max = gate->min = NAN;
	if (node->kind == NODE_MAPPING)
		return parse_mapping(source, node, gate);
	if (node->kind != NODE_TEXT || (strcmp(node->text, "default") && parse_percent(node->text, &pct, NULL) < 0))
		return node_expected(source, node,
				     "a tolerance such as 5%, default, off, or a mapping such as { max: ... }");
	return parse_tolerance(source, node, gate);
}
