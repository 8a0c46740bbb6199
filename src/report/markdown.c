/*
 * A report for GitHub's summaries and comments: the first screen is enough, the rest folds. Foreign text enters only through
 * add_text(), add_code() and add_fence(), cut short and escaped.
 */
#include "base/mem.h"
#include "base/text.h"
#include "report/report.h"

/* What the first screen holds; what is beyond folds. */
enum { FIRST_ROWS = 20, FIRST_EXPLANATIONS = 3 };

/* Room kept for closing tags and for saying what was left out. */
enum { RESERVE = 512, LIMIT = 1 << 20 };

/* Bytes of one foreign text, and lines of a log, that a page has room for. */
enum { TEXT_LONGEST = 600, CODE_LONGEST = 300, LOG_LINES = 15 };

static void clip(struct strbuf *out, const char *text, size_t max)
{
	size_t len = utf8_clip(text, max);

	strbuf_add(out, text, len);
	if (text[len])
		strbuf_adds(out, "...");
}

static void add_text(struct strbuf *out, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	clip(&shown, text, TEXT_LONGEST);
	escape_markdown(out, shown.buf);
}

static void add_code(struct strbuf *out, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	clip(&shown, text, CODE_LONGEST);
	escape_code_span(out, shown.buf);
}

/* A fenced block of TEXT, whose control characters are visible already. */
static void add_fence(struct strbuf *out, const char *language, const char *text)
{
	size_t fence = 3, run = 0;

	for (const char *s = text; *s; s++) {
		run = *s == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	strbuf_pad(out, '`', fence);
	strbuf_addf(out, "%s\n%s", language, text);
	strbuf_pad(out, '`', fence);
	strbuf_addc(out, '\n');
}

/* -------- blocks */

/* "- why: ..." */
static void add_items(struct strbuf *out, const struct blocks *blocks, unsigned parts)
{
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(blocks, parts, &i));) {
		enum form form = block_styles[block->kind].form;

		if (form != FORM_PROSE && form != FORM_CODE)
			continue;
		strbuf_addf(out, "- %s: ", block->label);
		(form == FORM_CODE ? add_code : add_text)(out, block->text);
		strbuf_addc(out, '\n');
	}
}

/* The verdict of gates stands first, for it is what a reader looks for. */
static size_t columns_of(const struct document_table *table)
{
	return table->n_columns - (table->n && table->rows[0].gate != NULL);
}

static void add_table_head(struct strbuf *out, const struct document_table *table, bool with_name)
{
	bool gates = columns_of(table) < table->n_columns;

	strbuf_addf(out, "|%s%s", gates ? " verdict |" : "", with_name ? " scenario |" : "");
	for (size_t i = 0; i < columns_of(table); i++)
		strbuf_addf(out, " %s |", table->columns[i].title);
	strbuf_addf(out, "\n|%s%s", gates ? ":--|" : "", with_name ? ":--|" : "");
	for (size_t i = 0; i < columns_of(table); i++)
		strbuf_adds(out, table->columns[i].right ? "--:|" : ":--|");
	strbuf_addc(out, '\n');
}

static void add_severity(struct strbuf *out, enum severity severity)
{
	bool bold = severity_tone(severity) != TONE_GOOD && severity_tone(severity) != TONE_PLAIN;

	strbuf_addf(out, bold ? "**%s**" : "%s", severity_word(severity));
}

/* NAME, of its scenario, may be NULL. */
static void add_table_row(struct strbuf *out, const struct document_table *table, const struct document_row *row,
			  const char *name)
{
	strbuf_adds(out, "|");
	if (row->gate) {
		strbuf_addc(out, ' ');
		if (row->shown)
			strbuf_adds(out, "shown");
		else
			add_severity(out, row->severity);
		strbuf_adds(out, " |");
	}
	if (name) {
		strbuf_addc(out, ' ');
		add_code(out, name);
		strbuf_adds(out, " |");
	}
	for (size_t i = 0; i < columns_of(table); i++) {
		const char *cell = row->cells[i];

		strbuf_addc(out, ' ');
		if (row->symbol && i == 0)
			add_code(out, cell);
		else if (table->columns[i].foreign && strcmp(cell, "-"))
			add_text(out, cell);
		else
			strbuf_adds(out, cell);
		strbuf_adds(out, " |");
	}
	strbuf_addc(out, '\n');
}

void print_markdown_table(const struct document_table *table, struct strbuf *out)
{
	add_table_head(out, table, false);
	for (size_t i = 0; i < table->n; i++)
		add_table_row(out, table, &table->rows[i], NULL);
}

/* -------- a scenario */

/* "**REGRESSION** `gzip` against 2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs" */
static void add_title(struct strbuf *out, const struct document_scenario *scenario)
{
	const struct block *block;

	add_severity(out, scenario->severity);
	strbuf_addc(out, ' ');
	add_code(out, scenario->of->name);
	for (size_t i = 0; (block = blocks_next(&scenario->blocks, PART_SIDES | PART_BASELINE, &i));) {
		bool side = block_styles[block->kind].part == PART_SIDES;

		strbuf_addf(out, side ? ", %s " : " %s ", block->label);
		(side ? add_code : add_text)(out, block->text);
	}
	strbuf_adds(out, "\n\n");
}

/* What is new or not measured has no change to speak of: its reason says it all. */
static bool has_headline(const struct document_row *row)
{
	return !row->shown && row->severity < SEVERITY_PASS && row->severity != SEVERITY_NEW &&
	       row->severity != SEVERITY_NOT_MEASURED;
}

/* The table may be folded away: what it says of these stands here in words. */
static void add_gate_headlines(struct strbuf *out, const struct document_scenario *scenario)
{
	for (size_t i = 0; scenario->gates && i < scenario->gates->n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!has_headline(&scenario->gates->rows[i]))
			continue;
		format_headline(&text, scenario->of, scenario->gates->rows[i].gate);
		strbuf_adds(out, "- ");
		add_text(out, text.buf);
		strbuf_addc(out, '\n');
	}
}

static void add_log(struct strbuf *out, const struct document_scenario *scenario)
{
	const struct block *block;

	add_items(out, &scenario->blocks, PART_LOG);
	for (size_t i = 0; (block = blocks_next(&scenario->blocks, PART_LOG, &i));) {
		CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

		if (block_styles[block->kind].form != FORM_LOG)
			continue;
		prose_add_log(&log, block->text, "", LOG_LINES);
		strbuf_addc(out, '\n');
		add_fence(out, "text", log.buf);
	}
}

static void add_commands(struct strbuf *out, const struct blocks *blocks)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(blocks, PART_COMMANDS, &i));) {
		strbuf_adds(&text, "# ");
		escape_terminal(&text, block->label);
		strbuf_addc(&text, '\n');
		escape_terminal(&text, block->text);
		strbuf_addc(&text, '\n');
	}
	if (!strbuf_ends_with(out, "\n\n"))
		strbuf_addc(out, '\n');
	add_fence(out, "sh", text.buf);
}

static void add_explanation(struct strbuf *out, const struct document_scenario *scenario)
{
	add_title(out, scenario);
	add_items(out, &scenario->blocks, PART_FAILURE);
	add_items(out, &scenario->blocks, PART_LOAD);
	add_gate_headlines(out, scenario);
	add_items(out, &scenario->blocks, PART_FINDINGS);
	add_items(out, &scenario->blocks, PART_METHOD);
	add_log(out, scenario);
	add_commands(out, &scenario->blocks);
	strbuf_addc(out, '\n');
}

static void add_symbols(struct strbuf *out, const struct document_scenario *scenario)
{
	if (!scenario->symbols)
		return;
	add_code(out, scenario->of->name);
	strbuf_adds(out, "\n\n");
	print_markdown_table(scenario->symbols, out);
	strbuf_addc(out, '\n');
	add_items(out, &scenario->blocks, PART_PROFILE);
	strbuf_addc(out, '\n');
}

/* -------- the page */

struct page {
	const struct document *document;
	struct strbuf *out;
	size_t start, limit;
	struct strv left_out; /* "the gates of 3 scenarios" */
};

/* One foldable part, filled item by item while there is room. */
struct section {
	struct strbuf text;
	size_t shown, all;
};

static bool has_room(const struct page *page, size_t len)
{
	return page->out->len - page->start + len + RESERVE <= page->limit;
}

static void section_add(struct page *page, struct section *section, const struct strbuf *item)
{
	/* Once an item was left out, so are all behind it: a page with holes misleads. */
	if (section->shown == section->all && has_room(page, section->text.len + item->len)) {
		strbuf_add(&section->text, item->buf, item->len);
		section->shown++;
	}
	section->all++;
}

/* SUMMARY folds the section; NULL leaves it open. */
static void section_end(struct page *page, struct section *section, const char *summary, const char *what)
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

static const char *sign_of(enum tone tone)
{
	static const char *const signs[] = {
		[TONE_PLAIN] = "",
		[TONE_GOOD] = "\u2713 ",
		[TONE_WARNING] = "! ",
		[TONE_BAD] = "\u2717 ",
	};

	return signs[tone];
}

/* One line whatever it holds: a heading, with each part's word in front. */
static void page_headline(struct page *page)
{
	const struct headline *headline = &page->document->headline;

	strbuf_addf(page->out, "## %s", sign_of(headline->items[0].tone));
	for (size_t i = 0; i < headline->n; i++) {
		const struct headline_part *part = &headline->items[i];

		strbuf_addf(page->out, "%s%s: ", i ? "; " : "", part->word);
		add_text(page->out, part->text);
		if (!part->command)
			continue;
		strbuf_adds(page->out, ": ");
		add_code(page->out, part->command);
	}
	strbuf_adds(page->out, "\n\n");
}

static void page_notes(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(&page->document->notes, PART_WHOLE, &i));) {
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		strbuf_addf(&item, "%s> **%c%s:** ", section.all ? ">\n" : "", block->label[0] - 'a' + 'A', block->label + 1);
		add_text(&item, block->text);
		strbuf_addc(&item, '\n');
		section_add(page, &section, &item);
	}
	section_end(page, &section, NULL, "notes");
}

static void add_rows(struct page *page, struct section *section, enum severity severity)
{
	for (size_t i = 0; i < page->document->n; i++) {
		const struct document_scenario *scenario = &page->document->scenarios[i];
		const struct document_table *gates = scenario->gates;

		for (size_t k = 0; gates && k < gates->n; k++) {
			CLEANUP(strbuf_release) struct strbuf row = STRBUF_INIT;

			if (gates->rows[k].shown || gates->rows[k].severity != severity)
				continue;
			if (!section->all)
				add_table_head(&section->text, gates, true);
			add_table_row(&row, gates, &gates->rows[k], scenario->of->name);
			if (section->all < FIRST_ROWS)
				section_add(page, section, &row);
			else
				section->all++;
		}
	}
}

/* Every gate that did not simply pass, worst first. */
static void page_first_table(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};
	size_t hidden;

	for (int severity = 0; severity < SEVERITY_PASS; severity++)
		add_rows(page, &section, (enum severity)severity);
	hidden = section.all - section.shown;
	/* All gates follow further down: a longer list is no loss. */
	section.all = section.shown;
	if (hidden)
		strbuf_addf(&section.text, "\n%zu more below.\n", hidden);
	section_end(page, &section, NULL, "");
}

static void page_explanations(struct page *page)
{
	const struct document *document = page->document;
	struct section open = {.text = STRBUF_INIT}, folded = {.text = STRBUF_INIT};
	size_t urgent = 0, i = 0;

	for (; i < document->n && urgent < FIRST_EXPLANATIONS; i++, urgent++) {
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		if (!document->scenarios[i].urgent)
			break;
		add_explanation(&item, &document->scenarios[i]);
		section_add(page, &open, &item);
	}
	section_end(page, &open, NULL, "explanations");
	for (; i < document->n; i++) {
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		if (!document->scenarios[i].explained)
			continue;
		add_explanation(&item, &document->scenarios[i]);
		section_add(page, &folded, &item);
	}
	section_end(page, &folded, urgent ? "Reasons and commands of other scenarios" : "Reasons and commands",
		    "explanations of other scenarios");
}

/* Of those whose symbols matter in full, then of all others: the limit takes the last. */
static void page_symbols(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};

	for (int wanted = 1; wanted >= 0; wanted--) {
		for (size_t i = 0; i < page->document->n; i++) {
			const struct document_scenario *scenario = &page->document->scenarios[i];
			CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

			if (scenario->symbols_wanted != wanted)
				continue;
			add_symbols(&item, scenario);
			if (item.len)
				section_add(page, &section, &item);
		}
	}
	section_end(page, &section, "Symbols: where the CPU time goes", "symbols of scenarios");
}

/* "Measured on `x86_64-...` (tier sw), stored comparison, 42 s." */
static void page_measured(struct page *page)
{
	const struct machine *machine = &page->document->result->machine;
	CLEANUP(free_ptr) char *class = machine_class(machine);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "Measured on ");
	add_code(&text, class);
	strbuf_addf(&text, " (tier %s), ", tier_names[machine->tier]);
	add_text(&text, page->document->measured);
	strbuf_adds(&text, ".\n\n");
	if (has_room(page, text.len))
		strbuf_add(page->out, text.buf, text.len);
}

static void page_conditions(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};
	CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

	add_items(&item, &page->document->conditions, PART_WHOLE);
	strbuf_addc(&item, '\n');
	section_add(page, &section, &item);
	section_end(page, &section, "Machine and run", "the machine and the run");
}

static void page_all_gates(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};
	CLEANUP(strbuf_release) struct strbuf summary = STRBUF_INIT;
	size_t gates = 0;

	for (size_t i = 0; i < page->document->n; i++) {
		const struct document_scenario *scenario = &page->document->scenarios[i];
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		if (!scenario->gates)
			continue;
		for (size_t k = 0; k < scenario->gates->n; k++)
			gates += !scenario->gates->rows[k].shown;
		add_title(&item, scenario);
		print_markdown_table(scenario->gates, &item);
		strbuf_addc(&item, '\n');
		section_add(page, &section, &item);
	}
	strbuf_addf(&summary, "All gates: %zu in %zu %s", gates, section.all, section.all == 1 ? "scenario" : "scenarios");
	section_end(page, &section, summary.buf, "gates of scenarios");
}

static void page_left_out(struct page *page)
{
	if (!page->left_out.n)
		return;
	strbuf_addf(page->out, "**Left out** to stay under %zu bytes: ", page->limit);
	for (size_t i = 0; i < page->left_out.n; i++)
		strbuf_addf(page->out, "%s%s", i ? ", " : "", page->left_out.items[i]);
	strbuf_adds(page->out, ". All of it is in `result.json`; `pawl report` renders it again.\n");
}

void report_markdown(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	struct page page = { .document = &document, .out = out, .start = out->len, .limit = options->limit ?: LIMIT };

	document_build(&document, result, FOR_MARKDOWN);
	page_headline(&page);
	page_notes(&page);
	page_first_table(&page);
	page_explanations(&page);
	page_symbols(&page);
	page_measured(&page);
	page_conditions(&page);
	page_all_gates(&page);
	page_left_out(&page);
	/* Only a limit smaller than the headline gets here with more. */
	strbuf_truncate(out, page.start + utf8_clip(out->buf + page.start, page.limit));
	strv_release(&page.left_out);
}
