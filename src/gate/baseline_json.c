#include "gate/baseline_json.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/json_check.h"
#include "gate/machine_json.h"
#include "gate/profile_json.h"
#include "gate/settings_json.h"
#include "model/result.h"

/* A series without a value to write, which could not be read again, is left out. */
static void add_series(cJSON *metrics, const struct series *series)
{
	cJSON *values = NULL;

	for (size_t i = 0; i < series->n; i++) {
		if (!isfinite(series->values[i]))
			continue;
		if (!values)
			values = json_add_array(metrics, series->metric);
		json_add_number(values, NULL, series->values[i]);
	}
}

static void add_metrics(cJSON *object, const char *key, const void *member)
{
	const struct series_set *set = member;
	cJSON *metrics = json_add_object(object, key);

	for (size_t i = 0; i < set->n; i++)
		add_series(metrics, &set->items[i]);
}

static int read_value(const struct json *item, void *ctx, struct error *err)
{
	struct series *series = ctx;
	double value;

	if (json_measured(item, &value, err) < 0)
		return -1;
	VEC_GROW(series->values, series->n, series->cap);
	series->values[series->n++] = value;
	return 0;
}

static int read_series(const struct json *item, void *ctx, struct error *err)
{
	struct series_set *set = ctx;

	if (json_check_metric(item, item->key, err) < 0)
		return -1;
	if (!cJSON_IsArray(item->value) || !json_size(item))
		return json_fault(item, err, "expected an array with at least one number");
	if (set->n == JSON_METRICS_MAX)
		return json_fault(item, err, "more than %d metrics", JSON_METRICS_MAX);
	VEC_GROW(set->items, set->n, set->cap);
	set->items[set->n++] = (struct series){ .metric = xstrdup(item->key) };
	return json_each(item, read_value, &set->items[set->n - 1], err);
}

static int read_metrics(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsObject(at->value) || !json_size(at))
		return json_fault(at, err, "expected an object with at least one metric");
	return json_each(at, read_series, member, err);
}

static const struct json_codec metrics_codec = { add_metrics, read_metrics };

static const struct json_field session_fields[] = {
	JSON_NEEDED(struct session, date, json_codec_date),
	JSON_OPTIONAL(struct session, commit, json_codec_text),
	JSON_OPTIONAL(struct session, by, json_codec_text),
	JSON_OPTIONAL(struct session, reason, json_codec_text),
	JSON_NEEDED(struct session, pawl, json_codec_text),
	JSON_OPTIONAL(struct session, perf, json_codec_text),
	JSON_OPTIONAL(struct session, kernel, json_codec_text),
	JSON_OPTIONAL(struct session, executable, json_codec_text),
	JSON_OPTIONAL(struct session, measurement, json_codec_measurement),
	JSON_OPTIONAL(struct session, notes, json_codec_texts),
	{ "metrics", offsetof(struct session, series), &metrics_codec, true },
	JSON_END,
};

static void add_sessions(cJSON *object, const char *key, const void *member)
{
	const struct baseline *baseline = member;
	cJSON *sessions = json_add_array(object, key);

	for (size_t i = 0; i < baseline->n_sessions; i++)
		json_fields_add(json_add_object(sessions, NULL), session_fields, &baseline->sessions[i]);
}

static int read_session(const struct json *item, void *ctx, struct error *err)
{
	CLEANUP(session_release) struct session session = { 0 };

	if (json_fields_only(item, session_fields, err) < 0 ||
	    json_fields_read(item, session_fields, &session, err) < 0)
		return -1;
	baseline_add_session(ctx, &session);
	return 0;
}

static int read_sessions(const struct json *at, void *member, struct error *err)
{
	size_t n = json_size(at);

	if (!cJSON_IsArray(at->value) || !n || n > SESSIONS_KEPT)
		return json_fault(at, err, "expected an array of 1 to %d sessions", SESSIONS_KEPT);
	return json_each(at, read_session, member, err);
}

static const struct json_codec sessions_codec = { add_sessions, read_sessions };

static void add_schema(cJSON *object, const char *key, const void *member)
{
	(void)member;
	json_add_number(object, key, BASELINE_SCHEMA);
}

static const struct json_codec schema_codec = { add_schema, NULL };

static const struct json_field baseline_fields[] = {
	JSON_WHOLE("schema", schema_codec, true),
	JSON_NEEDED(struct baseline, scenario, json_codec_name),
	{ "class", offsetof(struct baseline, machine), &machine_codec_class, true },
	JSON_NEEDED(struct baseline, machine, machine_codec_stable),
	JSON_NEEDED(struct baseline, settings, settings_codec_strict),
	JSON_WHOLE("sessions", sessions_codec, true),
	JSON_OPTIONAL(struct baseline, profile, profile_codec_strict),
	JSON_END,
};

/* The pawl that wrote the file, from its last session, whatever else is wrong with it; or NULL. */
static const char *writer(const cJSON *root)
{
	const cJSON *sessions = cJSON_GetObjectItemCaseSensitive(root, "sessions");

	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(
		cJSON_GetArrayItem(sessions, cJSON_GetArraySize(sessions) - 1), "pawl"));
}

static int read_baseline(const struct json *root, struct baseline *out, struct error *err)
{
	/* The version goes first: a newer schema has keys that would be called unknown here. */
	if (json_check_schema(root, BASELINE_SCHEMA, writer(root->value), err) < 0 ||
	    json_fields_only(root, baseline_fields, err) < 0 ||
	    json_fields_read(root, baseline_fields, out, err) < 0)
		return -1;
	return machine_json_check_class(root, &out->machine, err);
}

int baseline_parse(const char *text, size_t len, const char *path, struct baseline *out, struct error *err)
{
	struct baseline baseline = { .profile = { .overhead_pct = NAN } };
	struct json root;
	cJSON *tree = json_parse(text, len, path, err);
	int result;

	if (!tree)
		return -1;
	root = json_root(tree);
	result = read_baseline(&root, &baseline, err);
	cJSON_Delete(tree);
	if (result < 0) {
		baseline_release(&baseline);
		return error_at(err, path, 0, 0);
	}
	*out = baseline;
	return 0;
}

char *baseline_format(const struct baseline *baseline)
{
	cJSON *tree = json_new_object();

	json_fields_add(tree, baseline_fields, baseline);
	return json_print(tree);
}
