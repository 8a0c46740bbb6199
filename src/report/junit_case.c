#include "report/junit_case.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "report/columns.h"
#include "report/commands.h"
#include "report/format.h"
#include "report/markup.h"
#include "report/nothing.h"
#include "report/pairs.h"
#include "report/prose.h"
#include "report/reasons.h"
#include "report/standing.h"

/* Lines of a failed target's output that are quoted. */
enum { LOG_LINES = 40 };

enum junit_outcome junit_outcome_of(const struct scenario_result *scenario, const struct gate_result *gate)
{
	switch (standing_of_gate(gate)) {
	case STANDING_REGRESSION:
		return JUNIT_FAILURE;
	case STANDING_MISSING:
		return standing_follows(scenario, gate) ? JUNIT_SKIPPED : JUNIT_ERROR;
	case STANDING_INCONCLUSIVE:
	case STANDING_NOT_MEASURED:
	case STANDING_NEW:
	case STANDING_QUIET_INCONCLUSIVE:
	case STANDING_QUIET_NOT_MEASURED:
	case STANDING_QUIET_NEW:
		return JUNIT_SKIPPED;
	default:
		return JUNIT_PASSED;
	}
}

bool junit_has_own_case(const struct scenario_result *scenario)
{
	return standing_of(scenario) == STANDING_FAILED || !scenario->n_gates;
}

enum junit_outcome junit_own_outcome(const struct scenario_result *scenario)
{
	return scenario->state == SCENARIO_FAILED ? JUNIT_ERROR : JUNIT_SKIPPED;
}

double junit_seconds(const struct scenario_result *scenario)
{
	size_t n;
	CLEANUP(free_ptr) double *values = scenario_result_values(scenario, "wall-time", &n);
	double ms = 0;

	for (size_t i = 0; i < n; i++)
		ms += values[i];
	return ms / 1000;
}

void junit_explain(struct strbuf *out, const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->explanation.n; i++)
		strbuf_addf(out, "why: %s\n", scenario->explanation.items[i]);
	if (scenario->waits)
		strbuf_addf(out, "note: %s\n", scenario->waits);
	for (size_t i = 0; i < scenario->notes.n; i++)
		strbuf_addf(out, "note: %s\n", scenario->notes.items[i]);
}

static void add_commands(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
	const char *what = command_next(&next, result, scenario);

	strbuf_adds(out, "see it again: ");
	command_again(out, result, scenario);
	strbuf_addc(out, '\n');
	if (what)
		strbuf_addf(out, "%s: %s\n", what, next.buf);
	if (!standing_can_accept(scenario))
		return;
	strbuf_addf(out, "accept it, on a machine of class %s: ", class);
	command_accept(out, result, scenario);
	strbuf_addc(out, '\n');
}

static void add_pairs(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv screens = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	pairs_screens(scenario, &screens);
	for (size_t i = 0; i < screens.n; i++)
		strbuf_addf(out, "screen: %s\n", screens.items[i]);
	pairs_facts(&facts, scenario);
	if (facts.len)
		strbuf_addf(out, "pairs: %s\n", facts.buf);
}

/* Everything a reader needs who sees nothing but this case. */
static void describe_gate(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
			  const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	format_headline(out, scenario, gate);
	strbuf_addc(out, '\n');
	for (size_t i = 1; i < GATE_COLUMNS - 1; i++) {
		strbuf_addf(out, "%s: ", gate_column_title(i, scenario));
		gate_columns[i].add(out, scenario, gate);
		strbuf_addc(out, '\n');
	}
	if (j->reason)
		strbuf_addf(out, "because: %s\n", j->reason);
	add_pairs(out, scenario);
	junit_explain(out, scenario);
	add_commands(out, result, scenario);
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
		strbuf_adds(&message, standing_word(standing_of_gate(gate)));
	if (j->reason)
		add_reason(&message, j->reason);
	add_skipped(out, message.buf);
}

/* A test's time is what the gate measured, when that is a time: reporters draw its history. */
static double seconds_of(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return gate->gate.metric->unit == UNIT_MS && isfinite(j->current) ? j->current / 1000 : 0;
}

static void add_broken_gate(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
			    const struct gate_result *gate, enum junit_outcome outcome)
{
	const struct judgement *j = gate_judgement(gate);
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;

	format_headline(&message, scenario, gate);
	if (outcome == JUNIT_ERROR && j->reason)
		strbuf_addf(&message, ": %s", j->reason);
	describe_gate(&body, result, scenario, gate);
	add_outcome(out, outcome == JUNIT_ERROR ? "error" : "failure", verdict_name(j->verdict), message.buf,
		    body.buf);
}

void junit_gate_case(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
		     const struct gate_result *gate)
{
	enum junit_outcome outcome = junit_outcome_of(scenario, gate);
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	begin_case(out, scenario, gate->gate.metric->name, seconds_of(gate));
	if (gate->gate.line)
		strbuf_addf(out, " line=\"%u\"", gate->gate.line);
	strbuf_adds(out, ">\n");
	if (outcome == JUNIT_SKIPPED) {
		add_skipped_gate(out, scenario, gate);
	} else if (outcome == JUNIT_PASSED) {
		format_headline(&words, scenario, gate);
		strbuf_adds(out, "      <system-out>");
		markup_lines(out, words.buf);
		strbuf_adds(out, "</system-out>\n");
	} else {
		add_broken_gate(out, result, scenario, gate, outcome);
	}
	strbuf_adds(out, "    </testcase>\n");
}

static void add_failed_scenario(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf body = STRBUF_INIT;

	nothing_add_failure(&message, scenario);
	if (!message.len)
		strbuf_adds(&message, "the scenario failed");
	if (scenario->failure)
		strbuf_addf(&body, "%s\n", scenario->failure);
	if (scenario->log_tail && *scenario->log_tail) {
		strbuf_adds(&body, "the last lines of its output:\n");
		prose_add_log(&body, scenario->log_tail, "    | ", LOG_LINES);
	}
	if (scenario->log_path)
		strbuf_addf(&body, "log: %s\n", scenario->log_path);
	add_commands(&body, result, scenario);
	add_outcome(out, "error", "failed", message.buf, body.buf);
}

static void add_interrupted(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (scenario->n_runs)
		strbuf_addf(&text, "interrupted before its %s were complete", scenario_result_runs(scenario, 2));
	else
		strbuf_addf(&text, "interrupted before its first %s", scenario_result_runs(scenario, 1));
	add_skipped(out, text.buf);
}

void junit_own_case(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv reasons = STRV_INIT;

	begin_case(out, scenario, "(scenario)", junit_seconds(scenario));
	strbuf_adds(out, ">\n");
	reasons_list(scenario, &reasons);
	if (scenario->state == SCENARIO_FAILED)
		add_failed_scenario(out, result, scenario);
	else if (scenario->state != SCENARIO_MEASURED)
		add_interrupted(out, scenario);
	else
		add_skipped(out, reasons.n ? reasons.items[0] : standing_word(standing_of(scenario)));
	strbuf_adds(out, "    </testcase>\n");
}
