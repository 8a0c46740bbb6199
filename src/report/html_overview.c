#include "base/cleanup.h"
#include "report/format.h"
#include "report/html_parts.h"
#include "report/markup.h"
#include "report/nothing.h"

/* What stands for a scenario in a line: "task-clock +92.1 % (at least +41.2 %), tolerance 25 % and 1 more". */
static void find(struct strbuf *out, const struct scenario_result *scenario)
{
	enum standing standing = standing_of(scenario);
	const struct gate_result *gate = standing_gate(scenario, standing);
	size_t n = standing_count(scenario, standing);

	if (standing == STANDING_FAILED)
		nothing_add_failure(out, scenario);
	else if (standing == STANDING_PARTIAL)
		strbuf_addf(out, "interrupted after %zu of %u %s", scenario->n_runs, scenario->runs_wanted,
			    scenario_result_runs(scenario, scenario->runs_wanted));
	else if (standing == STANDING_SKIPPED)
		strbuf_addf(out, "interrupted before its first %s", scenario_result_runs(scenario, 1));
	else if (standing == STANDING_NO_GATES)
		strbuf_adds(out, "no gate judges it");
	if (!gate)
		return;
	format_words(out, scenario, gate);
	if (n > 1)
		strbuf_addf(out, ", and %zu more %s", n - 1, n == 2 ? "gate" : "gates");
}

static void add_row(struct strbuf *out, const struct scenario_result *scenario, size_t index)
{
	CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

	find(&found, scenario);
	strbuf_adds(out, "<tr><td>");
	html_tag_of(out, standing_of(scenario));
	strbuf_addf(out, "</td><th scope=\"row\"><a href=\"#s%zu\">", index);
	markup_text(out, scenario->name);
	strbuf_adds(out, "</a></th><td>");
	markup_text(out, found.buf);
	strbuf_adds(out, "</td></tr>\n");
}

void html_overview(struct strbuf *out, const struct result *result, const size_t *order)
{
	if (result->n_scenarios < 2)
		return;
	strbuf_addf(out,
		    "<nav class=\"card\" aria-labelledby=\"scenarios\">\n<h2 id=\"scenarios\">%zu scenarios</h2>\n"
		    "<table class=\"overview\"><thead><tr><th scope=\"col\">verdict</th><th scope=\"col\">scenario</th>"
		    "<th scope=\"col\">found</th></tr></thead>\n<tbody>\n",
		    result->n_scenarios);
	for (size_t i = 0; i < result->n_scenarios; i++)
		add_row(out, &result->scenarios[order[i]], order[i]);
	strbuf_adds(out, "</tbody></table>\n</nav>\n");
}
