/*
 * What a scenario tolerates of symbols, and its symbols as they were judged, as JSON. Each codec takes a struct
 * scenario_result, "symbol_gate" a struct symbol_gate.
 */
#ifndef PAWL_GATE_SYMBOLS_JSON_H
#define PAWL_GATE_SYMBOLS_JSON_H

#include "gate/json_fields.h"

extern const struct json_codec symbol_gate_codec, budgets_codec, symbols_codec;

#endif
