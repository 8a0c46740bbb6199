/* Foreign text enters only through text(), code() and add_fence(), cut short and escaped. */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/result.h"
#include "report/document.h"
#include "report/headline.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"

/* Items before the fold. */
enum { FIRST_ROWS = 20, FIRST_EXPLANATIONS = 3 };

/* Room for closing tags and for the count of omissions. GitHub accepts comments of up to 65,536 characters. */
enum { RESERVE = 512, LIMIT = 60000 };

/* Bytes of a foreign text, and lines of a log, that fit a page. */
enum { TEXT_LONGEST = 600, CODE_LONGEST = 300, LOG_LINES = 15 };

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

static void add_block(struct arena *arena, struct strbuf *out, const struct block *block)
{
	enum form form = block_styles[block->kind].form;

	/* Readers of a comment cannot access the run's folder. The files are in the artifact. */
	if (block->link) {
		strbuf_addf(out, "- %s: %s\n", block->label, code(arena, block->link + strlen("./")));
	} else if (form == FORM_PROSE || form == FORM_CODE) {
		strbuf_addf(out, "- %s: %s\n", block->label, (form == FORM_CODE ? code : text)(arena, block->text));
	} else if (form == FORM_LOG) {
		CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

		prose_add_log(&log, block->text, "", LOG_LINES);
		strbuf_addc(out, '\n');
		add_fence(out, block->kind == BLOCK_HUNK ? "diff" : "text", log.buf);
		strbuf_addc(out, '\n');
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

static void add_symbols(struct arena *arena, struct strbuf *out, const struct document_table *table)
{
	strbuf_adds(out, "\n|");
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
	strbuf_addc(out, '\n');
}

/* -------- the page */

struct page {
	const struct document *document;
	struct strbuf *out;
	size_t start, limit;
	size_t items, left_out;			/* of the fold */
	const struct gate_result *in_line;	/* the first line says all of this gate */
	size_t rows;				/* in the table before the fold */
	size_t explained;			/* scenarios whose findings are before the fold */
	struct arena *arena;			/* for short-lived texts */
};

static bool has_room(const struct page *page, size_t len)
{
	return page->out->len - page->start + len + RESERVE <= page->limit;
}

/* Adds an item, or counts it as left out, and empties it. After the first omitted item of the fold all are omitted. */
static void add_item(struct page *page, struct strbuf *item)
{
	page->items += item->len > 0;
	if (item->len && !page->left_out && has_room(page, item->len))
		strbuf_adds(page->out, item->buf);
	else
		page->left_out += item->len > 0;
	strbuf_release(item);
}

/* True if the row belongs before the fold: its gate failed, or is unclear. */
static bool is_first_row(const struct document_row *row)
{
	return !row->shown && row->severity < SEVERITY_ACCEPTED;
}

static bool is_judge(const struct headline_part *part)
{
	return text_starts(part->word, "JUDGE");
}

/* Returns "JUDGE EDITED" or its like, the last part of the headline, or NULL. */
static const char *judge_word(const struct document *document)
{
	const struct headline_part *last = &document->headline.items[document->headline.n - 1];

	return is_judge(last) ? last->word : NULL;
}

/* "REGRESSION `gzip` CPU time +5.2 %, 61 ms -> 64 ms (at least +2.1 %, limit 2 %); 2 of 3 scenarios are slower" */
static void add_headline(struct page *page)
{
	static const char *const signs[] = {
		[TONE_PLAIN] = "", [TONE_GOOD] = "\u2713 ", [TONE_WARNING] = "! ", [TONE_BAD] = "\u2717 ",
	};
	const struct document *document = page->document;
	const struct headline *headline = &document->headline;
	const struct document_scenario *worst = document->scenarios, *end = worst + document->n;
	bool begun = false;

	while (worst < end && !worst->words)
		worst++;
	/* The count of new or passed scenarios says more than one of them. */
	if (worst < end && worst->severity > SEVERITY_INCONCLUSIVE && (document->n > 1 || worst->severity == SEVERITY_NEW))
		worst = end;
	strbuf_addf(page->out, "## %s", signs[headline->items[0].tone]);
	for (size_t i = 0; i < headline->n; i++) {
		const struct headline_part *part = &headline->items[i];
		bool by_words = worst < end && !page->in_line && !strcmp(part->word, severity_word(worst->severity));
		bool counted = !by_words || (worst + 1 < end && worst[1].severity == worst->severity);

		/* A single scenario's gates are in the table; the judge's edits follow right below. */
		if (is_judge(part) || (!by_words && part->of_scenarios && document->n == 1 && page->in_line))
			continue;
		strbuf_adds(page->out, begun ? "; " : "");
		begun = true;
		if (by_words) {
			page->in_line = severity_gate(worst->of, worst->severity);
			strbuf_addf(page->out, "%s %s %s", worst->verdict, code(page->arena, scenario_result_label(worst->of)),
				    text(page->arena, worst->words));
		}
		if (counted)
			strbuf_addf(page->out, "%s%s%s", by_words ? "; " : part->word, by_words ? "" : ": ", text(page->arena, part->text));
		if (counted && part->command)
			strbuf_addf(page->out, ": %s", code(page->arena, part->command));
	}
	strbuf_adds(page->out, "\n\n");
}

/* Doubts about the verdict, a paragraph for each kind: "> **Warning:** ...; ..." */
static void add_doubts(struct page *page)
{
	struct strbuf all = STRBUF_INIT;
	int kind = -1;

	BLOCKS_EACH(block, &page->document->notes, PART_WHOLE) {
		const char *label = block->kind == BLOCK_JUDGE ? judge_word(page->document) : block->kind == BLOCK_NOISE ? "Warning" : "Note";

		if (!label)
			continue;
		if ((int)block->kind == kind)
			strbuf_addf(&all, "; %s", text(page->arena, block->text));
		else
			strbuf_addf(&all, "%s> **%s:** %s", kind < 0 ? "" : "\n>\n", label, text(page->arena, block->text));
		kind = block->kind;
	}
	strbuf_adds(&all, all.len ? "\n\n" : "");
	if (has_room(page, all.len))
		strbuf_adds(page->out, all.buf);
	strbuf_release(&all);
}

/* Before the fold the first MOST that belong there, in the fold (MOST 0) the others. */
static void add_gates(struct page *page, size_t most)
{
	const struct document *document = page->document;
	size_t n = 0, seen = 0, before = page->rows;

	for (int severity = 0; severity < SEVERITY_COUNT; severity++) {
		for (size_t i = 0; i < document->n; i++) {
			const struct document_table *gates = document->scenarios[i].gates;

			for (size_t k = 0; gates && k < gates->n; k++) {
				const struct document_row *row = &gates->rows[k];
				struct strbuf text = STRBUF_INIT;

				if ((int)row->severity != severity || (!before && !most && row->gate == page->in_line))
					continue;
				seen += is_first_row(row);
				if (most ? !is_first_row(row) || seen > most : is_first_row(row) && seen <= before)
					continue;
				if (!n)
					add_gates_head(&text, gates);
				add_gates_row(page->arena, &text, gates, row,
					      document->n > 1 ? scenario_result_label(document->scenarios[i].of) : NULL);
				if (most && has_room(page, text.len))
					page->rows++;
				n++;
				if (most && page->rows < n)
					strbuf_release(&text);
				else
					add_item(page, &text);
			}
		}
	}
	strbuf_adds(page->out, n ? "\n" : "");
}

static void add_first_gates(struct page *page)
{
	size_t n = 0;

	for (size_t i = 0; i < page->document->n; i++)
		for (size_t k = 0; page->document->scenarios[i].gates && k < page->document->scenarios[i].gates->n; k++)
			n += is_first_row(&page->document->scenarios[i].gates->rows[k]);
	if (n > 1 || !page->in_line)
		add_gates(page, FIRST_ROWS);
	if (page->rows && n > page->rows)
		strbuf_addf(page->out, "%zu more below.\n\n", n - page->rows);
}

/* "**`gzip`**", only among several. */
static void add_title(struct page *page, struct strbuf *out, const struct document_scenario *scenario)
{
	if (page->document->n > 1)
		strbuf_addf(out, "**%s**\n\n", code(page->arena, scenario_result_label(scenario->of)));
}

enum { FIRST_PARTS = PART_FAILURE | PART_LOG | PART_FINDINGS };

static bool is_detail(const struct document_scenario *scenario, const struct block *block)
{
	return block->kind == BLOCK_NOTE || block->kind == BLOCK_DIFFERS || (block->kind == BLOCK_WHY && scenario->of->n_causes);
}

static void add_explanations(struct page *page)
{
	const struct document *document = page->document;

	for (; page->explained < document->n && page->explained < FIRST_EXPLANATIONS; page->explained++) {
		const struct document_scenario *scenario = &document->scenarios[page->explained];
		struct strbuf item = STRBUF_INIT;
		size_t title;

		if (scenario->severity >= SEVERITY_ACCEPTED)
			return;
		add_title(page, &item, scenario);
		title = item.len;
		BLOCKS_EACH(block, &scenario->blocks, FIRST_PARTS)
			if (!is_detail(scenario, block))
				add_block(page->arena, &item, block);
		if (item.len > title && has_room(page, item.len))
			strbuf_addf(page->out, "%s%s", item.buf, strbuf_ends_with(&item, "\n\n") ? "" : "\n");
		strbuf_release(&item);
	}
}

/* Commands of hundreds of scenarios would leave no room for gates. */
static void add_commands(struct page *page)
{
	CLEANUP(strbuf_release) struct strbuf commands = STRBUF_INIT;
	struct strbuf item = STRBUF_INIT;

	for (size_t i = 0; i < page->document->n && i < FIRST_ROWS; i++) {
		const struct document_scenario *scenario = &page->document->scenarios[i];

		BLOCKS_EACH(block, &scenario->blocks, PART_COMMANDS) {
			struct strbuf one = STRBUF_INIT;

			if (!scenario->explained)
				continue;
			strbuf_adds(&one, "# ");
			escape_terminal(&one, page->document->n > 1 ? arena_printf(page->arena, "%s: %s", scenario_result_label(scenario->of), block->label) : block->label);
			strbuf_addc(&one, '\n');
			escape_terminal(&one, block->text);
			strbuf_addc(&one, '\n');
			if (has_room(page, commands.len + one.len + 100))
				strbuf_adds(&commands, one.buf);
			strbuf_release(&one);
		}
	}
	if (!commands.len)
		return;
	add_fence(&item, "sh", commands.buf);
	strbuf_addc(&item, '\n');
	add_item(page, &item);
}

static void add_details(struct page *page, size_t i)
{
	const struct document_scenario *scenario = &page->document->scenarios[i];
	struct strbuf item = STRBUF_INIT;
	size_t title;

	add_title(page, &item, scenario);
	title = item.len;
	BLOCKS_EACH(block, &scenario->blocks,
		    FIRST_PARTS | PART_EVIDENCE | PART_SIDES | PART_BASELINE | PART_METHOD | PART_LOAD | PART_PROFILE)
		if (i >= page->explained || !(block_styles[block->kind].part & FIRST_PARTS) || is_detail(scenario, block))
			add_block(page->arena, &item, block);
	if (scenario->symbols)
		add_symbols(page->arena, &item, scenario->symbols);
	if (item.len == title) {
		strbuf_release(&item);
		return;
	}
	strbuf_adds(&item, strbuf_ends_with(&item, "\n\n") ? "" : "\n");
	add_item(page, &item);
}

static void add_fold(struct page *page)
{
	const struct document *document = page->document;
	struct strbuf item = STRBUF_INIT;

	strbuf_adds(page->out, "<details><summary>Details</summary>\n\n");
	add_commands(page);
	add_gates(page, 0);
	for (size_t i = 0; i < document->n; i++)
		add_details(page, i);
	strbuf_adds(&item, "**Machine and run**\n\n");
	BLOCKS_EACH(block, &document->notes, PART_WHOLE)
		if (block->kind == BLOCK_JUDGE && !judge_word(document))
			add_block(page->arena, &item, block);
	BLOCKS_EACH(block, &document->conditions, PART_WHOLE)
		add_block(page->arena, &item, block);
	strbuf_addc(&item, '\n');
	add_item(page, &item);
	strbuf_adds(page->out, "</details>\n");
}

void report_markdown(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	struct page page = {
		.document = &document,
		.out = out,
		.start = out->len,
		.limit = options->limit ?: LIMIT,
		.arena = &document.arena,
	};

	document_build(&document, result, FOR_MARKDOWN);
	add_headline(&page);
	add_doubts(&page);
	add_first_gates(&page);
	add_explanations(&page);
	add_fold(&page);
	if (page.left_out)
		strbuf_addf(out, "\n**Left out** to stay under %zu bytes: %zu of %zu details. All of it is in `result.json`; "
			    "`pawl report` renders it again.\n", page.limit, page.left_out, page.items);
	/* Only a limit smaller than the headline leaves more than fits. */
	strbuf_truncate(out, page.start + utf8_clip(out->buf + page.start, page.limit));
}
