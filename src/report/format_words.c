/* What a gate found, in words. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "report/format.h"
#include "report/pairs.h"
#include "report/standing.h"

/* Bytes of a symbol that a finding has room for. */
enum { FINDING_NAME = 60 };

void format_symbol(struct strbuf *out, const char *symbol, size_t most)
{
	size_t len = utf8_clip(symbol, most);

	strbuf_add(out, symbol, len);
	strbuf_adds(out, symbol[len] ? "..." : "");
}

static void add_separator(struct strbuf *out, size_t start)
{
	if (out->len > start)
		strbuf_adds(out, ", ");
}

static void add_budget(struct strbuf *out, const char *name, double value, const struct metric *metric)
{
	strbuf_addf(out, "%s ", name);
	format_written(out, value, metric);
}

static void add_budgets(struct strbuf *out, const struct gate *gate)
{
	size_t start = out->len;

	if (!isnan(gate->max))
		add_budget(out, "max", gate->max, gate->metric);
	if (isnan(gate->min))
		return;
	add_separator(out, start);
	add_budget(out, "min", gate->min, gate->metric);
}

/* What its tolerance and changes are counted in. */
static const char *unit_of(const struct gate *gate)
{
	return gate->metric->source == SOURCE_PROFILE ? "pp" : "%";
}

void format_tolerance(struct strbuf *out, const struct gate_result *result)
{
	const struct gate *gate = &result->gate;
	size_t start = out->len;

	if (gate->relative)
		strbuf_addf(out, "%c%.6g %s", gate->metric->higher_is_better ? '-' : '+', gate_judgement(result)->tolerance_pct,
			    unit_of(gate));
	if (isnan(gate->max) && isnan(gate->min))
		return;
	add_separator(out, start);
	add_budgets(out, gate);
}

static bool breaks_budget(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->current > gate->gate.max || j->current < gate->gate.min;
}

/* The change is what a reader looks for, unless a budget is all there is or is what broke. */
static bool shows_change(const struct gate_result *gate)
{
	return gate->gate.relative && !isnan(gate_judgement(gate)->change_pct) && !breaks_budget(gate);
}

void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(scenario);

	if (strcmp(gate->gate.metric->name, METRIC_SYMBOLS) || !worst || !shows_change(gate))
		return;
	strbuf_addc(out, ' ');
	format_symbol(out, worst->symbol, most);
}

/* Of symbols a share alone says nothing. */
static bool has_value(const struct gate_result *gate)
{
	return !isnan(gate_judgement(gate)->current) && (strcmp(gate->gate.metric->name, METRIC_SYMBOLS) || shows_change(gate));
}

void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	format_gate(out, scenario, gate);
	if (!has_value(gate))
		return;
	format_gate_symbol(out, scenario, gate, FINDING_NAME);
	strbuf_addc(out, ' ');
	if (shows_change(gate)) {
		format_gate_change(out, gate, j->change_pct);
		return;
	}
	format_measured(out, j->current, gate->gate.metric);
	if (isnan(gate->gate.max) && isnan(gate->gate.min))
		return;
	if (j->current > gate->gate.max) {
		add_budget(out, " over max", gate->gate.max, gate->gate.metric);
	} else if (j->current < gate->gate.min) {
		add_budget(out, " under min", gate->gate.min, gate->gate.metric);
	} else {
		strbuf_adds(out, " (");
		add_budgets(out, &gate->gate);
		strbuf_addc(out, ')');
	}
}

/* The bound of the interval that is nearer to no change, in the direction of CHANGE_PCT. */
static double nearer_bound(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->change_pct > 0 ? j->low_pct : j->high_pct;
}

static void add_evidence(struct strbuf *out, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double least = nearer_bound(gate);

	if (j->pairs) {
		pairs_evidence(out, gate);
		return;
	}
	if (j->verdict == VERDICT_INCONCLUSIVE) {
		if (isfinite(j->low_pct) || isfinite(j->high_pct)) {
			strbuf_adds(out, " (");
			format_gate_interval(out, gate);
			strbuf_addc(out, ')');
		}
	} else if (isfinite(least) && least * j->change_pct > 0) {
		strbuf_adds(out, " (at least ");
		format_gate_change(out, gate, least);
		strbuf_addc(out, ')');
	}
}

const char *format_worse(const struct metric *metric)
{
	bool speed = metric->source != SOURCE_PRINTED || metric->unit == UNIT_MS;

	return metric->kind == KIND_TIME && speed ? "slower" : "worse";
}

/* "not slower by more than 2.2 %": what a pass has shown. */
static void add_pass(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = gate->gate.metric;
	double worst = metric->higher_is_better ? -j->low_pct : j->high_pct;

	if (!shows_change(gate) || !isfinite(worst)) {
		format_finding(out, scenario, gate);
		return;
	}
	format_gate(out, scenario, gate);
	if (metric->source == SOURCE_PROFILE) {
		strbuf_addf(out, ": none rose by more than %.1f pp", fmax(worst, 0));
		return;
	}
	strbuf_addf(out, ": not %s", format_worse(metric));
	if (worst > 0)
		strbuf_addf(out, " by more than %.*f %s", worst < 0.995 ? 2 : 1, worst, unit_of(&gate->gate));
	if (j->pairs)
		pairs_count(out, scenario, gate);
}

static void add_change(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	format_finding(out, scenario, gate);
	if (!shows_change(gate))
		return;
	add_evidence(out, gate);
	strbuf_addf(out, ", tolerance %.6g %s", j->tolerance_pct, unit_of(&gate->gate));
	if (j->pairs)
		pairs_count(out, scenario, gate);
}

static void add_value(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	format_gate(out, scenario, gate);
	if (!has_value(gate))
		return;
	strbuf_addc(out, ' ');
	format_measured(out, gate_judgement(gate)->current, gate->gate.metric);
}

void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	switch (gate_judgement(gate)->verdict) {
	case VERDICT_PASS:
		add_pass(out, scenario, gate);
		break;
	case VERDICT_NEW:
		add_value(out, scenario, gate);
		strbuf_adds(out, ", no baseline to compare with");
		break;
	case VERDICT_NOT_MEASURED:
		add_value(out, scenario, gate);
		break;
	default:
		add_change(out, scenario, gate);
		break;
	}
}

const char *format_verdict(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	enum standing standing = standing_of_gate(gate);

	if (j->pairs && standing == STANDING_PASS)
		return "PASS";
	return j->pairs && standing == STANDING_IMPROVEMENT ? "IMPROVEMENT" : standing_word(standing);
}

void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	strbuf_addf(out, "%s ", format_verdict(gate));
	format_words(out, scenario, gate);
}
