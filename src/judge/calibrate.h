/*
 * What pairs of one program against itself show of a machine: how far runs and pairs spread, how often the paired rule
 * would have called an unchanged program a regression, the smallest change it can see, and the tolerance that follows.
 *
 * 	calibrating_judge() for every metric -> calibrating_settle() for all of them together
 *
 * The tolerance is the least, in halves of a percent, with which nine of ten comparisons would let an unchanged
 * program pass at the look after 20 pairs, and find a regression in one that is worse by twice as much at the look
 * after 40. The comparisons are drawn from the pairs that were measured, with replacement, after their own middle was
 * taken from them: an outlier now and then, which ranks hardly notice, would make any formula of the standard
 * deviation promise too little. Twenty pairs are half of what a comparison may take, so an hour with twice the
 * variance is still decided. It is never under 2 % for times: link orders of one program differ by that. From fewer
 * than 120 pairs, and of other metrics, it is never under that of the catalogue.
 */
#ifndef PAWL_JUDGE_CALIBRATE_H
#define PAWL_JUDGE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/pairs.h"
#include "model/gate.h"
#include "stats/stats.h"

enum {
	CALIBRATING_LEAST = 40,		/* fewer pairs promise nothing: they are hardly one comparison */
	CALIBRATING_BOLD = 120,		/* fewer pairs promise no tolerance under the default: the next ones may spread more */
	CALIBRATING_WITHIN = 20,	/* pairs in which an unchanged program passes nine times of ten */
	CALIBRATING_SIZES = 4,
};

/* How many pairs detectable[] is about. */
extern const unsigned calibrating_sizes[CALIBRATING_SIZES];	/* 10, 20, 30, 40 */

/* The pairs, cut into comparisons one after the other, each as long as the rule would have made it. */
struct calibrating_replay {
	unsigned comparisons;	/* complete ones */
	unsigned false_positives, false_improvements;	/* of an unchanged program neither is true */
	unsigned passed;
	double pairs;		/* that a comparison took on average; NaN without any */
};

struct calibrating {
	const struct metric *metric;	/* not owned */
	bool gated;			/* else it is only shown */
	bool per_work;			/* the values are per unit of work; set by whoever gave them */
	bool by_default;		/* the gate's tolerance is not the scenario's own, so a calibrated one would be used */
	double tolerance_pct;		/* what comparisons use now */
	size_t pairs;
	double median;			/* of all runs, in the metric's unit */
	double run_sd, pair_sd;		/* log scale; run_sd is NaN where a value is 0 */
	double run_lag, pair_lag;	/* correlation of neighbours: of a side's runs, and of pairs; NaN without any spread */
	struct shift shift;		/* head against base over all pairs, log scale, positive is worse; each bound wrong in 2.5 % */
	double p, adjusted_p;		/* of no difference; adjusted for all metrics by calibrating_settle() */
	struct calibrating_replay now, then;	/* with tolerance_pct; with `found_pct`, where there is one */
	double false_most;		/* more than this share of false positives is ruled out (with an error of 5 %) */
	double detectable[CALIBRATING_SIZES];	/* log scale: seen four times of five in so many pairs */
	double found_pct;		/* the tolerance that follows; 0: none is promised */
	char *reason;			/* why none is; else NULL */
};

/*
 * N values of each side, in order, of pairs of one program; NaN: not measured. GATE's metric and tolerance count, of
 * TERMS all but the tolerance. False, writing nothing, for fewer than two differences, more than SIGNRANK_MOST, or
 * one that is not finite.
 */
bool calibrating_judge(const struct gate *gate, const double *base, const double *head, size_t n,
		       const struct paired_terms *terms, struct calibrating *out);
/*
 * Holm's correction over all of them; then the tolerance of each, or the reason why none is promised: too few pairs,
 * a side that is favoured, a false positive, or a spread that no tolerance of use follows from.
 */
void calibrating_settle(struct calibrating *items, size_t n);
void calibrating_release(struct calibrating *item);
/* True when A differs from A for sure: something favours a side. */
bool calibrating_biased(const struct calibrating *item);
/* The tolerance, in percent, from N differences (at least one, all finite); GATES as in struct paired_terms. */
double calibrating_tolerance_pct(const struct metric *metric, const double *differences, size_t n, unsigned gates);


#endif
