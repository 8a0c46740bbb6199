/*
 * Judges a scenario measured in pairs. Its pairing holds both sides. The gates are filled as by judge_scenario(). The
 * profile, symbols and explanation are judged against the base's side.
 *
 *	judge_pairs_next_look() after each look -> judge_pairs() once no more pairs come
 *
 * Simulated metrics and budgets need no pairs: they use the medians of both sides.
 */
#ifndef PAWL_JUDGE_PAIRS_H
#define PAWL_JUDGE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/result.h"

/* True for gates that pairs can decide: relative to the base, and counted in every run. */
bool judge_pair_applies(const struct gate *gate);
/* Returns the number of such gates among N, which is m. */
unsigned judge_pairs_gates(const struct gate *gates, size_t n);
/* Returns the number of pairs at SCENARIO's next look; 0 if every gate is decided or no look is left. */
unsigned judge_pairs_next_look(const struct scenario_result *scenario);
/* True if more pairs may decide GATE of SCENARIO. */
bool judge_pairs_undecided(const struct scenario_result *scenario, const struct gate_result *gate);
/*
 * Estimates how many more pairs the gate nearest to its decision needs; INFINITY if none can be decided on this
 * machine.
 */
double judge_pairs_missing(const struct scenario_result *scenario);
/*
 * Judges GATE into J: in pairs if that applies, simulated values and limits by the medians of both sides. Returns
 * false, with the reason in J, if the sides have nothing to judge by.
 */
bool judge_pair(const struct gate *gate, struct judgement *j, struct scenario_result *s, const struct machine *machine);
/*
 * Judges all gates of a scenario measured in pairs only. BASE is the base's side in the form of a baseline, for
 * symbols and explanations.
 */
void judge_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * True if GATE, compared with a stored baseline, needs confirming in pairs: stored times prove little. This holds for
 * times whose stored comparison found a change or was inconclusive. It also holds for metrics that depend on the CPU
 * if the baseline is of another class. A gross change needs no confirming. With the accepted build at hand, pairs also
 * decide times that the stored comparison passes: its limit is wide, and small changes add up. A count wants it if it
 * regressed, or if its baseline was simulated by another valgrind or C library.
 */
bool judge_pairs_wants_confirming(const struct scenario_result *scenario, const struct gate_result *gate);
/* True if one of them is a count of an additional run, see metric_repeats(), which both sides then need. */
bool judge_pairs_wants_counts(const struct scenario_result *scenario);
/*
 * Judges those gates by the scenario's pairing, which then counts. The stored judgement is kept as well. Other gates
 * do not change. The explanation becomes that of the pairs.
 */
void judge_pairs_confirm(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * Writes a warning such as "wall-time is 25.6 times as long although CPU time fell: ...". Wall time is too noisy to
 * fail a build, but a program that waits much longer must not pass silently. The warning needs a rise of more than a
 * fifth, beyond chance, that CPU time does not explain, and no regression in S. Otherwise returns false and writes
 * nothing; also if wall time is gated, or windows have a fixed length.
 */
bool pair_wall_words(const struct scenario_result *s, struct strbuf *out);

/*
 * The paired rule, on numbers alone: differences of adjacent pairs against a tolerance, at a few planned looks.
 *
 * d = ln(head / base) per pair, signed so that positive is worse. The estimate is the Hodges-Lehmann median. The
 * bounds are exact signed-rank bounds.
 *
 * Looks come after n1, 20, 30, 40 and 60 pairs. n1 = max(11, ceil(log2(4m / 0.002))) is the smallest number of pairs
 * that can prove anything at the error of a look; m counts all gates judged in pairs. The error of a look is 0.002 /
 * 4m for a regression, half of that at 40 and 60, and 0.02 for a pass. A different maximum of pairs moves the last
 * look there and drops the looks beyond it. Pairs whose sides ran at once have extra looks after 6, 8, 10 and 15
 * pairs, which can only pass.
 *
 *	worse than the floor within bounds, and more than the tolerance by the estimate	regression
 *	better than the floor within bounds, and by more than the tolerance		improvement
 *	not worse by more than the tolerance within bounds				pass
 *	else the next look; after the last						inconclusive
 *
 * If an improvement is an answer, too (BOTH_WAYS), a pass before the last look must also exclude one by more than the
 * tolerance, with the same error.
 *
 * A claim of an improvement is decided otherwise. Its bounds have the errors that an improvement's have.
 *
 *	better than the claim and the floor within bounds		improvement: it is proven
 *	better by less than the claim within bounds			regression: it is refuted; also at a look that can only pass
 *
 * A gate's verdict is that of the first look that decides it. Later pairs, measured for other gates, do not change
 * it. Exception: if exact counts show the same work on both sides, a regression of less than twice the tolerance
 * waits for the last look.
 */

/* Pairs at the last look by default. */
enum { PAIRS_MOST = 60 };

struct paired_terms {
	unsigned gates;		/* m; 0 counts as 1 */
	unsigned pairs_least;	/* no look comes earlier */
	unsigned pairs_most;	/* pairs at the last look; 0: PAIRS_MOST; capped at SIGNRANK_MOST */
	bool together;		/* the sides of a pair ran at once */
	bool both_ways;		/* a pass claims that there is no improvement either */
	bool same_work;		/* a time, and exact counts are equal, see judge_same_work() */
	double floor;		/* log scale: the bound of a regression must exceed it; 0 unless layout luck must not count */
	double tolerance;	/* log scale, see paired_tolerance() */
	double claim;		/* log scale, see judge_claim(); 0: none */
};

struct paired {
	enum verdict verdict;	/* VERDICT_INCONCLUSIVE also while undecided */
	bool decided;		/* at a look */
	unsigned pairs;		/* pairs behind the numbers below: those of the deciding look, or all */
	double estimate;		/* log scale, positive is worse, as are the bounds */
	double low, high;	/* low at the error of a regression, high at that of a pass; swapped for an improvement; both at that of a pass if it
				   holds both ways; infinite with too few pairs */
	double detectable;	/* log scale: the smallest change found four times of five in `pairs` pairs; NaN under ten */
	double more;		/* pairs still needed, about; too_few: for the first look; INFINITY: over four times pairs_most in all; NaN: decided */
	bool too_few;		/* fewer than a regression needs, and not a pass */
	bool doubted;		/* by times a regression of less than twice the tolerance, but with the same work */
};

/* Returns the fewest pairs that can show a regression of one of GATES gates. Pairs taken at once may pass earlier. */
unsigned paired_first_look(unsigned gates);
/* Returns the next look after N pairs, of any kind; 0 after the last. */
unsigned paired_next_look(const struct paired_terms *terms, unsigned n);
/*
 * Return the tolerance of GATE on the log scale, and in percent as reports show it. The default is the catalogue's
 * for pairs, which is narrower for sides measured TOGETHER.
 */
double paired_tolerance(const struct gate *gate, bool together);
double paired_tolerance_pct(const struct gate *gate, bool together);
/*
 * Returns the smallest change that N pairs show four times of five in one of GATES gates, in standard errors of their
 * mean. N before the first look counts as that.
 */
double paired_power_factor(unsigned gates, size_t n);
/*
 * Applies the rule to N differences, in the order of measurement. ENDED means that no more are coming: they get a
 * last look even between planned looks. Returns false and writes nothing if N is 0 or a difference is not finite.
 */
bool paired_decide(const double *differences, size_t n, bool ended, const struct paired_terms *terms, struct paired *out);
/*
 * Fills OUT, which has room for N, with the differences of METRIC's values and returns their number. Positive is
 * worse. BASE and HEAD hold N values each, in order. Pairs with a NaN or a negative number are left out.
 *
 * Zero has no logarithm. Against another number it counts as half of the smallest unit (an event, a microsecond, a
 * page, a millionth of a quotient), or as half of that number if it is smaller. Two zeros differ by 0.
 *
 * A difference depends on its own pair alone, so later pairs do not change a verdict.
 */
size_t paired_differences(const struct metric *metric, const double *base, const double *head, size_t n, double *out);

#endif
