#include "gate/runs_json.h"

#include <limits.h>
#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/gates_json.h"
#include "gate/json_check.h"
#include "model/result.h"

static void add_columns(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *names = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_metrics; i++)
		json_add_string(names, NULL, scenario->metrics[i]->name);
}

static int add_column(const struct json *at, const char *name, struct scenario_result *scenario, struct error *err)
{
	const struct metric *metric;

	if (gates_json_metric(at, name, scenario, &metric, err) < 0)
		return -1;
	scenario_result_column(scenario, metric);
	return 0;
}

static int read_column(const struct json *item, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;

	return json_string(item, &name, err) < 0 ? -1 : add_column(item, name, ctx, err);
}

static int read_columns(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of metrics");
	return json_each(at, read_column, member, err);
}

const struct json_codec columns_codec = { add_columns, read_columns };

void runs_json_add_run(cJSON *parent, const char *key, const struct scenario_result *scenario, size_t i)
{
	cJSON *run = json_add_object(parent, key);

	for (size_t k = 0; k < scenario->n_metrics; k++)
		json_add_number(run, scenario->metrics[k]->name, scenario->runs[i].values[k]);
}

static void add_runs(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *runs = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_runs; i++)
		runs_json_add_run(runs, NULL, scenario, i);
}

struct run_reader {
	struct scenario_result *scenario;
	struct run *run;
};

static int read_run_value(const struct json *item, void *ctx, struct error *err)
{
	const struct run_reader *reader = ctx;
	const struct scenario_result *scenario = reader->scenario;
	/* Runs that pawl wrote have the columns in order, so the search seldom takes a step. */
	size_t column = item->index, tried = 0;

	while (tried < scenario->n_metrics && strcmp(scenario->metrics[column % scenario->n_metrics]->name, item->key)) {
		column++;
		tried++;
	}
	if (tried == scenario->n_metrics)
		return json_fault(item, err, "this metric is not one of the scenario's \"metrics\"");
	if (cJSON_IsNull(item->value))
		return 0;
	return json_measured(item, &reader->run->values[column % scenario->n_metrics], err);
}

/* A run names every column, so that a small file cannot make a large table. */
static int read_run(const struct json *item, void *ctx, struct error *err)
{
	struct run_reader reader = { .scenario = ctx };

	if (!cJSON_IsObject(item->value))
		return json_mismatch(item, err, "an object of metrics");
	if (json_size(item) < reader.scenario->n_metrics)
		return json_fault(item, err, "expected all %zu metrics (null when not measured), found %zu",
				  reader.scenario->n_metrics, json_size(item));
	reader.run = scenario_result_add_run(reader.scenario);
	return json_each(item, read_run_value, &reader, err);
}

static int read_first_key(const struct json *item, void *ctx, struct error *err)
{
	return add_column(item, item->key, ctx, err);
}

int runs_json_read_run(const struct json *at, struct scenario_result *scenario, struct error *err)
{
	if (!scenario->n_metrics && !scenario->n_runs && cJSON_IsObject(at->value) &&
	    json_each(at, read_first_key, scenario, err) < 0)
		return -1;
	return read_run(at, scenario, err);
}

static int read_any_run(const struct json *item, void *ctx, struct error *err)
{
	return runs_json_read_run(item, ctx, err);
}

static int read_runs(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of runs");
	return json_each(at, read_any_run, member, err);
}

const struct json_codec runs_codec = { add_runs, read_runs };

static int check_parallel(const struct json *at, const struct scenario_result *scenario, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array");
	if (json_size(at) != scenario->n_runs)
		return json_fault(at, err, "expected one entry for each of %zu runs, found %zu", scenario->n_runs,
				  json_size(at));
	return 0;
}

static void add_passes(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *passes = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_runs; i++)
		json_add_number(passes, NULL, scenario->runs[i].pass);
}

static int read_pass(const struct json *item, void *ctx, struct error *err)
{
	struct scenario_result *scenario = ctx;

	return json_codec_unsigned.read(item, &scenario->runs[item->index].pass, err);
}

static int read_passes(const struct json *at, void *member, struct error *err)
{
	return check_parallel(at, member, err) < 0 ? -1 : json_each(at, read_pass, member, err);
}

const struct json_codec passes_codec = { add_passes, read_passes };

static const char *const row_states[] = {
	[ROW_COUNTED] = "counted",
	[ROW_NOT_COUNTED] = "not-counted",
	[ROW_NOT_SUPPORTED] = "not-supported",
};

static void add_state(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, row_states[*(const enum row_state *)member]);
}

static int read_state(const struct json *at, void *member, struct error *err)
{
	size_t index;

	if (json_choice(at, row_states, sizeof row_states / sizeof row_states[0], &index, err) < 0)
		return -1;
	*(enum row_state *)member = (enum row_state)index;
	return 0;
}

static const struct json_codec state_codec = { add_state, read_state };

static const struct json_field row_fields[] = {
	JSON_NEEDED(struct perf_row, event, json_codec_text),
	JSON_NEEDED(struct perf_row, state, state_codec),
	JSON_OPTIONAL(struct perf_row, value, json_codec_number),
	JSON_OPTIONAL(struct perf_row, run_ns, json_codec_count),
	JSON_OPTIONAL(struct perf_row, running_pct, json_codec_number),
	JSON_END,
};

static void add_raw(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *raw = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_runs; i++) {
		const struct perf_rows *rows = &scenario->runs[i].rows;
		cJSON *array = json_add_array(raw, NULL);

		for (size_t k = 0; k < rows->n; k++)
			json_fields_add(json_add_object(array, NULL), row_fields, &rows->items[k]);
	}
}

static int read_row(const struct json *item, void *ctx, struct error *err)
{
	struct perf_rows *rows = ctx;

	VEC_GROW(rows->items, rows->n, rows->cap);
	rows->items[rows->n] = (struct perf_row){ .value = NAN, .running_pct = NAN };
	return json_fields_read(item, row_fields, &rows->items[rows->n++], err);
}

static int read_rows(const struct json *item, void *ctx, struct error *err)
{
	struct scenario_result *scenario = ctx;

	if (!cJSON_IsArray(item->value))
		return json_mismatch(item, err, "an array of perf's rows");
	return json_each(item, read_row, &scenario->runs[item->index].rows, err);
}

static int read_raw(const struct json *at, void *member, struct error *err)
{
	return check_parallel(at, member, err) < 0 ? -1 : json_each(at, read_rows, member, err);
}

const struct json_codec raw_codec = { add_raw, read_raw };
