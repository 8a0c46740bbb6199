/*
 * Verdicts: runs are compared with a stored baseline or in pairs, and symbols' shares with both; what changed is
 * explained; calibrations are decided. Each section is the file of its name. docs/deciding.md has the
 * rules in words.
 */
#ifndef PAWL_JUDGE_JUDGE_H
#define PAWL_JUDGE_JUDGE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "model/baseline.h"
#include "model/changes.h"
#include "model/gate.h"
#include "model/result.h"
#include "stats/stats.h"

/* Of profile/evidence.h. */
struct code;
struct evidence;
struct work;

/* -------- judge */

/*
 * Judge each measured scenario by judge_scenario(), or by judge_pairs() where it was measured in pairs alone; then call
 * judge_together() once, then result_settle(). Judging again replaces what was there.
 */

/*
 * Fill the gates' verdicts and the explanation of SCENARIO, whose gates were added with their tolerances. BASE is the
 * accepted baseline, or NULL when there is none (verdict `new`).
 */
void judge_scenario(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);

/*
 * What only shows over all scenarios. On a busy machine what waits for a CPU became worse whatever the program did, so
 * regressions of that become inconclusive; in pairs both sides waited. When everything moved together, a note suspects
 * the machine.
 */
void judge_together(struct result *result);

/* Add a line to the explanation of the scenario result S. */
#define EXPLAIN(s, ...) arena_pushf(&(s)->arena, &(s)->explanation, __VA_ARGS__)

/* -------- gate: what judging against stored runs and judging in pairs do alike */

/*
 * The metric by whose values of SIDE a gate on METRIC is judged: its own, or its simulated metric where it has none.
 * Where it is known how many operations there were, what grows with them is normalised. SIDE may have no value of it.
 */
const struct metric *judge_choose_values(const struct metric *metric, const struct side_result *side);

/* Add a reason to J, a judgement of S, behind those it has. */
void judge_reason(struct scenario_result *s, struct judgement *j, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The reason why no run of SIDE has a value of J's metric. */
void judge_missing(struct scenario_result *s, struct judgement *j, const struct side_result *side,
		   const struct machine *machine);
bool judge_same_class(const struct machine *machine, const struct baseline *base);
/* The same, or METRIC's values may come from two classes of machines; else J has the reason why not. */
bool judge_class_allows(struct scenario_result *s, struct judgement *j, const struct machine *machine,
			const struct baseline *base, const struct metric *metric);

/* What logarithms may be off by, as a part of the tolerance, where exactly the tolerance must pass. */
#define JUDGE_ROUNDING 1e-9
/* How much worse TOLERANCE_PCT allows on the log scale: ln(1+x) of +x%, -ln(1-x) of -x%. */
double judge_tolerance(const struct metric *metric, double tolerance_pct);
/* J's change and its bounds, from the log scale, where positive is worse, to percent with the raw sign. */
void judge_set_change(struct judgement *j, double estimate, double low, double high);
/*
 * Ten page faults more are nobody's regression, whatever they are in percent. True when VERDICT, of a change by
 * DIFFERENCE, in the metric's unit, is to be a pass since less than LEAST (0: any change) does not count.
 */
bool judge_below_least(enum verdict verdict, double difference, double least);
/* Then J passes, with the reason. */
void judge_pass_small(struct scenario_result *s, struct judgement *j);
/*
 * True if HEAD does the same work as the other side, by what is counted exactly: instructions, to 0.01 %, and page faults and
 * allocations where both sides have them. The other side is BASE, or where that is NULL the STORED baseline.
 */
bool judge_same_work(const struct side_result *head, const struct side_result *base, const struct baseline *stored);

/* How J lies outside GATE's absolute limits; NULL within them. */
const char *judge_beyond_budget(const struct gate *gate, const struct judgement *j);
/* Beyond its limits a gate fails whatever its change; a gate that has nothing but limits passes within them. */
void judge_check_budget(struct scenario_result *s, const struct gate *gate, struct judgement *j);
/*
 * A run of S was ended at its timeout, TIMED_OUT_MS: how much slower it is nobody knows, but surely slower than what
 * took less than a tenth of that in each of N runs, a few, WHOSE wall times are given. True: then J, of GATE on a
 * time, is a regression.
 */
bool judge_overrun(const struct gate *gate, struct judgement *j, struct scenario_result *s, double timed_out_ms,
		   const double *walls, size_t n, const char *whose);
/* Lower IPC with less work in less time is no regression. BASE may be NULL: then nothing is forgiven. */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base);
/*
 * SCENARIO failed, and that is no fault of the measured tree's: WHY, to which the failure is added. Its gates are
 * not measured, and none of them has to be; those that compare are new where NEW.
 */
void judge_excuse(struct scenario_result *scenario, const char *why, bool new);
struct gate_result *judge_find_gate(struct scenario_result *s, const struct metric *metric);

/* -------- stored */

/*
 * The stored rule: runs of now against the sessions of a baseline, metric by metric.
 *
 * The estimate is the Hodges-Lehmann shift of the logarithms; its rank-sum bounds (1 % error a side) are widened on
 * both sides by twice the spread of session medians, because the same program measured in another block of time is
 * shifted however often it is repeated. Counts with fewer than five runs a side compare medians with the tolerance.
 * Other runs that are too few for bounds decide only what is gross: all of them beyond every stored run by a multiple
 * of every spread.
 *
 * A command does the same each time it is run; a window on a service catches what happens in it. So counts of windows
 * are never compared by their medians alone, and between two sessions move like times, or like rates where the CPU
 * counts them.
 */

/* Judges G by S's runs, against BASE where it compares; NULL: there is no baseline yet. */
void judge_stored(struct gate_result *g, struct scenario_result *s, const struct machine *machine,
		  const struct baseline *base);
/*
 * The comparison alone: N values that S measured of J's metric, at least one, against those of BASE, which must hold
 * some too. Sets the verdict, numbers and reason of J, which is GATE's, by its tolerance.
 */
void stored_compare(const struct gate *gate, struct judgement *j, struct scenario_result *s,
		    const struct machine *machine, const struct baseline *base, const double *values, size_t n);

/* -------- pairs */

/*
 * The pairing of a scenario holds both sides; its gates are filled as judge_scenario() fills them from a baseline,
 * and its profile, symbols and explanation are judged against the base's side.
 *
 *	judge_pairs_next_look() after each look -> judge_pairs() once no more pairs come
 *
 * Simulated metrics and budgets need no pairs: they are compared, or checked, by the medians of both sides.
 */

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

/* -------- symbols */

/*
 * Judging the profile: gates.symbols, gates.budgets, and which symbols account for a change. The verdicts become rows
 * of scenario->gates, on metrics called "symbols", "symbol GLOB" and "dso GLOB" whose values are shares from 0 to 1 and
 * whose changes are percentage points; what was found of each symbol becomes scenario->symbols.
 */

/*
 * Call it when the other gates are judged: what fails among them is explained by symbols, in front of what explanation
 * there is. Rows and symbols of an earlier judgement are replaced. BASE may be NULL.
 */
void judge_symbols(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * Whether SCENARIO's profile shows enough, and need not grow to WANTED samples: a symbol regressed beyond doubt, or
 * of all that are judged each passes without having risen by so much that it may still turn out to be a regression with as many as that,
 * or would stay open, since its runs differ by more than samples do. False
 * where there is nothing to compare with: then it is for others to be compared with.
 */
bool judge_symbols_settled(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base,
			   uint64_t wanted);
/* Only the explanation: rows and symbols stay those that were judged before. */
void judge_symbols_account(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base);
/*
 * What only shows over all scenarios. Among many scenarios, chance has many tries: what would not be called worse
 * there no longer is; nor are the scheduler and interrupts of a busy machine. Baselines from before there were
 * profiles are noted once.
 */
void judge_symbols_together(struct result *result);

/* -------- symbol_rule: the symbols of two profiles side by side, and the rule for one */

/* What the whole of a profile stands for on both sides, by which shares become costs. */
struct cost {
	const struct metric *metric;	/* task-clock, else instructions; NULL: neither is known on both sides */
	double now, before;		/* medians; NaN unknown. `now` may be known where `before` is not */
	double now_error, before_error;	/* one standard error of them, as their runs scatter */
	bool per_work;
	/*
	 * The clock's first tick comes a whole period after a program's start. Where the profiles were taken at two
	 * frequencies, the part of an execution that only one of them sees, 0 to 1: a share may rise by so much by itself.
	 */
	double unseen;
};

/* BASE may be NULL, or of another machine whose values are not to be compared: then only `now` is known. */
void cost_find(const struct scenario_result *scenario, const struct baseline *base, struct cost *out);
/* "6.1 ms", "310 us", "12.4 M instructions". Unsigned: the caller adds more or less. */
struct cost_text { char text[64]; } cost_text(double amount, const struct metric *metric);

struct symbol_pair {
	const struct profile_symbol *now, *before;	/* NULL: not in that profile; never both */
	double share, base_share;			/* 0 to 1; NaN where there is no such profile */
	double share_error, base_share_error;		/* one standard error of each */
	struct share_change change;
	/* The most that it may have risen by itself: its missing side is too light to be listed there, or not seen, see struct cost. */
	double unlisted;
	double agreement;				/* of the runs of both sides that it rose, 0 to 1 */
	double cost, base_cost, cost_error;		/* in the cost's metric; NaN unknown */
	/*
	 * Its code has its symbols on one side only, as when one of two builds was stripped: the "[unknown]" that
	 * stands for all of it, which may be this pair itself; or NULL.
	 */
	const struct symbol_pair *unnamed;

	/* Filled by judging: */
	bool judged;				/* one of the hottest of either side */
	enum verdict verdict;
	enum symbol_change change_kind;
	const struct symbol_pair *moved;	/* SYMBOL_MOVED: to or from which, most of it; NULL: what it calls */
	char *reason;				/* a sentence about it, or NULL */
};

struct symbol_pairs {
	struct symbol_pair *items;	/* those of now, heaviest first, then what vanished, heaviest first */
	size_t n;
};

/*
 * profile_find_same() knows which symbols are the same; functions of scripts without a name are matched by how their
 * file's functions moved. BEFORE may be NULL, then nothing has changed. Kinds of change are set; nothing is judged.
 */
void symbol_pairs_build(const struct profile *now, const struct profile *before, const struct cost *cost,
			struct symbol_pairs *out);
void symbol_pairs_release(struct symbol_pairs *pairs);
/* Its name now, else as it was. */
const struct profile_symbol *symbol_pair_shown(const struct symbol_pair *pair);
/*
 * What sentences call it, for free(): not longer than a line, and with its file where the name alone means nothing.
 * What stands for a whole file goes by the file's name.
 */
char *symbol_pair_name(const struct symbol_pair *pair);

/* z score of a share's change beyond which a symbol regressed; the second where SYMBOL_MANY scenarios are judged. */
#define SYMBOL_Z_WORSE 3.1
#define SYMBOL_Z_WORSE_MANY 3.9
enum { SYMBOL_MANY = 20 };
/* The same while more samples can be had: so little may go wrong at each look that the last one's error stays what it is. */
#define SYMBOL_Z_EARLY 4.0
/* And below which no more are needed of what passes. It counts phi 2, so that of plain chance it is half as much again. */
#define SYMBOL_Z_HARMLESS 1.5
/* z score below which a change is within what samples leave open: the symbol passes, and has not changed. */
#define SYMBOL_Z_PASS 2.0
/*
 * On a busy machine the shares of unchanged code shift from one hour to another beyond what samples leave open: by one
 * standard deviation of so much times p(1 - p).
 */
#define SYMBOL_BUSY_SHIFT 0.05
/* What the kernel's scheduler and interrupts are called together, see name_comparable(). */
#define SYMBOL_SCHEDULER "[kernel]"

struct symbol_terms {
	const struct symbol_gate *gate;
	const struct cost *cost;
	const struct profile *now, *before;
	const char *work;		/* what a cost is of: "run", "request" */
};

/* A rise with this standard error exceeds TOLERANCE, and surely half of it, at Z standard errors; all in one unit. */
bool symbol_exceeds(double rise, double error, double z, double tolerance);
/*
 * Sets verdict and reason of a pair whose profiles both have enough samples and runs: a regression when share and
 * cost both rose beyond the tolerance, surely beyond half of it, in two thirds of the pairs of runs; a pass when
 * twice the tolerance is out of reach, or what so many samples can show where that is more; else inconclusive, with
 * the samples it takes.
 */
void symbol_judge(struct symbol_pair *pair, const struct symbol_terms *terms);
/*
 * Code that went from symbols into others (inlined, split, merged, renamed) is no regression: where some fell by what
 * others rose, and did not only shrink beside them, all are marked as moved, and those that rose pass.
 */
void symbols_find_moved(struct symbol_pairs *pairs, const struct symbol_terms *terms);

/* -------- explain: what accounts for a change, in lines of the scenario's explanation */

/*
 * dln(task-clock) = dln(instructions) + dln(cycles per instruction) - dln(clock rate), as far as
 * both sides counted them; same bytes; a changed scenario; time stolen by the hypervisor. Where
 * BASE is not of the SAME_CLASS of machines, its numbers are not compared: two CPUs explain nothing.
 */
void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class);

/*
 * Once SCENARIO has causes and their evidence: the lines of its explanation that say the same less well become the last of the
 * evidence. Without causes they stay.
 */
void explain_by_causes(struct scenario_result *scenario);

/* The change of METRIC's median against the baseline as ln(current/baseline); NaN when unknown. */
double explain_change(const struct scenario_result *scenario, const struct baseline *base, const struct metric *metric);

/*
 * Which symbols account for a change, "task-clock: hash costs 6.1 ms more per run, 94 % of the change", for every
 * metric that was found to have changed and that a profile of CPU time explains. PAIRS, with their COST, are of two
 * profiles that can be compared. The gates on metrics must be judged.
 */
void attribute_changes(struct scenario_result *scenario, const struct symbol_pairs *pairs, const struct cost *cost);

/* One symbol's part of a metric's change. */
struct cost_part {
	const struct symbol_pair *pair;
	double delta, error;	/* in the metric's unit; one standard error, of the samples alone */
};

/*
 * The part of every pair when the metric was BEFORE and is NOW, largest first in the direction of the change; for
 * free(). They sum up to NOW - BEFORE, as far as the profiles list all symbols. Code that has its symbols on one side
 * only is one part.
 */
struct cost_part *attribute_parts(const struct symbol_pairs *pairs, double before, double now);

/* -------- cause: what a regression comes from */

struct cause_input {
	const struct evidence *base, *head;
	const struct changes *changes;	/* or NULL */
	/* In words, as surroundings_compare() has them; NULL: nothing of that differs. */
	const char *library, *given, *build;
};

/*
 * Fills SCENARIO's causes and evidence from what was taken of both sides of its pairs; BASE is its base's side as a baseline.
 * The gates must be judged: without one that regressed there is no cause, and only what could not be found out is said.
 */
void judge_causes(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *input);
/* So begins the line of an explanation that says so. */
#define SAME_EXECUTABLE "both sides run the same executable"
/*
 * Takes away from SCENARIO's explanation what is known better now: COUNTED, how many instructions each function executes; with a cause,
 * that no symbol stands out; with a changed line, that both sides run the same executable, which is an interpreter then.
 */
void explain_leave_out(struct scenario_result *scenario, bool counted);
/*
 * What was found, as lines before those of SCENARIO's evidence: instructions of all and of the functions that changed most, system
 * calls that changed, how large the diff is. After judge_causes().
 */
void found_lines(struct scenario_result *scenario, const struct cause_input *input);

/* -------- waiting: wall time told apart */

struct evidence;

/* Medians of one side's runs. NaN: not measured. */
struct wall_side {
	double wall_ms, cpu_ms;
	double cpus;		/* at work on average */
	double switches;	/* voluntary ones: how often it waited */
	/*
	 * By enum wait_kind: where threads were seen to leave the CPU what holds up the command, but for locks, for which that is what all
	 * threads wait; else of all threads of a traced run, no more than one that is alone can have waited.
	 */
	double waited_ms[7];
	double others_ms;	/* its first thread waited for what others did meanwhile; NaN: not seen */
};

struct wall_change {
	struct wall_side base, head;
	double by_cpu_ms;	/* of what the head takes longer, what its CPU time accounts for */
	double rest_ms;		/* and the rest: waiting, or fewer CPUs at once */
	int wait;		/* enum wait_kind: what the head waits for so much longer; WAIT_NONE: nobody knows */
	double waited_ms;	/* by so much, all threads together */
	bool unseen;		/* CAUSE_WAITING because it is nothing else: what was seen of waiting does not account for half of the rest */
	/*
	 * CAUSE_WORK: CPU time accounts for most of it. CAUSE_LOCK, CAUSE_WAITING: it waits longer. CAUSE_PARALLELISM: fewer CPUs do
	 * the work at once, and it does not wait for anything but itself.
	 */
	enum cause_kind kind;
};

/*
 * Of pairs of a command, with the evidence of both sides, which may be NULL. False, writing nothing, where the head's wall time is
 * no longer, or not known: it does not say whether that is sure.
 */
bool wall_change_of(const struct scenario_result *s, const struct evidence *base, const struct evidence *head, struct wall_change *out);
/* "wall-time 212 ms -> 410 ms: CPU time 840 ms -> 842 ms, CPUs at work on average 3.96 -> 2.05"; appended. */
void wall_change_words(const struct wall_change *change, struct strbuf *out);

/* -------- calibrate */

/*
 * What pairs of one program against itself show of a machine: how far runs and pairs spread, how often the paired rule
 * would have called an unchanged program a regression, the smallest change it can see, and the tolerance that follows.
 *
 *	calibrating_judge() for every metric -> calibrating_settle() for all of them together
 *
 * The tolerance is the least, in halves of a percent, with which nine of ten comparisons would let an unchanged
 * program pass at the look after 20 pairs, and find a regression in one that is worse by twice as much at the look
 * after 40. The comparisons are drawn from the pairs that were measured, with replacement, after their own middle was
 * taken from them: an outlier now and then, which ranks hardly notice, would make any formula of the standard
 * deviation promise too little. Twenty pairs are half of what a comparison may take, so an hour with twice the
 * variance is still decided. It is never under 2 % for times: link orders of one program differ by that. From fewer
 * than 120 pairs, and of other metrics, it is never under that of the catalogue.
 */

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
