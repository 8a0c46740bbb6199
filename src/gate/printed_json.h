/*
 * The definitions of a scenario's printed metrics as JSON: [{"name", "unit", "better"}]. They are read
 * before the gates and runs that name them.
 */
#ifndef PAWL_GATE_PRINTED_JSON_H
#define PAWL_GATE_PRINTED_JSON_H

#include "gate/json_fields.h"

extern const struct json_codec printed_codec;	/* struct scenario_result */

#endif
