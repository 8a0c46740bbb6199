#include "scenario/printed.h"

#include "scenario/figure_value.h"
#include "scenario/gates.h"
#include "scenario/values.h"

enum { NAME_LONGEST = 100 };

/* An entry of metrics: while it is read. */
struct printed {
	char *name, *unit;
	struct figure figure;
	bool higher_is_better;
};

/* Why NAME is somebody else's; NULL when it is free. */
static const char *taken_by(const struct scenario *scenario, const char *name)
{
	if (metric_name_taken(name))
		return metric_name_taken(name);
	if (gates_word(name))
		return "a word of 'gates:'";
	if (strv_has(&scenario->measure.events, name) || gates_find_metric(&scenario->gates, name))
		return "a perf event of measure.events";
	for (size_t i = 0; i < scenario->n_metrics; i++)
		if (!strcmp(scenario->metrics[i].metric->name, name))
			return "listed already";
	return NULL;
}

static int parse_name(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	const char *taken;

	if (node->kind != NODE_TEXT || !value_made_of(node->text, "-_.") || *node->text == '-' || *node->text == '.' ||
	    strlen(node->text) > NAME_LONGEST)
		return node_expected(source, node, "a name such as p99-latency: letters, digits, '-', '_' and '.'");
	taken = taken_by(source->scope, node->text);
	if (taken)
		return source_fault(source, node->at, "'%s' is %s; choose another name", node->text, taken);
	return value_string(source, entry, out);
}

static int parse_better(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	bool higher = node->kind == NODE_TEXT && !strcmp(node->text, "higher");

	if (!higher && (node->kind != NODE_TEXT || strcmp(node->text, "lower")))
		return node_expected(source, node, "higher or lower");
	*(bool *)out = higher;
	return 0;
}

static const struct field printed_items[] = {
	{ "name", .parse = parse_name, .offset = offsetof(struct printed, name), .required = "a name for the metric" },
	{ "regex", .parse = figure_value_regex, .offset = offsetof(struct printed, figure.regex) },
	{ "json", .parse = figure_value_json, .offset = offsetof(struct printed, figure.json) },
	{ "unit", .parse = value_unit, .offset = offsetof(struct printed, unit) },
	{ "better", .parse = parse_better, .offset = offsetof(struct printed, higher_is_better),
	  .required = "'better: higher' or 'better: lower'" },
};

const struct fields printed_fields = FIELDS(printed_items);

/* A metric with faults is kept when it has its name, so that a gate on it is no second fault. */
static int add_metric(struct source *source, const struct node_entry *entry, void *out)
{
	struct printed printed = { .name = NULL };
	struct scenario *scenario = out;
	struct metric metric;
	int ret = fields_parse(source, &entry->value, &printed_fields, &printed);

	if (!ret)
		ret = figure_value_check(source, &entry->value);
	if (!printed.name)
		return -1;
	metric = metric_of_printed(printed.name, printed.unit, printed.higher_is_better);
	ARENA_GROW(source->arena, scenario->metrics, scenario->n_metrics, scenario->cap_metrics);
	scenario->metrics[scenario->n_metrics++] = (struct printed_metric){
		.figure = printed.figure,
		.metric = metric_copy(source->arena, &metric),
	};
	return ret;
}

int printed_parse(struct source *source, const struct node_entry *entry, void *out)
{
	return fields_each(source, &entry->value, "metrics", SCENARIO_METRICS_MAX, add_metric, out);
}
