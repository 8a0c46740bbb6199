#include "report/annotations.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "report/commands.h"
#include "report/format.h"
#include "report/judged_words.h"
#include "report/nothing.h"
#include "report/pairs.h"
#include "report/prose.h"
#include "report/standing.h"

/* GitHub cuts longer messages off. */
enum { MESSAGE_LONGEST = 4000, TITLE_LONGEST = 200, LOG_LINES = 5 };

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVELS };

struct annotations {
	const struct result *result;
	struct strv lines[LEVELS];
};

static void add_clipped(struct strbuf *out, const char *text, size_t max, int property)
{
	CLEANUP(strbuf_release) struct strbuf clipped = STRBUF_INIT;

	strbuf_add(&clipped, text, utf8_clip(text, max));
	escape_annotation(out, clipped.buf, property);
}

static void add_line(struct annotations *list, enum level level, const struct scenario_result *scenario, unsigned line,
		     const char *title, const char *message)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_adds(&out, level == LEVEL_ERROR ? "::error " : "::warning ");
	if (scenario && scenario->path) {
		strbuf_adds(&out, "file=");
		escape_annotation(&out, scenario->path, 1);
		strbuf_addf(&out, ",line=%u,", line ? line : 1);
	}
	strbuf_adds(&out, "title=");
	add_clipped(&out, title, TITLE_LONGEST, 1);
	strbuf_adds(&out, "::");
	add_clipped(&out, message, MESSAGE_LONGEST, 0);
	strv_take(&list->lines[level], strbuf_take(&out));
}

static unsigned first_line(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (scenario->gates[i].gate.line)
			return scenario->gates[i].gate.line;
	return 0;
}

static void add_sentence(struct strbuf *out, const char *text)
{
	if (text)
		strbuf_addf(out, "%s%s", out->len ? "\n" : "", text);
}

static void add_again(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	strbuf_adds(out, "\nSee it again: ");
	command_again(out, result, scenario);
}

static void add_accept(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	strbuf_adds(out, "\nAccept it: ");
	command_accept(out, result, scenario);
}

static void add_next(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
	const char *what = command_next(&next, result, scenario);

	if (what)
		strbuf_addf(out, "\n%c%s: %s", what[0] - 'a' + 'A', what + 1, next.buf);
}

static void add_screens(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv screens = STRV_INIT;

	pairs_screens(scenario, &screens);
	for (size_t i = 0; i < screens.n; i++)
		strbuf_addf(out, "\nScreen: %s", screens.items[i]);
}

/* "REGRESSION: gzip task-clock +5.2 %" */
static void add_title(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	strbuf_addf(out, "%s: %s ", standing_word(standing_of_gate(gate)), scenario->name);
	format_finding(out, scenario, gate);
}

static void annotate_gate(struct annotations *list, enum level level, const struct scenario_result *scenario,
			  const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	add_title(&title, scenario, gate);
	format_headline(&text, scenario, gate);
	add_sentence(&text, j->reason);
	add_screens(&text, scenario);
	for (size_t i = 0; i < scenario->explanation.n && j->verdict == VERDICT_REGRESSION; i++)
		add_sentence(&text, scenario->explanation.items[i]);
	add_again(&text, list->result, scenario);
	if (pairs_only(scenario))
		add_next(&text, list->result, scenario);
	else if (j->verdict == VERDICT_REGRESSION)
		add_accept(&text, list->result, scenario);
	add_line(list, level, scenario, gate->gate.line, title.buf, text.buf);
}

static void annotate_gates(struct annotations *list, const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		enum standing standing = standing_of_gate(&scenario->gates[i]);

		if (standing_follows(scenario, &scenario->gates[i]))
			continue;
		if (standing == STANDING_REGRESSION || standing == STANDING_MISSING)
			annotate_gate(list, LEVEL_ERROR, scenario, &scenario->gates[i]);
		else if (standing == STANDING_INCONCLUSIVE)
			annotate_gate(list, LEVEL_WARNING, scenario, &scenario->gates[i]);
	}
}

/* One warning for all gates of a scenario that share the standing: a new scenario would take ten. */
static void annotate_group(struct annotations *list, const struct scenario_result *scenario, enum standing standing)
{
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	unsigned line = 0;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (standing_of_gate(gate) != standing || standing_follows(scenario, gate))
			continue;
		line = line ? line : gate->gate.line;
		strbuf_adds(&text, text.len ? "\n" : "");
		format_gate(&text, scenario, gate);
		strbuf_addf(&text, ": %s", gate_judgement(gate)->reason ?: "nothing to compare with");
	}
	if (!text.len)
		return;
	strbuf_addf(&title, "%s: %s", standing_word(standing), scenario->name);
	if (standing == STANDING_NEW)
		add_accept(&text, list->result, scenario);
	add_line(list, LEVEL_WARNING, scenario, line, title.buf, text.buf);
}

static void add_log(struct strbuf *out, const struct scenario_result *scenario)
{
	if (!scenario->log_tail || !*scenario->log_tail)
		return;
	strbuf_addc(out, '\n');
	prose_add_log(out, scenario->log_tail, "", LOG_LINES);
	strbuf_truncate(out, out->len - 1);
}

static void annotate_state(struct annotations *list, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (standing_of(scenario) == STANDING_FAILED) {
		strbuf_addf(&title, "FAILED: %s", scenario->name);
		strbuf_adds(&text, scenario->failure ? scenario->failure : "could not be measured");
		add_log(&text, scenario);
		add_again(&text, list->result, scenario);
		add_line(list, LEVEL_ERROR, scenario, first_line(scenario), title.buf, text.buf);
	} else if (scenario->state == SCENARIO_MEASURED && !scenario->n_gates) {
		strbuf_addf(&title, "NO GATES: %s", scenario->name);
		add_line(list, LEVEL_WARNING, scenario, 0, title.buf, "nothing of it is judged: write gates: in it");
	}
}

static void annotate_waiting(struct annotations *list, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;

	if (!scenario->waits)
		return;
	strbuf_addf(&title, "WAITS: %s", scenario->name);
	add_line(list, LEVEL_WARNING, scenario, 0, title.buf, scenario->waits);
}

static void annotate_whole(struct annotations *list)
{
	enum blame blame = nothing_blame(list->result);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf command = STRBUF_INIT;
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	if (blame != BLAME_NOBODY) {
		nothing_explain(list->result, blame, &text, &command);
		strbuf_addf(&text, ": %s", command.buf);
		add_line(list, LEVEL_WARNING, NULL, 0, "NOTHING WAS COMPARED", text.buf);
	} else if (list->result->partial) {
		add_line(list, LEVEL_WARNING, NULL, 0, "PARTIAL", "interrupted before everything was measured");
	}
	judged_lines(&judged, &list->result->judged_by);
	for (size_t i = 0; judged_is_loud(list->result) && i < judged.n; i++)
		add_line(list, LEVEL_WARNING, NULL, 0, "JUDGE EDITED", judged.items[i]);
	for (size_t i = 0; list->result->mode && !strcmp(list->result->mode, "paired") && i < list->result->notes.n; i++)
		add_line(list, LEVEL_WARNING, NULL, 0, "note", list->result->notes.items[i]);
}

static void emit(const struct strv *lines, enum level level, struct strbuf *out)
{
	size_t shown = lines->n <= ANNOTATIONS_MAX ? lines->n : ANNOTATIONS_MAX - 1;

	for (size_t i = 0; i < shown; i++)
		strbuf_addf(out, "%s\n", lines->items[i]);
	if (shown < lines->n)
		strbuf_addf(out, "::%s title=and %zu more::the report has all %zu\n",
			    level == LEVEL_ERROR ? "error" : "warning", lines->n - shown, lines->n);
}

void report_annotations(const struct result *result, struct strbuf *out)
{
	struct annotations list = {.result = result};

	annotate_whole(&list);
	for (size_t i = 0; i < result->n_scenarios; i++)
		annotate_state(&list, &result->scenarios[i]);
	for (size_t i = 0; i < result->n_scenarios; i++)
		annotate_waiting(&list, &result->scenarios[i]);
	for (size_t i = 0; i < result->n_scenarios; i++)
		annotate_gates(&list, &result->scenarios[i]);
	for (size_t i = 0; i < result->n_scenarios; i++) {
		annotate_group(&list, &result->scenarios[i], STANDING_NOT_MEASURED);
		annotate_group(&list, &result->scenarios[i], STANDING_NEW);
	}
	for (int level = 0; level < LEVELS; level++) {
		emit(&list.lines[level], (enum level)level, out);
		strv_release(&list.lines[level]);
	}
}
