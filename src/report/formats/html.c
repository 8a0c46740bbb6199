#include "report/formats/html.h"

/*
 * A report as one page that loads and runs nothing. Foreign text is escaped on entry; ids and classes are never made
 * of it. Everything shown by colour is also shown by a word and a sign.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/result.h"
#include "profile/flame.h"
#include "report/formats/charts.h"
#include "report/commands.h"
#include "report/document.h"
#include "report/headline.h"
#include "model/metrics/numbers.h"
#include "report/pairs.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"
#include "report/words.h"
#include "stats/stats.h"

/* Passed scenarios shown in full if nothing else needs attention. */
enum { OPEN_MOST = 6 };

/* Bytes: the stated limit of a page, and the size beyond which it omits charts and pictures. */
enum { PAGE_LARGEST = 3 << 20, PAGE_WITH_PICTURES = 5 << 19 };

/* Lines quoted of a failed target's output. */
enum { LOG_LINES = 40 };

const char html_style[] =
#include <embedded/report.css.inc>
	;

/* -------- pieces */

void page_print(struct page *page, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(page->out, fmt, args);
	va_end(args);
}

const char *markup(struct page *page, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	escape_html(&safe, text);
	return arena_take(page->arena, strbuf_take(&safe));
}

const char *markup_lines(struct page *page, const char *text)
{
	struct strbuf safe = STRBUF_INIT;

	while (true) {
		size_t len = strcspn(text, "\n");

		escape_html(&safe, arena_strndup(page->arena, text, len));
		if (!text[len])
			return arena_take(page->arena, strbuf_take(&safe));
		strbuf_addc(&safe, '\n');
		text += len + 1;
	}
}

static const char *class_of(enum tone tone)
{
	static const char *const classes[] = {
		[TONE_PLAIN] = "plain", [TONE_GOOD] = "good", [TONE_WARNING] = "warning", [TONE_BAD] = "bad",
	};

	return classes[tone];
}

/* WORD as a tag of that tone, with its sign. */
static const char *tag(struct page *page, const char *word, enum tone tone)
{
	static const char *const signs[] = {
		[TONE_PLAIN] = "\u2022", [TONE_GOOD] = "\u2713", [TONE_WARNING] = "!", [TONE_BAD] = "\u2717",
	};

	return arena_printf(page->arena, "<span class=\"tag %s\"><span aria-hidden=\"true\">%s</span> %s</span>",
			    class_of(tone), signs[tone], word);
}

static const char *severity_tag(struct page *page, enum severity severity)
{
	return tag(page, severity_word(severity), severity_tone(severity));
}

/* A command, selected by one click. */
static void add_command(struct page *page, const char *command)
{
	if (command)
		page_print(page, "<p><code class=\"command\">%s</code></p>\n", markup(page, command));
}

static bool has_blocks(const struct blocks *blocks, unsigned parts)
{
	return blocks_next(blocks, parts, NULL) != NULL;
}

/* True for blocks shown before any number: a scenario's failure or cause, a page's judging files. */
static bool leads(const struct block *block)
{
	return block->kind == BLOCK_FAILED || block->kind == BLOCK_CAUSE || block->kind == BLOCK_DIFFERS ||
	       block->kind == BLOCK_CHANGED || block->kind == BLOCK_JUDGE;
}

/* Selects blocks: the leading ones, the others, or all. */
enum terms { TERMS_LEADING, TERMS_OTHER, TERMS_ALL };

/* Appends a list of labels and texts. Consecutive blocks with the same label share it. */
static void add_terms(struct page *page, const char *class, const struct blocks *blocks, unsigned parts, enum terms which)
{
	const char *before = NULL;

	BLOCKS_EACH(block, blocks, parts) {
		bool code = block_styles[block->kind].form == FORM_CODE;

		if (which != TERMS_ALL && leads(block) != (which == TERMS_LEADING))
			continue;
		if (!before)
			page_print(page, "<dl class=\"%s\">\n", class);
		if (!before || strcmp(block->label, before))
			page_print(page, "<dt>%s</dt>", block->label);
		strbuf_adds(page->out, "<dd>");
		/* The page is also read elsewhere, where relative links are broken. */
		if (code)
			page_print(page, "<code>%s</code>", markup(page, block->link ? block->link + strspn(block->link, "./") :
								   block->text));
		else
			strbuf_adds(page->out, markup_lines(page, block->text));
		strbuf_adds(page->out, "</dd>\n");
		before = block->label;
	}
	strbuf_adds(page->out, before ? "</dl>\n" : "");
}

/* -------- a strip of values */

/* Pixels of the drawing. */
enum { WIDTH = 132, HEIGHT = 30, MARGIN = 5 };

/* More dots would only cover each other; the choice depends only on their order. */
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

/* Returns RANGE, the range of the values, extended by the lines drawn with them. */
static struct axis axis_of(const struct html_strip *strip, struct axis range)
{
	struct axis axis = range;
	double least, middle;

	axis_take(&axis, strip->baseline);
	axis_take(&axis, strip->at_most);
	axis_take(&axis, strip->at_least);
	middle = (axis.low + axis.high) / 2;
	least = middle == 0 ? 1 : fabs(axis.low + axis.high) / 2 / 100;
	if (axis.high - axis.low < least)
		axis = (struct axis){ middle - least / 2, middle + least / 2 };
	return axis;
}

static double x_of(const struct axis *axis, double value)
{
	return MARGIN + (WIDTH - 2 * MARGIN) * ((value - axis->low) / (axis->high - axis->low));
}

/* The strip in words. */
static void strip_title(struct strbuf *out, const struct html_strip *strip, const struct axis *range, size_t dots)
{
	const struct {
		const char *before, *name;
		double value;
	} parts[] = {
		{ ", ", "from", range->low },
		{ " ", "to", range->high },
		{ "; ", strip->base ?: "baseline", strip->baseline },
		{ "; ", "limit, at least", strip->at_least },
		{ "; ", "limit, at most", strip->at_most },
	};
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;

	strbuf_addf(&title, "%zu %s", strip->n, strip->runs);
	if (dots < strip->n)
		strbuf_addf(&title, " (%zu drawn)", dots);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (isfinite(parts[i].value))
			strbuf_addf(&title, "%s%s %s", parts[i].before, parts[i].name,
				    format_measured(parts[i].value, strip->metric).s);
	strbuf_adds(out, "<title>");
	escape_html(out, title.buf);
	strbuf_adds(out, "</title>");
}

static void strip_line(struct strbuf *out, const struct axis *axis, const char *class, double value)
{
	if (isfinite(value))
		strbuf_addf(out, "<path class=\"%s\" d=\"M%.1f 0V%d\"/>", class, x_of(axis, value), HEIGHT);
}

void html_strip(struct strbuf *out, const struct html_strip *strip)
{
	size_t dots = strip->n > DOTS_MOST ? DOTS_MOST : strip->n;
	double step = dots > 1 ? (HEIGHT - 2.0 * MARGIN) / (double)(dots - 1) : 0,
	       top = dots > 1 ? MARGIN : HEIGHT / 2.0;
	double left = 0, right = WIDTH;
	struct axis range, axis;

	if (!strip->n) {
		strbuf_adds(out, "-");
		return;
	}
	range = (struct axis){ strip->values[0], strip->values[0] };
	for (size_t i = 1; i < strip->n; i++)
		axis_take(&range, strip->values[i]);
	axis = axis_of(strip, range);
	strbuf_addf(out, "<svg class=\"strip\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">", WIDTH,
		    HEIGHT, WIDTH, HEIGHT);
	strip_title(out, strip, &range, dots);
	/* The tolerated range is shaded, so that values outside stand out without colour. */
	if (isfinite(strip->at_least))
		left = x_of(&axis, strip->at_least);
	if (isfinite(strip->at_most))
		right = x_of(&axis, strip->at_most);
	if ((isfinite(strip->at_least) || isfinite(strip->at_most)) && right > left)
		strbuf_addf(out, "<rect class=\"room\" x=\"%.1f\" width=\"%.1f\" height=\"%d\"/>", left, right - left,
			    HEIGHT);
	strip_line(out, &axis, "limit", strip->at_least);
	strip_line(out, &axis, "limit", strip->at_most);
	strip_line(out, &axis, "base", strip->baseline);
	/* Strokes of zero length, whose round ends are the dots: a few bytes each. */
	strbuf_adds(out, "<path class=\"dots\" d=\"");
	for (size_t i = 0; i < dots; i++)
		strbuf_addf(out, "M%.1f %.1fh0", x_of(&axis, strip->values[i * strip->n / dots]),
			    top + step * (double)i);
	strbuf_adds(out, "\"/></svg>");
}

/* -------- tables */

static void add_head(struct page *page, const char *title, bool right)
{
	page_print(page, "<th scope=\"col\"%s>%s</th>", right ? " class=\"number\"" : "", title);
}

static const char *title_of(const struct document_column *column)
{
	return *column->title ? column->title : "found";
}

/* Empty cells take no space on a narrow screen, where the table has no head: each cell carries its title. */
static void add_cell(struct page *page, const struct document_table *table, const struct document_row *row, size_t at)
{
	const struct document_column *column = &table->columns[at];
	const char *cell = row->cells[at];
	const char *words = column->right ? "number" : "words";

	if (!*cell || !strcmp(cell, "-"))
		words = column->right ? "number none" : "none";
	if (at == 0)
		page_print(page, "<th scope=\"row\">%s</th>", markup(page, cell));
	else
		page_print(page, "<td data-title=\"%s\" class=\"%s\">%s</td>", title_of(column), words,
			   markup(page, cell));
}

/* A strip of runs with the limit on the side that is worse. For pairs, the ratios of head to base. */
static void add_strip(struct page *page, const struct scenario_result *scenario, const struct gate_result *result)
{
	static const struct metric ratio = { .name = "ratio", .unit = UNIT_RATIO };
	const struct judgement *j = gate_judgement(result);
	const struct gate *gate = &result->gate;
	struct html_strip strip = { .at_most = NAN, .at_least = NAN };
	CLEANUP(free_ptr) double *values = j->pairs ? pairs_ratios(scenario, result, &strip.n) :
						      side_result_values(&scenario->head, j->metric, &strip.n);
	double room = j->tolerance_pct / 100;

	strip.values = values;
	strip.metric = j->pairs ? &ratio : gate->metric;
	strip.runs = j->pairs ? "pairs" : scenario_result_runs(scenario, strip.n);
	strip.base = j->pairs ? "no change" : "baseline";
	strip.baseline = j->pairs ? 1 : j->baseline;
	if (j->pairs && gate_in_points(gate) && j->baseline > 0)
		room /= j->baseline;
	if (!j->pairs) {
		strip.at_most = gate->max;
		strip.at_least = gate->min;
		room = fmax(fabs(j->baseline) * room, side_result_least(&scenario->head, gate, j->metric, false));
	}
	if (gate->relative && gate->metric->higher_is_better)
		strip.at_least = fmax(strip.at_least, strip.baseline - room);
	else if (gate->relative)
		strip.at_most = fmin(strip.at_most, strip.baseline + room);
	page_print(page, "<td data-title=\"%s\" class=\"%s\">", j->pairs ? "pairs" : scenario_result_runs(scenario, 2),
	      strip.n ? "runs" : "runs none");
	html_strip(page->out, &strip);
	strbuf_adds(page->out, "</td>");
}

static void add_verdict(struct page *page, const struct document_table *table, const struct document_row *row)
{
	size_t last = table->n_columns - 1;
	bool found = row->symbol && row->symbol->verdict == VERDICT_REGRESSION;
	enum severity severity = row->gate ? row->severity : SEVERITY_REGRESSION;

	if (row->gate || found)
		page_print(page, "<td data-title=\"%s\" class=\"verdict\">%s%s</td>", title_of(&table->columns[last]),
		      row->shown ? tag(page, "shown", TONE_PLAIN) : severity_tag(page, severity),
		      found && row->symbol->change == SYMBOL_NEW ? " new" : "");
	else
		add_cell(page, table, row, last);
}

static void begin_table(struct page *page, const char *class, const char *caption)
{
	page_print(page, "<table class=\"%s\">", class);
	if (caption)
		page_print(page, "<caption>%s</caption>", caption);
	strbuf_adds(page->out, "\n<thead><tr>");
}

/* STRIPS is the title of the column of strips, placed before the verdict; NULL: no such column. */
static void add_table(struct page *page, const struct document_table *table, const struct scenario_result *scenario,
		      const char *strips)
{
	size_t last = table->n_columns - 1;

	for (size_t i = 0; i < last; i++)
		add_head(page, title_of(&table->columns[i]), table->columns[i].right);
	if (strips)
		add_head(page, strips, false);
	add_head(page, title_of(&table->columns[last]), false);
	strbuf_adds(page->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < table->n; i++) {
		const struct document_row *row = &table->rows[i];

		page_print(page, "<tr class=\"%s\">", class_of(row->tone));
		for (size_t k = 0; k < last; k++)
			add_cell(page, table, row, k);
		if (strips)
			add_strip(page, scenario, row->gate);
		add_verdict(page, table, row);
		strbuf_adds(page->out, "</tr>\n");
	}
	strbuf_adds(page->out, "</tbody></table>\n");
}

static void add_gates(struct page *page, const struct document_scenario *section)
{
	static const char both[] =
		"Pairs: a dot each, the first on top: the head's value divided by the base's. Solid line: no change. "
		"Shaded up to the dashed line: within the limit. Behind a median, how far single values spread.";
	static const char one[] =
		"%s: a dot each, the first on top. Solid line: the baseline. Shaded up to the dashed line: within "
		"the limit.%s";
	static const char of_pairs[] =
		" Of a gate in pairs, a dot is a pair: the head's value divided by the base's, and the solid line is "
		"no change.";
	const struct scenario_result *scenario = section->of;
	bool pairs = pairs_only(scenario);

	if (!section->gates)
		return;
	begin_table(page, "gates",
		    pairs ? both : arena_printf(page->arena, one, scenario->head.attached ? "Windows" : "Runs",
						scenario->paired ? of_pairs : ""));
	add_table(page, section->gates, scenario, pairs ? "pairs" : scenario_result_runs(scenario, 2));
}

/* -------- charts of gates */

static struct chart chart_of(const struct scenario_result *scenario, const struct gate_result *result,
			     const struct judgement *j)
{
	const struct gate *gate = &result->gate;
	bool pairs = j == &result->paired && j->pairs;
	double reference = pairs ? 1 : j->baseline;
	double room = pairs ? j->tolerance_pct / 100 :
		      fmax(fabs(j->baseline) * j->tolerance_pct / 100,
			   side_result_least(&scenario->head, gate, j->metric, false));

	return (struct chart){
		.metric = pairs ? NULL : gate->metric, .reference = reference,
		.at_most = !gate->relative || gate->metric->higher_is_better ? NAN : reference + room,
		.at_least = !gate->relative || !gate->metric->higher_is_better ? NAN : reference - room,
		.estimate = reference * (1 + j->change_pct / 100), .low = reference * (1 + j->low_pct / 100),
		.high = reference * (1 + j->high_pct / 100),
	};
}

/* Puts CHART, complete but for its words, in a figure with a caption: "task-clock +92.1 % (+41.2 % to +132 %), ..." */
static void add_chart(struct page *page, const struct scenario_result *scenario, const struct gate_result *result,
		      const struct judgement *j, struct chart *chart)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, words = STRBUF_INIT, tolerance = STRBUF_INIT;
	enum severity severity = severity_of_gate(scenario, result);
	bool counts = j == gate_judgement(result);

	format_gate(&name, scenario, result);
	format_tolerance(&tolerance, result);
	for (size_t i = 0; i < chart->n; i++)
		strbuf_addf(&words, "; %s: %zu %s", chart->columns[i].label ?: "pairs", chart->columns[i].n,
			    chart->metric ? "values" : "pairs");
	chart->words = arena_printf(page->arena, "%s: change %s, interval %s%s", name.buf, format_gate_change(result, j->change_pct).s,
				    format_interval(j->low_pct, j->high_pct, false).s, words.buf);
	page_print(page, "<figure class=\"plot %s\"><figcaption><b>%s</b>%s ",
		   !counts ? "plain" : severity == SEVERITY_INCONCLUSIVE ? "unsure" : class_of(severity_tone(severity)),
		   markup(page, name.buf), counts ? "" : j == &result->stored ? ", against the baseline," : ", in pairs,");
	page_print(page, "%s", format_change(j->change_pct).s);
	if (!isnan(j->low_pct) || !isnan(j->high_pct))
		page_print(page, " (%s)", format_interval(j->low_pct, j->high_pct, false).s);
	if (counts && tolerance.len)
		page_print(page, ", limit %s", tolerance.buf);
	strbuf_adds(page->out, "</figcaption>\n");
	chart_runs(page->out, chart);
	strbuf_adds(page->out, "</figure>\n");
}

/* A chart of the accepted sessions and the current runs. */
static void add_stored_chart(struct page *page, const struct scenario_result *scenario, const struct gate_result *result)
{
	struct chart_column columns[SESSIONS_KEPT + 1];
	struct chart chart = chart_of(scenario, result, &result->stored);
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	for (size_t i = 0; i < result->n_sessions && i < SESSIONS_KEPT; i++) {
		const struct accepted_session *session = &result->sessions[i];

		/* "11-20" of "2026-11-20T10:05:54Z" */
		columns[chart.n++] = (struct chart_column){
			.label = strlen(session->date) >= 10 ? arena_strndup(page->arena, session->date + 5, 5) : session->date,
			.values = session->values, .n = session->n, .middle = session->median,
		};
	}
	values = side_result_values(&scenario->head, result->stored.metric, &n);
	if (!n)
		return;
	columns[chart.n++] = (struct chart_column){
		.label = "head", .values = values, .n = n, .middle = stats_median(values, n), .judged = true,
	};
	chart.columns = columns;
	add_chart(page, scenario, result, &result->stored, &chart);
}

static void add_pairs_chart(struct page *page, const struct scenario_result *scenario, const struct gate_result *result)
{
	struct chart chart = chart_of(scenario, result, &result->paired);
	struct chart_column column = { .label = "pairs in order, head / base", .middle = NAN, .judged = true };
	CLEANUP(free_ptr) double *ratios = pairs_ratios(scenario, result, &column.n);

	if (!column.n)
		return;
	column.values = ratios;
	chart.columns = &column;
	chart.n = 1;
	add_chart(page, scenario, result, &result->paired, &chart);
}

/* True if a chart is useful. A value that repeats exactly and was measured once is in its row. */
static bool has_chart(const struct gate_result *gate)
{
	return !gate_in_points(&gate->gate) && ((gate->paired.done && gate->paired.pairs) || gate->n_sessions) &&
	       isfinite(gate_judgement(gate)->baseline) && gate_judgement(gate)->baseline > 0;
}

/* Charts of gates that did not pass, then the others, folded. */
static void add_charts(struct page *page, const struct document_scenario *section)
{
	const struct scenario_result *scenario = section->of;

	for (int passed = 0; passed < 2; passed++) {
		bool any = false;

		for (size_t i = 0; i < scenario->n_gates; i++) {
			const struct gate_result *gate = &scenario->gates[i];
			enum severity severity = severity_of_gate(scenario, gate);

			if (!has_chart(gate) || (severity >= SEVERITY_ACCEPTED) != passed || page->out->len > PAGE_WITH_PICTURES)
				continue;
			if (!any && passed)
				strbuf_adds(page->out, "<details><summary>Runs of the gates that passed</summary>\n");
			if (!any)
				strbuf_adds(page->out, "<div class=\"charts\">\n");
			any = true;
			if (gate->paired.done && gate->paired.pairs)
				add_pairs_chart(page, scenario, gate);
			if (gate->n_sessions && isfinite(gate->stored.baseline))
				add_stored_chart(page, scenario, gate);
		}
		strbuf_adds(page->out, !any ? "" : passed ? "</div>\n</details>\n" : "</div>\n");
	}
}

/* -------- metrics without a gate */

static bool has_row(const struct scenario_result *scenario, const struct metric *metric)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judgement(&scenario->gates[i])->metric == metric &&
		    severity_of_gate(scenario, &scenario->gates[i]) != SEVERITY_FOLLOWS)
			return true;
	return false;
}

static const char *measured(struct page *page, double value, const struct metric *metric)
{
	return markup(page, format_measured(value, metric).s);
}

/* The ends of the strip are printed next to it, because without a baseline it has no other scale. */
static void add_other(struct page *page, const struct scenario_result *scenario, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, drawn = STRBUF_INIT;
	size_t n;
	CLEANUP(free_ptr) double *values = side_result_values(&scenario->head, metric, &n);
	struct html_strip strip = {
		.values = values, .n = n, .runs = scenario_result_runs(scenario, n), .metric = metric,
		.baseline = NAN, .at_most = NAN, .at_least = NAN,
	};

	format_metric(&name, scenario_result_work_unit(scenario), metric);
	html_strip(&drawn, &strip);
	stats_sort(values, n);
	page_print(page,
	      "<tr><th scope=\"row\">%s</th><td data-title=\"median\" class=\"number\">%s</td>"
	      "<td data-title=\"least\" class=\"number\">%s</td><td data-title=\"%s\" class=\"runs\">%s</td>"
	      "<td data-title=\"most\" class=\"number\">%s</td></tr>\n",
	      markup(page, name.buf), measured(page, stats_median_sorted(values, n), metric),
	      measured(page, values[0], metric), scenario_result_runs(scenario, 2), drawn.buf,
	      measured(page, values[n - 1], metric));
}

/* The metrics measured but not shown by a gate. */
static void add_others(struct page *page, const struct scenario_result *scenario)
{
	bool any = false;

	for (size_t i = 0; i < scenario->head.n_metrics; i++) {
		const struct metric *metric = scenario->head.metrics[i];

		if (has_row(scenario, metric) || !side_result_count(&scenario->head, metric))
			continue;
		if (!any) {
			strbuf_adds(page->out, "<details><summary>Also measured, without a gate</summary>\n");
			begin_table(page, "gates others",
				    scenario->head.attached ?
				    "Windows: a dot each, the first on top, from the least value to the most." :
				    "Runs: a dot each, the first on top, from the least value to the most.");
			add_head(page, "metric", false);
			add_head(page, "median", true);
			add_head(page, "least", true);
			add_head(page, scenario_result_runs(scenario, 2), false);
			add_head(page, "most", true);
			strbuf_adds(page->out, "</tr></thead>\n<tbody>\n");
		}
		add_other(page, scenario, scenario->head.metrics[i]);
		any = true;
	}
	strbuf_adds(page->out, any ? "</tbody></table>\n</details>\n" : "");
}

static void add_symbols(struct page *page, const struct document_scenario *section)
{
	if (!section->symbols && !has_blocks(&section->blocks, PART_PROFILE))
		return;
	page_print(page, "<details%s><summary>Symbols: where the CPU time goes</summary>\n",
	      section->symbols_wanted ? " open" : "");
	if (section->symbols) {
		begin_table(page, "gates symbols",
			    "Shares are a symbol's own samples. Changes have two standard errors behind them.");
		add_table(page, section->symbols, section->of, NULL);
	}
	add_terms(page, "words", &section->blocks, PART_PROFILE, TERMS_ALL);
	strbuf_adds(page->out, "</details>\n");
}

static void add_evidence(struct page *page, const struct document_scenario *section)
{
	if (!has_blocks(&section->blocks, PART_EVIDENCE))
		return;
	strbuf_adds(page->out, "<details><summary>What the cause rests on</summary>\n<ul class=\"evidence\">\n");
	BLOCKS_EACH(block, &section->blocks, PART_EVIDENCE)
		page_print(page, "<li>%s</li>\n", markup_lines(page, block->text));
	strbuf_adds(page->out, "</ul>\n</details>\n");
}

static void add_picture(struct page *page, const char *picture, const char *summary, bool open)
{
	if (!picture)
		return;
	page_print(page, "<details%s><summary>%s</summary>\n<figure class=\"flames\">\n", open ? " open" : "", summary);
	strbuf_adds(page->out, picture);
	strbuf_adds(page->out, "</figure>\n</details>\n");
}

static void add_pictures(struct page *page, const struct document_scenario *section)
{
	const struct report_pictures *pictures = page->pictures ? &page->pictures[section->index] : NULL;
	size_t size = pictures ? strlen(pictures->flame ?: "") + strlen(pictures->difference ?: "") : 0;

	if (!size)
		return;
	if (page->out->len + size > PAGE_WITH_PICTURES) {
		page_print(page, "<p class=\"sides\">Flame graphs are left out: with them the page would be larger than %d MiB. "
			   "They are among the results, in the folder <code>%s</code>.</p>\n", PAGE_LARGEST >> 20,
			   section->of->name);
		return;
	}
	add_picture(page, pictures->difference, "Flame graph: what changed", section->urgent);
	add_picture(page, pictures->flame, "Flame graph: where the CPU time goes", section->urgent && !pictures->difference);
}

/* -------- a scenario */

/* "Against 2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs."; "Base ./old, head ./new." */
static void add_sides(struct page *page, const struct document_scenario *section)
{
	bool any = false;

	BLOCKS_EACH(block, &section->blocks, PART_SIDES | PART_BASELINE) {
		bool side = block_styles[block->kind].part == PART_SIDES;
		char first = any ? block->label[0] : block->label[0] - 'a' + 'A';

		page_print(page, "%s%c%s ", any ? ", " : "<p class=\"sides\">", first, block->label + 1);
		page_print(page, side ? "<code>%s</code>" : "%s", markup(page, block->text));
		any = true;
	}
	strbuf_adds(page->out, any ? ".</p>\n" : "");
}

static void add_log(struct page *page, const struct document_scenario *section)
{
	BLOCKS_EACH(block, &section->blocks, PART_LOG) {
		CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

		if (block->kind != BLOCK_LOG) {
			page_print(page, "<p class=\"sides\">All of it: <code>%s</code></p>\n",
				   markup(page, block->text));
			continue;
		}
		prose_add_log(&log, block->text, "", LOG_LINES);
		page_print(page, "<h3>The last lines of its output</h3>\n<pre tabindex=\"0\">%s</pre>\n",
		      markup_lines(page, log.buf));
	}
}

static void add_commands(struct page *page, const struct document_scenario *section)
{
	BLOCKS_EACH(block, &section->blocks, PART_COMMANDS) {
		page_print(page, "<h3>%c%s</h3>\n", block->label[0] - 'a' + 'A', markup(page, block->label + 1));
		add_command(page, block->text);
	}
}

/* An urgent scenario begins with its finding, cause and next steps; the numbers follow. */
static void add_scenario(struct page *page, const struct document_scenario *section, bool folded)
{
	const struct scenario_result *scenario = section->of;
	unsigned findings = PART_FAILURE | PART_FINDINGS | PART_METHOD;

	page_print(page,
	      "<section class=\"card %s\" id=\"s%zu\" aria-labelledby=\"s%zu-title\">\n%s<h2 id=\"s%zu-title\">%s "
	      "<span class=\"name\">%s</span></h2>\n%s",
	      class_of(severity_tone(section->severity)), section->index, section->index,
	      folded ? "<details><summary>" : "", section->index, severity_tag(page, section->severity),
	      markup(page, scenario_result_label(scenario)), folded ? "</summary>\n" : "");
	if (section->urgent) {
		if (section->words)
			page_print(page, "<p class=\"found\">%s</p>\n", markup(page, section->words));
		add_terms(page, "words", &section->blocks, findings, TERMS_LEADING);
		add_commands(page, section);
		add_log(page, section);
	}
	if (scenario->description)
		page_print(page, "<p>%s</p>\n", markup_lines(page, scenario->description));
	add_sides(page, section);
	add_gates(page, section);
	add_charts(page, section);
	add_terms(page, "words", &section->blocks, findings, section->urgent ? TERMS_OTHER : TERMS_ALL);
	add_evidence(page, section);
	add_pictures(page, section);
	add_symbols(page, section);
	add_others(page, scenario);
	if (!section->urgent) {
		add_log(page, section);
		add_commands(page, section);
	}
	add_terms(page, "facts", &section->blocks, PART_LOAD | PART_FACTS, TERMS_ALL);
	strbuf_adds(page->out, folded ? "</details></section>\n" : "</section>\n");
}

/* -------- around the scenarios */

/* A scenario in a line: "CPU time +92.1 % (at least +41.2 %, limit 25 %) and 1 more gate". */
static void describe_scenario(struct strbuf *out, const struct document_scenario *section)
{
	const struct scenario_result *scenario = section->of;
	const struct gate_result *gate = severity_gate(scenario, section->severity);
	size_t n = severity_count(scenario, section->severity);

	if (section->severity == SEVERITY_FAILED)
		strbuf_adds(out, headline_failure(scenario).s);
	else if (section->severity == SEVERITY_PARTIAL)
		strbuf_addf(out, "interrupted after %zu of %u %s", scenario->head.n_runs, scenario->head.runs_wanted,
			    scenario_result_runs(scenario, scenario->head.runs_wanted));
	else if (section->severity == SEVERITY_SKIPPED)
		strbuf_addf(out, "interrupted before its first %s", scenario_result_runs(scenario, 1));
	else if (section->severity == SEVERITY_NO_GATES)
		strbuf_adds(out, "no gate judges it");
	if (gate)
		format_words(out, scenario, gate);
	if (n > 1)
		strbuf_addf(out, ", and %zu more %s", n - 1, n == 2 ? "gate" : "gates");
}

/* Links to all scenarios; nothing if there is only one. */
static void add_overview(struct page *page)
{
	const struct document *document = page->document;

	if (document->n < 2)
		return;
	page_print(page,
	      "<nav class=\"card\" aria-labelledby=\"scenarios\">\n<h2 id=\"scenarios\">All %zu scenarios</h2>\n"
	      "<table class=\"overview\"><thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">scenario</th>"
	      "<th scope=\"col\">found</th></tr></thead>\n<tbody>\n",
	      document->n);
	for (size_t i = 0; i < document->n; i++) {
		const struct document_scenario *section = &document->scenarios[i];
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		describe_scenario(&found, section);
		page_print(page, "<tr><td>%s</td><th scope=\"row\"><a href=\"#s%zu\">%s</a></th><td>%s</td></tr>\n",
		      severity_tag(page, section->severity), section->index, markup(page, scenario_result_label(section->of)),
		      markup(page, found.buf));
	}
	strbuf_adds(page->out, "</tbody></table>\n</nav>\n");
}

static void add_headline(struct page *page)
{
	const struct headline *headline = &page->document->headline;

	for (size_t i = 0; i < headline->n; i++) {
		const struct headline_part *part = &headline->items[i];

		page_print(page, "%s%s <span>%s</span>%s",
		      i == 0 ? "<h1>" : i == 1 ? "<ul class=\"parts\">\n<li>" : "<li>",
		      tag(page, part->word, part->tone), markup(page, part->text), i ? "" : "</h1>\n");
		add_command(page, part->command);
		strbuf_adds(page->out, i ? "</li>\n" : "");
	}
	strbuf_adds(page->out, headline->n > 1 ? "</ul>\n" : "");
}

static void add_fact(struct page *page, const char *words, const char *text)
{
	if (text)
		page_print(page, "<li>%s%s</li>\n", words, markup(page, text));
}

/* Nothing in the page may load or run anything, whatever foreign text it holds. */
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

void report_html(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT, flames = STRBUF_INIT;
	const struct headline *headline = &document.headline;
	struct page page = {
		.document = &document, .out = out, .arena = &document.arena, .pictures = options->pictures,
	};
	bool calm, first;

	document_build(&document, result, FOR_HTML);
	for (size_t i = 0; options->pictures && i < result->n_scenarios && !flames.len; i++)
		if (options->pictures[i].flame || options->pictures[i].difference)
			flame_piece_style(&flames);
	strbuf_addf(
	    out,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s: %s - pawl</title>\n<style>\n%s%s</style>\n"
	    "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to what was found</a>\n<header class=\"%s\">\n",
	    policy, headline->items[0].word, markup(&page, headline->items[0].text), html_style, flames.buf,
	    class_of(headline->items[0].tone));
	add_headline(&page);
	add_terms(&page, "facts", &document.notes, PART_WHOLE, TERMS_LEADING);
	strbuf_adds(out, "<ul class=\"measured\">\n");
	add_fact(&page, "", document.measured);
	add_fact(&page, "commit ", result->commit);
	add_fact(&page, "", result->date);
	strbuf_adds(out, "</ul>\n</header>\n<main id=\"main\">\n");

	/* Passed scenarios are folded if there are many or if another one did not pass. */
	calm = document.n && document.n <= OPEN_MOST && document.scenarios[0].severity == SEVERITY_PASS;
	/* The worst scenario comes before the list. */
	if ((first = document.n && document.scenarios[0].urgent))
		add_scenario(&page, &document.scenarios[0], false);
	add_terms(&page, "words notes", &document.notes, PART_WHOLE, TERMS_OTHER);
	add_overview(&page);
	for (size_t i = first; i < document.n; i++)
		add_scenario(&page, &document.scenarios[i], !calm && document.scenarios[i].severity == SEVERITY_PASS);

	command_again(&again, result, NULL);
	strbuf_adds(
	    out,
	    "<section class=\"card\" aria-labelledby=\"conditions\">\n<h2 id=\"conditions\">Machine and run</h2>\n");
	add_terms(&page, "facts", &document.conditions, PART_WHOLE, TERMS_ALL);
	strbuf_adds(out, result_compares(result) ? "<h3>Compare again</h3>\n" : "<h3>Measure all of it again</h3>\n");
	add_command(&page, again.buf);
	strbuf_adds(out, "</section>\n</main>\n</body>\n</html>\n");
}
