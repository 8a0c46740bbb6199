#include "base/cleanup.h"
#include "report/commands.h"
#include "report/html_parts.h"
#include "report/load.h"
#include "report/markup.h"
#include "report/pairs.h"
#include "report/prose.h"
#include "report/reasons.h"

/* Lines of a failed target's output that are quoted. */
enum { LOG_LINES = 40 };

static void add_title(struct strbuf *out, const struct scenario_result *scenario, size_t index)
{
	strbuf_addf(out, "<h2 id=\"s%zu-title\">", index);
	html_tag_of(out, standing_of(scenario));
	strbuf_adds(out, " <span class=\"name\">");
	markup_text(out, scenario->name);
	strbuf_adds(out, "</span></h2>\n");
}

/* "Head ./new against base ./old." */
static void add_labels(struct strbuf *out, const struct scenario_result *scenario)
{
	strbuf_adds(out, "<p class=\"sides\">");
	for (int head = 1; head >= 0; head--) {
		CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

		pairs_label(&label, scenario, head);
		strbuf_adds(out, head ? "Head <code>" : " against base <code>");
		markup_text(out, label.buf);
		strbuf_adds(out, "</code>");
	}
	strbuf_adds(out, ".</p>\n");
}

/* "Against 2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs." */
static void add_sides(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	const char *foreign = standing_foreign_class(result, scenario);

	if (pairs_only(scenario)) {
		add_labels(out, scenario);
		return;
	}
	if (!scenario->n_runs && !scenario->baseline_label)
		return;
	strbuf_adds(out, "<p class=\"sides\">");
	if (scenario->baseline_label) {
		strbuf_adds(out, "Against ");
		markup_text(out, scenario->baseline_label);
	} else {
		strbuf_adds(out, "No baseline");
	}
	if (foreign) {
		strbuf_adds(out, ", of another machine class, <code>");
		markup_text(out, foreign);
		strbuf_adds(out, "</code>");
	}
	strbuf_addf(out, "; now %zu %s", scenario->n_runs, scenario_result_runs(scenario, scenario->n_runs));
	if (scenario->runs_wanted > scenario->n_runs)
		strbuf_addf(out, " of %u", scenario->runs_wanted);
	strbuf_adds(out, ".</p>\n");
}

static void add_words(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv reasons = STRV_INIT;
	CLEANUP(strv_release) struct strv screens = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf terms = STRBUF_INIT;

	html_term(&terms, "failed", scenario->failure);
	reasons_list(scenario, &reasons);
	html_terms(&terms, "because", &reasons);
	pairs_screens(scenario, &screens);
	html_terms(&terms, "screen", &screens);
	html_terms(&terms, "why", &scenario->explanation);
	html_terms(&terms, "note", &scenario->notes);
	pairs_facts(&facts, scenario);
	html_term(&terms, "pairs", facts.len ? facts.buf : NULL);
	if (terms.len)
		strbuf_addf(out, "<dl class=\"words\">\n%s</dl>\n", terms.buf);
}

static void add_log(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

	if (scenario->log_tail && *scenario->log_tail) {
		prose_add_log(&log, scenario->log_tail, "", LOG_LINES);
		strbuf_adds(out, "<h3>The last lines of its output</h3>\n<pre tabindex=\"0\">");
		markup_lines(out, log.buf);
		strbuf_adds(out, "</pre>\n");
	}
	if (!scenario->log_path)
		return;
	strbuf_adds(out, "<p class=\"sides\">All of it: <code>");
	markup_text(out, scenario->log_path);
	strbuf_adds(out, "</code></p>\n");
}

static void add_facts(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf attached = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf work = STRBUF_INIT;

	load_attached(&attached, scenario);
	load_work(&work, scenario);
	strbuf_adds(out, "<dl class=\"facts\">\n");
	html_term(out, "attached to", attached.len ? attached.buf : NULL);
	html_term(out, "work", work.len ? work.buf : NULL);
	html_code_term(out, "scenario", scenario->path);
	html_code_term(out, "baseline", scenario->baseline_path);
	html_code_term(out, "executable", scenario->executable);
	strbuf_adds(out, "</dl>\n");
}

static void add_commands(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf accept = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
	const char *what;

	command_again(&again, result, scenario);
	strbuf_adds(out, "<h3>See it again</h3>\n<p>");
	html_command(out, again.buf);
	strbuf_adds(out, "</p>\n");
	if ((what = command_next(&next, result, scenario))) {
		strbuf_addf(out, "<h3>%c%s</h3>\n<p>", what[0] - 'a' + 'A', what + 1);
		html_command(out, next.buf);
		strbuf_adds(out, "</p>\n");
	}
	if (!standing_can_accept(scenario))
		return;
	command_accept(&accept, result, scenario);
	strbuf_adds(out, "<h3>Accept it, on a machine of class <code>");
	markup_text(out, class);
	strbuf_adds(out, "</code></h3>\n<p>");
	html_command(out, accept.buf);
	strbuf_adds(out, "</p>\n");
}

static void add_body(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	if (scenario->description) {
		strbuf_adds(out, "<p>");
		markup_lines(out, scenario->description);
		strbuf_adds(out, "</p>\n");
	}
	add_sides(out, result, scenario);
	html_gates(out, scenario);
	add_words(out, scenario);
	html_symbols(out, result, scenario);
	add_log(out, scenario);
	html_others(out, scenario);
	add_commands(out, result, scenario);
	add_facts(out, scenario);
}

void html_scenario(struct strbuf *out, const struct result *result, size_t index, bool folded)
{
	const struct scenario_result *scenario = &result->scenarios[index];

	strbuf_addf(out, "<section class=\"card %s\" id=\"s%zu\" aria-labelledby=\"s%zu-title\">\n",
		    html_tone(standing_tone(standing_of(scenario))), index, index);
	strbuf_adds(out, folded ? "<details><summary>" : "");
	add_title(out, scenario, index);
	strbuf_adds(out, folded ? "</summary>\n" : "");
	add_body(out, result, scenario);
	strbuf_adds(out, folded ? "</details></section>\n" : "</section>\n");
}
