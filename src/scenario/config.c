#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "scenario/yaml.h"

/* -------- pawl.yaml */

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

/* Folders and files must be inside the project. */
static bool is_inside(const char *path)
{
	return *path != '/' && !regex_matches("(^|/)\\.\\.(/|$)", path);
}

#define INSIDE(what_) .fits = is_inside, .expected = what_ " inside the project: relative, without '..'", \
	.schema = "{'type': ['string', 'number'], 'minLength': 1, 'pattern': '^(?!/)(?!(.*/)?\\\\.\\\\.(/|$))'}"

/* measure precedes gates, which may name its events. */
static const struct field config_items[] = {
	{ COMMAND("build", struct config, build),
	  .help = "The command that builds a checkout. It runs in the tree of each commit that is compared in pairs, "
		  "and for `pawl run --base COMMIT` also in the working tree." },
	{ FIELD(struct config, base), .pattern = ".", .expected = "a commit, a folder or none",
	  .help = "What to compare with in pairs, unless `--base` names another: a commit such as `origin/main`, a "
		  "built tree, or `none`." },
	{ FIELD(struct config, scenarios), INSIDE("a folder"), .help = "Folder of the scenarios. Default: scenarios." },
	{ FIELD(struct config, baselines), INSIDE("a folder"), .help = "Folder of the baselines. Default: baselines." },
	{ FIELD(struct config, out), INSIDE("a folder"),
	  .help = "Folder of what runs leave behind. Default: pawl-out." },
	{ FIELD_AS("measure", struct config, defaults.measure), .object = &measure_fields,
	  .help = "Defaults of all scenarios. What a scenario's target cannot have is ignored: `window` for a command; "
		  "`counters: sim`, `cpus` and `aslr` for what runs already." },
	{ FIELD_AS("profile", struct config, defaults.profile), .object = &profile_fields,
	  .help = "Defaults of all scenarios." },
	{ FIELD_BY("gates", struct config, defaults.gates, gates_parse), .definition = "gates",
	  .help = "Gates of all scenarios, beside the default ones. A scenario may replace each or turn it `off`. Gates "
		  "on `work` and `throughput` are ignored without `load.work`." },
};

static const struct gone_key config_gone[] = {
	{ "calibration", "write the limits that `pawl calibrate` found into the gates of the scenario" },
	{ NULL, NULL },
};

const struct fields config_fields = {
	FIELDS(config_items), .gone = config_gone, .title = "pawl.yaml",
	  .help = "A project's settings for pawl; all of them are optional.",
};

int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags)
{
	CLEANUP(source_release) struct source source = SOURCE_INIT(path, text, len, &out->arena, diags);
	struct node root;

	source.events = &out->defaults.measure.events;
	if (!node_read(&source, &root) && root.kind != NODE_NOTHING)
		fields_parse(&source, &root, &config_fields, out);
	return source.faults ? -1 : 0;
}
