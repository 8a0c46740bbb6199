/* What a gate that was judged in pairs has beside the others' keys. */
#ifndef PAWL_GATE_PAIR_GATE_JSON_H
#define PAWL_GATE_PAIR_GATE_JSON_H

#include "gate/json_fields.h"
#include "model/result.h"

/* Nothing for a gate that pairs were not needed for. */
void pair_gate_json_add(cJSON *gate, const struct gate_result *result);
int pair_gate_json_read(const struct json *gate, struct gate_result *result, struct error *err);

#endif
