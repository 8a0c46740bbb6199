/*
 * What judging against stored runs and judging in pairs have in common.
 */
#ifndef PAWL_JUDGE_GATE_H
#define PAWL_JUDGE_GATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/result.h"

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

#endif
