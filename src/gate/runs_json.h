/*
 * A scenario's runs as JSON, in arrays that run in parallel so that scripts find numbers only in
 * "runs": "metrics" names the columns, "runs" has an object of numbers or null per run, "passes"
 * the event group each run counted, "raw" perf's rows untouched. Read in this order.
 */
#ifndef PAWL_GATE_RUNS_JSON_H
#define PAWL_GATE_RUNS_JSON_H

#include "gate/json_fields.h"
#include "model/result.h"

/* Each takes a struct scenario_result. */
extern const struct json_codec columns_codec, runs_codec, passes_codec, raw_codec;

/* Run I of SCENARIO as an object of KEY. */
void runs_json_add_run(cJSON *parent, const char *key, const struct scenario_result *scenario, size_t i);
/* One more run; the first one tells which metrics there are, unless that is known. */
int runs_json_read_run(const struct json *at, struct scenario_result *scenario, struct error *err);

#endif
