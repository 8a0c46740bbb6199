#include "report/columns.h"

#include <math.h>
#include <string.h>

#include "report/format.h"
#include "report/pairs.h"
#include "report/standing.h"

/* Bytes of a symbol beside its gate's name. */
enum { NAME_LONGEST = 40 };

static void add_name(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	format_gate(out, scenario, gate);
	format_gate_symbol(out, scenario, gate, NAME_LONGEST);
}

static void add_baseline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	format_measured(out, j->baseline, gate->gate.metric);
	if (j->pairs)
		pairs_spread(out, scenario, gate, false);
}

static void add_current(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	bool share = !strcmp(gate->gate.metric->name, METRIC_SYMBOLS);

	/* Of symbols it is that of the one whose change stands beside it. */
	format_measured(out, share && isnan(j->change_pct) ? NAN : j->current, gate->gate.metric);
	if (j->pairs)
		pairs_spread(out, scenario, gate, true);
}

static void add_change(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	(void)scenario;
	format_gate_change(out, gate, gate_judgement(gate)->change_pct);
}

static void add_interval(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	(void)scenario;
	format_gate_interval(out, gate);
}

static void add_tolerance(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	(void)scenario;
	format_tolerance(out, gate);
}

static void add_verdict(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	(void)scenario;
	strbuf_adds(out, gate_is_shown(gate) ? "shown" : standing_word(standing_of_gate(gate)));
}

bool gate_is_shown(const struct gate_result *gate)
{
	return !gate->gate.relative && isnan(gate->gate.max) && isnan(gate->gate.min);
}

const char *gate_column_title(size_t i, const struct scenario_result *scenario)
{
	bool paired = scenario && pairs_only(scenario);

	if (paired && gate_columns[i].add == add_baseline)
		return "base";
	return paired && gate_columns[i].add == add_current ? "head" : gate_columns[i].title;
}

const struct gate_column gate_columns[GATE_COLUMNS] = {
	{.title = "gate", .foreign = true, .add = add_name},
	{.title = "baseline", .right = true, .foreign = true, .add = add_baseline},
	{.title = "now", .right = true, .foreign = true, .add = add_current},
	{.title = "change", .right = true, .add = add_change},
	{.title = "interval", .right = true, .add = add_interval},
	{.title = "tolerance", .foreign = true, .add = add_tolerance},
	{.title = "verdict", .add = add_verdict},
};
