/* pawl baseline show, diff and list: what is accepted, since when, by whom and why. */
#include <math.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "cmd/baseline.h"
#include "gate/baseline_json.h"
#include "gate/json.h"
#include "measure/git.h"
#include "report/format.h"
#include "report/table.h"
#include "stats/order.h"

/* Every look prints either text or a JSON array of what it visited. */
struct look {
	struct strbuf text;
	struct table table;
	cJSON *json;		/* an array, or NULL for text */
	struct project *project;
	struct invocation *inv;
	struct project *other;	/* diff: the baselines of the commit */
};

static const struct session *last_session(const struct baseline *base)
{
	return &base->sessions[base->n_sessions - 1];
}

static void add_foreign(struct table *table, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf safe = STRBUF_INIT;

	escape_terminal(&safe, text ?: "-");
	table_add(table, safe.buf, NULL);
}

static int finish(struct look *look, const char *key, struct error *err)
{
	CLEANUP(free_ptr) char *json = NULL;
	int ret;

	if (look->json) {
		cJSON *root = cJSON_CreateObject();

		cJSON_AddItemToObject(root, key, look->json);
		json = json_print(root);
		strbuf_adds(&look->text, json);
	}
	ret = cmd_print(&look->text, err);
	strbuf_release(&look->text);
	return ret;
}

/* -------- list */

static int list_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	const struct session *last = last_session(visit->baseline);
	CLEANUP(free_ptr) char *class = machine_class(&visit->baseline->machine);
	char sessions[16], date[16];
	struct look *look = ctx;

	(void)err;
	if (look->json) {
		cJSON *one = cJSON_CreateObject();

		json_add_string(one, "scenario", visit->scenario);
		json_add_string(one, "class", class);
		json_add_number(one, "sessions", (double)visit->baseline->n_sessions);
		json_add_string(one, "date", last->date);
		json_add_string(one, "commit", last->commit);
		json_add_string(one, "by", last->by);
		json_add_string(one, "reason", last->reason);
		cJSON_AddItemToArray(look->json, one);
		return 0;
	}
	snprintf(sessions, sizeof sessions, "%zu", visit->baseline->n_sessions);
	snprintf(date, sizeof date, "%.10s", last->date ?: "-");
	table_add(&look->table, visit->scenario, NULL);
	table_add(&look->table, class, NULL);
	table_add(&look->table, sessions, NULL);
	table_add(&look->table, date, NULL);
	add_foreign(&look->table, last->commit);
	add_foreign(&look->table, last->by);
	add_foreign(&look->table, last->reason);
	return 0;
}

int baseline_list(struct invocation *inv, const struct strv *args, struct error *err)
{
	static const char *const titles[] = { "scenario", "class", "sessions", "last", "commit", "by", "reason" };
	struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };
	struct project project;
	int ret = -1;

	table_init(&look.table, "llrllll");
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&look.table, titles[i], NULL);
	if (project_open(&project, inv, args, err) == 0 &&
	    baseline_each(&project, inv, args, list_one, &look, err) == 0) {
		if (!look.json)
			table_render(&look.table, 0, &look.text);
		ret = finish(&look, "baselines", err);
	}
	table_release(&look.table);
	project_close(&project);
	return ret;
}

/* -------- show */

static void add_metric(struct table *table, const struct baseline *base, const char *name)
{
	const struct metric *metric = metric_find(name);
	enum metric_unit unit = metric ? metric->unit : UNIT_COUNT;
	CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	values = baseline_values(base, name, &n);
	stats_sort(values, n);
	table_add(table, name, NULL);
	format_value(&cell, stats_median_sorted(values, n), unit);
	table_add(table, cell.buf, NULL);
	for (int side = 0; side < 2; side++) {
		strbuf_reset(&cell);
		format_value(&cell, values[side ? n - 1 : 0], unit);
		table_add(table, cell.buf, NULL);
	}
	strbuf_reset(&cell);
	strbuf_addf(&cell, "%zu", n);
	table_add(table, cell.buf, NULL);
}

static void add_sessions(const struct baseline *base, struct strbuf *out)
{
	for (size_t i = 0; i < base->n_sessions; i++) {
		const struct session *s = &base->sessions[i];

		strbuf_addf(out, "  session %zu: %s, commit %s, by ", i + 1, s->date ?: "-", s->commit ?: "-");
		escape_terminal(out, s->by ?: "-");
		strbuf_adds(out, s->reason ? ": " : "");
		escape_terminal(out, s->reason ?: "");
		strbuf_addc(out, '\n');
	}
}

static int show_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	static const char *const titles[] = { "metric", "median", "least", "most", "values" };
	const struct series_set *series = &last_session(visit->baseline)->series;
	CLEANUP(free_ptr) char *class = machine_class(&visit->baseline->machine);
	CLEANUP(free_ptr) char *json = NULL;
	struct look *look = ctx;
	struct table table;

	(void)err;
	if (look->json) {
		json = baseline_format(visit->baseline);
		cJSON_AddItemToArray(look->json, cJSON_Parse(json));
		return 0;
	}
	strbuf_addf(&look->text, "%s on %s\n", visit->scenario, class);
	add_sessions(visit->baseline, &look->text);
	table_init(&table, "lrrrr");
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&table, titles[i], NULL);
	for (size_t i = 0; i < series->n; i++)
		add_metric(&table, visit->baseline, series->items[i].metric);
	table_render(&table, 2, &look->text);
	table_release(&table);
	strbuf_addc(&look->text, '\n');
	return 0;
}

static int show_or_diff(struct invocation *inv, const struct strv *args, struct look *look, const char *key,
			int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), struct error *err)
{
	struct project project;
	int ret = -1;

	look->inv = inv;
	look->project = &project;
	if (project_open(&project, inv, args, err) == 0 && baseline_each(&project, inv, args, each, look, err) == 0)
		ret = finish(look, key, err);
	project_close(&project);
	return ret;
}

int baseline_show(struct invocation *inv, const struct strv *args, struct error *err)
{
	struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };

	return show_or_diff(inv, args, &look, "baselines", show_one, err);
}

/* -------- diff */

static double median_of(const struct baseline *base, const char *metric)
{
	size_t n;
	double *values = baseline_values(base, metric, &n), median = n ? stats_median(values, n) : NAN;

	free(values);
	return median;
}

static void add_change(struct look *look, cJSON *changes, const char *name, double before, double now)
{
	const struct metric *metric = metric_find(name);
	enum metric_unit unit = metric ? metric->unit : UNIT_COUNT;
	double pct = before > 0 ? (now / before - 1) * 100 : NAN;

	if (changes) {
		cJSON *one = cJSON_CreateObject();

		json_add_string(one, "metric", name);
		json_add_number(one, "before", before);
		json_add_number(one, "now", now);
		json_add_number(one, "change_pct", pct);
		cJSON_AddItemToArray(changes, one);
		return;
	}
	strbuf_addf(&look->text, "  %-24s ", name);
	format_value(&look->text, before, unit);
	strbuf_adds(&look->text, " -> ");
	format_value(&look->text, now, unit);
	strbuf_adds(&look->text, "  ");
	format_change(&look->text, pct);
	strbuf_addc(&look->text, '\n');
}

static bool same_sessions(const struct baseline *a, const struct baseline *b)
{
	CLEANUP(free_ptr) char *x = baseline_format(a);
	CLEANUP(free_ptr) char *y = baseline_format(b);

	return !strcmp(x, y);
}

static void diff_pair(struct look *look, const struct baseline_visit *visit, const struct baseline *before)
{
	const struct series_set *series = &last_session(visit->baseline)->series;
	cJSON *one = look->json ? cJSON_CreateObject() : NULL, *changes = NULL;

	if (one) {
		json_add_string(one, "scenario", visit->scenario);
		json_add_string(one, "file", visit->file);
		json_add_string(one, "reason", last_session(visit->baseline)->reason);
		cJSON_AddItemToObject(one, "before", before ? cJSON_CreateTrue() : cJSON_CreateFalse());
		changes = cJSON_AddArrayToObject(one, "metrics");
		cJSON_AddItemToArray(look->json, one);
	} else {
		strbuf_addf(&look->text, "%s/%s: %s", visit->scenario, visit->file, before ? "" : "new, ");
		strbuf_addf(&look->text, "%zu session%s", visit->baseline->n_sessions, visit->baseline->n_sessions == 1 ? "" : "s");
		if (before)
			strbuf_addf(&look->text, ", %zu before", before->n_sessions);
		strbuf_adds(&look->text, last_session(visit->baseline)->reason ? ": " : "");
		escape_terminal(&look->text, last_session(visit->baseline)->reason ?: "");
		strbuf_addc(&look->text, '\n');
	}
	for (size_t i = 0; i < series->n; i++)
		add_change(look, changes, series->items[i].metric, before ? median_of(before, series->items[i].metric) : NAN,
			   median_of(visit->baseline, series->items[i].metric));
}

static int diff_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	struct baseline before;
	struct look *look = ctx;
	int got = project_read_baseline(look->other, look->inv, visit->scenario, visit->file, &before, err);

	if (got < 0)
		return -1;
	if (!got || !same_sessions(&before, visit->baseline))
		diff_pair(look, visit, got ? &before : NULL);
	if (got)
		baseline_release(&before);
	return 0;
}

/* The commit's side is a project of its own, opened at the ref. */
int baseline_diff(struct invocation *inv, const struct strv *args, struct error *err)
{
	struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };
	struct project other;
	int ret = -1;

	if (!inv->options.baseline_ref)
		inv->options.baseline_ref = xstrdup("HEAD");
	look.other = &other;
	if (project_open(&other, inv, args, err) == 0) {
		free(inv->options.baseline_ref);
		inv->options.baseline_ref = NULL;
		ret = show_or_diff(inv, args, &look, "changed", diff_one, err);
	}
	project_close(&other);
	return ret;
}
