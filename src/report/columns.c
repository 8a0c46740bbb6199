#include "report/columns.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/gate.h"
#include "model/result.h"
#include "report/document.h"
#include "model/metrics/numbers.h"
#include "report/pairs.h"
#include "report/severity.h"
#include "report/words.h"

/* Longest symbol names, in bytes, next to a gate's name and in a table of symbols; number of hottest symbols listed. */
enum { GATE_SYMBOL_LONGEST = 40, NARROW_SYMBOL_LONGEST = 16, SYMBOL_LONGEST = 200, SYMBOLS_LISTED = 10 };
/* Least share of samples for a vanished symbol to get a row. */
#define VANISHED_LEAST_PCT 1.0

/* -------- gates */

/* For short reports names are cut and medians have no spread. */
static void add_gate(struct arena *arena, struct document_table *table, const struct scenario_result *scenario,
		     const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = gate->gate.metric;
	bool shown = !gate->gate.relative && isnan(gate->gate.max) && isnan(gate->gate.min);
	/* For symbols, the share is that of the symbol whose change is shown. */
	bool no_share = gate->gate.kind == GATE_SYMBOLS && isnan(j->change_pct);
	bool spread = !table->narrow || !scenario->path;
	enum severity severity = severity_of_gate(scenario, gate);
	struct strbuf name = STRBUF_INIT, tolerance = STRBUF_INIT, finding = STRBUF_INIT, headline = STRBUF_INIT;

	format_gate(&name, scenario, gate);
	format_gate_symbol(&name, scenario, gate, table->narrow ? NARROW_SYMBOL_LONGEST : GATE_SYMBOL_LONGEST);
	/* Metrics without this rest on pairs; symbols have profiles of either. */
	if (gate->by_baseline ||
	    (!pairs_only(scenario) && pairs_judged_again(scenario) && gate->gate.relative && gate->gate.kind != GATE_SYMBOLS && !gate->paired.done))
		strbuf_adds(&name, ", against the baseline");
	format_tolerance(&tolerance, gate);
	format_finding(&finding, scenario, gate);
	format_headline(&headline, scenario, gate);
	*ARENA_ADD(arena, table->rows, table->n, table->cap) = (struct document_row){
		.cells = {
			[0] = arena_take(arena, strbuf_take(&name)),
			[1] = arena_printf(arena, "%s%s", format_measured(j->baseline, metric).s,
					   spread ? pairs_spread(scenario, gate, false).s : ""),
			[2] = arena_printf(arena, "%s%s", format_measured(no_share ? NAN : j->current, metric).s,
					   spread ? pairs_spread(scenario, gate, true).s : ""),
			[3] = arena_strdup(arena, format_gate_change(gate, j->change_pct).s),
			[4] = arena_strdup(arena, format_gate_interval(gate).s),
			[5] = arena_take(arena, strbuf_take(&tolerance)),
			[6] = shown ? "shown" : severity_word(severity),
		},
		.gate = gate, .shown = shown, .severity = severity,
		.tone = shown ? TONE_PLAIN : severity_tone(severity),
		.finding = arena_take(arena, strbuf_take(&finding)),
		.headline = arena_take(arena, strbuf_take(&headline)),
	};
}

static struct document_table table_of_gates(void)
{
	return (struct document_table){
		.columns = {
			{ .title = "gate", .foreign = true },
			{ .title = "base", .right = true, .foreign = true },
			{ .title = "head", .right = true, .foreign = true },
			{ .title = "change", .right = true },
			{ .title = "interval", .right = true },
			{ .title = "limit", .foreign = true },
			{ .title = "verdict" },
		},
		.n_columns = 7, .toned = 6,
	};
}

static bool is_blank(const char *cell)
{
	return !*cell || !strcmp(cell, "-");
}

static void drop_blank_columns(struct document_table *table)
{
	size_t kept = 0;

	for (size_t k = 0; k < table->n_columns; k++) {
		bool blank = k > 0;

		for (size_t i = 0; i < table->n && blank; i++)
			blank = is_blank(table->rows[i].cells[k]);
		if (blank)
			continue;
		if (k == table->toned)
			table->toned = kept;
		table->columns[kept] = table->columns[k];
		for (size_t i = 0; i < table->n; i++)
			table->rows[i].cells[kept] = table->rows[i].cells[k];
		kept++;
	}
	table->n_columns = kept;
}

/* How much worse the gate of ROW is; without a change, less than any. */
static double worse(const struct document_row *row)
{
	double change_pct = gate_judgement(row->gate)->change_pct;

	return isnan(change_pct) ? -INFINITY : row->gate->gate.metric->higher_is_better ? -change_pct : change_pct;
}

/* Many benchmarks are read by their change, other gates by their kind. */
static int worst_change_first(const void *a, const void *b)
{
	const struct document_row *x = a, *y = b;
	double wx = worse(x), wy = worse(y);

	return wx == wy ? (x->gate > y->gate) - (x->gate < y->gate) : (wx < wy) - (wx > wy);
}

const struct document_table *columns_of_gates(struct arena *arena, const struct scenario_result *scenario,
					      unsigned reader)
{
	size_t n_shown;
	const struct gate_result *shown = pairs_shown(arena, scenario, reader & (FOR_VERBOSE | FOR_HTML), &n_shown);
	struct document_table table = table_of_gates();

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (reader & FOR_JUNIT || severity_of_gate(scenario, &scenario->gates[i]) != SEVERITY_FOLLOWS)
			add_gate(arena, &table, scenario, &scenario->gates[i]);
	/* JUnit keeps the order of the program, which is the same in every build. */
	if (table.n && !(reader & FOR_JUNIT) && side_result_benchmarks(scenario_result_measured(scenario)))
		qsort(table.rows, table.n, sizeof *table.rows, worst_change_first);
	for (size_t i = 0; i < n_shown; i++)
		add_gate(arena, &table, scenario, &shown[i]);
	if (reader == FOR_HTML)
		drop_blank_columns(&table);
	return table.n ? arena_memdup(arena, &table, sizeof table) : NULL;
}

/* -------- the worst gates, for a terminal */

enum { WORST_LISTED = 4, BESIDE_CAUSE = 2, BENCHMARKS_LISTED = 50, CHANGE_AT = 3, INTERVAL_AT = 4, VERDICT_AT = 6 };

/* "and 2 more; 3 gates passed" */
static const char *rest_of_gates(struct arena *arena, size_t more, size_t passed)
{
	const char *left = more ? arena_printf(arena, "and %zu more", more) : "";

	if (!passed)
		return more ? left : NULL;
	return arena_printf(arena, "%s%s%zu %s passed", left, more ? "; " : "", passed, passed == 1 ? "gate" : "gates");
}

const struct document_table *columns_of_worst(struct arena *arena, const struct scenario_result *scenario)
{
	enum severity worst = severity_of(scenario);
	bool commands = pairs_only(scenario) && !scenario->path;
	const struct gate_result *first = severity_gate(scenario, worst);
	struct document_table table = table_of_gates();
	size_t n_shown, more = 0, most = scenario->n_causes ? BESIDE_CAUSE : WORST_LISTED;
	const struct gate_result *shown = pairs_shown(arena, scenario, false, &n_shown);

	/* Each benchmark that failed or is unclear has its line. */
	if (side_result_benchmarks(scenario_result_measured(scenario)))
		most = BENCHMARKS_LISTED;
	table.narrow = true;
	for (size_t i = 0; i < scenario->n_gates && first; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		/* The verdict's own gate is in its line; one without a value or a limit is in a sentence. */
		if ((gate == first && !commands) || severity_of_gate(scenario, gate) != worst || !gate->gate.relative)
			continue;
		if (table.n < most && !isnan(gate_judgement(gate)->current))
			add_gate(arena, &table, scenario, gate);
		else
			more += !isnan(gate_judgement(gate)->current);
	}
	for (size_t i = 0; i < n_shown && commands && table.n; i++)
		add_gate(arena, &table, scenario, &shown[i]);
	/* The verdict of all rows is printed above. */
	table.n_columns = VERDICT_AT;
	table.toned = CHANGE_AT;
	if (worst != SEVERITY_INCONCLUSIVE && worst != SEVERITY_UNPROVEN && worst != SEVERITY_REFUTED && !commands) {
		table.columns[INTERVAL_AT].title = "at least";
		for (size_t i = 0; i < table.n; i++)
			table.rows[i].cells[INTERVAL_AT] = arena_strdup(arena, format_least(table.rows[i].gate).s);
	}
	drop_blank_columns(&table);
	table.more = rest_of_gates(arena, more, worst == SEVERITY_PASS ? 0 : severity_count(scenario, SEVERITY_PASS));
	return table.n || table.more ? arena_memdup(arena, &table, sizeof table) : NULL;
}

/* -------- symbols */

/* "REGRESSION, new"; "moved from btreeParseCell" */
static const char *found_cell(struct arena *arena, const struct symbol_result *symbol)
{
	bool regressed = symbol->verdict == VERDICT_REGRESSION, is_new = symbol->change == SYMBOL_NEW;
	const char *found = "";

	if (regressed)
		found = severity_word(SEVERITY_REGRESSION);
	else if (symbol->verdict == VERDICT_INCONCLUSIVE && symbol->reason)
		found = verdict_names[symbol->verdict];
	else if (is_new || symbol->change == SYMBOL_VANISHED || symbol->change == SYMBOL_MOVED)
		found = symbol_change_names[symbol->change];
	return arena_printf(arena, "%s%s%s%s", found, regressed && is_new ? ", new" : "",
			    !symbol->moved ? "" : symbol->change_pp > 0 ? " from " : " to ",
			    symbol->moved ? format_symbol(symbol->moved, SYMBOL_LONGEST).s : "");
}

static void add_symbol(struct arena *arena, struct document_table *table, const struct scenario_result *scenario,
		       const struct symbol_result *symbol)
{
	bool changed = scenario_result_cost_changed(scenario) || symbol->verdict == VERDICT_REGRESSION;
	/* "+6.1 ms", the increase over the baseline if the cost changed; otherwise the whole cost. */
	double more = changed ? symbol->cost_ms - symbol->base_cost_ms : NAN;

	*ARENA_ADD(arena, table->rows, table->n, table->cap) = (struct document_row){
		.cells = {
			[0] = arena_strdup(arena, format_symbol(symbol->symbol, SYMBOL_LONGEST).s),
			[1] = *symbol->dso ? symbol->dso : "-",
			[2] = arena_strdup(arena, format_share(symbol->share_pct).s),
			[3] = arena_strdup(arena, format_share(symbol->base_share_pct).s),
			/* Followed by two standard errors. */
			[4] = isnan(symbol->change_pp) ? "-" :
				arena_printf(arena, "%+.1f ±%.1f", symbol->change_pp, 2 * symbol->error_pp),
			[5] = arena_printf(arena, "%s%s", more > 0 ? "+" : "",
					   format_value(isnan(more) ? symbol->cost_ms : more, UNIT_MS).s),
			[6] = found_cell(arena, symbol),
		},
		.symbol = symbol, .tone = symbol->verdict == VERDICT_REGRESSION ? TONE_BAD : TONE_PLAIN,
	};
}

/* True for a symbol that is among the hottest, or judged badly, moved or gone. */
static bool is_listed(const struct scenario_result *scenario, size_t at)
{
	const struct symbol_result *symbol = &scenario->symbols[at];

	if (symbol->verdict == VERDICT_REGRESSION || symbol->change == SYMBOL_MOVED)
		return true;
	if (symbol->change == SYMBOL_VANISHED)
		return symbol->base_share_pct >= VANISHED_LEAST_PCT;
	return at < SYMBOLS_LISTED;
}

const struct document_table *columns_of_symbols(struct arena *arena, const struct scenario_result *scenario)
{
	struct document_table table = {
		.columns = {
			{ .title = "symbol", .foreign = true },
			{ .title = "file", .foreign = true },
			{ .title = "share", .right = true },
			{ .title = "base", .right = true },
			{ .title = "change, pp", .right = true },
			{ .title = "cost", .right = true },
			{ .title = "", .foreign = true },
		},
		.n_columns = 7, .toned = 6,
	};

	for (size_t i = 0; i < scenario->n_symbols; i++)
		if (is_listed(scenario, i))
			add_symbol(arena, &table, scenario, &scenario->symbols[i]);
	return table.n ? arena_memdup(arena, &table, sizeof table) : NULL;
}
