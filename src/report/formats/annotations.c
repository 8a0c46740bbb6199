#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/document.h"
#include "report/headline.h"
#include "report/formats/report.h"
#include "report/severity.h"
#include "report/terminal.h"
#include "report/words.h"

/* GitHub shows this many of a kind and silently drops the rest of a step. */
enum { ANNOTATIONS_MAX = 10 };

/* GitHub cuts longer messages off. */
enum { MESSAGE_LONGEST = 4000, TITLE_LONGEST = 200, LOG_LINES = 5 };

enum level { LEVEL_ERROR, LEVEL_WARNING, LEVELS };

static const char *const level_names[] = { [LEVEL_ERROR] = "error", [LEVEL_WARNING] = "warning" };

struct annotations {
	struct document document;
	struct strv lines[LEVELS];
};

static const char *escaped(struct annotations *list, const char *text, size_t most, bool property)
{
	struct strbuf out = STRBUF_INIT;

	escape_annotation(&out, arena_strndup(&list->document.arena, text, utf8_clip(text, most)), property);
	return arena_take(&list->document.arena, strbuf_take(&out));
}

struct place {
	const char *path;	/* NULL: none */
	unsigned line;		/* 0: the first */
};

static void annotate(struct annotations *list, enum level level, struct place at, const char *title, const char *message)
{
	const char *file = at.path ? escaped(list, at.path, strlen(at.path), true) : NULL;

	strv_pushf(&list->lines[level], "::%s %stitle=%s::%s", level_names[level],
		   file ? arena_printf(&list->document.arena, "file=%s,line=%u,", file, at.line ? at.line : 1) : "",
		   escaped(list, title, TITLE_LONGEST, true), escaped(list, message, MESSAGE_LONGEST, false));
}

static const char *title_of(struct annotations *list, const char *word, const char *name)
{
	return arena_printf(&list->document.arena, "%s: %s", word, name);
}

static void add_block(struct strbuf *out, const struct block *block)
{
	const char *label = block_styles[block->kind].label;

	strbuf_addf(out, "\n%c%s: %s", label[0] - 'a' + 'A', label + 1, block->text);
}

static void add_command(struct strbuf *out, const struct document_scenario *section, enum block_kind kind)
{
	BLOCKS_EACH(block, &section->blocks, PART_COMMANDS)
		if (block->kind == kind)
			add_block(out, block);
}

static void annotate_failure(struct annotations *list, const struct document_scenario *section)
{
	const struct scenario_result *scenario = section->of;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	unsigned line = 0;

	for (size_t i = 0; i < scenario->n_gates && !line; i++)
		line = scenario->gates[i].gate.line;
	strbuf_adds(&text, scenario->head.failure ?: "could not be measured");
	if (scenario->head.log_tail && *scenario->head.log_tail) {
		strbuf_addc(&text, '\n');
		prose_add_log(&text, scenario->head.log_tail, "", LOG_LINES);
		strbuf_truncate(&text, text.len - 1);
	}
	add_command(&text, section, BLOCK_AGAIN);
	annotate(list, LEVEL_ERROR, (struct place){ scenario->path, line }, title_of(list, "FAILED", scenario_result_label(scenario)), text.buf);
}

/* True for blocks that concern only gates that regressed. */
static bool is_of_regression(enum block_kind kind)
{
	return kind == BLOCK_WHY || kind == BLOCK_ACCEPT || kind == BLOCK_CAUSE || kind == BLOCK_CHANGED;
}

/* False if it is unknown. The gate's place follows TEXT. */
static bool annotate_change(struct annotations *list, const struct scenario_result *scenario, const struct gate_result *gate,
			    const char *name, struct strbuf *text)
{
	const char *at = scenario->n_causes ? scenario->causes[0].changed_at : NULL, *colon = at ? strrchr(at, ':') : NULL;

	if (!colon)
		return false;
	if (scenario->path)
		strbuf_addf(text, "\nGate: %s:%u", scenario->path, gate->gate.line ? gate->gate.line : 1);
	annotate(list, LEVEL_ERROR, (struct place){ arena_strndup(&list->document.arena, at, (size_t)(colon - at)),
		 (unsigned)strtoul(colon + 1, NULL, 10) }, title_of(list, severity_word(SEVERITY_REGRESSION), name), text->buf);
	return true;
}

static void annotate_gate(struct annotations *list, enum level level, const struct document_scenario *section,
			  const struct document_row *row)
{
	const struct judgement *j = gate_judgement(row->gate);
	const char *name = arena_printf(&list->document.arena, "%s %s", scenario_result_label(section->of), row->finding);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s%s%s", row->headline, j->reason ? "\n" : "", j->reason ?: "");
	BLOCKS_EACH(block, &section->blocks, PART_FINDINGS | PART_METHOD | PART_COMMANDS)
		if (j->verdict == VERDICT_REGRESSION || !is_of_regression(block->kind))
			add_block(&text, block);
	if (j->verdict == VERDICT_REGRESSION && annotate_change(list, section->of, row->gate, name, &text))
		return;
	annotate(list, level, (struct place){ section->of->path, row->gate->gate.line }, title_of(list, severity_word(row->severity), name),
		 text.buf);
}

static void annotate_group(struct annotations *list, const struct document_scenario *section, enum severity severity)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	unsigned line = 0;

	for (size_t i = 0; section->gates && i < section->gates->n; i++) {
		const struct gate_result *gate = section->gates->rows[i].gate;

		if (section->gates->rows[i].severity != severity)
			continue;
		line = line ? line : gate->gate.line;
		strbuf_adds(&text, text.len ? "\n" : "");
		format_gate(&text, section->of, gate);
		strbuf_addf(&text, ": %s", gate_judgement(gate)->reason ?: "nothing to compare with");
	}
	if (!text.len)
		return;
	if (severity == SEVERITY_NEW)
		add_command(&text, section, BLOCK_ACCEPT);
	annotate(list, LEVEL_WARNING, (struct place){ section->of->path, line }, title_of(list, severity_word(severity), scenario_result_label(section->of)),
		 text.buf);
}

static void annotate_whole(struct annotations *list)
{
	const struct document *document = &list->document;
	const struct result *result = document->result;
	bool loud = result->judged_by.n_edits || result->judged_by.open.n;

	for (size_t i = 0; i < document->headline.n; i++) {
		const struct headline_part *part = &document->headline.items[i];

		if (part->whole)
			annotate(list, LEVEL_WARNING, (struct place){ 0 }, part->word,
				 arena_printf(&list->document.arena, "%s%s%s", part->text, part->command ? ": " : "",
					      part->command ?: ""));
	}
	BLOCKS_EACH(block, &document->notes, loud ? PART_WHOLE : 0)
		annotate(list, LEVEL_WARNING, (struct place){ 0 }, "JUDGE EDITED", block->text);
	for (size_t i = 0; result->mode == MODE_PAIRED && i < result->notes.n; i++)
		annotate(list, LEVEL_WARNING, (struct place){ 0 }, "note", result->notes.items[i]);
}

void report_annotations(const struct result *result, struct strbuf *out)
{
	struct annotations list = { 0 };
	const struct document *document = &list.document;

	document_build(&list.document, result, FOR_ANNOTATIONS);
	annotate_whole(&list);
	for (size_t i = 0; i < document->n; i++) {
		const struct scenario_result *scenario = document->scenarios[i].of;

		if (document->scenarios[i].severity == SEVERITY_FAILED)
			annotate_failure(&list, &document->scenarios[i]);
		else if (scenario->head.state == SCENARIO_MEASURED && !scenario->n_gates)
			annotate(&list, LEVEL_WARNING, (struct place){ scenario->path, 0 }, title_of(&list, "NO GATES", scenario_result_label(scenario)),
				 "nothing of it is judged: write gates: in it");
	}
	for (size_t i = 0; i < document->n; i++) {
		const struct scenario_result *scenario = document->scenarios[i].of;

		/* In pairs the result has a note of it. */
		if (scenario->pairing.unchanged && result->mode != MODE_PAIRED)
			annotate(&list, LEVEL_WARNING, (struct place){ scenario->path, 0 }, title_of(&list, "SAME PROGRAM", scenario_result_label(scenario)),
				 scenario->pairing.unchanged);
		if (scenario->idle)
			annotate(&list, LEVEL_WARNING, (struct place){ scenario->path, 0 }, title_of(&list, "NEXT TO NOTHING", scenario_result_label(scenario)),
				 arena_printf(&list.document.arena, "%s %s", scenario_result_label(scenario), scenario->idle));
		if (scenario->waits)
			annotate(&list, LEVEL_WARNING, (struct place){ scenario->path, 0 }, title_of(&list, "WAITS", scenario_result_label(scenario)),
				 scenario->waits);
	}
	for (size_t i = 0; i < document->n; i++) {
		const struct document_table *gates = document->scenarios[i].gates;

		for (size_t k = 0; gates && k < gates->n; k++) {
			enum severity severity = gates->rows[k].severity;

			if (severity == SEVERITY_REGRESSION || severity == SEVERITY_REFUTED || severity == SEVERITY_UNPROVEN ||
			    severity == SEVERITY_MISSING || severity == SEVERITY_INCONCLUSIVE)
				annotate_gate(&list, severity == SEVERITY_INCONCLUSIVE ? LEVEL_WARNING : LEVEL_ERROR,
					      &document->scenarios[i], &gates->rows[k]);
		}
	}
	for (size_t i = 0; i < document->n; i++) {
		annotate_group(&list, &document->scenarios[i], SEVERITY_NOT_MEASURED);
		annotate_group(&list, &document->scenarios[i], SEVERITY_NEW);
	}
	for (int level = 0; level < LEVELS; level++) {
		struct strv *lines = &list.lines[level];
		size_t shown = lines->n <= ANNOTATIONS_MAX ? lines->n : ANNOTATIONS_MAX - 1;

		for (size_t i = 0; i < shown; i++)
			strbuf_addf(out, "%s\n", lines->items[i]);
		if (shown < lines->n)
			strbuf_addf(out, "::%s title=and %zu more::the report has all %zu\n", level_names[level],
				    lines->n - shown, lines->n);
		strv_release(lines);
	}
	document_release(&list.document);
}
