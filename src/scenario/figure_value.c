#include "scenario/figure_value.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "scenario/regex.h"
#include "scenario/values.h"

static int refuse(struct source *source, const struct node *node, const struct error *why)
{
	return source_fault(source, node->at, "'%.60s' cannot be used: %s", node->text, why->msg);
}

int figure_value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(figure_release) struct figure figure = { .regex = NULL };
	struct error why = ERROR_INIT;
	char **slot = out;

	if (value_string(source, entry, &figure.regex) < 0)
		return -1;
	if (regex_refuse_large(figure.regex, &why) < 0 || figure_check(&figure, &why) < 0)
		return refuse(source, &entry->value, &why);
	free(*slot);
	*slot = take_ptr(&figure.regex);
	return 0;
}

int figure_value_json(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(figure_release) struct figure figure = { .json = NULL };
	struct error why = ERROR_INIT;
	char **slot = out;

	if (value_string(source, entry, &figure.json) < 0)
		return -1;
	if (figure_check(&figure, &why) < 0)
		return refuse(source, &entry->value, &why);
	free(*slot);
	*slot = take_ptr(&figure.json);
	return 0;
}

int figure_value_check(struct source *source, const struct node *mapping)
{
	static const char *const ways[] = { "regex", "json" };
	const struct node_entry *found;

	return fields_one_of(source, mapping, ways, 2, "where the number stands in the output", &found);
}
