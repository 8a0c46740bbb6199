#include "report/words.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/pairs.h"
#include "model/result.h"
#include "profile/names.h"
#include "model/metrics/numbers.h"
#include "report/severity.h"

/* Bytes of a symbol in a finding. */
enum { FINDING_NAME = 60 };

/* -------- names */

void format_metric(struct strbuf *out, const char *work_unit, const struct metric *metric)
{
	strbuf_adds(out, metric->of ? metric->of->name : metric->name);
	if (metric->of)
		strbuf_addf(out, " per %s", work_unit);
	if (metric->source == SOURCE_SIMULATED)
		strbuf_adds(out, " (simulated)");
}

void format_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct metric *metric = gate_judgement(gate)->metric;

	if (gate->gate.kind != GATE_METRIC)
		strbuf_adds(out, gate_name(gate));
	else if (metric->source == SOURCE_SIMULATED)
		strbuf_addf(out, "%s (simulated)", gate->gate.metric->name);
	else
		format_metric(out, scenario_result_work_unit(scenario), metric);
}

void format_subject(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct metric *metric = gate_judgement(gate)->metric, *plain = metric->of ?: metric;

	if (gate->gate.kind != GATE_METRIC || !plain->said) {
		format_gate(out, scenario, gate);
		return;
	}
	strbuf_adds(out, plain->said);
	if (metric->of)
		strbuf_addf(out, " per %s", scenario_result_work_unit(scenario));
}

void format_plural(struct strbuf *out, const char *noun)
{
	const char *of = strstr(noun, " of ");
	size_t len = of ? (size_t)(of - noun) : strlen(noun);
	char last = len ? noun[len - 1] : '\0', before = len > 1 ? noun[len - 2] : '\0';

	if (last == 'y' && before && !strchr("aeiou", before))
		strbuf_addf(out, "%.*sies", (int)len - 1, noun);
	else if (last && (strchr("sxz", last) || (last == 'h' && before && strchr("cs", before))))
		strbuf_addf(out, "%.*ses", (int)len, noun);
	else
		strbuf_addf(out, "%.*ss", (int)len, noun);
	strbuf_adds(out, of ?: "");
}

const char *format_worse(const struct metric *metric)
{
	bool speed = metric->source != SOURCE_CUSTOM || metric->unit == UNIT_MS;

	return metric->kind == KIND_TIME && speed ? "slower" : "worse";
}

struct short_text format_symbol(const char *symbol, size_t most)
{
	size_t len = utf8_clip(symbol, most);

	return format_short("%.*s%s", (int)len, symbol, symbol[len] ? "..." : "");
}

struct short_text format_function(const char *name, size_t most)
{
	CLEANUP(strbuf_release) struct strbuf brief = STRBUF_INIT;

	name_brief(name, &brief);
	return format_symbol(brief.buf, most);
}

/* -------- findings of gates */

/* A change that differs from that of the medians by this many points, and by half or more, contradicts them. */
#define DISAGREE_PCT 2.0

bool medians_disagree(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double pct = 100 * (j->current / j->baseline - 1);

	if (gate_in_points(&gate->gate) || !(j->baseline > 0) || !isfinite(pct) || !isfinite(j->change_pct))
		return false;
	return fabs(pct - j->change_pct) >= DISAGREE_PCT &&
	       (pct * j->change_pct <= 0 || fabs(pct) > 2 * fabs(j->change_pct) || 2 * fabs(pct) < fabs(j->change_pct));
}

struct short_text format_gate_change(const struct gate_result *gate, double change_pct)
{
	return gate_in_points(&gate->gate) ? format_points(change_pct) : format_change(change_pct);
}

struct short_text format_gate_interval(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return format_interval(j->low_pct, j->high_pct, gate_in_points(&gate->gate));
}

static void add_budgets(struct strbuf *out, const struct gate *gate)
{
	if (!isnan(gate->max))
		strbuf_addf(out, "max %s%s", format_written(gate->max, gate->metric).s, isnan(gate->min) ? "" : ", ");
	if (!isnan(gate->min))
		strbuf_addf(out, "min %s", format_written(gate->min, gate->metric).s);
}

void format_tolerance(struct strbuf *out, const struct gate_result *result)
{
	const struct gate *gate = &result->gate;

	if (gate->relative)
		strbuf_addf(out, "%c%s%s", gate->metric->higher_is_better == gate->claim ? '+' : '-',
			    format_limit(gate_judgement(result)->tolerance_pct, gate_in_points(gate)).s,
			    isnan(gate->max) && isnan(gate->min) ? "" : ", ");
	add_budgets(out, gate);
}

static bool shows_change(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return gate->gate.relative && !isnan(j->change_pct) && !(j->current > gate->gate.max) &&
	       !(j->current < gate->gate.min);
}

static bool has_value(const struct gate_result *gate)
{
	return !isnan(gate_judgement(gate)->current) && (gate->gate.kind != GATE_SYMBOLS || shows_change(gate));
}

void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(scenario);

	if (gate->gate.kind == GATE_SYMBOLS && worst && shows_change(gate))
		strbuf_addf(out, " %s", format_function(worst->symbol, most).s);
}

void format_changed(struct strbuf *out, const struct metric *metric, double change_pct)
{
	struct short_text amount = format_percent(fabs(change_pct));
	bool time = metric->kind == KIND_TIME && !strcmp(format_worse(metric), "slower"), more = change_pct > 0;

	if (time && more)
		strbuf_addf(out, " is %s slower", amount.s);
	else if (time)
		strbuf_addf(out, " takes %s less %s", amount.s, metric->said ?: metric->name);
	else
		strbuf_addf(out, ": %s is %s %s", metric->name, amount.s, more ? "higher" : "lower");
}

void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *result)
{
	const struct judgement *j = gate_judgement(result);
	const struct gate *gate = &result->gate;

	format_subject(out, scenario, result);
	if (!has_value(result))
		return;
	format_gate_symbol(out, scenario, result, FINDING_NAME);
	if (shows_change(result)) {
		strbuf_addf(out, " %s", format_gate_change(result, j->change_pct).s);
		return;
	}
	strbuf_addf(out, " %s", format_measured(j->current, gate->metric).s);
	if (j->current > gate->max) {
		strbuf_addf(out, " over max %s", format_written(gate->max, gate->metric).s);
	} else if (j->current < gate->min) {
		strbuf_addf(out, " under min %s", format_written(gate->min, gate->metric).s);
	} else if (!isnan(gate->max) || !isnan(gate->min)) {
		strbuf_adds(out, " (");
		add_budgets(out, gate);
		strbuf_addc(out, ')');
	}
}

struct short_text format_least(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double least = j->change_pct > 0 ? j->low_pct : j->high_pct;

	return isfinite(least) && least * j->change_pct > 0 ? format_gate_change(gate, least) : format_short("-");
}

void format_evidence(struct strbuf *out, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	struct short_text least = format_least(gate), interval = format_gate_interval(gate);
	bool bounded = isfinite(j->low_pct) && isfinite(j->high_pct), half = isfinite(j->low_pct) || isfinite(j->high_pct);

	const char *shown = "";

	if (j->verdict != VERDICT_INCONCLUSIVE)
		shown = strcmp(least.s, "-") ? least.s : "";
	else if (j->pairs ? bounded : half)	/* too few pairs have no bound, or one that means nothing by itself */
		shown = interval.s;
	if (j->verdict == VERDICT_NOT_MEASURED || j->verdict == VERDICT_NEW)
		return;
	if (!gate->gate.relative || !isfinite(j->tolerance_pct)) {
		strbuf_addf(out, *shown ? " (%s%s)" : "", j->verdict == VERDICT_INCONCLUSIVE ? "" : "at least ", shown);
		return;
	}
	if (*shown)
		strbuf_addf(out, " (%s%s", j->verdict == VERDICT_INCONCLUSIVE ? "" : "at least ", shown);
	strbuf_addf(out, "%s%s %s%s)", *shown ? ", " : " (", gate->gate.claim ? "claimed" : "limit", format_limit(j->tolerance_pct, gate_in_points(&gate->gate)).s,
		    gate->by_baseline ? ", against the baseline" : "");
}

void format_pairs(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	unsigned least = paired_first_look(scenario->paired ? scenario->pairing.gates : 1);

	if (!j->pairs)
		return;
	strbuf_addf(out, ", %u pair%s", j->pairs, j->pairs == 1 ? "" : "s");
	if (j->verdict != VERDICT_INCONCLUSIVE)
		return;
	if (j->pairs < least)
		strbuf_addf(out, "; at least %u are needed", least);
	else if (isinf(j->more_pairs))
		strbuf_adds(out, "; more would not settle it");
	else if (isfinite(j->more_pairs))
		strbuf_addf(out, "; about %.0f more would decide", ceil(j->more_pairs));
}

static void add_medians(struct strbuf *out, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	if (gate->gate.kind == GATE_METRIC && isfinite(j->baseline) && isfinite(j->current) && !medians_disagree(gate))
		strbuf_addf(out, ", %s -> %s", format_measured(j->baseline, j->metric).s, format_measured(j->current, j->metric).s);
}

/* Percent that the printed bound of a refuted claim must lie below it to look smaller. */
#define JUST_UNDER 0.05

static void add_claim(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = gate->gate.metric;
	bool proven = j->verdict == VERDICT_IMPROVEMENT, higher = metric->higher_is_better;
	double bound = proven == higher ? j->low_pct : j->high_pct, better = higher ? bound : -bound;
	const char *way = higher ? "higher" : metric->kind == KIND_TIME ? "faster" : "lower";

	format_subject(out, scenario, gate);
	/* Few pairs that refute it may have no bound. */
	if (!isfinite(bound) || !(better >= 0.005))
		strbuf_addf(out, " is not %s%s", way, isfinite(bound) || scenario->pairing.identical.binary ? "" : " by as much");
	else
		strbuf_addf(out, " is %s by %s %s", way, proven ? "at least" : j->tolerance_pct - better < JUST_UNDER ? "just under" : "at most",
			    format_percent(better).s);
	strbuf_addf(out, " (claimed %s)", format_limit(j->tolerance_pct, false).s);
	add_medians(out, gate);
}

void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = gate->gate.metric;
	double worst = metric->higher_is_better ? j->low_pct : j->high_pct, over = metric->higher_is_better ? -worst : worst;

	if (gate->gate.kind == GATE_OUTPUT) {
		format_subject(out, scenario, gate);
		strbuf_addf(out, ": %s", j->reason ?: "the same on both sides");
	} else if (j->verdict == VERDICT_NEW) {
		if (has_value(gate))
			strbuf_addf(out, "%s ", format_measured(j->current, metric).s);
		format_subject(out, scenario, gate);
		strbuf_adds(out, ", measured for the first time");
	} else if (j->verdict == VERDICT_NOT_MEASURED) {
		format_subject(out, scenario, gate);
		if (has_value(gate))
			strbuf_addf(out, " %s", format_measured(j->current, metric).s);
	} else if (gate->gate.claim && (j->verdict == VERDICT_IMPROVEMENT || j->verdict == VERDICT_REGRESSION)) {
		add_claim(out, scenario, gate);
	} else if (j->verdict == VERDICT_PASS && scenario->pairing.identical.binary && j->reason) {
		format_subject(out, scenario, gate);
		strbuf_addf(out, ": %s", j->reason);
	} else if (j->verdict != VERDICT_PASS || !shows_change(gate) || !isfinite(worst)) {
		format_finding(out, scenario, gate);
		if (j->verdict == VERDICT_PASS || !shows_change(gate))
			return;
		add_medians(out, gate);
		format_evidence(out, gate);
		if (j->verdict == VERDICT_INCONCLUSIVE)
			format_pairs(out, scenario, gate);
	} else if (gate->gate.kind != GATE_METRIC) {
		format_gate(out, scenario, gate);
		strbuf_addf(out, ": none rose by more than %s", format_points(fmax(over, 0)).s + 1);
	} else {
		/* A pass is about this metric only; the program may be slower by another one. */
		format_subject(out, scenario, gate);
		strbuf_addf(out, " not %s", metric->kind == KIND_TIME ? format_worse(metric) : metric->higher_is_better ? "lower" : "higher");
		if (over > 0)
			strbuf_addf(out, ": at most %s (limit %s)", format_gate_change(gate, worst).s,
				    format_limit(j->tolerance_pct, gate_in_points(&gate->gate)).s);
	}
}

const char *format_verdict(const struct scenario_result *scenario, const struct gate_result *gate)
{
	enum severity severity = severity_of_gate(scenario, gate);

	if (gate_judgement(gate)->pairs && severity == SEVERITY_PASS)
		return "PASS";
	if (gate_judgement(gate)->pairs && severity == SEVERITY_IMPROVEMENT)
		return "IMPROVEMENT";
	return severity_word(severity);
}

void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	strbuf_addf(out, "%s ", format_verdict(scenario, gate));
	format_words(out, scenario, gate);
}

/* -------- the files that judged */

/* Files listed; result.json has all. */
enum { LISTED_MOST = 40 };

/* "edits pawl.yaml, scenarios/a.yaml; adds scenarios/b.yaml" */
static void add_changes(struct strbuf *out, const struct judged_by *by)
{
	static const char *const verbs[] = {
		[JUDGE_EDITED] = "edits", [JUDGE_ADDED] = "adds",
		[JUDGE_REMOVED] = "removes", [JUDGE_RENAMED] = "renames",
	};
	size_t listed = 0;

	for (size_t change = 0; change < sizeof verbs / sizeof verbs[0]; change++) {
		size_t n = 0, left = 0;

		for (size_t i = 0; i < by->n_edits; i++) {
			const struct judge_edit *edit = &by->edits[i];

			if (edit->change != change)
				continue;
			if (listed == LISTED_MOST) {
				left++;
				continue;
			}
			if (!n)
				strbuf_addf(out, "%s%s ", listed ? "; " : "", verbs[change]);
			strbuf_addf(out, "%s%s", n++ ? ", " : "", edit->path);
			if (change == JUDGE_RENAMED)
				strbuf_addf(out, " to %s", edit->note ?: "?");
			listed++;
		}
		if (left)
			strbuf_addf(out, "; %zu more that it %s", left, verbs[change]);
	}
}

void judged_lines(struct strv *out, const struct judged_by *by)
{
	bool with_commit = by->ref && by->commit && !text_starts(by->commit, by->ref);
	struct strbuf line = STRBUF_INIT;

	if (by->ref && by->n_edits) {
		strbuf_adds(&line, "this change ");
		add_changes(&line, by);
		strbuf_adds(&line, by->own ? ", compared with " : ": what judged are the files of ");
	} else if (by->ref && !by->own) {
		strbuf_adds(&line, "pawl.yaml, scenarios and baselines are those of ");
	}
	if (line.len) {
		strbuf_adds(&line, by->ref);
		if (with_commit)
			strbuf_addf(&line, " (%.*s)", COMMIT_SHOWN, by->commit);
		if (by->n_edits)
			strbuf_adds(&line, by->own ? "; its own judged" : ", not its own");
		else
			strbuf_adds(&line, "; this change edits none of them");
		strv_take(out, strbuf_take(&line));
	}
	for (size_t i = 0; i < by->n_edits; i++)
		if (by->edits[i].note && by->edits[i].change != JUDGE_RENAMED)
			strv_pushf(out, "%s: %s", by->edits[i].path, by->edits[i].note);
	for (size_t i = 0; i < by->open.n; i++)
		strv_pushf(out, "not protected: %s", by->open.items[i]);
}
