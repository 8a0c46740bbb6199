/*
 * The pairing of a scenario holds both sides; its gates are filled as judge_scenario() fills them from a baseline,
 * and its profile, symbols and explanation are judged against the base's side.
 *
 * 	judge_pairs_next_look() after each look -> judge_pairs() once no more pairs come
 *
 * Simulated metrics and budgets need no pairs: they are compared, or checked, by the medians of both sides.
 */
#ifndef PAWL_JUDGE_PAIRS_H
#define PAWL_JUDGE_PAIRS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/result.h"

/* True for what pairs can decide: relative to the base, and counted in every run. */
bool judge_pair_applies(const struct gate *gate);
/* How many of N gates that is, for m. */
unsigned judge_pairs_gates(const struct gate *gates, size_t n);
/* The pairs after which to look next at SCENARIO's pairing; 0: every gate is decided, or no look is left. */
unsigned judge_pairs_next_look(const struct scenario_result *scenario);
/*
 * About how many more pairs the gate that is nearest to its decision wants; INFINITY: none can be decided on this
 * machine.
 */
double judge_pairs_missing(const struct scenario_result *scenario);
/*
 * J becomes GATE's: in pairs where that applies, simulated values and limits by the medians of both sides. False when
 * the sides gave nothing to judge by, with the reason in J.
 */
bool judge_pair(const struct gate *gate, struct judgement *j, struct scenario_result *s, const struct machine *machine);
/*
 * All gates of a scenario that was measured in pairs only. BASE is the base's side as if it had been accepted, for
 * symbols and what explains a change.
 */
void judge_pairs(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * Confirming: SCENARIO was compared with a stored baseline, which for times proves little. A gate wants confirming when
 * it is judged in pairs by nature (a time, or what depends on the CPU where the baseline is of another class) and the
 * stored comparison called it a regression or was inconclusive, or was not possible for the class. What is gross needs
 * no confirming.
 */
bool judge_pairs_wants_confirming(const struct scenario_result *scenario, const struct gate_result *gate);
/*
 * Those gates are judged by the scenario's pairing too, which then counts; the stored judgement stays beside it.
 * Gates that did not want confirming are as they were. The explanation becomes that of the pairs.
 */
void judge_pairs_confirm(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * "wall-time is 25.6 times as long although CPU time fell: ...", where it is surely longer, by more than a fifth, for
 * which its CPU time does not account, while no gate of S regressed. It is too noisy to fail a build by, but a program
 * that waits much longer is not to be called faster in silence. False, writing nothing, where that is not so, wall time
 * is gated, or windows have a length of their own.
 */
bool pair_wall_words(const struct scenario_result *s, struct strbuf *out);

/*
 * The paired rule, on numbers alone: differences of adjacent pairs against a tolerance, at a few planned looks.
 *
 * d = ln(head / base) per pair, signed so that positive is worse. The estimate is the Hodges-Lehmann middle, the bounds
 * are exact signed-rank ones. Looks come after n1, 20, 30, 40 and 60 pairs, where n1 = max(11, ceil(log2(4m / 0.002))) and
 * m counts all gates that are judged in pairs: the fewest pairs that can prove anything at the error of a look. That is
 * 0.002 / 4m for a regression, half of it at 40 and 60, and 0.02 for a pass. With another number of pairs at the most, the
 * last look is there, and those beyond it are left out. Pairs whose sides ran at once are looked at after 6, 8, 10 and 15,
 * too, only to pass.
 *
 *	worse than the floor for sure, and more than the tolerance by the estimate	regression
 *	better than the floor for sure, and by more than the tolerance			improvement
 *	surely not worse by more than the tolerance					pass
 *	else the next look; after the last						inconclusive
 *
 * A gate's verdict is that of the first look that decides it, whatever pairs are measured afterwards for others. Exception:
 * where both sides do the same work by exact counts, a regression of less than twice the tolerance waits for the last look.
 */

/* Where the last look is, unless somebody asks for another number of pairs. */
enum { PAIRS_MOST = 60 };

struct paired_terms {
	unsigned gates;		/* m; 0 counts as 1 */
	unsigned pairs_most;	/* the last look; 0: PAIRS_MOST; at most SIGNRANK_MOST counts */
	bool together;		/* the sides of a pair were measured at once */
	bool same_work;		/* a time, and exact counts agree on both sides, see judge_same_work() */
	double floor;		/* log scale; at least so much worse for sure: 0 unless layout luck must not count */
	double tolerance;	/* log scale, see paired_tolerance() */
};

struct paired {
	enum verdict verdict;	/* of this gate; VERDICT_INCONCLUSIVE also while undecided */
	bool decided;		/* at a look */
	unsigned pairs;		/* those the numbers below rest on: of the deciding look, or all */
	double estimate;		/* log scale, positive is worse, as are the bounds */
	double low, high;	/* low at the error of a regression, high at that of a pass, of an improvement the other way
				   round; infinite where pairs are too few */
	double detectable;	/* log scale: the smallest change seen four times of five in so many pairs; NaN under ten */
	double more;		/* about so many more pairs would decide, or are needed for the first look when they are too few;
				   INFINITY: more than four times pairs_most in all; NaN: decided */
	bool too_few;		/* fewer than a regression needs, and no pass */
	bool doubted;		/* a regression so far as times show, of less than twice the tolerance, with the same work */
};

/* The fewest pairs by which one of so many gates can be a regression; pairs taken together may pass before. */
unsigned paired_first_look(unsigned gates);
/* The next look after N pairs, whatever it may decide; 0: there is none. */
unsigned paired_next_look(const struct paired_terms *terms, unsigned n);
/*
 * The tolerance of GATE on the log scale; by default it is the catalogue's for pairs, and narrower where their sides were
 * measured TOGETHER. And in percent, as reports show it.
 */
double paired_tolerance(const struct gate *gate, bool together);
double paired_tolerance_pct(const struct gate *gate, bool together);
/*
 * The smallest change that N pairs show four times of five where one gate is judged, in standard errors of their mean; that of
 * eleven where N is less.
 */
double paired_power_factor(size_t n);
/*
 * What N differences show, of which the first ones were measured first. ENDED: no more are coming, so all of them are
 * looked at once more where the last planned look was not reached. False, writing nothing, when N is 0 or one is not
 * finite.
 */
bool paired_decide(const double *differences, size_t n, bool ended, const struct paired_terms *terms, struct paired *out);
/*
 * The differences of METRIC's values, N of each side, in order; positive is worse. A pair that did not measure it
 * (NaN on a side), or a negative number, which has no ratio, is left out. Zero has no logarithm: beside another
 * number it counts as half of the least that is more than nothing (an event, a microsecond, a page, a millionth of a
 * quotient), or half of that number where it is smaller still; beside a zero the difference is 0. A difference
 * depends on its own pair alone, so that pairs that come later change no verdict. Returns how many there are in OUT,
 * which has room for N.
 */
size_t paired_differences(const struct metric *metric, const double *base, const double *head, size_t n, double *out);

#endif
