#include "gate/pair_gate_json.h"

#include <math.h>

#include "gate/gates_json.h"
#include "gate/json_check.h"

/* JSON has no infinity: that no number of pairs would tell is a key of its own. */
static void add_unresolvable(cJSON *object, const char *key, const void *member)
{
	const struct judgement *j = member;

	json_add_bool(object, key, isinf(j->more_pairs));
}

static int read_unresolvable(const struct json *at, void *member, struct error *err)
{
	struct judgement *j = member;
	bool unresolvable;

	if (json_bool(at, &unresolvable, err) < 0)
		return -1;
	if (unresolvable)
		j->more_pairs = INFINITY;
	return 0;
}

static const struct json_codec unresolvable_codec = { add_unresolvable, read_unresolvable };

static const struct json_field stored_fields[] = {
	JSON_NEEDED(struct judgement, verdict, verdict_codec),
	JSON_OPTIONAL(struct judgement, baseline, json_codec_number),
	JSON_OPTIONAL(struct judgement, change_pct, json_codec_number),
	JSON_OPTIONAL(struct judgement, low_pct, json_codec_number),
	JSON_OPTIONAL(struct judgement, high_pct, json_codec_number),
	JSON_OPTIONAL(struct judgement, tolerance_pct, json_codec_number),
	JSON_OPTIONAL(struct judgement, reason, json_codec_text),
	JSON_END,
};

static const struct json_field paired_fields[] = {
	JSON_OPTIONAL(struct judgement, pairs, json_codec_unsigned),
	JSON_OPTIONAL(struct judgement, more_pairs, json_codec_measured_or_null),
	JSON_WHOLE("unresolvable", unresolvable_codec, false),
	JSON_OPTIONAL(struct judgement, detectable_pct, json_codec_measured_or_null),
	JSON_END,
};

void pair_gate_json_add(cJSON *gate, const struct gate_result *result)
{
	if (gate_judgement(result)->pairs || gate_judged_again(result))
		json_fields_add(gate, paired_fields, gate_judgement(result));
	if (gate_judged_again(result))
		json_fields_add(json_add_object(gate, "screen"), stored_fields, &result->stored);
}

/* The keys of the gate itself were read as those of its stored judgement. */
int pair_gate_json_read(const struct json *gate, struct gate_result *result, struct error *err)
{
	struct judgement *stored = &result->stored, *paired = &result->paired;
	struct json screen;
	int again;

	if (json_fields_read(gate, paired_fields, stored, err) < 0)
		return -1;
	again = json_get(gate, "screen", &screen, err);
	if (again < 0 || (!again && !stored->pairs))
		return again;
	*paired = *stored;
	paired->done = true;
	*stored = (struct judgement){ .ref.metric = result->gate.metric };
	judgement_reset(stored, &result->gate);
	if (!again)
		return 0;
	stored->done = true;
	stored->tolerance_pct = NAN;
	if (json_fields_read(&screen, stored_fields, stored, err) < 0)
		return -1;
	result->gate.tolerance_pct = stored->tolerance_pct;
	return 0;
}
