#include "gate/judge_symbols.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/attribute.h"
#include "gate/judge_budgets.h"
#include "gate/judge_missing.h"
#include "gate/symbol_rule.h"
#include "stats/proportion.h"

/* So many of the hottest are kept for reports, judged or not; and so many are named in a reason. */
enum { KEPT_LEAST = 20, NAMED = 3 };
#define INTERVAL_Z 1.96

/* Rows */

static void drop_rows(struct scenario_result *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_gates; i++) {
		if (s->gates[i].gate.metric->source == SOURCE_PROFILE)
			free(s->gates[i].reason);
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

static struct gate_result *add_row(struct scenario_result *s)
{
	const struct symbol_gate *from = &s->symbol_gate;
	struct gate gate = {
		.metric = scenario_result_metric(s, METRIC_SYMBOLS), .relative = true, .by_default = from->by_default,
		.tolerance_pct = from->rise_pp, .max = NAN, .min = NAN, .required = from->required,
		.line = from->line, .column = from->column,
	};

	return scenario_result_add_gate(s, &gate);
}

/* Whether both profiles can be compared */

static bool differs(struct gate_result *g, const char *what, const char *now, const char *before)
{
	judge_reason(g, "the baseline's profile has another %s (%s, now %s): accept a new baseline", what, before, now);
	return true;
}

static bool settings_differ(struct gate_result *g, const struct profile *now, const struct profile *before)
{
	char a[24], b[24];

	if (strcmp(now->event, before->event))
		return differs(g, "event", now->event, before->event);
	if (now->call_graph != before->call_graph)
		return differs(g, "call graph", call_graph_name(now->call_graph), call_graph_name(before->call_graph));
	if (now->frequency != before->frequency) {
		snprintf(a, sizeof a, "%u Hz", now->frequency);
		snprintf(b, sizeof b, "%u Hz", before->frequency);
		return differs(g, "frequency", a, b);
	}
	if (now->normaliser == before->normaliser)
		return false;
	snprintf(a, sizeof a, "version %u", now->normaliser);
	snprintf(b, sizeof b, "version %u", before->normaliser);
	return differs(g, "way of comparing names", a, b);
}

static bool comparable(struct gate_result *g, const struct scenario_result *s, const struct machine *machine,
		       const struct baseline *base)
{
	if (!profile_exists(&s->profile)) {
		judge_missing(g, s, machine);
		return false;
	}
	if (!base || !profile_exists(&base->profile)) {
		g->verdict = VERDICT_NEW;
		judge_reason(g, base ? "the baseline has no profile yet: accept a new one" : "there is no baseline yet");
		return false;
	}
	return judge_class_allows(g, machine, base, g->gate.metric) && !settings_differ(g, &s->profile, &base->profile);
}

/* Whether there are enough samples */

static void add_side(struct strbuf *out, const struct profile *profile, const char *where)
{
	strbuf_addf(out, "%s%llu samples in %zu run%s %s", out->len ? ", " : "", (unsigned long long)profile->samples,
		    profile->n_runs, profile->n_runs == 1 ? "" : "s", where);
}

static bool is_short(const struct profile *profile)
{
	return profile->samples < PROFILE_SAMPLES_GATED || profile->n_runs < PROFILE_RUNS_LEAST;
}

bool judge_samples(struct gate_result *g, const struct profile *now, const struct profile *before)
{
	CLEANUP(strbuf_release) struct strbuf sides = STRBUF_INIT;

	if (is_short(now))
		add_side(&sides, now, "now");
	if (before && is_short(before))
		add_side(&sides, before, "in the baseline");
	if (!sides.len)
		return true;
	g->verdict = VERDICT_INCONCLUSIVE;
	judge_reason(g, "only %s, of %d in %d that are needed: raise profile.duration, or profile.frequency%s", sides.buf,
		     PROFILE_SAMPLES_GATED, PROFILE_RUNS_LEAST,
		     before && is_short(before) ? ", then accept a new baseline" : "");
	return false;
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

static void judge_pairs(struct symbol_pairs *pairs, const struct symbol_terms *terms, bool enough)
{
	mark_hottest(pairs, terms->gate->top, true);
	mark_hottest(pairs, terms->gate->top, false);
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *pair = &pairs->items[i];

		if (pair->judged && enough)
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

/* The row of gates.symbols, from what was found of each */

static double upper(const struct symbol_result *symbol)
{
	return symbol->change_pp + SYMBOL_CLEARING * symbol->error_pp;
}

static void add_reasons(struct gate_result *row, const struct scenario_result *s)
{
	size_t told = 0, all = 0;

	for (size_t i = 0; i < s->n_symbols; i++) {
		const struct symbol_result *symbol = &s->symbols[i];

		if (!symbol->reason || symbol->verdict != row->verdict)
			continue;
		all++;
		if (told < NAMED) {
			judge_reason(row, "%s", symbol->reason);
			told++;
		}
	}
	if (all > told)
		judge_reason(row, "and %zu more", all - told);
}

static void settle_row(struct gate_result *row, const struct scenario_result *s, double accusing)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(s);

	free(row->reason);
	row->reason = NULL;
	row->verdict = worst ? worst->verdict : VERDICT_PASS;
	if (worst) {
		row->baseline = worst->base_share_pct / 100;
		row->current = worst->share_pct / 100;
		row->change_pct = worst->change_pp;
		row->low_pct = worst->change_pp - accusing * worst->error_pp;
		row->high_pct = upper(worst);
	}
	add_reasons(row, s);
}

/* The hottest symbol stands for what could be accepted, where nothing was compared. */
static void show_hottest(struct gate_result *row, const struct scenario_result *s)
{
	if (s->profile.n_symbols && (row->verdict == VERDICT_NEW || row->verdict == VERDICT_NOT_MEASURED))
		row->current = profile_share_pct(&s->profile, &s->profile.symbols[0]) / 100;
}

static void judge_profile(struct scenario_result *s, const struct machine *machine, const struct baseline *base)
{
	struct gate_result spare = { .gate.metric = scenario_result_metric(s, METRIC_SYMBOLS) };
	struct gate_result *row = is_wanted(s, base) ? add_row(s) : &spare;
	bool same = comparable(row, s, machine, base), enough = same && judge_samples(row, &s->profile, &base->profile);
	const struct profile *before = same ? &base->profile : NULL;
	struct symbol_pairs pairs;
	struct cost cost;
	struct symbol_terms terms = { .gate = &s->symbol_gate, .cost = &cost, .now = &s->profile, .before = before };

	cost_find(s, same ? base : NULL, &cost);
	terms.work = cost.per_work ? scenario_result_work_unit(s) : scenario_result_runs(s, 1);
	symbol_pairs_build(&s->profile, before, &cost, &pairs);
	for (size_t i = 0; same && i < pairs.n; i++)
		symbol_classify(&pairs.items[i]);
	if (same && s->symbol_gate.on)
		judge_pairs(&pairs, &terms, enough);
	keep_symbols(s, &pairs, &cost);
	row->n_current = s->profile.n_runs;
	row->n_baseline = before ? before->n_runs : 0;
	if (enough)
		settle_row(row, s, SYMBOL_ACCUSING);
	show_hottest(row, s);
	if (same)
		attribute_changes(s, &pairs, &cost);
	free(spare.reason);
	symbol_pairs_release(&pairs);
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

static bool may_be_chance(const struct scenario_result *s, const struct symbol_result *symbol)
{
	const struct symbol_gate *gate = &s->symbol_gate;
	double tolerance = symbol->change == SYMBOL_NEW ? gate->new_pp : gate->rise_pp;

	return symbol->change_pp - SYMBOL_ACCUSING_SUITE * symbol->error_pp <= tolerance;
}

/* What the scheduler and interrupts take of a program's time grows with what else runs. */
static bool may_be_others(const struct symbol_result *symbol)
{
	return !strcmp(symbol->symbol, SYMBOL_SCHEDULER);
}

static void doubt_symbol(struct symbol_result *symbol, const char *why)
{
	struct strbuf reason = STRBUF_INIT;

	strbuf_addf(&reason, "%s; %s", symbol->reason, why);
	free(symbol->reason);
	symbol->reason = strbuf_take(&reason);
	symbol->verdict = VERDICT_INCONCLUSIVE;
}

static void doubt_symbols(struct scenario_result *s, struct gate_result *row, bool many, bool busy)
{
	for (size_t i = 0; i < s->n_symbols; i++) {
		struct symbol_result *symbol = &s->symbols[i];

		if (symbol->verdict != VERDICT_REGRESSION)
			continue;
		if (busy && may_be_others(symbol))
			doubt_symbol(symbol, "the machine was busy, which alone makes its scheduler and interrupts take more");
		else if (many && may_be_chance(s, symbol))
			doubt_symbol(symbol, "among so many scenarios one may well do so by chance");
	}
	if (row->verdict == VERDICT_REGRESSION)
		settle_row(row, s, many ? SYMBOL_ACCUSING_SUITE : SYMBOL_ACCUSING);
}

/* Once, and not as a doubt about each: what was accepted before there were profiles is as good as it was. */
static void note_new(struct result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		bool judged = false, new = false;

		for (size_t k = 0; k < s->n_gates; k++) {
			judged |= gate_result_judged(&s->gates[k]);
			new |= gate_result_quiet(&s->gates[k]) && s->gates[k].verdict == VERDICT_NEW;
		}
		n += judged && new;
	}
	if (n)
		strv_pushf(&result->notes, "symbols are not judged yet in %zu scenario%s: the baseline%s no profile; the next "
			   "`pawl baseline update` adds one", n, n == 1 ? "" : "s", n == 1 ? " has" : "s have");
}

void judge_symbols_suite(struct result *result)
{
	bool many = result->n_scenarios >= SYMBOL_SUITE, busy = result->busy.n > 0;

	note_new(result);
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++)
			if (!strcmp(s->gates[k].gate.metric->name, METRIC_SYMBOLS))
				doubt_symbols(s, &s->gates[k], many, busy);
	}
}
