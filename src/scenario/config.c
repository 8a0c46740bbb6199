#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/parse.h"
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

/* Folders and files stay inside the project. */
static bool is_inside(const char *path)
{
	return *path != '/' && !regex_matches("(^|/)\\.\\.(/|$)", path);
}

#define INSIDE(what_) .fits = is_inside, .expected = what_ " inside the project: relative, without '..'", \
	.schema = "{'type': ['string', 'number'], 'minLength': 1, 'pattern': '^(?!/)(?!(.*/)?\\\\.\\\\.(/|$))'}"

/* measure before gates, which may name its events. */
static const struct field config_items[] = {
	{ COMMAND("build", struct config, build), .help = "Builds a checkout of the project." },
	{ FIELD(struct config, scenarios), INSIDE("a folder"), .help = "Folder of the scenarios. Default: scenarios." },
	{ FIELD(struct config, baselines), INSIDE("a folder"), .help = "Folder of the baselines. Default: baselines." },
	{ FIELD(struct config, out), INSIDE("a folder"), .help = "Folder of what runs leave behind. Default: pawl-out." },
	{ FIELD(struct config, calibration), INSIDE("a file"),
	  .help = "File of the tolerances that `pawl calibrate --write` found. Default: none." },
	{ FIELD_AS("measure", struct config, defaults.measure), .object = &measure_fields, .help = "How much is measured, and how." },
	{ FIELD_AS("profile", struct config, defaults.profile), .object = &profile_fields,
	  .help = "How the profile is taken, apart from the counted runs." },
	{ FIELD_BY("gates", struct config, defaults.gates, gates_parse), .definition = "gates",
	  .help = "What is tolerated of each metric; other names are perf events of measure.events." },
};

const struct fields config_fields = {
	FIELDS(config_items), .title = "pawl.yaml", .help = "A project's settings for pawl; all of them are optional.",
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

/* -------- the calibration file */

enum { PAIRS_LARGEST = 1000000, TOLERANCE_MAX_PCT = 100 };

void calibration_release(struct calibration *calibration)
{
	arena_release(&calibration->arena);
	*calibration = (struct calibration){ 0 };
}

void calibration_entry_add(struct arena *arena, struct calibration_entry *entry, const char *metric, double pct)
{
	ARENA_GROW(arena, entry->items, entry->n, entry->cap);
	entry->items[entry->n++] = (struct calibrated_tolerance){ .metric = arena_strdup(arena, metric), .pct = pct };
}

/* Where the entry is (then *FOUND), or belongs: they are in the order of machines and their scenarios. */
static size_t position(const struct calibration *calibration, const char *machine, const char *scenario, bool *found)
{
	int order = 1;
	size_t i;

	for (i = 0; i < calibration->n; i++) {
		const struct calibration_entry *entry = &calibration->entries[i];

		order = strcmp(entry->machine, machine) ?: strcmp(entry->scenario, scenario);
		if (order >= 0)
			break;
	}
	*found = i < calibration->n && !order;
	return i;
}

const struct calibration_entry *calibration_find(const struct calibration *calibration, const char *machine,
						 const char *scenario)
{
	bool found;
	size_t at = position(calibration, machine, scenario, &found);

	return found ? &calibration->entries[at] : NULL;
}

/* In place of the one that is there, or as a new one; its memory is ARENA's. */
static void put(struct arena *arena, struct calibration *calibration, const struct calibration_entry *entry)
{
	bool found;
	size_t at = position(calibration, entry->machine, entry->scenario, &found);

	if (!found) {
		ARENA_GROW(arena, calibration->entries, calibration->n, calibration->cap);
		memmove(&calibration->entries[at + 1], &calibration->entries[at],
			(calibration->n++ - at) * sizeof *calibration->entries);
	}
	calibration->entries[at] = *entry;
}

void calibration_put(struct calibration *calibration, const struct calibration_entry *entry)
{
	struct arena *arena = &calibration->arena;
	struct calibration_entry copy = {
		.machine = arena_strdup(arena, entry->machine), .scenario = arena_strdup(arena, entry->scenario),
		.date = arena_strdup(arena, entry->date), .pairs = entry->pairs,
	};

	for (size_t i = 0; i < entry->n; i++)
		calibration_entry_add(arena, &copy, entry->items[i].metric, entry->items[i].pct);
	put(arena, calibration, &copy);
}

static int add_tolerance(struct source *source, const struct node_entry *item, void *out)
{
	size_t mark = source_enter(source, item->key.text);
	double pct;
	int ret = 0;

	/* All that names of metrics and events are made of. */
	if (!text_made_of(item->key.text, "_.:/=,-") || strlen(item->key.text) > METRIC_NAME_LONGEST)
		ret = node_expected(source, &item->key, "the name of a metric");
	else if (item->value.kind != NODE_TEXT || parse_percent(item->value.text, &pct, NULL) < 0 || pct <= 0 ||
		 pct > TOLERANCE_MAX_PCT)
		ret = node_expected(source, &item->value, "a tolerance above 0% and up to 100%, such as 2.5%");
	else
		calibration_entry_add(source->arena, out, item->key.text, pct);
	source_leave(source, mark);
	return ret;
}

static int parse_tolerances(struct source *source, const struct node_entry *entry, void *out)
{
	static const char expected[] = "a mapping of metrics to tolerances";
	const struct node *node = &entry->value;

	if (node->kind == NODE_MAPPING && !node->n)
		return node_expected(source, node, expected);
	if (node->kind == NODE_MAPPING && node->n > CALIBRATION_TOLERANCES_MAX)
		return source_fault(source, node->at, "expected at most %d tolerances, found %zu", CALIBRATION_TOLERANCES_MAX,
				    node->n);
	return node_each(source, node, NODE_MAPPING, expected, add_tolerance, out);
}

static const struct field entry_items[] = {
	{ FIELD(struct calibration_entry, machine), .pattern = "^[A-Za-z0-9._-]+$", .max = 250,
	  .expected = "a machine class such as x86_64-intel-xeon-8370c-4cpu-sw", .needed = true,
	  .missing = "the machine class, which `pawl doctor` shows",
	  .help = "The machine class, such as x86_64-intel-xeon-8370c-4cpu-sw." },
	{ NAME("scenario", struct calibration_entry, scenario), .needed = true, .missing = "the scenario's name",
	  .help = "The scenario's name." },
	{ FIELD(struct calibration_entry, date), .needed = true, .missing = "when it was measured",
	  .pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$",
	  .expected = "a time in UTC such as 2026-11-21T09:12:33Z", .help = "When it was measured, in UTC." },
	{ FIELD(struct calibration_entry, pairs), .min = 1, .max = PAIRS_LARGEST, .needed = true,
	  .missing = "how many pairs were measured", .help = "How many pairs were measured." },
	{ .key = "tolerances", .yaml = parse_tolerances, .needed = true,
	  .missing = "one such as tolerances: { task-clock: 2.5% }", .help = "Per metric, such as 2.5%.",
	  .schema = "{'type': 'object', 'minProperties': 1, 'maxProperties': 200, 'propertyNames': {'pattern': "
		    "'^[A-Za-z0-9_.:/=,-]+$', 'maxLength': 209}, 'additionalProperties': {'type': 'string', "
		    "'pattern': '^\\\\+?[0-9.]+([eE][+-]?[0-9]+)?%$'}}" },
};

static const struct fields calibration_entry_fields = { FIELDS(entry_items) };

static int add_entry(struct source *source, const struct node_entry *node, void *out)
{
	struct calibration_entry entry = { .line = node->value.at.line };
	struct calibration *calibration = out;
	const struct calibration_entry *same;

	if (fields_parse(source, &node->value, &calibration_entry_fields, &entry) < 0)
		return -1;
	same = calibration_find(calibration, entry.machine, entry.scenario);
	if (same)
		return source_fault(source, node->value.at, "the same machine and scenario as on line %u; keep one", same->line);
	put(source->arena, calibration, &entry);
	return 0;
}

static const struct field calibration_items[] = {
	{ .key = "version", .type = FIELD_VERSION, .max = 1, .needed = true, .missing = "'version: 1'", .help = "Of the format." },
	{ .key = "entries", .type = FIELD_LIST, .object = &calibration_entry_fields, .yaml = add_entry, .min = 1,
	  .max = CALIBRATION_ENTRIES_MAX, .needed = true, .missing = "what `pawl calibrate --write` found",
	  .help = "One a machine class and scenario." },
};

const struct fields calibration_fields = {
	FIELDS(calibration_items), .title = "calibration",
	.help = "Tolerances of comparisons in pairs by machine class and scenario; pawl calibrate --write makes it.",
};

int calibration_parse(const char *text, size_t len, const char *path, struct calibration *out, struct diags *diags)
{
	CLEANUP(calibration_release) struct calibration calibration = { 0 };
	CLEANUP(source_release) struct source source = SOURCE_INIT(path, text, len, &calibration.arena, diags);
	struct node root;

	if (!node_read(&source, &root)) {
		if (root.kind == NODE_NOTHING)
			source_fault(&source, root.at, "the file is empty: a calibration has 'version: 1' and 'entries:'");
		else
			fields_parse(&source, &root, &calibration_fields, &calibration);
	}
	if (source.faults)
		return -1;
	*out = calibration;
	calibration = (struct calibration){ 0 };
	return 0;
}

/* As a double-quoted text of YAML: names of events may hold what YAML reads otherwise. */
static void quote(struct strbuf *out, const char *text)
{
	strbuf_addc(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			strbuf_addc(out, '\\');
		strbuf_addc(out, *text);
	}
	strbuf_addc(out, '"');
}

void calibration_print(const struct calibration *calibration, struct strbuf *out)
{
	strbuf_adds(out, "# What comparisons in pairs can detect, by machine class; written by `pawl calibrate --write`.\n"
			 "# pawl.yaml names this file: calibration: FILE\n"
			 "version: 1\nentries:\n");
	for (size_t i = 0; i < calibration->n; i++) {
		const struct calibration_entry *entry = &calibration->entries[i];

		strbuf_adds(out, "  - machine: ");
		quote(out, entry->machine);
		strbuf_adds(out, "\n    scenario: ");
		quote(out, entry->scenario);
		strbuf_addf(out, "\n    date: %s\n    pairs: %u\n    tolerances:\n", entry->date, entry->pairs);
		for (size_t j = 0; j < entry->n; j++) {
			strbuf_adds(out, "      ");
			quote(out, entry->items[j].metric);
			strbuf_addf(out, ": %.12g%%\n", entry->items[j].pct);
		}
	}
}

void calibration_apply(const struct calibration *calibration, const char *machine, struct scenario *scenario)
{
	const struct calibration_entry *entry = calibration_find(calibration, machine, scenario->name);

	for (size_t i = 0; i < scenario->gates.n; i++) {
		struct gate *gate = &scenario->gates.items[i];

		gate->calibrated_pct = 0;
		for (size_t j = 0; entry && j < entry->n; j++)
			if (!strcmp(entry->items[j].metric, gate->metric->name))
				gate->calibrated_pct = entry->items[j].pct;
	}
}
