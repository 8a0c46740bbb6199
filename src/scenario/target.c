#include "scenario/target.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "scenario/values.h"

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

static const struct field target_items[] = {
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

const struct fields target_fields = FIELDS(target_items);
