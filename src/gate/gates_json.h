/* A scenario's gates, judged, as an array of JSON objects. */
#ifndef PAWL_GATE_GATES_JSON_H
#define PAWL_GATE_GATES_JSON_H

#include "gate/json_fields.h"
#include "model/result.h"

extern const struct json_codec gates_codec;	/* struct scenario_result */
extern const struct json_codec verdict_codec;	/* enum verdict */

/*
 * The metric NAME, found at AT, of SCENARIO. A fault when the name is bad or an alias, or when
 * the scenario has more metrics of its own than any should.
 */
int gates_json_metric(const struct json *at, const char *name, struct scenario_result *scenario,
		      const struct metric **out, struct error *err);

#endif
