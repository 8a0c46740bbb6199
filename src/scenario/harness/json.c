#include "scenario/harness/rows.h"

#include <math.h>

#include "store/store.h"

/* -------- values of JSON */

/* JSON lacks the NaN and infinities that these programs write. Texts in quotation marks stay. For free(). */
static char *without_nan(const char *text, size_t len, size_t *len_out)
{
	static const char *const words[] = { "-Infinity", "Infinity", "-inf", "inf", "-NaN", "NaN", "-nan", "nan" };
	struct strbuf out = STRBUF_INIT;
	bool quoted = false;

	for (size_t i = 0; i < len;) {
		size_t skip = 0;

		/* No text of JSON spans lines, but a program's own prints may have a mark alone. */
		if (text[i] == '"' || text[i] == '\n')
			quoted = text[i] == '"' && !quoted;
		for (size_t k = 0; !quoted && !skip && k < sizeof words / sizeof *words; k++)
			if (text_starts_within(text + i, len - i, words[k]))
				skip = strlen(words[k]);
		if (skip)
			strbuf_adds(&out, "null");
		else if (text[i] == '\\' && quoted && i + 1 < len)
			strbuf_add(&out, text + i, skip = 2);
		else
			strbuf_add(&out, text + i, skip = 1);
		i += skip;
	}
	*len_out = out.len;
	return strbuf_take(&out);
}

static const cJSON *at_path(const cJSON *object, const char *path)
{
	return path ? json_at(object, path) : object;
}

static const char *text_at(const cJSON *object, const char *path)
{
	const cJSON *value = at_path(object, path);

	return cJSON_IsString(value) ? value->valuestring : NULL;
}

static double number_at(const cJSON *object, const char *path)
{
	const cJSON *value = at_path(object, path);

	return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

typedef void add_fn(struct rows *rows, const cJSON *item);

static int add_items(struct rows *rows, const cJSON *root, const char *list, add_fn *add, struct error *err)
{
	const cJSON *items = at_path(root, list), *item;

	if (!cJSON_IsArray(items))
		return error_set(err, ERR_TARGET, "its output has no list '%s': another version's format?", list ?: "[...]");
	cJSON_ArrayForEach(item, items)
		add(rows, item);
	return 0;
}

static int read_list(struct rows *rows, const char *text, size_t len, const char *list, add_fn *add, struct error *err)
{
	struct error why = ERROR_INIT;
	cJSON *root = json_parse(text, len, NULL, &why);
	int ret = root ? add_items(rows, root, list, add, err) : error_set(err, ERR_TARGET, "its results are not JSON: %s", why.msg);

	cJSON_Delete(root);
	return ret;
}

static int read_file(struct rows *rows, const char *text, size_t len, const char *list, add_fn *add, struct error *err)
{
	CLEANUP(free_ptr) char *plain = without_nan(text, len, &len);

	return read_list(rows, plain, len, list, add, err);
}

/* Reads every list of an output, with the program's own prints in between. */
static int read_output(struct rows *rows, const char *text, size_t len, const char *list, add_fn *add, struct error *err)
{
	CLEANUP(free_ptr) char *plain = without_nan(text, len, &len);
	struct json_scan scan = { plain, len, .budget = JSON_SCAN_BUDGET(len) };
	size_t lists = 0;
	int ret = 0;

	for (cJSON *value; ret == 0 && (value = json_scan_next(&scan)); cJSON_Delete(value)) {
		if (!cJSON_IsArray(at_path(value, list)))
			continue;
		ret = read_list(rows, plain + scan.begin, scan.at - scan.begin, list, add, err);
		lists++;
	}
	if (ret == 0 && !lists)
		ret = error_set(err, ERR_TARGET, "its output has no complete JSON with a list%s%s%s", list ? " '" : "", list ?: "", list ? "'" : "");
	return ret;
}

/* -------- Google Benchmark: --benchmark_out_format=json */

static bool is_true(const cJSON *item, const char *key)
{
	return cJSON_IsTrue(at_path(item, key));
}

/* A part of NAME between slashes, after the first. */
static bool has_part(const char *name, const char *part)
{
	size_t len = strlen(part);

	for (const char *at = strchr(name, '/'); at; at = strchr(at + 1, '/'))
		if (!strncmp(at + 1, part, len) && (!at[1 + len] || at[1 + len] == '/'))
			return true;
	return false;
}

/* NULL: ITEM is measured. */
static const char *google_why(struct rows *rows, const cJSON *item)
{
	const char *said = text_at(item, "error_message") ?: text_at(item, "skip_message");
	bool failed = is_true(item, "error_occurred"), skipped = is_true(item, "skipped");

	if (failed || skipped)
		return arena_printf(&rows->arena, "%s%s%.200s", skipped ? "skipped" : "failed", said ? ": " : "", said ?: "");
	return number_at(item, "iterations") == 0 ? "it made no iteration" : NULL;
}

/* Returns which aggregate ITEM is, such as "median"; NULL: it is none. Before 1.5 they have a suffix instead of a type. */
static const char *aggregate_of(const cJSON *item)
{
	static const char *const ends[] = { "_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS" };
	const char *name = text_at(item, "name") ?: "", *type = text_at(item, "run_type"), *aggregate = text_at(item, "aggregate_name");

	for (size_t i = 0; !type && !aggregate && i < sizeof ends / sizeof *ends; i++)
		if (text_ends(name, strlen(name), ends[i]))
			aggregate = ends[i] + 1;
	return aggregate ?: (type && strcmp(type, "iteration") ? type : NULL);
}

/* Returns the name of the benchmark that ITEM, a median, belongs to, in ROWS' arena. */
static const char *name_of_median(struct rows *rows, const cJSON *item)
{
	static const char end[] = "_median";
	const char *name = text_at(item, "name"), *run = text_at(item, "run_name");
	size_t len = strlen(name ?: "");

	return run || !text_ends(name ?: "", len, end) ? run ?: name : arena_strndup(&rows->arena, name, len - strlen(end));
}

static void add_google(struct rows *rows, const cJSON *item)
{
	const char *name = text_at(item, "name"), *aggregate = aggregate_of(item);
	struct row row = { .of.name = name, .repetition = number_at(item, "repetition_index") };

	/* ReportAggregatesOnly() leaves the repetitions out. */
	row.median = aggregate && !strcmp(aggregate, "median");
	if (aggregate && !row.median)
		return;
	if (row.median) {
		row.of.name = name = name_of_median(rows, item);
		row.repetition = 0;
	}
	row.of.waits = name && (has_part(name, "real_time") || has_part(name, "manual_time"));
	row.of.why = google_why(rows, item);
	row_measure(&row, number_at(item, row.of.waits ? "real_time" : "cpu_time"), text_at(item, "time_unit") ?: "ns");
	rows_add(rows, &row);
}

int rows_google(struct rows *rows, const char *text, size_t len, struct error *err)
{
	return read_file(rows, text, len, "benchmarks", add_google, err);
}

/* -------- pytest-benchmark: --benchmark-json */

static void add_pytest(struct rows *rows, const cJSON *item)
{
	struct row row = { .of = { .name = text_at(item, "fullname") ?: text_at(item, "name"), .waits = true }, .repetition = NAN };

	row_measure(&row, number_at(item, "stats.median"), "s");
	rows_add(rows, &row);
}

int rows_pytest(struct rows *rows, const char *text, size_t len, struct error *err)
{
	return read_file(rows, text, len, "benchmarks", add_pytest, err);
}

/* -------- nanobench: its template `json`, rendered to standard output */

static void add_nanobench(struct rows *rows, const cJSON *item)
{
	const char *title = text_at(item, "title"), *name = text_at(item, "name");
	/* "benchmark" is the title of programs that set none. */
	bool titled = title && name && *title && strcmp(title, "benchmark");
	struct row row = { .of.waits = true, .repetition = NAN };

	row.of.name = titled ? arena_printf(&rows->arena, "%s/%s", title, name) : name;
	row_measure(&row, number_at(item, "median(elapsed)"), "s");
	rows_add(rows, &row);
}

int rows_nanobench(struct rows *rows, const char *text, size_t len, struct error *err)
{
	return read_output(rows, text, len, "results", add_nanobench, err);
}

/* -------- hyperfine: --export-json */

static void add_hyperfine(struct rows *rows, const cJSON *item)
{
	const cJSON *given = at_path(item, "parameters"), *parameter;
	struct row row = { .of.waits = true, .repetition = NAN };
	struct strbuf name = STRBUF_INIT;

	strbuf_adds(&name, text_at(item, "command") ?: "");
	/* A parameter may be used by --prepare alone, so that the command is the same. */
	cJSON_ArrayForEach(parameter, given)
		if (name.len && cJSON_IsString(parameter) && !strstr(name.buf, parameter->valuestring))
			strbuf_addf(&name, " (%s %s)", parameter->string, parameter->valuestring);
	row.of.name = arena_take(&rows->arena, strbuf_take(&name));
	row_measure(&row, number_at(item, "median"), "s");
	rows_add(rows, &row);
}

int rows_hyperfine(struct rows *rows, const char *text, size_t len, struct error *err)
{
	return read_file(rows, text, len, "results", add_hyperfine, err);
}

/* -------- any other program's JSON, with target.values */

static void add_json(struct rows *rows, const cJSON *item)
{
	const struct harness_places *places = &rows->harness->places;
	const char *unit = text_at(item, places->unit) ?: places->unit;
	struct row row = { .of = { .name = text_at(item, places->name), .waits = true }, .repetition = NAN };

	row_measure(&row, number_at(item, places->value), unit);
	rows_add(rows, &row);
}

int rows_json(struct rows *rows, const char *text, size_t len, struct error *err)
{
	return read_output(rows, text, len, rows->harness->places.list, add_json, err);
}
