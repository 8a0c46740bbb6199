#include "gate/pair_gate_json.h"

#include <math.h>

#include "gate/gates_json.h"
#include "gate/json_check.h"

/* JSON has no infinity: that no number of pairs would tell is a key of its own. */
static void add_unresolvable(cJSON *object, const char *key, const void *member)
{
	const struct gate_result *gate = member;

	json_add_bool(object, key, isinf(gate->more_pairs));
}

static int read_unresolvable(const struct json *at, void *member, struct error *err)
{
	struct gate_result *gate = member;
	bool unresolvable;

	if (json_bool(at, &unresolvable, err) < 0)
		return -1;
	if (unresolvable)
		gate->more_pairs = INFINITY;
	return 0;
}

static const struct json_codec unresolvable_codec = { add_unresolvable, read_unresolvable };

static const struct json_field screen_fields[] = {
	JSON_NEEDED(struct screen, verdict, verdict_codec),
	JSON_OPTIONAL(struct screen, baseline, json_codec_number),
	JSON_OPTIONAL(struct screen, change_pct, json_codec_number),
	JSON_OPTIONAL(struct screen, low_pct, json_codec_number),
	JSON_OPTIONAL(struct screen, high_pct, json_codec_number),
	JSON_OPTIONAL(struct screen, tolerance_pct, json_codec_number),
	JSON_OPTIONAL(struct screen, reason, json_codec_text),
	JSON_END,
};

static void add_screen(cJSON *object, const char *key, const void *member)
{
	const struct screen *screen = member;

	if (screen->done)
		json_fields_add(json_add_object(object, key), screen_fields, screen);
}

static int read_screen(const struct json *at, void *member, struct error *err)
{
	struct screen *screen = member;

	*screen = (struct screen){
		.done = true, .baseline = NAN, .change_pct = NAN, .low_pct = NAN, .high_pct = NAN, .tolerance_pct = NAN,
	};
	return json_fields_read(at, screen_fields, screen, err);
}

static const struct json_codec screen_codec = { add_screen, read_screen };

static const struct json_field fields[] = {
	JSON_OPTIONAL(struct gate_result, pairs, json_codec_unsigned),
	JSON_OPTIONAL(struct gate_result, more_pairs, json_codec_measured_or_null),
	JSON_WHOLE("unresolvable", unresolvable_codec, false),
	JSON_OPTIONAL(struct gate_result, detectable_pct, json_codec_measured_or_null),
	JSON_OPTIONAL(struct gate_result, screen, screen_codec),
	JSON_END,
};

void pair_gate_json_add(cJSON *gate, const struct gate_result *result)
{
	if (result->pairs || result->screen.done)
		json_fields_add(gate, fields, result);
}

int pair_gate_json_read(const struct json *gate, struct gate_result *result, struct error *err)
{
	return json_fields_read(gate, fields, result, err);
}
