#include "judge/calibrate.h"

#include <math.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/gate.h"

/* Comparisons drawn, and the share of them in which a tolerance must hold. */
enum { DRAWN = 500 };
#define KEPT 0.9
#define STEP_PCT 0.5
#define TIME_LEAST_PCT 2.0
/* The largest tolerance that is of use. */
#define TOLERANCE_MOST_PCT 20.0
/* Variance that rounding alone gives equal logarithms. */
#define NO_VARIANCE 1e-24
#define BIAS_LEVEL 0.01
#define INTERVAL_ERROR 0.025
#define ALARM_ERROR 0.05

const unsigned calibrating_sizes[CALIBRATING_SIZES] = { 10, 20, 30, 40 };

void calibrating_release(struct calibrating *item)
{
	free(item->reason);
	*item = (struct calibrating){ 0 };
}

bool calibrating_biased(const struct calibrating *item)
{
	return item->adjusted_p < BIAS_LEVEL;
}

/* -------- numbers */

/* Returns the correlation of each value with the next; NaN if the values do not vary. */
static double lag_correlation(const double *values, size_t n)
{
	double mean = stats_mean(values, n), with_next = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		all += (values[i] - mean) * (values[i] - mean);
		if (i + 1 < n)
			with_next += (values[i] - mean) * (values[i + 1] - mean);
	}
	return all > n * NO_VARIANCE ? with_next / all : NAN;
}

static bool take_logs(const double *values, size_t n, double *out)
{
	for (size_t i = 0; i < n; i++) {
		if (!(values[i] > 0) || isinf(values[i]))
			return false;
		out[i] = log(values[i]);
	}
	return true;
}

/* Sets the spread and lag of single runs. Each side's runs are taken about their own median. */
static void describe_runs(const double *base, const double *head, size_t n, struct calibrating *out)
{
	CLEANUP(free_ptr) double *b = xcalloc(n, sizeof *b), *h = xcalloc(n, sizeof *h);

	out->run_sd = out->run_lag = NAN;
	if (!take_logs(base, n, b) || !take_logs(head, n, h))
		return;
	out->run_sd = sqrt((pow(stats_sd(b, n), 2) + pow(stats_sd(h, n), 2)) / 2);
	out->run_lag = (lag_correlation(b, n) + lag_correlation(h, n)) / 2;
}

/* -------- replaying the rule */

/* Replays the rule over the pairs with a tolerance of PCT. */
static struct calibrating_replay replay_rule(const double *d, size_t n, const struct metric *metric, double pct,
					     struct paired_terms terms)
{
	struct calibrating_replay replay = { 0 };
	size_t most = terms.pairs_most ?: PAIRS_MOST, at = 0;
	struct paired p;

	terms.tolerance = judge_tolerance(metric, pct);
	while (at < n && paired_decide(d + at, n - at < most ? n - at : most, false, &terms, &p)) {
		if (!p.decided && n - at < most)
			break;
		replay.comparisons++;
		replay.false_positives += p.verdict == VERDICT_REGRESSION;
		replay.false_improvements += p.verdict == VERDICT_IMPROVEMENT;
		replay.passed += p.verdict == VERDICT_PASS;
		at += p.decided ? p.pairs : most;
	}
	replay.pairs = replay.comparisons ? (double)at / replay.comparisons : NAN;
	return replay;
}

/* -------- the tolerance */

/*
 * Applies the rule to N pairs drawn from the FROM differences of D, less MIDDLE. The tolerance is NaN, so no early
 * look decides.
 */
static struct paired draw_comparison(const double *d, size_t from, double middle, unsigned n, unsigned gates, uint64_t *seed)
{
	const struct paired_terms terms = { .gates = gates, .pairs_most = n, .tolerance = NAN };
	struct paired p = { 0 };
	double drawn[PAIRS_MOST];

	for (unsigned i = 0; i < n; i++) {
		*seed = *seed * 6364136223846793005u + 1442695040888963407u;
		drawn[i] = d[(*seed >> 33) % from] - middle;
	}
	paired_decide(drawn, n, true, &terms, &p);
	return p;
}

static double kept_by_most(double *values)
{
	stats_sort(values, DRAWN);
	return values[(size_t)(KEPT * DRAWN)];
}

double calibrating_tolerance_pct(const struct metric *metric, const double *d, size_t n, unsigned gates)
{
	bool bold = metric->kind == KIND_TIME && n >= CALIBRATING_BOLD;
	double least = bold ? TIME_LEAST_PCT : metric->paired_tolerance_pct, pass[DRAWN], worse[DRAWN], t;
	struct shift all = { .estimate = 0 };
	uint64_t seed = 1;

	signrank_shift(d, n, INTERVAL_ERROR, INTERVAL_ERROR, &all);
	for (size_t i = 0; i < DRAWN; i++) {
		struct paired early = draw_comparison(d, n, all.estimate, CALIBRATING_WITHIN, gates, &seed);
		struct paired late = draw_comparison(d, n, all.estimate, CALIBRATING_LEAST, gates, &seed);

		pass[i] = early.high;
		/*
		 * For a change of twice the tolerance, the bound must be above 0 and the estimate above the
		 * tolerance.
		 */
		worse[i] = fmax(-late.low / 2, -late.estimate);
	}
	t = fmax(kept_by_most(pass), kept_by_most(worse));
	t = 100 * (metric->higher_is_better ? -expm1(-t) : expm1(t));
	/* 1e-9 keeps rounding errors from adding a step. */
	return fmax(ceil(t / STEP_PCT - 1e-9) * STEP_PCT, fmax(least, STEP_PCT));
}

/* -------- one metric */

bool calibrating_judge(const struct gate *gate, const double *base, const double *head, size_t n,
		       const struct paired_terms *terms, struct calibrating *out)
{
	size_t room = 2 * n + 1, kept = 0;
	CLEANUP(free_ptr) double *b = xcalloc(room, sizeof *b), *h = xcalloc(room, sizeof *h);
	CLEANUP(free_ptr) double *d = xcalloc(room, sizeof *d);
	struct calibrating found = {
		.metric = gate->metric, .gated = gate->relative, .by_default = gate->by_default || !gate->relative,
		.tolerance_pct = paired_tolerance_pct(gate, terms->together),
	};

	/* A pair without a value on both sides has no difference, and its values are dropped. */
	for (size_t i = 0; i < n; i++)
		if (!isnan(base[i]) && !isnan(head[i])) {
			b[kept] = base[i];
			h[kept++] = head[i];
		}
	if (kept < 2 || paired_differences(gate->metric, b, h, kept, d) != kept ||
	    !signrank_shift(d, kept, INTERVAL_ERROR, INTERVAL_ERROR, &found.shift))
		return false;
	found.pairs = kept;
	describe_runs(b, h, kept, &found);
	memcpy(b + kept, h, kept * sizeof *b);
	found.median = stats_median(b, 2 * kept);

	found.pair_sd = stats_sd(d, kept);
	found.pair_lag = lag_correlation(d, kept);
	found.p = found.adjusted_p = signrank_p(d, kept);
	for (size_t i = 0; i < CALIBRATING_SIZES; i++)
		found.detectable[i] = paired_power_factor(terms->gates, calibrating_sizes[i]) * found.pair_sd / sqrt(calibrating_sizes[i]);
	found.now = replay_rule(d, kept, gate->metric, found.tolerance_pct, *terms);
	found.false_most = binomial_interval(found.now.false_positives, found.now.comparisons, ALARM_ERROR).high;
	found.found_pct = calibrating_tolerance_pct(gate->metric, d, kept, terms->gates);
	found.then = replay_rule(d, kept, gate->metric, found.found_pct, *terms);
	*out = found;
	return true;
}

/* -------- conclusions */

/* Returns why no tolerance is promised, or NULL. */
static char *why_none(const struct calibrating *item)
{
	unsigned now = item->now.false_positives, then = item->then.false_positives, wrong = now > then ? now : then;

	if (calibrating_biased(item))
		return text_printf("A differs from A here (p %.2g): something favours a side", item->adjusted_p);
	if (item->pairs < CALIBRATING_LEAST)
		return text_printf("%zu pairs are too few to know how far pairs spread; it takes %d", item->pairs,
				   CALIBRATING_LEAST);
	if (wrong)
		return text_printf("the rule called an unchanged program a regression %u time%s", wrong, wrong == 1 ? "" : "s");
	if (item->found_pct > TOLERANCE_MOST_PCT)
		return text_printf("pairs spread by %.1f %%: a comparison could not see changes under %g %%",
				   100 * expm1(item->pair_sd), item->found_pct);
	if (2 * item->then.passed < item->then.comparisons)
		return text_printf("with %g %% only %u of %u comparisons would have passed: the spread changed while it was "
				   "measured", item->found_pct, item->then.passed, item->then.comparisons);
	return NULL;
}

void calibrating_settle(struct calibrating *items, size_t n)
{
	CLEANUP(free_ptr) double *p = xcalloc(n ?: 1, sizeof *p), *adjusted = xcalloc(n ?: 1, sizeof *adjusted);

	for (size_t i = 0; i < n; i++)
		p[i] = items[i].p;
	holm_adjust(p, n, adjusted);
	for (size_t i = 0; i < n; i++) {
		items[i].adjusted_p = adjusted[i];
		free(items[i].reason);
		items[i].reason = why_none(&items[i]);
		if (items[i].reason)
			items[i].found_pct = 0;
	}
}
