#include <string.h>

#include "base/cleanup.h"
#include "report/html_parts.h"
#include "report/markup.h"
#include "report/symbols.h"

static void add_cell(struct strbuf *out, const struct scenario_result *scenario, size_t column, const char *text)
{
	const struct symbol_column *of = &symbol_columns[column];

	if (column == 0)
		strbuf_adds(out, "<th scope=\"row\">");
	else
		strbuf_addf(out, "<td data-title=\"%s\" class=\"%s\">", symbol_column_title(column, scenario),
			    of->right ? "number" : strcmp(text, "-") && *text ? "words" : "none");
	markup_text(out, text);
	strbuf_adds(out, column == 0 ? "</th>" : "</td>");
}

static void add_row(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	strbuf_addf(out, "<tr class=\"%s\">", html_tone(symbol_tone(symbol)));
	for (size_t i = 0; i < SYMBOL_COLUMNS; i++) {
		CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;

		symbol_columns[i].add(&cell, scenario, symbol);
		if (i == SYMBOL_COLUMNS - 1 && symbol->verdict == VERDICT_REGRESSION) {
			strbuf_adds(out, "<td class=\"verdict\">");
			html_tag_of(out, STANDING_REGRESSION);
			strbuf_addf(out, "%s</td>", symbol->change == SYMBOL_NEW ? " new" : "");
		} else {
			add_cell(out, scenario, i, cell.buf);
		}
	}
	strbuf_adds(out, "</tr>\n");
}

static void add_table(struct strbuf *out, const struct scenario_result *scenario)
{
	size_t n;
	CLEANUP(free_ptr) size_t *listed = symbols_listed(scenario, &n);

	if (!n)
		return;
	strbuf_adds(out, "<table class=\"gates symbols\"><caption>Shares are a symbol's own samples. Changes have two "
			 "standard errors behind them.</caption>\n<thead><tr>");
	for (size_t i = 0; i < SYMBOL_COLUMNS; i++)
		strbuf_addf(out, "<th scope=\"col\"%s>%s</th>", symbol_columns[i].right ? " class=\"number\"" : "",
			    *symbol_columns[i].title ? symbol_column_title(i, scenario) : "found");
	strbuf_adds(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < n; i++)
		add_row(out, scenario, &scenario->symbols[listed[i]]);
	strbuf_adds(out, "</tbody></table>\n");
}

/* The page lies beside the scenarios' folders: a relative link finds them wherever both are taken. */
static void add_link(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_file *file,
		     const char *path)
{
	CLEANUP(strbuf_release) struct strbuf link = STRBUF_INIT;

	strbuf_addf(&link, "./%s/%s", scenario->name, file->name);
	strbuf_addf(out, "<dt>%s</dt><dd><a", file->label);
	markup_attribute(out, "href", link.buf);
	strbuf_adds(out, "><code>");
	markup_text(out, path);
	strbuf_adds(out, "</code></a></dd>\n");
}

void html_symbols(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	symbols_facts(&facts, scenario);
	if (!scenario->n_symbols && !facts.len)
		return;
	strbuf_addf(out, "<details%s><summary>Symbols: where the CPU time goes</summary>\n",
		    symbols_wanted(scenario) ? " open" : "");
	add_table(out, scenario);
	strbuf_adds(out, "<dl class=\"words\">\n");
	html_term(out, "profile", facts.len ? facts.buf : NULL);
	if (facts.len)
		html_terms(out, "doubt", &scenario->profile.doubts);
	for (size_t i = 0; i < SYMBOL_FILES; i++) {
		CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;

		if (symbols_path(&path, result, scenario, &symbol_files[i]))
			add_link(out, scenario, &symbol_files[i], path.buf);
	}
	strbuf_adds(out, "</dl>\n</details>\n");
}
