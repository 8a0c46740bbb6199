#include "gate/json_check.h"

#include <ctype.h>

#include "base/cleanup.h"
#include "model/baseline.h"
#include "model/metric.h"
#include "scenario/scenario.h"
#include "scenario/values.h"

int json_check_schema(const struct json *root, unsigned current, const char *writer, struct error *err)
{
	struct json at;
	uint64_t schema;

	if (json_need(root, "schema", &at, err) < 0 || json_u64(&at, JSON_WHOLE_MAX, &schema, err) < 0)
		return -1;
	if (schema == current)
		return 0;
	if (schema < current)
		return json_fault(&at, err, "schema %llu is unknown; this pawl %s reads schema %u",
				  (unsigned long long)schema, PAWL_VERSION, current);
	if (writer)
		return json_fault(&at, err, "schema %llu is newer than this pawl %s reads; use pawl %.40s, which wrote it",
				  (unsigned long long)schema, PAWL_VERSION, writer);
	return json_fault(&at, err, "schema %llu is newer than this pawl %s reads; use a newer pawl",
			  (unsigned long long)schema, PAWL_VERSION);
}

int json_check_metric(const struct json *at, const char *name, struct error *err)
{
	size_t len = strlen(name);

	for (const char *p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.:/=,-", *p))
			return json_fault(at, err,
					  "a metric's name holds letters, digits and _ . : / = , - only, found '%.60s'",
					  name);
	if (!len || len > METRIC_NAME_LONGEST)
		return json_fault(at, err, "a metric's name has 1 to %d characters, found %zu",
				  (int)METRIC_NAME_LONGEST, len);
	return 0;
}

int json_measured(const struct json *at, double *out, struct error *err)
{
	double value;

	if (json_number(at, &value, err) < 0)
		return -1;
	if (value < 0)
		return json_fault(at, err, "expected a number that is not negative, found %.17g", value);
	*out = value;
	return 0;
}

static void add_measured(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, *(const double *)member);
}

static int read_measured(const struct json *at, void *member, struct error *err)
{
	return json_measured(at, member, err);
}

const struct json_codec json_codec_measured = { add_measured, read_measured };

static int read_measured_or_null(const struct json *at, void *member, struct error *err)
{
	return cJSON_IsNull(at->value) ? json_number_or_null(at, member, err) : json_measured(at, member, err);
}

const struct json_codec json_codec_measured_or_null = { add_measured, read_measured_or_null };

static void add_text(cJSON *object, const char *key, const void *member)
{
	json_codec_text.add(object, key, member);
}

static int read_name(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;

	if (json_string(at, &name, err) < 0)
		return -1;
	if (!scenario_name_valid(name))
		return json_fault(at, err,
				  "expected a scenario's name: at most 100 letters, digits and . _ - with no dot "
				  "first, found '%.60s'", name);
	*(char **)member = take_ptr(&name);
	return 0;
}

const struct json_codec json_codec_name = { add_text, read_name };

static bool is_date(const char *text)
{
	static const char shape[] = "0000-00-00T00:00:00Z";
	size_t i = 0;

	for (; shape[i] && text[i]; i++)
		if (shape[i] == '0' ? !isdigit((unsigned char)text[i]) : shape[i] != text[i])
			return false;
	return !shape[i] && !text[i];
}

static int read_date(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *date = NULL;

	if (json_string(at, &date, err) < 0)
		return -1;
	if (!is_date(date))
		return json_fault(at, err, "expected a date in UTC such as 2026-11-20T10:05:54Z, found '%.60s'", date);
	*(char **)member = take_ptr(&date);
	return 0;
}

const struct json_codec json_codec_date = { add_text, read_date };

static void add_measurement(cJSON *object, const char *key, const void *member)
{
	const char *measurement = *(char *const *)member;

	if (measurement)
		json_add_string(object, key, measurement);
}

static int read_measurement(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *text = NULL;

	if (json_string(at, &text, err) < 0)
		return -1;
	if (strlen(text) != MEASUREMENT_LENGTH || strspn(text, "0123456789abcdef") != MEASUREMENT_LENGTH)
		return json_fault(at, err, "expected %d hexadecimal digits, found '%.60s'", MEASUREMENT_LENGTH, text);
	*(char **)member = take_ptr(&text);
	return 0;
}

const struct json_codec json_codec_measurement = { add_measurement, read_measurement };
