#include "base/cleanup.h"
#include "base/utf8.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/judged_words.h"
#include "report/markdown_parts.h"
#include "report/pairs.h"
#include "report/report.h"
#include "report/symbols.h"

/* What the first screen holds; what is beyond folds. */
enum { FIRST_ROWS = 20, FIRST_EXPLANATIONS = 3 };

/* Room kept for closing tags and for saying what was left out. */
enum { RESERVE = 512, LIMIT = 1 << 20 };

struct page {
	const struct result *result;
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

static const char *symbol_of(enum tone tone)
{
	static const char *const symbols[] = {
		[TONE_PLAIN] = "",
		[TONE_GOOD] = "\u2713 ",
		[TONE_DOUBT] = "! ",
		[TONE_BAD] = "\u2717 ",
	};

	return symbols[tone];
}

/* One line whatever it holds: a heading, with each part's word in front. */
static void add_headline(struct page *page)
{
	CLEANUP(headline_release) struct headline headline;

	headline_build(page->result, &headline);
	strbuf_addf(page->out, "## %s", symbol_of(headline.items[0].tone));
	for (size_t i = 0; i < headline.n; i++) {
		const struct headline_part *part = &headline.items[i];

		strbuf_addf(page->out, "%s%s: ", i ? "; " : "", part->word);
		markdown_text(page->out, part->text);
		if (!part->command)
			continue;
		strbuf_adds(page->out, ": ");
		markdown_code(page->out, part->command);
	}
	strbuf_adds(page->out, "\n\n");
}

static void add_note(struct page *page, struct section *section, const char *label, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

	strbuf_addf(&item, "%s> **%s** ", section->all ? ">\n" : "", label);
	markdown_text(&item, text);
	strbuf_addc(&item, '\n');
	section_add(page, section, &item);
}

static void add_notes(struct page *page)
{
	const struct result *result = page->result;
	struct section section = {.text = STRBUF_INIT};
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	judged_lines(&judged, &result->judged_by);
	for (size_t i = 0; i < judged.n; i++)
		add_note(page, &section, "Judge:", judged.items[i]);
	for (size_t i = 0; i < result->notes.n; i++)
		add_note(page, &section, "Note:", result->notes.items[i]);
	for (size_t i = 0; i < result->machine.notes.n; i++)
		add_note(page, &section, "Noise:", result->machine.notes.items[i]);
	section_end(page, &section, NULL, "notes");
}

static void add_rows(struct page *page, struct section *section, enum standing standing)
{
	for (size_t i = 0; i < page->result->n_scenarios; i++) {
		const struct scenario_result *scenario = &page->result->scenarios[i];

		for (size_t k = 0; k < scenario->n_gates; k++) {
			CLEANUP(strbuf_release) struct strbuf row = STRBUF_INIT;

			if (standing_of_gate(&scenario->gates[k]) != standing ||
			    standing_follows(scenario, &scenario->gates[k]))
				continue;
			markdown_table_row(&row, scenario, &scenario->gates[k], true);
			if (section->all < FIRST_ROWS)
				section_add(page, section, &row);
			else
				section->all++;
		}
	}
}

/* Every gate that did not simply pass, worst first. */
static void add_first_table(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};
	size_t hidden;

	markdown_table_head(&section.text, page->result->n_scenarios ? &page->result->scenarios[0] : NULL, true);
	for (int standing = 0; standing < STANDING_PASS; standing++)
		add_rows(page, &section, (enum standing)standing);
	hidden = section.all - section.shown;
	/* All gates follow further down: a longer list is no loss. */
	section.all = section.shown;
	if (hidden)
		strbuf_addf(&section.text, "\n%zu more below.\n", hidden);
	section_end(page, &section, NULL, "");
}

static bool needs_explanation(const struct scenario_result *scenario)
{
	return standing_of(scenario) != STANDING_PASS || scenario->explanation.n || scenario->notes.n ||
	       pairs_screened(scenario);
}

/* A reader whose gate went red needs these before anything else. */
static bool is_urgent(const struct scenario_result *scenario)
{
	return standing_of(scenario) <= STANDING_INCONCLUSIVE && standing_of(scenario) != STANDING_SKIPPED;
}

static void add_explanations(struct page *page, const size_t *order)
{
	struct section open = {.text = STRBUF_INIT}, folded = {.text = STRBUF_INIT};
	size_t urgent = 0, i = 0;

	for (; i < page->result->n_scenarios && urgent < FIRST_EXPLANATIONS; i++, urgent++) {
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		if (!is_urgent(&page->result->scenarios[order[i]]))
			break;
		markdown_explanation(&item, page->result, &page->result->scenarios[order[i]]);
		section_add(page, &open, &item);
	}
	section_end(page, &open, NULL, "explanations");
	for (; i < page->result->n_scenarios; i++) {
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		if (!needs_explanation(&page->result->scenarios[order[i]]))
			continue;
		markdown_explanation(&item, page->result, &page->result->scenarios[order[i]]);
		section_add(page, &folded, &item);
	}
	section_end(page, &folded, urgent ? "Reasons and commands of other scenarios" : "Reasons and commands",
		    "explanations of other scenarios");
}

/* Of those whose symbols matter in full, then of all others: the limit takes the last. */
static void add_symbols(struct page *page, const size_t *order)
{
	struct section section = {.text = STRBUF_INIT};

	for (int wanted = 1; wanted >= 0; wanted--) {
		for (size_t i = 0; i < page->result->n_scenarios; i++) {
			const struct scenario_result *scenario = &page->result->scenarios[order[i]];
			CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

			if (symbols_wanted(scenario) != wanted)
				continue;
			markdown_symbols(&item, page->result, scenario);
			if (item.len)
				section_add(page, &section, &item);
		}
	}
	section_end(page, &section, "Symbols: where the CPU time goes", "symbols of scenarios");
}

static void add_conditions(struct page *page)
{
	struct section section = {.text = STRBUF_INIT};
	CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

	markdown_conditions(&item, page->result);
	section_add(page, &section, &item);
	section_end(page, &section, "Machine and run", "the machine and the run");
}

static void add_all_gates(struct page *page, const size_t *order)
{
	struct section section = {.text = STRBUF_INIT};
	CLEANUP(strbuf_release) struct strbuf summary = STRBUF_INIT;

	for (size_t i = 0; i < page->result->n_scenarios; i++) {
		CLEANUP(strbuf_release) struct strbuf item = STRBUF_INIT;

		if (!page->result->scenarios[order[i]].n_gates)
			continue;
		markdown_gates(&item, page->result, &page->result->scenarios[order[i]]);
		section_add(page, &section, &item);
	}
	strbuf_addf(&summary, "All gates: %zu in %zu %s", standing_gates_all(page->result), page->result->n_scenarios,
		    page->result->n_scenarios == 1 ? "scenario" : "scenarios");
	section_end(page, &section, summary.buf, "gates of scenarios");
}

/* "Measured on `x86_64-...` (tier sw), stored comparison, 42 s." */
static void add_measured(struct page *page)
{
	const struct result *result = page->result;
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, "Measured on ");
	markdown_code(&text, class);
	strbuf_addf(&text, " (tier %s), ", tier_name(result->machine.tier));
	markdown_text(&text, result->mode ? result->mode : "no");
	strbuf_adds(&text, " comparison, ");
	format_elapsed(&text, result->elapsed_s);
	strbuf_adds(&text, ".\n\n");
	if (has_room(page, text.len))
		strbuf_add(page->out, text.buf, text.len);
}

static void add_left_out(struct page *page)
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
	struct page page = {
		.result = result,
		.out = out,
		.start = out->len,
		.limit = options->limit ? options->limit : LIMIT,
	};
	CLEANUP(free_ptr) size_t *order = standing_order(result);

	add_headline(&page);
	add_notes(&page);
	add_first_table(&page);
	add_explanations(&page, order);
	add_symbols(&page, order);
	add_measured(&page);
	add_conditions(&page);
	add_all_gates(&page, order);
	add_left_out(&page);
	/* Only a limit smaller than the headline gets here with more. */
	strbuf_truncate(out, page.start + utf8_clip(out->buf + page.start, page.limit));
	strv_release(&page.left_out);
}
