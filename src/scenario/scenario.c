#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "base/text.h"
#include "model/result.h"
#include "scenario/yaml.h"

static const uint64_t second_ns = 1000000000;

/* -------- target: read after env:, whose services it may name */

enum { PID_HIGH = 4194304, PORT_HIGH = 65535 };

/* True for a valid name; it becomes a word of a command line. */
static bool is_container(const char *text)
{
	return text_made_of(text, "._-") && *text != '-';
}

static int add_target_service(struct source *source, const struct node_entry *entry, void *out)
{
	const struct scenario *scenario = source->scope;
	const struct node *node = &entry->value;
	CLEANUP(free_ptr) const char **names = xcalloc(scenario->n_services, sizeof *names);
	CLEANUP(free_ptr) char *hint = NULL;
	const char *text = value_text(source, node, "the name of a service");

	if (!text)
		return -1;
	for (size_t i = 0; i < scenario->n_services; i++)
		names[i] = scenario->services[i].name;
	hint = nearest_hint(text, names, scenario->n_services, "; add it to 'env:'");
	if (!scenario_service(scenario, text))
		return source_fault(source, node->at, "unknown service '%.60s'%s", text, hint);
	if (strv_has(out, text))
		return source_fault(source, node->at, "the service '%s' is listed twice", text);
	arena_push(source->arena, out, text);
	return 0;
}

/* The first service gives the target its program and its environment. */
static int parse_services(struct source *source, const struct node_entry *entry, void *text)
{
	struct scenario *scenario = (void *)((char *)text - offsetof(struct scenario, target_text));
	struct strv *names = &scenario->target_services;

	if ((entry->value.kind == NODE_LIST ? fields_each(source, &entry->value, "services", SCENARIO_SERVICES_MAX, add_target_service, names) :
	     add_target_service(source, entry, names)) < 0)
		return -1;
	scenario->target_text = names->items[0];
	return 0;
}

static void show_services(struct yaml_writer *w, const struct field *field, const void *text)
{
	const struct strv *names = &w->scenario->target_services;

	(void)field;
	if (names->n == 1)
		yaml_text(w, *(char *const *)text);
	else
		yaml_list(w, names);
}

static const char *const target_kinds[] = {
	[TARGET_COMMAND] = "command", [TARGET_SERVICE] = "service", [TARGET_PID] = "pid", [TARGET_PIDFILE] = "pidfile",
	[TARGET_PROCESS] = "process", [TARGET_PORT] = "port", [TARGET_CGROUP] = "cgroup", [TARGET_CONTAINER] = "container", NULL,
};

static const char *const outputs[] = { "any", "same", NULL };

/* -------- a benchmark program */

static const struct field places_items[] = {
	{ FIELD(struct harness_places, list), .help = "The keys of the list of benchmarks. Default: the whole JSON is the list." },
	{ FIELD(struct harness_places, name), .needed = true, .missing = "the key of a benchmark's name", .help = "The key of its name." },
	{ FIELD(struct harness_places, value), .needed = true, .missing = "the key of a benchmark's value", .help = "The key of its value." },
	{ FIELD(struct harness_places, unit), .needed = true, .missing = "the key of a benchmark's unit, or the unit itself, such as ns",
	  .help = "The key of its unit, or the unit of all: ns, us, ms, s, B, KiB, MiB, GiB or count." },
};

static const struct fields places_fields = { FIELDS(places_items) };

static const struct field target_items[] = {
	{ COMMAND("command", struct scenario, target),
	  .help = "Run to its end, once a run. It must exit with status 0 and leave no process behind. A text is "
		  "measured with its shell: prefer a list, or begin with `exec`." },
	{ FIELD_BY("service", struct scenario, target_text, parse_services), .show = show_services,
	  .help = "The name of a service of `env`, with all its processes. A list such as `[web, worker]` is one "
		  "target; its values are sums.",
	  .schema = "{'type': ['string', 'number', 'array'], 'pattern': '" NAME_PATTERN "', 'maxLength': 100, 'minItems': 1, "
		    "'maxItems': 32, 'uniqueItems': true, 'items': {'type': ['string', 'number'], 'pattern': '" NAME_PATTERN "', "
		    "'maxLength': 100}}" },
	{ FIELD_AS("pid", struct scenario, target_text), .names = true, .min = 1, .max = PID_HIGH,
	  .expected = "the number of a process, from 1 to 4194304",
	  .help = "The number of a process, which is measured with its descendants." },
	{ FIELD_AS("pidfile", struct scenario, target_text), .names = true,
	  .help = "A file whose first line is the number of a process. A relative path is below the project's root." },
	{ REGEX("process", struct scenario, target_text),
	  .help = "Matches the command line of one process, or of several of which one started the others. Programs "
		  "that started pawl do not count." },
	{ FIELD_AS("port", struct scenario, target_text), .names = true, .min = 1, .max = PORT_HIGH,
	  .expected = "a TCP port from 1 to 65535",
	  .help = "The TCP port that the target listens on: one process, or several of which one started the others." },
	{ FIELD_AS("cgroup", struct scenario, target_text), .names = true,
	  .help = "A cgroup and those below it, by its path below `/sys/fs/cgroup`, such as "
		  "`system.slice/nginx.service`." },
	{ FIELD_AS("container", struct scenario, target_text), .names = true, .fits = is_container,
	  .expected = "the name or number of a container",
	  .help = "The name or number of a running container of docker, else of podman." },
	{ ENVIRONMENT("environment", struct scenario, target_environment),
	  .help = "For a command: variables in addition to the usual ones, below." },
	{ FIELD_BY("pass-env", struct scenario, target_pass, value_variables), .show = show_texts,
	  .help = "For a command: a list of further variables of pawl's own environment that it gets. One that is not "
		  "set is left out.",
	  .schema = "{'type': 'array', 'items': {'type': 'string', 'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'}}" },
	{ FIELD_AS("cwd", struct scenario, target_cwd), .names = true,
	  .help = "For a command: its working folder, relative to the project's root. Default: the root." },
	{ USER("user", struct scenario, target_user),
	  .help = "For a command: the user to run it as, which needs root. Default: who runs pawl." },
	{ FIELD_AS("output", struct scenario, target_output), .words = outputs, .expected = "any or same",
	  .help = "For a command, in pairs: with `same`, a head that prints or writes something else than the base "
		  "fails; with `any`, that is a warning. Default: any." },
	{ FIELD_AS("harness", struct scenario, harness.kind), .words = harness_names, .min = HARNESS_NONE,
	  .expected = "google-benchmark, criterion, go, pytest-benchmark, catch2, nanobench, hyperfine or json",
	  .help = "The command is a benchmark program of this kind: each of its benchmarks is a gate." },
	{ FIELD_AS("filter", struct scenario, harness.filter), .help = "Which of its benchmarks, as the program takes it." },
	{ FIELD_AS("values", struct scenario, harness.places), .object = &places_fields,
	  .help = "With harness: json, where names, values and units stand." },
};

static const char *target_unfit(const struct scenario *scenario, const void *record, const char *key)
{
	enum harness_kind kind = scenario->harness.kind;

	(void)record;
	if (scenario->target_kind != TARGET_COMMAND &&
	    TEXT_IS(key, "environment", "pass-env", "cwd", "user", "output", "harness", "filter", "values"))
		return scenario->target_kind == TARGET_SERVICE ? "this belongs to the service; move it there, below 'env:'" :
		       "this goes with a command that pawl starts; this target runs already";
	if (!strcmp(key, "filter") && !harness_filters(kind))
		return kind == HARNESS_NONE ? "a filter needs a harness" : "this harness takes no filter; let the command choose";
	if (!strcmp(key, "values") && kind != HARNESS_JSON)
		return "values go with harness: json; other harnesses know where theirs stand";
	return NULL;
}

static const struct gone_key target_gone[] = { { "pass", "use pass-env" }, { NULL, NULL } };

static const struct fields target_fields = {
	FIELDS(target_items), .gone = target_gone, .one_of = target_kinds, .what = "what to measure",
	.kinds = target_kinds, .kind = offsetof(struct scenario, target_kind), .unfit = target_unfit,
	.rules = "{'if': {'not': {'required': ['command']}}, 'then': {'not': {'anyOf': "
		 "[{'required': ['environment']}, {'required': ['pass-env']}, {'required': ['cwd']}, {'required': ['user']}, {'required': ['output']}]}}}",
};

/* A text or a list is the command. */
static int parse_target(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct scenario *scenario = out;

	if (node->kind == NODE_TEXT || node->kind == NODE_LIST)
		return value_command(source, entry, &scenario->target);
	if (node->kind != NODE_MAPPING)
		return node_expected(source, node, "a command, or a mapping such as { service: NAME }");
	if (fields_parse(source, node, &target_fields, scenario) < 0)
		return -1;
	if (scenario->harness.kind == HARNESS_JSON && !scenario->harness.places.name)
		return source_fault(source, node->at, "harness: json needs values: { list: ..., name: ..., value: ..., unit: ... }, the "
				    "keys where they stand");
	if (scenario->harness.kind != HARNESS_NONE)
		scenario->measure.window_ns = second_ns;
	return 0;
}

const char *target_kind_name(enum target_kind kind)
{
	return target_kinds[kind];
}

const struct command *scenario_target_command(const struct scenario *scenario)
{
	if (scenario->target_kind != TARGET_SERVICE)
		return &scenario->target;
	return &scenario_service(scenario, scenario->target_text)->command;
}

/* -------- profile */

enum { FREQUENCY_DEFAULT = 4999, FREQUENCY_MAX = 49999, SAMPLES_DEFAULT = 36000, SAMPLES_MAX = 10000000 };

static int add_kind(struct source *source, const struct node_entry *entry, void *off)
{
	struct profile_settings *settings = (void *)((char *)off - offsetof(struct profile_settings, off));
	bool cpu = !settings->off;
	const struct {
		const char *word;
		bool *wanted;
	} kinds[] = { { "cpu", &cpu }, { "offcpu", &settings->offcpu }, { "faults", &settings->faults }, { "heap", &settings->heap } };
	const struct node *node = &entry->value;

	for (size_t i = 0; node->kind == NODE_TEXT && i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(node->text, kinds[i].word))
			continue;
		if (*kinds[i].wanted)
			return source_fault(source, node->at, "the kind '%s' is listed twice", node->text);
		*kinds[i].wanted = true;
		settings->off = !cpu;
		return 0;
	}
	return node_expected(source, node, "cpu, offcpu, faults or heap");
}

static void show_kinds(struct yaml_writer *w, const struct field *field, const void *off)
{
	const struct profile_settings *s = (const void *)((const char *)off - offsetof(struct profile_settings, off));
	CLEANUP(strv_release) struct strv kinds = STRV_INIT;

	(void)field;
	if (!s->off)
		strv_push(&kinds, "cpu");
	if (s->offcpu)
		strv_push(&kinds, "offcpu");
	if (s->faults)
		strv_push(&kinds, "faults");
	if (s->heap)
		strv_push(&kinds, "heap");
	yaml_list(w, &kinds);
}

static int parse_kinds(struct source *source, const struct node_entry *entry, void *off)
{
	struct profile_settings *settings = (void *)((char *)off - offsetof(struct profile_settings, off));

	settings->off = true;
	settings->offcpu = settings->faults = settings->heap = false;
	return node_each(source, &entry->value, NODE_LIST, "[cpu], more kinds, or [] for no profile", add_kind, off);
}

enum { OWN_MAX = 64, OWN_LONGEST = 1000 };

static int add_own(struct source *source, const struct node_entry *entry, void *own)
{
	static const char expected[] = "a glob on the paths of programs, libraries or scripts, such as */vendor/libfoo*";
	const char *text = value_text(source, &entry->value, expected);

	if (!text)
		return -1;
	if (!*text || strlen(text) > OWN_LONGEST)
		return node_expected(source, &entry->value, expected);
	arena_push(source->arena, own, text);
	return 0;
}

static int parse_own(struct source *source, const struct node_entry *entry, void *own)
{
	const struct node *list = &entry->value;

	if (list->kind == NODE_LIST && list->n > OWN_MAX)
		return source_fault(source, list->at, "at most %d globs, found %zu", OWN_MAX, list->n);
	if (list->kind == NODE_LIST)
		*(struct strv *)own = (struct strv)STRV_INIT;
	return node_each(source, list, NODE_LIST, "a list of globs, or [] for none", add_own, own);
}

static const char *const call_graphs[] = { "fp", "dwarf", "lbr", NULL };

static const struct field profile_items[] = {
	{ FIELD(struct profile_settings, frequency), .min = 1, .max = FREQUENCY_MAX,
	  .help = "Samples a second of CPU time. The kernel may allow fewer: `kernel.perf_event_max_sample_rate`. "
		  "Default: 4999." },
	{ FIELD(struct profile_settings, samples), .min = 1, .max = SAMPLES_MAX,
	  .help = "Samples wanted over all profiled runs, at least three. With less than 3,000, symbols are not judged. "
		  "Default: 36000." },
	{ FIELD_AS("duration", struct profile_settings, duration_ns),
	  .help = "The most time for the profile; less if less of `measure.budget` is left. Default: 10s." },
	{ FIELD_AS("call-graph", struct profile_settings, call_graph), .words = call_graphs,
	  .help = "How stacks are found: `fp` by frame pointers; `dwarf` by debug information, which costs more, "
		  "makes large recordings, and fails on arm64 if return addresses are signed; `lbr` by branch records of "
		  "Intel CPUs. Default: fp." },
	{ FIELD_BY("kinds", struct profile_settings, off, parse_kinds), .show = show_kinds,
	  .help = "A list of what is profiled: `cpu`, `offcpu` (waiting), `faults` (page faults), `heap` (allocations). "
		  "`[]` takes no profile. Default: [cpu].",
	  .schema = "{'type': 'array', 'maxItems': 4, 'uniqueItems': true, 'items': {'enum': ['cpu', 'offcpu', 'faults', 'heap']}}" },
	{ FIELD_BY("own-code", struct profile_settings, own, parse_own), .show = show_texts,
	  .help = "A list of at most 64 globs on paths and names of files. Programs, libraries and scripts that match "
		  "are the project's own code, in addition to those below its root. Default: none.",
	  .schema = "{'type': 'array', 'maxItems': 64, 'items': {'type': ['string', 'number', 'boolean'], 'minLength': 1, "
		    "'maxLength': 1000}}" },
};

static const struct gone_key profile_gone[] = { { "own", "use own-code" }, { NULL, NULL } };

const struct fields profile_fields = { FIELDS(profile_items), .gone = profile_gone };

/* -------- measure: depends on the target, which may not support all of it */

enum { RUNS_DEFAULT = 10, EVENTS_MAX = 32 };

/* A second use of a name would be ambiguous. NULL: it is a perf event. */
static const char *not_an_event(const char *name)
{
	const struct metric *metric = metric_find(name);

	if (metric && (metric->source == SOURCE_SOFTWARE || metric->source == SOURCE_HARDWARE))
		return NULL;
	return metric_name_taken(name);
}

static int add_event(struct source *source, const struct node_entry *entry, void *events)
{
	const struct node *node = &entry->value;
	const char *text = value_text(source, node, "the name of a perf event");

	if (!text)
		return -1;
	if (!text_made_of(text, "_.:/=,-") || *text == '-' || strlen(text) > METRIC_EVENT_LONGEST)
		return node_expected(source, node, "the name of a perf event, such as cache-misses or cpu/event=0x3c/");
	/* A comma separates events except between the slashes of a PMU's terms. */
	if (!regex_matches("^([^/,]|/[^/]*/)*$", text))
		return source_fault(source, node->at, "expected one event an entry, found '%s'", text);
	if (metric_renamed(text))
		return source_fault(source, node->at, "the metric '%s' is gone; use %s", text, metric_renamed(text));
	if (not_an_event(text))
		return source_fault(source, node->at, "'%s' is %s, no perf event; leave it out", text, not_an_event(text));
	if (strv_has(events, text))
		return source_fault(source, node->at, "the event '%s' is listed twice", text);
	arena_push(source->arena, events, text);
	return 0;
}

/* They replace those of pawl.yaml. Valid ones are kept if others are faulty, because gates may name them. */
static int parse_events(struct source *source, const struct node_entry *entry, void *events)
{
	const struct node *list = &entry->value;

	if (list->kind == NODE_LIST && list->n > EVENTS_MAX)
		return source_fault(source, list->at, "at most %d events, found %zu", EVENTS_MAX, list->n);
	if (list->kind == NODE_LIST)
		*(struct strv *)events = (struct strv)STRV_INIT;
	return node_each(source, list, NODE_LIST, "a list of perf events", add_event, events);
}

static bool is_cpu_list(const char *text)
{
	return parse_cpu_list(text, NULL) == 0;
}

static const char *const counters[] = { "auto", "perf", "sim", NULL };

const char *const pairs_mode_names[] = { "auto", "together", "in-turn", NULL };

static const struct field measure_items[] = {
	{ FIELD(struct measure_settings, runs), .min = 1, .max = SCENARIO_RUNS_MAX,
	  .help = "Measured runs or windows. If the machine has too few counters for all events, "
		  "each group of events gets this number. Default: 10." },
	{ FIELD_AS("window", struct measure_settings, window_ns),
	  .help = "How long a run of an attached target is, unless its load ends before. In pairs it may be shorter. "
		  "With `harness`: how long all its benchmarks run, each for at most a tenth. Not for other commands, nor with `as: count`. "
		  "Default: 5s, with `harness` 1s." },
	{ FIELD_AS("budget", struct measure_settings, budget_ns),
	  .help = "The most time for the scenario, without building, `setup` and `cleanup`. Nothing begins after it, "
		  "and tools are stopped. In pairs a third is kept for the profile and the cause, and scenarios share "
		  "what others do not need. If time is scarce, the report says what is left out: evidence of a second "
		  "cause, then pictures, then more pairs. Without `--budget`, the first look may also use what is kept. "
		  "Default: 60s." },
	{ FIELD_AS("floor", struct measure_settings, floor_pct), .max = FLOOR_MOST_PCT,
	  .expected = "a percentage from 0% to 50%, such as 1%",
	  .help = "In pairs: the least that a regression is worse by. `1%` allows for code layout, which moves times of "
		  "the same program by up to 2 %. Default: 0%." },
	{ FIELD(struct measure_settings, counters), .words = counters,
	  .help = "`auto`: hardware counters if there are any, else simulation for gates that have a simulated metric. "
		  "`perf`: never simulate. `sim`: simulate, and count no hardware events; if all scenarios do, perf is "
		  "not needed. Attached targets cannot be simulated. Default: auto." },
	{ FIELD(struct measure_settings, pairs), .words = pairs_mode_names,
	  .help = "`together`: both sides at once on one CPU. `in-turn`: one after the other. `auto`: together, unless "
		  "a command uses several CPUs, fails beside the other side, or services cannot run side by side. Wall "
		  "time, switches and printed metrics are always measured in turn. Default: auto." },
	{ FIELD_BY("events", struct measure_settings, events, parse_events), .show = show_texts,
	  .help = "A list of at most 32 more events of `perf list`, each a metric of that name without a default limit. "
		  "Default: none.",
	  .schema = "{'type': 'array', 'maxItems': 32, 'uniqueItems': true, 'items': {'type': 'string', "
		    "'pattern': '^[A-Za-z0-9_.:/=,][A-Za-z0-9_.:/=,-]*$', 'maxLength': 200}}" },
	{ FIELD(struct measure_settings, cpus), .fits = is_cpu_list, .expected = "CPUs such as 1 or 0-3,6",
	  .help = "CPUs to pin the target to, such as `1` or `0-3,6`: a command, or the measured services. What runs "
		  "already, other services and the load are not pinned. Default: all.",
	  .schema = "{'type': ['string', 'integer'], 'pattern': '^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$', 'minimum': 0}" },
	{ FIELD_AS("aslr", struct measure_settings, aslr_off), .words = (const char *const[]){ "true", "false", "off", NULL }, .expected = "true or false",
	  .help = "`false` or `off` turns off the randomisation of addresses of a command or a measured service. "
		  "Default: true.", .schema = "{'enum': ['true', 'false', 'off', true, false]}" },
	{ FIELD_AS("timeout", struct measure_settings, timeout_ns),
	  .help = "The longest one run of a command may take, or one window with `as: count`. Then it is ended, and the "
		  "scenario fails. Default: 60s." },
};

static const struct gone_key measure_gone[] = {
	{ "layouts", "use `floor: 1%`, which leaves the luck of code layout out" },
	{ NULL, NULL },
};

static bool runs_already(const struct scenario *scenario)
{
	return scenario->target_kind != TARGET_COMMAND && scenario->target_kind != TARGET_SERVICE;
}

/* pawl.yaml has no target, so its keys are not refused. */
static const char *measure_unfit(const struct scenario *scenario, const void *record, const char *key)
{
	const struct measure_settings *measure = record;

	if (!scenario)
		return NULL;
	if (!strcmp(key, "window") && scenario->target_kind == TARGET_COMMAND && scenario->harness.kind == HARNESS_NONE)
		return "a command is measured from its start to its end; leave the window out";
	if (!strcmp(key, "window") && scenario->load.as == WORK_COUNT)
		return "a load of fixed work ends its own window; leave measure.window out";
	if (!strcmp(key, "counters") && scenario->target_kind != TARGET_COMMAND && measure->counters == COUNTERS_SIM)
		return "a running process cannot be simulated; use auto or perf";
	if (!strcmp(key, "cpus") && runs_already(scenario))
		return "pawl does not pin a target that already runs; leave this out";
	if (!strcmp(key, "aslr") && runs_already(scenario))
		return "a target that already runs keeps its addresses; leave this out";
	return NULL;
}

const struct fields measure_fields = { FIELDS(measure_items), .gone = measure_gone, .unfit = measure_unfit };

/* -------- the position of a number in output */

static int check_extractor(struct source *source, const struct node_entry *entry, void *out)
{
	bool regex = !strcmp(entry->key.text, "regex");
	const struct extractor extractor = { .regex = regex ? *(char **)out : NULL, .json = regex ? NULL : *(char **)out };
	struct error why = ERROR_INIT;

	return extractor_check(&extractor, &why) < 0 ? source_fault(source, entry->value.at, "%s", why.msg) : 0;
}

static const char *const extractor_ways[] = { "regex", "json", NULL };

#define EXTRACTOR(struct_, member_)										\
	{ FIELD_AS("regex", struct_, member_.regex), .yaml = check_extractor, .definition = "regex",		\
	  .help = "The number in the output: one group captures it. The last match counts." },			\
	{ FIELD_AS("json", struct_, member_.json), .yaml = check_extractor, .definition = "jsonPath",		\
	  .help = "Instead: a path in the last JSON value that begins a line, such as `latency.p99` or `results[0].rps`." }
#define ONE_EXTRACTOR .one_of = extractor_ways, .what = "where the number stands in the output"
#define UNIT(struct_) \
	FIELD(struct_, unit), .pattern = "^[A-Za-z0-9/%_-]+$", .max = 24, .expected = "a short word such as ms, MiB or request"

/* -------- load: drives an attached target */

static int check_load(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	if (source->scope->target_kind != TARGET_COMMAND)
		return 0;
	return source_fault(source, entry->key.at, "a load drives a service or another attached target; a command runs without one");
}

static const char *const work_kinds[] = { [WORK_RATE] = "rate", [WORK_COUNT] = "count", NULL };

static const struct field work_items[] = {
	EXTRACTOR(struct load, work),
	{ FIELD(struct load, as), .words = work_kinds, .min = WORK_RATE, .expected = "rate, which is per second, or count",
	  .needed = true, .missing = "'as: rate' or 'as: count'",
	  .help = "`rate`: the number is per second; the work is that times the window. `count`: the number is all that "
		  "was done; load and window end together, without `measure.window`." },
	{ UNIT(struct load), .help = "What is done, in the singular, such as `request`; for reports." },
};

static const struct fields work_fields = { FIELDS(work_items), ONE_EXTRACTOR };

static const struct field load_items[] = {
	{ COMMAND("command", struct load, command), .needed = true, .missing = "the command that drives the target",
	  .help = "Drives the target. It starts with each window, warm-up included, and is not measured." },
	{ ENVIRONMENT("environment", struct load, environment), .help = "Variables added to pawl's own environment." },
	{ USER("user", struct load, user), .help = "The user to run it as, which needs root." },
	CONFINES(struct load),
	{ .key = "work", .type = FIELD_OBJECT, .object = &work_fields, .help = "How much it did, as its output says." },
	{ REGEX("fail", struct load, fail),
	  .help = "A line of the load's output that matches makes the window fail, and is quoted. It finds errors that "
		  "the load counts as work; for wrk, `Non-2xx|Socket errors`." },
};

static const struct fields load_fields = { FIELDS(load_items) };

/* -------- metrics: numbers in the output as custom metrics; read after measure:, whose events have names too */

struct printed {
	char *name, *unit;
	struct extractor extractor;
	bool higher_is_better;
};

static int check_name(struct source *source, const struct node_entry *entry, void *out)
{
	const struct scenario *scenario = source->scope;
	const char *name = entry->value.text, *taken = metric_name_taken(name);

	(void)out;
	if (!taken && gates_word(name))
		taken = "a word of 'gates:'";
	if (!taken && (strv_has(&scenario->measure.events, name) || gates_find_metric(&scenario->gates, name)))
		taken = "a perf event of measure.events";
	for (size_t i = 0; !taken && i < scenario->n_metrics; i++)
		if (!strcmp(scenario->metrics[i].metric->name, name))
			taken = "listed already";
	return taken ? source_fault(source, entry->value.at, "'%s' is %s; choose another name", name, taken) : 0;
}

static const char *const better[] = { "lower", "higher", NULL };

static const struct field printed_items[] = {
	{ FIELD(struct printed, name), .pattern = "^[A-Za-z0-9_][A-Za-z0-9._-]*$", .max = NAME_LONGEST, .yaml = check_name,
	  .expected = "a name such as p99-latency: letters, digits, '-', '_' and '.'", .needed = true,
	  .missing = "a name for the metric",
	  .help = "What `gates` and reports call it: at most 100 letters, digits, `-`, `_` and `.`. It is none of "
		  "pawl's metrics, no event, and does not end in `-per-work`.",
	  .schema = "{'type': ['string', 'number'], 'pattern': '^[A-Za-z0-9_][A-Za-z0-9._-]*$', 'maxLength': 100, 'not': {'anyOf': "
		    "[{'enum': ['work', 'throughput', 'symbols', 'budgets']}, {'pattern': '-per-work$'}]}}" },
	EXTRACTOR(struct printed, extractor),
	{ UNIT(struct printed),
	  .help = "`ns`, `us`, `ms`, `s`, `B`, `KiB`, `MiB`, `GiB`, `%`, `count`, or a short word to show behind the "
		  "number. Default: none." },
	{ FIELD_AS("better", struct printed, higher_is_better), .words = better, .expected = "higher or lower", .needed = true,
	  .missing = "'better: higher' or 'better: lower'",
	  .help = "Which way is better." },
};

static const struct fields printed_fields = { FIELDS(printed_items), ONE_EXTRACTOR };

/* A faulty metric is kept if its name is valid, so that a gate on it does not cause a second fault. */
static int add_metric(struct source *source, const struct node_entry *entry, void *out)
{
	struct printed printed = { .name = NULL };
	struct scenario *scenario = out;
	int ret = fields_parse(source, &entry->value, &printed_fields, &printed);

	if (!printed.name)
		return -1;
	*ARENA_ADD(source->arena, scenario->metrics, scenario->n_metrics, scenario->cap_metrics) = (struct custom_metric){
		.extractor = printed.extractor,
		.metric = metric_custom(source->arena, printed.name, printed.unit, printed.higher_is_better),
	};
	return ret;
}

static void show_metrics(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct scenario *scenario = member;

	strbuf_adds(w->out, scenario->n_metrics ? "\n" : "");
	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct custom_metric *metric = &scenario->metrics[i];
		const struct printed printed = {
			.name = (char *)metric->metric->name, .unit = (char *)metric->metric->label,
			.extractor = metric->extractor, .higher_is_better = metric->metric->higher_is_better,
		};

		yaml_item(w, field->object, &printed);
	}
}

/* -------- the scenario */

static int add_variable(struct source *source, const struct node_entry *entry, void *out)
{
	struct scenario *scenario = out;
	const char *name = entry->key.text, *value;
	size_t mark;

	if (!text_made_of(name, "_-") || *name == '-' || (*name >= '0' && *name <= '9'))
		return source_fault(source, entry->key.at,
				    "expected a name of letters, digits, '_' or '-' that starts with a letter, found '%.60s'",
				    name);
	if (expand_is_builtin(name))
		return source_fault(source, entry->key.at, "'%s' is built in; choose another name", name);
	mark = source_enter(source, name);
	value = value_text(source, &entry->value, "text or a number (\"\" for none)");
	source_leave(source, mark);
	*ARENA_ADD(source->arena, scenario->vars, scenario->n_vars, scenario->cap_vars) = (struct variable){ name, value ?: "" };
	return value ? 0 : -1;
}

static int parse_vars(struct source *source, const struct node_entry *entry, void *out)
{
	return node_each(source, &entry->value, NODE_MAPPING, "a mapping of names to values", add_variable, out);
}

static void show_vars(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct scenario *scenario = member;
	CLEANUP(strv_release) struct strv pairs = STRV_INIT;

	(void)field;
	for (size_t i = 0; i < scenario->n_vars; i++)
		strv_pushf(&pairs, "%s=%s", scenario->vars[i].name, scenario->vars[i].value);
	yaml_pairs(w, &pairs, "=");
}

enum { WARMUP_WORK_MAX = 1000000000 };

/* Both need the work that the load reports. */
static int check_warmup(struct source *source, const struct node_entry *entry, void *out)
{
	const struct scenario *scenario = source->scope;

	(void)out;
	if (scenario->target_kind == TARGET_COMMAND)
		return source_fault(source, entry->key.at, "each run of a command starts cold; use runs to warm up its files and caches");
	if (!load_has_work(&scenario->load))
		return source_fault(source, entry->key.at, "the load does not report its work; add load.work");
	return 0;
}

static const char *warmup_unfit(const struct scenario *scenario, const void *record, const char *key)
{
	(void)record;
	return !strcmp(key, "runs") && (scenario->warmup_ns || scenario->warmup_work || scenario->warmup_steady_ns) ?
		       "the warm-up does not end by runs" : NULL;
}

static const struct field warmup_items[] = {
	{ FIELD_AS("runs", struct scenario, warmup_runs), .max = SCENARIO_RUNS_MAX,
	  .help = "Runs or windows that are not counted. Default: 1." },
	{ FIELD_AS("duration", struct scenario, warmup_ns),
	  .help = "Instead of `runs`: warm up for so long. The last window is cut short." },
	{ FIELD_AS("work", struct scenario, warmup_work), .min = 1, .max = WARMUP_WORK_MAX, .yaml = check_warmup,
	  .help = "Instead of `runs`: whole windows until the load has done this much, in the unit of `load.work`. They "
		  "end with `measure.budget`; a note then says so." },
	{ FIELD_AS("steady", struct scenario, warmup_steady_ns), .yaml = check_warmup,
	  .help = "Instead of `runs`: whole windows, for so long at most, until two in a row cost no less CPU time a "
		  "unit of work, within 5 %, than the best before. A note says if that was not reached. Needs "
		  "`load.work`." },
	{ COMMAND("command", struct scenario, warmup_command), .help = "Run once, before the warm-up." },
};

static const struct fields warmup_fields = {
	FIELDS(warmup_items), .one_of = (const char *const[]){ "runs", "duration", "work", "steady", NULL }, .unfit = warmup_unfit,
};

/* Fields follow those they depend on. */
static const struct field scenario_items[] = {
	{ .key = "version", .type = FIELD_VERSION, .max = 1, .help = "The version of this format. Default: 1." },
	{ NAME("name", struct scenario, name),
	  .help = "What the scenario and its baselines are called: at most 100 letters, digits, `.`, `_` and `-`, not "
		  "starting with a dot. Two scenarios cannot share a name. Default: the file's name without its ending." },
	{ FIELD(struct scenario, description), .help = "One line for `pawl check` and reports." },
	{ FIELD(struct scenario, tags), .help = "Words that `--tag` selects by." },
	{ FIELD(struct scenario, requires),
	  .help = "Programs that must be on PATH or below the project's root. If one is missing, the scenario fails "
		  "(status 3)." },
	{ .key = "vars", .yaml = parse_vars, .show = show_vars,
	  .help = "Values of `${name}`, by name. They are inserted as they are; names in them are not replaced.",
	  .schema = "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z_][A-Za-z0-9_-]*$', 'not': {'enum': ['port', "
		    "'scenario_dir', 'out', 'tmp']}}, 'additionalProperties': {'type': ['string', 'number', 'boolean']}}" },
	{ COMMAND("setup", struct scenario, setup),
	  .help = "Run once, before anything else. It may take 10 minutes. If it fails, the scenario fails." },
	{ COMMAND("prepare", struct scenario, prepare),
	  .help = "Run before each run or window, warm-up and simulation included. It may take 10 minutes. If it fails, "
		  "the scenario fails." },
	{ COMMAND("cleanup", struct scenario, cleanup),
	  .help = "Run once, at the end, whatever happened, when the services have stopped. It may take 30 seconds. A "
		  "failure is only noted." },
	{ .key = "env", .type = FIELD_LIST, .object = &service_fields, .yaml = services_add, .show = services_show, .expected = "services",
	  .missing = "variables belong to target.environment, or to that of a service", .min = 1, .max = SCENARIO_SERVICES_MAX,
	  .help = "Services: what must run beside the target, or is the target. Each starts when those before it are "
		  "ready. They stop in reverse order." },
	{ .key = "target", .definition = "command", .object = &target_fields, .yaml = parse_target, .needed = true,
	  .missing = "'target:' with what to measure",
	  .help = "What is measured: a command, or a mapping that names a service or something that runs already." },
	{ FIELD(struct scenario, load), .object = &load_fields, .yaml = check_load,
	  .help = "What drives an attached target while it is measured." },
	{ .key = "warmup", .type = FIELD_OBJECT, .object = &warmup_fields,
	  .help = "Runs or windows before the measured ones. Default: one." },
	{ FIELD(struct scenario, measure), .object = &measure_fields, .help = "How much is measured, and how." },
	{ .key = "metrics", .type = FIELD_LIST, .object = &printed_fields, .yaml = add_metric, .show = show_metrics, .min = 1,
	  .max = SCENARIO_METRICS_MAX,
	  .help = "Figures in the output, each a metric of its own." },
	{ FIELD(struct scenario, profile), .object = &profile_fields,
	  .help = "How the profile is taken, after the counted runs." },
	{ FIELD_BY("gates", struct scenario, gates, gates_parse), .show = gates_show, .definition = "gates",
	  .help = "The limit of each metric, by its name. Other names are those of `measure.events` and of `metrics`." },
};

const struct fields scenario_fields = {
	FIELDS(scenario_items), .title = "pawl scenario",
	  .help = "What pawl starts, warms up and measures, and its limits.",
};

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

int scenario_parse(const char *text, size_t len, const char *path, const struct scenario_defaults *defaults,
		   struct scenario *out, struct diags *diags)
{
	CLEANUP(scenario_release) struct scenario scenario = {
		.warmup_runs = 1, .measure = defaults->measure, .profile = defaults->profile,
	};
	CLEANUP(source_release) struct source source = SOURCE_INIT(path, text, len, &scenario.arena, diags);
	const char *base = path_name(path), *dot = strrchr(base, '.');
	struct measure_settings *measure = &scenario.measure;
	struct node root;

	scenario.path = arena_strdup(&scenario.arena, path);
	measure->cpus = arena_strdup(&scenario.arena, defaults->measure.cpus);
	measure->events = (struct strv)STRV_INIT;
	arena_push_all(&scenario.arena, &measure->events, &defaults->measure.events);
	scenario.profile.own = (struct strv)STRV_INIT;
	arena_push_all(&scenario.arena, &scenario.profile.own, &defaults->profile.own);
	gates_copy(&scenario.arena, &scenario.gates, &defaults->gates);
	source.scope = &scenario;
	source.events = &measure->events;
	if (node_read(&source, &root) < 0)
		return -1;
	if (root.kind == NODE_NOTHING)
		return source_fault(&source, root.at, "the file is empty; add 'target:' with what to measure");
	fields_parse(&source, &root, &scenario_fields, &scenario);
	if (root.kind == NODE_MAPPING && !node_find(&root, "name")) {	/* "scenarios/http.yaml" is called http */
		scenario.name = arena_strndup(&scenario.arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
		if (!scenario_name_valid(scenario.name))
			source_fault(&source, (struct place){ 0 }, "the file's name cannot be that of a scenario; add 'name:' "
				     "with letters, digits, '.', '_', '-'");
	}
	gates_settle(&source, &scenario);
	if (source.faults)
		return -1;
	/* A value from pawl.yaml that this target cannot use is ignored. */
	if (scenario.target_kind != TARGET_COMMAND && measure->counters == COUNTERS_SIM)
		measure->counters = COUNTERS_AUTO;
	if (runs_already(&scenario)) {
		measure->cpus = NULL;
		measure->aslr_off = false;
	}
	if (scenario.warmup_ns || scenario.warmup_work || scenario.warmup_steady_ns)
		scenario.warmup_runs = 0;
	*out = scenario;
	scenario = (struct scenario){ 0 };
	return 0;
}

void scenario_explain(const struct scenario *scenario, const struct scenario_defaults *defaults, struct strbuf *out)
{
	struct yaml_writer writer = { .out = out, .scenario = scenario, .defaults = defaults };

	yaml_fields(&writer, &scenario_fields, scenario);
}

void scenario_release(struct scenario *scenario)
{
	arena_release(&scenario->arena);
	*scenario = (struct scenario){ 0 };
}

void scenario_attach(struct scenario *scenario, pid_t pid)
{
	scenario->n_services = 0;
	scenario->setup = scenario->cleanup = scenario->target = (struct command){ 0 };
	scenario->target_environment = scenario->target_pass = (struct strv)STRV_INIT;
	scenario->target_kind = TARGET_PID;
	scenario->target_services = (struct strv)STRV_INIT;
	scenario->target_text = arena_printf(&scenario->arena, "%d", (int)pid);
	scenario->target_cwd = scenario->measure.cpus = NULL;
	scenario->measure.aslr_off = false;
	gates_settle(NULL, scenario);
}

/* -------- commands as values */

void command_copy(struct arena *arena, struct command *out, const struct command *from)
{
	*out = *from;
	out->argv = (struct strv)STRV_INIT;
	arena_push_all(arena, &out->argv, &from->argv);
}

char *command_text(const struct command *command)
{
	struct strbuf text = STRBUF_INIT;

	if (!command->argv.n)
		return NULL;
	if (command->shell)
		strbuf_adds(&text, command->argv.items[2]);
	else
		escape_shell_words(&text, &command->argv);
	return strbuf_take(&text);
}
