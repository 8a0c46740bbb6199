#include "report/report.h"

#include <math.h>

#include "base/mem.h"

/* Bytes of a symbol beside its gate's name, and in a table of symbols; how many of the hottest have a row. */
enum { GATE_SYMBOL_LONGEST = 40, SYMBOL_LONGEST = 200, SYMBOLS_LISTED = 10 };
/* Shares of the samples: of what vanished, worth a row; under which a symbol is too slight for a terminal. */
#define VANISHED_LEAST_PCT 1.0
#define SLIGHT_PCT 0.5

/* -------- gates */

static void add_gate(struct arena *arena, struct document_table *table, const struct scenario_result *scenario,
		     const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = gate->gate.metric;
	/* Of what no gate judges nothing is tolerated: it is shown beside the gates, with both sides' medians. */
	bool shown = !gate->gate.relative && isnan(gate->gate.max) && isnan(gate->gate.min);
	/* Of symbols the share is that of the one whose change stands beside it. */
	bool no_share = gate->gate.kind == GATE_SYMBOLS && isnan(j->change_pct);
	enum severity severity = severity_of_gate(scenario, gate);
	struct strbuf name = STRBUF_INIT, tolerance = STRBUF_INIT, finding = STRBUF_INIT, headline = STRBUF_INIT;

	format_gate(&name, scenario, gate);
	format_gate_symbol(&name, scenario, gate, GATE_SYMBOL_LONGEST);
	format_tolerance(&tolerance, gate);
	format_finding(&finding, scenario, gate);
	format_headline(&headline, scenario, gate);
	ARENA_GROW(arena, table->rows, table->n, table->cap);
	table->rows[table->n++] = (struct document_row){
		.cells = {
			[0] = arena_take(arena, strbuf_take(&name)),
			[1] = arena_printf(arena, "%s%s", format_measured(j->baseline, metric).s,
					   pairs_spread(scenario, gate, false).s),
			[2] = arena_printf(arena, "%s%s", format_measured(no_share ? NAN : j->current, metric).s,
					   pairs_spread(scenario, gate, true).s),
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

const struct document_table *columns_of_gates(struct arena *arena, const struct scenario_result *scenario,
					      unsigned reader)
{
	bool paired = pairs_only(scenario);
	size_t n_shown;
	const struct gate_result *shown = pairs_shown(arena, scenario, reader & FOR_VERBOSE, &n_shown);
	struct document_table table = {
		.columns = {
			{ .title = "gate", .foreign = true },
			{ .title = paired ? "base" : "baseline", .right = true, .foreign = true },
			{ .title = paired ? "head" : "now", .right = true, .foreign = true },
			{ .title = "change", .right = true },
			{ .title = "interval", .right = true },
			{ .title = "tolerance", .foreign = true },
			{ .title = "verdict" },
		},
		.n_columns = 7,
	};

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (reader & FOR_JUNIT || severity_of_gate(scenario, &scenario->gates[i]) != SEVERITY_FOLLOWS)
			add_gate(arena, &table, scenario, &scenario->gates[i]);
	for (size_t i = 0; i < n_shown; i++)
		add_gate(arena, &table, scenario, &shown[i]);
	return table.n ? arena_memdup(arena, &table, sizeof table) : NULL;
}

/* -------- symbols */

/* One decimal: more is not known of a share, and a column of equal ones is read at a glance. */
static const char *share_cell(struct arena *arena, double pct)
{
	return isnan(pct) ? "-" : arena_printf(arena, "%.1f %%", pct);
}

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
	/* "+6.1 ms" more than in the baseline, where the cost was found to have changed; else all of it. */
	double more = changed ? symbol->cost_ms - symbol->base_cost_ms : NAN;

	ARENA_GROW(arena, table->rows, table->n, table->cap);
	table->rows[table->n++] = (struct document_row){
		.cells = {
			[0] = arena_strdup(arena, format_symbol(symbol->symbol, SYMBOL_LONGEST).s),
			[1] = *symbol->dso ? symbol->dso : "-",
			[2] = share_cell(arena, symbol->share_pct),
			[3] = share_cell(arena, symbol->base_share_pct),
			/* With two standard errors behind. */
			[4] = isnan(symbol->change_pp) ? "-" :
				arena_printf(arena, "%+.1f ±%.1f", symbol->change_pp, 2 * symbol->error_pp),
			[5] = arena_printf(arena, "%s%s", more > 0 ? "+" : "",
					   format_value(isnan(more) ? symbol->cost_ms : more, UNIT_MS).s),
			[6] = found_cell(arena, symbol),
		},
		.symbol = symbol, .tone = symbol->verdict == VERDICT_REGRESSION ? TONE_BAD : TONE_PLAIN,
	};
}

/* Too little on both sides to be worth a line of a terminal, and nobody complains of it. */
static bool is_slight(const struct symbol_result *symbol)
{
	/* A side without a profile has no share. */
	return !(symbol->share_pct >= SLIGHT_PCT) && !(symbol->base_share_pct >= SLIGHT_PCT) &&
	       symbol->verdict != VERDICT_REGRESSION && !(symbol->verdict == VERDICT_INCONCLUSIVE && symbol->reason);
}

/* One of the hottest, or judged badly, moved or gone. */
static bool is_listed(const struct scenario_result *scenario, size_t at)
{
	const struct symbol_result *symbol = &scenario->symbols[at];

	if (symbol->verdict == VERDICT_REGRESSION || symbol->change == SYMBOL_MOVED)
		return true;
	if (symbol->change == SYMBOL_VANISHED)
		return symbol->base_share_pct >= VANISHED_LEAST_PCT;
	return at < SYMBOLS_LISTED;
}

const struct document_table *columns_of_symbols(struct arena *arena, const struct scenario_result *scenario,
						bool slight_too)
{
	size_t slight = 0;
	struct document_table table = {
		.columns = {
			{ .title = "symbol", .foreign = true },
			{ .title = "file", .foreign = true },
			{ .title = "share", .right = true },
			{ .title = pairs_only(scenario) ? "base" : "baseline", .right = true },
			{ .title = "change, pp", .right = true },
			{ .title = "cost", .right = true },
			{ .title = "", .foreign = true },
		},
		.n_columns = 7,
	};

	for (size_t i = 0; i < scenario->n_symbols; i++) {
		if (!is_listed(scenario, i))
			continue;
		if (!slight_too && is_slight(&scenario->symbols[i]))
			slight++;
		else
			add_symbol(arena, &table, scenario, &scenario->symbols[i]);
	}
	if (slight)
		table.more = arena_printf(arena, "%s%zu %s under %g %%", table.n ? "and " : "", slight,
					  table.n ? "more" : slight == 1 ? "symbol" : "symbols", SLIGHT_PCT);
	return table.n || slight ? arena_memdup(arena, &table, sizeof table) : NULL;
}
