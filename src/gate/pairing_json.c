#include "gate/pairing_json.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/parse.h"
#include "gate/json_check.h"
#include "gate/runs_json.h"
#include "model/result.h"

/* -------- how it was made */

/* As text: readers of JSON keep no number beyond 2^53 exactly, and a seed is of use only when it is exact. */
static void add_seed(cJSON *object, const char *key, const void *member)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)*(const uint64_t *)member);
	json_add_string(object, key, text);
}

static int read_seed(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *text = NULL;
	struct error unused = ERROR_INIT;

	if (json_string(at, &text, err) < 0)
		return -1;
	if (parse_u64(text, member, &unused) < 0)
		return json_fault(at, err, "expected a whole number from 0 to %llu as text, found '%.60s'",
				  (unsigned long long)UINT64_MAX, text);
	return 0;
}

static const struct json_codec seed_codec = { add_seed, read_seed };

static const struct json_field side_fields[] = {
	JSON_OPTIONAL(struct pair_side, label, json_codec_text),
	JSON_OPTIONAL(struct pair_side, commit, json_codec_text),
	JSON_END,
};

/* What its runs were of. */
static const struct json_field measured_fields[] = {
	JSON_OPTIONAL(struct scenario_result, executable, json_codec_text),
	JSON_OPTIONAL(struct scenario_result, attached, json_codec_text),
	JSON_END,
};

static void add_side(cJSON *object, const char *key, const void *member)
{
	const struct pair_side *side = member;
	cJSON *out = json_add_object(object, key);

	json_fields_add(out, side_fields, side);
	json_fields_add(out, measured_fields, side->measured);
}

static int read_side(const struct json *at, void *member, struct error *err)
{
	struct pair_side *side = member;

	if (json_fields_read(at, side_fields, side, err) < 0)
		return -1;
	return json_fields_read(at, measured_fields, side->measured, err);
}

static const struct json_codec side_codec = { add_side, read_side };

static int read_batch(const struct json *at, void *member, struct error *err)
{
	unsigned batch;

	if (json_codec_unsigned.read(at, &batch, err) < 0)
		return -1;
	if (!batch)
		return json_fault(at, err, "a value is made of one run at least, found 0");
	*(unsigned *)member = batch;
	return 0;
}

static void add_batch(cJSON *object, const char *key, const void *member)
{
	json_codec_unsigned.add(object, key, member);
}

static const struct json_codec batch_codec = { add_batch, read_batch };

static const struct json_field fields[] = {
	JSON_OPTIONAL(struct pairing, seed, seed_codec),
	JSON_OPTIONAL(struct pairing, gates, json_codec_unsigned),
	JSON_OPTIONAL(struct pairing, pairs_most, json_codec_unsigned),
	JSON_OPTIONAL(struct pairing, batch, batch_codec),
	JSON_OPTIONAL(struct pairing, dropped, json_codec_unsigned),
	JSON_OPTIONAL(struct pairing, rerun, json_codec_unsigned),
	JSON_OPTIONAL(struct pairing, floor_pct, json_codec_measured),
	JSON_OPTIONAL(struct pairing, services, json_codec_text),
	JSON_OPTIONAL(struct pairing, one_program, json_codec_text),
	JSON_OPTIONAL(struct pairing, ended, json_codec_bool),
	JSON_OPTIONAL(struct pairing, confirming, json_codec_bool),
	JSON_OPTIONAL(struct pairing, base, side_codec),
	JSON_OPTIONAL(struct pairing, head, side_codec),
	JSON_END,
};

static void add_pairing(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;

	if (scenario->pairing)
		json_fields_add(json_add_object(object, key), fields, scenario->pairing);
}

/* What the scenario's output prints is known to both sides. */
static void define(struct scenario_result *side, const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_own_metrics; i++)
		if (scenario->own_metrics[i]->source == SOURCE_PRINTED)
			scenario_result_define(side, scenario->own_metrics[i]);
}

static struct pairing *pair(struct scenario_result *scenario)
{
	struct pairing *pairing = scenario_result_pair(scenario);

	define(pairing->base.measured, scenario);
	define(pairing->head.measured, scenario);
	pairing->base.measured->state = pairing->head.measured->state = SCENARIO_MEASURED;
	return pairing;
}

static int read_pairing(const struct json *at, void *member, struct error *err)
{
	return json_fields_read(at, fields, pair(member), err);
}

const struct json_codec pairing_codec = { add_pairing, read_pairing };

/* -------- the pairs */

static const char *const order[] = { "base", "head" };

static void add_pairs(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	const struct pairing *pairing = scenario->pairing;
	size_t n = scenario_result_pairs(scenario);
	cJSON *pairs = pairing ? json_add_array(object, key) : NULL;

	for (size_t i = 0; i < n; i++) {
		cJSON *both = json_add_object(pairs, NULL);

		runs_json_add_run(both, "base", pairing->base.measured, i);
		runs_json_add_run(both, "head", pairing->head.measured, i);
		json_add_string(both, "first", order[pairing->head.measured->runs[i].first]);
	}
}

static int read_first(const struct json *item, struct pairing *pairing, struct error *err)
{
	struct scenario_result *base = pairing->base.measured, *head = pairing->head.measured;
	struct json at;
	size_t first;
	int found = json_get(item, "first", &at, err);

	if (found < 1)
		return found;
	if (json_choice(&at, order, sizeof order / sizeof order[0], &first, err) < 0)
		return -1;
	base->runs[base->n_runs - 1].first = !first;
	head->runs[head->n_runs - 1].first = first;
	return 0;
}

static int read_pair(const struct json *item, void *ctx, struct error *err)
{
	struct pairing *pairing = ctx;
	struct json base, head;

	if (json_need(item, "base", &base, err) < 0 || json_need(item, "head", &head, err) < 0)
		return -1;
	if (runs_json_read_run(&base, pairing->base.measured, err) < 0 || runs_json_read_run(&head, pairing->head.measured, err) < 0)
		return -1;
	return read_first(item, pairing, err);
}

static int read_pairs(const struct json *at, void *member, struct error *err)
{
	struct scenario_result *scenario = member;

	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of pairs");
	return json_each(at, read_pair, scenario->pairing ?: pair(scenario), err);
}

const struct json_codec pairs_codec = { add_pairs, read_pairs };
