/* A <testsuite> per scenario, a case per gate, and for a failed scenario: an empty <testsuite> counts as a success. */
#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/document.h"
#include "report/headline.h"
#include "report/formats/html.h"
#include "model/metrics/numbers.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"

/* Lines quoted of a failed target's output. */
enum { LOG_LINES = 40 };

/* Readers of the format accept no zone. */
enum { TIMESTAMP_LEN = sizeof "2026-11-21T10:05:54" - 1 };

enum outcome {
	OUTCOME_PASSED,
	OUTCOME_FAILURE,	/* a regression, or a claim that was not proven */
	OUTCOME_ERROR,		/* the scenario failed, or a required gate was not measured */
	OUTCOME_SKIPPED,	/* nothing was proven */
	OUTCOMES,
};

static const enum outcome outcomes[SEVERITY_COUNT] = {
	[SEVERITY_REGRESSION] = OUTCOME_FAILURE, [SEVERITY_REFUTED] = OUTCOME_FAILURE,
	[SEVERITY_UNPROVEN] = OUTCOME_FAILURE, [SEVERITY_MISSING] = OUTCOME_ERROR,
	[SEVERITY_INCONCLUSIVE] = OUTCOME_SKIPPED, [SEVERITY_QUIET_INCONCLUSIVE] = OUTCOME_SKIPPED,
	[SEVERITY_NOT_MEASURED] = OUTCOME_SKIPPED, [SEVERITY_QUIET_NOT_MEASURED] = OUTCOME_SKIPPED,
	[SEVERITY_NEW] = OUTCOME_SKIPPED, [SEVERITY_QUIET_NEW] = OUTCOME_SKIPPED,
	[SEVERITY_FOLLOWS] = OUTCOME_SKIPPED,
};

/* ' NAME="TEXT"', or nothing if TEXT is NULL. */
static const char *attribute(struct page *page, const char *name, const char *text)
{
	return text ? arena_printf(page->arena, " %s=\"%s\"", name, markup(page, text)) : "";
}

static bool has_own_case(const struct scenario_result *scenario)
{
	return severity_of(scenario) == SEVERITY_FAILED || !scenario->n_gates;
}

static double seconds_of(const struct scenario_result *scenario)
{
	size_t n;
	CLEANUP(free_ptr) double *values = side_result_values(&scenario->head, METRIC(WALL_TIME), &n);
	double ms = 0;

	for (size_t i = 0; i < n; i++)
		ms += values[i];
	return ms / 1000;
}

/* -------- cases */

/* REASONS of other gates are left to the <testsuite>. */
static void add_lines(struct strbuf *out, const struct document_scenario *scenario, unsigned parts, bool reasons)
{
	BLOCKS_EACH(block, &scenario->blocks, parts) {
		if (block->kind == BLOCK_LOG) {
			strbuf_addf(out, "%s:\n", block->label);
			prose_add_log(out, block->text, "    | ", LOG_LINES);
		} else if (reasons || block->kind != BLOCK_BECAUSE) {
			strbuf_addf(out, "%s: %s\n", block->label, block->text);
		}
	}
}

static void begin_case(struct page *page, const struct scenario_result *scenario, const char *name, double seconds,
		       unsigned line)
{
	/* Times of single requests are far below a millisecond. */
	page_print(page, "    <testcase classname=\"pawl.%s\"%s%s time=\"%.*f\"", markup(page, scenario->name),
	      attribute(page, "name", name), attribute(page, "file", scenario->path),
	      seconds > 0 && seconds < 0.001 ? 9 : 3, seconds);
	if (line)
		page_print(page, " line=\"%u\"", line);
	strbuf_adds(page->out, ">\n");
}

/* <failure message="MESSAGE" type="TYPE">BODY</failure> */
static void add_outcome(struct page *page, enum outcome outcome, const char *type, const char *message,
			const char *body)
{
	const char *element = outcome == OUTCOME_ERROR ? "error" : "failure";

	page_print(page, "      <%s%s%s>%s</%s>\n", element, attribute(page, "message", message),
	      attribute(page, "type", type), markup_lines(page, body), element);
}

static void add_skipped(struct page *page, const char *message)
{
	page_print(page, "      <skipped%s/>\n", attribute(page, "message", message));
}

/* "NEW: no baseline yet", the message of a skipped case. */
static const char *skip_message(struct page *page, const struct document_row *row)
{
	const struct judgement *j = gate_judgement(row->gate);
	const char *what = j->verdict == VERDICT_INCONCLUSIVE ? row->headline : severity_word(row->severity), *begin;

	if (!j->reason)
		return what;
	/* In pairs the sentence ends with the beginning of the reason: "about 18 more would decide: --runs 58". */
	begin = arena_strndup(page->arena, j->reason, strcspn(j->reason, ":"));
	if (*begin && text_ends(what, strlen(what), begin))
		return arena_printf(page->arena, "%s%s", what, j->reason + strlen(begin));
	return arena_printf(page->arena, "%s: %s", what, j->reason);
}

static void describe_gate(struct strbuf *out, const struct document_scenario *section, const struct document_row *row)
{
	const struct judgement *j = gate_judgement(row->gate);

	strbuf_addf(out, "%s\n", row->headline);
	for (size_t i = 1; i < section->gates->n_columns - 1; i++)
		strbuf_addf(out, "%s: %s\n", section->gates->columns[i].title, row->cells[i]);
	if (j->reason)
		strbuf_addf(out, "because: %s\n", j->reason);
	add_lines(out, section, PART_FINDINGS | PART_METHOD | PART_COMMANDS, false);
}

static void gate_case(struct page *page, const struct document_scenario *section, const struct document_row *row)
{
	const struct gate_result *gate = row->gate;
	const struct judgement *j = gate_judgement(gate);
	enum outcome outcome = outcomes[row->severity];
	/* A test's time is the gate's value if that is a time, because reporters draw its history. */
	bool is_time = gate->gate.metric->unit == UNIT_MS && isfinite(j->current);
	bool reason = outcome == OUTCOME_ERROR && j->reason;
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;

	begin_case(page, section->of, gate_name(gate), is_time ? j->current / 1000 : 0, gate->gate.line);
	if (outcome == OUTCOME_SKIPPED) {
		add_skipped(page, skip_message(page, row));
	} else if (outcome == OUTCOME_PASSED) {
		page_print(page, "      <system-out>%s</system-out>\n", markup_lines(page, row->headline));
	} else {
		describe_gate(&body, section, row);
		add_outcome(
		    page, outcome, verdict_names[j->verdict],
		    arena_printf(page->arena, "%s%s%s", row->headline, reason ? ": " : "", reason ? j->reason : ""),
		    body.buf);
	}
	strbuf_adds(page->out, "    </testcase>\n");
}

static void own_case(struct page *page, const struct document_scenario *section)
{
	const struct scenario_result *scenario = section->of;
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
	const struct block *reason = blocks_next(&section->blocks, PART_FINDINGS, NULL);

	begin_case(page, scenario, "(scenario)", seconds_of(scenario), 0);
	if (scenario->head.state == SCENARIO_FAILED) {
		struct short_text failure = headline_failure(scenario);

		add_lines(&body, section, PART_FAILURE | PART_LOG | PART_COMMANDS, true);
		add_outcome(page, OUTCOME_ERROR, "failed", failure.s, body.buf);
	} else if (scenario->head.state == SCENARIO_MEASURED) {
		add_skipped(page,
			    reason && reason->kind == BLOCK_BECAUSE ? reason->text : severity_word(section->severity));
	} else if (scenario->head.n_runs) {
		add_skipped(page, arena_printf(page->arena, "interrupted before its %s were complete",
					       scenario_result_runs(scenario, 2)));
	} else {
		add_skipped(page, arena_printf(page->arena, "interrupted before its first %s",
					       scenario_result_runs(scenario, 1)));
	}
	strbuf_adds(page->out, "    </testcase>\n");
}

/* -------- scenarios */

struct tally {
	size_t of[OUTCOMES], all;
	double seconds;
};

static void count(struct tally *tally, const struct scenario_result *scenario)
{
	tally->seconds += seconds_of(scenario);
	tally->all += scenario->n_gates + has_own_case(scenario);
	for (size_t i = 0; i < scenario->n_gates; i++)
		tally->of[outcomes[severity_of_gate(scenario, &scenario->gates[i])]]++;
	if (has_own_case(scenario))
		tally->of[scenario->head.state == SCENARIO_FAILED ? OUTCOME_ERROR : OUTCOME_SKIPPED]++;
}

static void add_tally(struct strbuf *out, const struct tally *tally)
{
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"", tally->all,
		    tally->of[OUTCOME_FAILURE], tally->of[OUTCOME_ERROR], tally->of[OUTCOME_SKIPPED], tally->seconds);
}

static void add_property(struct page *page, const char *name, const char *value)
{
	if (value)
		page_print(page, "      <property name=\"%s\" value=\"%s\"/>\n", name, markup(page, value));
}

static void add_properties(struct page *page, const struct blocks *blocks, unsigned parts)
{
	BLOCKS_EACH(block, blocks, parts)
		add_property(page, block_styles[block->kind].brief, block->text);
}

static void add_scenario(struct page *page, const struct document_scenario *section)
{
	const struct document *document = page->document;
	const struct scenario_result *scenario = section->of;
	const char *date = document->result->date;
	CLEANUP(strbuf_release) struct strbuf findings = STRBUF_INIT;
	struct tally tally = { 0 };

	count(&tally, scenario);
	page_print(page, "  <testsuite%s", attribute(page, "name", scenario_result_label(scenario)));
	add_tally(page->out, &tally);
	page_print(page, "%s>\n    <properties>\n",
	      attribute(page, "timestamp",
			date ? arena_strndup(page->arena, date, utf8_clip(date, TIMESTAMP_LEN)) : NULL));
	add_properties(page, &document->notes, PART_WHOLE);
	add_property(page, "mode", result_mode_names[document->result->mode]);
	add_property(page, "machine-class", document->class);
	add_property(page, "commit", document->result->commit);
	add_properties(page, &section->blocks, PART_LOAD);
	add_properties(page, &section->blocks, PART_PROFILE);
	add_property(page, "baseline", scenario->baseline_label);
	add_property(page, "baseline-class", scenario->baseline_class);
	add_properties(page, &section->blocks, PART_SIDES);
	add_property(page, "command", document->command);
	add_property(page, "pawl", document->result->pawl);
	strbuf_adds(page->out, "    </properties>\n");
	if (has_own_case(scenario))
		own_case(page, section);
	for (size_t i = 0; i < scenario->n_gates; i++)
		gate_case(page, section, &section->gates->rows[i]);
	add_lines(&findings, section, PART_FINDINGS, true);
	if (findings.len)
		page_print(page, "    <system-out>%s</system-out>\n", markup_lines(page, findings.buf));
	strbuf_adds(page->out, "  </testsuite>\n");
}

void report_junit(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	struct page page = { .document = &document, .out = out, .arena = &document.arena };
	struct tally tally = { 0 };

	(void)options;
	document_build(&document, result, FOR_JUNIT);
	for (size_t i = 0; i < result->n_scenarios; i++)
		count(&tally, &result->scenarios[i]);
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pawl\"");
	add_tally(out, &tally);
	strbuf_adds(out, ">\n");
	for (size_t i = 0; i < document.n; i++)
		add_scenario(&page, &document.scenarios[i]);
	strbuf_adds(out, "</testsuites>\n");
}
