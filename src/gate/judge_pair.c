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

static void take_series(const struct scenario_result *s, const struct metric_ref *ref, struct pair_series *out)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(ref);
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
	out->n_differences = paired_differences(ref->metric, out->base, out->head, kept, out->differences);
}

/* What the pairs say; false when they say nothing. */
static bool look(const struct scenario_result *s, const struct gate *gate, const struct pair_series *series, bool ended,
		 struct paired *out)
{
	struct paired_terms terms = judge_pair_terms(s, gate);

	return series->n_differences && paired_decide(series->differences, series->n_differences, ended, &terms, out);
}

/* Ten page faults more are nobody's regression, whatever they are in percent. */
static bool is_below_least(const struct scenario_result *s, const struct metric_ref *ref, const struct pair_series *series,
			   const struct paired *paired)
{
	CLEANUP(free_ptr) double *more = xcalloc(series->n + 1, sizeof *more);
	double least = scenario_result_least(s->pairing->head.measured, ref, true);

	if (!(least > 0) || paired->too_few)
		return false;
	if (paired->verdict != VERDICT_REGRESSION && paired->verdict != VERDICT_INCONCLUSIVE)
		return false;
	for (size_t i = 0; i < paired->pairs; i++)
		more[i] = series->head[i] - series->base[i];
	return fabs(stats_median(more, paired->pairs)) <= least;
}

bool judge_pair_undecided(const struct scenario_result *s, const struct gate *gate, unsigned *look_out, double *more_out)
{
	struct paired_terms terms = judge_pair_terms(s, gate);
	unsigned most = terms.pairs_most ? terms.pairs_most : PAIRS_MOST, next;
	CLEANUP(pair_series_release) struct pair_series series;
	size_t n = scenario_result_pairs(s);
	struct metric_ref ref;
	struct paired paired;

	judge_choose_values(gate->metric, s->pairing->head.measured, &ref);
	take_series(s, &ref, &series);
	if (n && (ref.simulated || !look(s, gate, &series, false, &paired) || paired.decided ||
		  is_below_least(s, &ref, &series, &paired)))
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

static void set_numbers(struct judgement *j, const struct pair_series *series, const struct paired *paired)
{
	bool flip = j->ref.metric->higher_is_better;

	j->pairs = paired->pairs;
	j->n_baseline = j->n_current = paired->pairs;
	j->verdict = paired->verdict;
	j->baseline = stats_median(series->base, paired->pairs);
	j->current = stats_median(series->head, paired->pairs);
	j->detectable_pct = flip ? -pct(-paired->detectable) : pct(paired->detectable);
	if (paired->verdict == VERDICT_INCONCLUSIVE)
		j->more_pairs = paired->more;
	/* From nothing, or to nothing, there is no ratio. */
	if (!(j->baseline > 0 && j->current > 0) && j->baseline != j->current)
		return;
	j->change_pct = pct(flip ? -paired->estimate : paired->estimate);
	j->low_pct = pct(flip ? -paired->high : paired->low);
	j->high_pct = pct(flip ? -paired->low : paired->high);
}

static bool judge_differences(const struct gate *gate, struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(pair_series_release) struct pair_series series;
	struct paired_terms terms = judge_pair_terms(s, gate);
	struct paired paired;

	take_series(s, &j->ref, &series);
	if (!look(s, gate, &series, true, &paired)) {
		judge_reason(j, "no pair has a value of both sides that can be compared");
		return false;
	}
	j->tolerance_pct = paired_tolerance_pct(gate);
	set_numbers(j, &series, &paired);
	if (is_below_least(s, &j->ref, &series, &paired)) {
		j->verdict = VERDICT_PASS;
		j->more_pairs = NAN;
		if (j->current != j->baseline)
			judge_reason(j, "the change is smaller than any that counts");
	} else {
		pair_words(j, s, &terms, &paired);
	}
	return true;
}

/* -------- what needs no pairs */

/* A simulated value repeats: the base's side is compared as a baseline would be. */
static void judge_simulated(const struct gate *from, struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(&j->ref);
	CLEANUP(free_ptr) double *base = NULL;
	CLEANUP(free_ptr) double *head = NULL;
	struct session session = { 0 };
	struct baseline before = { .sessions = &session, .n_sessions = 1 };
	struct stored_terms terms = { 0 };
	struct gate gate = *from;
	struct change change;

	base = scenario_result_values(s->pairing->base.measured, name, &j->n_baseline);
	head = scenario_result_values(s->pairing->head.measured, name, &j->n_current);
	for (size_t i = 0; i < j->n_baseline; i++)
		series_add(&session.series, name, base[i]);
	j->tolerance_pct = gate.tolerance_pct = paired_tolerance_pct(from);
	stored_compare(&gate, &before, name, head, j->n_current, &terms, &change);
	series_set_release(&session.series);
	j->verdict = change.verdict;
	j->baseline = change.baseline;
	j->current = change.current;
	j->change_pct = change.change_pct;
	j->low_pct = change.low_pct;
	j->high_pct = change.high_pct;
	if (change.below_least)
		judge_reason(j, "the change is smaller than any that counts");
}

/* Limits hold for the head, whatever the base did. */
static void judge_limits(struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(&j->ref);
	CLEANUP(free_ptr) double *head = scenario_result_values(s->pairing->head.measured, name, &j->n_current);

	j->current = stats_median(head, j->n_current);
}

/* -------- whether there is anything to judge by */

static bool lacks(const struct scenario_result *side, const struct metric_ref *ref)
{
	CLEANUP(free_ptr) char *name = metric_ref_name(ref);

	return !scenario_result_count(side, name);
}

/* Why SIDE has no value: as judge_missing() says it of a scenario that was measured. */
static void say_missing(struct judgement *j, const struct scenario_result *side, const struct scenario_result *s,
			const struct machine *machine)
{
	struct scenario_result view = *side;

	view.state = SCENARIO_MEASURED;
	view.attached = s->attached;
	judge_missing(j, &view, machine);
}

static bool has_values(const struct gate *gate, struct judgement *j, const struct scenario_result *s,
		       const struct machine *machine)
{
	const struct scenario_result *base = s->pairing->base.measured, *head = s->pairing->head.measured;
	struct metric_ref ref;
	bool known;

	if (s->state == SCENARIO_FAILED || !scenario_result_pairs(s)) {
		judge_reason(j, s->state == SCENARIO_FAILED ? "the scenario failed" : "interrupted before a pair was complete");
		return false;
	}
	if (gate->relative && s->pairing->one_program) {
		judge_reason(j, "%s", s->pairing->one_program);
		return false;
	}
	known = judge_choose_values(gate->metric, head, &ref);
	if (known && !(gate->relative && lacks(base, &ref))) {
		j->ref = ref;
		return true;
	}
	if (known)
		judge_reason(j, "only the head has a value");
	else if (!lacks(base, &ref))
		judge_reason(j, "only the base has a value");
	say_missing(j, known ? base : head, s, machine);
	return false;
}

/* The base's runs of the same session stand for the stored ones. */
static bool judge_overrun_in_pairs(const struct gate *gate, struct judgement *j, const struct scenario_result *s)
{
	CLEANUP(free_ptr) double *walls = NULL;
	size_t n;

	if (s->pairing->one_program)
		return false;
	walls = scenario_result_values(s->pairing->base.measured, "wall-time", &n);
	if (!judge_overrun(gate, j, s, s->pairing->head.measured->timed_out_ms, walls, n, "the base's"))
		return false;
	j->tolerance_pct = paired_tolerance_pct(gate);
	return true;
}

bool judge_pair(const struct gate *gate, struct judgement *j, const struct scenario_result *s, const struct machine *machine)
{
	bool judged = true;

	judgement_reset(j, gate);
	j->done = true;
	if (judge_overrun_in_pairs(gate, j, s))
		return true;
	if (!has_values(gate, j, s, machine))
		return false;
	if (!gate->relative)
		judge_limits(j, s);
	else if (j->ref.simulated)
		judge_simulated(gate, j, s);
	else
		judged = judge_differences(gate, j, s);
	if (judged)
		judge_check_budget(gate, j);
	return judged;
}
