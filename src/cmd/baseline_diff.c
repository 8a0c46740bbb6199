/* pawl baseline diff: how the baselines of the working tree differ from those of a commit. */
#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "cmd/accepted.h"
#include "cmd/accepted_profile.h"
#include "cmd/baseline_look.h"
#include "store/baseline.h"
#include "stats/order.h"

/* Scripts are given every metric, people those that tell. */
struct comparison {
	struct accepted before, now;
	struct strbuf *text;
	cJSON *json;
};

static double median_now(const struct comparison *comparison, const char *metric)
{
	size_t n;
	CLEANUP(free_ptr) double *values = baseline_values(comparison->now.base, metric, &n);

	return stats_median(values, n);
}

static void add_change_text(const struct metric *metric, void *ctx)
{
	struct comparison *comparison = ctx;
	struct metric_change change;

	metric_change_set(&comparison->before, metric, median_now(comparison, metric->name), &change);
	strbuf_adds(comparison->text, "  ");
	metric_change_add(comparison->text, &comparison->now.known, &change);
	strbuf_addc(comparison->text, '\n');
}

static void add_change_json(struct comparison *comparison, const char *name)
{
	const struct metric *metric = scenario_result_metric(&comparison->now.known, name);
	cJSON *one = cJSON_CreateObject();
	struct metric_change change;

	metric_change_set(&comparison->before, metric, median_now(comparison, name), &change);
	json_add_string(one, "metric", name);
	json_add_number(one, "before", change.before);
	json_add_number(one, "now", change.now);
	json_add_number(one, "change_pct", change.pct);
	cJSON_AddItemToArray(comparison->json, one);
}

/* CHANGES is NULL for text. */
static void add_changes(struct look *look, cJSON *changes, const struct baseline *now, const struct baseline *before)
{
	const struct series_set *series = &accepted_last(now)->series;
	struct comparison comparison = { .text = &look->text, .json = changes };

	accepted_init(&comparison.now, now);
	accepted_init(&comparison.before, before);
	if (!changes)
		accepted_each(&comparison.now, add_change_text, &comparison);
	for (size_t i = 0; changes && i < series->n; i++)
		add_change_json(&comparison, series->items[i].metric);
	accepted_release(&comparison.now);
	accepted_release(&comparison.before);
}

static bool same_sessions(const struct baseline *a, const struct baseline *b)
{
	CLEANUP(free_ptr) char *x = baseline_format(a);
	CLEANUP(free_ptr) char *y = baseline_format(b);

	return !strcmp(x, y);
}

static void add_title(struct strbuf *out, const struct baseline_visit *visit, const struct baseline *before)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	const char *reason = accepted_last(visit->baseline)->reason;
	size_t n = visit->baseline->n_sessions;

	strbuf_addf(&words, "%s/%s: %s%zu session%s", visit->scenario, visit->file, before ? "" : "new, ", n, n == 1 ? "" : "s");
	if (before)
		strbuf_addf(&words, ", %zu before", before->n_sessions);
	if (reason)
		strbuf_addf(&words, ": %s", reason);
	escape_terminal(out, words.buf);
	strbuf_addc(out, '\n');
}

static void diff_pair(struct look *look, const struct baseline_visit *visit, const struct baseline *before)
{
	static const struct profile none = { 0 };
	const struct profile *profile = before ? &before->profile : &none;
	cJSON *one = look->json ? cJSON_CreateObject() : NULL, *changes = NULL;

	if (one) {
		json_add_string(one, "scenario", visit->scenario);
		json_add_string(one, "file", visit->file);
		json_add_string(one, "reason", accepted_last(visit->baseline)->reason);
		cJSON_AddItemToObject(one, "before", before ? cJSON_CreateTrue() : cJSON_CreateFalse());
		changes = cJSON_AddArrayToObject(one, "metrics");
		cJSON_AddItemToArray(look->json, one);
	} else {
		add_title(&look->text, visit, before);
	}
	add_changes(look, changes, visit->baseline, before);
	if (one)
		accepted_profile_changes_json(json_add_array(one, "symbols"), profile, &visit->baseline->profile);
	else
		accepted_profile_changes_add(&look->text, 2, profile, &visit->baseline->profile);
}

static int diff_one(const struct baseline_visit *visit, void *ctx, struct error *err)
{
	struct baseline before;
	struct look *look = ctx;
	int got = project_read_baseline(look->other, visit->scenario, visit->file, &before, err);

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
	CLEANUP(look_release) struct look look = { .text = STRBUF_INIT, .json = inv->options.json ? cJSON_CreateArray() : NULL };
	struct project other;
	int ret = -1;

	if (!inv->options.baseline_ref)
		inv->options.baseline_ref = xstrdup("HEAD");
	look.other = &other;
	if (project_open(&other, inv, args, err) == 0) {
		free(inv->options.baseline_ref);
		inv->options.baseline_ref = NULL;
		ret = look_each(&look, inv, args, "changed", diff_one, err);
	}
	project_close(&other);
	return ret;
}
