#include "scenario/harness/rows.h"

#include <math.h>

#include "base/parse.h"

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
		row_measure(row, number, "ns");
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
	rows_add(rows, row);
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
int rows_go(struct rows *rows, const char *text, size_t len, struct error *err)
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
	row_measure(row, number, unit);
	return true;
}

int rows_criterion(struct rows *rows, const char *text, size_t len, struct error *err)
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
			rows_add(rows, &row);
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
	ARENA_GROW(arena, place->outer.items, place->outer.n, place->outer.cap);
	place->outer.items[place->outer.n++] = place->path.len;
	strbuf_addf(&place->path, "/%s", section->buf);
}

static void leave(struct catch2_place *place)
{
	if (place->outer.n)
		strbuf_truncate(&place->path, place->outer.items[--place->outer.n]);
}

/* Each tag stands on a line of its own. */
int rows_catch2(struct rows *rows, const char *text, size_t len, struct error *err)
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
			row_measure(&row, number, "ns");
			rows_add(rows, &row);
		} else if (text_starts(tag, "<failed ") && attribute(tag, "message", &part)) {
			row.of.name = arena_printf(&rows->arena, "%s/%s", place.path.buf, name.buf);
			row.of.why = arena_printf(&rows->arena, "failed: %.200s", part.buf);
			rows_add(rows, &row);
		}
		closed |= text_starts(tag, "</Catch");
	}
	strbuf_release(&place.path);
	return closed ? 0 : error_set(err, ERR_TARGET, "its results are no complete XML of Catch2");
}
