#include "scenario/profile_settings.h"

#include "scenario/values.h"

enum { FREQUENCY_DEFAULT = 3989, FREQUENCY_MAX = 49999, SAMPLES_DEFAULT = 36000, SAMPLES_MAX = 10000000 };

static const uint64_t second_ns = 1000000000;

void profile_settings_init(struct profile_settings *settings)
{
	*settings = (struct profile_settings){
		.frequency = FREQUENCY_DEFAULT,
		.samples = SAMPLES_DEFAULT,
		.duration_ns = 10 * second_ns,
		.call_graph = CALL_GRAPH_FP,
	};
}

static int parse_frequency(struct source *source, const struct node_entry *entry, void *out)
{
	return value_count(source, &entry->value, 1, FREQUENCY_MAX, out);
}

static int parse_samples(struct source *source, const struct node_entry *entry, void *out)
{
	return value_count(source, &entry->value, 1, SAMPLES_MAX, out);
}

static int parse_call_graph(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !call_graph_find(entry->value.text, out))
		return node_expected(source, &entry->value, "fp, dwarf or lbr");
	return 0;
}

static const char *const kinds[] = { "cpu", "offcpu", "faults", "heap" };

enum { N_KINDS = sizeof kinds / sizeof *kinds, KIND_CPU = 0 };

static int parse_kind(struct source *source, const struct node *node, bool *cpu)
{
	size_t i = 0;

	while (i < N_KINDS && !(node->kind == NODE_TEXT && !strcmp(kinds[i], node->text)))
		i++;
	if (i == N_KINDS)
		return node_expected(source, node, "cpu");
	if (i != KIND_CPU)
		return source_fault(source, node->at, "profiles of kind %s are not supported by pawl " PAWL_VERSION "; leave it out",
				    kinds[i]);
	if (*cpu)
		return source_fault(source, node->at, "the kind '%s' is listed twice", kinds[i]);
	*cpu = true;
	return 0;
}

static int parse_kinds(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *list = &entry->value;
	bool cpu = false;
	int ret = 0;

	if (list->kind != NODE_LIST)
		return node_expected(source, list, "[cpu], or [] for no profile");
	for (size_t i = 0; i < list->n; i++)
		if (parse_kind(source, &list->entries[i].value, &cpu) < 0)
			ret = -1;
	*(bool *)out = !cpu;
	return ret;
}

static const struct field profile_items[] = {
	{ "frequency", .parse = parse_frequency, .offset = offsetof(struct profile_settings, frequency) },
	{ "samples", .parse = parse_samples, .offset = offsetof(struct profile_settings, samples) },
	{ "duration", .parse = value_duration, .offset = offsetof(struct profile_settings, duration_ns) },
	{ "call-graph", .parse = parse_call_graph, .offset = offsetof(struct profile_settings, call_graph) },
	{ "kinds", .parse = parse_kinds, .offset = offsetof(struct profile_settings, off) },
};

const struct fields profile_fields = FIELDS(profile_items);
