#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/path.h"
#include "scenario/expand.h"
#include "scenario/extractor.h"
#include "scenario/gates.h"
#include "scenario/services.h"
#include "scenario/values.h"

/*
 * target: of a scenario, the keys target_fields of fields.h: what is measured, in one of the ways of
 * enum target_kind. It is read after env:, whose services it may name.
 */

field_fn target_check;	/* struct scenario, after its fields: one kind, and only what goes with it */

/* measure: beside a target: not every target can have all of it. */

/* Refuse what the mapping `measure:` of the scenario itself says and its target or load cannot have. */
field_fn target_measure_check;

/* load: of a scenario, the keys load_fields of fields.h: what drives an attached target. */

field_fn load_check;	/* struct load, after its fields and after target: */

/*
 * metrics: of a scenario: figures of the output as metrics of their own. The keys of one are
 * printed_fields of fields.h. They are read after measure:, whose events they may not be called like.
 */

field_fn printed_parse;		/* struct scenario: a list of metrics */

/* A figure in a mapping: the fields regex and json, of which it has one. */

field_fn figure_value_regex, figure_value_json;	/* char *: what figure_check() takes */

/* -------- target */

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
	return value_made_of(text, "._-") && *text != '-';
}

static int parse_pid(struct source *source, const struct node_entry *entry, void *out)
{
	return value_shaped(source, entry, is_pid, "the number of a process, from 1 to 4194304", out);
}

static int parse_port(struct source *source, const struct node_entry *entry, void *out)
{
	return value_shaped(source, entry, is_port, "a TCP port from 1 to 65535", out);
}

static int parse_container(struct source *source, const struct node_entry *entry, void *out)
{
	return value_shaped(source, entry, is_container, "the name or number of a container", out);
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

static int parse_service(struct source *source, const struct node_entry *entry, void *out)
{
	if (value_string(source, entry, out) < 0)
		return -1;
	return scenario_service(source->scope, entry->value.text) ? 0 : unknown_service(source, &entry->value);
}

const struct command *scenario_target_command(const struct scenario *scenario)
{
	if (scenario->target_kind != TARGET_SERVICE)
		return &scenario->target;
	return &scenario_service(scenario, scenario->target_text)->command;
}

/* How the text of each kind is read; a command is none. */
static const struct {
	const char *key;
	field_fn *parse;
} kinds[] = {
	[TARGET_COMMAND] = { "command", NULL },
	[TARGET_SERVICE] = { "service", parse_service },
	[TARGET_PID] = { "pid", parse_pid },
	[TARGET_PIDFILE] = { "pidfile", value_expanded },
	[TARGET_PROCESS] = { "process", value_regex },
	[TARGET_PORT] = { "port", parse_port },
	[TARGET_CGROUP] = { "cgroup", value_expanded },
	[TARGET_CONTAINER] = { "container", parse_container },
};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *target_kind_name(enum target_kind kind)
{
	return kinds[kind].key;
}

/* The kind is known even when its value is wrong, or what comes later would be told of as well. */
static int parse_text(struct source *source, const struct node_entry *entry, void *out)
{
	struct scenario *scenario = out;
	size_t i = TARGET_SERVICE;

	while (strcmp(kinds[i].key, entry->key.text))
		i++;
	scenario->target_kind = (enum target_kind)i;
	return kinds[i].parse(source, entry, &scenario->target_text);
}

static int refuse_of_attached(struct source *source, const struct node_entry *entry, const struct scenario *scenario)
{
	if (scenario->target_kind == TARGET_SERVICE)
		return source_fault(source, entry->key.at, "%s belongs to the service; move it to '%s' in 'env:'",
				    entry->key.text, scenario->target_text);
	return source_fault(source, entry->key.at, "%s goes with a command that pawl starts; this target runs already",
			    entry->key.text);
}

int target_check(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const of_command[] = { "environment", "pass", "cwd", "user" };
	const struct scenario *scenario = out;
	const struct node_entry *found;
	const char *keys[KINDS];
	int ret = 0;

	for (size_t i = 0; i < KINDS; i++)
		keys[i] = kinds[i].key;
	if (fields_one_of(source, &entry->value, keys, KINDS, "what to measure", &found) < 0)
		return -1;
	for (size_t i = 0; scenario->target_kind != TARGET_COMMAND && i < sizeof of_command / sizeof of_command[0]; i++) {
		found = node_find(&entry->value, of_command[i]);
		if (found)
			ret = refuse_of_attached(source, found, scenario);
	}
	return ret;
}

static const struct yaml_field target_items[] = {
	{ "command", .parse = value_command, .offset = offsetof(struct scenario, target) },
	{ "service", .parse = parse_text },
	{ "pid", .parse = parse_text },
	{ "pidfile", .parse = parse_text },
	{ "process", .parse = parse_text },
	{ "port", .parse = parse_text },
	{ "cgroup", .parse = parse_text },
	{ "container", .parse = parse_text },
	{ "environment", .parse = value_environment, .offset = offsetof(struct scenario, target_environment) },
	{ "pass", .parse = value_variables, .offset = offsetof(struct scenario, target_pass) },
	{ "cwd", .parse = value_expanded, .offset = offsetof(struct scenario, target_cwd) },
	{ "user", .parse = value_user, .offset = offsetof(struct scenario, target_user) },
};

const struct yaml_fields target_fields = YAML_FIELDS(target_items);

/* -------- target measure */

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

int target_measure_check(struct source *source, const struct node_entry *entry, void *out)
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
static void target_measure_settle(struct scenario *scenario)
{
	struct measure_settings *measure = &scenario->measure;

	if (cannot_be_simulated(scenario))
		measure->counters = COUNTERS_AUTO;
	if (!runs_already(scenario))
		return;
	measure->cpus = NULL;
	measure->aslr_off = false;
}

/* -------- figure value */

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

/* After the fields: MAPPING has exactly one of the two. 0, or -1 with a fault. */
static int figure_value_check(struct source *source, const struct node *mapping)
{
	static const char *const ways[] = { "regex", "json" };
	const struct node_entry *found;

	return fields_one_of(source, mapping, ways, 2, "where the number stands in the output", &found);
}

/* -------- load */

/* True for a load that tells how much it did; also for one whose work: has a fault, so that no gate is a second one. */
static bool load_has_work(const struct load *load)
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

static const struct yaml_field work_items[] = {
	{ "regex", .parse = figure_value_regex, .offset = offsetof(struct load, work.regex) },
	{ "json", .parse = figure_value_json, .offset = offsetof(struct load, work.json) },
	{ "as", .parse = parse_as, .offset = offsetof(struct load, as), .required = "'as: rate' or 'as: count'" },
	{ "unit", .parse = value_unit, .offset = offsetof(struct load, unit) },
};

static const struct yaml_fields work_fields = YAML_FIELDS(work_items);

static const struct yaml_field load_items[] = {
	{ "command", .parse = value_command, .offset = offsetof(struct load, command),
	  .required = "the command that drives the target" },
	{ "environment", .parse = value_environment, .offset = offsetof(struct load, environment) },
	{ "work", .nested = &work_fields, .parse = check_work },
	{ "fail", .parse = value_regex, .offset = offsetof(struct load, fail) },
};

const struct yaml_fields load_fields = YAML_FIELDS(load_items);

/* -------- printed */

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

static int printed_parse_name(struct source *source, const struct node_entry *entry, void *out)
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

static const struct yaml_field printed_items[] = {
	{ "name", .parse = printed_parse_name, .offset = offsetof(struct printed, name), .required = "a name for the metric" },
	{ "regex", .parse = figure_value_regex, .offset = offsetof(struct printed, figure.regex) },
	{ "json", .parse = figure_value_json, .offset = offsetof(struct printed, figure.json) },
	{ "unit", .parse = value_unit, .offset = offsetof(struct printed, unit) },
	{ "better", .parse = parse_better, .offset = offsetof(struct printed, higher_is_better),
	  .required = "'better: higher' or 'better: lower'" },
};

const struct yaml_fields printed_fields = YAML_FIELDS(printed_items);

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

/* -------- scenario */

static int parse_version(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	if (entry->value.kind == NODE_TEXT && !strcmp(entry->value.text, "1"))
		return 0;
	return node_expected(source, &entry->value, "1, the version of the format that this pawl reads");
}

static int parse_name(struct source *source, const struct node_entry *entry, void *out)
{
	struct scenario *scenario = out;

	if (value_name(source, entry, &scenario->name) < 0)
		return -1;
	scenario->name_line = entry->key.at.line;
	return 0;
}

static int add_variable(struct source *source, const struct node_entry *entry, struct scenario *scenario)
{
	const char *name = entry->key.text, *value;
	size_t mark;

	if (!value_made_of(name, "_-") || *name == '-' || (*name >= '0' && *name <= '9'))
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

static int parse_warmup_runs(struct source *source, const struct node_entry *entry, void *out)
{
	return value_count(source, &entry->value, 0, SCENARIO_RUNS_MAX, out);
}

static int check_warmup(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const ways[] = { "runs", "duration" };
	const struct node_entry *found;
	struct scenario *scenario = out;

	if (fields_one_of(source, &entry->value, ways, 2, NULL, &found) < 0)
		return -1;
	if (scenario->warmup_ns)
		scenario->warmup_runs = 0;
	return 0;
}

static const struct yaml_field warmup_items[] = {
	{ "runs", .parse = parse_warmup_runs, .offset = offsetof(struct scenario, warmup_runs) },
	{ "duration", .parse = value_duration, .offset = offsetof(struct scenario, warmup_ns) },
	{ "command", .parse = value_command, .offset = offsetof(struct scenario, warmup_command) },
};

static const struct yaml_fields warmup_fields = YAML_FIELDS(warmup_items);

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
static const struct yaml_field scenario_items[] = {
	{ "version", .parse = parse_version, .required = "'version: 1'" },
	{ "name", .parse = parse_name },
	{ "description", .parse = value_string, .offset = offsetof(struct scenario, description) },
	{ "tags", .parse = value_words, .offset = offsetof(struct scenario, tags) },
	{ "requires", .parse = value_words, .offset = offsetof(struct scenario, requires) },
	{ "vars", .parse = parse_vars },
	{ "setup", .parse = value_command, .offset = offsetof(struct scenario, setup) },
	{ "prepare", .parse = value_command, .offset = offsetof(struct scenario, prepare) },
	{ "cleanup", .parse = value_command, .offset = offsetof(struct scenario, cleanup) },
	{ "env", .parse = services_parse },
	{ "target", .nested = &target_fields, .parse = target_check, .required = "'target:' with what to measure" },
	{ "load", .nested = &load_fields, .parse = load_check, .offset = offsetof(struct scenario, load) },
	{ "warmup", .nested = &warmup_fields, .parse = check_warmup },
	{ "measure", .nested = &measure_fields, .parse = target_measure_check,
	  .offset = offsetof(struct scenario, measure) },
	{ "metrics", .parse = printed_parse },
	{ "profile", .nested = &profile_fields, .offset = offsetof(struct scenario, profile) },
	{ "gates", .parse = parse_gates },
};

const struct yaml_fields scenario_fields = YAML_FIELDS(scenario_items);

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
	target_measure_settle(&scenario);
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
