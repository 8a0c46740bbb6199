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

/* Waiting gets a line if the ratio of wall times exceeds the change of CPU time by this factor */
#define WAITS_FROM 1.2
/* and one side's wall time exceeds this multiple of both sides' CPU time, plus the cost of starting a process. */
#define IDLE_FROM 3
#define IDLE_FROM_MS 10

/* -------- measured values of each command */

struct values {
	double *items;
	size_t n;
};

struct command_row {
	const char *name;
	double median;				/* of the metric, as in the gate's row */
	struct values of, user, system;		/* of the metric that judges it, and both parts of CPU time */
	const struct scenario_result *scenario;	/* the scenario that judged it; NULL: the reference */
};

struct command_rows {
	struct arena arena;
	const struct metric *metric;
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

/* Adds the values of the pairs that the verdict rests on. */
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
	double judged = head ? judgement_of(s)->current : judgement_of(s)->baseline;
	bool first = !row->of.n;

	add_values(rows, &row->of, s, rows->metric, head);
	if (first && isfinite(judged))
		row->median = judged;
	else
		row->median = row->of.n ? stats_median(row->of.items, row->of.n) : NAN;
	add_values(rows, &row->user, s, METRIC(USER_TIME), head);
	add_values(rows, &row->system, s, METRIC(SYSTEM_TIME), head);
}

static struct command_row *add_row(struct command_rows *rows, const char *name)
{
	ARENA_GROW(&rows->arena, rows->items, rows->n, rows->cap);
	rows->items[rows->n] = (struct command_row){ .name = name ?: "?", .median = NAN };
	return &rows->items[rows->n++];
}

/* The reference has one row, with its runs from all comparisons. */
static void collect(const struct result *result, struct command_rows *out)
{
	size_t base = 0;

	*out = (struct command_rows){ .metric = METRIC(CPU_TIME) };
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		struct command_row *head;

		if (!s->paired || !s->n_gates)
			continue;
		out->metric = metric_of(s);
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

static const struct {
	const char *word;
	enum tone tone;
} found[VERDICT_ACCEPTED + 1] = {
	[VERDICT_REGRESSION] = { "SLOWER", TONE_BAD }, [VERDICT_IMPROVEMENT] = { "FASTER", TONE_GOOD }, [VERDICT_PASS] = { "SAME", TONE_PLAIN },
	[VERDICT_INCONCLUSIVE] = { "UNDECIDED", TONE_WARNING }, [VERDICT_NOT_MEASURED] = { "NOT KNOWN", TONE_WARNING },
};

static const char *word_of(enum verdict verdict, const struct metric *metric)
{
	if (metric->unit != UNIT_MS && verdict == VERDICT_REGRESSION)
		return "WORSE";
	if (metric->unit != UNIT_MS && verdict == VERDICT_IMPROVEMENT)
		return "BETTER";
	return found[verdict].word ?: "NOT KNOWN";
}

/* "+19.7 % (at least +18.8 %)" */
static void add_change(struct strbuf *out, const struct scenario_result *s)
{
	const struct judgement *j = judgement_of(s);
	bool higher = metric_of(s)->higher_is_better;
	double worst = higher ? j->low_pct : j->high_pct;

	strbuf_adds(out, format_change(j->change_pct).s);
	if (j->verdict == VERDICT_PASS && isfinite(worst))
		strbuf_addf(out, " (at %s %s, limit %s)", higher ? "least" : "most", format_change(worst).s, format_limit(j->tolerance_pct, false).s);
	else
		format_evidence(out, &s->gates[0]);
}

/* The reference, then a line per command. A name comes last, because it may be long. */
const struct document_table *typed_table(struct arena *arena, const struct result *result)
{
	struct document_table *table = arena_alloc(arena, sizeof *table);
	struct command_rows rows;

	collect(result, &rows);
	*table = (struct document_table){ .first = true, .n_columns = 4 };
	table->columns[0] = (struct document_column){ "", false, false };
	table->columns[1] = (struct document_column){ rows.metric->name, true, true };
	table->columns[2] = (struct document_column){ "change", false, false };
	table->columns[3] = (struct document_column){ "command", false, true };
	for (size_t i = 0; i < rows.n; i++) {
		const struct command_row *row = &rows.items[i];
		enum verdict verdict = row->scenario ? judgement_of(row->scenario)->verdict : VERDICT_PASS;
		CLEANUP(strbuf_release) struct strbuf change = STRBUF_INIT;

		if (row->scenario)
			add_change(&change, row->scenario);
		ARENA_GROW(arena, table->rows, table->n, table->cap);
		table->rows[table->n++] = (struct document_row){
			.cells = { row->scenario ? word_of(verdict, rows.metric) : "against",
				   arena_strdup(arena, isfinite(row->median) ? format_measured(row->median, rows.metric).s : "-"),
				   arena_strdup(arena, change.buf), row->name },
			.tone = row->scenario ? found[verdict].tone : TONE_PLAIN,
		};
	}
	if (table->n && result->n_scenarios > 1)
		table->more = "changes are medians of pairs, not ratios of the medians above";
	arena_release(&rows.arena);
	return table;
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

static void add_json_row(struct strbuf *out, const struct command_row *row, const struct metric *metric)
{
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
		add_json_row(out, &rows.items[i], rows.metric);
	}
	strbuf_adds(out, "\n  ]\n}\n");
	arena_release(&rows.arena);
}

void report_typed_markdown(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	struct command_rows rows;

	(void)options;
	collect(result, &rows);
	strbuf_addf(out, "| Command | Median %s | Min | Max | Relative |\n|:---|---:|---:|---:|---:|\n", rows.metric->name);
	for (size_t i = 0; i < rows.n; i++) {
		const struct command_row *row = &rows.items[i];
		const struct values *of = &row->of;
		double ratio = row->scenario ? 1 + judgement_of(row->scenario)->change_pct / 100 : 1;

		strbuf_adds(out, "| ");
		escape_code_span(out, row->name);
		if (of->n)
			strbuf_addf(out, " | %s \u00b1 %s | %s | %s |", format_measured(row->median, rows.metric).s,
				    format_measured(of->n > 1 ? stats_sd(of->items, of->n) : NAN, rows.metric).s,
				    format_measured(stats_least(of->items, of->n), rows.metric).s,
				    format_measured(stats_most(of->items, of->n), rows.metric).s);
		else
			strbuf_adds(out, " | - | - | - |");
		strbuf_addf(out, " %s |\n", isfinite(ratio) ? format_short("%.2f", ratio).s : "-");
	}
	arena_release(&rows.arena);
}
