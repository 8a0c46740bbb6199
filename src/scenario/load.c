#include "scenario/load.h"

#include "scenario/figure_value.h"
#include "scenario/values.h"

bool load_has_work(const struct load *load)
{
	return load->as != WORK_UNKNOWN || load->work.regex || load->work.json;
}

static int parse_as(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const words[] = { [WORK_RATE] = "rate", [WORK_COUNT] = "count" };

	for (size_t i = WORK_RATE; entry->value.kind == NODE_TEXT && i <= WORK_COUNT; i++) {
		if (strcmp(entry->value.text, words[i]))
			continue;
		*(enum work_kind *)out = (enum work_kind)i;
		return 0;
	}
	return node_expected(source, &entry->value, "rate, which is per second, or count");
}

static int check_work(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	return figure_value_check(source, &entry->value);
}

int load_check(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	if (source->scope->target_kind != TARGET_COMMAND)
		return 0;
	return source_fault(source, entry->key.at, "a load drives an attached target; a command is its own");
}

static const struct field work_items[] = {
	{ "regex", .parse = figure_value_regex, .offset = offsetof(struct load, work.regex) },
	{ "json", .parse = figure_value_json, .offset = offsetof(struct load, work.json) },
	{ "as", .parse = parse_as, .offset = offsetof(struct load, as), .required = "'as: rate' or 'as: count'" },
	{ "unit", .parse = value_unit, .offset = offsetof(struct load, unit) },
};

static const struct fields work_fields = FIELDS(work_items);

static const struct field load_items[] = {
	{ "command", .parse = value_command, .offset = offsetof(struct load, command),
	  .required = "the command that drives the target" },
	{ "environment", .parse = value_environment, .offset = offsetof(struct load, environment) },
	{ "work", .nested = &work_fields, .parse = check_work },
	{ "fail", .parse = value_regex, .offset = offsetof(struct load, fail) },
};

const struct fields load_fields = FIELDS(load_items);
