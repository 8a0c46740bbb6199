#include "base/cleanup.h"
#include "report/bisection.h"
#include "report/bisection_words.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/html_parts.h"
#include "report/judged_words.h"
#include "report/markup.h"
#include "report/report.h"

/* So many scenarios that passed are shown in full when nothing else asks for attention. */
enum { OPEN_MOST = 6 };

/* Nothing in the page may load or run anything, whatever came into it. */
static const char policy[] = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

static void add_head(struct strbuf *out, const struct headline *headline)
{
	strbuf_addf(out,
		    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		    "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\">\n"
		    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		    "<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s: ",
		    policy, headline->items[0].word);
	markup_text(out, headline->items[0].text);
	strbuf_addf(out, " - pawl</title>\n<style>\n%s</style>\n</head>\n<body>\n", html_style);
}

static void add_part(struct strbuf *out, const struct headline_part *part)
{
	html_tag(out, part->word, part->tone);
	strbuf_adds(out, " <span>");
	markup_text(out, part->text);
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
	markup_text(out, text);
	strbuf_adds(out, "</li>\n");
}

static void add_measured(struct strbuf *out, const struct result *result)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(strbuf_release) struct strbuf mode = STRBUF_INIT;

	strbuf_addf(&mode, "%s comparison in ", result->mode ? result->mode : "no");
	format_elapsed(&mode, result->elapsed_s);
	strbuf_adds(out, "<ul class=\"measured\">\n");
	add_fact(out, "", mode.buf);
	add_fact(out, "commit ", result->commit);
	add_fact(out, "", result->date);
	add_fact(out, "", class);
	strbuf_adds(out, "</ul>\n");
}

static void add_notes(struct strbuf *out, const struct result *result)
{
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	judged_lines(&judged, &result->judged_by);
	if (!judged.n && !result->notes.n && !result->machine.notes.n)
		return;
	strbuf_adds(out, "<dl class=\"words notes\">\n");
	html_terms(out, "judge", &judged);
	html_terms(out, "note", &result->notes);
	html_terms(out, "noise", &result->machine.notes);
	strbuf_adds(out, "</dl>\n");
}

static void add_scenarios(struct strbuf *out, const struct result *result, const size_t *order)
{
	bool calm = result->n_scenarios && standing_of(&result->scenarios[order[0]]) == STANDING_PASS;
	bool open = calm && result->n_scenarios <= OPEN_MOST;

	for (size_t i = 0; i < result->n_scenarios; i++)
		html_scenario(out, result, order[i],
			      !open && standing_of(&result->scenarios[order[i]]) == STANDING_PASS);
}

/* What was searched for is what the page is about; the comparison that it ended with follows. */
static void lead_with_search(const struct bisection *search, struct headline *headline)
{
	struct strbuf text = STRBUF_INIT;

	bisection_headline(search, &text);
	headline_lead(headline, bisection_tone(search), bisection_word(search), &text);
}

void report_html(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) size_t *order = standing_order(result);
	CLEANUP(headline_release) struct headline headline;

	headline_build(result, &headline);
	if (options->search)
		lead_with_search(options->search, &headline);
	add_head(out, &headline);
	strbuf_addf(out, "<header class=\"%s\">\n", html_tone(headline.items[0].tone));
	add_headline(out, &headline);
	add_measured(out, result);
	strbuf_adds(out, "</header>\n<main>\n");
	if (options->search)
		bisection_html(options->search, out);
	add_notes(out, result);
	html_overview(out, result, order);
	add_scenarios(out, result, order);
	html_conditions(out, result);
	strbuf_adds(out, "</main>\n</body>\n</html>\n");
}
