/*
 * A report as JUnit XML, which CI systems read: a suite a scenario, a case a gate. A scenario that failed, or that has no gate,
 * gets a case of its own besides, for a suite that says nothing would pass for a good one.
 */
#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/report.h"

/* Lines of a failed target's output that are quoted. */
enum { LOG_LINES = 40 };

/* The date without its zone: the format's readers take no other. */
enum { TIMESTAMP_LEN = sizeof "2026-11-21T10:05:54" - 1 };

enum outcome {
	OUTCOME_PASSED,
	OUTCOME_FAILURE,	/* a regression */
	OUTCOME_ERROR,		/* the scenario failed, or a required gate was not measured */
	OUTCOME_SKIPPED,	/* nothing was proven */
	OUTCOMES,
};

static enum outcome outcome_of(const struct scenario_result *scenario, const struct gate_result *gate)
{
	switch (severity_of_gate(scenario, gate)) {
	case SEVERITY_REGRESSION:
		return OUTCOME_FAILURE;
	case SEVERITY_MISSING:
		return OUTCOME_ERROR;
	case SEVERITY_INCONCLUSIVE:
	case SEVERITY_NOT_MEASURED:
	case SEVERITY_NEW:
	case SEVERITY_QUIET_INCONCLUSIVE:
	case SEVERITY_QUIET_NOT_MEASURED:
	case SEVERITY_QUIET_NEW:
	case SEVERITY_FOLLOWS:
		return OUTCOME_SKIPPED;
	default:
		return OUTCOME_PASSED;
	}
}

static bool has_own_case(const struct scenario_result *scenario)
{
	return severity_of(scenario) == SEVERITY_FAILED || !scenario->n_gates;
}

static enum outcome own_outcome(const struct scenario_result *scenario)
{
	return scenario->state == SCENARIO_FAILED ? OUTCOME_ERROR : OUTCOME_SKIPPED;
}

/* What its counted runs took. */
static double seconds_of(const struct scenario_result *scenario)
{
	size_t n;
	CLEANUP(free_ptr) double *values = scenario_result_values(scenario, "wall-time", &n);
	double ms = 0;

	for (size_t i = 0; i < n; i++)
		ms += values[i];
	return ms / 1000;
}

/* -------- what a case says */

/* "why: ...", a line each; reasons of other gates are left to the suite. */
static void add_lines(struct strbuf *out, const struct document_scenario *scenario, unsigned parts, bool reasons)
{
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(&scenario->blocks, parts, &i));) {
		if (block->kind == BLOCK_LOG) {
			strbuf_addf(out, "%s:\n", block->label);
			prose_add_log(out, block->text, "    | ", LOG_LINES);
		} else if (reasons || block->kind != BLOCK_BECAUSE) {
			strbuf_addf(out, "%s: %s\n", block->label, block->text);
		}
	}
}

/* Everything a reader needs who sees nothing but this case. */
static void describe_gate(struct strbuf *out, const struct document_scenario *scenario, const struct document_row *row)
{
	const struct gate_result *gate = row->gate;
	const struct judgement *j = gate_judgement(gate);

	format_headline(out, scenario->of, gate);
	strbuf_addc(out, '\n');
	for (size_t i = 1; i < scenario->gates->n_columns - 1; i++)
		strbuf_addf(out, "%s: %s\n", scenario->gates->columns[i].title, row->cells[i]);
	if (j->reason)
		strbuf_addf(out, "because: %s\n", j->reason);
	add_lines(out, scenario, PART_FINDINGS | PART_METHOD | PART_COMMANDS, false);
}

static void begin_case(struct strbuf *out, const struct scenario_result *scenario, const char *name, double seconds)
{
	CLEANUP(strbuf_release) struct strbuf class = STRBUF_INIT;

	strbuf_addf(&class, "pawl.%s", scenario->name);
	strbuf_adds(out, "    <testcase");
	markup_attribute(out, "classname", class.buf);
	markup_attribute(out, "name", name);
	markup_attribute(out, "file", scenario->path);
	/* What one request takes is far below a millisecond. */
	strbuf_addf(out, " time=\"%.*f\"", seconds > 0 && seconds < 0.001 ? 9 : 3, seconds);
}

/* <failure message="MESSAGE" type="TYPE">BODY</failure> */
static void add_outcome(struct strbuf *out, const char *element, const char *type, const char *message,
			const char *body)
{
	strbuf_addf(out, "      <%s", element);
	markup_attribute(out, "message", message);
	markup_attribute(out, "type", type);
	strbuf_addc(out, '>');
	markup_lines(out, body);
	strbuf_addf(out, "</%s>\n", element);
}

static void add_skipped(struct strbuf *out, const char *message)
{
	strbuf_adds(out, "      <skipped");
	markup_attribute(out, "message", message);
	strbuf_adds(out, "/>\n");
}

/* In pairs the sentence ends with what the reason begins with: "about 18 more would decide: --runs 58". */
static void add_reason(struct strbuf *out, const char *reason)
{
	size_t len = strcspn(reason, ":");
	CLEANUP(free_ptr) char *begin = xstrndup(reason, len);

	if (len && strbuf_ends_with(out, begin))
		strbuf_adds(out, reason + len);
	else
		strbuf_addf(out, ": %s", reason);
}

/* "NEW: there is no baseline yet" */
static void add_skipped_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;

	if (j->verdict == VERDICT_INCONCLUSIVE)
		format_headline(&message, scenario, gate);
	else
		strbuf_adds(&message, severity_word(severity_of_gate(scenario, gate)));
	if (j->reason)
		add_reason(&message, j->reason);
	add_skipped(out, message.buf);
}

/* A test's time is what the gate measured, when that is a time: reporters draw its history. */
static double gate_seconds(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return gate->gate.metric->unit == UNIT_MS && isfinite(j->current) ? j->current / 1000 : 0;
}

static void add_broken_gate(struct strbuf *out, const struct document_scenario *scenario, const struct document_row *row,
			    enum outcome outcome)
{
	const struct gate_result *gate = row->gate;
	const struct judgement *j = gate_judgement(gate);
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;

	format_headline(&message, scenario->of, gate);
	if (outcome == OUTCOME_ERROR && j->reason)
		strbuf_addf(&message, ": %s", j->reason);
	describe_gate(&body, scenario, row);
	add_outcome(out, outcome == OUTCOME_ERROR ? "error" : "failure", verdict_names[j->verdict], message.buf,
		    body.buf);
}

static void gate_case(struct strbuf *out, const struct document_scenario *document, const struct document_row *row)
{
	const struct gate_result *gate = row->gate;
	const struct scenario_result *scenario = document->of;
	enum outcome outcome = outcome_of(scenario, gate);
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	begin_case(out, scenario, gate_name(gate), gate_seconds(gate));
	if (gate->gate.line)
		strbuf_addf(out, " line=\"%u\"", gate->gate.line);
	strbuf_adds(out, ">\n");
	if (outcome == OUTCOME_SKIPPED) {
		add_skipped_gate(out, scenario, gate);
	} else if (outcome == OUTCOME_PASSED) {
		format_headline(&words, scenario, gate);
		strbuf_adds(out, "      <system-out>");
		markup_lines(out, words.buf);
		strbuf_adds(out, "</system-out>\n");
	} else {
		add_broken_gate(out, document, row, outcome);
	}
	strbuf_adds(out, "    </testcase>\n");
}

static void own_case(struct strbuf *out, const struct document_scenario *document)
{
	const struct scenario_result *scenario = document->of;
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;
	const struct block *reason = blocks_next(&document->blocks, PART_FINDINGS, &(size_t){ 0 });

	begin_case(out, scenario, "(scenario)", seconds_of(scenario));
	strbuf_adds(out, ">\n");
	if (scenario->state == SCENARIO_FAILED) {
		strbuf_adds(&message, headline_failure(scenario).s);
		add_lines(&body, document, PART_FAILURE | PART_LOG | PART_COMMANDS, true);
		add_outcome(out, "error", "failed", message.len ? message.buf : "the scenario failed", body.buf);
	} else if (scenario->state == SCENARIO_MEASURED) {
		add_skipped(out, reason && reason->kind == BLOCK_BECAUSE ? reason->text : severity_word(document->severity));
	} else {
		strbuf_addf(&message, "interrupted before its %s%s%s", scenario->n_runs ? "" : "first ",
			    scenario_result_runs(scenario, scenario->n_runs ? 2 : 1),
			    scenario->n_runs ? " were complete" : "");
		add_skipped(out, message.buf);
	}
	strbuf_adds(out, "    </testcase>\n");
}

/* -------- suites */

struct tally {
	size_t of[OUTCOMES], all;
	double seconds;
};

static void count(struct tally *tally, const struct scenario_result *scenario)
{
	tally->seconds += seconds_of(scenario);
	tally->all += scenario->n_gates + has_own_case(scenario);
	for (size_t i = 0; i < scenario->n_gates; i++)
		tally->of[outcome_of(scenario, &scenario->gates[i])]++;
	if (has_own_case(scenario))
		tally->of[own_outcome(scenario)]++;
}

static void add_tally(struct strbuf *out, const struct tally *tally)
{
	strbuf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\"", tally->all,
		    tally->of[OUTCOME_FAILURE], tally->of[OUTCOME_ERROR], tally->of[OUTCOME_SKIPPED], tally->seconds);
}

static void add_property(struct strbuf *out, const char *name, const char *value)
{
	if (!value)
		return;
	strbuf_addf(out, "      <property name=\"%s\"", name);
	markup_attribute(out, "value", value);
	strbuf_adds(out, "/>\n");
}

static void add_block_properties(struct strbuf *out, const struct blocks *blocks, unsigned parts)
{
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(blocks, parts, &i));)
		add_property(out, block_styles[block->kind].brief, block->text);
}

static void add_properties(struct strbuf *out, const struct document *document, const struct document_scenario *scenario)
{
	const struct result *result = document->result;
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(free_ptr) char *command = result_command_line(result);

	strbuf_adds(out, "    <properties>\n");
	add_block_properties(out, &document->notes, PART_WHOLE);
	add_property(out, "mode", result_mode_names[result->mode]);
	add_property(out, "machine-class", class);
	add_property(out, "commit", result->commit);
	add_block_properties(out, &scenario->blocks, PART_LOAD);
	add_block_properties(out, &scenario->blocks, PART_PROFILE);
	add_property(out, "baseline", scenario->of->baseline_label);
	add_property(out, "baseline-class", scenario->of->baseline_class);
	add_block_properties(out, &scenario->blocks, PART_SIDES);
	add_property(out, "command", command);
	add_property(out, "pawl", result->pawl);
	strbuf_adds(out, "    </properties>\n");
}

static void add_suite(struct strbuf *out, const struct document *document, const struct document_scenario *scenario)
{
	const char *date = document->result->date;
	CLEANUP(free_ptr) char *timestamp = date ? xstrndup(date, utf8_clip(date, TIMESTAMP_LEN)) : NULL;
	CLEANUP(strbuf_release) struct strbuf findings = STRBUF_INIT;
	struct tally tally = { 0 };

	count(&tally, scenario->of);
	strbuf_adds(out, "  <testsuite");
	markup_attribute(out, "name", scenario->of->name);
	add_tally(out, &tally);
	markup_attribute(out, "timestamp", timestamp);
	strbuf_adds(out, ">\n");
	add_properties(out, document, scenario);
	if (has_own_case(scenario->of))
		own_case(out, scenario);
	for (size_t i = 0; i < scenario->of->n_gates; i++)
		gate_case(out, scenario, &scenario->gates->rows[i]);
	add_lines(&findings, scenario, PART_FINDINGS, true);
	if (findings.len) {
		strbuf_adds(out, "    <system-out>");
		markup_lines(out, findings.buf);
		strbuf_adds(out, "</system-out>\n");
	}
	strbuf_adds(out, "  </testsuite>\n");
}

void report_junit(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(document_release) struct document document;
	struct tally tally = { 0 };

	(void)options;
	document_build(&document, result, FOR_JUNIT);
	for (size_t i = 0; i < result->n_scenarios; i++)
		count(&tally, &result->scenarios[i]);
	strbuf_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"pawl\"");
	add_tally(out, &tally);
	strbuf_adds(out, ">\n");
	for (size_t i = 0; i < document.n; i++)
		add_suite(out, &document, &document.scenarios[i]);
	strbuf_adds(out, "</testsuites>\n");
}
