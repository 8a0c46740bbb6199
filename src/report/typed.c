#include "report/typed.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/pairs.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/commands.h"
#include "report/document.h"
#include "report/numbers.h"
#include "report/pairs.h"
#include "report/report.h"
#include "report/terminal.h"
#include "stats/stats.h"

enum { WIDTH = 80, MARGIN = 11 };
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

/* -------- a table, and what is below it */

static const struct {
	const char *word;
	const char *style;
} found[VERDICT_ACCEPTED + 1] = {
	[VERDICT_REGRESSION] = { "SLOWER", "1;31" }, [VERDICT_IMPROVEMENT] = { "FASTER", "1;32" }, [VERDICT_PASS] = { "SAME", "1" },
	[VERDICT_INCONCLUSIVE] = { "UNDECIDED", "1;33" }, [VERDICT_NOT_MEASURED] = { "NOT KNOWN", "1;33" },
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
	double worst = higher ? j->low_pct : j->high_pct, least = higher ? j->high_pct : j->low_pct;
	double sure = j->verdict == VERDICT_REGRESSION ? least : worst;

	strbuf_adds(out, format_change(j->change_pct).s);
	if (j->verdict == VERDICT_PASS && isfinite(worst))
		strbuf_addf(out, " (at %s %s, limit %g %%)", higher ? "least" : "most", format_change(worst).s, j->tolerance_pct);
	else if ((j->verdict == VERDICT_REGRESSION || j->verdict == VERDICT_IMPROVEMENT) && isfinite(sure))
		strbuf_addf(out, " (at least %s)", format_change(sure).s);
	else if (isfinite(j->low_pct) || isfinite(j->high_pct))
		strbuf_addf(out, " (%s)", format_interval(j->low_pct, j->high_pct).s);
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

/* Adds a line on waiting, which CPU time does not show. Nothing if wall time is judged or unknown. */
static bool add_waiting(struct strbuf *out, const struct scenario_result *s)
{
	const struct side_result *head = scenario_result_measured(s);
	double base_ms = median_of_both(&s->base), head_ms = median_of_both(head), ratio = head_ms / base_ms;
	double change = judgement_of(s)->change_pct / 100, more = fmax(change, 0), less = fmin(change, 0);
	double used_ms = side_result_median(&s->base, METRIC(CPU_TIME)) + side_result_median(head, METRIC(CPU_TIME));

	if (!(ratio > 0) || metric_of(s)->unit != UNIT_MS || metric_of(s) == METRIC(WALL_TIME) ||
	    (ratio < (1 + more) * WAITS_FROM && ratio > (1 + less) / WAITS_FROM) || !(fmax(base_ms, head_ms) > IDLE_FROM * used_ms + IDLE_FROM_MS))
		return false;
	strbuf_addf(out, "%s took %.2f times the wall time (%s, then %s, both at once); only CPU time was judged. Use --metric wall-time", head->label, ratio, format_value(base_ms, UNIT_MS).s, format_value(head_ms, UNIT_MS).s);
	return true;
}

static void add_line(struct strbuf *out, const struct report_options *options, const char *word, const char *style, const char *text)
{
	size_t len = strlen(word);

	text_styled(out, word, options->color ? style : NULL);
	strbuf_pad(out, ' ', len < MARGIN ? MARGIN - len : 1);
	prose_add(out, text, MARGIN, options->width > WIDTH ? options->width : WIDTH);
}

/* The reference, then a line per command. A name comes last, because it may be long. */
static void add_table(struct strbuf *out, const struct command_rows *rows, const struct report_options *options)
{
	struct table table;

	table_init(&table, "lrll");
	table_add(&table, "", NULL);
	table_add(&table, rows->metric->name, options->color ? "2" : NULL);
	table_add(&table, "change", options->color ? "2" : NULL);
	table_add(&table, "command", options->color ? "2" : NULL);
	for (size_t i = 0; i < rows->n; i++) {
		const struct command_row *row = &rows->items[i];
		enum verdict verdict = row->scenario ? judgement_of(row->scenario)->verdict : VERDICT_PASS;
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, change = STRBUF_INIT;

		escape_terminal(&name, row->name);
		if (row->scenario)
			add_change(&change, row->scenario);
		table_add(&table, row->scenario ? word_of(verdict, rows->metric) : "against", options->color && row->scenario ? found[verdict].style : NULL);
		table_add(&table, isfinite(row->median) ? format_measured(row->median, rows->metric).s : "-", NULL);
		table_add(&table, change.buf, NULL);
		table_add(&table, name.buf, NULL);
	}
	table_render(&table, 0, out);
	table_release(&table);
}

/* -------- how it was measured, and what to do next */

static void add_facts(struct strbuf *out, const struct scenario_result *s, const struct report_options *options)
{
	const struct pairing *p = &s->pairing;
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT, waiting = STRBUF_INIT;

	strbuf_addf(&facts, "%zu of at most %u, %s", scenario_result_pairs(s), p->pairs_most ?: PAIRS_MOST,
		    p->way == PAIR_IN_TURN ? "one after the other" : "both at once on one CPU");
	if (p->batch > 1)
		strbuf_addf(&facts, "; a value is the mean of %u runs", p->batch);
	if (p->apart)
		strbuf_addf(&facts, "; not both at once, since %s", p->apart);
	add_line(out, options, "pairs", NULL, facts.buf);
	if (judgement_of(s)->reason)
		add_line(out, options, "why", NULL, judgement_of(s)->reason);
	if (s->paired && s->n_causes)
		add_line(out, options, "cause", "1", s->causes[0].sentence);
	if (add_waiting(&waiting, s))
		add_line(out, options, "note", "1;33", waiting.buf);
	for (size_t k = 0; k < s->head.notes.n; k++)
		add_line(out, options, "note", NULL, s->head.notes.items[k]);
}

static void add_commands(struct strbuf *out, const struct result *result, const struct report_options *options)
{
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT, report = STRBUF_INIT;

	command_again(&again, result, NULL);
	add_line(out, options, "again", NULL, again.buf);
	if (result->status == STATUS_REGRESSION && !strv_has(&result->command, "--explain"))
		add_line(out, options, "cause", NULL, "the same with --explain");
	if (!result->out_dir)
		return;
	strbuf_addf(&report, "%s/report.html", result->out_dir);
	add_line(out, options, "report", NULL, report.buf);
}

void report_typed(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	struct command_rows rows;

	collect(result, &rows);
	add_table(out, &rows, options);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (result->scenarios[i].n_gates)
			add_facts(out, &result->scenarios[i], options);
	if (result->n_scenarios > 1)
		add_line(out, options, "", NULL, "changes are medians of pairs, not ratios of the medians above");
	add_commands(out, result, options);
	if (options->verbose) {
		strbuf_addc(out, '\n');
		report_text(result, options, out);
	}
	arena_release(&rows.arena);
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
