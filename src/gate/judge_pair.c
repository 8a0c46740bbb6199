#include "gate/judge_pair.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/judge_gate.h"
#include "gate/judge_missing.h"
#include "gate/pair_words.h"
#include "gate/stored.h"
#include "stats/order.h"

/* The values of a metric in the pairs of which both sides have one that has a ratio, in order. */
struct pair_series {
	double *base, *head, *differences;
	size_t n, n_differences;
};

static void pair_series_release(struct pair_series *series)
{
	free(series->base);
	free(series->head);
	free(series->differences);
}

bool judge_pair_applies(const struct gate *gate)
{
	return gate->relative && gate->metric->source != SOURCE_PROFILE && gate->metric->source != SOURCE_SIMULATED;
}

struct paired_terms judge_pair_terms(const struct scenario_result *s, const struct gate *gate)
{
	const struct pairing *pairing = s->pairing;

	return (struct paired_terms){
		.gates = pairing->gates, .pairs_most = pairing->pairs_most, .floor = log1p(pairing->floor_pct / 100),
		.tolerance = paired_tolerance(gate),
	};
}

static void take_series(const struct scenario_result *s, const struct gate_result *g, struct pair_series *out)
{
	CLEANUP(free_ptr) char *name = gate_result_series(g);
	size_t n, kept = 0;

	*out = (struct pair_series){ 0 };
	scenario_result_pair_values(s, name, &out->base, &out->head, &n);
	for (size_t i = 0; i < n; i++) {
		if (!(out->base[i] >= 0 && out->head[i] >= 0))
			continue;
		out->base[kept] = out->base[i];
		out->head[kept++] = out->head[i];
	}
	out->n = kept;
	out->differences = xcalloc(kept + 1, sizeof *out->differences);
	out->n_differences = paired_differences(g->gate.metric, out->base, out->head, kept, out->differences);
}

/* What the pairs say; false when they say nothing. */
static bool look(const struct scenario_result *s, const struct gate_result *g, const struct pair_series *series,
		 bool ended, struct paired *out)
{
	struct paired_terms terms = judge_pair_terms(s, &g->gate);

	return series->n_differences && paired_decide(series->differences, series->n_differences, ended, &terms, out);
}

/* Ten page faults more are nobody's regression, whatever they are in percent. */
static bool is_below_least(const struct gate_result *g, const struct scenario_result *s,
			   const struct pair_series *series, const struct paired *paired)
{
	CLEANUP(free_ptr) double *more = xcalloc(series->n + 1, sizeof *more);
	struct gate_result judged = *g;
	double least;

	judged.pairs = paired->pairs;
	least = gate_result_least(&judged, s->pairing->head.measured);
	if (!(least > 0) || paired->too_few)
		return false;
	if (paired->verdict != VERDICT_REGRESSION && paired->verdict != VERDICT_INCONCLUSIVE)
		return false;
	for (size_t i = 0; i < paired->pairs; i++)
		more[i] = series->head[i] - series->base[i];
	return fabs(stats_median(more, paired->pairs)) <= least;
}

bool judge_pair_undecided(const struct scenario_result *s, const struct gate_result *g, unsigned *look_out, double *more_out)
{
	struct paired_terms terms = judge_pair_terms(s, &g->gate);
	unsigned most = terms.pairs_most ? terms.pairs_most : PAIRS_MOST, next;
	CLEANUP(pair_series_release) struct pair_series series;
	size_t n = scenario_result_pairs(s);
	struct gate_result chosen = *g;
	struct paired paired;

	judge_choose_series(&chosen, s->pairing->head.measured);
	take_series(s, &chosen, &series);
	if (n && (chosen.simulated || !look(s, &chosen, &series, false, &paired) || paired.decided ||
		  is_below_least(&chosen, s, &series, &paired)))
		return false;
	next = paired_next_look(&terms, (unsigned)series.n_differences);
	/* Pairs that did not measure it do not bring its look nearer. */
	if (next)
		next += (unsigned)(n - series.n_differences);
	*look_out = next > most && n < most ? most : next > most ? 0 : next;
	*more_out = n ? paired.more : 0;
	return true;
}

/* -------- what was found, as the gate shows it */

static double pct(double log_ratio)
{
	return isinf(log_ratio) ? NAN : expm1(log_ratio) * 100;
}

static void set_numbers(struct gate_result *g, const struct pair_series *series, const struct paired *paired)
{
	bool flip = g->gate.metric->higher_is_better;

	g->pairs = paired->pairs;
	g->n_baseline = g->n_current = paired->pairs;
	g->verdict = paired->verdict;
	g->baseline = stats_median(series->base, paired->pairs);
	g->current = stats_median(series->head, paired->pairs);
	g->detectable_pct = flip ? -pct(-paired->detectable) : pct(paired->detectable);
	if (paired->verdict == VERDICT_INCONCLUSIVE)
		g->more_pairs = paired->more;
	/* From nothing, or to nothing, there is no ratio. */
	if (!(g->baseline > 0 && g->current > 0) && g->baseline != g->current)
		return;
	g->change_pct = pct(flip ? -paired->estimate : paired->estimate);
	g->low_pct = pct(flip ? -paired->high : paired->low);
	g->high_pct = pct(flip ? -paired->low : paired->high);
}

static bool judge_differences(struct gate_result *g, const struct scenario_result *s)
{
	CLEANUP(pair_series_release) struct pair_series series;
	struct paired_terms terms;
	struct paired paired;

	take_series(s, g, &series);
	if (!look(s, g, &series, true, &paired)) {
		judge_reason(g, "no pair has a value of both sides that can be compared");
		return false;
	}
	terms = judge_pair_terms(s, &g->gate);
	g->gate.tolerance_pct = paired_tolerance_pct(&g->gate);
	set_numbers(g, &series, &paired);
	if (is_below_least(g, s, &series, &paired)) {
		g->verdict = VERDICT_PASS;
		g->more_pairs = NAN;
		if (g->current != g->baseline)
			judge_reason(g, "the change is smaller than any that counts");
	} else {
		pair_words(g, s, &terms, &paired);
	}
	return true;
}

/* -------- what needs no pairs */

/* A simulated value repeats: the base's side is compared as a baseline would be. */
static void judge_simulated(struct gate_result *g, const struct scenario_result *s)
{
	CLEANUP(free_ptr) char *name = gate_result_series(g);
	CLEANUP(free_ptr) double *base = NULL;
	CLEANUP(free_ptr) double *head = NULL;
	struct session session = { 0 };
	struct baseline before = { .sessions = &session, .n_sessions = 1 };
	struct stored_terms terms = { 0 };
	struct change change;

	base = scenario_result_values(s->pairing->base.measured, name, &g->n_baseline);
	head = scenario_result_values(s->pairing->head.measured, name, &g->n_current);
	for (size_t i = 0; i < g->n_baseline; i++)
		series_add(&session.series, name, base[i]);
	g->gate.tolerance_pct = paired_tolerance_pct(&g->gate);
	stored_compare(&g->gate, &before, name, head, g->n_current, &terms, &change);
	series_set_release(&session.series);
	g->verdict = change.verdict;
	g->baseline = change.baseline;
	g->current = change.current;
	g->change_pct = change.change_pct;
	g->low_pct = change.low_pct;
	g->high_pct = change.high_pct;
	if (change.below_least)
		judge_reason(g, "the change is smaller than any that counts");
}

/* Limits hold for the head, whatever the base did. */
static void judge_limits(struct gate_result *g, const struct scenario_result *s)
{
	CLEANUP(free_ptr) char *name = gate_result_series(g);
	CLEANUP(free_ptr) double *head = scenario_result_values(s->pairing->head.measured, name, &g->n_current);

	g->current = stats_median(head, g->n_current);
}

/* -------- whether there is anything to judge by */

static bool lacks(const struct scenario_result *side, const struct gate_result *g)
{
	CLEANUP(free_ptr) char *name = gate_result_series(g);

	return !scenario_result_count(side, name);
}

/* Why SIDE has no value: as judge_missing() says it of a scenario that was measured. */
static void say_missing(struct gate_result *g, const struct scenario_result *side, const struct scenario_result *s,
			const struct machine *machine)
{
	struct scenario_result view = *side;

	view.state = SCENARIO_MEASURED;
	view.attached = s->attached;
	g->per_work = g->simulated = false;
	judge_missing(g, &view, machine);
}

static bool has_values(struct gate_result *g, const struct scenario_result *s, const struct machine *machine)
{
	const struct scenario_result *base = s->pairing->base.measured, *head = s->pairing->head.measured;
	bool known;

	if (s->state == SCENARIO_FAILED || !scenario_result_pairs(s)) {
		judge_reason(g, s->state == SCENARIO_FAILED ? "the scenario failed" : "interrupted before a pair was complete");
		return false;
	}
	if (g->gate.relative && s->pairing->one_program) {
		judge_reason(g, "%s", s->pairing->one_program);
		return false;
	}
	known = judge_choose_series(g, head);
	if (known && !(g->gate.relative && lacks(base, g)))
		return true;
	if (known)
		judge_reason(g, "only the head has a value");
	else if (!lacks(base, g))
		judge_reason(g, "only the base has a value");
	say_missing(g, known ? base : head, s, machine);
	return false;
}

/* The base's runs of the same session stand for the stored ones. */
static bool judge_overrun_in_pairs(struct gate_result *g, const struct scenario_result *s)
{
	CLEANUP(free_ptr) double *walls = NULL;
	size_t n;

	if (s->pairing->one_program)
		return false;
	walls = scenario_result_values(s->pairing->base.measured, "wall-time", &n);
	if (!judge_overrun(g, s, s->pairing->head.measured->timed_out_ms, walls, n, "the base's"))
		return false;
	g->gate.tolerance_pct = paired_tolerance_pct(&g->gate);
	return true;
}

bool judge_pair(struct gate_result *g, const struct scenario_result *s, const struct machine *machine)
{
	bool judged = true;

	gate_result_forget(g);
	if (judge_overrun_in_pairs(g, s))
		return true;
	if (!has_values(g, s, machine))
		return false;
	if (!g->gate.relative)
		judge_limits(g, s);
	else if (g->simulated)
		judge_simulated(g, s);
	else
		judged = judge_differences(g, s);
	if (judged)
		judge_check_budget(g);
	return judged;
}
