#include "gate/profile_json.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/json_check.h"
#include "gate/profile_symbols_json.h"

enum { PARTS_WRITTEN = 60, PARTS_READ = 1000 };

/* Shares under these are chance. */
static const double self_least_pct = 0.1, total_least_pct = 1;

static void add_call_graph(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, call_graph_name(*(const enum call_graph *)member));
}

static int read_call_graph(const struct json *at, void *member, struct error *err)
{
	const char *names[CALL_GRAPH_LBR + 1];
	size_t index;

	for (size_t i = 0; i <= CALL_GRAPH_LBR; i++)
		names[i] = call_graph_name((enum call_graph)i);
	if (json_choice(at, names, CALL_GRAPH_LBR + 1, &index, err) < 0)
		return -1;
	*(enum call_graph *)member = (enum call_graph)index;
	return 0;
}

static const struct json_codec call_graph_codec = { add_call_graph, read_call_graph };

static void add_runs(cJSON *object, const char *key, const void *member)
{
	const struct profile *profile = member;

	profile_counts_add(object, key, profile->run_samples, profile->n_runs);
}

static int read_runs(const struct json *at, void *member, struct error *err)
{
	struct profile *profile = member;
	size_t n = json_size(at);

	if (!cJSON_IsArray(at->value) || !n || n > PROFILE_RUNS_MAX)
		return json_fault(at, err, "expected an array of the samples of 1 to %d runs", PROFILE_RUNS_MAX);
	profile->n_runs = n;
	profile->run_samples = xcalloc(n, sizeof *profile->run_samples);
	return profile_counts_read(at, profile->samples, profile->run_samples, n, err);
}

static const struct json_codec runs_codec = { add_runs, read_runs };

static const struct json_field part_fields[] = {
	JSON_NEEDED(struct profile_part, name, json_codec_text),
	JSON_NEEDED(struct profile_part, samples, json_codec_count),
	JSON_NEEDED(struct profile_part, weight, json_codec_measured),
	JSON_END,
};

static void add_parts(cJSON *object, const char *key, const void *member)
{
	const struct profile_parts *parts = member;
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < parts->n && i < PARTS_WRITTEN; i++)
		json_fields_add(json_add_object(array, NULL), part_fields, &parts->items[i]);
}

static int read_part(const struct json *item, void *ctx, struct error *err)
{
	struct profile_part part = { 0 };
	int ret = json_fields_read(item, part_fields, &part, err);

	if (ret == 0)
		profile_add_part(ctx, part.name, part.samples, part.weight);
	free(part.name);
	return ret;
}

static int read_parts(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value) || json_size(at) > PARTS_READ)
		return json_fault(at, err, "expected an array of at most %d parts", PARTS_READ);
	return json_each(at, read_part, member, err);
}

static const struct json_codec parts_codec = { add_parts, read_parts };

/* In both directions "samples" and "runs" go before what must fit them. */
#define COMMON_FIELDS \
	JSON_NEEDED(struct profile, event, json_codec_text), \
	JSON_NEEDED(struct profile, frequency, json_codec_unsigned), \
	JSON_NEEDED(struct profile, call_graph, call_graph_codec), \
	JSON_NEEDED(struct profile, normaliser, json_codec_unsigned), \
	JSON_NEEDED(struct profile, samples, json_codec_count), \
	JSON_OPTIONAL(struct profile, lost, json_codec_count), \
	JSON_NEEDED(struct profile, weight, json_codec_measured), \
	JSON_WHOLE("runs", runs_codec, true)

#define LISTS \
	JSON_WHOLE("symbols", profile_symbols_codec, true), \
	JSON_OPTIONAL(struct profile, rest_samples, json_codec_count), \
	JSON_OPTIONAL(struct profile, dsos, parts_codec)

static const struct json_field result_fields[] = {
	COMMON_FIELDS,
	JSON_OPTIONAL(struct profile, overhead_pct, json_codec_number),
	LISTS,
	JSON_OPTIONAL(struct profile, threads, parts_codec),
	JSON_OPTIONAL(struct profile, doubts, json_codec_texts),
	JSON_END,
};

static const struct json_field baseline_fields[] = { COMMON_FIELDS, LISTS, JSON_END };

/* Much of the profile was called from there. */
static bool is_caller(const struct profile *profile, const struct profile_symbol *symbol)
{
	return profile->weight > 0 && 100 * symbol->total_weight / profile->weight >= total_least_pct;
}

static size_t count_callers(const struct profile *profile, size_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < profile->n_symbols && n < most; i++)
		n += is_caller(profile, &profile->symbols[i]);
	return n;
}

/* OUT borrows all but its array of symbols. Callers may be the lightest by themselves, so their places are kept. */
static void keep_telling(const struct profile *profile, size_t most, bool callers, struct profile *out)
{
	size_t awaited = callers ? count_callers(profile, most / 2) : 0;

	*out = *profile;
	out->symbols = xcalloc(profile->n_symbols + 1, sizeof *out->symbols);
	out->n_symbols = 0;
	for (size_t i = 0; i < profile->n_symbols; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];
		bool caller = callers && is_caller(profile, symbol);

		awaited -= caller && awaited;
		if (out->n_symbols + (caller ? 0 : awaited) < most &&
		    (caller || profile_share_pct(profile, symbol) >= self_least_pct))
			out->symbols[out->n_symbols++] = *symbol;
		else
			out->rest_samples += symbol->samples;
	}
}

static void add_kept(cJSON *object, const char *key, const struct profile *profile, const struct json_field *fields,
		     size_t most, bool callers)
{
	struct profile kept;

	keep_telling(profile, most, callers, &kept);
	json_fields_add(json_add_object(object, key), fields, &kept);
	free(kept.symbols);
}

/* Weights are sums of periods: nothing that was measured comes near, and beyond it arithmetic ends. */
#define WEIGHT_LARGEST 1e21

static int check_sums(const struct json *at, const struct profile *profile, struct error *err)
{
	uint64_t self = profile->rest_samples;

	for (size_t i = 0; i < profile->n_symbols; i++)
		self += profile->symbols[i].samples;
	if (self > profile->samples)
		return json_fault(at, err, "its symbols and rest_samples have %llu samples together, of %llu in all",
				  (unsigned long long)self, (unsigned long long)profile->samples);
	if (profile->weight > WEIGHT_LARGEST)
		return json_fault(at, err, "a weight of %g is none that was measured", profile->weight);
	return 0;
}

static int read_profile(const struct json *at, const struct json_field *fields, struct profile *out, struct error *err)
{
	CLEANUP(profile_release) struct profile profile = { .overhead_pct = NAN };

	if (json_fields_read(at, fields, &profile, err) < 0 || check_sums(at, &profile, err) < 0)
		return -1;
	profile_release(out);
	*out = profile;
	profile = (struct profile){ 0 };
	return 0;
}

static void add_result(cJSON *object, const char *key, const void *member)
{
	if (profile_exists(member))
		add_kept(object, key, member, result_fields, PROFILE_JSON_RESULT_MOST, true);
	else
		json_add_string(object, key, NULL);
}

static int read_result(const struct json *at, void *member, struct error *err)
{
	return read_profile(at, result_fields, member, err);
}

const struct json_codec profile_codec = { add_result, read_result };

static void add_baseline(cJSON *object, const char *key, const void *member)
{
	if (profile_exists(member))
		add_kept(object, key, member, baseline_fields, PROFILE_JSON_BASELINE_MOST, false);
}

static int check_part(const struct json *item, void *ctx, struct error *err)
{
	(void)ctx;
	return json_fields_only(item, part_fields, err);
}

static int read_strict(const struct json *at, void *member, struct error *err)
{
	const struct {
		const char *key;
		int (*check)(const struct json *item, void *ctx, struct error *err);
	} lists[] = { { "symbols", profile_symbol_known }, { "dsos", check_part } };
	struct json list;

	if (json_fields_only(at, baseline_fields, err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (json_get(at, lists[i].key, &list, err) == 1 && json_each(&list, lists[i].check, NULL, err) < 0)
			return -1;
	return read_profile(at, baseline_fields, member, err);
}

const struct json_codec profile_codec_strict = { add_baseline, read_strict };

void profile_json_shorten(cJSON *profile, size_t most)
{
	cJSON *symbols = cJSON_GetObjectItemCaseSensitive(profile, "symbols");
	cJSON *rest = cJSON_GetObjectItemCaseSensitive(profile, "rest_samples");
	size_t n = (size_t)cJSON_GetArraySize(symbols);
	double samples = 0;

	while (n > most) {
		const cJSON *last = cJSON_GetArrayItem(symbols, (int)--n);

		samples += cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(last, "samples"));
		cJSON_DeleteItemFromArray(symbols, (int)n);
	}
	if (rest)
		cJSON_SetNumberValue(rest, rest->valuedouble + samples);
}
