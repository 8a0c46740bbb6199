/* The scenarios of a result as an array of JSON objects. */
#ifndef PAWL_GATE_SCENARIO_JSON_H
#define PAWL_GATE_SCENARIO_JSON_H

#include "gate/json_fields.h"

extern const struct json_codec scenarios_codec;		/* struct result */
/* An exit status kept in an int. */
extern const struct json_codec status_codec;

#endif
