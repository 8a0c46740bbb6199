#include "report/symbols.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/pairs.h"

/* Bytes of a symbol that a table has room for, and the share of what vanished that is worth a row. */
enum { NAME_LONGEST = 200 };
#define VANISHED_LEAST_PCT 1.0

static void add_name(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	(void)scenario;
	format_symbol(out, symbol->symbol, NAME_LONGEST);
}

static void add_file(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	(void)scenario;
	strbuf_adds(out, *symbol->dso ? symbol->dso : "-");
}

/* One decimal: more is not known of a share, and a column of equal ones is read at a glance. */
static void add_pct(struct strbuf *out, double pct)
{
	if (isnan(pct))
		strbuf_adds(out, "-");
	else
		strbuf_addf(out, "%.1f %%", pct);
}

static void add_share(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	(void)scenario;
	add_pct(out, symbol->share_pct);
}

static void add_base(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	(void)scenario;
	add_pct(out, symbol->base_share_pct);
}

/* "+5.2 ±0.9": with two standard errors behind. */
static void add_change(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	(void)scenario;
	if (isnan(symbol->change_pp))
		strbuf_adds(out, "-");
	else
		strbuf_addf(out, "%+.1f ±%.1f", symbol->change_pp, 2 * symbol->error_pp);
}

/* "+6.1 ms" more than in the baseline, where the cost was found to have changed; else all of it. */
static void add_cost(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	bool changed = scenario_result_cost_changed(scenario) || symbol->verdict == VERDICT_REGRESSION;
	double more = changed ? symbol->cost_ms - symbol->base_cost_ms : NAN;

	strbuf_adds(out, more > 0 ? "+" : "");
	format_value(out, isnan(more) ? symbol->cost_ms : more, UNIT_MS);
}

static void add_what(struct strbuf *out, const struct scenario_result *scenario, const struct symbol_result *symbol)
{
	(void)scenario;
	if (symbol->verdict == VERDICT_REGRESSION)
		strbuf_adds(out, standing_word(STANDING_REGRESSION));
	else if (symbol->verdict == VERDICT_INCONCLUSIVE && symbol->reason)
		strbuf_adds(out, verdict_name(symbol->verdict));
	else if (symbol->change == SYMBOL_NEW || symbol->change == SYMBOL_VANISHED || symbol->change == SYMBOL_MOVED)
		strbuf_adds(out, symbol_change_name(symbol->change));
	if (symbol->verdict == VERDICT_REGRESSION && symbol->change == SYMBOL_NEW)
		strbuf_adds(out, ", new");
	if (!symbol->moved)
		return;
	strbuf_adds(out, symbol->change_pp > 0 ? " from " : " to ");
	format_symbol(out, symbol->moved, NAME_LONGEST);
}

const struct symbol_column symbol_columns[SYMBOL_COLUMNS] = {
	{.title = "symbol", .foreign = true, .add = add_name},
	{.title = "file", .foreign = true, .add = add_file},
	{.title = "share", .right = true, .add = add_share},
	{.title = "baseline", .right = true, .add = add_base},
	{.title = "change, pp", .right = true, .add = add_change},
	{.title = "cost", .right = true, .add = add_cost},
	{.title = "", .foreign = true, .add = add_what},
};

const char *symbol_column_title(size_t i, const struct scenario_result *scenario)
{
	return symbol_columns[i].add == add_base && pairs_only(scenario) ? "base" : symbol_columns[i].title;
}

const double symbol_slight_pct = 0.5;

bool symbol_is_slight(const struct symbol_result *symbol)
{
	/* A side without a profile has no share. */
	return !(symbol->share_pct >= symbol_slight_pct) && !(symbol->base_share_pct >= symbol_slight_pct) &&
	       symbol->verdict != VERDICT_REGRESSION && !(symbol->verdict == VERDICT_INCONCLUSIVE && symbol->reason);
}

enum tone symbol_tone(const struct symbol_result *symbol)
{
	return symbol->verdict == VERDICT_REGRESSION ? TONE_BAD : TONE_PLAIN;
}

static bool is_notable(const struct symbol_result *symbol)
{
	return symbol->verdict == VERDICT_REGRESSION || symbol->change == SYMBOL_MOVED ||
	       (symbol->change == SYMBOL_VANISHED && symbol->base_share_pct >= VANISHED_LEAST_PCT);
}

size_t *symbols_listed(const struct scenario_result *scenario, size_t *n_out)
{
	size_t *listed = xcalloc(scenario->n_symbols + 1, sizeof *listed), n = 0;

	for (size_t i = 0; i < scenario->n_symbols; i++)
		if ((i < SYMBOLS_LISTED && scenario->symbols[i].change != SYMBOL_VANISHED) ||
		    is_notable(&scenario->symbols[i]))
			listed[n++] = i;
	*n_out = n;
	return listed;
}

/* What a profile of CPU time has to do with. */
static bool concerns_symbols(const struct metric *metric)
{
	return metric->source == SOURCE_PROFILE || !strcmp(metric->name, "instructions") ||
	       (metric->kind == KIND_TIME && metric->source != SOURCE_PRINTED);
}

bool symbols_wanted(const struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_gates && scenario->n_symbols; i++) {
		enum standing standing = standing_of_gate(&scenario->gates[i]);

		if ((standing == STANDING_REGRESSION || standing == STANDING_INCONCLUSIVE) &&
		    concerns_symbols(scenario->gates[i].gate.metric))
			return true;
	}
	return false;
}

void symbols_facts(struct strbuf *out, const struct scenario_result *scenario)
{
	const struct profile *profile = &scenario->profile;

	if (!profile_exists(profile))
		return;
	strbuf_addf(out, "%s at %u Hz, %llu samples in %zu %s", profile->event, profile->frequency,
		    (unsigned long long)profile->samples, profile->n_runs,
		    scenario_result_runs(scenario, profile->n_runs));
	if (profile->lost)
		strbuf_addf(out, ", %llu lost", (unsigned long long)profile->lost);
	if (!isnan(profile->overhead_pct))
		strbuf_addf(out, "; under the profiler the target took %+.1f %% CPU time", profile->overhead_pct);
	strbuf_addf(out, "; costs are per %s", scenario_result_count(scenario, METRIC_WORK) ?
		    scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1));
}

const struct symbol_file symbol_files[SYMBOL_FILES] = {
	{"flame graph", "flamegraph.svg", false},
	{"difference", "diff.svg", true},
	{"table", "top.md", false},
};

bool symbols_path(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
		  const struct symbol_file *file)
{
	if (!result->out_dir || !profile_exists(&scenario->profile) || (file->compared && !scenario->difference))
		return false;
	strbuf_addf(out, "%s/%s/%s", result->out_dir, scenario->name, file->name);
	return true;
}
