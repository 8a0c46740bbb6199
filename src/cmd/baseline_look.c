/* pawl baseline list and show: what is accepted, since when, by whom and why. */
#include "cmd/baseline_look.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "cmd/accepted.h"
#include "cmd/accepted_profile.h"
#include "store/baseline.h"
#include "report/format.h"
#include "stats/order.h"

static void add_foreign(struct table *table, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf safe = STRBUF_INIT;

	escape_terminal(&safe, text ?: "-");
	table_add(table, safe.buf, NULL);
}

void look_release(struct look *look)
{
	strbuf_release(&look->text);
	cJSON_Delete(look->json);
	*look = (struct look){ .text = STRBUF_INIT };
}

static int finish(struct look *look, const char *key, struct error *err)
{
	CLEANUP(free_ptr) char *json = NULL;

	if (look->json) {
		cJSON *root = cJSON_CreateObject();

		cJSON_AddItemToObject(root, key, take_ptr(&look->json));
		json = json_print(root);
		strbuf_adds(&look->text, json);
	}
	return cmd_print(&look->text, err);
}

/* -------- list */

static int list_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	const struct session *last = accepted_last(visit->baseline);
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
	CLEANUP(look_release) struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };
	struct project project;
	int ret = -1;

	table_init(&look.table, "llrllll");
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&look.table, titles[i], NULL);
	if (project_open(&project, inv, args, err) == 0 &&
	    baseline_each(&project, args, list_one, &look, err) == 0) {
		if (!look.json)
			table_render(&look.table, 0, &look.text);
		ret = finish(&look, "baselines", err);
	}
	table_release(&look.table);
	project_close(&project);
	return ret;
}

/* -------- show */

static void add_value(struct table *table, double value, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;

	format_measured(&cell, value, metric);
	add_foreign(table, cell.buf);
}

struct shown {
	struct accepted accepted;
	struct table table;
};

static void add_metric(const struct metric *metric, void *ctx)
{
	struct shown *shown = ctx;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(free_ptr) double *values = NULL;
	char number[16];
	size_t n;

	values = baseline_values(shown->accepted.base, metric->name, &n);
	stats_sort(values, n);
	format_metric(&name, &shown->accepted.known, metric);
	add_foreign(&shown->table, name.buf);
	add_value(&shown->table, stats_median_sorted(values, n), metric);
	add_value(&shown->table, values[0], metric);
	add_value(&shown->table, values[n - 1], metric);
	snprintf(number, sizeof number, "%zu", n);
	table_add(&shown->table, number, NULL);
}

static void add_metrics(const struct baseline *base, struct strbuf *out)
{
	static const char *const titles[] = { "metric", "median", "least", "most", "values" };
	struct shown shown;

	accepted_init(&shown.accepted, base);
	table_init(&shown.table, "lrrrr");
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&shown.table, titles[i], NULL);
	accepted_each(&shown.accepted, add_metric, &shown);
	table_render(&shown.table, 2, out);
	table_release(&shown.table);
	accepted_release(&shown.accepted);
}

static void add_sessions(const struct baseline *base, struct strbuf *out)
{
	for (size_t i = 0; i < base->n_sessions; i++) {
		const struct session *s = &base->sessions[i];
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		strbuf_addf(&words, "  session %zu: %s, commit %s, by %s%s%s", i + 1, s->date ?: "-", s->commit ?: "-",
			    s->by ?: "-", s->reason ? ": " : "", s->reason ?: "");
		escape_terminal(out, words.buf);
		strbuf_addc(out, '\n');
	}
}

static int show_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(&visit->baseline->machine);
	CLEANUP(free_ptr) char *json = NULL;
	struct look *look = ctx;

	(void)err;
	if (look->json) {
		json = baseline_format(visit->baseline);
		cJSON_AddItemToArray(look->json, cJSON_Parse(json));
		return 0;
	}
	strbuf_addf(&look->text, "%s on %s\n", visit->scenario, class);
	add_sessions(visit->baseline, &look->text);
	add_metrics(visit->baseline, &look->text);
	accepted_profile_add(&look->text, &visit->baseline->profile);
	strbuf_addc(&look->text, '\n');
	return 0;
}

int look_each(struct look *look, struct invocation *inv, const struct strv *args, const char *key,
	      int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), struct error *err)
{
	struct project project;
	int ret = -1;

	look->inv = inv;
	look->project = &project;
	if (project_open(&project, inv, args, err) == 0 && baseline_each(&project, args, each, look, err) == 0)
		ret = finish(look, key, err);
	project_close(&project);
	return ret;
}

int baseline_show(struct invocation *inv, const struct strv *args, struct error *err)
{
	CLEANUP(look_release) struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };

	return look_each(&look, inv, args, "baselines", show_one, err);
}
