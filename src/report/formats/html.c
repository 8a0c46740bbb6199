#include "report/formats/html.h"

/*
 * One page that loads and runs nothing. Foreign text is escaped on entry; ids and classes are never made of it. What
 * colour shows, a word and a sign show too.
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
#include "report/forge.h"
#include "report/headline.h"
#include "model/metrics/numbers.h"
#include "report/pairs.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"
#include "report/words.h"

/* Passed scenarios shown in full if nothing else needs attention. */
enum { OPEN_MOST = 6 };

/* Bytes: the stated limit of a page, and the size beyond which it omits charts and pictures. */
enum { PAGE_LARGEST = 3 << 20, PAGE_WITH_PICTURES = 5 << 19 };

enum { DOTS_MOST = 100 };

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

static const char *linked_code(struct page *page, const char *url, const char *text)
{
	const char *code = arena_printf(page->arena, "<code>%s</code>", markup(page, text));

	return url ? arena_printf(page->arena, "<a href=\"%s\">%s</a>", markup(page, url), code) : code;
}

const char *markup_commit(struct page *page, const char *repository, const char *commit, const char *shown)
{
	CLEANUP(strbuf_release) struct strbuf url = STRBUF_INIT;
	bool known = forge_commit(&url, repository, commit);

	return linked_code(page, known ? url.buf : NULL, shown);
}

static bool has_blocks(const struct blocks *blocks, unsigned parts)
{
	return blocks_next(blocks, parts, NULL) != NULL;
}

/* Blocks have a place of their own, cast doubt on a verdict and so precede it, or are only listed. */
enum terms { TERMS_PLACED, TERMS_DOUBTS, TERMS_OTHER, TERMS_ALL };

static enum terms terms_of(const struct block *block)
{
	switch (block->kind) {
	case BLOCK_FAILED:
	case BLOCK_CAUSE:
	case BLOCK_DIFFERS:
	case BLOCK_CHANGED:
	case BLOCK_HUNK:
	case BLOCK_PICTURE:
	case BLOCK_TOP:
		return TERMS_PLACED;
	case BLOCK_FOREIGN:
	case BLOCK_JUDGE:
	case BLOCK_NOISE:
		return TERMS_DOUBTS;
	default:
		return TERMS_OTHER;
	}
}

/* Consecutive blocks with the same label share it. */
static void add_terms(struct page *page, const char *class, const struct blocks *blocks, unsigned parts, enum terms which)
{
	const char *before = NULL;

	BLOCKS_EACH(block, blocks, parts) {
		bool code = block_styles[block->kind].form == FORM_CODE;

		if (which != TERMS_ALL && terms_of(block) != which)
			continue;
		if (!before)
			page_print(page, "<dl class=\"%s\">\n", class);
		if (!before || strcmp(block->label, before))
			page_print(page, "<dt>%s</dt>", block->label);
		strbuf_adds(page->out, "<dd>");
		if (code)
			page_print(page, "%s", linked_code(page, block->link, block->link ? block->link + strspn(block->link, "./") :
									       block->text));
		else
			strbuf_adds(page->out, markup_lines(page, block->text));
		strbuf_adds(page->out, "</dd>\n");
		before = block->label;
	}
	strbuf_adds(page->out, before ? "</dl>\n" : "");
}

static const char *title(struct page *page, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	headline_title(&text, scenario);
	return markup(page, text.buf);
}

/* -------- the change and its numbers */

static void add_heading(struct page *page, const char *text)
{
	page_print(page, "<h%d>%s</h%d>\n", page->alone ? 2 : 3, text, page->alone ? 2 : 3);
}

static void add_causes(struct page *page, const struct document_scenario *section)
{
	const char *description = section->of->description;

	BLOCKS_EACH(block, &section->blocks, PART_FAILURE | PART_FINDINGS)
		if (block->kind == BLOCK_FAILED || block->kind == BLOCK_CAUSE || block->kind == BLOCK_DIFFERS)
			page_print(page, "<p class=\"cause\">%s%s</p>\n", block->kind == BLOCK_DIFFERS ? "differs, not judged: " : "",
				   markup_lines(page, block->text));
	if (description)
		page_print(page, "<p class=\"note\">%s</p>\n", markup_lines(page, description));
}

static void add_change(struct page *page, const struct document_scenario *section)
{
	const struct result *result = page->document->result;
	const char *commit = section->of->head.commit ?: result->commit;

	BLOCKS_EACH(block, &section->blocks, PART_FINDINGS) {
		CLEANUP(strbuf_release) struct strbuf url = STRBUF_INIT;
		bool known = block->kind == BLOCK_HUNK && forge_line(&url, result->repository, commit, block->label);

		if (block->kind == BLOCK_CHANGED)
			page_print(page, "<p class=\"where\">changed <code>%s</code></p>\n", markup(page, block->text));
		if (block->kind != BLOCK_HUNK)
			continue;
		page_print(page, "<figure class=\"hunk\"><figcaption>%s</figcaption><pre tabindex=\"0\">",
			   linked_code(page, known ? url.buf : NULL, block->label));
		for (const char *line = block->text, *end; *line; line = *end ? end + 1 : end) {
			end = line + strcspn(line, "\n");
			page_print(page, *line == '-' ? "<del>%s</del>" : "<ins>%s</ins>",
				   markup(page, arena_strndup(page->arena, line, (size_t)(end - line))));
		}
		strbuf_adds(page->out, "</pre></figure>\n");
	}
}

static void add_side(struct page *page, const struct scenario_result *scenario, const struct gate_result *gate, bool head)
{
	const struct judgement *j = gate_judgement(gate);
	const struct side_result *side = head ? &scenario->head : &scenario->base;
	double value = head ? j->current : j->baseline, most = fmax(j->baseline, j->current);
	CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;
	const struct result *result = page->document->result;
	struct short_text spread = pairs_spread(scenario, gate, head);
	const char *commit = j->pairs ? side->commit : head ? result->commit : NULL;

	if (!isfinite(value))
		return;
	if (j->pairs)
		pairs_label(&label, scenario, head);
	else
		strbuf_adds(&label, head ? result->commit ?: "" : scenario->baseline_label ?: "");
	page_print(page, "<div class=\"side %s\"><p class=\"note\">%s %s</p><p class=\"large\">%s<small>%s%s</small></p>", head ? "head" : "base",
		   head ? "head" : j->pairs ? "base" : "baseline", markup_commit(page, result->repository, commit, label.buf),
		   markup(page, format_measured(value, j->metric).s), *spread.s ? "runs" : "", spread.s);
	if (most > 0 && isfinite(j->baseline))
		page_print(page, "<svg aria-hidden=\"true\" width=\"100%%\" height=\"12\"><rect width=\"%.1f%%\" height=\"12\" rx=\"3\"/></svg>",
			   100 * fmax(0, value) / most);
	strbuf_adds(page->out, "</div>\n");
}

static void add_numbers(struct page *page, const struct document_scenario *section)
{
	const struct scenario_result *scenario = section->of;
	const struct gate_result *gate = severity_gate(scenario, section->severity);
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	enum verdict verdict;

	if (!gate || !isfinite(gate_judgement(gate)->current))
		return;
	verdict = gate_judgement(gate)->verdict;
	if (verdict == VERDICT_NEW) {
		format_gate(&words, scenario, gate);
		strbuf_addf(&words, ", median of %zu %s", gate_judgement(gate)->n_current, scenario_result_runs(scenario, gate_judgement(gate)->n_current));
	} else if (verdict == VERDICT_PASS) {
		format_words(&words, scenario, gate);
	} else {
		format_finding(&words, scenario, gate);
		format_evidence(&words, gate);
		format_pairs(&words, scenario, gate);
	}
	page_print(page, "<div class=\"numbers %s\">\n", class_of(severity_tone(section->severity)));
	add_side(page, scenario, gate, false);
	add_side(page, scenario, gate, true);
	page_print(page, "<p>%s</p></div>\n", markup(page, words.buf));
}

/* -------- tables */

/* True for pawl's own gate that found nothing: the scenario did not ask for it. */
static bool is_unset(const struct scenario_result *scenario, const struct document_row *row)
{
	const struct gate *gate = row->gate ? &row->gate->gate : NULL;

	return row->shown || (gate && gate_result_quiet(row->gate)) || (gate && scenario->path && gate->by_default && !gate->line && !gate->required &&
			      row->severity > SEVERITY_INCONCLUSIVE && row->gate != severity_gate(scenario, severity_of(scenario)));
}

static const char *title_of(const struct document_column *column)
{
	return *column->title ? column->title : "found";
}

/* A narrow screen shows no head of the table: each cell carries its title. */
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

static void add_verdict(struct page *page, const struct document_table *table, const struct document_row *row)
{
	size_t last = table->n_columns - 1;
	bool found = row->symbol && row->symbol->verdict == VERDICT_REGRESSION;
	enum severity severity = row->gate ? row->severity : SEVERITY_REGRESSION;

	if (row->gate || found)
		page_print(page, "<td data-title=\"%s\" class=\"verdict\">%s%s</td>", title_of(&table->columns[last]),
		      row->shown ? "not judged" : severity_tag(page, severity),
		      found && row->symbol->change == SYMBOL_NEW ? " new" : "");
	else
		add_cell(page, table, row, last);
}

/* The rows of gates that were set, worst first, or the UNSET ones; or all symbols. */
static void add_table(struct page *page, const struct document_table *table, const struct scenario_result *scenario, bool unset)
{
	page_print(page, "<table class=\"cells\">\n<thead><tr>");
	for (size_t i = 0; i < table->n_columns; i++)
		page_print(page, "<th scope=\"col\"%s>%s</th>", table->columns[i].right ? " class=\"number\"" : "",
			   title_of(&table->columns[i]));
	strbuf_adds(page->out, "</tr></thead>\n<tbody>\n");
	for (int severity = 0; severity < SEVERITY_COUNT; severity++)
		for (size_t i = 0; i < table->n; i++) {
			const struct document_row *row = &table->rows[i];

			if ((int)row->severity != severity || is_unset(scenario, row) != unset)
				continue;
			page_print(page, "<tr class=\"%s\">", class_of(row->tone));
			for (size_t k = 0; k + 1 < table->n_columns; k++)
				add_cell(page, table, row, k);
			add_verdict(page, table, row);
			strbuf_adds(page->out, "</tr>\n");
		}
	strbuf_adds(page->out, "</tbody></table>\n");
}

static bool has_rows(const struct document_scenario *section, bool unset)
{
	for (size_t i = 0; section->gates && i < section->gates->n; i++)
		if (is_unset(section->of, &section->gates->rows[i]) == unset)
			return true;
	return false;
}

static void add_gates(struct page *page, const struct document_scenario *section)
{
	if (!has_rows(section, false))
		return;
	add_heading(page, "Gates");
	add_table(page, section->gates, section->of, false);
}

static void add_others(struct page *page, const struct document_scenario *section)
{
	if (!has_rows(section, true))
		return;
	strbuf_adds(page->out, "<details><summary>Also measured</summary>\n");
	add_table(page, section->gates, section->of, true);
	strbuf_adds(page->out, "</details>\n");
}

/* -------- charts of gates */

static void add_values(struct chart *chart, const double *values, size_t n, double at, const char *class)
{
	size_t dots = n > DOTS_MOST ? DOTS_MOST : n;

	for (size_t i = 0; i < dots; i++) {
		size_t from = i * n / dots;

		if (isfinite(values[from]))
			chart_dot(chart, (struct chart_dot){ .at = at + (double)from + 0.5, .value = values[from], .class = class,
				  .title = arena_printf(chart->arena, "%s %zu", class + strlen("of-"), from + 1) });
	}
}

static bool fill_pairs(struct chart *chart, const struct scenario_result *scenario, const struct judgement *j)
{
	CLEANUP(free_ptr) double *base = NULL;
	CLEANUP(free_ptr) double *head = NULL;
	size_t n = pairs_values(scenario, j->metric, j->pairs, &base, &head);

	add_values(chart, base, n, 0, "of-base");
	add_values(chart, head, n, 0, "of-head");
	chart->columns = (double)n;
	chart_label(chart, (struct chart_label){ 0, "pair 1", NULL });
	chart_label(chart, (struct chart_label){ (double)n, arena_printf(chart->arena, "pair %zu", n), NULL });
	return n > 1;
}

static bool fill_runs(struct chart *chart, const struct scenario_result *scenario, const struct gate_result *result)
{
	size_t n;
	CLEANUP(free_ptr) double *values = side_result_values(&scenario->head, gate_judgement(result)->metric, &n);
	double at = 0;

	for (size_t i = 0; i < result->n_sessions && i < SESSIONS_KEPT; i++) {
		const struct accepted_session *session = &result->sessions[i];

		add_values(chart, session->values, session->n, at, "of-base");
		/* "11-20" of "2026-11-20T10:05:54Z" */
		if (strlen(session->date) >= 10)
			chart_label(chart, (struct chart_label){ at + (double)session->n / 2, arena_strndup(chart->arena, session->date + 5, 5), NULL });
		at += (double)session->n + 1;
	}
	add_values(chart, values, n, at, "of-head");
	chart_label(chart, (struct chart_label){ at + (double)n / 2, "head", NULL });
	chart->columns = at + (double)n;
	return n > 1;
}

static void add_level(struct chart *chart, double value, const char *class)
{
	chart_line(chart, (struct chart_line){ 0, chart->columns, value, value, class });
}

/* A chart of GATE's runs with its limits; nothing if its values have no chart. */
static void add_chart(struct page *page, const struct scenario_result *scenario, const struct gate_result *result)
{
	const struct gate *gate = &result->gate;
	const struct judgement *j = gate_judgement(result);
	struct chart chart = { .metric = j->metric, .room_from = NAN, .room_to = NAN, .arena = page->arena };
	double room = fmax(fabs(j->baseline) * j->tolerance_pct / 100,
			   j->pairs ? 0 : side_result_least(&scenario->head, gate, j->metric, false)), limit = NAN;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (gate->kind != GATE_METRIC || page->out->len > PAGE_WITH_PICTURES ||
	    !(j->pairs ? fill_pairs(&chart, scenario, j) : fill_runs(&chart, scenario, result)) || !chart.n_dots)
		return;
	if (gate->relative && isfinite(j->baseline)) {
		limit = gate->metric->higher_is_better ? j->baseline - room : j->baseline + room;
		chart.room_from = gate->metric->higher_is_better ? limit : -INFINITY;
		chart.room_to = gate->metric->higher_is_better ? INFINITY : limit;
	}
	add_level(&chart, j->baseline, "median-base");
	add_level(&chart, j->current, "median-head");
	add_level(&chart, limit, "limit");
	add_level(&chart, gate->max, "limit");
	add_level(&chart, gate->min, "limit");
	format_gate(&name, scenario, result);
	chart.words = arena_printf(page->arena, "%s: %zu values", name.buf, chart.n_dots);
	page_print(page, "<figure class=\"runs %s\"><figcaption><b>%s</b> of each %s: ", class_of(severity_tone(severity_of_gate(scenario, result))),
		   markup(page, name.buf), scenario_result_runs(scenario, 1));
	if (isfinite(j->baseline))
		page_print(page, "<span class=\"key of-base\">%s</span> ", j->pairs ? "base" : "baseline");
	page_print(page, "<span class=\"key of-head\">head</span>, lines: medians%s</figcaption>\n",
		   chart.n_lines > 2 ? ", dashed: limit" : "");
	chart_add(page->out, &chart);
	strbuf_adds(page->out, "</figure>\n");
}

static void add_charts(struct page *page, const struct document_scenario *section)
{
	const struct scenario_result *scenario = section->of;
	const struct gate_result *first = severity_gate(scenario, section->severity);
	size_t before, begun;

	if (first)
		add_chart(page, scenario, first);
	before = page->out->len;
	strbuf_adds(page->out, "<details><summary>Runs of the other gates</summary>\n");
	begun = page->out->len;
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (&scenario->gates[i] != first)
			add_chart(page, scenario, &scenario->gates[i]);
	if (page->out->len == begun)
		strbuf_truncate(page->out, before);
	else
		strbuf_adds(page->out, "</details>\n");
}

/* -------- where the time goes */

static void add_symbols(struct page *page, const struct document_scenario *section)
{
	if (!section->symbols && !has_blocks(&section->blocks, PART_PROFILE))
		return;
	strbuf_adds(page->out, "<details><summary>Functions by CPU time</summary>\n");
	if (section->symbols) {
		add_table(page, section->symbols, section->of, false);
		strbuf_adds(page->out, "<p class=\"note\">Shares are a function's own samples. Changes have two standard errors behind them.</p>\n");
	}
	add_terms(page, "facts", &section->blocks, PART_PROFILE, TERMS_OTHER);
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

static void add_picture(struct page *page, const char *picture)
{
	strbuf_adds(page->out, "<figure class=\"flames\">\n");
	strbuf_adds(page->out, picture);
	strbuf_adds(page->out, "</figure>\n");
}

static void add_files(struct page *page, const struct document_scenario *section)
{
	bool any = false;

	BLOCKS_EACH(block, &section->blocks, PART_PROFILE) {
		if (terms_of(block) != TERMS_PLACED)
			continue;
		page_print(page, "%s%s", any ? ", " : "<p class=\"note\">Files: ",
			   linked_code(page, block->link, block->link ? block->link + strspn(block->link, "./") : block->text));
		any = true;
	}
	strbuf_adds(page->out, any ? "</p>\n" : "");
}

static void add_pictures(struct page *page, const struct document_scenario *section)
{
	const struct report_pictures *pictures = page->pictures ? &page->pictures[section->index] : NULL;
	size_t size = pictures ? strlen(pictures->flame ?: "") + strlen(pictures->difference ?: "") : 0;

	if (size && page->out->len + size > PAGE_WITH_PICTURES) {
		page_print(page, "<p class=\"note\">Flame graphs are left out: with them the page would be larger than %d MiB. "
			   "They are among the results, in the folder <code>%s</code>.</p>\n", PAGE_LARGEST >> 20,
			   section->of->name);
		return;
	}
	if (size && pictures->difference) {
		add_heading(page, "What changed");
		add_picture(page, pictures->difference);
	}
	if (size && pictures->flame) {
		strbuf_adds(page->out, "<details><summary>Where the CPU time goes</summary>\n");
		add_picture(page, pictures->flame);
		strbuf_adds(page->out, "</details>\n");
	}
}

/* -------- a scenario */

static void add_log(struct page *page, const struct document_scenario *section)
{
	BLOCKS_EACH(block, &section->blocks, PART_LOG) {
		CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

		if (block->kind != BLOCK_LOG) {
			page_print(page, "<p class=\"note\">All of it: <code>%s</code></p>\n",
				   markup(page, block->text));
			continue;
		}
		prose_add_log(&log, block->text, "", LOG_LINES);
		add_heading(page, "The last lines of its output");
		page_print(page, "<pre tabindex=\"0\">%s</pre>\n", markup_lines(page, log.buf));
	}
}

static void add_method(struct page *page, const struct document_scenario *section)
{
	unsigned parts = PART_SIDES | PART_BASELINE | PART_METHOD | PART_LOAD | PART_FACTS;

	if (!has_blocks(&section->blocks, parts))
		return;
	strbuf_adds(page->out, "<details><summary>How it was measured</summary>\n");
	add_terms(page, "facts", &section->blocks, parts, TERMS_OTHER);
	strbuf_adds(page->out, "</details>\n");
}

static void add_commands(struct page *page, const struct document_scenario *section)
{
	if (!has_blocks(&section->blocks, PART_COMMANDS))
		return;
	add_heading(page, "Commands");
	strbuf_adds(page->out, "<dl class=\"facts\">\n");
	BLOCKS_EACH(block, &section->blocks, PART_COMMANDS) {
		page_print(page, "<dt>%s</dt><dd>", markup(page, block->label));
		add_command(page, block->text);
		strbuf_adds(page->out, "</dd>\n");
	}
	strbuf_adds(page->out, "</dl>\n");
}

static void add_scenario(struct page *page, const struct document_scenario *section, bool folded)
{
	const struct scenario_result *scenario = section->of;

	if (!page->alone) {
		page_print(page, "<section class=\"card %s\" id=\"s%zu\" aria-labelledby=\"s%zu-title\">\n%s<h2 id=\"s%zu-title\">%s %s</h2>\n%s",
			   class_of(severity_tone(section->severity)), section->index, section->index,
			   folded ? "<details><summary>" : "", section->index, severity_tag(page, section->severity),
			   title(page, scenario), folded ? "</summary>\n" : "");
		add_causes(page, section);
		add_terms(page, "doubts", &section->blocks, PART_FINDINGS | PART_BASELINE, TERMS_DOUBTS);
	}
	add_change(page, section);
	add_log(page, section);
	add_numbers(page, section);
	add_gates(page, section);
	add_terms(page, "facts", &section->blocks, PART_FINDINGS, TERMS_OTHER);
	add_charts(page, section);
	add_pictures(page, section);
	add_files(page, section);
	add_evidence(page, section);
	add_symbols(page, section);
	add_others(page, section);
	add_method(page, section);
	add_commands(page, section);
	strbuf_adds(page->out, page->alone ? "" : folded ? "</details></section>\n" : "</section>\n");
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
	const struct document_scenario *only = page->alone ? &page->document->scenarios[0] : NULL;
	bool listed = false;

	if (only)
		page_print(page, "<h1>%s %s</h1>\n", severity_tag(page, only->severity), title(page, only->of));
	for (size_t i = 0; i < headline->n; i++) {
		const struct headline_part *part = &headline->items[i];

		if (only && part->of_scenarios)
			continue;
		if (!only && !i) {
			page_print(page, "<h1>%s %s</h1>\n", tag(page, part->word, part->tone), markup(page, part->text));
			add_command(page, part->command);
			continue;
		}
		page_print(page, "%s<li>%s %s", listed ? "" : "<ul class=\"parts\">\n", tag(page, part->word, part->tone), markup(page, part->text));
		add_command(page, part->command);
		strbuf_adds(page->out, "</li>\n");
		listed = true;
	}
	strbuf_adds(page->out, listed ? "</ul>\n" : "");
}

static void add_origin(struct page *page)
{
	const struct result *result = page->document->result;

	page_print(page, "<p class=\"note\">%s, %s", page->document->measured, markup(page, result->date));
	if (result->commit)
		page_print(page, ", commit %s", markup_commit(page, result->repository, result->commit, result->commit));
	if (forge_is_url(result->ci_run))
		page_print(page, ", <a href=\"%s\">CI run</a>", markup(page, result->ci_run));
	strbuf_adds(page->out, "</p>\n");
}

/* Nothing in the page may load or run anything, whatever foreign text it holds. */
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

void page_begin(struct page *page, const char *title, const char *more_style)
{
	page_print(page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s - pawl</title>\n<style>\n%s%s</style>\n"
	    "</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to what was found</a>\n",
	    policy, title, html_style, more_style);
}

void report_html(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT, flames = STRBUF_INIT;
	struct page page = {
		.document = &document, .out = out, .arena = &document.arena, .pictures = options->pictures,
		.alone = result->n_scenarios == 1,
	};
	bool calm, first;

	document_build(&document, result, FOR_HTML);
	for (size_t i = 0; options->pictures && i < result->n_scenarios && !flames.len; i++)
		if (options->pictures[i].flame || options->pictures[i].difference)
			flame_piece_style(&flames);
	page_begin(&page, page.alone ? title(&page, &result->scenarios[0]) : markup(&page, document.headline.items[0].text), flames.buf);
	page_print(&page, "<header class=\"%s\">\n", class_of(page.alone ? severity_tone(document.scenarios[0].severity) :
								 document.headline.items[0].tone));
	add_headline(&page);
	if (page.alone)
		add_causes(&page, &document.scenarios[0]);
	add_terms(&page, "doubts", &document.notes, PART_WHOLE, TERMS_DOUBTS);
	if (page.alone)
		add_terms(&page, "doubts", &document.scenarios[0].blocks, PART_FINDINGS | PART_BASELINE, TERMS_DOUBTS);
	add_origin(&page);
	strbuf_adds(out, "</header>\n<main id=\"main\">\n");

	/* Passed scenarios are folded if there are many or if another one did not pass. */
	calm = document.n && document.n <= OPEN_MOST && document.scenarios[0].severity == SEVERITY_PASS;
	/* The worst scenario comes before the list. */
	if ((first = document.n && document.scenarios[0].urgent))
		add_scenario(&page, &document.scenarios[0], false);
	add_overview(&page);
	for (size_t i = first; i < document.n; i++)
		add_scenario(&page, &document.scenarios[i], !calm && document.scenarios[i].severity == SEVERITY_PASS);
	add_terms(&page, "facts", &document.notes, PART_WHOLE, TERMS_OTHER);

	command_again(&again, result, NULL);
	strbuf_adds(out, "<details class=\"machine\"><summary>Machine and run</summary>\n");
	add_terms(&page, "facts", &document.conditions, PART_WHOLE, TERMS_ALL);
	strbuf_adds(out, result_compares(result) ? "<h2>Compare again</h2>\n" : "<h2>Measure all of it again</h2>\n");
	add_command(&page, again.buf);
	strbuf_adds(out, "</details>\n</main>\n</body>\n</html>\n");
}
