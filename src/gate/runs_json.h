/*
 * A scenario's runs as JSON, in arrays that run in parallel so that scripts find numbers only in
 * "runs": "metrics" names the columns, "runs" has an object of numbers or null per run, "passes"
 * the event group each run counted, "raw" perf's rows untouched. Read in this order.
 */
#ifndef PAWL_GATE_RUNS_JSON_H
#define PAWL_GATE_RUNS_JSON_H

#include "gate/json_fields.h"

/* Each takes a struct scenario_result. */
extern const struct json_codec columns_codec, runs_codec, passes_codec, raw_codec;

#endif
