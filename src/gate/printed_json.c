#include "gate/printed_json.h"

#include "base/cleanup.h"
#include "gate/json_check.h"
#include "model/result.h"

/* One metric on its way in or out. */
struct definition {
	char *name, *unit;
	bool higher_is_better;
};

static void definition_release(struct definition *definition)
{
	free(definition->name);
	free(definition->unit);
}

static int read_name(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;

	if (json_string(at, &name, err) < 0 || json_check_metric(at, name, err) < 0)
		return -1;
	if (metric_name_taken(name))
		return json_fault(at, err, "'%s' is %s", name, metric_name_taken(name));
	*(char **)member = take_ptr(&name);
	return 0;
}

static int read_unit(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *unit = NULL;

	if (json_string(at, &unit, err) < 0)
		return -1;
	if (!metric_unit_valid(unit))
		return json_fault(at, err, "expected a unit of 1 to %d bytes without blanks, found '%.60s'",
				  METRIC_UNIT_LONGEST, unit);
	*(char **)member = take_ptr(&unit);
	return 0;
}

static const char *const ways[] = { "lower", "higher" };

static void add_better(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, ways[*(const bool *)member]);
}

static int read_better(const struct json *at, void *member, struct error *err)
{
	size_t index;

	if (json_choice(at, ways, sizeof ways / sizeof ways[0], &index, err) < 0)
		return -1;
	*(bool *)member = index;
	return 0;
}

static void add_text(cJSON *object, const char *key, const void *member)
{
	json_codec_text.add(object, key, member);
}

static const struct json_codec name_codec = { add_text, read_name };
static const struct json_codec unit_codec = { add_text, read_unit };
static const struct json_codec better_codec = { add_better, read_better };

static const struct json_field fields[] = {
	JSON_NEEDED(struct definition, name, name_codec),
	JSON_OPTIONAL(struct definition, unit, unit_codec),
	{ "better", offsetof(struct definition, higher_is_better), &better_codec, true },
	JSON_END,
};

static void add_definitions(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *definitions = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_own_metrics; i++) {
		const struct metric *metric = scenario->own_metrics[i];
		struct definition definition = {
			.name = (char *)metric->name, .unit = (char *)metric->label,
			.higher_is_better = metric->higher_is_better,
		};

		if (metric->source == SOURCE_PRINTED)
			json_fields_add(json_add_object(definitions, NULL), fields, &definition);
	}
}

static int read_definition(const struct json *item, void *ctx, struct error *err)
{
	CLEANUP(definition_release) struct definition definition = { 0 };
	struct scenario_result *scenario = ctx;
	struct metric *metric;

	if (json_fields_read(item, fields, &definition, err) < 0)
		return -1;
	if (scenario->n_own_metrics >= JSON_METRICS_MAX)
		return json_fault(item, err, "more than %d metrics", JSON_METRICS_MAX);
	metric = metric_new_printed(definition.name, definition.unit, definition.higher_is_better);
	scenario_result_define(scenario, metric);
	metric_free_event(metric);
	return 0;
}

static int read_definitions(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of printed metrics");
	return json_each(at, read_definition, member, err);
}

const struct json_codec printed_codec = { add_definitions, read_definitions };
