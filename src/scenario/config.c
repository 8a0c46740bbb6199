#include "scenario/config.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "scenario/command.h"
#include "scenario/gates.h"
#include "scenario/measure_settings.h"
#include "scenario/values.h"

void config_init(struct config *config)
{
	*config = (struct config){
		.scenarios = xstrdup("scenarios"),
		.baselines = xstrdup("baselines"),
		.out = xstrdup("pawl-out"),
	};
	scenario_defaults_init(&config->defaults);
}

void config_release(struct config *config)
{
	command_release(&config->build);
	free(config->scenarios);
	free(config->baselines);
	free(config->out);
	free(config->calibration);
	scenario_defaults_release(&config->defaults);
	*config = (struct config){ 0 };
}

static void config_copy(struct config *out, const struct config *from)
{
	command_copy(&out->build, &from->build);
	out->scenarios = xstrdup(from->scenarios);
	out->baselines = xstrdup(from->baselines);
	out->out = xstrdup(from->out);
	out->calibration = xstrdup(from->calibration);
	measure_settings_copy(&out->defaults.measure, &from->defaults.measure);
	out->defaults.profile = from->defaults.profile;
	gates_copy(&out->defaults.gates, &from->defaults.gates);
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
	CLEANUP(source_release) struct source source = SOURCE_INIT(path, text, len, diags);
	CLEANUP(node_release) struct node root = { 0 };
	CLEANUP(config_release) struct config config = { 0 };

	config_copy(&config, out);
	if (!node_read(&source, &root) && root.kind != NODE_NOTHING)
		fields_parse(&source, &root, &config_fields, &config);
	config_release(out);
	*out = config;
	config = (struct config){ 0 };
	return source.faults ? -1 : 0;
}
