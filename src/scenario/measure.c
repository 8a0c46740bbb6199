/* measure: and profile: of a scenario and of pawl.yaml, and what they are without either. */
#include "base/parse.h"
#include "scenario/gates.h"
#include "scenario/scenario.h"
#include "scenario/values.h"

static const uint64_t second_ns = 1000000000;

/* -------- profile */

enum { FREQUENCY_DEFAULT = 3989, FREQUENCY_MAX = 49999, SAMPLES_DEFAULT = 36000, SAMPLES_MAX = 10000000 };

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

static const char *const call_graphs[] = { "fp", "dwarf", "lbr", NULL };

static const struct field profile_items[] = {
	{ FIELD(struct profile_settings, frequency), .min = 1, .max = FREQUENCY_MAX, .help = "Samples a second. Default: 3989." },
	{ FIELD(struct profile_settings, samples), .min = 1, .max = SAMPLES_MAX,
	  .help = "Samples wanted, over at least three runs. Default: 36000." },
	{ FIELD_AS("duration", struct profile_settings, duration_ns),
	  .help = "The most time spent on it, beside measure.budget. Default: 10s." },
	{ FIELD_AS("call-graph", struct profile_settings, call_graph), .words = call_graphs,
	  .help = "How stacks are found. Default: fp." },
	{ FIELD_BY("kinds", struct profile_settings, off, parse_kinds),
	  .help = "[cpu], or [] for no profile. Default: [cpu].",
	  .schema = "{'type': 'array', 'maxItems': 1, 'items': {'enum': ['cpu']}}" },
};

const struct fields profile_fields = { FIELDS(profile_items) };

/* -------- measure */

enum { RUNS_DEFAULT = 10, EVENTS_MAX = 32 };

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
	if (!text_made_of(text, "_.:/=,-") || *text == '-' || strlen(text) > METRIC_EVENT_LONGEST)
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

static bool is_cpu_list(const char *text)
{
	return parse_cpu_list(text, NULL) == 0;
}

static int parse_aslr(struct source *source, const struct node_entry *entry, void *out)
{
	bool on;

	if (value_bool(source, &entry->value, &on) < 0)
		return -1;
	*(bool *)out = !on;
	return 0;
}

static const char *const counters[] = { "auto", "perf", "sim", NULL };

static const struct field measure_items[] = {
	{ FIELD(struct measure_settings, runs), .min = 1, .max = SCENARIO_RUNS_MAX, .help = "Measured runs. Default: 10." },
	{ FIELD_AS("window", struct measure_settings, window_ns),
	  .help = "How long a run of an attached target is measured. Default: 5s." },
	{ FIELD_AS("budget", struct measure_settings, budget_ns), .help = "The most time spent on one scenario. Default: 60s." },
	{ FIELD_AS("floor", struct measure_settings, floor_pct), .max = FLOOR_MOST_PCT,
	  .expected = "a percentage from 0% to 50%, such as 1%",
	  .help = "In pairs: a regression must surely be worse by so much. Default: 0%." },
	{ FIELD(struct measure_settings, counters), .words = counters, .help = "Where counts come from. Default: auto." },
	{ FIELD_BY("events", struct measure_settings, events, parse_events),
	  .help = "More perf events, each a metric of that name.",
	  .schema = "{'type': 'array', 'maxItems': 32, 'uniqueItems': true, 'items': {'type': 'string', "
		    "'pattern': '^[A-Za-z0-9_.:/=,][A-Za-z0-9_.:/=,-]*$', 'maxLength': 200}}" },
	{ FIELD(struct measure_settings, cpus), .fits = is_cpu_list, .expected = "CPUs such as 1 or 0-3,6",
	  .help = "CPUs the target is pinned to, such as 1 or 0-3,6.",
	  .schema = "{'type': ['string', 'integer'], 'pattern': '^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$', 'minimum': 0}" },
	{ FIELD_BY("aslr", struct measure_settings, aslr_off, parse_aslr),
	  .help = "Address space randomisation of the target. Default: on.", .schema = SWITCH_SCHEMA },
	{ FIELD_AS("timeout", struct measure_settings, timeout_ns), .help = "The longest one run may take. Default: 60s." },
};

const struct fields measure_fields = { FIELDS(measure_items) };

/* -------- defaults */

void scenario_defaults_init(struct scenario_defaults *defaults)
{
	*defaults = (struct scenario_defaults){
		.measure = {
			.runs = RUNS_DEFAULT, .budget_ns = 60 * second_ns, .timeout_ns = 60 * second_ns, .window_ns = 5 * second_ns,
		},
		.profile = {
			.frequency = FREQUENCY_DEFAULT, .samples = SAMPLES_DEFAULT, .duration_ns = 10 * second_ns,
			.call_graph = CALL_GRAPH_FP,
		},
	};
	gates_init(&defaults->arena, &defaults->gates);
}

void scenario_defaults_release(struct scenario_defaults *defaults)
{
	arena_release(&defaults->arena);
}
