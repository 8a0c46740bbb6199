/* A report for a terminal: what needs attention in full, a line for each scenario that passed. */
#include "base/mem.h"
#include "base/text.h"
#include "report/report.h"

#define STYLE_BOLD "1"
#define STYLE_DIM "2"

/* Columns of a terminal: of all of it, of the labels at its left, and that a symbol's name may take. */
enum { WIDTH = 100, LABEL_WIDTH = 11, SYMBOL_WIDTH = 40 };

/* Lines of a failed target's output that are quoted. */
enum { LOG_LINES = 20 };

/* What an SGR escape sequence holds for that tone, or NULL without colours. */
static const char *style_of(const struct report_options *options, enum tone tone)
{
	static const char *const styles[] = {
		[TONE_PLAIN] = NULL, [TONE_GOOD] = "32", [TONE_WARNING] = "1;33", [TONE_BAD] = "1;31",
	};

	return options->color ? styles[tone] : NULL;
}

/* A name as long as a template's would push all numbers out of sight. */
static void add_cell(struct table *table, const char *cell, size_t most, const char *style)
{
	bool clipped = most && utf8_width(cell) > most;
	CLEANUP(free_ptr) char *start = clipped ? text_printf("%.*s...", (int)utf8_clip(cell, most - 3), cell) : NULL;
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	escape_terminal(&shown, start ?: cell);
	table_add(table, shown.buf, style);
}

void print_text_table(const struct document_table *from, const struct report_options *options, struct strbuf *out)
{
	char columns[TABLE_COLUMNS_MAX + 1] = "";
	CLEANUP(table_release) struct table table;

	for (size_t i = 0; i < from->n_columns; i++)
		columns[i] = from->columns[i].right ? 'r' : 'l';
	table_init(&table, columns);
	for (size_t i = 0; i < from->n_columns; i++)
		table_add(&table, from->columns[i].title, options->color ? STYLE_DIM : NULL);
	for (size_t i = 0; i < from->n; i++)
		for (size_t k = 0; k < from->n_columns; k++)
			add_cell(&table, from->rows[i].cells[k], !k && from->rows[i].symbol ? SYMBOL_WIDTH : 0,
				 k == from->n_columns - 1 ? style_of(options, from->rows[i].tone) : NULL);
	if (from->n)
		table_render(&table, 2, out);
	if (from->more)
		strbuf_addf(out, "  %s\n", from->more);
}

/* A label stands once before what follows each other under it; notes of the whole each have theirs. */
static void add_blocks(const struct blocks *blocks, const struct report_options *options, struct strbuf *out)
{
	const char *before = "";

	for (size_t i = 0; i < blocks->n; i++) {
		const struct block *block = &blocks->items[i];
		const struct block_style *style = &block_styles[block->kind];
		bool again = style->part != PART_WHOLE && !strcmp(style->brief, before);

		before = style->brief;
		if (style->form == FORM_TABLE) {
			print_text_table(block->table, options, out);
		} else if (style->form == FORM_LOG) {
			strbuf_addf(out, "  %s:\n", block->label);
			prose_add_log(out, block->text, "    | ", LOG_LINES);
		} else {
			strbuf_addf(out, "  %-*s", LABEL_WIDTH - 2, again ? "" : style->brief);
			if (style->form == FORM_PROSE)
				prose_add(out, block->text, LABEL_WIDTH, options->width ? options->width : WIDTH);
			else
				escape_terminal(out, block->text);
			strbuf_adds(out, style->form == FORM_CODE ? "\n" : "");
		}
	}
}

/* "REGRESSION sqlite-join task-clock +92.1 % (at least +41.2 %), tolerance 25 %", and what there is to say of it. */
static void add_scenario(const struct document_scenario *scenario, const struct report_options *options,
			 struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	escape_terminal(&name, scenario->of->name);
	strbuf_addc(out, '\n');
	text_styled(out, scenario->verdict, style_of(options, severity_tone(scenario->severity)));
	strbuf_addc(out, ' ');
	text_styled(out, name.buf, options->color ? STYLE_BOLD : NULL);
	if (scenario->words) {
		strbuf_addc(out, ' ');
		escape_terminal(out, scenario->words);
	}
	strbuf_addc(out, '\n');
	add_blocks(&scenario->blocks, options, out);
}

/* "task-clock +0.4 %, page-faults 0 %", as many as fit. */
static void add_findings(const struct scenario_result *scenario, size_t room, struct strbuf *out)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(strbuf_release) struct strbuf finding = STRBUF_INIT, shown = STRBUF_INIT;

		if (gate_result_quiet(&scenario->gates[i]))
			continue;
		(gate_judgement(&scenario->gates[i])->pairs ? format_words : format_finding)(&finding, scenario,
											     &scenario->gates[i]);
		escape_terminal(&shown, finding.buf);
		if (i && utf8_width(out->buf) + utf8_width(shown.buf) + 2 > room) {
			strbuf_addf(out, " and %zu more", scenario->n_gates - i);
			return;
		}
		strbuf_addf(out, "%s%s", i ? ", " : "", shown.buf);
	}
}

/* A line for each scenario that passed. */
static void add_briefs(const struct document *document, const struct report_options *options, struct strbuf *out)
{
	size_t width = options->width ? options->width : WIDTH, used = 24 + sizeof " and 99 more";
	CLEANUP(table_release) struct table table;

	table_init(&table, "lll");
	for (size_t i = 0; i < document->n; i++) {
		const struct document_scenario *scenario = &document->scenarios[i];
		CLEANUP(strbuf_release) struct strbuf findings = STRBUF_INIT;

		if (!scenario->brief)
			continue;
		add_findings(scenario->of, width > used ? width - used : 0, &findings);
		table_add(&table, scenario->verdict, style_of(options, TONE_GOOD));
		add_cell(&table, scenario->of->name, 0, NULL);
		table_add(&table, findings.buf, NULL);
	}
	strbuf_adds(out, table.n ? "\n" : "");
	table_render(&table, 0, out);
}

void report_text(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;

	document_build(&document, result, options->verbose ? FOR_TEXT | FOR_VERBOSE : FOR_TEXT);
	/* The first line is one line however long it is: whoever greps or reads only that sees it all. */
	for (size_t i = 0; i < document.headline.n; i++) {
		const struct headline_part *part = &document.headline.items[i];

		strbuf_adds(out, i ? "; " : "");
		text_styled(out, part->word, style_of(options, part->tone));
		strbuf_adds(out, ": ");
		escape_terminal(out, part->text);
		strbuf_adds(out, part->command ? ": " : "");
		escape_terminal(out, part->command ?: "");
	}
	strbuf_addc(out, '\n');
	add_blocks(&document.notes, options, out);
	for (size_t i = 0; i < document.n; i++)
		if (!document.scenarios[i].brief)
			add_scenario(&document.scenarios[i], options, out);
	add_briefs(&document, options, out);
	strbuf_addc(out, '\n');
	add_blocks(&document.conditions, options, out);
}
