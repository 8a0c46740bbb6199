#include "report/text_scenario.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "report/columns.h"
#include "report/commands.h"
#include "report/format.h"
#include "report/load.h"
#include "report/pairs.h"
#include "report/prose.h"
#include "report/reasons.h"
#include "report/symbols.h"
#include "report/table.h"
#include "stats/order.h"

#define STYLE_BOLD "1"
#define STYLE_DIM "2"

/* Lines of a failed target's output that are quoted. */
enum { LOG_LINES = 20 };

/* Columns of a terminal that a symbol's name may take. */
enum { SYMBOL_WIDTH = 40 };

const char *text_style(const struct report_options *options, enum tone tone)
{
	static const char *const styles[] = {
		[TONE_PLAIN] = NULL,
		[TONE_GOOD] = "32",
		[TONE_DOUBT] = "1;33",
		[TONE_BAD] = "1;31",
	};

	return options->color ? styles[tone] : NULL;
}

void text_add_styled(struct strbuf *out, const char *word, const char *style)
{
	if (style)
		strbuf_addf(out, "\x1b[%sm%s\x1b[0m", style, word);
	else
		strbuf_adds(out, word);
}

void text_add_labelled(struct strbuf *out, const char *label, const char *text, const struct report_options *options)
{
	if (!text)
		return;
	strbuf_addf(out, "  %-*s", TEXT_LABEL - 2, label);
	prose_add(out, text, TEXT_LABEL, options->width ? options->width : TEXT_WIDTH);
}

void text_add_command(struct strbuf *out, const char *label, const char *command)
{
	if (!command)
		return;
	strbuf_addf(out, "  %-*s", TEXT_LABEL - 2, label);
	escape_terminal(out, command);
	strbuf_addc(out, '\n');
}

/* Gates */

static void add_row(struct table *table, const struct scenario_result *scenario, const struct gate_result *gate,
		    const struct report_options *options)
{
	enum tone tone = gate_is_shown(gate) ? TONE_PLAIN : standing_tone(standing_of_gate(gate));
	const char *style = text_style(options, tone);

	for (size_t i = 0; i < GATE_COLUMNS; i++) {
		CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		gate_columns[i].add(&cell, scenario, gate);
		escape_terminal(&shown, cell.buf);
		table_add(table, shown.buf, i == GATE_COLUMNS - 1 ? style : NULL);
	}
}

static void add_gates(const struct scenario_result *scenario, const struct report_options *options, struct strbuf *out)
{
	size_t n_shown;
	CLEANUP(free_ptr) struct gate_result *shown = pairs_shown(scenario, options->verbose, &n_shown);
	CLEANUP(table_release) struct table table;

	table_init(&table, "lrrrrll");
	for (size_t i = 0; i < GATE_COLUMNS; i++)
		table_add(&table, gate_column_title(i, scenario), options->color ? STYLE_DIM : NULL);
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (!standing_follows(scenario, &scenario->gates[i]))
			add_row(&table, scenario, &scenario->gates[i], options);
	for (size_t i = 0; i < n_shown; i++)
		add_row(&table, scenario, &shown[i], options);
	if (table.n == GATE_COLUMNS)
		return;
	table_render(&table, 2, out);
}

/* Around the gates */

/* What has a twin per unit of work is shown by that: how much a whole window took says little. */
static bool is_shown(const struct scenario_result *scenario, const struct metric *metric)
{
	CLEANUP(free_ptr) char *twin = metric_per_work_name(metric);

	return scenario_result_is_gated(scenario, metric->name) || load_tells(scenario, metric) ||
	       scenario_result_count(scenario, twin);
}

/* "wall-time 63.1 ms, cycles 210 M": medians of what no gate shows. */
static void add_medians(const struct scenario_result *scenario, const struct report_options *options,
			struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct metric *metric = scenario->metrics[i];
		size_t n;
		CLEANUP(free_ptr) double *values = scenario_result_values(scenario, metric->name, &n);

		if (!n || is_shown(scenario, metric))
			continue;
		strbuf_adds(&text, text.len ? ", " : "");
		format_metric(&text, scenario, metric);
		strbuf_addc(&text, ' ');
		format_measured(&text, stats_median(values, n), metric);
	}
	if (text.len)
		text_add_labelled(out, scenario->n_gates ? "also" : "medians", text.buf, options);
}

static void add_lines(const struct strv *lines, const char *label, const struct report_options *options,
		      struct strbuf *out)
{
	for (size_t i = 0; i < lines->n; i++)
		text_add_labelled(out, i ? "" : label, lines->items[i], options);
}

static void add_variables(const struct scenario_result *scenario, const struct report_options *options,
			  struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < scenario->variables.n; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : "passed on: ", scenario->variables.items[i]);
	if (text.len)
		text_add_labelled(out, "env", text.buf, options);
}

static void add_failure(const struct scenario_result *scenario, const struct report_options *options,
			struct strbuf *out)
{
	text_add_labelled(out, "failed", scenario->failure, options);
	if (scenario->log_tail && *scenario->log_tail) {
		strbuf_adds(out, "  the last lines of its output:\n");
		prose_add_log(out, scenario->log_tail, "    | ", LOG_LINES);
	}
	text_add_labelled(out, "log", scenario->log_path, options);
}

/* Symbols */

static void add_symbol(struct table *table, const struct scenario_result *scenario, const struct symbol_result *symbol,
		       const struct report_options *options)
{
	const char *style = text_style(options, symbol_tone(symbol));

	for (size_t i = 0; i < SYMBOL_COLUMNS; i++) {
		CLEANUP(strbuf_release) struct strbuf cell = STRBUF_INIT;
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		symbol_columns[i].add(&cell, scenario, symbol);
		/* A name as long as a template's would push all numbers off the screen. */
		if (i == 0 && utf8_width(cell.buf) > SYMBOL_WIDTH) {
			strbuf_truncate(&cell, utf8_clip(cell.buf, SYMBOL_WIDTH - 3));
			strbuf_adds(&cell, "...");
		}
		escape_terminal(&shown, cell.buf);
		table_add(table, shown.buf, i == SYMBOL_COLUMNS - 1 ? style : NULL);
	}
}

static void add_symbols(const struct scenario_result *scenario, const struct report_options *options,
			struct strbuf *out)
{
	size_t n, slight = 0;
	CLEANUP(free_ptr) size_t *listed = symbols_listed(scenario, &n);
	CLEANUP(table_release) struct table table = { 0 };

	if (!n || !(options->verbose || symbols_wanted(scenario)))
		return;
	table_init(&table, "llrrrrl");
	for (size_t i = 0; i < SYMBOL_COLUMNS; i++)
		table_add(&table, symbol_column_title(i, scenario), options->color ? STYLE_DIM : NULL);
	for (size_t i = 0; i < n; i++) {
		const struct symbol_result *symbol = &scenario->symbols[listed[i]];

		if (!options->verbose && symbol_is_slight(symbol))
			slight++;
		else
			add_symbol(&table, scenario, symbol, options);
	}
	if (slight < n)
		table_render(&table, 2, out);
	if (slight)
		strbuf_addf(out, "  %s%zu %s under %g %%\n", slight < n ? "and " : "", slight,
			    slight < n ? "more" : slight == 1 ? "symbol" : "symbols", symbol_slight_pct);
}

static void add_profile(const struct result *result, const struct scenario_result *scenario,
			const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	symbols_facts(&facts, scenario);
	text_add_labelled(out, "profile", facts.len ? facts.buf : NULL, options);
	if (facts.len)
		add_lines(&scenario->profile.doubts, "doubt", options, out);
	/* The last is this table in full, for reports that have links. */
	for (size_t i = 0; i < SYMBOL_FILES - 1; i++) {
		CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;

		if (symbols_path(&path, result, scenario, &symbol_files[i]))
			text_add_command(out, i ? "" : "flames", path.buf);
	}
}

/* "2026-11-20, commit a1b2c3d, 3 sessions; now 15 runs" */
static void add_sides(const struct result *result, const struct scenario_result *scenario,
		      const struct report_options *options, struct strbuf *out)
{
	const char *foreign = standing_foreign_class(result, scenario);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (pairs_only(scenario))
		return;
	strbuf_adds(&text, scenario->baseline_label ? scenario->baseline_label : "no baseline");
	if (foreign)
		strbuf_addf(&text, ", of another machine class: %s", foreign);
	strbuf_addf(&text, "; now %zu %s", scenario->n_runs, scenario_result_runs(scenario, scenario->n_runs));
	if (scenario->runs_wanted > scenario->n_runs)
		strbuf_addf(&text, " of %u", scenario->runs_wanted);
	text_add_labelled(out, "against", text.buf, options);
	if (options->verbose)
		text_add_labelled(out, "baseline", scenario->baseline_path, options);
}

/* What the sides are, what stored runs had said, and how the pairs were made. */
static void add_pairs(const struct scenario_result *scenario, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv screens = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf facts = STRBUF_INIT;

	pairs_screens(scenario, &screens);
	add_lines(&screens, "screen", options, out);
	pairs_facts(&facts, scenario);
	if (facts.len)
		text_add_labelled(out, "pairs", facts.buf, options);
}

static void add_labels(const struct scenario_result *scenario, const struct report_options *options, struct strbuf *out)
{
	for (int head = 0; head < 2 && pairs_only(scenario); head++) {
		CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

		pairs_label(&label, scenario, head);
		text_add_labelled(out, head ? "head" : "base", label.buf, options);
	}
}

static void add_load(const struct scenario_result *scenario, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf attached = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf work = STRBUF_INIT;

	load_attached(&attached, scenario);
	load_work(&work, scenario);
	text_add_labelled(out, "attached", attached.len ? attached.buf : NULL, options);
	text_add_labelled(out, "work", work.len ? work.buf : NULL, options);
}

static void add_commands(const struct result *result, const struct scenario_result *scenario, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf next = STRBUF_INIT;
	const char *what;
	CLEANUP(strbuf_release) struct strbuf accept = STRBUF_INIT;

	command_again(&again, result, scenario);
	text_add_command(out, "again", again.buf);
	if ((what = command_next(&next, result, scenario)))
		text_add_command(out, what, next.buf);
	if (!standing_can_accept(scenario))
		return;
	command_accept(&accept, result, scenario);
	text_add_command(out, "accept", accept.buf);
}

/* "REGRESSION sqlite-join task-clock +92.1 % (at least +41.2 %), tolerance 25 %" */
static void add_title(const struct scenario_result *scenario, const struct report_options *options, struct strbuf *out)
{
	enum standing standing = standing_of(scenario);
	const struct gate_result *gate = standing_gate(scenario, standing);
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	escape_terminal(&name, scenario->name);
	text_add_styled(out, gate ? format_verdict(gate) : standing_word(standing),
			text_style(options, standing_tone(standing)));
	strbuf_addc(out, ' ');
	text_add_styled(out, name.buf, options->color ? STYLE_BOLD : NULL);
	if (gate && (gate->pairs || standing != STANDING_PASS) && standing != STANDING_NEW) {
		format_words(&words, scenario, gate);
		strbuf_addc(out, ' ');
		escape_terminal(out, words.buf);
	}
	strbuf_addc(out, '\n');
}

void text_scenario(const struct result *result, const struct scenario_result *scenario,
		   const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv reasons = STRV_INIT;

	add_title(scenario, options, out);
	add_failure(scenario, options, out);
	add_labels(scenario, options, out);
	add_gates(scenario, options, out);
	reasons_list(scenario, &reasons);
	add_lines(&reasons, "because", options, out);
	add_lines(&scenario->explanation, "why", options, out);
	add_symbols(scenario, options, out);
	add_lines(&scenario->notes, "note", options, out);
	add_profile(result, scenario, options, out);
	if (scenario->n_runs)
		add_sides(result, scenario, options, out);
	add_pairs(scenario, options, out);
	add_load(scenario, options, out);
	if (options->verbose || !scenario->n_gates)
		add_medians(scenario, options, out);
	if (options->verbose)
		add_variables(scenario, options, out);
	add_commands(result, scenario, out);
}
