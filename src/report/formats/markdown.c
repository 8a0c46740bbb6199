/*
 * A report for GitHub's summaries and comments. The first screenful is enough; the rest folds. Foreign text enters
 * only through text(), code() and add_fence(), cut short and escaped.
 */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/machine.h"
#include "model/result.h"
#include "report/document.h"
#include "report/headline.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"

/* Items before the first fold. */
enum { FIRST_ROWS = 20, FIRST_EXPLANATIONS = 3 };

/* Room for closing tags and for the list of omissions. GitHub accepts comments of up to 65,536 characters. */
enum { RESERVE = 512, LIMIT = 60000 };

/* Bytes of a foreign text, and lines of a log, that fit a page. */
enum { TEXT_LONGEST = 600, CODE_LONGEST = 300, LOG_LINES = 15 };
/* Lines of evidence. */
enum { EVIDENCE_LINES = 40 };

static const char *escaped(struct arena *arena, void (*escape)(struct strbuf *, const char *), const char *s,
			   size_t most)
{
	size_t len = utf8_clip(s, most);
	struct strbuf safe = STRBUF_INIT;

	escape(&safe, arena_printf(arena, "%.*s%s", (int)len, s, s[len] ? "..." : ""));
	return arena_take(arena, strbuf_take(&safe));
}

/* Escapes S for one printf. */
static const char *text(struct arena *arena, const char *s)
{
	return escaped(arena, escape_markdown, s, TEXT_LONGEST);
}

static const char *code(struct arena *arena, const char *s)
{
	return escaped(arena, escape_code_span, s, CODE_LONGEST);
}

/* A fenced block of CONTENT, whose control characters are already visible. */
static void add_fence(struct strbuf *out, const char *language, const char *content)
{
	size_t fence = 3, run = 0;

	for (const char *s = content; *s; s++) {
		run = *s == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	strbuf_pad(out, '`', fence);
	strbuf_addf(out, "%s\n%s", language, content);
	strbuf_pad(out, '`', fence);
	strbuf_addc(out, '\n');
}

/* -------- blocks */

/* "- why: ..." */
static void add_items(struct arena *arena, struct strbuf *out, const struct blocks *blocks, unsigned parts)
{
	BLOCKS_EACH(block, blocks, parts) {
		enum form form = block_styles[block->kind].form;

		/*
		 * Readers of a comment cannot access the run's folder. The files are in the artifact, next to the
		 * page.
		 */
		if (block->link)
			strbuf_addf(out, "- %s: %s, beside `report.html`\n", block->label, code(arena, block->link + strlen("./")));
		else if (form == FORM_PROSE || form == FORM_CODE)
			strbuf_addf(out, "- %s: %s\n", block->label,
				    (form == FORM_CODE ? code : text)(arena, block->text));
	}
}

static const char *severity_of_row(struct arena *arena, enum severity severity)
{
	bool bold = severity_tone(severity) != TONE_GOOD && severity_tone(severity) != TONE_PLAIN;

	return bold ? arena_printf(arena, "**%s**", severity_word(severity)) : severity_word(severity);
}

static void add_cell(struct arena *arena, struct strbuf *out, const struct document_table *table, size_t column,
		     const struct document_row *row)
{
	const char *cell = row->cells[column];

	if (row->symbol && column == 0)
		cell = code(arena, cell);
	else if (table->columns[column].foreign && strcmp(cell, "-"))
		cell = text(arena, cell);
	strbuf_adds(out, cell);
}

/* -------- gates: five columns fit a comment, so both sides' values share one, as do a change and its interval */

enum { GATE, BASELINE, NOW, CHANGE, INTERVAL, TOLERANCE };

static void add_gates_head(struct strbuf *out, const struct document_table *table)
{
	strbuf_addf(out, "| verdict | gate | %s \u2192 %s | change | limit |\n|:--|:--|--:|--:|:--|\n",
		    table->columns[BASELINE].title, table->columns[NOW].title);
}

/* NAME is that of its scenario, or NULL. */
static void add_gates_row(struct arena *arena, struct strbuf *out, const struct document_table *table,
			  const struct document_row *row, const char *name)
{
	strbuf_addf(out, "| %s | ", row->shown ? "shown" : severity_of_row(arena, row->severity));
	if (name)
		strbuf_addf(out, "%s ", code(arena, name));
	add_cell(arena, out, table, GATE, row);
	strbuf_adds(out, " | ");
	if (strcmp(row->cells[BASELINE], "-")) {
		add_cell(arena, out, table, BASELINE, row);
		strbuf_adds(out, " \u2192 ");
	}
	add_cell(arena, out, table, NOW, row);
	strbuf_adds(out, " | ");
	add_cell(arena, out, table, CHANGE, row);
	if (strcmp(row->cells[INTERVAL], "-"))
		strbuf_addf(out, " (%s)", row->cells[INTERVAL]);
	strbuf_adds(out, " | ");
	add_cell(arena, out, table, TOLERANCE, row);
	strbuf_adds(out, " |\n");
}

static void add_gates(struct arena *arena, struct strbuf *out, const struct document_table *table)
{
	add_gates_head(out, table);
	for (size_t i = 0; i < table->n; i++)
		add_gates_row(arena, out, table, &table->rows[i], NULL);
}

/* -------- other tables */

static void add_table(struct arena *arena, struct strbuf *out, const struct document_table *table)
{
	strbuf_adds(out, "|");
	for (size_t i = 0; i < table->n_columns; i++)
		strbuf_addf(out, " %s |", table->columns[i].title);
	strbuf_adds(out, "\n|");
	for (size_t i = 0; i < table->n_columns; i++)
		strbuf_adds(out, table->columns[i].right ? "--:|" : ":--|");
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < table->n; i++) {
		strbuf_adds(out, "|");
		for (size_t k = 0; k < table->n_columns; k++) {
			strbuf_addc(out, ' ');
			add_cell(arena, out, table, k, &table->rows[i]);
			strbuf_adds(out, " |");
		}
		strbuf_addc(out, '\n');
	}
}

/* -------- a scenario */

/* "**REGRESSION** `gzip`" */
static void add_title(struct arena *arena, struct strbuf *out, const struct document_scenario *scenario)
{
	strbuf_addf(out, "%s %s\n\n", severity_of_row(arena, scenario->severity), code(arena, scenario_result_label(scenario->of)));
}

/* Evidence for the causes, folded because few readers need it. */
static void add_evidence(struct arena *arena, struct strbuf *out, const struct document_scenario *scenario)
{
	size_t n = 0;

	BLOCKS_EACH(block, &scenario->blocks, PART_EVIDENCE)
		if (n++ < EVIDENCE_LINES)
			strbuf_addf(out, "%s- %s\n", n == 1 ? "\n<details><summary>What was counted</summary>\n\n" : "", text(arena, block->text));
	if (n > EVIDENCE_LINES)
		strbuf_addf(out, "- and %zu more in `result.json`\n", n - EVIDENCE_LINES);
	strbuf_adds(out, n ? "\n</details>\n" : "");
}

static void add_explanation(struct arena *arena, struct strbuf *out, const struct document_scenario *scenario)
{
	CLEANUP(strbuf_release) struct strbuf commands = STRBUF_INIT;

	add_title(arena, out, scenario);
	add_items(arena, out, &scenario->blocks, PART_FAILURE | PART_FINDINGS);
	add_evidence(arena, out, scenario);
	add_items(arena, out, &scenario->blocks, PART_LOG);
	BLOCKS_EACH(block, &scenario->blocks, PART_LOG) {
		CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

		if (block_styles[block->kind].form != FORM_LOG)
			continue;
		prose_add_log(&log, block->text, "", LOG_LINES);
		strbuf_addc(out, '\n');
		add_fence(out, "text", log.buf);
	}
	BLOCKS_EACH(block, &scenario->blocks, PART_COMMANDS) {
		strbuf_adds(&commands, "# ");
		escape_terminal(&commands, block->label);
		strbuf_addc(&commands, '\n');
		escape_terminal(&commands, block->text);
		strbuf_addc(&commands, '\n');
	}
	if (!strbuf_ends_with(out, "\n\n"))
		strbuf_addc(out, '\n');
	add_fence(out, "sh", commands.buf);
	strbuf_addc(out, '\n');
}

/* -------- the page */

struct summary {
	const struct document *document;
	struct strbuf *out;
	size_t start, limit;
	struct strv left_out;	/* "the gates of 3 scenarios" */
	struct arena *arena;	/* for short-lived texts */
};

/* A foldable part, filled item by item while there is room. */
struct section {
	struct strbuf text;
	size_t shown, all, end;	/* `end` is the end of the last item shown */
};

static bool has_room(const struct summary *page, size_t len)
{
	return page->out->len - page->start + len + RESERVE <= page->limit;
}

/* Ends an item: the text appended to the section since the previous one. */
static void section_item(struct summary *page, struct section *section)
{
	/* After the first omitted item all others are omitted too, because gaps would mislead. */
	if (section->shown == section->all && has_room(page, section->text.len)) {
		section->shown++;
		section->end = section->text.len;
	}
	strbuf_truncate(&section->text, section->end);
	section->all++;
}

/* Ends the section. SUMMARY folds it; NULL leaves it open. */
static void section_end(struct summary *page, struct section *section, const char *summary, const char *what)
{
	if (section->shown && summary)
		strbuf_addf(page->out, "<details><summary>%s</summary>\n\n%s</details>\n\n", summary,
			    section->text.buf);
	else if (section->shown)
		strbuf_addf(page->out, "%s%s", section->text.buf, strbuf_ends_with(&section->text, "\n\n") ? "" : "\n");
	if (section->shown < section->all)
		strv_pushf(&page->left_out, "%s (%zu of %zu)", what, section->all - section->shown, section->all);
	strbuf_release(&section->text);
}

/* One line for the heading, with each part's word in front. */
static void page_headline(struct summary *page)
{
	static const char *const signs[] = {
		[TONE_PLAIN] = "", [TONE_GOOD] = "\u2713 ", [TONE_WARNING] = "! ", [TONE_BAD] = "\u2717 ",
	};
	const struct headline *headline = &page->document->headline;

	strbuf_addf(page->out, "## %s", signs[headline->items[0].tone]);
	for (size_t i = 0; i < headline->n; i++) {
		const struct headline_part *part = &headline->items[i];

		strbuf_addf(page->out, "%s%s: %s", i ? "; " : "", part->word, text(page->arena, part->text));
		if (part->command)
			strbuf_addf(page->out, ": %s", code(page->arena, part->command));
	}
	strbuf_adds(page->out, "\n\n");
}

static void page_notes(struct summary *page)
{
	struct section section = { .text = STRBUF_INIT };

	BLOCKS_EACH(block, &page->document->notes, PART_WHOLE) {
		strbuf_addf(&section.text, "%s> **%c%s:** %s\n", section.all ? ">\n" : "", block->label[0] - 'a' + 'A',
			    block->label + 1, text(page->arena, block->text));
		section_item(page, &section);
	}
	section_end(page, &section, NULL, "notes");
}

/* Every gate that is worse or unclear, worst first. If none is, the improvements. */
static void page_first_table(struct summary *page)
{
	struct section section = { .text = STRBUF_INIT };
	bool several = page->document->n > 1, worse = page->document->n && page->document->scenarios[0].severity < SEVERITY_IMPROVEMENT;
	size_t hidden = 0;

	for (int severity = 0; severity < (worse ? SEVERITY_IMPROVEMENT : SEVERITY_PASS); severity++) {
		for (size_t i = 0; i < page->document->n; i++) {
			const struct document_scenario *scenario = &page->document->scenarios[i];
			const struct document_table *gates = scenario->gates;

			for (size_t k = 0; gates && k < gates->n; k++) {
				if (gates->rows[k].shown || (int)gates->rows[k].severity != severity)
					continue;
				if (section.all == FIRST_ROWS) {
					hidden++;
					continue;
				}
				if (!section.all)
					add_gates_head(&section.text, gates);
				add_gates_row(page->arena, &section.text, gates, &gates->rows[k],
					      several ? scenario_result_label(scenario->of) : NULL);
				section_item(page, &section);
			}
		}
	}
	hidden += section.all - section.shown;
	/* All gates follow further down, so omissions here need no note. */
	section.all = section.shown;
	if (hidden)
		strbuf_addf(&section.text, "\n%zu more below.\n", hidden);
	section_end(page, &section, NULL, "");
}

static void page_explanations(struct summary *page)
{
	const struct document *document = page->document;
	struct section open = { .text = STRBUF_INIT }, folded = { .text = STRBUF_INIT };
	size_t urgent = 0;

	while (urgent < document->n && urgent < FIRST_EXPLANATIONS && document->scenarios[urgent].urgent) {
		add_explanation(page->arena, &open.text, &document->scenarios[urgent++]);
		section_item(page, &open);
	}
	section_end(page, &open, NULL, "explanations");
	for (size_t i = urgent; i < document->n; i++) {
		if (!document->scenarios[i].explained)
			continue;
		add_explanation(page->arena, &folded.text, &document->scenarios[i]);
		section_item(page, &folded);
	}
	section_end(page, &folded, urgent ? "Reasons and commands of other scenarios" : "Reasons and commands",
		    "explanations of other scenarios");
}

/* Scenarios whose symbols matter come first, in full; the limit cuts the others. */
static void page_symbols(struct summary *page)
{
	struct section section = { .text = STRBUF_INIT };

	for (int wanted = 1; wanted >= 0; wanted--) {
		for (size_t i = 0; i < page->document->n; i++) {
			const struct document_scenario *scenario = &page->document->scenarios[i];

			if (scenario->symbols_wanted != wanted || !scenario->symbols)
				continue;
			strbuf_addf(&section.text, "%s\n\n", code(page->arena, scenario_result_label(scenario->of)));
			add_table(page->arena, &section.text, scenario->symbols);
			strbuf_addc(&section.text, '\n');
			add_items(page->arena, &section.text, &scenario->blocks, PART_PROFILE);
			strbuf_addc(&section.text, '\n');
			section_item(page, &section);
		}
	}
	section_end(page, &section, "Symbols: where the CPU time goes", "symbols of scenarios");
}

/* For each scenario: the baseline, the pairs and the load. */
static void page_methods(struct summary *page)
{
	struct section section = { .text = STRBUF_INIT };

	for (size_t i = 0; i < page->document->n; i++) {
		const struct document_scenario *scenario = &page->document->scenarios[i];
		size_t before = section.text.len, title;

		add_title(page->arena, &section.text, scenario);
		title = section.text.len;
		add_items(page->arena, &section.text, &scenario->blocks, PART_SIDES | PART_BASELINE | PART_METHOD | PART_LOAD);
		if (section.text.len == title) {
			strbuf_truncate(&section.text, before);
			continue;
		}
		strbuf_addc(&section.text, '\n');
		section_item(page, &section);
	}
	section_end(page, &section, "How it was compared", "ways of comparing scenarios");
}

static void page_conditions(struct summary *page)
{
	const struct document *document = page->document;
	const char *measured =
	    arena_printf(page->arena, "Measured on %s (tier %s), %s.\n\n", code(page->arena, document->class),
			 tier_names[document->result->machine.tier], text(page->arena, document->measured));
	struct section section = { .text = STRBUF_INIT };

	if (has_room(page, strlen(measured)))
		strbuf_adds(page->out, measured);
	add_items(page->arena, &section.text, &document->conditions, PART_WHOLE);
	strbuf_addc(&section.text, '\n');
	section_item(page, &section);
	section_end(page, &section, "Machine and run", "the machine and the run");
}

static void page_all_gates(struct summary *page)
{
	struct section section = { .text = STRBUF_INIT };
	size_t gates = 0;

	for (size_t i = 0; i < page->document->n; i++) {
		const struct document_scenario *scenario = &page->document->scenarios[i];

		if (!scenario->gates)
			continue;
		for (size_t k = 0; k < scenario->gates->n; k++)
			gates += !scenario->gates->rows[k].shown;
		add_title(page->arena, &section.text, scenario);
		add_gates(page->arena, &section.text, scenario->gates);
		strbuf_addc(&section.text, '\n');
		section_item(page, &section);
	}
	section_end(page, &section, arena_printf(page->arena, "All gates: %zu in %zu %s", gates, section.all,
						 section.all == 1 ? "scenario" : "scenarios"), "gates of scenarios");
}

void report_markdown(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	struct summary page = {
		.document = &document,
		.out = out,
		.start = out->len,
		.limit = options->limit ?: LIMIT,
		.arena = &document.arena,
	};

	document_build(&document, result, FOR_MARKDOWN);
	page_headline(&page);
	page_notes(&page);
	page_first_table(&page);
	page_explanations(&page);
	page_symbols(&page);
	page_conditions(&page);
	page_all_gates(&page);
	page_methods(&page);
	for (size_t i = 0; i < page.left_out.n; i++) {
		if (!i)
			strbuf_addf(out, "**Left out** to stay under %zu bytes: ", page.limit);
		strbuf_addf(out, "%s%s", i ? ", " : "", page.left_out.items[i]);
	}
	if (page.left_out.n)
		strbuf_adds(out, ". All of it is in `result.json`; `pawl report` renders it again.\n");
	/* Only a limit smaller than the headline leaves more than fits. */
	strbuf_truncate(out, page.start + utf8_clip(out->buf + page.start, page.limit));
	strv_release(&page.left_out);
}
