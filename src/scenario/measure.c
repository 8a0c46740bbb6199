/* measure: of a scenario and of pawl.yaml; the keys are measure_fields of fields.h. */
#include "base/parse.h"
#include "scenario/gates.h"
#include "scenario/scenario.h"
#include "scenario/values.h"

/* -------- profile settings */

enum { FREQUENCY_DEFAULT = 3989, FREQUENCY_MAX = 49999, SAMPLES_DEFAULT = 36000, SAMPLES_MAX = 10000000 };

static const uint64_t settings_second_ns = 1000000000;

/* the built-in defaults */
static void profile_settings_init(struct profile_settings *settings)
{
	*settings = (struct profile_settings){
		.frequency = FREQUENCY_DEFAULT,
		.samples = SAMPLES_DEFAULT,
		.duration_ns = 10 * settings_second_ns,
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

static const struct yaml_field profile_items[] = {
	{ "frequency", .parse = parse_frequency, .offset = offsetof(struct profile_settings, frequency) },
	{ "samples", .parse = parse_samples, .offset = offsetof(struct profile_settings, samples) },
	{ "duration", .parse = value_duration, .offset = offsetof(struct profile_settings, duration_ns) },
	{ "call-graph", .parse = parse_call_graph, .offset = offsetof(struct profile_settings, call_graph) },
	{ "kinds", .parse = parse_kinds, .offset = offsetof(struct profile_settings, off) },
};

const struct yaml_fields profile_fields = YAML_FIELDS(profile_items);

/* -------- measure settings */

enum { RUNS_DEFAULT = 10, EVENTS_MAX = 32 };

static const uint64_t second_ns = 1000000000, minute_ns = 60ull * 1000000000;

/* the built-in defaults */
static void measure_settings_init(struct measure_settings *settings)
{
	*settings = (struct measure_settings){
		.runs = RUNS_DEFAULT,
		.budget_ns = minute_ns,
		.timeout_ns = minute_ns,
		.window_ns = 5 * second_ns,
	};
}

static int parse_runs(struct source *source, const struct node_entry *entry, void *out)
{
	return value_count(source, &entry->value, 1, SCENARIO_RUNS_MAX, out);
}

static int parse_floor(struct source *source, const struct node_entry *entry, void *out)
{
	double pct;

	if (entry->value.kind != NODE_TEXT || parse_percent(entry->value.text, &pct, NULL) < 0 || !(pct >= 0 && pct <= FLOOR_MOST_PCT))
		return node_expected(source, &entry->value, "a percentage from 0% to 50%, such as 1%");
	*(double *)out = pct;
	return 0;
}

static int parse_counters(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const modes[] = {
		[COUNTERS_AUTO] = "auto", [COUNTERS_PERF] = "perf", [COUNTERS_SIM] = "sim",
	};

	for (size_t i = 0; entry->value.kind == NODE_TEXT && i < sizeof modes / sizeof *modes; i++) {
		if (strcmp(entry->value.text, modes[i]))
			continue;
		*(enum counters_mode *)out = (enum counters_mode)i;
		return 0;
	}
	return node_expected(source, &entry->value, "auto, perf or sim");
}

/* A comma separates events except between the slashes of a PMU's terms. */
static bool one_event(const char *text)
{
	bool terms = false;

	for (; *text; text++) {
		terms ^= *text == '/';
		if (*text == ',' && !terms)
			return false;
	}
	return !terms;
}

/* What perf does not count: pawl would call two things the same. */
static const char *not_an_event(const char *name)
{
	const struct metric *metric = metric_find(name);

	if (metric && (metric->source == SOURCE_SOFTWARE || metric->source == SOURCE_HARDWARE))
		return NULL;
	return metric_name_taken(name);
}

static int add_event(struct source *source, const struct node *node, struct strv *events)
{
	const char *text = value_text(source, node, "the name of a perf event");

	if (!text)
		return -1;
	if (!value_made_of(text, "_.:/=,-") || *text == '-' || strlen(text) > METRIC_EVENT_LONGEST)
		return node_expected(source, node, "the name of a perf event, such as cache-misses or cpu/event=0x3c/");
	if (!one_event(text))
		return source_fault(source, node->at, "expected one event an entry, found '%s'", text);
	if (not_an_event(text))
		return source_fault(source, node->at, "'%s' is %s, no perf event; leave it out", text,
				    not_an_event(text));
	if (strv_has(events, text))
		return source_fault(source, node->at, "the event '%s' is listed twice", text);
	arena_push(source->arena, events, text);
	return 0;
}

static int parse_events(struct source *source, const struct node_entry *entry, void *out)
{
	struct strv events = STRV_INIT;
	const struct node *list = &entry->value;
	int ret = 0;

	if (list->kind != NODE_LIST)
		return node_expected(source, list, "a list of perf events");
	if (list->n > EVENTS_MAX)
		return source_fault(source, list->at, "at most %d events, found %zu", EVENTS_MAX, list->n);
	for (size_t i = 0; i < list->n; i++)
		if (add_event(source, &list->entries[i].value, &events) < 0)
			ret = -1;
	*(struct strv *)out = events;	/* the good ones are kept beside bad ones: gates may name them */
	return ret;
}

static int parse_cpus(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || parse_cpu_list(entry->value.text, NULL) < 0)
		return node_expected(source, &entry->value, "CPUs such as 1 or 0-3,6");
	*(char **)out = entry->value.text;
	return 0;
}

static int parse_aslr(struct source *source, const struct node_entry *entry, void *out)
{
	bool on;

	if (value_bool(source, &entry->value, &on) < 0)
		return -1;
	*(bool *)out = !on;
	return 0;
}

static const struct yaml_field measure_items[] = {
	{ "runs", .parse = parse_runs, .offset = offsetof(struct measure_settings, runs) },
	{ "window", .parse = value_duration, .offset = offsetof(struct measure_settings, window_ns) },
	{ "budget", .parse = value_duration, .offset = offsetof(struct measure_settings, budget_ns) },
	{ "floor", .parse = parse_floor, .offset = offsetof(struct measure_settings, floor_pct) },
	{ "counters", .parse = parse_counters, .offset = offsetof(struct measure_settings, counters) },
	{ "events", .parse = parse_events, .offset = offsetof(struct measure_settings, events) },
	{ "cpus", .parse = parse_cpus, .offset = offsetof(struct measure_settings, cpus) },
	{ "aslr", .parse = parse_aslr, .offset = offsetof(struct measure_settings, aslr_off) },
	{ "timeout", .parse = value_duration, .offset = offsetof(struct measure_settings, timeout_ns) },
};

const struct yaml_fields measure_fields = YAML_FIELDS(measure_items);

/* -------- defaults */

void scenario_defaults_init(struct scenario_defaults *defaults)
{
	measure_settings_init(&defaults->measure);
	profile_settings_init(&defaults->profile);
	defaults->arena = (struct arena)ARENA_INIT;
	gates_init(&defaults->arena, &defaults->gates);
}

void scenario_defaults_release(struct scenario_defaults *defaults)
{
	arena_release(&defaults->arena);
}
