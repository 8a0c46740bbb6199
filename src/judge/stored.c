#include "judge/judge.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "stats/stats.h"

/* One-sided error of each bound. */
#define ALPHA 0.01
/* What logarithms may be off by, as a part of the tolerance, where exactly the tolerance must pass. */
#define ROUNDING 1e-9
enum { RUNS_FOR_RANKS = 5, SESSIONS_FOR_SPREAD = 3 };

/* The shift between two blocks of time that repeating cannot see, on the log scale. */
struct block_spread {
	double unknown_virtual, unknown_bare, least;
};

static const struct block_spread spreads[] = {
	[KIND_TIME] = { .unknown_virtual = 0.15, .unknown_bare = 0.03, .least = 0.01 },
	[KIND_COUNT] = { .unknown_virtual = 0.003, .unknown_bare = 0.003, .least = 0.001 },
	[KIND_RATE] = { .unknown_virtual = 0.03, .unknown_bare = 0.03, .least = 0.01 },
	[KIND_SIZE] = { .unknown_virtual = 0.01, .unknown_bare = 0.01, .least = 0.005 },
};

/*
 * Where runs are too few for an interval: how far beyond every stored run the nearest of now must lie, in the largest of
 * the spreads; and what a spread is at the least, whatever the machine was when the baseline was measured. What other
 * processes can make worse by taking the CPU away needs more of both. Measured, see docs/deciding.md.
 */
#define BEYOND_SPREADS 6
static const struct { double least; size_t stored; } gross[] = {
	{ .least = 0.15, .stored = 1 },		/* CPU time of commands, and what repeats better */
	{ .least = 0.40, .stored = 3 },		/* what waits, and windows */
};

static double session_spread(const struct baseline *base, const char *metric, size_t *n_out)
{
	double medians[SESSIONS_KEPT];
	size_t n = 0;

	for (size_t i = 0; i < base->n_sessions && n < SESSIONS_KEPT; i++) {
		const struct series *series = series_find(&base->sessions[i].series, metric);

		if (series && series->n)
			medians[n++] = log(stats_median(series->values, series->n));
	}
	*n_out = n;
	return stats_sd(medians, n);
}

/*
 * Counts and sizes repeat so well that an unknown spread is an upper bound, not an estimate: it may
 * take up to half of the tolerance, or no pass could ever be proven before the third session.
 */
static double unknown_spread(const struct metric *metric, const struct stored_terms *terms, double tolerance)
{
	bool loose = terms->windows && metric->kind == KIND_COUNT;
	enum metric_kind kind = !loose ? metric->kind : metric->source == SOURCE_HARDWARE ? KIND_RATE : KIND_TIME;
	double spread = terms->virtual_machine ? spreads[kind].unknown_virtual : spreads[kind].unknown_bare;

	return kind == KIND_COUNT || kind == KIND_SIZE ? fmin(spread, tolerance / 4) : spread;
}

static double block_spread(const struct gate *gate, const struct baseline *base, const char *metric,
			   const struct stored_terms *terms, double tolerance)
{
	size_t sessions;
	double spread = session_spread(base, metric, &sessions);

	if (sessions >= SESSIONS_FOR_SPREAD)
		return fmax(spread, spreads[gate->metric->kind].least);
	return unknown_spread(gate->metric, terms, tolerance);
}

static double tolerance_log(const struct gate *gate)
{
	double t = gate->tolerance_pct / 100;

	return gate->metric->higher_is_better ? -log1p(-t) : log1p(t);
}

/* WORSE is signed so that positive is worse; the stored change has the raw sign. */
static void set_change(const struct gate *gate, double worse, double low, double high, struct change *out)
{
	bool flip = gate->metric->higher_is_better;

	out->change_pct = judge_percent(flip ? -worse : worse);
	out->low_pct = judge_percent(flip ? -high : low);
	out->high_pct = judge_percent(flip ? -low : high);
}

static enum verdict decide(double estimate, double low, double high, double tolerance)
{
	if (low > 0 && estimate > tolerance)
		return VERDICT_REGRESSION;
	if (high < 0 && estimate < -tolerance)
		return VERDICT_IMPROVEMENT;
	return high < tolerance ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

/* Zero has no logarithm: a count that was none and now is some has no ratio, only a difference. */
static void compare_from_zero(const struct gate *gate, struct change *out)
{
	bool more = out->current > out->baseline, same = out->current == out->baseline;

	out->by_medians = true;
	out->change_pct = out->low_pct = out->high_pct = same ? 0 : NAN;
	if (same)
		out->verdict = VERDICT_PASS;
	else
		out->verdict = more != gate->metric->higher_is_better ? VERDICT_REGRESSION : VERDICT_IMPROVEMENT;
}

static void compare_medians(const struct gate *gate, double tolerance, struct change *out)
{
	double worse = log(out->current / out->baseline);

	if (gate->metric->higher_is_better)
		worse = -worse;
	out->by_medians = true;
	set_change(gate, worse, worse, worse, out);
	out->verdict = decide(worse, worse, worse, tolerance * (1 + ROUNDING));
	/* Exactly the tolerance is within it. */
	if (out->verdict == VERDICT_INCONCLUSIVE)
		out->verdict = VERDICT_PASS;
}

static double *logs(const double *values, size_t n, double sign)
{
	double *out = xcalloc(n, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = sign * log(values[i]);
	return out;
}

/* Ticks count user and system time each for itself, so a short one is hardly known. */
static bool is_loose(const struct metric *metric, const struct stored_terms *terms)
{
	return terms->windows || metric->waits || !strcmp(metric->name, "user-time") || !strcmp(metric->name, "system-time");
}

/*
 * Too few runs for an interval prove a change all the same when it is gross: when all of them lie beyond every stored
 * run by more than the machine ever does to them. The bound is what is left of the distance then.
 */
static bool is_gross(const struct metric *metric, const double *x, size_t nx, const double *y, size_t ny,
		     const struct stored_terms *terms, double spread, struct shift *shift)
{
	bool loose = is_loose(metric, terms);
	double beyond = BEYOND_SPREADS * fmax(gross[loose].least, fmax(spread, stats_sd(x, nx)));
	double above = stats_least(y, ny) - stats_most(x, nx) - beyond, below = stats_most(y, ny) - stats_least(x, nx) + beyond;

	/* What a program prints may have any tail. */
	if (metric->source == SOURCE_PRINTED || nx < gross[loose].stored || !(above > 0 || below < 0))
		return false;
	if (above > 0)
		shift->low = above;
	else
		shift->high = below;
	return true;
}

static void compare_ranks(const struct gate *gate, const double *x, size_t nx, const double *y, size_t ny,
			  const struct stored_terms *terms, double spread, double tolerance, struct change *out)
{
	double sign = gate->metric->higher_is_better ? -1 : 1;
	double *lx = logs(x, nx, sign), *ly = logs(y, ny, sign);
	struct shift shift = { .estimate = 0, .low = -INFINITY, .high = INFINITY };

	ranksum_shift(lx, nx, ly, ny, ALPHA, &shift);
	out->session_spread_pct = spread * 100;
	out->too_few = isinf(shift.low) || isinf(shift.high);
	if (out->too_few) {
		out->gross = is_gross(gate->metric, lx, nx, ly, ny, terms, spread, &shift);
	} else {
		shift.low -= 2 * spread;
		shift.high += 2 * spread;
	}
	free(lx);
	free(ly);
	set_change(gate, shift.estimate, shift.low, shift.high, out);
	out->verdict = decide(shift.estimate, shift.low, shift.high, tolerance);
	out->gross = out->gross && (out->verdict == VERDICT_REGRESSION || out->verdict == VERDICT_IMPROVEMENT);
}

/* Where zeros leave only the medians, what does not repeat by itself must at least have left its old place. */
static void weaken_medians(const double *x, size_t nx, const double *y, size_t ny, struct change *out)
{
	struct shift shift = { .estimate = 0, .low = -INFINITY, .high = INFINITY };

	ranksum_shift(x, nx, y, ny, ALPHA, &shift);
	if (out->verdict == VERDICT_PASS || shift.low > 0 || shift.high < 0)
		return;
	out->verdict = VERDICT_INCONCLUSIVE;
	out->low_pct = out->high_pct = NAN;
}

static bool all_positive(const double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (values[i] <= 0)
			return false;
	return true;
}

/* What gives the same number each time. */
static bool repeats(const struct metric *metric, const struct stored_terms *terms)
{
	return metric->source == SOURCE_SIMULATED || (metric->kind == KIND_COUNT && !terms->windows);
}

static bool exact(const struct metric *metric, const struct stored_terms *terms, size_t nx, size_t ny)
{
	return metric->source == SOURCE_SIMULATED ||
	       (repeats(metric, terms) && (nx < RUNS_FOR_RANKS || ny < RUNS_FOR_RANKS));
}

/* Ten page faults more are nobody's regression, whatever they are in percent. */
static void forgive_least(const struct gate *gate, struct change *out)
{
	if (out->verdict != VERDICT_REGRESSION && out->verdict != VERDICT_INCONCLUSIVE)
		return;
	if (out->too_few || fabs(out->current - out->baseline) > gate->metric->least || !gate->metric->least)
		return;
	out->verdict = VERDICT_PASS;
	/* No change at all needs no words. */
	out->below_least = out->current != out->baseline;
}

/* As a baseline keeps them, so that what repeats exactly is no change. For free(). */
static double *rounded(const struct metric *metric, const double *values, size_t n)
{
	double *out = xcalloc(n, sizeof *out);

	for (size_t i = 0; i < n; i++)
		out[i] = metric_round(metric, values[i]);
	return out;
}

void stored_compare(const struct gate *gate, const struct baseline *base, const char *metric, const double *measured,
		    size_t n, const struct stored_terms *terms, struct change *out)
{
	const struct metric *source = metric_find(metric) ?: gate->metric;
	double tolerance = tolerance_log(gate), *values = rounded(source, measured, n), *x;
	bool zeros;
	size_t nx;

	x = baseline_values(base, metric, &nx);
	*out = (struct change){ .baseline = stats_median(x, nx), .current = stats_median(values, n) };
	zeros = !all_positive(x, nx) || !all_positive(values, n);
	if (out->baseline <= 0 || out->current <= 0)
		compare_from_zero(gate, out);
	else if (zeros || exact(source, terms, nx, n))
		compare_medians(gate, tolerance, out);
	else
		compare_ranks(gate, x, nx, values, n, terms, block_spread(gate, base, metric, terms, tolerance), tolerance, out);
	if (zeros && !repeats(source, terms))
		weaken_medians(x, nx, values, n, out);
	forgive_least(gate, out);
	free(values);
	free(x);
}
