#include "gate/gates_json.h"

#include <math.h>

#include "base/cleanup.h"
#include "gate/json_check.h"
#include "gate/pair_gate_json.h"

enum { SHARE_NAME_LONGEST = 1024 };

/* A budget is called by its glob, which may hold whatever a symbol holds. */
static int check_share(const struct json *at, const char *name, struct error *err)
{
	size_t len = strlen(name);

	if (len <= SHARE_NAME_LONGEST)
		return 0;
	return json_fault(at, err, "a gate's name has up to %d bytes, found %zu", (int)SHARE_NAME_LONGEST, len);
}

int gates_json_metric(const struct json *at, const char *name, struct scenario_result *scenario,
		      const struct metric **out, struct error *err)
{
	const struct metric *metric;

	if (metric_name_is_share(name) ? check_share(at, name, err) : json_check_metric(at, name, err))
		return -1;
	metric = scenario_result_metric(scenario, name);
	if (strcmp(metric->name, name))
		return json_fault(at, err, "'%s' is another name of '%s'; results use the latter", name, metric->name);
	if (scenario->n_own_metrics > JSON_METRICS_MAX)
		return json_fault(at, err, "more than %d metrics", JSON_METRICS_MAX);
	*out = metric;
	return 0;
}

static void add_metric(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, (*(const struct metric *const *)member)->name);
}

/* Read apart from the table, since it takes the scenario. */
static const struct json_codec metric_codec = { add_metric, NULL };

static void add_verdict(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, verdict_name(*(const enum verdict *)member));
}

static int read_verdict(const struct json *at, void *member, struct error *err)
{
	const char *names[VERDICT_ACCEPTED + 1];
	size_t index;

	for (size_t i = 0; i <= VERDICT_ACCEPTED; i++)
		names[i] = verdict_name((enum verdict)i);
	if (json_choice(at, names, VERDICT_ACCEPTED + 1, &index, err) < 0)
		return -1;
	*(enum verdict *)member = (enum verdict)index;
	return 0;
}

const struct json_codec verdict_codec = { add_verdict, read_verdict };

/* The judgement that counts stands among the keys of the gate; the table sees it as the stored one. */
#define GATE(member, codec) { #member, offsetof(struct gate_result, gate.member), &(codec), false }
#define JUDGED(member, codec) { #member, offsetof(struct gate_result, stored.member), &(codec), false }
#define REF(member, codec) { #member, offsetof(struct gate_result, stored.ref.member), &(codec), false }

static const struct json_field fields[] = {
	{ "metric", offsetof(struct gate_result, gate.metric), &metric_codec, true },
	JUDGED(baseline, json_codec_number),
	JUDGED(current, json_codec_number),
	JUDGED(change_pct, json_codec_number),
	JUDGED(low_pct, json_codec_number),
	JUDGED(high_pct, json_codec_number),
	JUDGED(tolerance_pct, json_codec_number),
	{ "verdict", offsetof(struct gate_result, stored.verdict), &verdict_codec, true },
	JUDGED(reason, json_codec_text),
	GATE(relative, json_codec_bool),
	GATE(by_default, json_codec_bool),
	GATE(max, json_codec_number),
	GATE(min, json_codec_number),
	GATE(required, json_codec_bool),
	JUDGED(n_baseline, json_codec_size),
	JUDGED(n_current, json_codec_size),
	JUDGED(gross, json_codec_bool),
	REF(simulated, json_codec_bool),
	REF(per_work, json_codec_bool),
	GATE(line, json_codec_unsigned),
	GATE(column, json_codec_unsigned),
	JSON_END,
};

static int read_metric(const struct json *item, struct scenario_result *scenario, const struct metric **out,
		       struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;
	struct json at;

	if (json_need(item, "metric", &at, err) < 0 || json_string(&at, &name, err) < 0)
		return -1;
	return gates_json_metric(&at, name, scenario, out, err);
}

/* The gate is added first, so that the scenario owns what was read when a later key is at fault. */
static int read_gate(const struct json *item, void *ctx, struct error *err)
{
	struct gate gate = { .tolerance_pct = NAN, .max = NAN, .min = NAN };
	struct gate_result *result;

	if (read_metric(item, ctx, &gate.metric, err) < 0)
		return -1;
	result = scenario_result_add_gate(ctx, &gate);
	if (json_fields_read(item, fields, result, err) < 0)
		return -1;
	result->gate.tolerance_pct = result->stored.tolerance_pct;
	return pair_gate_json_read(item, result, err);
}

static void add_gates(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *gates = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result seen = { .gate = scenario->gates[i].gate, .stored = *gate_judgement(&scenario->gates[i]) };
		cJSON *gate = json_add_object(gates, NULL);

		json_fields_add(gate, fields, &seen);
		pair_gate_json_add(gate, &scenario->gates[i]);
	}
}

static int read_gates(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of gates");
	return json_each(at, read_gate, member, err);
}

const struct json_codec gates_codec = { add_gates, read_gates };
