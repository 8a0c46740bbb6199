#include "gate/profile_symbols_json.h"

#include "base/cleanup.h"
#include "gate/json_check.h"
#include "profile/shares.h"

/* Weights are sums of doubles, made in another order for each symbol. */
static const double rounding = 1 + 1e-9;

void profile_counts_add(cJSON *object, const char *key, const uint64_t *counts, size_t n)
{
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < n; i++)
		json_codec_count.add(array, NULL, &counts[i]);
}

static int read_count(const struct json *item, void *ctx, struct error *err)
{
	return json_codec_count.read(item, (uint64_t *)ctx + item->index, err);
}

int profile_counts_read(const struct json *at, uint64_t sum, uint64_t *out, size_t n, struct error *err)
{
	uint64_t found = 0;

	if (!cJSON_IsArray(at->value) || json_size(at) != n)
		return json_fault(at, err, "expected an array of one count for each of %zu runs", n);
	if (json_each(at, read_count, out, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		found += out[i];
	if (found != sum)
		return json_fault(at, err, "the runs have %llu samples together, not the %llu of \"samples\"",
				  (unsigned long long)found, (unsigned long long)sum);
	return 0;
}

/* A symbol on its way in or out, with what its runs must be like. */
struct row {
	struct profile_symbol symbol;
	size_t n_runs;
};

static void row_release(struct row *row)
{
	free(row->symbol.symbol);
	free(row->symbol.key);
	free(row->symbol.dso);
}

static void add_key(cJSON *object, const char *key, const void *member)
{
	const struct row *row = member;

	if (strcmp(row->symbol.key, row->symbol.symbol))
		json_add_string(object, key, row->symbol.key);
}

static int read_key(const struct json *at, void *member, struct error *err)
{
	return json_string(at, &((struct row *)member)->symbol.key, err);
}

static const struct json_codec key_codec = { add_key, read_key };

static void add_runs(cJSON *object, const char *key, const void *member)
{
	const struct row *row = member;

	profile_counts_add(object, key, row->symbol.run_samples, row->n_runs);
}

static int read_runs(const struct json *at, void *member, struct error *err)
{
	const struct row *row = member;

	return profile_counts_read(at, row->symbol.samples, row->symbol.run_samples, row->n_runs, err);
}

static const struct json_codec runs_codec = { add_runs, read_runs };

#define SYMBOL(member, codec) { #member, offsetof(struct row, symbol.member), &(codec), true }

/* "samples" goes before "runs", which add up to it. */
static const struct json_field fields[] = {
	SYMBOL(symbol, json_codec_text),
	JSON_WHOLE("key", key_codec, false),
	SYMBOL(dso, json_codec_text),
	SYMBOL(samples, json_codec_count),
	SYMBOL(total_samples, json_codec_count),
	SYMBOL(weight, json_codec_measured),
	SYMBOL(total_weight, json_codec_measured),
	JSON_WHOLE("runs", runs_codec, true),
	JSON_END,
};

int profile_symbol_known(const struct json *item, void *ctx, struct error *err)
{
	(void)ctx;
	return json_fields_only(item, fields, err);
}

static void add_symbols(cJSON *object, const char *key, const void *member)
{
	const struct profile *profile = member;
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < profile->n_symbols; i++) {
		const struct row row = { profile->symbols[i], profile->n_runs };

		json_fields_add(json_add_object(array, NULL), fields, &row);
	}
}

static int check_fit(const struct json *at, const struct profile *profile, const struct row *row, struct error *err)
{
	const struct profile_symbol *s = &row->symbol;

	if (s->samples > s->total_samples || s->total_samples > profile->samples)
		return json_fault(at, err, "expected samples <= total_samples <= the profile's %llu, found %llu and %llu",
				  (unsigned long long)profile->samples, (unsigned long long)s->samples,
				  (unsigned long long)s->total_samples);
	for (size_t i = 0; i < row->n_runs; i++)
		if (s->run_samples[i] > profile->run_samples[i])
			return json_fault(at, err, "run %zu has %llu samples, of which %llu cannot be this symbol's", i + 1,
					  (unsigned long long)profile->run_samples[i], (unsigned long long)s->run_samples[i]);
	if (s->weight > s->total_weight * rounding || s->total_weight > profile->weight * rounding)
		return json_fault(at, err, "expected weight <= total_weight <= the profile's %.17g, found %.17g and %.17g",
				  profile->weight, s->weight, s->total_weight);
	return 0;
}

static void add_symbol(struct profile *profile, const struct row *row)
{
	const struct profile_symbol *from = &row->symbol;
	struct profile_symbol *added = profile_add_symbol(profile, from->symbol, from->key ?: from->symbol, from->dso);

	added->samples = from->samples;
	added->total_samples = from->total_samples;
	added->weight = from->weight;
	added->total_weight = from->total_weight;
	memcpy(added->run_samples, from->run_samples, row->n_runs * sizeof *from->run_samples);
}

static int read_symbol(const struct json *item, void *ctx, struct error *err)
{
	struct profile *profile = ctx;
	uint64_t runs[PROFILE_RUNS_MAX] = { 0 };
	CLEANUP(row_release) struct row row = { .symbol.run_samples = runs, .n_runs = profile->n_runs };

	if (json_fields_read(item, fields, &row, err) < 0 || check_fit(item, profile, &row, err) < 0)
		return -1;
	if (profile_find(profile, row.symbol.key ?: row.symbol.symbol, row.symbol.dso))
		return json_fault(item, err, "'%.100s' of '%.60s' is there twice", row.symbol.symbol, row.symbol.dso);
	add_symbol(profile, &row);
	return 0;
}

static int read_symbols(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value) || json_size(at) > SHARES_SYMBOLS_MOST)
		return json_fault(at, err, "expected an array of at most %d symbols", (int)SHARES_SYMBOLS_MOST);
	return json_each(at, read_symbol, member, err);
}

const struct json_codec profile_symbols_codec = { add_symbols, read_symbols };
