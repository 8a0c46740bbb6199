#include "scenario/scenario.h"

#include "base/cleanup.h"
#include "scenario/expand.h"
#include "scenario/gates.h"
#include "scenario/load.h"
#include "scenario/measure_settings.h"
#include "scenario/printed.h"
#include "scenario/service.h"
#include "scenario/target.h"
#include "scenario/target_measure.h"
#include "scenario/values.h"

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

static const struct field warmup_items[] = {
	{ "runs", .parse = parse_warmup_runs, .offset = offsetof(struct scenario, warmup_runs) },
	{ "duration", .parse = value_duration, .offset = offsetof(struct scenario, warmup_ns) },
	{ "command", .parse = value_command, .offset = offsetof(struct scenario, warmup_command) },
};

static const struct fields warmup_fields = FIELDS(warmup_items);

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

const struct fields scenario_fields = FIELDS(scenario_items);

/* "scenarios/http.yaml" is called http. */
static int name_after_file(struct source *source, struct scenario *scenario)
{
	const char *slash = strrchr(source->path, '/'), *base = slash ? slash + 1 : source->path;
	const char *dot = strrchr(base, '.');
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
