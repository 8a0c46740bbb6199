#include "report/typed.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/pairs.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/document.h"
#include "model/metrics/numbers.h"
#include "report/pairs.h"
#include "report/words.h"
#include "stats/stats.h"

/*
 * Waiting gets a line if the ratio of wall times exceeds the change of CPU time by WAITS_FROM, and a side's wall time
 * is more than IDLE_FROM times both sides' CPU time, plus the cost of starting a process.
 */
#define WAITS_FROM 1.2
#define IDLE_FROM 3
#define IDLE_FROM_MS 10

/* -------- measured values of each command */

struct values {
	double *items;
	size_t n;
};

struct command_row {
	const char *name;
	const struct metric *metric;		/* the metric that judges it */
	double median;				/* of it, as in the gate's row */
	double cpu_ms, wall_ms;			/* medians; NaN: unknown */
	struct values of, user, system;		/* of the metric, and both parts of CPU time */
	const struct scenario_result *scenario;	/* the scenario that judged it; NULL: the reference */
};

struct command_rows {
	struct arena arena;
	struct command_row *items;
	size_t n, cap;
};

static const struct judgement *judgement_of(const struct scenario_result *s)
{
	return gate_judgement(&s->gates[0]);
}

static const struct metric *metric_of(const struct scenario_result *s)
{
	return judgement_of(s)->metric ?: s->gates[0].gate.metric;
}

static void add_values(struct command_rows *rows, struct values *out, const struct scenario_result *s, const struct metric *metric,
		       bool head)
{
	CLEANUP(free_ptr) double *base_values = NULL, *head_values = NULL;
	size_t n = pairs_values(s, metric, judgement_of(s)->pairs ?: scenario_result_pairs(s), &base_values, &head_values);
	double *all = arena_alloc(&rows->arena, (out->n + n + 1) * sizeof *all);

	for (size_t i = 0; i < out->n; i++)
		all[i] = out->items[i];
	for (size_t i = 0; i < n; i++)
		all[out->n + i] = head ? head_values[i] : base_values[i];
	out->n += n;
	out->items = all;
}

static void add_side(struct command_rows *rows, struct command_row *row, const struct scenario_result *s, bool head)
{
	const struct side_result *side = head ? scenario_result_measured(s) : &s->base;
	double judged = head ? judgement_of(s)->current : judgement_of(s)->baseline;
	bool first = !row->of.n;

	row->metric = row->metric ?: metric_of(s);
	add_values(rows, &row->of, s, row->metric, head);
	if (first && isfinite(judged))
		row->median = judged;
	else
		row->median = row->of.n ? stats_median(row->of.items, row->of.n) : NAN;
	add_values(rows, &row->user, s, METRIC(USER_TIME), head);
	add_values(rows, &row->system, s, METRIC(SYSTEM_TIME), head);
	if (!first)
		return;
	row->cpu_ms = row->metric == METRIC(CPU_TIME) ? row->median : side_result_median(side, METRIC(CPU_TIME));
	row->wall_ms = row->metric == METRIC(WALL_TIME) ? row->median : side_result_median(side, METRIC(WALL_TIME));
	if (!isfinite(row->wall_ms) && side->alone_ms > 0)
		row->wall_ms = side->alone_ms;
}

static struct command_row *add_row(struct command_rows *rows, const char *name)
{
	ARENA_GROW(&rows->arena, rows->items, rows->n, rows->cap);
	rows->items[rows->n] = (struct command_row){ .name = name ?: "?", .median = NAN, .cpu_ms = NAN, .wall_ms = NAN };
	return &rows->items[rows->n++];
}

/* The reference has one row for all comparisons. */
static void collect(const struct result *result, struct command_rows *out)
{
	size_t base = 0;

	*out = (struct command_rows){ 0 };
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		struct command_row *head;

		if (!s->paired || !s->n_gates)
			continue;
		if (!out->n || !text_same(out->items[base].name, s->base.label)) {
			base = out->n;
			add_row(out, s->base.label);
		}
		add_side(out, &out->items[base], s, false);
		head = add_row(out, scenario_result_measured(s)->label);
		head->scenario = s;
		add_side(out, head, s, true);
	}
}

/* -------- the table of a terminal */

static const char *cell(struct arena *arena, double value, const struct metric *metric)
{
	return isfinite(value) ? arena_strdup(arena, format_measured(value, metric).s) : "-";
}

const struct document_table *typed_table(struct arena *arena, const struct result *result)
{
	struct document_table *table = arena_alloc(arena, sizeof *table);
	const struct metric *more = NULL;
	struct command_rows rows;

	collect(result, &rows);
	for (size_t i = 0; i < rows.n; i++)
		if (rows.items[i].metric != METRIC(CPU_TIME) && rows.items[i].metric != METRIC(WALL_TIME))
			more = rows.items[i].metric;
	*table = (struct document_table){ .first = true };
	if (more)
		table->columns[table->n_columns++] = (struct document_column){ more->name, true, true };
	table->columns[table->n_columns++] = (struct document_column){ "CPU time", true, true };
	table->columns[table->n_columns++] = (struct document_column){ "wall time", true, true };
	table->columns[table->n_columns++] = (struct document_column){ " command", false, true };
	for (size_t i = 0; i < rows.n; i++) {
		const struct command_row *row = &rows.items[i];
		struct document_row *out;
		size_t at = 0;

		out = ARENA_ADD(arena, table->rows, table->n, table->cap);
		*out = (struct document_row){ .tone = TONE_PLAIN };
		if (more)
			out->cells[at++] = cell(arena, row->median, more);
		out->cells[at++] = cell(arena, row->cpu_ms, METRIC(CPU_TIME));
		out->cells[at++] = cell(arena, row->wall_ms, METRIC(WALL_TIME));
		out->cells[at++] = arena_printf(arena, " %s", row->name);
	}
	arena_release(&rows.arena);
	return table;
}

/* -------- the answer */

/* "slower", "faster"; "more max-rss", "less ipc". */
static void add_direction(struct strbuf *out, const struct metric *metric, bool worse)
{
	if (metric->kind == KIND_TIME)
		strbuf_adds(out, worse ? "slower" : "faster");
	else
		strbuf_addf(out, "%s %s", worse != metric->higher_is_better ? "more" : "less", metric->name);
}

static void add_bound(struct strbuf *out, const struct judgement *j, double bound)
{
	strbuf_adds(out, " (");
	if (isfinite(bound))
		strbuf_addf(out, "at least %s, ", format_percent(fabs(bound)).s);
	strbuf_addf(out, "limit %s)", format_limit(j->tolerance_pct, false).s);
}

/* Adds "wall time changed by -3.0 % to +9.0 % after 60 pairs (limit 5 %)". */
static void add_interval(struct strbuf *out, const struct scenario_result *s)
{
	const struct judgement *j = judgement_of(s);

	format_subject(out, s, &s->gates[0]);
	strbuf_addf(out, " changed by %s after %u pairs (limit %s)",
		    isfinite(j->low_pct) && isfinite(j->high_pct) ? format_gate_interval(&s->gates[0]).s : format_change(j->change_pct).s,
		    j->pairs, format_limit(j->tolerance_pct, false).s);
}

enum tone typed_answer(struct strbuf *out, const struct scenario_result *s, bool only)
{
	const struct judgement *j = judgement_of(s);
	const struct metric *metric = metric_of(s);
	const char *head = scenario_result_measured(s)->label ?: "?", *base = s->base.label ?: "?";
	bool worse = j->verdict == VERDICT_REGRESSION, falls = (j->change_pct < 0);
	double most = metric->higher_is_better ? j->low_pct : j->high_pct, least = metric->higher_is_better ? j->high_pct : j->low_pct;

	if (worse || j->verdict == VERDICT_IMPROVEMENT) {
		strbuf_addf(out, "%s %s %s ", head, metric->kind == KIND_TIME ? "is" : "has", format_percent(fabs(j->change_pct)).s);
		add_direction(out, metric, worse);
		strbuf_addf(out, " than %s", base);
		add_bound(out, j, falls ? j->high_pct : j->low_pct);
		return worse ? TONE_BAD : TONE_GOOD;
	}
	if (!only)
		strbuf_addf(out, "%s: ", head);
	/* A pass with a reason is a change too small to count. */
	if (j->verdict == VERDICT_PASS && fabs(least) > j->tolerance_pct && !j->reason) {
		strbuf_adds(out, "not ");
		add_direction(out, metric, true);
		strbuf_adds(out, ": ");
		add_interval(out, s);
		return TONE_PLAIN;
	}
	if (j->verdict == VERDICT_PASS) {
		/* A negative bound excludes that it is slower at all. */
		bool better = metric->higher_is_better ? most > 0 : most < 0;

		strbuf_adds(out, "no difference: ");
		if (better)
			add_direction(out, metric, false);
		strbuf_adds(out, better ? " by about " : "at most ");
		strbuf_addf(out, "%s (limit %s)", format_percent(fabs(better ? j->change_pct : most)).s, format_limit(j->tolerance_pct, false).s);
		return TONE_PLAIN;
	}
	if (j->verdict != VERDICT_INCONCLUSIVE) {
		strbuf_addf(out, "not measured: %s", j->reason ?: "unknown");
		return TONE_WARNING;
	}
	strbuf_adds(out, "undecided: ");
	add_interval(out, s);
	return TONE_WARNING;
}

static double median_of_both(const struct side_result *side)
{
	CLEANUP(free_ptr) double *values = xcalloc(side->n_runs + 1, sizeof *values);
	size_t n = 0;

	for (size_t i = 0; i < side->n_runs; i++)
		if (side->runs[i].both_ms > 0)
			values[n++] = side->runs[i].both_ms;
	return n ? stats_median(values, n) : NAN;
}

void typed_waiting(struct strbuf *out, const struct scenario_result *s)
{
	const struct side_result *head = scenario_result_measured(s);
	double base_ms = median_of_both(&s->base), head_ms = median_of_both(head), ratio = head_ms / base_ms, change, used_ms;

	if (!(ratio > 0) || !s->n_gates || metric_of(s)->unit != UNIT_MS || metric_of(s) == METRIC(WALL_TIME))
		return;
	change = judgement_of(s)->change_pct / 100;
	used_ms = side_result_median(&s->base, METRIC(CPU_TIME)) + side_result_median(head, METRIC(CPU_TIME));
	if ((ratio < (1 + fmax(change, 0)) * WAITS_FROM && ratio > (1 + fmin(change, 0)) / WAITS_FROM) ||
	    !(fmax(base_ms, head_ms) > IDLE_FROM * used_ms + IDLE_FROM_MS))
		return;
	strbuf_addf(out, "%s took %.2f times the wall time (%s, then %s, both at once); only CPU time was judged. Use --metric wall-time",
		    head->label, ratio, format_value(base_ms, UNIT_MS).s, format_value(head_ms, UNIT_MS).s);
}

/* -------- for other programs */

#define MS_IN_S 1e3

static double in_seconds(const struct metric *metric, double value)
{
	return metric->unit == UNIT_MS ? value / MS_IN_S : value;
}

static void add_json_number(struct strbuf *out, const char *key, double value)
{
	if (isfinite(value))
		strbuf_addf(out, "      \"%s\": %.9g,\n", key, value);
	else
		strbuf_addf(out, "      \"%s\": null,\n", key);
}

static double mean_or_nan(const struct values *values)
{
	return values->n ? stats_mean(values->items, values->n) : NAN;
}

static void add_json_row(struct strbuf *out, const struct command_row *row)
{
	const struct metric *metric = row->metric;
	const struct values *of = &row->of;
	bool any = of->n > 0;

	strbuf_adds(out, "    {\n      \"command\": ");
	escape_json(out, row->name);
	strbuf_addf(out, ",\n      \"metric\": \"%s\",\n", metric->name);
	if (metric->unit != UNIT_MS)
		strbuf_addf(out, "      \"unit\": \"%s\",\n", metric_unit_names[metric->unit]);
	add_json_number(out, "mean", in_seconds(metric, mean_or_nan(of)));
	add_json_number(out, "stddev", of->n > 1 ? in_seconds(metric, stats_sd(of->items, of->n)) : NAN);
	add_json_number(out, "median", in_seconds(metric, row->median));
	add_json_number(out, "user", mean_or_nan(&row->user) / MS_IN_S);
	add_json_number(out, "system", mean_or_nan(&row->system) / MS_IN_S);
	add_json_number(out, "min", any ? in_seconds(metric, stats_least(of->items, of->n)) : NAN);
	add_json_number(out, "max", any ? in_seconds(metric, stats_most(of->items, of->n)) : NAN);
	strbuf_adds(out, "      \"times\": [");
	for (size_t i = 0; i < of->n; i++)
		strbuf_addf(out, "%s%.9g", i ? ", " : "", in_seconds(metric, of->items[i]));
	strbuf_adds(out, "],\n      \"exit_codes\": [");
	for (size_t i = 0; i < of->n; i++)
		strbuf_adds(out, i ? ", 0" : "0");
	strbuf_adds(out, "]\n    }");
}

void report_typed_json(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	struct command_rows rows;

	(void)options;
	collect(result, &rows);
	strbuf_adds(out, "{\n  \"results\": [\n");
	for (size_t i = 0; i < rows.n; i++) {
		strbuf_adds(out, i ? ",\n" : "");
		add_json_row(out, &rows.items[i]);
	}
	strbuf_adds(out, "\n  ]\n}\n");
	arena_release(&rows.arena);
}

void report_typed_markdown(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	struct command_rows rows;

	(void)options;
	collect(result, &rows);
	strbuf_addf(out, "| Command | Median %s | Min | Max | Relative |\n|:---|---:|---:|---:|---:|\n", rows.n ? rows.items[0].metric->name : "");
	for (size_t i = 0; i < rows.n; i++) {
		const struct command_row *row = &rows.items[i];
		const struct values *of = &row->of;
		double ratio = row->scenario ? 1 + judgement_of(row->scenario)->change_pct / 100 : 1;

		strbuf_adds(out, "| ");
		escape_code_span(out, row->name);
		if (of->n)
			strbuf_addf(out, " | %s \u00b1 %s | %s | %s |", format_measured(row->median, row->metric).s,
				    format_measured(of->n > 1 ? stats_sd(of->items, of->n) : NAN, row->metric).s,
				    format_measured(stats_least(of->items, of->n), row->metric).s,
				    format_measured(stats_most(of->items, of->n), row->metric).s);
		else
			strbuf_adds(out, " | - | - | - |");
		strbuf_addf(out, " %s |\n", isfinite(ratio) ? format_short("%.2f", ratio).s : "-");
	}
	arena_release(&rows.arena);
}
