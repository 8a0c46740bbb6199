/* What judging against stored runs and judging in pairs do alike with one gate. */
#ifndef PAWL_JUDGE_GATE_H
#define PAWL_JUDGE_GATE_H

#include "base/error.h"
#include "model/baseline.h"
#include "model/result.h"

/*
 * Which values of S a gate on METRIC is judged by: the metric's own, or those of its simulated metric where it has none.
 * Where it is known how many operations there were, what grows with them is normalised. False when S has no such value.
 */
bool judge_choose_values(const struct metric *metric, const struct scenario_result *s, struct metric_ref *out);

/* What is said of a value outside GATE's absolute limits; NULL within them. A limit that is NaN is none. */
const char *judge_beyond_budget(const struct gate *gate, const struct judgement *j);
/* Beyond its limits a gate fails whatever its change; a gate that has nothing but limits passes within them. */
void judge_check_budget(const struct gate *gate, struct judgement *j);

/*
 * A run of S was ended at its timeout, TIMED_OUT_MS: how much slower it is nobody knows, but surely slower than what took less
 * than a tenth of that in each of N runs, at least OVERRUN_LEAST, WHOSE wall times are given. True: then J, of GATE on a
 * time, is a regression.
 */
enum { OVERRUN_LEAST = 3 };
bool judge_overrun(const struct gate *gate, struct judgement *j, const struct scenario_result *s, double timed_out_ms,
		   const double *walls, size_t n, const char *whose);

struct gate_result *judge_find_gate(struct scenario_result *s, const char *metric);
/* Lower IPC with less work in less time is no regression. BASE may be NULL: then nothing is forgiven. */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base);

/* Why a gate cannot be judged: its metric has no value, or none that the baseline's can be compared with. */

/* Say why, behind what was said before. */
void judge_reason(struct judgement *j, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Say why no run of S has a value of J's metric. */
void judge_missing(struct judgement *j, const struct scenario_result *s, const struct machine *machine);
/* Whether the values of J's metric reference can be compared with BASE's; says why not. */
bool judge_comparable(struct judgement *j, const struct scenario_result *s, const struct machine *machine,
		      const struct baseline *base);

/* Whether values of METRIC may come from two classes of machines, or BASE's class is this one; says why not. */
bool judge_class_allows(struct judgement *j, const struct machine *machine, const struct baseline *base,
			const struct metric *metric);
bool judge_same_class(const struct machine *machine, const struct baseline *base);

/*
 * SCENARIO failed, and that is no fault of the measured tree's: WHY, to which the failure is added. Its gates are
 * not measured, and none of them has to be; those that compare are new where NEW.
 */
void judge_excuse(struct scenario_result *scenario, const char *why, bool new);

/*
 * On a machine that had other things to do, what depends on its clock became worse whatever the program
 * did: who had to wait for a CPU took longer. Such a regression is no proof. In pairs it is one: both sides waited, in
 * an order that was tossed.
 */

/*
 * When RESULT's machine was busy, its regressions of metrics that waiting alone makes worse become
 * inconclusive, with the reason. Absolute limits hold all the same. Call after every scenario was judged.
 */
void judge_busy(struct result *result);

#endif
