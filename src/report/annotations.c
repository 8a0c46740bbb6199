#include "base/mem.h"
#include "base/text.h"
#include "report/report.h"

/* GitHub shows so many of a kind and silently drops the others of a step. */
enum { ANNOTATIONS_MAX = 10 };

/* It cuts longer messages off. */
enum { MESSAGE_LONGEST = 4000, TITLE_LONGEST = 200, LOG_LINES = 5 };

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVELS };

struct annotations {
	const struct document *document;
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

/* A block as one more line: "See it again: pawl run gzip". */
static void add_block(struct strbuf *out, const struct block *block)
{
	const char *label = block_styles[block->kind].label;

	strbuf_addf(out, "\n%c%s: %s", label[0] - 'a' + 'A', label + 1, block->text);
}

static void add_command(struct strbuf *out, const struct document_scenario *scenario, enum block_kind kind)
{
	const struct block *block;

	for (size_t i = 0; (block = blocks_next(&scenario->blocks, PART_COMMANDS, &i));)
		if (block->kind == kind)
			add_block(out, block);
}

static void annotate_gate(struct annotations *list, enum level level, const struct document_scenario *scenario,
			  const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct block *block;

	strbuf_addf(&title, "%s: %s ", severity_word(severity_of_gate(scenario->of, gate)), scenario->of->name);
	format_finding(&title, scenario->of, gate);
	format_headline(&text, scenario->of, gate);
	add_sentence(&text, j->reason);
	for (size_t i = 0; (block = blocks_next(&scenario->blocks, PART_FINDINGS | PART_METHOD | PART_COMMANDS, &i));) {
		if (j->verdict != VERDICT_REGRESSION && (block->kind == BLOCK_WHY || block->kind == BLOCK_ACCEPT))
			continue;
		add_block(&text, block);
	}
	add_line(list, level, scenario->of, gate->gate.line, title.buf, text.buf);
}

static void annotate_gates(struct annotations *list, const struct document_scenario *document)
{
	const struct scenario_result *scenario = document->of;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		enum severity severity = severity_of_gate(scenario, &scenario->gates[i]);

		if (severity == SEVERITY_REGRESSION || severity == SEVERITY_MISSING)
			annotate_gate(list, LEVEL_ERROR, document, &scenario->gates[i]);
		else if (severity == SEVERITY_INCONCLUSIVE)
			annotate_gate(list, LEVEL_WARNING, document, &scenario->gates[i]);
	}
}

/* One warning for all gates of a scenario that share the severity: a new scenario would take ten. */
static void annotate_group(struct annotations *list, const struct document_scenario *document, enum severity severity)
{
	const struct scenario_result *scenario = document->of;
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	unsigned line = 0;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (severity_of_gate(scenario, gate) != severity)
			continue;
		line = line ? line : gate->gate.line;
		strbuf_adds(&text, text.len ? "\n" : "");
		format_gate(&text, scenario, gate);
		strbuf_addf(&text, ": %s", gate_judgement(gate)->reason ?: "nothing to compare with");
	}
	if (!text.len)
		return;
	strbuf_addf(&title, "%s: %s", severity_word(severity), scenario->name);
	if (severity == SEVERITY_NEW)
		add_command(&text, document, BLOCK_ACCEPT);
	add_line(list, LEVEL_WARNING, scenario, line, title.buf, text.buf);
}

static void annotate_state(struct annotations *list, const struct document_scenario *document)
{
	const struct scenario_result *scenario = document->of;
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (document->severity == SEVERITY_FAILED) {
		strbuf_addf(&title, "FAILED: %s", scenario->name);
		strbuf_adds(&text, scenario->failure ?: "could not be measured");
		if (scenario->log_tail && *scenario->log_tail) {
			strbuf_addc(&text, '\n');
			prose_add_log(&text, scenario->log_tail, "", LOG_LINES);
			strbuf_truncate(&text, text.len - 1);
		}
		add_command(&text, document, BLOCK_AGAIN);
		add_line(list, LEVEL_ERROR, scenario, first_line(scenario), title.buf, text.buf);
	} else if (scenario->state == SCENARIO_MEASURED && !scenario->n_gates) {
		strbuf_addf(&title, "NO GATES: %s", scenario->name);
		add_line(list, LEVEL_WARNING, scenario, 0, title.buf, "nothing of it is judged: write gates: in it");
	}
}

static void annotate_waiting(struct annotations *list, const struct document_scenario *document)
{
	const struct scenario_result *scenario = document->of;
	CLEANUP(strbuf_release) struct strbuf title = STRBUF_INIT;

	if (!scenario->waits)
		return;
	strbuf_addf(&title, "WAITS: %s", scenario->name);
	add_line(list, LEVEL_WARNING, scenario, 0, title.buf, scenario->waits);
}

/* What no scenario tells. */
static void annotate_whole(struct annotations *list)
{
	const struct document *document = list->document;
	const struct result *result = document->result;
	bool loud = result->judged_by.n_edits || result->judged_by.open.n;
	const struct block *block;

	for (size_t i = 0; i < document->headline.n; i++) {
		const struct headline_part *part = &document->headline.items[i];
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!part->whole)
			continue;
		strbuf_adds(&text, part->text);
		if (part->command)
			strbuf_addf(&text, ": %s", part->command);
		add_line(list, LEVEL_WARNING, NULL, 0, part->word, text.buf);
	}
	for (size_t i = 0; loud && (block = blocks_next(&document->notes, PART_WHOLE, &i));)
		add_line(list, LEVEL_WARNING, NULL, 0, "JUDGE EDITED", block->text);
	for (size_t i = 0; result->mode == MODE_PAIRED && i < result->notes.n; i++)
		add_line(list, LEVEL_WARNING, NULL, 0, "note", result->notes.items[i]);
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
	CLEANUP(document_release) struct document document;
	struct annotations list = { .document = &document };

	document_build(&document, result, FOR_ANNOTATIONS);
	annotate_whole(&list);
	for (size_t i = 0; i < document.n; i++)
		annotate_state(&list, &document.scenarios[i]);
	for (size_t i = 0; i < document.n; i++)
		annotate_waiting(&list, &document.scenarios[i]);
	for (size_t i = 0; i < document.n; i++)
		annotate_gates(&list, &document.scenarios[i]);
	for (size_t i = 0; i < document.n; i++) {
		annotate_group(&list, &document.scenarios[i], SEVERITY_NOT_MEASURED);
		annotate_group(&list, &document.scenarios[i], SEVERITY_NEW);
	}
	for (int level = 0; level < LEVELS; level++) {
		emit(&list.lines[level], (enum level)level, out);
		strv_release(&list.lines[level]);
	}
}
