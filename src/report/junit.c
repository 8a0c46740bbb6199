#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/junit_case.h"
#include "report/judged_words.h"
#include "report/load.h"
#include "report/markup.h"
#include "report/pairs.h"
#include "report/reasons.h"
#include "report/report.h"
#include "report/symbols.h"

/* The date without its zone: the format's readers take no other. */
enum { TIMESTAMP_LEN = sizeof "2026-11-21T10:05:54" - 1 };

struct tally {
	size_t of[JUNIT_OUTCOMES], all;
	double seconds;
};

static void count(struct tally *tally, const struct scenario_result *scenario)
{
	tally->seconds += junit_seconds(scenario);
	tally->all += scenario->n_gates + junit_has_own_case(scenario);
	for (size_t i = 0; i < scenario->n_gates; i++)
		tally->of[junit_outcome_of(scenario, &scenario->gates[i])]++;
	if (junit_has_own_case(scenario))
		tally->of[junit_own_outcome(scenario)]++;
}

static void add_tally(struct strbuf *out, const struct tally *tally)
{
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"", tally->all,
		    tally->of[JUNIT_FAILURE], tally->of[JUNIT_ERROR], tally->of[JUNIT_SKIPPED], tally->seconds);
}

static void add_property(struct strbuf *out, const char *name, const char *value)
{
	if (!value)
		return;
	strbuf_addf(out, "      <property name=\"%s\"", name);
	markup_attribute(out, "value", value);
	strbuf_adds(out, "/>\n");
}

static void add_sides(struct strbuf *out, const struct scenario_result *scenario)
{
	for (int head = 0; head < 2 && scenario->pairing; head++) {
		CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

		pairs_label(&label, scenario, head);
		add_property(out, head ? "head" : "base", label.buf);
	}
}

static void add_judge(struct strbuf *out, const struct result *result)
{
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	judged_lines(&judged, &result->judged_by);
	for (size_t i = 0; i < judged.n; i++)
		add_property(out, "judge", judged.items[i]);
}

static void add_properties(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(strbuf_release) struct strbuf attached = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf work = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf profile = STRBUF_INIT;

	load_attached(&attached, scenario);
	load_work(&work, scenario);
	symbols_facts(&profile, scenario);
	strbuf_adds(out, "    <properties>\n");
	add_judge(out, result);
	add_property(out, "mode", result->mode);
	add_property(out, "machine-class", class);
	add_property(out, "commit", result->commit);
	add_property(out, "attached", attached.len ? attached.buf : NULL);
	add_property(out, "work", work.len ? work.buf : NULL);
	add_property(out, "profile", profile.len ? profile.buf : NULL);
	add_property(out, "baseline", scenario->baseline_label);
	add_property(out, "baseline-class", scenario->baseline_class);
	add_sides(out, scenario);
	add_property(out, "command", result->command);
	add_property(out, "pawl", result->pawl);
	strbuf_adds(out, "    </properties>\n");
}

static void add_explanation(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv reasons = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	reasons_list(scenario, &reasons);
	for (size_t i = 0; i < reasons.n; i++)
		strbuf_addf(&text, "because: %s\n", reasons.items[i]);
	junit_explain(&text, scenario);
	if (!text.len)
		return;
	strbuf_adds(out, "    <system-out>");
	markup_lines(out, text.buf);
	strbuf_adds(out, "</system-out>\n");
}

static void add_suite(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr)
	char *timestamp = result->date ? xstrndup(result->date, utf8_clip(result->date, TIMESTAMP_LEN)) : NULL;
	struct tally tally = { 0 };

	count(&tally, scenario);
	strbuf_adds(out, "  <testsuite");
	markup_attribute(out, "name", scenario->name);
	add_tally(out, &tally);
	markup_attribute(out, "timestamp", timestamp);
	strbuf_adds(out, ">\n");
	add_properties(out, result, scenario);
	if (junit_has_own_case(scenario))
		junit_own_case(out, result, scenario);
	for (size_t i = 0; i < scenario->n_gates; i++)
		junit_gate_case(out, result, scenario, &scenario->gates[i]);
	add_explanation(out, scenario);
	strbuf_adds(out, "  </testsuite>\n");
}

void report_junit(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	struct tally tally = { 0 };

	(void)options;
	for (size_t i = 0; i < result->n_scenarios; i++)
		count(&tally, &result->scenarios[i]);
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pawl\"");
	add_tally(out, &tally);
	strbuf_adds(out, ">\n");
	for (size_t i = 0; i < result->n_scenarios; i++)
		add_suite(out, result, &result->scenarios[i]);
	strbuf_adds(out, "</testsuites>\n");
}
