#include "gate/judge_symbols.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/attribute.h"
#include "gate/judge_budgets.h"
#include "gate/judge_missing.h"
#include "gate/profiles.h"
#include "gate/symbol_rule.h"
#include "gate/symbols_row.h"
#include "profile/shares.h"
#include "stats/proportion.h"

/* So many of the hottest are kept for reports, judged or not. */
enum { KEPT_LEAST = 20 };
/* Less than this going between symbols and "[unknown]", as a part of the whole, disturbs no gate. */
#define UNNAMED_LEAST 0.01
#define INTERVAL_Z 1.96

/* Rows */

static void drop_rows(struct scenario_result *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_gates; i++) {
		if (s->gates[i].gate.metric->source == SOURCE_PROFILE)
			free(s->gates[i].stored.reason);
		else
			s->gates[kept++] = s->gates[i];
	}
	s->n_gates = kept;
}

/* Pawl's own gate says nothing where there is nothing to say it of. */
static bool is_wanted(const struct scenario_result *s, const struct baseline *base)
{
	bool any = profile_exists(&s->profile) || (base && profile_exists(&base->profile));

	return s->symbol_gate.on && (any || !s->symbol_gate.by_default);
}

static struct judgement *add_row(struct scenario_result *s)
{
	const struct symbol_gate *from = &s->symbol_gate;
	struct gate gate = {
		.metric = scenario_result_metric(s, METRIC_SYMBOLS), .relative = true, .by_default = from->by_default,
		.tolerance_pct = from->rise_pp, .max = NAN, .min = NAN, .required = from->required,
		.line = from->line, .column = from->column,
	};

	return &scenario_result_add_gate(s, &gate)->stored;
}

/* Which symbols are judged, and which are kept */

static void mark_hottest(struct symbol_pairs *pairs, unsigned top, bool now)
{
	for (size_t i = 0; i < pairs->n; i++) {
		const struct profile_symbol *symbol = now ? pairs->items[i].now : pairs->items[i].before;
		size_t hotter = 0;

		for (size_t k = 0; symbol && k < pairs->n && hotter < top; k++) {
			const struct profile_symbol *other = now ? pairs->items[k].now : pairs->items[k].before;

			hotter += other && other->weight > symbol->weight;
		}
		if (symbol && hotter < top)
			pairs->items[i].judged = true;
	}
}

/* Of code that has its symbols on one side only, the one that stands for it says so. */
static void refuse_unnamed(struct symbol_pair *pair, const struct scenario_result *s)
{
	const char *file = symbol_pair_shown(pair)->dso, *other = s->pairing ? "base" : "baseline";
	struct strbuf reason = STRBUF_INIT;

	pair->judged = pair->unnamed == pair;
	if (!pair->judged)
		return;
	file = *file ? file : "some file";
	if (pair->change.rise > 0)
		strbuf_addf(&reason, "%s lost symbols since the %s: %.1f %% of the samples are in code of it that has no symbol, against %.1f %% there; ",
			    file, other, pair->share * 100, pair->base_share * 100);
	else
		strbuf_addf(&reason, "the %s lacks symbols of %s: %.1f %% of its samples are in code of it that has no symbol, against %.1f %% now; ",
			    other, file, pair->base_share * 100, pair->share * 100);
	strbuf_adds(&reason, pair->change.rise > 0 || s->pairing ? shares_symbols_remedy(file) : "accept a new baseline");
	pair->reason = strbuf_take(&reason);
}

static void judge_pairs(struct symbol_pairs *pairs, const struct symbol_terms *terms, const struct scenario_result *s,
			bool enough)
{
	mark_hottest(pairs, terms->gate->top, true);
	mark_hottest(pairs, terms->gate->top, false);
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *pair = &pairs->items[i];

		if (pair->unnamed)
			refuse_unnamed(pair, s);
		else if (pair->judged && enough)
			symbol_judge(pair, terms);
		else if (pair->judged)
			pair->verdict = VERDICT_INCONCLUSIVE;
	}
	if (enough)
		symbols_find_moved(pairs, terms);
}

static void set_numbers(struct symbol_result *out, const struct symbol_pair *pair, const struct scenario_result *s,
			const struct cost *cost)
{
	const struct profile *profile = &s->profile;
	struct interval sure = stats_wilson(pair->share * (double)profile->samples, (double)profile->samples, INTERVAL_Z);

	out->share_pct = pair->share * 100;
	out->base_share_pct = pair->base_share * 100;
	out->low_pct = sure.low * 100;
	out->high_pct = sure.high * 100;
	out->total_pct = pair->now && profile->weight > 0 ? 100 * pair->now->total_weight / profile->weight : 0;
	out->samples = pair->now ? pair->now->samples : 0;
	out->base_samples = pair->before ? pair->before->samples : 0;
	out->change_pp = pair->change.rise * 100;
	out->error_pp = pair->change.error * 100;
	if (!cost->metric || cost->metric->unit != UNIT_MS)
		return;
	out->cost_ms = pair->cost;
	out->base_cost_ms = pair->base_cost;
}

static void keep_symbols(struct scenario_result *s, const struct symbol_pairs *pairs, const struct cost *cost)
{
	for (size_t i = 0; i < pairs->n; i++) {
		const struct symbol_pair *pair = &pairs->items[i];
		const struct profile_symbol *shown = symbol_pair_shown(pair);
		struct symbol_result *out;

		if (!pair->judged && !pair->moved && i >= KEPT_LEAST)
			continue;
		out = scenario_result_add_symbol(s, shown->symbol, shown->dso);
		set_numbers(out, pair, s, cost);
		out->change = pair->change_kind;
		out->verdict = pair->verdict;
		out->reason = xstrdup(pair->reason);
		if (pair->moved)
			out->moved = xstrdup(symbol_pair_shown(pair->moved)->symbol);
	}
}

/* The hottest symbol stands for what could be accepted, where nothing was compared. */
static void show_hottest(struct judgement *row, const struct scenario_result *s)
{
	if (s->profile.n_symbols && (row->verdict == VERDICT_NEW || row->verdict == VERDICT_NOT_MEASURED))
		row->current = profile_share_pct(&s->profile, &s->profile.symbols[0]) / 100;
}

static void classify(struct symbol_pairs *pairs)
{
	symbol_pairs_find_unnamed(pairs, UNNAMED_LEAST);
	for (size_t i = 0; i < pairs->n; i++)
		symbol_classify(&pairs->items[i]);
}

static void judge_profile(struct scenario_result *s, const struct machine *machine, const struct baseline *base)
{
	struct judgement spare = { .ref.metric = scenario_result_metric(s, METRIC_SYMBOLS) };
	struct judgement *row = is_wanted(s, base) ? add_row(s) : &spare;
	bool same = profiles_comparable(row, s, machine, base);
	bool enough = same && profiles_sufficient(row, s, &base->profile);
	const struct profile *before = same ? &base->profile : NULL;
	struct symbol_pairs pairs;
	struct cost cost;
	struct symbol_terms terms = { .gate = &s->symbol_gate, .cost = &cost, .now = &s->profile, .before = before };

	cost_find(s, same ? base : NULL, &cost);
	terms.work = cost.per_work ? scenario_result_work_unit(s) : scenario_result_runs(s, 1);
	symbol_pairs_build(&s->profile, before, &cost, &pairs);
	if (same)
		classify(&pairs);
	if (same && s->symbol_gate.on)
		judge_pairs(&pairs, &terms, s, enough);
	keep_symbols(s, &pairs, &cost);
	row->n_current = s->profile.n_runs;
	row->n_baseline = before ? before->n_runs : 0;
	if (enough)
		symbols_row_settle(row, s, SYMBOL_ACCUSING);
	show_hottest(row, s);
	if (same)
		attribute_changes(s, &pairs, &cost);
	free(spare.reason);
	symbol_pairs_release(&pairs);
}

void judge_symbols_account(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	struct judgement spare = { .ref.metric = scenario_result_metric(scenario, METRIC_SYMBOLS) };
	struct symbol_pairs pairs;
	struct cost cost;

	if (profiles_comparable(&spare, scenario, machine, base)) {
		cost_find(scenario, base, &cost);
		symbol_pairs_build(&scenario->profile, &base->profile, &cost, &pairs);
		classify(&pairs);
		attribute_changes(scenario, &pairs, &cost);
		symbol_pairs_release(&pairs);
	}
	free(spare.reason);
}

void judge_symbols(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	drop_rows(scenario);
	scenario_result_forget_symbols(scenario);
	if (scenario->state == SCENARIO_MEASURED)
		judge_profile(scenario, machine, base);
	else if (is_wanted(scenario, base))
		judge_missing(add_row(scenario), scenario, machine);
	judge_budgets(scenario, machine);
}
