#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/columns.h"
#include "report/format.h"
#include "report/html_parts.h"
#include "report/markup.h"
#include "report/pairs.h"
#include "stats/order.h"

/* Where the strip of runs stands: before the verdict, which is last. */
enum { VERDICT_COLUMN = GATE_COLUMNS - 1 };

static void begin_table(struct strbuf *out, const struct scenario_result *scenario, const char *class,
			const char *caption)
{
	strbuf_addf(out, "<table class=\"%s\"><caption>%s: %s</caption>\n<thead><tr>", class,
		    scenario->attached ? "Windows" : "Runs", caption);
}

static void add_head(struct strbuf *out, const char *title, bool right)
{
	strbuf_addf(out, "<th scope=\"col\"%s>%s</th>", right ? " class=\"number\"" : "", title);
}

/* A narrow screen has no head over a cell: the title goes with it. */
static void begin_cell(struct strbuf *out, const char *title, const char *class)
{
	strbuf_addf(out, "<td data-title=\"%s\" class=\"%s\">", title, class);
}

/* Gates */

/* How far the tolerance lets the value go, on the side that is worse. */
static void set_limits(const struct scenario_result *scenario, const struct gate_result *result,
		       struct html_strip *strip)
{
	const struct judgement *j = gate_judgement(result);
	const struct gate *gate = &result->gate;
	double room = fmax(fabs(j->baseline) * j->tolerance_pct / 100, scenario_result_least(scenario, &j->ref, j->pairs));

	strip->at_most = gate->max;
	strip->at_least = gate->min;
	if (!gate->relative)
		return;
	if (gate->metric->higher_is_better)
		strip->at_least = fmax(strip->at_least, j->baseline - room);
	else
		strip->at_most = fmin(strip->at_most, j->baseline + room);
}

/* A dot a pair: the head's value divided by the base's, around 1. */
static void add_ratios(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	static const struct metric ratio = {.name = "ratio", .unit = UNIT_RATIO};
	struct html_strip strip = {
		.metric = &ratio, .baseline = 1, .base = "no change", .at_most = NAN, .at_least = NAN, .runs = "pairs"};
	CLEANUP(free_ptr) double *values = pairs_ratios(scenario, gate, &strip.n);
	double tolerated = gate_judgement(gate)->tolerance_pct / 100;

	strip.values = values;
	if (gate->gate.relative && gate->gate.metric->higher_is_better)
		strip.at_least = 1 - tolerated;
	else if (gate->gate.relative)
		strip.at_most = 1 + tolerated;
	begin_cell(out, "pairs", strip.n ? "runs" : "runs none");
	html_strip(out, &strip);
	strbuf_adds(out, "</td>");
}

static void add_strip(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	struct html_strip strip = {.metric = gate->gate.metric, .baseline = gate_judgement(gate)->baseline};
	CLEANUP(free_ptr) char *series = metric_ref_name(&gate_judgement(gate)->ref);
	CLEANUP(free_ptr) double *values = scenario_result_values(scenario, series, &strip.n);

	strip.values = values;
	strip.runs = scenario_result_runs(scenario, strip.n);
	set_limits(scenario, gate, &strip);
	begin_cell(out, scenario_result_runs(scenario, 2), strip.n ? "runs" : "runs none");
	html_strip(out, &strip);
	strbuf_adds(out, "</td>");
}

/* What holds nothing takes no place on a narrow screen. */
static const char *class_of(const struct gate_column *column, const struct strbuf *cell)
{
	bool none = !strcmp(cell->buf, "-");

	if (column->right)
		return none ? "number none" : "number";
	return none ? "none" : "words";
}

static void add_cell(struct strbuf *out, size_t at, const struct scenario_result *scenario,
		     const struct gate_result *gate)
{
	const struct gate_column *column = &gate_columns[at];
	CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;

	column->add(&cell, scenario, gate);
	if (column == &gate_columns[0])
		strbuf_adds(out, "<th scope=\"row\">");
	else
		begin_cell(out, gate_column_title(at, scenario), class_of(column, &cell));
	markup_text(out, cell.buf);
	strbuf_adds(out, column == &gate_columns[0] ? "</th>" : "</td>");
}

static void add_row(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	enum standing standing = standing_of_gate(gate);
	enum tone tone = gate_is_shown(gate) ? TONE_PLAIN : standing_tone(standing);

	strbuf_addf(out, "<tr class=\"%s\">", html_tone(tone));
	for (size_t i = 0; i < VERDICT_COLUMN; i++)
		add_cell(out, i, scenario, gate);
	(gate_judgement(gate)->pairs ? add_ratios : add_strip)(out, scenario, gate);
	begin_cell(out, gate_columns[VERDICT_COLUMN].title, "verdict");
	if (gate_is_shown(gate))
		html_tag(out, "shown", TONE_PLAIN);
	else
		html_tag_of(out, standing);
	strbuf_adds(out, "</td></tr>\n");
}

static size_t count_shown(const struct scenario_result *scenario)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		n += !standing_follows(scenario, &scenario->gates[i]);
	return n;
}

static void begin_gates(struct strbuf *out, const struct scenario_result *scenario)
{
	static const char alone[] = "a dot each, the first on top. Solid line: the baseline. Shaded up to the dashed line: "
				    "what is tolerated.";
	static const char both[] = "a dot each, the first on top. Solid line: the baseline. Shaded up to the dashed line: "
				   "what is tolerated. Of a gate in pairs, a dot is a pair: the head's value divided by the "
				   "base's, and the solid line is no change.";

	if (pairs_only(scenario))
		strbuf_adds(out, "<table class=\"gates\"><caption>Pairs: a dot each, the first on top: the head's value divided "
				 "by the base's. Solid line: no change. Shaded up to the dashed line: what is tolerated. Behind a "
				 "median, how far single values spread.</caption>\n<thead><tr>");
	else
		begin_table(out, scenario, "gates", scenario->pairing ? both : alone);
}

void html_gates(struct strbuf *out, const struct scenario_result *scenario)
{
	size_t n_shown;
	CLEANUP(free_ptr) struct gate_result *shown = pairs_shown(scenario, false, &n_shown);

	if (!count_shown(scenario) && !n_shown)
		return;
	begin_gates(out, scenario);
	for (size_t i = 0; i < VERDICT_COLUMN; i++)
		add_head(out, gate_column_title(i, scenario), gate_columns[i].right);
	add_head(out, pairs_only(scenario) ? "pairs" : scenario_result_runs(scenario, 2), false);
	add_head(out, gate_columns[VERDICT_COLUMN].title, false);
	strbuf_adds(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (!standing_follows(scenario, &scenario->gates[i]))
			add_row(out, scenario, &scenario->gates[i]);
	for (size_t i = 0; i < n_shown; i++)
		add_row(out, scenario, &shown[i]);
	strbuf_adds(out, "</tbody></table>\n");
}

/* What no gate shows */

static bool has_row(const struct scenario_result *scenario, const char *metric)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(free_ptr) char *series = metric_ref_name(&gate_judgement(&scenario->gates[i])->ref);

		if (!strcmp(series, metric) && !standing_follows(scenario, &scenario->gates[i]))
			return true;
	}
	return false;
}

static void add_number(struct strbuf *out, const char *title, double value, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	begin_cell(out, title, "number");
	format_measured(&text, value, metric);
	markup_text(out, text.buf);
	strbuf_adds(out, "</td>");
}

/* The ends of the strip stand beside it: without a baseline nothing else gives it a scale. */
static void add_values(struct strbuf *out, const struct scenario_result *scenario, const struct metric *metric,
		       double *values, size_t n)
{
	struct html_strip strip = {
		.values = values, .n = n, .runs = scenario_result_runs(scenario, n), .metric = metric,
		.baseline = NAN, .at_most = NAN, .at_least = NAN};
	CLEANUP(strbuf_release) struct strbuf drawn = STRBUF_INIT;

	html_strip(&drawn, &strip);
	stats_sort(values, n);
	add_number(out, "median", stats_median_sorted(values, n), metric);
	add_number(out, "least", values[0], metric);
	begin_cell(out, scenario_result_runs(scenario, 2), "runs");
	strbuf_addf(out, "%s</td>", drawn.buf);
	add_number(out, "most", values[n - 1], metric);
}

static void add_other(struct strbuf *out, const struct scenario_result *scenario, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	size_t n;
	CLEANUP(free_ptr) double *values = scenario_result_values(scenario, metric->name, &n);

	if (!n)
		return;
	format_metric(&name, scenario, metric);
	strbuf_adds(out, "<tr><th scope=\"row\">");
	markup_text(out, name.buf);
	strbuf_adds(out, "</th>");
	add_values(out, scenario, metric, values, n);
	strbuf_adds(out, "</tr>\n");
}

void html_others(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf rows = STRBUF_INIT;

	for (size_t i = 0; i < scenario->n_metrics; i++)
		if (!has_row(scenario, scenario->metrics[i]->name))
			add_other(&rows, scenario, scenario->metrics[i]);
	if (!rows.len)
		return;
	strbuf_adds(out, "<details><summary>Also measured, without a gate</summary>\n");
	begin_table(out, scenario, "gates others", "a dot each, the first on top, from the least value to the most.");
	add_head(out, "metric", false);
	add_head(out, "median", true);
	add_head(out, "least", true);
	add_head(out, scenario_result_runs(scenario, 2), false);
	add_head(out, "most", true);
	strbuf_addf(out, "</tr></thead>\n<tbody>\n%s</tbody></table>\n</details>\n", rows.buf);
}
