#include "gate/symbol_rule.h"

#include <math.h>

#include "base/mem.h"

#define AGREEMENT_LEAST (2.0 / 3)
/* Beyond so many samples a side nobody takes them. */
#define SAMPLES_AFFORDABLE 1e6

static double tolerance_of(const struct symbol_pair *pair, const struct symbol_gate *gate)
{
	return (pair->before ? gate->rise_pp : gate->new_pp) / 100;
}

static void say(struct symbol_pair *pair, enum verdict verdict, struct strbuf *reason)
{
	pair->verdict = verdict;
	free(pair->reason);
	pair->reason = reason->len ? strbuf_take(reason) : NULL;
}

void symbol_classify(struct symbol_pair *pair)
{
	double sure = SYMBOL_CLEARING * pair->change.error;

	if (pair->unnamed)
		pair->change_kind = SYMBOL_SAME;
	else if (!pair->before && pair->share > pair->unlisted)
		pair->change_kind = isnan(pair->base_share) ? SYMBOL_SAME : SYMBOL_NEW;
	else if (!pair->now && pair->base_share > pair->unlisted)
		pair->change_kind = SYMBOL_VANISHED;
	else if (pair->change.rise > sure)
		pair->change_kind = SYMBOL_ROSE;
	else
		pair->change_kind = pair->change.rise < -sure ? SYMBOL_FELL : SYMBOL_SAME;
}

/* "hash rose from 4.1 % to 9.3 % of the samples" */
static void add_rise(struct strbuf *out, const struct symbol_pair *pair)
{
	symbol_pair_name(pair, out);
	if (pair->before)
		strbuf_addf(out, " rose from %.1f %% to %.1f %% of the samples", pair->base_share * 100, pair->share * 100);
	else
		strbuf_addf(out, " is new with %.1f %% of the samples", pair->share * 100);
}

/* ", tolerance 1 pp" */
static void add_tolerance(struct strbuf *out, const struct symbol_pair *pair, const struct symbol_terms *terms)
{
	strbuf_addf(out, ", tolerance %.6g pp", tolerance_of(pair, terms->gate) * 100);
}

static void accuse(struct symbol_pair *pair, const struct symbol_terms *terms)
{
	struct strbuf reason = STRBUF_INIT;

	add_rise(&reason, pair);
	add_tolerance(&reason, pair, terms);
	strbuf_adds(&reason, ", and costs ");
	cost_add(&reason, pair->cost - pair->base_cost, terms->cost->metric);
	strbuf_addf(&reason, " more per %s", terms->work);
	say(pair, VERDICT_REGRESSION, &reason);
}

/* The share rose for sure; its cost is what decides. */
static void judge_cost(struct symbol_pair *pair, const struct symbol_terms *terms)
{
	double more = pair->cost - pair->base_cost, sure = SYMBOL_CLEARING * pair->cost_error;
	double tolerated = tolerance_of(pair, terms->gate) * terms->cost->before;
	struct strbuf reason = STRBUF_INIT;

	if (more > sure && more > tolerated) {
		accuse(pair, terms);
		return;
	}
	add_rise(&reason, pair);
	if (isnan(more)) {
		strbuf_adds(&reason, "; whether it costs more is not known, since both sides have neither task-clock nor "
				     "instructions");
		say(pair, VERDICT_INCONCLUSIVE, &reason);
	} else if (more + sure < 2 * tolerated) {
		strbuf_addf(&reason, " only because others shrank: it costs ");
		cost_add(&reason, pair->cost, terms->cost->metric);
		strbuf_addf(&reason, " per %s, and cost ", terms->work);
		cost_add(&reason, pair->base_cost, terms->cost->metric);
		say(pair, VERDICT_PASS, &reason);
	} else {
		strbuf_addf(&reason, ", but its cost per %s did not rise beyond what the runs leave open: more measure.runs "
			    "tell", terms->work);
		say(pair, VERDICT_INCONCLUSIVE, &reason);
	}
}

bool symbol_exceeds(double rise, double error, double z, double tolerance)
{
	return rise > tolerance && rise - z * error > tolerance / 2;
}

/* As many samples a side as would have the same error as both sides' together. */
static double samples_a_side(const struct symbol_terms *terms)
{
	return 2 / (1 / (double)terms->now->samples + 1 / (double)terms->before->samples);
}

static void doubt(struct symbol_pair *pair, const struct symbol_terms *terms)
{
	double tolerance = tolerance_of(pair, terms->gate), n = samples_a_side(terms), needed;
	double rise = pair->change.rise, error = pair->change.error;
	struct strbuf reason = STRBUF_INIT;

	needed = fmin(share_samples_needed(n, error, SYMBOL_ACCUSING,
					   rise - pair->unlisted > tolerance ? rise - pair->unlisted - tolerance / 2 : 0),
		      share_samples_needed(n, error, SYMBOL_CLEARING, 2 * tolerance - rise));
	symbol_pair_name(pair, &reason);
	strbuf_addf(&reason, " %+.1f pp (%+.1f to %+.1f pp)", rise * 100, (rise - SYMBOL_CLEARING * error) * 100,
		    (rise + SYMBOL_CLEARING * error) * 100);
	add_tolerance(&reason, pair, terms);
	if (needed <= SAMPLES_AFFORDABLE)
		strbuf_addf(&reason, ": about %.0f samples a side would tell", ceil(needed / 1000) * 1000);
	else
		strbuf_adds(&reason, ": too near to the tolerance for any number of samples to tell");
	say(pair, VERDICT_INCONCLUSIVE, &reason);
}

static void doubt_runs(struct symbol_pair *pair)
{
	struct strbuf reason = STRBUF_INIT;

	add_rise(&reason, pair);
	strbuf_addf(&reason, ", but only in %.0f %% of the pairs of profiled runs", pair->agreement * 100);
	say(pair, VERDICT_INCONCLUSIVE, &reason);
}

/*
 * What a pass must rule out: twice the tolerance, or what so many samples can show at best. How much runs differ beyond
 * that is no excuse.
 */
static double resolution(const struct symbol_pair *pair, double tolerance)
{
	double of_samples = pair->change.error * sqrt(SHARE_DISPERSION_LEAST / pair->change.dispersion);

	return fmax(2 * tolerance, 2 * SYMBOL_CLEARING * of_samples);
}

/* A pass that proves less than its tolerance promises says so. */
static void clear(struct symbol_pair *pair, const struct symbol_terms *terms)
{
	double tolerance = tolerance_of(pair, terms->gate), n = samples_a_side(terms), shown = resolution(pair, tolerance);
	struct strbuf reason = STRBUF_INIT;

	if (pair->change.rise + SYMBOL_CLEARING * pair->change.error >= 2 * tolerance) {
		strbuf_addf(&reason, "a rise of ");
		symbol_pair_name(pair, &reason);
		strbuf_addf(&reason, " by less than %.1f pp does not show in %.0f samples a side; about %.0f show one of %.6g pp",
			    shown * 100, n, ceil(share_samples_needed(n, shown / 2, 1, tolerance) / 1000) * 1000, 2 * tolerance * 100);
	}
	say(pair, VERDICT_PASS, &reason);
}

void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms)
{
	double rise = pair->change.rise, error = pair->change.error, tolerance = tolerance_of(pair, terms->gate);

	if (symbol_exceeds(rise - pair->unlisted, error, SYMBOL_ACCUSING, tolerance)) {
		if (pair->agreement < AGREEMENT_LEAST)
			doubt_runs(pair);
		else
			judge_cost(pair, terms);
	} else if (rise + SYMBOL_CLEARING * error < resolution(pair, tolerance)) {
		clear(pair, terms);
	} else {
		doubt(pair, terms);
	}
}
