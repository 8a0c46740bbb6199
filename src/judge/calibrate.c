#include "judge/judge.h"

#include <math.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "stats/stats.h"

/* See calibrating.h: how often a tolerance must serve, in how many drawn comparisons. */
enum { DRAWN = 500 };
#define KEPT 0.9
#define STEP_PCT 0.5
#define TIME_LEAST_PCT 2.0
/* Beyond this a tolerance says nothing of use. */
#define TOLERANCE_MOST_PCT 20.0
/* What rounding makes of equal logarithms. */
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

/* Of each value with the next; NaN when nothing varies. */
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

/* Of single runs, each side about its own middle. */
static void describe_runs(const double *base, const double *head, size_t n, struct calibrating *out)
{
	CLEANUP(free_ptr) double *b = xcalloc(n, sizeof *b), *h = xcalloc(n, sizeof *h);

	out->run_sd = out->run_lag = NAN;
	if (!take_logs(base, n, b) || !take_logs(head, n, h))
		return;
	out->run_sd = sqrt((pow(stats_sd(b, n), 2) + pow(stats_sd(h, n), 2)) / 2);
	out->run_lag = (lag_correlation(b, n) + lag_correlation(h, n)) / 2;
}

static double middle_of_both(const double *base, const double *head, size_t n)
{
	CLEANUP(free_ptr) double *all = xcalloc(2 * n, sizeof *all);

	memcpy(all, base, n * sizeof *all);
	memcpy(all + n, head, n * sizeof *all);
	return stats_median(all, 2 * n);
}

/* Pairs that did not measure the metric have no difference, and no values here. */
static size_t keep_measured(const double *base, const double *head, size_t n, double *base_out, double *head_out)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!isnan(base[i]) && !isnan(head[i])) {
			base_out[kept] = base[i];
			head_out[kept++] = head[i];
		}
	return kept;
}

/* -------- what the rule would have said */

static void count(enum verdict verdict, struct calibrating_replay *replay)
{
	replay->comparisons++;
	replay->false_positives += verdict == VERDICT_REGRESSION;
	replay->false_improvements += verdict == VERDICT_IMPROVEMENT;
	replay->passed += verdict == VERDICT_PASS;
}

static struct calibrating_replay replay_rule(const double *d, size_t n, const struct paired_terms *terms)
{
	struct calibrating_replay replay = { 0 };
	size_t most = terms->pairs_most ?: PAIRS_MOST, at = 0;
	struct paired p;

	while (at < n && paired_decide(d + at, n - at < most ? n - at : most, false, terms, &p)) {
		if (!p.decided && n - at < most)
			break;
		count(p.verdict, &replay);
		at += p.decided ? p.pairs : most;
	}
	replay.pairs = replay.comparisons ? (double)at / replay.comparisons : NAN;
	return replay;
}

static struct paired_terms with_tolerance(const struct paired_terms *terms, const struct metric *metric, double pct)
{
	const struct gate gate = { .metric = metric, .tolerance_pct = pct };
	struct paired_terms own = *terms;

	own.tolerance = paired_tolerance(&gate);
	return own;
}

/* -------- the tolerance */

static size_t draw(uint64_t *seed, size_t n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (size_t)((*seed >> 33) % n);
}

/* What the rule makes of N pairs drawn from D about MIDDLE; a tolerance that nothing compares with decides nothing early. */
static struct paired draw_comparison(const double *d, size_t from, double middle, unsigned n, unsigned gates, uint64_t *seed)
{
	const struct paired_terms terms = { .gates = gates, .pairs_most = n, .tolerance = NAN };
	struct paired p = { 0 };
	double drawn[PAIRS_MOST];

	for (unsigned i = 0; i < n; i++)
		drawn[i] = d[draw(seed, from)] - middle;
	paired_decide(drawn, n, true, &terms, &p);
	return p;
}

static double kept_by_most(double *values)
{
	stats_sort(values, DRAWN);
	return values[(size_t)(KEPT * DRAWN)];
}

/* On the log scale. */
static double least_tolerance(const double *d, size_t n, unsigned gates)
{
	double pass[DRAWN], worse[DRAWN];
	struct shift all = { .estimate = 0 };
	uint64_t seed = 1;

	signrank_shift(d, n, INTERVAL_ERROR, INTERVAL_ERROR, &all);
	for (size_t i = 0; i < DRAWN; i++) {
		struct paired early = draw_comparison(d, n, all.estimate, CALIBRATING_WITHIN, gates, &seed);
		struct paired late = draw_comparison(d, n, all.estimate, PAIRS_MOST, gates, &seed);

		pass[i] = early.high;
		/* Moved by twice the tolerance, its bound must be above 0 and its estimate above the tolerance. */
		worse[i] = fmax(-late.low / 2, -late.estimate);
	}
	return fmax(kept_by_most(pass), kept_by_most(worse));
}

double calibrating_tolerance_pct(const struct metric *metric, const double *differences, size_t n, unsigned gates)
{
	double t = least_tolerance(differences, n, gates);
	double pct = 100 * (metric->higher_is_better ? -expm1(-t) : expm1(t));
	bool bold = metric->kind == KIND_TIME && n >= CALIBRATING_BOLD;
	double least = bold ? TIME_LEAST_PCT : metric->paired_tolerance_pct;

	/* A hair is no half percent. */
	return fmax(ceil(pct / STEP_PCT - 1e-9) * STEP_PCT, fmax(least, STEP_PCT));
}

/* -------- one metric */

static void describe_pairs(const double *d, size_t n, const struct paired_terms *terms, struct calibrating *out)
{
	const struct paired_terms now = with_tolerance(terms, out->metric, out->tolerance_pct);
	struct paired_terms then;

	out->pair_sd = stats_sd(d, n);
	out->pair_lag = lag_correlation(d, n);
	out->p = out->adjusted_p = signrank_p(d, n);
	out->now = replay_rule(d, n, &now);
	out->false_most = binomial_interval(out->now.false_positives, out->now.comparisons, ALARM_ERROR).high;
	for (size_t i = 0; i < CALIBRATING_SIZES; i++)
		out->detectable[i] = paired_power_factor(calibrating_sizes[i]) * out->pair_sd / sqrt(calibrating_sizes[i]);
	out->found_pct = calibrating_tolerance_pct(out->metric, d, n, terms->gates);
	then = with_tolerance(terms, out->metric, out->found_pct);
	out->then = replay_rule(d, n, &then);
}

bool calibrating_judge(const struct gate *gate, const double *base, const double *head, size_t n,
		       const struct paired_terms *terms, struct calibrating *out)
{
	CLEANUP(free_ptr) double *b = xcalloc(n ?: 1, sizeof *b), *h = xcalloc(n ?: 1, sizeof *h), *d = xcalloc(n ?: 1, sizeof *d);
	struct calibrating found = {
		.metric = gate->metric, .gated = gate->relative, .by_default = gate->by_default || !gate->relative,
		.tolerance_pct = paired_tolerance_pct(gate),
	};

	found.pairs = keep_measured(base, head, n, b, h);
	if (found.pairs < 2 || paired_differences(gate->metric, b, h, found.pairs, d) != found.pairs ||
	    !signrank_shift(d, found.pairs, INTERVAL_ERROR, INTERVAL_ERROR, &found.shift))
		return false;
	found.median = middle_of_both(b, h, found.pairs);
	describe_runs(b, h, found.pairs, &found);
	describe_pairs(d, found.pairs, terms, &found);
	*out = found;
	return true;
}

/* -------- what follows */

static char *words(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static char *words(const char *fmt, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	return strbuf_take(&text);
}

/* Why no tolerance is promised; NULL: nothing speaks against it. */
static char *why_none(const struct calibrating *item)
{
	unsigned wrong = item->now.false_positives > item->then.false_positives ? item->now.false_positives : item->then.false_positives;

	if (calibrating_biased(item))
		return words("A differs from A here (p %.2g): something favours a side", item->adjusted_p);
	if (item->pairs < CALIBRATING_LEAST)
		return words("%zu pairs are too few to know how far pairs spread; it takes %d", item->pairs, CALIBRATING_LEAST);
	if (wrong)
		return words("the rule accused an unchanged program %u time%s", wrong, wrong == 1 ? "" : "s");
	if (item->found_pct > TOLERANCE_MOST_PCT)
		return words("pairs spread by %.1f %%: a comparison could not tell changes under %g %%", 100 * expm1(item->pair_sd),
			     item->found_pct);
	if (2 * item->then.passed < item->then.comparisons)
		return words("with %g %% only %u of %u comparisons would have passed: the spread changed while it was measured",
			     item->found_pct, item->then.passed, item->then.comparisons);
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
