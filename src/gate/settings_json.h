/* What was run, as JSON: the same in baselines, which refuse unknown keys, and results. */
#ifndef PAWL_GATE_SETTINGS_JSON_H
#define PAWL_GATE_SETTINGS_JSON_H

#include "gate/json_fields.h"

extern const struct json_codec settings_codec_strict, settings_codec;	/* struct settings */

#endif
