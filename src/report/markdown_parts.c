#include "report/markdown_parts.h"

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "report/columns.h"
#include "report/commands.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/load.h"
#include "report/pairs.h"
#include "report/prose.h"
#include "report/reasons.h"
#include "report/symbols.h"

/* Bytes of one foreign text, and lines of a log, that a page has room for. */
enum { TEXT_LONGEST = 600, CODE_LONGEST = 300, LOG_LINES = 15 };

static void clip(struct strbuf *out, const char *text, size_t max)
{
	size_t len = utf8_clip(text, max);

	strbuf_add(out, text, len);
	if (text[len])
		strbuf_adds(out, "...");
}

void markdown_text(struct strbuf *out, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	clip(&shown, text, TEXT_LONGEST);
	escape_markdown(out, shown.buf);
}

void markdown_code(struct strbuf *out, const char *text)
{
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

	clip(&shown, text, CODE_LONGEST);
	escape_code_span(out, shown.buf);
}

void markdown_fence(struct strbuf *out, const char *language, const char *text)
{
	size_t fence = 3, run = 0;

	for (const char *s = text; *s; s++) {
		run = *s == '`' ? run + 1 : 0;
		if (run >= fence)
			fence = run + 1;
	}
	strbuf_pad(out, '`', fence);
	strbuf_addf(out, "%s\n%s", language, text);
	strbuf_pad(out, '`', fence);
	strbuf_addc(out, '\n');
}

/* Tables: the verdict stands first, for it is what a reader looks for. */

void markdown_table_head(struct strbuf *out, const struct scenario_result *scenario, bool with_name)
{
	strbuf_addf(out, "| verdict |%s", with_name ? " scenario |" : "");
	for (size_t i = 0; i < GATE_COLUMNS - 1; i++)
		strbuf_addf(out, " %s |", gate_column_title(i, scenario));
	strbuf_addf(out, "\n|:--|%s", with_name ? ":--|" : "");
	for (size_t i = 0; i < GATE_COLUMNS - 1; i++)
		strbuf_adds(out, gate_columns[i].right ? "--:|" : ":--|");
	strbuf_addc(out, '\n');
}

static void add_standing(struct strbuf *out, enum standing standing)
{
	bool bold = standing_tone(standing) != TONE_GOOD && standing_tone(standing) != TONE_PLAIN;

	strbuf_addf(out, bold ? "**%s**" : "%s", standing_word(standing));
}

void markdown_table_row(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			bool with_scenario)
{
	strbuf_adds(out, "| ");
	if (gate_is_shown(gate))
		strbuf_adds(out, "shown");
	else
		add_standing(out, standing_of_gate(gate));
	strbuf_adds(out, " |");
	if (with_scenario) {
		strbuf_addc(out, ' ');
		markdown_code(out, scenario->name);
		strbuf_adds(out, " |");
	}
	for (size_t i = 0; i < GATE_COLUMNS - 1; i++) {
		CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;

		gate_columns[i].add(&cell, scenario, gate);
		strbuf_addc(out, ' ');
		if (gate_columns[i].foreign && strcmp(cell.buf, "-"))
			markdown_text(out, cell.buf);
		else
			strbuf_adds(out, cell.buf);
		strbuf_adds(out, " |");
	}
	strbuf_addc(out, '\n');
}

/* Explanations */

static void add_item(struct strbuf *out, const char *label, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "- %s", label);
	markdown_text(out, text);
	strbuf_addc(out, '\n');
}

static void add_code_item(struct strbuf *out, const char *label, const char *text)
{
	if (!text)
		return;
	strbuf_addf(out, "- %s: ", label);
	markdown_code(out, text);
	strbuf_addc(out, '\n');
}

/* What is new or not measured has no change to speak of: its reason says it all. */
static bool has_headline(enum standing standing)
{
	return standing < STANDING_PASS && standing != STANDING_NEW && standing != STANDING_NOT_MEASURED;
}

static void add_gate_items(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv reasons = STRV_INIT;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		if (!has_headline(standing_of_gate(&scenario->gates[i])) ||
		    standing_follows(scenario, &scenario->gates[i]))
			continue;
		format_headline(&text, scenario, &scenario->gates[i]);
		add_item(out, "", text.buf);
	}
	reasons_list(scenario, &reasons);
	for (size_t i = 0; i < reasons.n; i++)
		add_item(out, "", reasons.items[i]);
}

static void add_log(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf log = STRBUF_INIT;

	if (!scenario->log_tail || !*scenario->log_tail)
		return;
	prose_add_log(&log, scenario->log_tail, "", LOG_LINES);
	strbuf_addc(out, '\n');
	markdown_fence(out, "text", log.buf);
}

static void add_comment(struct strbuf *out, const char *text, const char *detail)
{
	strbuf_addf(out, "# %s", text);
	escape_terminal(out, detail);
	strbuf_addc(out, '\n');
}

static void add_command_line(struct strbuf *out, const struct strbuf *command)
{
	escape_terminal(out, command->buf);
	strbuf_addc(out, '\n');
}

static void add_commands(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf accept = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
	const char *what;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	command_again(&again, result, scenario);
	command_accept(&accept, result, scenario);
	add_comment(&text, "see it again", "");
	add_command_line(&text, &again);
	if ((what = command_next(&next, result, scenario))) {
		add_comment(&text, what, "");
		add_command_line(&text, &next);
	}
	if (standing_can_accept(scenario)) {
		add_comment(&text, "accept it, on a machine of class ", class);
		add_command_line(&text, &accept);
	}
	if (!strbuf_ends_with(out, "\n\n"))
		strbuf_addc(out, '\n');
	markdown_fence(out, "sh", text.buf);
}

/* ", `./new` against `./old`" */
static void add_labels(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf base = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf head = STRBUF_INIT;

	pairs_label(&base, scenario, false);
	pairs_label(&head, scenario, true);
	strbuf_adds(out, ", head ");
	markdown_code(out, head.buf);
	strbuf_adds(out, " against base ");
	markdown_code(out, base.buf);
}

/* "**REGRESSION** `gzip` against 2026-11-20, commit a1b2c3d, 3 sessions (now 15 runs)" */
static void add_title(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	const char *foreign = standing_foreign_class(result, scenario);

	add_standing(out, standing_of(scenario));
	strbuf_addc(out, ' ');
	markdown_code(out, scenario->name);
	if (scenario->baseline_label) {
		strbuf_adds(out, " against ");
		markdown_text(out, scenario->baseline_label);
	}
	if (foreign) {
		strbuf_adds(out, " of another machine class, ");
		markdown_code(out, foreign);
	}
	if (pairs_only(scenario)) {
		add_labels(out, scenario);
	} else if (scenario->n_runs) {
		strbuf_addf(out, " (now %zu %s", scenario->n_runs, scenario_result_runs(scenario, scenario->n_runs));
		if (scenario->runs_wanted > scenario->n_runs)
			strbuf_addf(out, " of %u", scenario->runs_wanted);
		strbuf_addc(out, ')');
	}
	strbuf_adds(out, "\n\n");
}

static void add_pairs(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strv_release) struct strv screens = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	pairs_screens(scenario, &screens);
	for (size_t i = 0; i < screens.n; i++)
		add_item(out, "screen: ", screens.items[i]);
	pairs_facts(&facts, scenario);
	add_item(out, "pairs: ", facts.len ? facts.buf : NULL);
}

static void add_load(struct strbuf *out, const struct scenario_result *scenario)
{
	CLEANUP(strbuf_release) struct strbuf attached = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf work = STRBUF_INIT;

	load_attached(&attached, scenario);
	load_work(&work, scenario);
	add_item(out, "attached to ", attached.len ? attached.buf : NULL);
	add_item(out, "work: ", work.len ? work.buf : NULL);
}

void markdown_explanation(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	add_title(out, result, scenario);
	add_item(out, "", scenario->failure);
	add_load(out, scenario);
	add_gate_items(out, scenario);
	add_pairs(out, scenario);
	for (size_t i = 0; i < scenario->explanation.n; i++)
		add_item(out, "why: ", scenario->explanation.items[i]);
	for (size_t i = 0; i < scenario->notes.n; i++)
		add_item(out, "note: ", scenario->notes.items[i]);
	add_code_item(out, "log", scenario->log_path);
	add_log(out, scenario);
	add_commands(out, result, scenario);
	strbuf_addc(out, '\n');
}

void markdown_gates(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	size_t n_shown;
	CLEANUP(free_ptr) struct gate_result *shown = pairs_shown(scenario, false, &n_shown);

	add_title(out, result, scenario);
	markdown_table_head(out, scenario, false);
	for (size_t i = 0; i < scenario->n_gates; i++)
		markdown_table_row(out, scenario, &scenario->gates[i], false);
	for (size_t i = 0; i < n_shown; i++)
		markdown_table_row(out, scenario, &shown[i], false);
	strbuf_addc(out, '\n');
}

/* Symbols */

static void add_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	strbuf_addc(out, '|');
	for (size_t i = 0; i < SYMBOL_COLUMNS; i++) {
		CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;

		symbol_columns[i].add(&cell, scenario, symbol);
		strbuf_addc(out, ' ');
		if (i == 0)
			markdown_code(out, cell.buf);
		else if (symbol_columns[i].foreign && strcmp(cell.buf, "-"))
			markdown_text(out, cell.buf);
		else
			strbuf_adds(out, cell.buf);
		strbuf_adds(out, " |");
	}
	strbuf_addc(out, '\n');
}

void markdown_symbols(struct strbuf *out, const struct result *result, const struct scenario_result *scenario)
{
	size_t n;
	CLEANUP(free_ptr) size_t *listed = symbols_listed(scenario, &n);
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	if (!n)
		return;
	markdown_code(out, scenario->name);
	strbuf_adds(out, "\n\n|");
	for (size_t i = 0; i < SYMBOL_COLUMNS; i++)
		strbuf_addf(out, " %s |", symbol_column_title(i, scenario));
	strbuf_adds(out, "\n|");
	for (size_t i = 0; i < SYMBOL_COLUMNS; i++)
		strbuf_adds(out, symbol_columns[i].right ? "--:|" : ":--|");
	strbuf_addc(out, '\n');
	for (size_t i = 0; i < n; i++)
		add_symbol(out, scenario, &scenario->symbols[listed[i]]);
	strbuf_addc(out, '\n');
	symbols_facts(&facts, scenario);
	add_item(out, "profile: ", facts.len ? facts.buf : NULL);
	for (size_t i = 0; i < scenario->profile.doubts.n; i++)
		add_item(out, "doubt: ", scenario->profile.doubts.items[i]);
	for (size_t i = 0; i < SYMBOL_FILES; i++) {
		CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;

		if (symbols_path(&path, result, scenario, &symbol_files[i]))
			add_code_item(out, symbol_files[i].label, path.buf);
	}
	strbuf_addc(out, '\n');
}

/* Conditions */

static void add_machine_items(struct strbuf *out, const struct machine *machine)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);

	add_code_item(out, "machine class", class);
	add_item(out, "CPU: ", machine->cpu);
	strbuf_addf(out, "- CPUs: %u\n- counter tier: %s\n", machine->cpus, tier_name(machine->tier));
	add_item(out, "why no better tier: ", machine->tier_reason);
	add_item(out, "remedy: ", machine->tier_remedy);
	add_item(out, "hypervisor: ", machine->hypervisor);
	add_item(out, "kernel: ", machine->kernel);
	add_item(out, "system: ", machine->os);
	add_item(out, "perf: ", machine->perf_version);
	add_code_item(out, "perf is", machine->perf_path);
	for (size_t i = 0; i < machine->notes.n; i++)
		add_item(out, "noise: ", machine->notes.items[i]);
}

void markdown_conditions(struct strbuf *out, const struct result *result)
{
	add_machine_items(out, &result->machine);
	add_item(out, "pawl: ", result->pawl);
	add_item(out, "commit: ", result->commit);
	add_code_item(out, "date", result->date);
	add_code_item(out, "command", result->command);
	add_code_item(out, "results", result->out_dir);
	strbuf_adds(out, "- exit status ");
	headline_add_status(out, result);
	strbuf_adds(out, "\n\n");
}
