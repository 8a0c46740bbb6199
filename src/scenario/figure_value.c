#include "scenario/figure_value.h"

#include "scenario/values.h"

static int check(struct source *source, const struct node_entry *entry, struct figure *figure, char **way, char **out)
{
	struct error why = ERROR_INIT;

	if (value_string(source, entry, way) < 0)
		return -1;
	if (figure_check(figure, &why) < 0)
		return source_fault(source, entry->value.at, "%s", why.msg);
	*out = *way;
	return 0;
}

int figure_value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	struct figure figure = { .regex = NULL };

	return check(source, entry, &figure, &figure.regex, out);
}

int figure_value_json(struct source *source, const struct node_entry *entry, void *out)
{
	struct figure figure = { .json = NULL };

	return check(source, entry, &figure, &figure.json, out);
}

int figure_value_check(struct source *source, const struct node *mapping)
{
	static const char *const ways[] = { "regex", "json" };
	const struct node_entry *found;

	return fields_one_of(source, mapping, ways, 2, "where the number stands in the output", &found);
}
