#include "scenario/harness/rows.h"

#include <math.h>

#include "base/parse.h"
#include "model/metrics/metric.h"
#include "store/store.h"

enum { HASH_LONGEST = 17 };

/* Returns NAME as it can be shown and stored, or NULL. */
static const char *clean_name(struct arena *arena, const char *name)
{
	struct strbuf out = STRBUF_INIT;

	for (const char *p = name ?: ""; *p;) {
		uint32_t code;
		size_t len = utf8_decode(p, &code);

		if (len && code >= ' ' && code != 0x7f)
			strbuf_add(&out, p, len);
		else
			strbuf_addc(&out, '?');
		p += len ? len : 1;
	}
	/* It must not be mistaken for a metric of pawl's own. */
	if (out.len && metric_name_taken(out.buf))
		strbuf_adds(&out, " (benchmark)");
	/* Long names end in a number that tells them apart. */
	if (out.len > METRIC_BENCHMARK_LONGEST) {
		unsigned long long hash = fnv_text(FNV_START, out.buf);

		strbuf_truncate(&out, utf8_clip(out.buf, METRIC_BENCHMARK_LONGEST - HASH_LONGEST));
		strbuf_addf(&out, "~%016llx", hash);
	}
	if (!out.len) {
		strbuf_release(&out);
		return NULL;
	}
	return arena_take(arena, strbuf_take(&out));
}

/* Adds a row, with copies of its texts. Without a usable name it is only counted. */
static void add_row(struct rows *rows, const struct row *row)
{
	struct row copy = *row;

	copy.of.name = clean_name(&rows->arena, row->of.name);
	if (!copy.of.name) {
		rows->unnamed++;
		return;
	}
	copy.of.unit = arena_strdup(&rows->arena, row->of.unit ?: "ms");
	copy.of.why = arena_strdup(&rows->arena, row->of.why);
	copy.of.value = copy.of.why ? NAN : row->of.value;
	copy.at = rows->n;
	*ARENA_ADD(&rows->arena, rows->items, rows->n, rows->cap) = copy;
}

/* Sets OF's value to NUMBER of UNIT, or why there is none. NUMBER must be a positive number. */
static void set_value(struct row *row, double number, const char *unit)
{
	static const struct { const char *unit, *as; double factor; } units[] = {
		{ "ns", "ms", 1e-6 }, { "us", "ms", 1e-3 }, { "ms", "ms", 1 }, { "s", "ms", 1e3 }, { "B", "B", 1 }, { "KiB", "KiB", 0x1p10 },
		{ "MiB", "MiB", 0x1p20 }, { "GiB", "GiB", 0x1p30 }, { "count", "count", 1 },
	};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (!unit || strcmp(units[i].unit, unit))
			continue;
		row->of.value = number * units[i].factor;
		row->of.unit = units[i].as;
		if (!row->of.why && (!isfinite(number) || !(number > 0)))
			row->of.why = "its value is not a positive number";
		return;
	}
	row->of.unit = "ms";
	row->of.why = row->of.why ?: "its unit is unknown";
}

/* -------- lines of text */

/* Longest line that is looked at: beyond, it is a program's own print. */
enum { LINE_LONGEST = 4096 };

/* Moves past the next line of TEXT and copies it, without its end. Returns false at the end. */
static bool next_line(const char **text, const char *end, struct strbuf *out)
{
	size_t len;
	const char *line = text_next_line(text, end, &len);

	strbuf_reset(out);
	if (!line)
		return false;
	strbuf_add(out, line, len < LINE_LONGEST ? len : 0);
	if (out->len && out->buf[out->len - 1] == '\r')
		strbuf_truncate(out, out->len - 1);
	return true;
}

/* -------- go test -bench */

/* Parses "  1000  123.4 ns/op ..." into ROW; returns false for any other text. */
static bool go_values(const char *at, struct row *row)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	double iterations, number;

	for (at += strspn(at, " \t"); *at; at += strspn(at, " \t")) {
		CLEANUP(free_ptr) char *word = xstrndup(at, strcspn(at, " \t"));

		at += strlen(word);
		strv_push(&words, word);
	}
	if (words.n < 3 || parse_double(words.items[0], &iterations, NULL) < 0)
		return false;
	row->of.why = "it has no ns/op";
	for (size_t i = 2; i < words.n; i += 2) {
		if (strcmp(words.items[i], "ns/op"))
			continue;
		row->of.why = NULL;
		if (parse_double(words.items[i - 1], &number, NULL) < 0)
			number = NAN;
		set_value(row, number, "ns");
	}
	return true;
}

/* "-8", or "". */
static const char *go_cpus(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash && dash[1] && strspn(dash + 1, "0123456789") == strlen(dash + 1) ? dash : "";
}

/* The number of CPUs belongs to the machine. On one CPU go prints none. */
static void go_without_cpus(struct rows *rows)
{
	const char *cpus = rows->n ? go_cpus(rows->items[0].of.name) : "";

	for (size_t i = 0; i < rows->n; i++)
		if (strcmp(go_cpus(rows->items[i].of.name), cpus))
			return;
	for (size_t i = 0; i < rows->n; i++)
		rows->items[i].of.name = arena_strndup(&rows->arena, rows->items[i].of.name, strlen(rows->items[i].of.name) - strlen(cpus));
}

/* Names of several packages get theirs in front. */
static void go_add(struct rows *rows, const char *package, const char *name, struct row *row)
{
	row->of.name = *package ? arena_printf(&rows->arena, "%s.%s", package, name) : name;
	row->of.waits = true;
	row->repetition = NAN;
	add_row(rows, row);
}

static size_t go_packages(const char *text, size_t len)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	const char *end = text + len;
	size_t n = 0;

	while (next_line(&text, end, &line))
		n += text_starts(line.buf, "pkg: ");
	return n;
}

/* A benchmark's own prints may stand between its name and its values. */
static int read_go(struct rows *rows, const char *text, size_t len, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT, package = STRBUF_INIT, open = STRBUF_INIT;
	bool several = go_packages(text, len) > 1;
	const char *end = text + len;

	(void)err;
	while (next_line(&text, end, &line)) {
		size_t word = strcspn(line.buf, " \t");
		struct row row = { 0 };

		if (several && text_starts(line.buf, "pkg: ")) {
			strbuf_reset(&package);
			strbuf_adds(&package, line.buf + strlen("pkg: "));
		} else if (text_starts(line.buf, "--- FAIL: Benchmark") || text_starts(line.buf, "--- SKIP: Benchmark")) {
			CLEANUP(free_ptr) char *name = xstrndup(line.buf + strlen("--- FAIL: "), strcspn(line.buf + strlen("--- FAIL: "), " \t"));

			row.of.why = line.buf[4] == 'S' ? "skipped" : "failed";
			go_add(rows, package.buf, name, &row);
			strbuf_reset(&open);
		} else if (text_starts(line.buf, "Benchmark")) {
			strbuf_reset(&open);
			strbuf_add(&open, line.buf, word);
			if (go_values(line.buf + word, &row)) {
				go_add(rows, package.buf, open.buf, &row);
				strbuf_reset(&open);
			}
		} else if (open.len && go_values(line.buf, &row)) {
			go_add(rows, package.buf, open.buf, &row);
			strbuf_reset(&open);
		}
	}
	go_without_cpus(rows);
	return 0;
}

/*
 * -------- criterion: "NAME                    time:   [LOW 1.2345 µs HIGH]". A name of more than 23 bytes stands alone on
 * the line before.
 */

enum { CRITERION_NAME = 24 };

/* Sets ROW to the second of the three values in TEXT, "[1.2345 ns 1.2400 ns 1.2500 ns]"; returns false for any other text. */
static bool criterion_values(const char *text, struct row *row)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	const char *end = text + strcspn(text, "%]"), *at = text + strspn(text, " ["), *unit;
	double number;

	/* A change since its last run is in percent. */
	if (*end != ']')
		return false;
	for (; at < end; at += strspn(at, " ")) {
		CLEANUP(free_ptr) char *word = xstrndup(at, strcspn(at, " ]"));

		at += strlen(word);
		strv_push(&words, word);
	}
	if (words.n != 6)
		return false;
	unit = words.items[3];
	if (parse_double(words.items[2], &number, NULL) < 0)
		number = NAN;
	if (!strcmp(unit, "ps")) {
		number /= 1e3;
		unit = "ns";
	} else if (!strcmp(unit, "\u00b5s")) {
		unit = "us";
	}
	set_value(row, number, unit);
	return true;
}

static int read_criterion(struct rows *rows, const char *text, size_t len, struct error *err)
{
	static const char between[] = "time: ";
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT, before = STRBUF_INIT;
	const char *end = text + len;

	(void)err;
	while (next_line(&text, end, &line)) {
		char *at = strstr(line.buf, between);
		size_t name = at ? (size_t)(at - line.buf) : 0;
		struct row row = { .of.waits = true, .repetition = NAN };

		if (name >= CRITERION_NAME && criterion_values(at + strlen(between), &row)) {
			strbuf_truncate(&line, name);
			strbuf_trim_end(&line, " ");
			row.of.name = line.len ? line.buf : before.buf;
			add_row(rows, &row);
		}
		strbuf_reset(&before);
		strbuf_add(&before, line.buf, line.len);
	}
	return 0;
}

/* -------- Catch2: --reporter xml */

/* With entities replaced. False if TAG lacks it. */
static bool attribute(const char *tag, const char *attribute_name, struct strbuf *out)
{
	static const struct { const char *entity; char c; } entities[] = {
		{ "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' },
	};
	CLEANUP(free_ptr) char *begin = text_printf(" %s=\"", attribute_name);
	const char *at = strstr(tag, begin);

	strbuf_reset(out);
	for (at = at ? at + strlen(begin) : NULL; at && *at && *at != '"';) {
		size_t i = 0, n = sizeof entities / sizeof *entities;

		while (i < n && !text_starts(at, entities[i].entity))
			i++;
		strbuf_addc(out, i < n ? entities[i].c : *at);
		at += i < n ? strlen(entities[i].entity) : 1;
	}
	return at && *at == '"';
}

/* The test that is read and the sections in it, "TEST/SECTION/...". */
struct catch2_place {
	struct strbuf path;
	struct { size_t *items, n, cap; } outer;	/* lengths of the paths around it */
};

static void enter(struct catch2_place *place, struct arena *arena, const struct strbuf *section)
{
	*ARENA_ADD(arena, place->outer.items, place->outer.n, place->outer.cap) = place->path.len;
	strbuf_addf(&place->path, "/%s", section->buf);
}

static void leave(struct catch2_place *place)
{
	if (place->outer.n)
		strbuf_truncate(&place->path, place->outer.items[--place->outer.n]);
}

/* Each tag stands on a line of its own. */
static int read_catch2(struct rows *rows, const char *text, size_t len, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT, name = STRBUF_INIT, part = STRBUF_INIT;
	struct catch2_place place = { STRBUF_INIT, { 0 } };
	const char *end = text + len;
	bool closed = false, inside = false;

	while (next_line(&text, end, &line)) {
		const char *tag = line.buf + strspn(line.buf, " \t");
		struct row row = { .of.waits = true, .repetition = NAN };
		double number = NAN;

		if (text_starts(tag, "<TestCase ")) {
			attribute(tag, "name", &place.path);
			place.outer.n = 0;
		} else if (text_starts(tag, "<Section ") && attribute(tag, "name", &part)) {
			enter(&place, &rows->arena, &part);
		} else if (text_starts(tag, "</Section>")) {
			leave(&place);
		} else if (text_starts(tag, "<BenchmarkResults ")) {
			inside = attribute(tag, "name", &name);
		} else if (text_starts(tag, "<BenchmarkResults") || text_starts(tag, "</BenchmarkResults")) {
			inside = false;
		} else if (text_starts(tag, "<mean ") && inside) {
			if (!attribute(tag, "value", &part) || parse_double(part.buf, &number, NULL) < 0)
				number = NAN;
			row.of.name = arena_printf(&rows->arena, "%s/%s", place.path.buf, name.buf);
			set_value(&row, number, "ns");
			add_row(rows, &row);
		} else if (text_starts(tag, "<failed ") && attribute(tag, "message", &part)) {
			row.of.name = arena_printf(&rows->arena, "%s/%s", place.path.buf, name.buf);
			row.of.why = arena_printf(&rows->arena, "failed: %.200s", part.buf);
			add_row(rows, &row);
		}
		closed |= text_starts(tag, "</Catch");
	}
	strbuf_release(&place.path);
	return closed ? 0 : error_set(err, ERR_TARGET, "its results are no complete XML of Catch2");
}

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
	set_value(&row, number_at(item, row.of.waits ? "real_time" : "cpu_time"), text_at(item, "time_unit") ?: "ns");
	add_row(rows, &row);
}

/* -------- pytest-benchmark: --benchmark-json */

static void add_pytest(struct rows *rows, const cJSON *item)
{
	struct row row = { .of = { .name = text_at(item, "fullname") ?: text_at(item, "name"), .waits = true }, .repetition = NAN };

	set_value(&row, number_at(item, "stats.median"), "s");
	add_row(rows, &row);
}

/* -------- nanobench: its template `json`, rendered to standard output */

static void add_nanobench(struct rows *rows, const cJSON *item)
{
	const char *title = text_at(item, "title"), *name = text_at(item, "name");
	/* "benchmark" is the title of programs that set none. */
	bool titled = title && name && *title && strcmp(title, "benchmark");
	struct row row = { .of.waits = true, .repetition = NAN };

	row.of.name = titled ? arena_printf(&rows->arena, "%s/%s", title, name) : name;
	set_value(&row, number_at(item, "median(elapsed)"), "s");
	add_row(rows, &row);
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
	set_value(&row, number_at(item, "median"), "s");
	add_row(rows, &row);
}

/* -------- any other program's JSON, with target.values */

static void add_json(struct rows *rows, const cJSON *item)
{
	const struct harness_places *places = &rows->harness->places;
	const char *unit = text_at(item, places->unit) ?: places->unit;
	struct row row = { .of = { .name = text_at(item, places->name), .waits = true }, .repetition = NAN };

	set_value(&row, number_at(item, places->value), unit);
	add_row(rows, &row);
}

/* -------- all */

/* A reader; or the list in JSON whose items ADD adds, PRINTED if it stands among a program's own prints. */
static const struct {
	int (*read)(struct rows *rows, const char *text, size_t len, struct error *err);
	const char *list;
	add_fn *add;
	bool printed;
} readers[] = {
	[HARNESS_GOOGLE] = { .list = "benchmarks", .add = add_google }, [HARNESS_CRITERION] = { .read = read_criterion }, [HARNESS_GO] = { .read = read_go },
	[HARNESS_PYTEST] = { .list = "benchmarks", .add = add_pytest }, [HARNESS_CATCH2] = { .read = read_catch2 },
	[HARNESS_NANOBENCH] = { .list = "results", .add = add_nanobench, .printed = true },
	[HARNESS_HYPERFINE] = { .list = "results", .add = add_hyperfine }, [HARNESS_JSON] = { .add = add_json, .printed = true },
};

int rows_read(struct rows *rows, const char *text, size_t len, struct error *err)
{
	enum harness_kind kind = rows->harness->kind;
	const char *list = kind == HARNESS_JSON ? rows->harness->places.list : readers[kind].list;

	if (readers[kind].read)
		return readers[kind].read(rows, text, len, err);
	return (readers[kind].printed ? read_output : read_file)(rows, text, len, list, readers[kind].add, err);
}
