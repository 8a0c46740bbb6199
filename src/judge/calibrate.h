/*
 * Measures the noise of a machine from pairs of one program against itself. Finds how far runs and pairs spread, how
 * often the paired rule would have called an unchanged program a regression, the smallest change it can detect, and
 * the tolerance that follows.
 *
 *	calibrating_judge() for every metric -> calibrating_settle() for all of them together
 *
 * The tolerance is a multiple of half a percent: the smallest that serves nine of ten comparisons. It must let an
 * unchanged program pass at the look after 20 pairs. It must also find a program that is worse by twice the tolerance
 * at the look after 40 pairs. Twenty pairs are half of the pairs that a comparison may take, so an hour with twice
 * the variance is still decided.
 *
 * The comparisons are drawn with replacement from the measured pairs, after subtracting their median. A formula of
 * the standard deviation would promise too little, because of occasional outliers that ranks hardly notice.
 *
 * Times never get less than 2 %, because link orders of one program differ by that. Fewer than 120 pairs, and metrics
 * other than times, never get less than the catalogue's tolerance.
 */
#ifndef PAWL_JUDGE_CALIBRATE_H
#define PAWL_JUDGE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "judge/pairs.h"
#include "model/gate.h"
#include "stats/stats.h"

enum {
	CALIBRATING_LEAST = 40,		/* fewer pairs promise nothing: they hardly make one comparison */
	CALIBRATING_BOLD = 120,		/* fewer pairs promise no tolerance under the default: later pairs may spread more */
	CALIBRATING_WITHIN = 20,	/* pairs within which an unchanged program passes nine times of ten */
	CALIBRATING_SIZES = 4,
};

/* Numbers of pairs for detectable[]. */
extern const unsigned calibrating_sizes[CALIBRATING_SIZES];	/* 10, 20, 30, 40 */

/* The pairs cut into consecutive comparisons, each as long as the rule would have made it. */
struct calibrating_replay {
	unsigned comparisons;	/* complete ones */
	unsigned false_positives, false_improvements;	/* both wrong for an unchanged program */
	unsigned passed;
	double pairs;		/* mean per comparison; NaN without any */
};

struct calibrating {
	const struct metric *metric;	/* not owned */
	bool gated;			/* false: only shown */
	bool per_work;			/* values are per unit of work; set by the caller */
	bool by_default;		/* the gate uses the default tolerance, so a calibrated one would replace it */
	double tolerance_pct;		/* in use now */
	size_t pairs;
	double median;			/* of all runs, in the metric's unit */
	double run_sd, pair_sd;		/* log scale; run_sd is NaN if a value is 0 */
	double run_lag, pair_lag;	/* correlation of neighbours: of a side's runs, and of pairs; NaN without any spread */
	struct shift shift;		/* head against base over all pairs, log scale, positive is worse; each bound wrong in 2.5 % */
	double p, adjusted_p;		/* of no difference; adjusted for all metrics by calibrating_settle() */
	struct calibrating_replay now, then;	/* with tolerance_pct; with found_pct, if it is not 0 */
	double false_most;		/* upper bound on the share of false positives, with an error of 5 % */
	double detectable[CALIBRATING_SIZES];	/* log scale: changes found four times of five in calibrating_sizes[] pairs */
	double found_pct;		/* the resulting tolerance; 0: none */
	char *reason;			/* why found_pct is 0; else NULL */
};

/*
 * Describes N pairs of one program, given as values of each side in order; NaN means not measured. Uses GATE's metric
 * and tolerance, and all of TERMS but its tolerance. Returns false and writes nothing for fewer than two differences,
 * more than SIGNRANK_MOST, or a difference that is not finite.
 */
bool calibrating_judge(const struct gate *gate, const double *base, const double *head, size_t n,
		       const struct paired_terms *terms, struct calibrating *out);
/*
 * Applies Holm's correction over all items, then sets the tolerance of each, or the reason for having none. Reasons
 * are too few pairs, a favoured side, a false positive, or a spread that leads to no useful tolerance.
 */
void calibrating_settle(struct calibrating *items, size_t n);
void calibrating_release(struct calibrating *item);
/* True if the program differs from itself beyond chance: something favours one side. */
bool calibrating_biased(const struct calibrating *item);
/*
 * Returns the tolerance in percent from N differences, at least one and all finite. GATES is as in struct
 * paired_terms.
 */
double calibrating_tolerance_pct(const struct metric *metric, const double *differences, size_t n, unsigned gates);

#endif
