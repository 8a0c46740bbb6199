#include "cmd/shared/accepted.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/process/files.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "report/table.h"
#include "report/words.h"
#include "stats/order.h"
#include "store/json.h"

/* -------- accepted profile */

enum { SYMBOLS_SHOWN = 10 };

static const double least_pp = 1;

static void add_samples(struct strbuf *out, const struct profile *profile)
{
	strbuf_addf(out, "%llu sample%s of ", (unsigned long long)profile->samples, profile->samples == 1 ? "" : "s");
	escape_terminal(out, profile->event);
	strbuf_addf(out, " at %u Hz, call graph %s", profile->frequency, call_graph_name(profile->call_graph));
}

static void add_cell(struct table *table, const char *foreign)
{
	CLEANUP(strbuf_release) struct strbuf safe = STRBUF_INIT;

	escape_terminal(&safe, foreign);
	table_add(table, *safe.buf ? safe.buf : "-", NULL);
}

void accepted_profile_add(struct strbuf *out, const struct profile *profile)
{
	static const char *const titles[] = { "share", "samples", "file", "symbol" };
	CLEANUP(table_release) struct table table;
	char number[32];

	table_init(&table, "rrll");
	if (!profile_exists(profile))
		return;
	strbuf_adds(out, "  profile: ");
	add_samples(out, profile);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
		table_add(&table, titles[i], NULL);
	for (size_t i = 0; i < profile->n_symbols && i < SYMBOLS_SHOWN; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];

		snprintf(number, sizeof number, "%.1f %%", profile_share_pct(profile, symbol));
		table_add(&table, number, NULL);
		snprintf(number, sizeof number, "%llu", (unsigned long long)symbol->samples);
		table_add(&table, number, NULL);
		add_cell(&table, symbol->dso);
		add_cell(&table, symbol->symbol);
	}
	table_render(&table, 2, out);
}

/* Why shares of the two cannot be compared, or NULL. */
static const char *difference(const struct profile *a, const struct profile *b)
{
	if (strcmp(a->event, b->event))
		return "another event";
	if (a->frequency != b->frequency)
		return "another frequency";
	if (a->call_graph != b->call_graph)
		return "another call graph";
	return a->normaliser == b->normaliser ? NULL : "another version of comparable names";
}

bool accepted_profile_comparable(const struct profile *a, const struct profile *b)
{
	return profile_exists(a) && profile_exists(b) && !difference(a, b);
}

struct change {
	const struct profile_symbol *symbol;
	double before_pct, now_pct;
};

struct changes {
	struct change *items;
	size_t n, cap;
};

static void changes_release(struct changes *changes)
{
	free(changes->items);
}

static double size_of(const struct change *change)
{
	return fabs(change->now_pct - change->before_pct);
}

static int by_size(const void *a, const void *b)
{
	double x = size_of(a), y = size_of(b);

	return (x < y) - (x > y);
}

static void add_change(struct changes *changes, const struct profile_symbol *symbol, double before_pct, double now_pct)
{
	const struct change change = { symbol, before_pct, now_pct };

	if (size_of(&change) <= least_pp)
		return;
	VEC_GROW(changes->items, changes->n, changes->cap);
	changes->items[changes->n++] = change;
}

static void find_changes(const struct profile *before, const struct profile *now, struct changes *out)
{
	if (!accepted_profile_comparable(before, now))
		return;
	for (size_t i = 0; i < now->n_symbols; i++) {
		const struct profile_symbol *symbol = &now->symbols[i];

		add_change(out, symbol, profile_share_pct(before, profile_find(before, symbol->key, symbol->dso)),
			   profile_share_pct(now, symbol));
	}
	for (size_t i = 0; i < before->n_symbols; i++) {
		const struct profile_symbol *symbol = &before->symbols[i];

		if (!profile_find(now, symbol->key, symbol->dso))
			add_change(out, symbol, profile_share_pct(before, symbol), 0);
	}
	if (out->n)
		qsort(out->items, out->n, sizeof *out->items, by_size);
}

static void add_changes(struct strbuf *out, size_t indent, const struct changes *changes)
{
	for (size_t i = 0; i < changes->n; i++) {
		const struct change *change = &changes->items[i];

		strbuf_pad(out, ' ', indent);
		strbuf_addf(out, "share %5.1f %% -> %5.1f %%  %+5.1f pp  ", change->before_pct, change->now_pct,
			    change->now_pct - change->before_pct);
		escape_terminal(out, change->symbol->symbol);
		strbuf_adds(out, " (");
		escape_terminal(out, *change->symbol->dso ? change->symbol->dso : "-");
		strbuf_adds(out, ")\n");
	}
}

static void add_why_not(struct strbuf *out, const struct profile *before, const struct profile *now)
{
	if (!profile_exists(now)) {
		strbuf_adds(out, "profile: gone\n");
		return;
	}
	strbuf_adds(out, profile_exists(before) ? "profile: " : "profile: new, ");
	add_samples(out, now);
	if (profile_exists(before))
		strbuf_addf(out, "; its shares cannot be compared with those of %s", difference(before, now));
	strbuf_addc(out, '\n');
}

void accepted_profile_changes_add(struct strbuf *out, size_t indent, const struct profile *before,
				  const struct profile *now)
{
	CLEANUP(changes_release) struct changes changes = { 0 };

	if (!profile_exists(before) && !profile_exists(now))
		return;
	if (!accepted_profile_comparable(before, now)) {
		strbuf_pad(out, ' ', indent);
		add_why_not(out, before, now);
	}
	find_changes(before, now, &changes);
	add_changes(out, indent, &changes);
}

void accepted_profile_changes_json(cJSON *array, const struct profile *before, const struct profile *now)
{
	CLEANUP(changes_release) struct changes changes = { 0 };

	find_changes(before, now, &changes);
	for (size_t i = 0; i < changes.n; i++) {
		const struct change *change = &changes.items[i];
		cJSON *one = json_add_object(array, NULL);

		json_add_string(one, "symbol", change->symbol->symbol);
		json_add_string(one, "dso", change->symbol->dso);
		json_add_number(one, "before_pct", change->before_pct);
		json_add_number(one, "now_pct", change->now_pct);
		json_add_number(one, "change_pp", change->now_pct - change->before_pct);
	}
}

/* -------- accepted stacks */

enum { STACKS_FILE_LARGEST = 256 << 20, PRUNED_FILE_LARGEST = 8 << 20 };

/* "x.json" to "x.folded", for free(). */
static char *folded_beside(const char *json_path)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%.*s.folded", (int)(strlen(json_path) - strlen(".json")), json_path);
	return strbuf_take(&path);
}

static int read_stacks(const struct strbuf *text, struct stacks *out, struct error *err)
{
	if (folded_read(text->buf, text->len, out, err) < 0)
		return -1;
	names_resolve(out);
	return 0;
}

int accepted_stacks_write(const char *out_dir, const char *scenario, const char *json_path, struct error *err)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT, pruned = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = folded_beside(json_path), *dir = out_dir ? file_join(out_dir, scenario) : NULL;
	CLEANUP(free_ptr) char *from = dir ? file_join(dir, "stacks.folded") : NULL;

	if (!from || !file_exists(from)) {
		if (unlink(path) < 0 && errno != ENOENT)
			return error_sys(err, errno, "cannot remove %s, which belongs to an older profile", path);
		return 0;
	}
	if (file_read(from, STACKS_FILE_LARGEST, &text, err) < 0)
		return -1;
	if (read_stacks(&text, &stacks, err) < 0)
		return error_wrap(err, "%s", from);
	flame_tree_prune(&stacks, PRUNED_LEAST_PCT, &pruned);
	strbuf_reset(&text);
	if (folded_write(&pruned, FOLDED_AS_GIVEN, &text, err) < 0)
		return -1;
	return file_write(path, text.buf, text.len, err);
}

/* -------- differences */

struct labels {
	const char *base, *head;
};

/* What brings each side's weight to milliseconds per run, or per unit of work; false where that is unknown. */
static bool find_costs(const struct scenario_result *s, struct flame_options *options)
{
	const struct judgement *clock = NULL;

	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "task-clock"))
			clock = gate_judgement(&s->gates[i]);
	/* Shares are what is left to compare where nobody can tell whether it costs more: then the root is grey. */
	if (!clock || !(clock->baseline > 0) || !(clock->current > 0) || !scenario_result_cost_changed(s))
		return false;
	options->side[FLAME_BASE].factor = clock->baseline;
	options->side[FLAME_HEAD].factor = clock->current;
	return true;
}

static double whole(const struct stacks *stacks)
{
	return stacks->n_events ? stacks->events[0].weight : 0;
}

static int leave_difference(const char *out_dir, struct scenario_result *s, const struct labels *labels,
			    const struct stacks *base, const struct stacks *head, struct error *err)
{
	struct flame_options options = { .title = s->name, .side = { { .label = labels->head }, { .label = labels->base } } };
	CLEANUP(strbuf_release) struct strbuf svg = STRBUF_INIT;
	CLEANUP(free_ptr) char *dir = file_join(out_dir, s->name);
	CLEANUP(free_ptr) char *picture = file_join(dir, "diff.svg");

	if (find_costs(s, &options) && whole(base) > 0 && whole(head) > 0) {
		options.scale = FLAME_ABSOLUTE;
		options.side[FLAME_BASE].factor /= whole(base);
		options.side[FLAME_HEAD].factor /= whole(head);
		options.subtitle = "what a run costs, in milliseconds of task-clock";
		options.count_name = "ms";
	}
	flame_svg(head, base, &options, &svg);
	if (file_write(picture, svg.buf, svg.len, err) < 0)
		return -1;
	s->difference = true;
	return 0;
}

/* What could not be told, or compared, has no picture that says it is so. */
static bool is_open(const struct scenario_result *s)
{
	bool open = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *g = &s->gates[i];
		enum verdict verdict = gate_judgement(g)->verdict;
		bool of_profile = g->gate.metric->kind == KIND_TIME || g->gate.kind != GATE_METRIC;

		open |= of_profile && g->gate.relative && !gate_result_quiet(g) &&
			(verdict == VERDICT_INCONCLUSIVE || verdict == VERDICT_NOT_MEASURED);
		if (verdict == VERDICT_REGRESSION && g->gate.kind != GATE_METRIC)
			return false;
	}
	return open && !scenario_result_cost_changed(s);
}

static int compare(const struct result *result, struct scenario_result *s, const struct stacks *head, struct project *project,
		   struct error *err)
{
	CLEANUP(stacks_release) struct stacks base = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, now = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = folded_beside(s->baseline_path);
	int got = project_read_beside(project, s->name, path, PRUNED_FILE_LARGEST, &text, err);

	if (got != 1 || !head->n_events)
		return got < 0 ? -1 : 0;
	if (read_stacks(&text, &base, err) < 0)
		return -1;
	strbuf_addf(&now, "now%s%s", result->commit ? ", commit " : "", result->commit ?: "");
	return leave_difference(result->out_dir, s, &(struct labels){ s->baseline_label, now.buf }, &base, head, err);
}

static void note_missing(struct scenario_result *s, const struct error *why)
{
	strv_pushf(&s->notes, "there is no picture of the difference (diff.svg): %s", why->msg);
}

void accepted_stacks_compare(struct result *result, const struct stacks *heads, struct project *project)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];
		struct error why = ERROR_INIT;

		/* What pairs were profiled of has its picture, of one machine and one hour. */
		if (!s->baseline_path || s->difference || is_open(s))
			continue;
		if (compare(result, s, &heads[i], project, &why) < 0)
			note_missing(s, &why);
	}
}

void accepted_stacks_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *s)
{
	const struct labels labels = { s->pairing->base.label, s->pairing->head.label };
	struct error why = ERROR_INIT;

	if (base->n_events && head->n_events && !is_open(s) && leave_difference(out_dir, s, &labels, base, head, &why) < 0)
		note_missing(s, &why);
}

/* -------- accepted */

void accepted_init(struct accepted *accepted, const struct baseline *base)
{
	*accepted = (struct accepted){ .base = base };
	if (base)
		settings_define_metrics(&base->settings, &accepted->known);
}

void accepted_release(struct accepted *accepted)
{
	scenario_result_release(&accepted->known);
}

const struct session *accepted_last(const struct baseline *base)
{
	return &base->sessions[base->n_sessions - 1];
}

/* What a window took in all follows from how much its load did: the value per unit of work tells it. */
static bool told_per_work(const struct series_set *series, const struct metric *metric)
{
	CLEANUP(free_ptr) char *twin = metric_per_work_name(metric);

	return metric_grows_with_work(metric) && series_find(series, twin);
}

void accepted_each(struct accepted *accepted, void (*each)(const struct metric *metric, void *ctx), void *ctx)
{
	const struct series_set *series = &accepted_last(accepted->base)->series;

	for (size_t i = 0; i < series->n; i++) {
		const struct metric *metric = scenario_result_metric(&accepted->known, series->items[i].metric);

		if (!told_per_work(series, metric))
			each(metric, ctx);
	}
}

static bool same_unit(const struct metric *a, const struct metric *b)
{
	return a->unit == b->unit && !strcmp(a->label ?: "", b->label ?: "");
}

/* In METRIC's unit; what was accepted in another cannot be told so. */
static double median_of(struct accepted *accepted, const struct metric *metric)
{
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	if (!accepted->base || !same_unit(scenario_result_metric(&accepted->known, metric->name), metric))
		return NAN;
	values = baseline_values(accepted->base, metric->name, &n);
	return n ? stats_median(values, n) : NAN;
}

void metric_change_set(struct accepted *before, const struct metric *metric, double now, struct metric_change *out)
{
	double median = median_of(before, metric);

	*out = (struct metric_change){
		.metric = metric, .before = median, .now = now, .pct = median > 0 ? (now / median - 1) * 100 : NAN,
	};
}

void metric_change_add(struct strbuf *out, const struct scenario_result *known, const struct metric_change *change)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	format_metric(&name, known, change->metric);
	strbuf_addf(&words, "%-32s ", name.buf);
	format_measured(&words, change->before, change->metric);
	strbuf_adds(&words, " -> ");
	format_measured(&words, change->now, change->metric);
	strbuf_adds(&words, "  ");
	format_change(&words, change->pct);
	escape_terminal(out, words.buf);
}
