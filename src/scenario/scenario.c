#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/path.h"
#include "scenario/expand.h"
#include "scenario/extractor.h"
#include "scenario/gates.h"
#include "scenario/values.h"

/* -------- target: what is measured; read after env:, whose services it may name */

enum { PID_HIGH = 4194304, PORT_HIGH = 65535 };

static bool is_number(const char *text, uint64_t high)
{
	uint64_t value;

	return !parse_u64(text, &value, NULL) && value >= 1 && value <= high;
}

static bool is_pid(const char *text)
{
	return is_number(text, PID_HIGH);
}

static bool is_port(const char *text)
{
	return is_number(text, PORT_HIGH);
}

/* It becomes a word of a command line. */
static bool is_container(const char *text)
{
	return text_made_of(text, "._-") && *text != '-';
}

static int unknown_service(struct source *source, const struct node *node)
{
	const struct scenario *scenario = source->scope;
	CLEANUP(free_ptr) const char **names = xcalloc(scenario->n_services, sizeof *names);
	const char *near;

	for (size_t i = 0; i < scenario->n_services; i++)
		names[i] = scenario->services[i].name;
	near = nearest(node->text, names, scenario->n_services);
	if (near)
		return source_fault(source, node->at, "unknown service '%.60s'; did you mean '%s'?", node->text, near);
	return source_fault(source, node->at, "unknown service '%.60s'; add it to 'env:'", node->text);
}

static int check_service(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	return scenario_service(source->scope, entry->value.text) ? 0 : unknown_service(source, &entry->value);
}

const struct command *scenario_target_command(const struct scenario *scenario)
{
	if (scenario->target_kind != TARGET_SERVICE)
		return &scenario->target;
	return &scenario_service(scenario, scenario->target_text)->command;
}

static const char *const target_kinds[] = {
	[TARGET_COMMAND] = "command", [TARGET_SERVICE] = "service", [TARGET_PID] = "pid", [TARGET_PIDFILE] = "pidfile",
	[TARGET_PROCESS] = "process", [TARGET_PORT] = "port", [TARGET_CGROUP] = "cgroup", [TARGET_CONTAINER] = "container", NULL,
};

const char *target_kind_name(enum target_kind kind)
{
	return target_kinds[kind];
}

static int refuse_of_attached(struct source *source, const struct node_entry *entry, const struct scenario *scenario)
{
	if (scenario->target_kind == TARGET_SERVICE)
		return source_fault(source, entry->key.at, "%s belongs to the service; move it to '%s' in 'env:'",
				    entry->key.text, scenario->target_text);
	return source_fault(source, entry->key.at, "%s goes with a command that pawl starts; this target runs already",
			    entry->key.text);
}

static const struct field target_items[] = {
	{ COMMAND("command", struct scenario, target), .help = "Run to its end, once a run." },
	{ FIELD_AS("service", struct scenario, target_text), .yaml = check_service,
	  .help = "The name of a service of env, with all its processes.",
	  .schema = "{'type': ['string', 'number'], 'pattern': '" NAME_PATTERN "', 'maxLength': 100}" },
	{ FIELD_AS("pid", struct scenario, target_text), .names = true, .fits = is_pid,
	  .expected = "the number of a process, from 1 to 4194304", .help = "The number of a process, with its descendants.",
	  .schema = "{'type': ['string', 'integer'], 'minimum': 1, 'maximum': 4194304, 'minLength': 1}" },
	{ FIELD_AS("pidfile", struct scenario, target_text), .names = true, .help = "A file that holds the number of a process." },
	{ REGEX("process", struct scenario, target_text),
	  .help = "A regular expression that the command line of one process matches." },
	{ FIELD_AS("port", struct scenario, target_text), .names = true, .fits = is_port,
	  .expected = "a TCP port from 1 to 65535", .help = "The TCP port that the target listens on.",
	  .schema = "{'type': ['string', 'integer'], 'minimum': 1, 'maximum': 65535, 'minLength': 1}" },
	{ FIELD_AS("cgroup", struct scenario, target_text), .names = true, .help = "A cgroup, with all its processes." },
	{ FIELD_AS("container", struct scenario, target_text), .names = true, .fits = is_container,
	  .expected = "the name or number of a container", .help = "The name or number of a running container." },
	{ ENVIRONMENT("environment", struct scenario, target_environment),
	  .help = "Variables added to the target's environment." },
	{ FIELD_BY("pass", struct scenario, target_pass, value_variables),
	  .help = "Further variables of pawl's own environment that the target gets.",
	  .schema = "{'type': 'array', 'items': {'type': 'string', 'pattern': '^[A-Za-z_][A-Za-z0-9_]*$'}}" },
	{ FIELD_AS("cwd", struct scenario, target_cwd), .names = true, .help = "Working folder, relative to the project's root." },
	{ USER("user", struct scenario, target_user), .help = "The user the target runs as." },
};

static const struct fields target_fields = {
	FIELDS(target_items), .one_of = target_kinds, .what = "what to measure",
	.rules = "{'if': {'not': {'required': ['command']}}, 'then': {'not': {'anyOf': "
		 "[{'required': ['environment']}, {'required': ['pass']}, {'required': ['cwd']}, {'required': ['user']}]}}}",
};

/* The kind is known even when its value is wrong, or what comes later would be told of as well. */
static int parse_target(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const of_command[] = { "environment", "pass", "cwd", "user" };
	const struct node *mapping = &entry->value;
	const struct node_entry *found;
	struct scenario *scenario = out;
	int ret = 0;

	for (size_t i = TARGET_SERVICE; mapping->kind == NODE_MAPPING && target_kinds[i]; i++)
		if (node_find(mapping, target_kinds[i]))
			scenario->target_kind = (enum target_kind)i;
	if (fields_parse(source, mapping, &target_fields, scenario) < 0)
		return -1;
	for (size_t i = 0; scenario->target_kind != TARGET_COMMAND && i < sizeof of_command / sizeof of_command[0]; i++) {
		found = node_find(mapping, of_command[i]);
		if (found)
			ret = refuse_of_attached(source, found, scenario);
	}
	return ret;
}

/* -------- measure: beside a target, not every one of which can have all of it */

static bool runs_to_its_end(const struct scenario *scenario)
{
	return scenario->target_kind == TARGET_COMMAND;
}

/* Nothing that pawl did could be different: the target runs already. */
static bool runs_already(const struct scenario *scenario)
{
	return scenario->target_kind != TARGET_COMMAND && scenario->target_kind != TARGET_SERVICE;
}

static bool load_ends_window(const struct scenario *scenario)
{
	return !runs_to_its_end(scenario) && scenario->load.as == WORK_COUNT;
}

static bool cannot_be_simulated(const struct scenario *scenario)
{
	return !runs_to_its_end(scenario) && scenario->measure.counters == COUNTERS_SIM;
}

static const struct {
	const char *key;
	bool (*refused)(const struct scenario *scenario);
	const char *why;
} rules[] = {
	{ "window", runs_to_its_end, "a command is measured from its start to its end; leave the window out" },
	{ "window", load_ends_window, "a load of fixed work ends its own window; leave measure.window out" },
	{ "counters", cannot_be_simulated, "a running process cannot be simulated; use auto or perf" },
	{ "cpus", runs_already, "a target that runs already is not pinned by pawl; leave this out" },
	{ "aslr", runs_already, "a target that runs already keeps its addresses; leave this out" },
};

/* Refuse what the mapping `measure:` of the scenario itself says and its target or load cannot have. */
static int check_measure(struct source *source, const struct node_entry *entry, void *out)
{
	int ret = 0;

	(void)out;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct node_entry *found = node_find(&entry->value, rules[i].key);
		size_t mark;

		if (!found || !rules[i].refused(source->scope))
			continue;
		mark = source_enter(source, rules[i].key);
		ret = source_fault(source, found->key.at, "%s", rules[i].why);
		source_leave(source, mark);
	}
	return ret;
}

/* What pawl.yaml says for every scenario and this one's target cannot have is as if it were not said. */
static void settle_measure(struct scenario *scenario)
{
	struct measure_settings *measure = &scenario->measure;

	if (cannot_be_simulated(scenario))
		measure->counters = COUNTERS_AUTO;
	if (!runs_already(scenario))
		return;
	measure->cpus = NULL;
	measure->aslr_off = false;
}

/* -------- where a number stands in output */

static int check_extractor(struct source *source, const struct node_entry *entry, const struct extractor *extractor)
{
	struct error why = ERROR_INIT;

	return extractor_check(extractor, &why) < 0 ? source_fault(source, entry->value.at, "%s", why.msg) : 0;
}

static int check_regex(struct source *source, const struct node_entry *entry, void *out)
{
	return check_extractor(source, entry, &(struct extractor){ .regex = *(char **)out });
}

static int check_json(struct source *source, const struct node_entry *entry, void *out)
{
	return check_extractor(source, entry, &(struct extractor){ .json = *(char **)out });
}

static const char *const extractor_ways[] = { "regex", "json", NULL };

/* The fields of MEMBER, and what goes with them in the table. */
#define EXTRACTOR(struct_, member_)										\
	{ FIELD_AS("regex", struct_, member_.regex), .yaml = check_regex, .definition = "regex" },		\
	{ FIELD_AS("json", struct_, member_.json), .yaml = check_json, .definition = "jsonPath" }
#define ONE_EXTRACTOR .one_of = extractor_ways, .what = "where the number stands in the output"

/* -------- load: what drives an attached target */

/* True for a load that tells how much it did; also for one whose work: has a fault, so that no gate is a second one. */
static bool load_has_work(const struct load *load)
{
	return load->as != WORK_UNKNOWN || load->work.regex || load->work.json;
}

static int check_load(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	if (source->scope->target_kind != TARGET_COMMAND)
		return 0;
	return source_fault(source, entry->key.at, "a load drives an attached target; a command is its own");
}

static const char *const work_kinds[] = { [WORK_RATE] = "rate", [WORK_COUNT] = "count", NULL };

static const struct field work_items[] = {
	EXTRACTOR(struct load, work),
	{ FIELD(struct load, as), .words = work_kinds, .min = WORK_RATE, .expected = "rate, which is per second, or count",
	  .needed = true, .missing = "'as: rate' or 'as: count'",
	  .help = "rate: per second; count: all of it, and the load ends by itself." },
	{ UNIT("unit", struct load, unit), .help = "What is done, in the singular, such as request." },
};

static const struct fields work_fields = { FIELDS(work_items), ONE_EXTRACTOR };

static const struct field load_items[] = {
	{ COMMAND("command", struct load, command), .needed = true, .missing = "the command that drives the target",
	  .help = "Started with each window, and ended with it." },
	{ ENVIRONMENT("environment", struct load, environment), .help = "Variables added to the load's environment." },
	{ .key = "work", .type = FIELD_OBJECT, .object = &work_fields,
	  .help = "How much was done, as the load prints it." },
	{ REGEX("fail", struct load, fail),
	  .help = "A regular expression: a line of the load's output that matches makes the window failed." },
};

static const struct fields load_fields = { FIELDS(load_items) };

/* -------- metrics: numbers of the output as metrics of their own; read after measure:, whose events have names, too */

/* An entry while it is read. */
struct printed {
	char *name, *unit;
	struct extractor extractor;
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

static int check_name(struct source *source, const struct node_entry *entry, void *out)
{
	const char *taken = taken_by(source->scope, entry->value.text);

	(void)out;
	return taken ? source_fault(source, entry->value.at, "'%s' is %s; choose another name", entry->value.text, taken) : 0;
}

static const char *const better[] = { "lower", "higher", NULL };

static const struct field printed_items[] = {
	{ FIELD(struct printed, name), .pattern = "^[A-Za-z0-9_][A-Za-z0-9._-]*$", .max = NAME_LONGEST, .yaml = check_name,
	  .expected = "a name such as p99-latency: letters, digits, '-', '_' and '.'", .needed = true,
	  .missing = "a name for the metric", .help = "What gates: and reports call it.",
	  .schema = "{'type': ['string', 'number'], 'pattern': '^[A-Za-z0-9_][A-Za-z0-9._-]*$', 'maxLength': 100, 'not': {'anyOf': "
		    "[{'enum': ['work', 'throughput', 'symbols', 'budgets']}, {'pattern': '-per-work$'}]}}" },
	EXTRACTOR(struct printed, extractor),
	{ UNIT("unit", struct printed, unit), .help = "ns, us, ms, s, B, KiB, MiB, GiB, %, count, or a word of your own." },
	{ FIELD_AS("better", struct printed, higher_is_better), .words = better, .expected = "higher or lower", .needed = true,
	  .missing = "'better: higher' or 'better: lower'", .help = "Which way is better." },
};

static const struct fields printed_fields = { FIELDS(printed_items), ONE_EXTRACTOR };

/* A metric with faults is kept when it has its name, so that a gate on it is no second fault. */
static int add_metric(struct source *source, const struct node_entry *entry, void *out)
{
	struct printed printed = { .name = NULL };
	struct scenario *scenario = out;
	struct metric metric;
	int ret = fields_parse(source, &entry->value, &printed_fields, &printed);

	if (!printed.name)
		return -1;
	metric = metric_of_printed(printed.name, printed.unit, printed.higher_is_better);
	ARENA_GROW(source->arena, scenario->metrics, scenario->n_metrics, scenario->cap_metrics);
	scenario->metrics[scenario->n_metrics++] = (struct printed_metric){
		.extractor = printed.extractor,
		.metric = metric_copy(source->arena, &metric),
	};
	return ret;
}

static int parse_metrics(struct source *source, const struct node_entry *entry, void *out)
{
	return fields_each(source, &entry->value, "metrics", SCENARIO_METRICS_MAX, add_metric, out);
}

/* -------- the scenario */

static int note_line(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	source->scope->name_line = entry->key.at.line;
	return 0;
}

static int add_variable(struct source *source, const struct node_entry *entry, struct scenario *scenario)
{
	const char *name = entry->key.text, *value;
	size_t mark;

	if (!text_made_of(name, "_-") || *name == '-' || (*name >= '0' && *name <= '9'))
		return source_fault(source, entry->key.at,
				    "expected a name of letters, digits, '_' or '-' that starts with a letter, "
				    "found '%.60s'",
				    name);
	if (expand_is_builtin(name))
		return source_fault(source, entry->key.at, "'%s' is built in; choose another name", name);
	mark = source_enter(source, name);
	value = value_text(source, &entry->value, "text or a number (\"\" for none)");
	source_leave(source, mark);
	ARENA_GROW(source->arena, scenario->vars, scenario->n_vars, scenario->cap_vars);
	scenario->vars[scenario->n_vars++] = (struct variable){ name, value ?: "" };
	return value ? 0 : -1;
}

static int parse_vars(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	int ret = 0;

	if (node->kind != NODE_MAPPING)
		return node_expected(source, node, "a mapping of names to values");
	for (size_t i = 0; i < node->n; i++)
		if (add_variable(source, &node->entries[i], out) < 0)
			ret = -1;
	return ret;
}

static int settle_warmup(struct source *source, const struct node_entry *entry, void *out)
{
	struct scenario *scenario = out;

	(void)source;
	(void)entry;
	if (scenario->warmup_ns)
		scenario->warmup_runs = 0;
	return 0;
}

static const struct field warmup_items[] = {
	{ FIELD_AS("runs", struct scenario, warmup_runs), .max = SCENARIO_RUNS_MAX, .help = "Runs that are not counted." },
	{ FIELD_AS("duration", struct scenario, warmup_ns), .help = "Run for this long instead of a number of runs." },
	{ COMMAND("command", struct scenario, warmup_command), .help = "Run once, before the warm-up runs." },
};

static const struct fields warmup_fields = {
	FIELDS(warmup_items), .one_of = (const char *const[]){ "runs", "duration", NULL },
};

static int parse_gates(struct source *source, const struct node_entry *entry, void *out)
{
	struct scenario *scenario = out;
	const struct gate_names names = {
		.events = &scenario->measure.events,
		.printed = scenario->metrics,
		.n_printed = scenario->n_metrics,
		.work = load_has_work(&scenario->load),
	};

	scenario->gates_line = entry->key.at.line;
	gates_drop_builtin(&entry->value, &scenario->gates);
	return gates_parse(source, &entry->value, &names, &scenario->gates);
}

/*
 * What a field rests on stands before it: vars; env, which the target may name; the target, which
 * load and measure must fit; measure and metrics, which gates may name.
 */
static const struct field scenario_items[] = {
	{ .key = "version", .type = FIELD_VERSION, .max = 1, .needed = true, .missing = "'version: 1'",
	  .help = "The version of this format." },
	{ NAME("name", struct scenario, name), .yaml = note_line, .help = "Default: the file's name without its ending." },
	{ FIELD(struct scenario, description) },
	{ FIELD(struct scenario, tags), .help = "What --tag chooses by." },
	{ FIELD(struct scenario, requires), .help = "Programs that must be installed." },
	{ .key = "vars", .yaml = parse_vars, .help = "Values of ${name}; taken as they are.",
	  .schema = "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z_][A-Za-z0-9_-]*$', 'not': {'enum': ['port', "
		    "'scenario_dir', 'out', 'tmp']}}, 'additionalProperties': {'type': ['string', 'number', 'boolean']}}" },
	{ COMMAND("setup", struct scenario, setup), .help = "Run once, before anything." },
	{ COMMAND("prepare", struct scenario, prepare), .help = "Run before each run." },
	{ COMMAND("cleanup", struct scenario, cleanup), .help = "Run once, at the end." },
	{ .key = "env", .type = FIELD_LIST, .object = &service_fields, .yaml = services_parse, .min = 1,
	  .max = SCENARIO_SERVICES_MAX, .help = "Services: started in this order, stopped in reverse." },
	{ .key = "target", .object = &target_fields, .yaml = parse_target, .needed = true,
	  .missing = "'target:' with what to measure",
	  .help = "What is measured: a command that is run to its end, or running processes." },
	{ FIELD(struct scenario, load), .object = &load_fields, .yaml = check_load,
	  .help = "What drives an attached target while a window is measured." },
	{ .key = "warmup", .type = FIELD_OBJECT, .object = &warmup_fields, .yaml = settle_warmup,
	  .help = "What goes before the measured runs. Default: one run." },
	{ FIELD(struct scenario, measure), .object = &measure_fields, .yaml = check_measure,
	  .help = "How much is measured, and how." },
	{ .key = "metrics", .type = FIELD_LIST, .object = &printed_fields, .yaml = parse_metrics, .min = 1,
	  .max = SCENARIO_METRICS_MAX, .help = "Figures of the output, each a metric of its own." },
	{ FIELD(struct scenario, profile), .object = &profile_fields,
	  .help = "How the profile is taken, apart from the counted runs." },
	{ .key = "gates", .yaml = parse_gates, .definition = "gates",
	  .help = "What is tolerated of each metric; other names are those of measure.events and of metrics." },
};

const struct fields scenario_fields = {
	FIELDS(scenario_items), .title = "pawl scenario", .help = "What pawl starts, warms up, measures and tolerates.",
};

/* "scenarios/http.yaml" is called http. */
static int name_after_file(struct source *source, struct scenario *scenario)
{
	const char *base = path_name(source->path), *dot = strrchr(base, '.');
	char *stem = arena_strndup(source->arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));

	if (!scenario_name_valid(stem))
		return source_fault(source, (struct place){ 0 },
				    "the file's name makes no name of a scenario; add 'name:' with letters, digits, "
				    "'.', '_', '-'");
	scenario->name = stem;
	return 0;
}

static void parse_document(struct source *source, struct scenario *scenario)
{
	struct node root = { 0 };

	if (node_read(source, &root) < 0)
		return;
	if (root.kind == NODE_NOTHING) {
		source_fault(source, root.at, "the file is empty: a scenario has 'version: 1' and a 'target:'");
		return;
	}
	fields_parse(source, &root, &scenario_fields, scenario);
	if (!scenario->name && root.kind == NODE_MAPPING && !node_find(&root, "name"))
		name_after_file(source, scenario);
}

int scenario_parse(const char *text, size_t len, const char *path, const struct scenario_defaults *defaults,
		   struct scenario *out, struct diags *diags)
{
	CLEANUP(scenario_release) struct scenario scenario = { .warmup_runs = 1, .measure = defaults->measure, .profile = defaults->profile };
	CLEANUP(source_release) struct source source = SOURCE_INIT(path, text, len, &scenario.arena, diags);

	scenario.path = arena_strdup(&scenario.arena, path);
	scenario.measure.cpus = arena_strdup(&scenario.arena, defaults->measure.cpus);
	scenario.measure.events = (struct strv)STRV_INIT;
	arena_push_all(&scenario.arena, &scenario.measure.events, &defaults->measure.events);
	gates_copy(&scenario.arena, &scenario.gates, &defaults->gates);
	source.scope = &scenario;
	parse_document(&source, &scenario);
	if (scenario.profile.off)
		gates_drop_shares(&source, &scenario.gates);
	if (source.faults)
		return -1;
	settle_measure(&scenario);
	if (!load_has_work(&scenario.load))
		gates_drop_work(&scenario.gates);
	if (scenario.target_kind != TARGET_COMMAND)
		gates_settle_attached(&scenario.gates);
	*out = scenario;
	scenario = (struct scenario){ 0 };
	return 0;
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
	scenario->target_text = arena_printf(&scenario->arena, "%d", (int)pid);
	scenario->target_cwd = scenario->measure.cpus = NULL;
	scenario->measure.aslr_off = false;
	gates_settle_attached(&scenario->gates);
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
