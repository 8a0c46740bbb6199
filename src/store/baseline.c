#include "store/store.h"

#include <math.h>

#include "base/mem.h"

/* -------- the values of a session */

/* A series without values could not be read back. */
static void add_metrics(cJSON *object, const char *key, const void *member)
{
	const struct series_set *set = member;
	cJSON *metrics = json_add_object(object, key);

	for (size_t i = 0; i < set->n; i++) {
		const struct series *series = &set->items[i];
		cJSON *values = NULL;

		for (size_t k = 0; k < series->n; k++) {
			if (!isfinite(series->values[k]))
				continue;
			if (!values)
				values = json_add_array(metrics, series->metric->name);
			json_add_number(values, NULL, series->values[k]);
		}
	}
}

static int read_value(const struct json *item, void *ctx, struct error *err)
{
	struct series *series = ctx;
	double value;

	if (json_measured(item, &value, err) < 0)
		return -1;
	*ARENA_ADD(item->arena, series->values, series->n, series->cap) = metric_round(series->metric, value);
	return 0;
}

static int read_series(const struct json *item, void *ctx, struct error *err)
{
	struct baseline *baseline = ctx;
	struct series_set *set = &baseline->sessions[baseline->n_sessions - 1].series;
	const struct metric *metric;

	if (metric_gone(item->key)) {
		arena_push_new(item->arena, &baseline->gone, item->key);
		return 0;
	}
	metric = metric_read(item, item->key, &baseline->own_metrics, err);
	if (!metric)
		return -1;
	if (!cJSON_IsArray(item->value) || !json_size(item))
		return json_fault(item, err, "expected an array with at least one number");
	if (set->n == METRICS_MAX)
		return json_fault(item, err, "more than %d metrics", METRICS_MAX);
	*ARENA_ADD(item->arena, set->items, set->n, set->cap) = (struct series){ .metric = metric };
	return json_each(item, read_value, &set->items[set->n - 1], err);
}

static const struct json_codec metrics_codec = { .add = add_metrics };

/* -------- sessions */

static const struct field session_items[] = {
	{ FIELD(struct baseline_session, date), .needed = true, DATE_UTC, .help = "When, in UTC." },
	{ FIELD(struct baseline_session, commit), .help = "Commit of the measured project." },
	{ FIELD(struct baseline_session, by), .help = "Who accepted it." },
	{ FIELD(struct baseline_session, reason), .help = "Why it was accepted." },
	{ FIELD(struct baseline_session, pawl), .needed = true, .help = "Version of pawl." },
	{ FIELD(struct baseline_session, perf), .help = "Version of perf." },
	{ FIELD(struct baseline_session, kernel), .help = "Kernel release." },
	{ FIELD(struct baseline_session, executable),
	  .help = "Identity of the command's file: `build-id:`, or `fnv1a:` and a hash of its bytes. Behind a `+` "
		  "follows the same of each project file among its arguments." },
	{ FIELD(struct baseline_session, simulator), .omitted = true,
	  .help = "What simulated values depend on besides the program." },
	{ FIELD(struct baseline_session, measurement), MEASUREMENT,
	  .help = "Name of the measurement, which is accepted once." },
	{ FIELD(struct baseline_session, notes), .help = "Noise seen while measuring." },
	{ FIELD(struct baseline_session, busy), .omitted = true,
	  .help = "How busy the machine was, if the session's times count for little." },
	{ FIELD_AS("metrics", struct baseline_session, series), .needed = true, .derived = true, .json = &metrics_codec,
	  .schema = "{'type': 'object', 'minProperties': 1, 'maxProperties': 256, "
		    "'propertyNames': {'pattern': '" METRIC_PATTERN "'}, 'additionalProperties': "
		    "{'type': 'array', 'minItems': 1, 'items': {'type': 'number', 'minimum': 0}}}",
	  .help = "Values of each metric, run by run: times in ms, sizes in bytes." },
};

static const struct fields session_fields = { FIELDS(session_items), .size = sizeof(struct baseline_session) };

/* The settings, read before, determine its metrics. */
static int read_session(const struct json *item, void *member, struct error *err)
{
	struct baseline *baseline = (void *)((char *)member - offsetof(struct baseline, sessions));
	struct json metrics;

	if (!baseline->n_sessions)
		baseline_define_metrics(baseline);
	if (json_read(item, &session_fields, baseline_add_session(baseline), err) < 0 ||
	    json_need(item, "metrics", &metrics, err) < 0)
		return -1;
	if (!cJSON_IsObject(metrics.value) || !json_size(&metrics))
		return json_fault(&metrics, err, "expected an object with at least one metric");
	if (json_each(&metrics, read_series, baseline, err) < 0)
		return -1;
	if (!baseline_last(baseline)->series.n)
		return json_fault(&metrics, err, "its metrics are no longer measured; gate on %s, and measure the baseline again",
				  metric_gone(baseline->gone.items[0]));
	return 0;
}

static const struct json_codec sessions_codec = { .item = read_session };

/* -------- the baseline */

static bool has_profile(const void *record)
{
	return profile_exists(&((const struct baseline *)record)->profile);
}

static int check(const struct json *object, void *record, struct error *err)
{
	struct baseline *baseline = record;
	CLEANUP(free_ptr) char *found = NULL, *derived = machine_class(&baseline->machine);
	struct json at;

	if (json_need(object, "class", &at, err) < 0 || json_string(&at, &found, err) < 0)
		return -1;
	if (strcmp(found, derived))
		return json_fault(&at, err, "the machine's arch, part and tier make the class '%s', found '%.100s'",
				  derived, found);
	return 0;
}

static const struct field baseline_items[] = {
	{ .key = "schema", .type = FIELD_VERSION, .max = BASELINE_SCHEMA, .needed = true,
	  .help = "Version of this format." },
	{ FIELD(struct baseline, scenario), .needed = true, SCENARIO_NAME, .help = "The scenario's name." },
	{ FIELD_AS("class", struct baseline, machine), .needed = true, .derived = true, .json = &machine_class_codec,
	  .schema = "{'type': 'string'}", .help = "Machine class: arch, part and tier, joined by hyphens." },
	{ FIELD(struct baseline, machine), .object = &machine_stable_fields, .needed = true,
	  .help = "The stable facts of the machine." },
	{ FIELD(struct baseline, settings), .object = &settings_fields, .needed = true, .help = "What was run." },
	{ FIELD_ITEMS("sessions", struct baseline, sessions, &session_fields), .needed = true, .min = 1,
	  .max = SESSIONS_KEPT, .expected = "sessions", .json = &sessions_codec,
	  .help = "One per time it was measured, oldest first." },
	{ FIELD(struct baseline, profile), .object = &profile_baseline_fields, .when = has_profile,
	  .json = &profile_baseline_codec, .nullable = true, .omitted = true,
	  .help = "Where the time went, from the first session that had a profile, or a later one with at least twice its samples." },
};

const struct fields baseline_fields = {
	FIELDS(baseline_items), .title = "pawl baseline", .arena = true, .check = check,
	.help = "What was accepted for a scenario on one machine class. Written by `pawl baseline update`.",
};

int baseline_parse(const char *text, size_t len, const char *path, struct baseline *out, struct error *err)
{
	CLEANUP(baseline_release) struct baseline baseline = { .profile = { .overhead_pct = NAN } };

	if (json_read_file(&(struct json_file){ text, len, path, true }, &baseline_fields, &baseline, err) < 0)
		return -1;
	*out = baseline;
	baseline = (struct baseline){ 0 };
	return 0;
}

char *baseline_format(const struct baseline *baseline)
{
	return json_format(&baseline_fields, baseline);
}
