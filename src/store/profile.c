#include <math.h>

#include "base/mem.h"
#include "store/store.h"

enum { PARTS_WRITTEN = 60, PARTS_READ = 1000 };

/* Smaller shares are chance. */
static const double self_least_pct = 0.1, total_least_pct = 1;

/* Weights are sums of periods. Measured values are far smaller; beyond this, arithmetic fails. */
#define WEIGHT_LARGEST 1e21

/* Tolerance for sums of doubles that were added in a different order for each symbol. */
static const double rounding = 1 + 1e-9;

/* -------- counts run by run */

#define RUNS_SCHEMA "{'type': 'array', 'minItems': 1, 'maxItems': 64, " \
	"'items': {'type': 'integer', 'minimum': 0, 'maximum': 9007199254740992}}"

static const struct field count_field = { .type = FIELD_U64 };

static void add_counts(cJSON *object, const char *key, const uint64_t *counts, size_t n)
{
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < n; i++)
		json_write_value(array, NULL, &count_field, &counts[i]);
}

static int read_count(const struct json *item, void *ctx, struct error *err)
{
	return json_read_value(item, &count_field, (uint64_t *)ctx + item->index, err);
}

/* Exactly N counts, which add up to SUM. */
static int read_counts(const struct json *at, uint64_t sum, uint64_t *out, size_t n, struct error *err)
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

/* -------- symbols */

struct row {
	struct profile_symbol symbol;
	size_t n_runs;
};

static bool has_key(const void *record)
{
	const struct row *row = record;

	return strcmp(row->symbol.key, row->symbol.symbol);
}

static void add_symbol_runs(cJSON *object, const char *key, const void *member)
{
	const struct row *row = member;

	add_counts(object, key, row->symbol.run_samples, row->n_runs);
}

static int read_symbol_runs(const struct json *at, void *member, struct error *err)
{
	const struct row *row = member;

	return read_counts(at, row->symbol.samples, row->symbol.run_samples, row->n_runs, err);
}

static const struct json_codec symbol_runs_codec = { .add = add_symbol_runs, .read = read_symbol_runs };

/* "samples" precedes "runs", which add up to it. */
static const struct field symbol_items[] = {
	{ FIELD_AS("symbol", struct row, symbol.symbol), .needed = true, .help = "As people read it." },
	{ FIELD_AS("key", struct row, symbol.key), .when = has_key,
	  .help = "What it is compared by; left out when that is the symbol." },
	{ FIELD_AS("dso", struct row, symbol.dso), .needed = true, .help = "Base name of its file; empty when unknown." },
	{ FIELD_AS("samples", struct row, symbol.samples), .needed = true, .help = "In the symbol itself." },
	{ FIELD_AS("total_samples", struct row, symbol.total_samples), .needed = true, .help = "Anywhere on the stack." },
	{ FIELD_AS("weight", struct row, symbol.weight), .needed = true, .not_negative = true,
	  .help = "Of its own samples." },
	{ FIELD_AS("total_weight", struct row, symbol.total_weight), .needed = true, .not_negative = true,
	  .help = "Of the samples it is on the stack of." },
	{ .key = "runs", .needed = true, .json = &symbol_runs_codec, .schema = RUNS_SCHEMA,
	  .help = "Its own samples in each profiled run." },
};

static const struct fields symbol_fields = { FIELDS(symbol_items) };

static void add_symbols(cJSON *object, const char *key, const void *member)
{
	const struct profile *profile = member;
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < profile->n_symbols; i++) {
		const struct row row = { profile->symbols[i], profile->n_runs };

		json_write(json_add_object(array, NULL), &symbol_fields, &row);
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

static int read_symbol(const struct json *item, void *ctx, struct error *err)
{
	struct profile *profile = ctx;
	uint64_t runs[PROFILE_RUNS_MAX] = { 0 };
	CLEANUP(arena_release) struct arena texts = ARENA_INIT;
	struct json at = *item;
	struct row row = { .symbol.run_samples = runs, .n_runs = profile->n_runs };
	const struct profile_symbol *from = &row.symbol;
	struct profile_symbol *added;

	at.arena = &texts;
	if (json_read(&at, &symbol_fields, &row, err) < 0 || check_fit(item, profile, &row, err) < 0)
		return -1;
	if (profile_find(profile, from->key ?: from->symbol, from->dso))
		return json_fault(item, err, "'%.100s' of '%.60s' is there twice", from->symbol, from->dso);
	added = profile_add_symbol(profile, from->symbol, from->key ?: from->symbol, from->dso);
	added->samples = from->samples;
	added->total_samples = from->total_samples;
	added->weight = from->weight;
	added->total_weight = from->total_weight;
	memcpy(added->run_samples, runs, row.n_runs * sizeof *runs);
	return 0;
}

static const struct json_codec symbols_codec = { .add = add_symbols, .item = read_symbol };

/* -------- the profile */

static void add_runs(cJSON *object, const char *key, const void *member)
{
	const struct profile *profile = member;

	add_counts(object, key, profile->run_samples, profile->n_runs);
}

static int read_runs(const struct json *at, void *member, struct error *err)
{
	struct profile *profile = member;
	size_t n = json_size(at);

	if (!cJSON_IsArray(at->value) || !n || n > PROFILE_RUNS_MAX)
		return json_fault(at, err, "expected an array of the samples of 1 to %d runs", PROFILE_RUNS_MAX);
	profile->n_runs = n;
	profile->run_samples = arena_alloc(&profile->arena, n * sizeof *profile->run_samples);
	return read_counts(at, profile->samples, profile->run_samples, n, err);
}

static const struct json_codec runs_codec = { .add = add_runs, .read = read_runs };

static const struct field part_items[] = {
	{ FIELD(struct profile_part, name), .needed = true, .help = "Its name." },
	{ FIELD(struct profile_part, samples), .needed = true, .help = "Its samples." },
	{ FIELD(struct profile_part, weight), .needed = true, .not_negative = true, .help = "Sum of their periods." },
};

static const struct fields part_fields = { FIELDS(part_items), .size = sizeof(struct profile_part) };

static int check_sums(const struct json *at, void *record, struct error *err)
{
	const struct profile *profile = record;
	uint64_t self = profile->rest_samples;

	for (size_t i = 0; i < profile->n_symbols; i++)
		self += profile->symbols[i].samples;
	if (self > profile->samples)
		return json_fault(at, err, "its symbols and rest_samples have %llu samples together, of %llu in all",
				  (unsigned long long)self, (unsigned long long)profile->samples);
	if (profile->weight > WEIGHT_LARGEST)
		return json_fault(at, err, "a weight of %g cannot have been measured", profile->weight);
	return 0;
}

/* "samples" and "runs" precede the members that must match them, both when reading and when writing. */
#define COMMON_FIELDS \
	{ FIELD(struct profile, event), .needed = true, .help = "What was sampled by: cpu-clock, cycles." }, \
	{ FIELD(struct profile, frequency), .needed = true, .help = "Samples a second." }, \
	{ FIELD(struct profile, call_graph), .needed = true, .words = call_graph_names, .help = "How stacks were found." }, \
	{ FIELD(struct profile, normaliser), .needed = true, .help = "Version of the rules that made the keys." }, \
	{ FIELD(struct profile, samples), .needed = true, .help = "All samples." }, \
	{ FIELD(struct profile, lost), .help = "Samples that perf lost." }, \
	{ FIELD(struct profile, weight), .needed = true, .not_negative = true, \
	  .help = "Sum of the sample periods: nanoseconds, cycles." }, \
	{ .key = "runs", .needed = true, .json = &runs_codec, .schema = RUNS_SCHEMA, \
	  .help = "Samples of each profiled run." }

#define LIST_FIELDS \
	{ .key = "symbols", .type = FIELD_LIST, .object = &symbol_fields, .needed = true, .max = PROFILE_SYMBOLS_MOST, \
	  .expected = "symbols", .json = &symbols_codec, .help = "Symbols, heaviest first; in a baseline up to 60, each of at least 0.1 %." }, \
	{ FIELD(struct profile, rest_samples), .help = "Samples of symbols that are not listed." }, \
	{ FIELD_ITEMS("dsos", struct profile, dsos, &part_fields), .max = PARTS_READ, .expected = "parts", \
	  .help = "The files, heaviest first." }

static const struct field result_items[] = {
	COMMON_FIELDS,
	{ FIELD(struct profile, overhead_pct),
	  .help = "How much more task-clock the profiled runs took than the counted ones." },
	LIST_FIELDS,
	{ FIELD_ITEMS("threads", struct profile, threads, &part_fields), .max = PARTS_READ, .expected = "parts",
	  .help = "The names of threads, heaviest first." },
	{ FIELD(struct profile, warnings), .was = "doubts", .help = "What is wrong with it, each with its remedy." },
};

static const struct field baseline_items[] = { COMMON_FIELDS, LIST_FIELDS };

const struct fields profile_result_fields = { FIELDS(result_items), .check = check_sums, .arena = true };
const struct fields profile_baseline_fields = { FIELDS(baseline_items), .check = check_sums, .arena = true };

static bool is_caller(const struct profile *profile, const struct profile_symbol *symbol)
{
	return profile->weight > 0 && 100 * symbol->total_weight / profile->weight >= total_least_pct;
}

struct kept_form {
	const struct fields *fields;
	size_t most;		/* symbols */
	bool callers;		/* also symbols that call hot ones */
};

/* Callers may have the lowest own weight, so places are reserved for them. */
static void add_kept(cJSON *object, const char *key, const struct profile *profile, const struct kept_form *form)
{
	struct profile kept = *profile;
	size_t awaited = 0;

	for (size_t i = 0; form->callers && i < profile->n_symbols && awaited < form->most / 2; i++)
		awaited += is_caller(profile, &profile->symbols[i]);
	kept.symbols = xcalloc(profile->n_symbols + 1, sizeof *kept.symbols);
	kept.n_symbols = 0;
	for (size_t i = 0; i < profile->n_symbols; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];
		bool caller = form->callers && is_caller(profile, symbol);

		awaited -= caller && awaited;
		if (kept.n_symbols + (caller ? 0 : awaited) < form->most &&
		    (caller || profile_share_pct(profile, symbol) >= self_least_pct))
			kept.symbols[kept.n_symbols++] = *symbol;
		else
			kept.rest_samples += symbol->samples;
	}
	if (kept.dsos.n > PARTS_WRITTEN)
		kept.dsos.n = PARTS_WRITTEN;
	if (kept.threads.n > PARTS_WRITTEN)
		kept.threads.n = PARTS_WRITTEN;
	json_write(json_add_object(object, key), form->fields, &kept);
	free(kept.symbols);
}

static void add_to_result(cJSON *object, const char *key, const void *member)
{
	add_kept(object, key, member, &(struct kept_form){ &profile_result_fields, PROFILE_RESULT_MOST, true });
}

static void add_to_baseline(cJSON *object, const char *key, const void *member)
{
	add_kept(object, key, member, &(struct kept_form){ &profile_baseline_fields, PROFILE_BASELINE_MOST, false });
}

const struct json_codec profile_codec = { .add = add_to_result }, profile_baseline_codec = { .add = add_to_baseline };

void profile_shorten(cJSON *profile, size_t most)
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
