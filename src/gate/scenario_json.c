#include "gate/scenario_json.h"

#include <math.h>

#include "base/mem.h"
#include "gate/gates_json.h"
#include "gate/json_check.h"
#include "gate/pairing_json.h"
#include "gate/printed_json.h"
#include "gate/profile_json.h"
#include "gate/runs_json.h"
#include "gate/settings_json.h"
#include "gate/symbols_json.h"
#include "model/result.h"

enum { STATUS_MAX = 255 };

static void add_status(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, *(const int *)member);
}

static int read_status(const struct json *at, void *member, struct error *err)
{
	uint64_t status;

	if (json_u64(at, STATUS_MAX, &status, err) < 0)
		return -1;
	*(int *)member = (int)status;
	return 0;
}

const struct json_codec status_codec = { add_status, read_status };

static const char *const states[] = {
	[SCENARIO_MEASURED] = "measured",
	[SCENARIO_FAILED] = "failed",
	[SCENARIO_PARTIAL] = "partial",
	[SCENARIO_SKIPPED] = "skipped",
};

static void add_state(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, states[*(const enum scenario_state *)member]);
}

static int read_state(const struct json *at, void *member, struct error *err)
{
	size_t index;

	if (json_choice(at, states, sizeof states / sizeof states[0], &index, err) < 0)
		return -1;
	*(enum scenario_state *)member = (enum scenario_state)index;
	return 0;
}

static const struct json_codec state_codec = { add_state, read_state };

static void add_path(cJSON *object, const char *key, const void *member)
{
	json_codec_text.add(object, key, member);
}

/* Two commands that are compared have no file. */
static int read_path(const struct json *at, void *member, struct error *err)
{
	return cJSON_IsNull(at->value) ? 0 : json_codec_text.read(at, member, err);
}

static const struct json_codec path_codec = { add_path, read_path };

/* Printed metrics are defined before they are named; "metrics" and "runs" go before what runs in parallel to them. */
static const struct json_field fields[] = {
	JSON_NEEDED(struct scenario_result, name, json_codec_name),
	JSON_NEEDED(struct scenario_result, path, path_codec),
	JSON_OPTIONAL(struct scenario_result, description, json_codec_text),
	JSON_NEEDED(struct scenario_result, state, state_codec),
	JSON_NEEDED(struct scenario_result, status, status_codec),
	JSON_OPTIONAL(struct scenario_result, failure, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, timed_out_ms, json_codec_number),
	JSON_OPTIONAL(struct scenario_result, log_tail, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, log_path, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, settings, settings_codec),
	JSON_OPTIONAL(struct scenario_result, work_unit, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, attached, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, executable, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, measurement, json_codec_measurement),
	JSON_OPTIONAL(struct scenario_result, variables, json_codec_texts),
	JSON_OPTIONAL(struct scenario_result, runs_wanted, json_codec_unsigned),
	JSON_OPTIONAL(struct scenario_result, notes, json_codec_texts),
	JSON_OPTIONAL(struct scenario_result, baseline_path, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, baseline_label, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, baseline_class, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, difference, json_codec_bool),
	JSON_OPTIONAL(struct scenario_result, explanation, json_codec_texts),
	JSON_OPTIONAL(struct scenario_result, waits, json_codec_text),
	JSON_WHOLE("printed_metrics", printed_codec, false),
	JSON_WHOLE("pairing", pairing_codec, false),
	JSON_WHOLE("gates", gates_codec, true),
	JSON_WHOLE("symbols", symbols_codec, false),
	JSON_OPTIONAL(struct scenario_result, symbol_gate, symbol_gate_codec),
	JSON_WHOLE("budgets", budgets_codec, false),
	JSON_WHOLE("metrics", columns_codec, false),
	JSON_WHOLE("runs", runs_codec, true),
	JSON_WHOLE("pairs", pairs_codec, false),
	JSON_OPTIONAL(struct scenario_result, profile, profile_codec),
	JSON_WHOLE("passes", passes_codec, false),
	JSON_WHOLE("raw", raw_codec, false),
	JSON_END,
};

static void add_scenarios(cJSON *object, const char *key, const void *member)
{
	const struct result *result = member;
	cJSON *scenarios = json_add_array(object, key);

	for (size_t i = 0; i < result->n_scenarios; i++)
		json_fields_add(json_add_object(scenarios, NULL), fields, &result->scenarios[i]);
}

static int read_scenario(const struct json *item, void *ctx, struct error *err)
{
	struct result *result = ctx;

	VEC_GROW(result->scenarios, result->n_scenarios, result->cap_scenarios);
	result->scenarios[result->n_scenarios] = (struct scenario_result){ .profile = { .overhead_pct = NAN } };
	return json_fields_read(item, fields, &result->scenarios[result->n_scenarios++], err);
}

static int read_scenarios(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of scenarios");
	return json_each(at, read_scenario, member, err);
}

const struct json_codec scenarios_codec = { add_scenarios, read_scenarios };
