/* A report for a terminal: scenarios that need attention in full, one line for each that passed. */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/result.h"
#include "report/document.h"
#include "report/headline.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"
#include "report/typed.h"
#include "report/words.h"

#define STYLE_BOLD "1"
#define STYLE_DIM "2"

/* Columns of the whole text, of its labels at the left, and of names of symbols and gates. */
enum { WIDTH = 80, WIDTH_VERBOSE = 100, LABEL_WIDTH = 11, SYMBOL_WIDTH = 40, GATE_WIDTH = 28 };

/* Lines of a scenario that did not pass, unless verbose, and of a failed target's output. */
enum { NEW_MOST = 10, LINES_MOST = 10, LOG_LINES = 6, LOG_LINES_VERBOSE = 20 };

static unsigned width_of(const struct report_options *options)
{
	return options->width ?: options->verbose ? WIDTH_VERBOSE : WIDTH;
}

static const char *style_of(const struct report_options *options, enum tone tone)
{
	static const char *const styles[] = {
		[TONE_PLAIN] = NULL, [TONE_GOOD] = "32", [TONE_WARNING] = "1;33", [TONE_BAD] = "1;31",
	};

	return options->color ? styles[tone] : NULL;
}

/* Cuts long names of templates, which would push the numbers out of sight. */
static void add_cell(struct table *table, const char *cell, size_t most, const char *style)
{
	bool clipped = most && utf8_width(cell) > most;
	CLEANUP(free_ptr) char *start = clipped ? text_printf("%.*s...", (int)utf8_clip(cell, most - 3), cell) : NULL;

	table_add(table, start ?: cell, style);
}

static void render_table(const struct document_table *from, size_t n_columns, const struct report_options *options,
			 struct strbuf *out)
{
	char columns[TABLE_COLUMNS_MAX + 1] = "";
	CLEANUP(table_release) struct table table;

	for (size_t i = 0; i < n_columns; i++)
		columns[i] = from->columns[i].right ? 'r' : 'l';
	table_init(&table, columns);
	for (size_t i = 0; i < n_columns; i++)
		table_add(&table, from->columns[i].title, options->color ? STYLE_DIM : NULL);
	for (size_t i = 0; i < from->n; i++)
		for (size_t k = 0; k < n_columns; k++)
			add_cell(&table, from->rows[i].cells[k],
				 k || options->whole ? 0 : from->rows[i].symbol ? SYMBOL_WIDTH : from->narrow ? GATE_WIDTH : 0,
				 k == from->toned ? style_of(options, from->rows[i].tone) : NULL);
	if (from->n)
		table_render(&table, from->first ? 0 : 2, out);
}

/* Columns of its longest line. */
static size_t widest(const char *text)
{
	size_t most = 0;

	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *line = xstrndup(text, len);

		most = utf8_width(line) > most ? utf8_width(line) : most;
	}
	return most;
}

static void print_table(const struct document_table *from, const struct report_options *options, struct strbuf *out)
{
	size_t before = out->len, n = from->n_columns;

	for (bool fits = !from->narrow; !fits; n -= !fits) {
		render_table(from, n, &(struct report_options){ 0 }, out);
		fits = n <= 2 || widest(out->buf + before) <= width_of(options);
		strbuf_truncate(out, before);
	}
	render_table(from, n, options, out);
	if (from->more)
		strbuf_addf(out, "%s%s\n", from->first ? "" : "  ", from->more);
}

/* A label is printed once for consecutive blocks that share it. Notes of the whole result each have their own. */
static void add_block(const struct blocks *blocks, size_t at, const struct report_options *options, struct strbuf *out)
{
	const struct block *block = &blocks->items[at];
	const struct block_style *style = &block_styles[block->kind];
	bool again = at && style->part != PART_WHOLE && !strcmp(style->brief, block_styles[block[-1].kind].brief);

	if (style->form == FORM_TABLE) {
		print_table(block->table, options, out);
	} else if (style->form == FORM_LOG) {
		strbuf_addf(out, "  %s:\n", block->label);
		prose_add_log(out, block->text, "    | ", options->verbose ? LOG_LINES_VERBOSE : LOG_LINES);
	} else {
		strbuf_addf(out, "  %-*s", LABEL_WIDTH - 2, again ? "" : style->brief);
		if (style->form == FORM_PROSE)
			prose_add(out, block->text, LABEL_WIDTH, width_of(options));
		else
			escape_terminal(out, block->text);
		strbuf_adds(out, style->form == FORM_CODE ? "\n" : "");
	}
}

static void add_blocks(const struct blocks *blocks, const struct report_options *options, struct strbuf *out)
{
	for (size_t i = 0; i < blocks->n; i++)
		add_block(blocks, i, options, out);
}

static size_t lines_of(const char *text)
{
	size_t n = 0;

	while ((text = strchr(text, '\n'))) {
		text++;
		n++;
	}
	return n;
}

/* The last one notes that there are more. No line exceeds WIDTH columns. */
static void add_lines(struct strbuf *out, const char *text, size_t most, unsigned width)
{
	static const char more[] = " ...";
	size_t line = out->len;
	const char *end = text;

	for (size_t i = 0; i < most; i++) {
		line = out->len + (size_t)(end - text);
		end = strchr(end, '\n') + 1;
	}
	strbuf_add(out, text, (size_t)(end - text - 1));
	while (*end && widest(out->buf + line) + strlen(more) > width) {
		const char *blank = strrchr(out->buf + line, ' ');

		if (!blank || blank < out->buf + line + LABEL_WIDTH)
			break;
		strbuf_truncate(out, (size_t)(blank - out->buf));
	}
	strbuf_addf(out, "%s\n", *end ? more : "");
}

static void cut_block(size_t *most, size_t *total, size_t left)
{
	size_t spare = *total > left ? *total - left : 0, has = *most ? *most - 1 : 0;

	spare = spare < has ? spare : has;
	*most -= spare;
	*total -= spare;
}

/* The index of the first cause or its substitute; BLOCKS->n if there is neither. */
static size_t first_cause(const struct blocks *blocks)
{
	size_t i = 0;

	while (i < blocks->n && blocks->items[i].kind != BLOCK_CAUSE)
		i++;
	return i;
}

static bool is_of_cause(const struct blocks *blocks, size_t cause, size_t i)
{
	return i == cause || (i == cause + 1 && blocks->items[i].kind == BLOCK_CHANGED);
}

/* Prose is cut short from the end, findings without a line are counted. The first cause and its changed line stay. */
static void add_blocks_shortly(const struct blocks *blocks, size_t left, const struct report_options *options,
			       struct strbuf *out)
{
	struct strbuf *texts = xcalloc(blocks->n + 1, sizeof *texts);
	size_t *most = xcalloc(blocks->n + 1, sizeof *most), total = 0, hidden = 0, last = 0, cause = first_cause(blocks);

	for (size_t i = 0; i < blocks->n; i++) {
		add_block(blocks, i, options, &texts[i]);
		most[i] = lines_of(texts[i].buf);
		total += most[i];
	}
	for (size_t i = blocks->n; i--;)
		if (i != cause && block_styles[blocks->items[i].kind].form == FORM_PROSE)
			cut_block(&most[i], &total, left);
	for (size_t i = blocks->n; i-- && total + (hidden > 0) > left;) {
		if (block_styles[blocks->items[i].kind].part != PART_FINDINGS || is_of_cause(blocks, cause, i))
			continue;
		total -= most[i];
		most[i] = 0;
		last = hidden++ ? last : i;
	}
	if (cause < blocks->n)
		cut_block(&most[cause], &total, left - (hidden > 0));
	for (size_t i = 0; i < blocks->n; i++) {
		if (most[i])
			add_lines(out, texts[i].buf, most[i], width_of(options));
		strbuf_release(&texts[i]);
		if (!hidden || i != last)
			continue;
		strbuf_addf(out, "  %-*s%zu more %s with -v\n", LABEL_WIDTH - 2, "", hidden, hidden == 1 ? "finding" : "findings");
	}
	free(texts);
	free(most);
}

static void add_part(const struct headline_part *part, const struct report_options *options, struct strbuf *out)
{
	text_styled(out, part->word, style_of(options, part->tone));
	strbuf_adds(out, ": ");
	escape_terminal(out, part->text);
	strbuf_adds(out, part->command ? ": " : "");
	escape_terminal(out, part->command ?: "");
}

/* The headline is one line, however long, so that grep and head show it completely. */
static void add_headline(const struct document *document, const struct report_options *options, struct strbuf *out)
{
	for (size_t i = 0; i < document->headline.n; i++) {
		/* The line of a single scenario says it. */
		if (document->n == 1 && document->headline.items[i].of_scenarios)
			continue;
		strbuf_adds(out, i ? "; " : "");
		add_part(&document->headline.items[i], options, out);
	}
	strbuf_addc(out, '\n');
}

/* Adds the notes of the whole run. Without a headline (HEADED) its warnings come first. */
static void add_notes(const struct document *document, bool headed, const struct report_options *options, struct strbuf *out)
{
	for (size_t i = 0; i < document->headline.n && !headed; i++) {
		if (document->headline.items[i].of_scenarios)
			continue;
		strbuf_addf(out, "  %-*s", LABEL_WIDTH - 2, "warning");
		add_part(&document->headline.items[i], options, out);
		strbuf_addc(out, '\n');
	}
	add_blocks(&document->notes, options, out);
}

static void add_scenario(const struct document *document, const struct document_scenario *scenario, bool headed,
			 const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	escape_terminal(&name, scenario_result_label(scenario->of));
	strbuf_adds(out, out->len ? "\n" : "");
	/* A first measurement is a fact, not a verdict. */
	if (scenario->severity != SEVERITY_NEW) {
		text_styled(out, scenario->verdict, style_of(options, severity_tone(scenario->severity)));
		strbuf_addc(out, ' ');
	}
	text_styled(out, name.buf, options->color ? STYLE_BOLD : NULL);
	if (scenario->words) {
		strbuf_adds(out, scenario->severity == SEVERITY_NEW ? ": " : " ");
		escape_terminal(out, scenario->words);
	}
	strbuf_addc(out, '\n');
	if (!headed)
		add_notes(document, headed, options, out);
	if (options->verbose)
		add_blocks(&scenario->blocks, options, out);
	else
		add_blocks_shortly(&scenario->blocks, options->whole ? SIZE_MAX : LINES_MOST - 1, options, out);
}

/* Findings of SCENARIO's gates, without quiet ones, as cells of a row. LIMITS: those of times have their limit. */
static void find(const struct scenario_result *scenario, bool limits, struct strv *out)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(strbuf_release) struct strbuf finding = STRBUF_INIT, shown = STRBUF_INIT;
		const struct gate_result *gate = &scenario->gates[i];
		const struct judgement *j = gate_judgement(gate);

		if (gate_result_quiet(gate))
			continue;
		if (scenario->pairing.identical.binary) {
			strv_push(out, j->reason);
			return;
		}
		/* A time moves by itself, so a pass says what it excludes. */
		(j->pairs || j->metric->kind == KIND_TIME ? format_words : format_finding)(&finding, scenario, gate);
		if (!limits && strstr(finding.buf, " (limit "))
			strbuf_truncate(&finding, (size_t)(strstr(finding.buf, " (limit ") - finding.buf));
		escape_terminal(&shown, finding.buf);
		strv_push(out, shown.buf);
	}
}

enum { FINDINGS_MOST = 4 };

/* One line per passed scenario, each with FINDINGS columns. */
static void render_briefs(const struct document *document, const struct report_options *options, size_t findings,
			  bool limits, struct strbuf *out)
{
	static const char columns[] = "lllllll";
	CLEANUP(table_release) struct table table;

	table_init(&table, columns + sizeof columns - 1 - (findings + 3));
	for (size_t i = 0; i < document->n; i++) {
		const struct document_scenario *scenario = &document->scenarios[i];
		CLEANUP(strv_release) struct strv found = STRV_INIT;

		if (!scenario->brief)
			continue;
		find(scenario->of, limits, &found);
		table_add(&table, scenario->verdict, style_of(options, TONE_GOOD));
		add_cell(&table, scenario_result_label(scenario->of), 0, NULL);
		for (size_t k = 0; k < findings; k++)
			table_add(&table, k < found.n ? found.items[k] : "", NULL);
		if (found.n > findings) {
			CLEANUP(free_ptr) char *more = text_printf("and %zu more", found.n - findings);

			table_add(&table, more, NULL);
		} else {
			table_add(&table, "", NULL);
		}
	}
	table_render(&table, 0, out);
}

/* Limits are left out last. */
static void add_briefs(const struct document *document, const struct report_options *options, struct strbuf *out)
{
	size_t before, n = FINDINGS_MOST;
	bool limits = true;

	for (size_t i = 0; i < document->n; i++)
		if (document->scenarios[i].brief) {
			strbuf_adds(out, out->len ? "\n" : "");
			break;
		}
	before = out->len;
	render_briefs(document, &(struct report_options){ 0 }, n, limits, out);
	while ((limits || n > 1) && widest(out->buf + before) > width_of(options)) {
		strbuf_truncate(out, before);
		limits = n > 1;
		n -= limits;
		render_briefs(document, &(struct report_options){ 0 }, n, limits, out);
	}
	strbuf_truncate(out, before);
	render_briefs(document, options, n, limits, out);
}

static void add_report(const struct document *document, const struct report_options *options, struct strbuf *out)
{
	/* A single scenario's verdict is the first line. */
	bool headed = document->n != 1 || !document->headline.items[0].of_scenarios;
	size_t fresh = 0;

	if (headed) {
		add_headline(document, options, out);
		add_notes(document, headed, options, out);
	}
	for (size_t i = 0; i < document->n; i++) {
		const struct document_scenario *scenario = &document->scenarios[i];
		bool is_new = scenario->severity == SEVERITY_NEW;

		fresh += is_new;
		if (!scenario->brief && (options->verbose || !is_new || fresh <= NEW_MOST))
			add_scenario(document, scenario, headed, options, out);
	}
	if (fresh > NEW_MOST && !options->verbose)
		strbuf_addf(out, "\nnew and %zu more scenarios: pawl report -v shows them\n", fresh - NEW_MOST);
	add_briefs(document, options, out);
	if (!headed && document->scenarios[0].brief)
		add_notes(document, headed, options, out);
	strbuf_addc(out, '\n');
	add_blocks(&document->conditions, options, out);
}

void report_text(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;

	document_build(&document, result, options->verbose ? FOR_TEXT | FOR_VERBOSE : FOR_TEXT);
	add_report(&document, options, out);
}

static void add_answer(const struct scenario_result *scenario, bool only, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *style = style_of(options, typed_answer(&text, scenario, only));

	if (style)
		strbuf_addf(out, "\033[%sm", style);
	prose_add(out, text.buf, 0, width_of(options));
	if (style)
		strbuf_adds(out, "\033[0m");
}

void report_typed(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;

	document_build(&document, result, options->verbose ? FOR_TEXT | FOR_VERBOSE | FOR_COMMANDS : FOR_COMMANDS);
	print_table(document.typed, options, out);
	strbuf_addc(out, '\n');
	if (options->verbose) {
		add_report(&document, options, out);
		return;
	}
	for (size_t i = 0; i < document.n; i++)
		add_blocks(&document.scenarios[i].blocks, options, out);
	add_blocks(&document.conditions, options, out);
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (result->scenarios[i].paired && result->scenarios[i].n_gates)
			add_answer(&result->scenarios[i], result->n_scenarios == 1, options, out);
}
