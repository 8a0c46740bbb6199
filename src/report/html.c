/*
 * A report as one page that loads and runs nothing. Foreign text is escaped wherever it enters; ids and classes are never
 * made of it. What colour says is always said by a word and a sign too.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/report.h"
#include "stats/stats.h"

/* So many scenarios that passed are shown in full when nothing else asks for attention. */
enum { OPEN_MOST = 6 };

/* Lines of a failed target's output that are quoted. */
enum { LOG_LINES = 40 };

const char html_style[] =
#include <embedded/report.css.inc>
	;

/* -------- pieces */

void markup_lines(struct strbuf *out, const char *text)
{
	while (true) {
		size_t len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *line = xstrndup(text, len);

		escape_html(out, line);
		if (!text[len])
			return;
		strbuf_addc(out, '\n');
		text += len + 1;
	}
}

void markup_attribute(struct strbuf *out, const char *name, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, " %s=\"", name);
	escape_html(out, text);
	strbuf_addc(out, '"');
}

const char *html_tone(enum tone tone)
{
	static const char *const classes[] = {
		[TONE_PLAIN] = "plain",
		[TONE_GOOD] = "good",
		[TONE_WARNING] = "doubt",
		[TONE_BAD] = "bad",
	};

	return classes[tone];
}

/* WORD as a tag of that tone, with its sign. */
static void add_tag(struct strbuf *out, const char *word, enum tone tone)
{
	static const char *const signs[] = {
		[TONE_PLAIN] = "\u2022",
		[TONE_GOOD] = "\u2713",
		[TONE_WARNING] = "!",
		[TONE_BAD] = "\u2717",
	};

	strbuf_addf(out, "<span class=\"tag %s\"><span aria-hidden=\"true\">%s</span> %s</span>", html_tone(tone), signs[tone],
		    word);
}

static void add_severity(struct strbuf *out, enum severity severity)
{
	add_tag(out, severity_word(severity), severity_tone(severity));
}

void html_command(struct strbuf *out, const char *command)
{
	strbuf_adds(out, "<code class=\"command\">");
	escape_html(out, command);
	strbuf_adds(out, "</code>");
}

static void add_value(struct strbuf *out, const struct block *block)
{
	bool code = block_styles[block->kind].form == FORM_CODE;

	if (block->link) {
		strbuf_adds(out, "<a");
		markup_attribute(out, "href", block->link);
		strbuf_addc(out, '>');
	}
	strbuf_adds(out, code ? "<code>" : "");
	(code ? escape_html : markup_lines)(out, block->text);
	strbuf_adds(out, code ? "</code>" : "");
	strbuf_adds(out, block->link ? "</a>" : "");
}

/* A list of what a block is called and what it says; one name serves all that follow each other under it. */
static void add_terms(struct strbuf *out, const char *class, const struct blocks *blocks, unsigned parts)
{
	const char *before = "";
	const struct block *block;

	if (!blocks_has(blocks, parts))
		return;
	strbuf_addf(out, "<dl class=\"%s\">\n", class);
	for (size_t i = 0; (block = blocks_next(blocks, parts, &i)); before = block->label) {
		if (strcmp(block->label, before))
			strbuf_addf(out, "<dt>%s</dt>", block->label);
		strbuf_adds(out, "<dd>");
		add_value(out, block);
		strbuf_adds(out, "</dd>\n");
	}
	strbuf_adds(out, "</dl>\n");
}

/* -------- a strip of values */

/* In pixels of the drawing. */
enum { WIDTH = 132, HEIGHT = 30, MARGIN = 5 };

/* More dots than these only cover each other; which are left out follows from their order alone. */
enum { DOTS_MOST = 120 };

struct axis {
	double low, high;
};

static void axis_take(struct axis *axis, double value)
{
	if (!isfinite(value))
		return;
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

static struct axis axis_of(const struct html_strip *strip)
{
	struct axis axis = {strip->values[0], strip->values[0]};
	double least;

	for (size_t i = 1; i < strip->n; i++)
		axis_take(&axis, strip->values[i]);
	axis_take(&axis, strip->baseline);
	axis_take(&axis, strip->at_most);
	axis_take(&axis, strip->at_least);
	least = fabs(axis.low + axis.high) / 2 / 100;
	if (least == 0)
		least = 1;
	if (axis.high - axis.low < least) {
		double middle = (axis.low + axis.high) / 2;

		axis = (struct axis){middle - least / 2, middle + least / 2};
	}
	return axis;
}

static double x_of(const struct axis *axis, double value)
{
	return MARGIN + (WIDTH - 2 * MARGIN) * ((value - axis->low) / (axis->high - axis->low));
}

static void strip_line(struct strbuf *out, const struct axis *axis, const char *class, double value)
{
	if (isfinite(value))
		strbuf_addf(out, "<path class=\"%s\" d=\"M%.1f 0V%d\"/>", class, x_of(axis, value), HEIGHT);
}

/* What is tolerated is shaded, so that whatever lies outside stands out without any colour. */
static void strip_room(struct strbuf *out, const struct html_strip *strip, const struct axis *axis)
{
	double left = isfinite(strip->at_least) ? x_of(axis, strip->at_least) : 0;
	double right = isfinite(strip->at_most) ? x_of(axis, strip->at_most) : WIDTH;

	if (!isfinite(strip->at_least) && !isfinite(strip->at_most))
		return;
	if (right > left)
		strbuf_addf(out, "<rect class=\"room\" x=\"%.1f\" width=\"%.1f\" height=\"%d\"/>", left, right - left,
			    HEIGHT);
}

static size_t dots_of(const struct html_strip *strip)
{
	return strip->n > DOTS_MOST ? DOTS_MOST : strip->n;
}

/* Strokes without length, whose round ends are the dots: a few bytes each. */
static void strip_dots(struct strbuf *out, const struct html_strip *strip, const struct axis *axis)
{
	size_t dots = dots_of(strip);
	double step = dots > 1 ? (HEIGHT - 2.0 * MARGIN) / (double)(dots - 1) : 0;
	double top = dots > 1 ? MARGIN : HEIGHT / 2.0;

	strbuf_adds(out, "<path class=\"dots\" d=\"");
	for (size_t i = 0; i < dots; i++)
		strbuf_addf(out, "M%.1f %.1fh0", x_of(axis, strip->values[i * strip->n / dots]),
			    top + step * (double)i);
	strbuf_adds(out, "\"/>");
}

static void title_value(struct strbuf *out, const char *words, double value, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!isfinite(value))
		return;
	strbuf_adds(out, words);
	strbuf_adds(&text, format_measured(value, metric).s);
	escape_html(out, text.buf);
}

/* The same in words. */
static void strip_title(struct strbuf *out, const struct html_strip *strip)
{
	struct axis range = {strip->values[0], strip->values[0]};
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	for (size_t i = 1; i < strip->n; i++)
		axis_take(&range, strip->values[i]);
	strbuf_addf(out, "<title>%zu %s", strip->n, strip->runs);
	if (dots_of(strip) < strip->n)
		strbuf_addf(out, " (%zu drawn)", dots_of(strip));
	title_value(out, ", from ", range.low, strip->metric);
	title_value(out, " to ", range.high, strip->metric);
	strbuf_addf(&words, "; %s ", strip->base ? strip->base : "baseline");
	title_value(out, words.buf, strip->baseline, strip->metric);
	title_value(out, "; tolerated at least ", strip->at_least, strip->metric);
	title_value(out, "; tolerated at most ", strip->at_most, strip->metric);
	strbuf_adds(out, "</title>");
}

void html_strip(struct strbuf *out, const struct html_strip *strip)
{
	struct axis axis;

	if (!strip->n) {
		strbuf_adds(out, "-");
		return;
	}
	axis = axis_of(strip);
	strbuf_addf(out, "<svg class=\"strip\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">", WIDTH,
		    HEIGHT, WIDTH, HEIGHT);
	strip_title(out, strip);
	strip_room(out, strip, &axis);
	strip_line(out, &axis, "limit", strip->at_least);
	strip_line(out, &axis, "limit", strip->at_most);
	strip_line(out, &axis, "base", strip->baseline);
	strip_dots(out, strip, &axis);
	strbuf_adds(out, "</svg>");
}

/* -------- tables */

static void begin_table(struct strbuf *out, const struct scenario_result *scenario, const char *class, const char *caption)
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

static const char *title_of(const struct document_column *column)
{
	return *column->title ? column->title : "found";
}

/* What holds nothing takes no place on a narrow screen. */
static void add_cell(struct strbuf *out, const struct document_table *table, const struct document_row *row, size_t at)
{
	const struct document_column *column = &table->columns[at];
	const char *cell = row->cells[at];
	bool none = !*cell || !strcmp(cell, "-");

	if (at == 0)
		strbuf_adds(out, "<th scope=\"row\">");
	else
		begin_cell(out, title_of(column), column->right ? none ? "number none" : "number" : none ? "none" : "words");
	escape_html(out, cell);
	strbuf_adds(out, at == 0 ? "</th>" : "</td>");
}

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

static void add_verdict(struct strbuf *out, const struct document_table *table, const struct document_row *row)
{
	size_t last = table->n_columns - 1;
	bool found = row->symbol && row->symbol->verdict == VERDICT_REGRESSION;

	if (!row->gate && !found) {
		add_cell(out, table, row, last);
		return;
	}
	begin_cell(out, title_of(&table->columns[last]), "verdict");
	if (row->shown)
		add_tag(out, "shown", TONE_PLAIN);
	else
		add_severity(out, row->gate ? row->severity : SEVERITY_REGRESSION);
	strbuf_addf(out, "%s</td>", found && row->symbol->change == SYMBOL_NEW ? " new" : "");
}

/* STRIPS is the title of the column of strips, which stands before the verdict; NULL: there is none. */
static void add_table(struct strbuf *out, const struct document_table *table, const struct scenario_result *scenario,
		      const char *strips)
{
	size_t last = table->n_columns - 1;

	for (size_t i = 0; i < last; i++)
		add_head(out, title_of(&table->columns[i]), table->columns[i].right);
	if (strips)
		add_head(out, strips, false);
	add_head(out, title_of(&table->columns[last]), false);
	strbuf_adds(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < table->n; i++) {
		const struct document_row *row = &table->rows[i];

		strbuf_addf(out, "<tr class=\"%s\">", html_tone(row->tone));
		for (size_t k = 0; k < last; k++)
			add_cell(out, table, row, k);
		if (strips)
			(gate_judgement(row->gate)->pairs ? add_ratios : add_strip)(out, scenario, row->gate);
		add_verdict(out, table, row);
		strbuf_adds(out, "</tr>\n");
	}
	strbuf_adds(out, "</tbody></table>\n");
}

void print_html_table(const struct document_table *table, struct strbuf *out)
{
	add_table(out, table, NULL, NULL);
}

static void add_gates(struct strbuf *out, const struct document_scenario *section)
{
	static const char alone[] = "a dot each, the first on top. Solid line: the baseline. Shaded up to the dashed line: "
				    "what is tolerated.";
	static const char both[] = "a dot each, the first on top. Solid line: the baseline. Shaded up to the dashed line: "
				   "what is tolerated. Of a gate in pairs, a dot is a pair: the head's value divided by the "
				   "base's, and the solid line is no change.";

	const struct scenario_result *scenario = section->of;

	if (!section->gates)
		return;
	if (pairs_only(scenario))
		strbuf_adds(out, "<table class=\"gates\"><caption>Pairs: a dot each, the first on top: the head's value divided "
				 "by the base's. Solid line: no change. Shaded up to the dashed line: what is tolerated. Behind a "
				 "median, how far single values spread.</caption>\n<thead><tr>");
	else
		begin_table(out, scenario, "gates", scenario->pairing ? both : alone);
	add_table(out, section->gates, scenario, pairs_only(scenario) ? "pairs" : scenario_result_runs(scenario, 2));
}

static bool has_row(const struct scenario_result *scenario, const char *metric)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(free_ptr) char *series = metric_ref_name(&gate_judgement(&scenario->gates[i])->ref);

		if (!strcmp(series, metric) && severity_of_gate(scenario, &scenario->gates[i]) != SEVERITY_FOLLOWS)
			return true;
	}
	return false;
}

static void add_number(struct strbuf *out, const char *title, double value, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	begin_cell(out, title, "number");
	strbuf_adds(&text, format_measured(value, metric).s);
	escape_html(out, text.buf);
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
	escape_html(out, name.buf);
	strbuf_adds(out, "</th>");
	add_values(out, scenario, metric, values, n);
	strbuf_adds(out, "</tr>\n");
}

/* What was measured and no gate shows. */
static void add_others(struct strbuf *out, const struct scenario_result *scenario)
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

static void add_symbols(struct strbuf *out, const struct document_scenario *section)
{
	if (!section->symbols && !blocks_has(&section->blocks, PART_PROFILE))
		return;
	strbuf_addf(out, "<details%s><summary>Symbols: where the CPU time goes</summary>\n",
		    section->symbols_wanted ? " open" : "");
	if (section->symbols) {
		strbuf_adds(out, "<table class=\"gates symbols\"><caption>Shares are a symbol's own samples. Changes have two "
				 "standard errors behind them.</caption>\n<thead><tr>");
		add_table(out, section->symbols, section->of, NULL);
	}
	add_terms(out, "words", &section->blocks, PART_PROFILE);
	strbuf_adds(out, "</details>\n");
}

/* -------- a scenario */

/* "Against 2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs."; "Base ./old, head ./new." */
static void add_sides(struct strbuf *out, const struct document_scenario *section)
{
	const struct block *block;
	bool any = false;

	for (size_t i = 0; (block = blocks_next(&section->blocks, PART_SIDES | PART_BASELINE, &i)); any = true) {
		bool side = block_styles[block->kind].part == PART_SIDES;

		if (any)
			strbuf_addf(out, ", %s ", block->label);
		else
			strbuf_addf(out, "<p class=\"sides\">%c%s ", block->label[0] - 'a' + 'A', block->label + 1);
		strbuf_adds(out, side ? "<code>" : "");
		escape_html(out, block->text);
		strbuf_adds(out, side ? "</code>" : "");
	}
	strbuf_adds(out, any ? ".</p>\n" : "");
}

static void add_log(struct strbuf *out, const struct document_scenario *section)
{
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(&section->blocks, PART_LOG, &i));) {
		CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

		if (block->kind == BLOCK_LOG) {
			prose_add_log(&log, block->text, "", LOG_LINES);
			strbuf_adds(out, "<h3>The last lines of its output</h3>\n<pre tabindex=\"0\">");
			markup_lines(out, log.buf);
			strbuf_adds(out, "</pre>\n");
		} else {
			strbuf_adds(out, "<p class=\"sides\">All of it: <code>");
			escape_html(out, block->text);
			strbuf_adds(out, "</code></p>\n");
		}
	}
}

static void add_commands(struct strbuf *out, const struct document_scenario *section)
{
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(&section->blocks, PART_COMMANDS, &i));) {
		strbuf_addf(out, "<h3>%c", block->label[0] - 'a' + 'A');
		escape_html(out, block->label + 1);
		strbuf_adds(out, "</h3>\n<p>");
		html_command(out, block->text);
		strbuf_adds(out, "</p>\n");
	}
}

static void add_scenario(struct strbuf *out, const struct document_scenario *section, bool folded)
{
	const struct scenario_result *scenario = section->of;

	strbuf_addf(out, "<section class=\"card %s\" id=\"s%zu\" aria-labelledby=\"s%zu-title\">\n%s<h2 id=\"s%zu-title\">",
		    html_tone(severity_tone(section->severity)), section->index, section->index,
		    folded ? "<details><summary>" : "", section->index);
	add_severity(out, section->severity);
	strbuf_adds(out, " <span class=\"name\">");
	escape_html(out, scenario->name);
	strbuf_addf(out, "</span></h2>\n%s", folded ? "</summary>\n" : "");
	if (scenario->description) {
		strbuf_adds(out, "<p>");
		markup_lines(out, scenario->description);
		strbuf_adds(out, "</p>\n");
	}
	add_sides(out, section);
	add_gates(out, section);
	add_terms(out, "words", &section->blocks, PART_FAILURE | PART_FINDINGS | PART_METHOD);
	add_symbols(out, section);
	add_log(out, section);
	add_others(out, scenario);
	add_commands(out, section);
	add_terms(out, "facts", &section->blocks, PART_LOAD | PART_FACTS);
	strbuf_adds(out, folded ? "</details></section>\n" : "</section>\n");
}

/* What passed is folded beside something that did not, or when there is much of it. */
static void add_scenarios(struct strbuf *out, const struct document *document)
{
	bool calm = document->n && document->scenarios[0].severity == SEVERITY_PASS;
	bool open = calm && document->n <= OPEN_MOST;

	for (size_t i = 0; i < document->n; i++)
		add_scenario(out, &document->scenarios[i], !open && document->scenarios[i].severity == SEVERITY_PASS);
}

/* -------- around the scenarios */

/* What stands for a scenario in a line: "task-clock +92.1 % (at least +41.2 %), tolerance 25 % and 1 more". */
static void add_found(struct strbuf *out, const struct scenario_result *scenario)
{
	enum severity severity = severity_of(scenario);
	const struct gate_result *gate = severity_gate(scenario, severity);
	size_t n = severity_count(scenario, severity);

	if (severity == SEVERITY_FAILED)
		headline_add_failure(out, scenario);
	else if (severity == SEVERITY_PARTIAL)
		strbuf_addf(out, "interrupted after %zu of %u %s", scenario->n_runs, scenario->runs_wanted,
			    scenario_result_runs(scenario, scenario->runs_wanted));
	else if (severity == SEVERITY_SKIPPED)
		strbuf_addf(out, "interrupted before its first %s", scenario_result_runs(scenario, 1));
	else if (severity == SEVERITY_NO_GATES)
		strbuf_adds(out, "no gate judges it");
	if (!gate)
		return;
	format_words(out, scenario, gate);
	if (n > 1)
		strbuf_addf(out, ", and %zu more %s", n - 1, n == 2 ? "gate" : "gates");
}

static void add_overview_row(struct strbuf *out, const struct scenario_result *scenario, size_t index)
{
	CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

	add_found(&found, scenario);
	strbuf_adds(out, "<tr><td>");
	add_severity(out, severity_of(scenario));
	strbuf_addf(out, "</td><th scope=\"row\"><a href=\"#s%zu\">", index);
	escape_html(out, scenario->name);
	strbuf_adds(out, "</a></th><td>");
	escape_html(out, found.buf);
	strbuf_adds(out, "</td></tr>\n");
}

/* Where to find which scenario; nothing when there is but one. */
static void add_overview(struct strbuf *out, const struct document *document)
{
	if (document->n < 2)
		return;
	strbuf_addf(out,
		    "<nav class=\"card\" aria-labelledby=\"scenarios\">\n<h2 id=\"scenarios\">%zu scenarios</h2>\n"
		    "<table class=\"overview\"><thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">scenario</th>"
		    "<th scope=\"col\">found</th></tr></thead>\n<tbody>\n",
		    document->n);
	for (size_t i = 0; i < document->n; i++)
		add_overview_row(out, document->scenarios[i].of, document->scenarios[i].index);
	strbuf_adds(out, "</tbody></table>\n</nav>\n");
}

/* Nothing in the page may load or run anything, whatever came into it. */
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

static void begin_page(struct strbuf *out, const struct headline *headline)
{
	strbuf_addf(out,
		    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s: ",
		    policy, headline->items[0].word);
	escape_html(out, headline->items[0].text);
	strbuf_addf(out, " - pawl</title>\n<style>\n%s</style>\n</head>\n<body>\n", html_style);
}

static void add_part(struct strbuf *out, const struct headline_part *part)
{
	add_tag(out, part->word, part->tone);
	strbuf_adds(out, " <span>");
	escape_html(out, part->text);
	strbuf_adds(out, "</span>");
}

static void add_mending(struct strbuf *out, const struct headline_part *part)
{
	if (!part->command)
		return;
	strbuf_adds(out, "<p>");
	html_command(out, part->command);
	strbuf_adds(out, "</p>\n");
}

static void add_headline(struct strbuf *out, const struct headline *headline)
{
	strbuf_adds(out, "<h1>");
	add_part(out, &headline->items[0]);
	strbuf_adds(out, "</h1>\n");
	add_mending(out, &headline->items[0]);
	if (headline->n == 1)
		return;
	strbuf_adds(out, "<ul class=\"parts\">\n");
	for (size_t i = 1; i < headline->n; i++) {
		strbuf_adds(out, "<li>");
		add_part(out, &headline->items[i]);
		add_mending(out, &headline->items[i]);
		strbuf_adds(out, "</li>\n");
	}
	strbuf_adds(out, "</ul>\n");
}

static void add_fact(struct strbuf *out, const char *words, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "<li>%s", words);
	escape_html(out, text);
	strbuf_adds(out, "</li>\n");
}

static void add_measured(struct strbuf *out, const struct document *document)
{
	const struct result *result = document->result;
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);

	strbuf_adds(out, "<ul class=\"measured\">\n");
	add_fact(out, "", document->measured);
	add_fact(out, "commit ", result->commit);
	add_fact(out, "", result->date);
	add_fact(out, "", class);
	strbuf_adds(out, "</ul>\n");
}

static void add_conditions(struct strbuf *out, const struct document *document)
{
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT;

	command_again(&again, document->result, NULL);
	strbuf_adds(out, "<section class=\"card\" aria-labelledby=\"conditions\">\n"
			 "<h2 id=\"conditions\">Machine and run</h2>\n");
	add_terms(out, "facts", &document->conditions, PART_WHOLE);
	strbuf_adds(out, "<h3>Measure all of it again</h3>\n<p>");
	html_command(out, again.buf);
	strbuf_adds(out, "</p>\n</section>\n");
}

/* -------- a search */

static void html_items(struct strbuf *out, const struct strv *items)
{
	for (size_t i = 0; i < items->n; i++) {
		strbuf_adds(out, "<li>");
		escape_html(out, items->items[i] + strspn(items->items[i], " "));
		strbuf_adds(out, "</li>\n");
	}
}

static void add_search(struct strbuf *out, const struct bisection *b)
{
	CLEANUP(bisection_words_release) struct bisection_words words = bisection_words(b);

	strbuf_addf(out, "<section class=\"card %s\" aria-labelledby=\"search\">\n<h2 id=\"search\">the search</h2>\n<ul>\n",
		    html_tone(words.tone));
	html_items(out, &words.suspects);
	html_items(out, &words.sentences);
	html_items(out, &words.skipped);
	strbuf_addf(out, "<li>%s</li>\n</ul>\n", words.effort.buf);
	if (words.table.n) {
		strbuf_adds(out, "<table class=\"gates\">\n<thead><tr>");
		print_html_table(&words.table, out);
	}
	if (words.again.len)
		html_command(out, words.again.buf);
	strbuf_adds(out, "</section>\n");
}

void report_html(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	struct headline *headline = &document.headline;

	document_build(&document, result, FOR_HTML);
	if (options->search)
		bisection_lead(options->search, headline);
	begin_page(out, headline);
	strbuf_addf(out, "<header class=\"%s\">\n", html_tone(headline->items[0].tone));
	add_headline(out, headline);
	add_measured(out, &document);
	strbuf_adds(out, "</header>\n<main>\n");
	if (options->search)
		add_search(out, options->search);
	add_terms(out, "words notes", &document.notes, PART_WHOLE);
	add_overview(out, &document);
	add_scenarios(out, &document);
	add_conditions(out, &document);
	strbuf_adds(out, "</main>\n</body>\n</html>\n");
}
