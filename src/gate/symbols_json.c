#include "gate/symbols_json.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/gates_json.h"
#include "gate/json_check.h"
#include "scenario/share_budget.h"

enum { SYMBOLS_READ = 1000 };

static const struct json_field gate_fields[] = {
	JSON_NEEDED(struct symbol_gate, on, json_codec_bool),
	JSON_OPTIONAL(struct symbol_gate, top, json_codec_unsigned),
	JSON_OPTIONAL(struct symbol_gate, rise_pp, json_codec_measured),
	JSON_OPTIONAL(struct symbol_gate, new_pp, json_codec_measured),
	JSON_OPTIONAL(struct symbol_gate, required, json_codec_bool),
	JSON_OPTIONAL(struct symbol_gate, by_default, json_codec_bool),
	JSON_OPTIONAL(struct symbol_gate, line, json_codec_unsigned),
	JSON_OPTIONAL(struct symbol_gate, column, json_codec_unsigned),
	JSON_END,
};

static void add_gate(cJSON *object, const char *key, const void *member)
{
	json_fields_add(json_add_object(object, key), gate_fields, member);
}

static int read_gate(const struct json *at, void *member, struct error *err)
{
	struct symbol_gate gate = { 0 };

	if (json_fields_read(at, gate_fields, &gate, err) < 0)
		return -1;
	*(struct symbol_gate *)member = gate;
	return 0;
}

const struct json_codec symbol_gate_codec = { add_gate, read_gate };

/* A budget on its way in or out: what its glob is of goes before the glob. */
struct limit {
	size_t of;
	struct share_budget budget;
};

static const char *const limited[] = { "symbol", "dso" };

static void add_of(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, limited[*(const size_t *)member]);
}

static int read_of(const struct json *at, void *member, struct error *err)
{
	return json_choice(at, limited, sizeof limited / sizeof limited[0], member, err);
}

static const struct json_codec of_codec = { add_of, read_of };

static void add_glob(cJSON *object, const char *key, const void *member)
{
	const struct limit *limit = member;

	json_add_string(object, key, limit->of ? limit->budget.dso : limit->budget.symbol);
}

static int read_glob(const struct json *at, void *member, struct error *err)
{
	struct limit *limit = member;

	return json_string(at, limit->of ? &limit->budget.dso : &limit->budget.symbol, err);
}

static const struct json_codec glob_codec = { add_glob, read_glob };

#define BUDGET(member, codec, needed) { #member, offsetof(struct limit, budget.member), &(codec), needed }

static const struct json_field budget_fields[] = {
	JSON_NEEDED(struct limit, of, of_codec),
	JSON_WHOLE("glob", glob_codec, true),
	BUDGET(max_pct, json_codec_measured, true),
	BUDGET(required, json_codec_bool, false),
	BUDGET(line, json_codec_unsigned, false),
	BUDGET(column, json_codec_unsigned, false),
	JSON_END,
};

static void add_budgets(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_budgets; i++) {
		const struct limit limit = { scenario->budgets[i].dso != NULL, scenario->budgets[i] };

		json_fields_add(json_add_object(array, NULL), budget_fields, &limit);
	}
}

/* Added even when a key is at fault, so that the scenario owns what was read until then. */
static int read_budget(const struct json *item, void *ctx, struct error *err)
{
	struct scenario_result *scenario = ctx;
	struct limit limit = { 0 };
	int ret = json_fields_read(item, budget_fields, &limit, err);

	VEC_GROW(scenario->budgets, scenario->n_budgets, scenario->cap_budgets);
	scenario->budgets[scenario->n_budgets++] = limit.budget;
	return ret;
}

static int read_budgets(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value) || json_size(at) > SHARE_BUDGETS_MAX)
		return json_fault(at, err, "expected an array of at most %d budgets", SHARE_BUDGETS_MAX);
	return json_each(at, read_budget, member, err);
}

const struct json_codec budgets_codec = { add_budgets, read_budgets };

static void add_change(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, symbol_change_name(*(const enum symbol_change *)member));
}

static int read_change(const struct json *at, void *member, struct error *err)
{
	const char *names[SYMBOL_MOVED + 1];
	size_t index;

	for (size_t i = 0; i <= SYMBOL_MOVED; i++)
		names[i] = symbol_change_name((enum symbol_change)i);
	if (json_choice(at, names, SYMBOL_MOVED + 1, &index, err) < 0)
		return -1;
	*(enum symbol_change *)member = (enum symbol_change)index;
	return 0;
}

static const struct json_codec change_codec = { add_change, read_change };

static const struct json_field symbol_fields[] = {
	JSON_NEEDED(struct symbol_result, symbol, json_codec_text),
	JSON_NEEDED(struct symbol_result, dso, json_codec_text),
	JSON_OPTIONAL(struct symbol_result, share_pct, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, low_pct, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, high_pct, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, total_pct, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, samples, json_codec_count),
	JSON_OPTIONAL(struct symbol_result, base_share_pct, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, base_samples, json_codec_count),
	JSON_OPTIONAL(struct symbol_result, change_pp, json_codec_number),
	JSON_OPTIONAL(struct symbol_result, error_pp, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, cost_ms, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, base_cost_ms, json_codec_measured_or_null),
	JSON_OPTIONAL(struct symbol_result, change, change_codec),
	JSON_OPTIONAL(struct symbol_result, moved, json_codec_text),
	JSON_NEEDED(struct symbol_result, verdict, verdict_codec),
	JSON_OPTIONAL(struct symbol_result, reason, json_codec_text),
	JSON_END,
};

static void add_symbols(cJSON *object, const char *key, const void *member)
{
	const struct scenario_result *scenario = member;
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < scenario->n_symbols; i++)
		json_fields_add(json_add_object(array, NULL), symbol_fields, &scenario->symbols[i]);
}

static int read_symbol(const struct json *item, void *ctx, struct error *err)
{
	struct symbol_result *symbol = scenario_result_add_symbol(ctx, NULL, NULL);

	return json_fields_read(item, symbol_fields, symbol, err);
}

static int read_symbols(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value) || json_size(at) > SYMBOLS_READ)
		return json_fault(at, err, "expected an array of at most %d symbols", SYMBOLS_READ);
	return json_each(at, read_symbol, member, err);
}

const struct json_codec symbols_codec = { add_symbols, read_symbols };
