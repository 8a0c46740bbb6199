#include "scenario/config.h"

#include "base/cleanup.h"
#include "scenario/gates.h"
#include "scenario/measure_settings.h"
#include "scenario/values.h"

void config_init(struct config *config)
{
	*config = (struct config){ 0 };
	config->scenarios = arena_strdup(&config->arena, "scenarios");
	config->baselines = arena_strdup(&config->arena, "baselines");
	config->out = arena_strdup(&config->arena, "pawl-out");
	scenario_defaults_init(&config->defaults);
}

void config_release(struct config *config)
{
	scenario_defaults_release(&config->defaults);
	arena_release(&config->arena);
	*config = (struct config){ 0 };
}

/* Folders and files stay inside the project. */
static bool leaves_project(const char *path)
{
	if (*path == '/')
		return true;
	for (;;) {
		size_t len = strcspn(path, "/");

		if (len == 2 && !strncmp(path, "..", 2))
			return true;
		if (!path[len])
			return false;
		path += len + 1;
	}
}

static int parse_path(struct source *source, const struct node_entry *entry, const char *what, void *out)
{
	const char *text = value_text(source, &entry->value, what);
	char expected[80];

	if (!text)
		return -1;
	snprintf(expected, sizeof expected, "%s inside the project: relative, without '..'", what);
	if (leaves_project(text))
		return node_expected(source, &entry->value, expected);
	return value_string(source, entry, out);
}

static int parse_folder(struct source *source, const struct node_entry *entry, void *out)
{
	return parse_path(source, entry, "a folder", out);
}

static int parse_file(struct source *source, const struct node_entry *entry, void *out)
{
	return parse_path(source, entry, "a file", out);
}

static int parse_gates(struct source *source, const struct node_entry *entry, void *out)
{
	struct scenario_defaults *defaults = out;
	const struct gate_names names = { .events = &defaults->measure.events, .work = true };

	return gates_parse(source, &entry->value, &names, &defaults->gates);
}

/* measure before gates, which may name its events. */
static const struct field config_items[] = {
	{ "build", .parse = value_command, .offset = offsetof(struct config, build) },
	{ "scenarios", .parse = parse_folder, .offset = offsetof(struct config, scenarios) },
	{ "baselines", .parse = parse_folder, .offset = offsetof(struct config, baselines) },
	{ "out", .parse = parse_folder, .offset = offsetof(struct config, out) },
	{ "calibration", .parse = parse_file, .offset = offsetof(struct config, calibration) },
	{ "measure", .nested = &measure_fields, .offset = offsetof(struct config, defaults.measure) },
	{ "profile", .nested = &profile_fields, .offset = offsetof(struct config, defaults.profile) },
	{ "gates", .parse = parse_gates, .offset = offsetof(struct config, defaults) },
};

const struct fields config_fields = FIELDS(config_items);

int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags)
{
	CLEANUP(source_release) struct source source = SOURCE_INIT(path, text, len, &out->arena, diags);
	struct node root;

	if (!node_read(&source, &root) && root.kind != NODE_NOTHING)
		fields_parse(&source, &root, &config_fields, out);
	return source.faults ? -1 : 0;
}
