/* Helpers shared by judging against stored runs and judging in pairs. */
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
 * Returns the metric whose values of SIDE a gate on METRIC uses. It is METRIC, or its simulated metric if SIDE has no
 * value of METRIC. If the number of operations is known, a metric that grows with them is normalised. SIDE may have
 * no value of the result.
 */
const struct metric *judge_choose_values(const struct metric *metric, const struct side_result *side);

/* Appends a reason to those of J, a judgement of S. */
void judge_reason(struct scenario_result *s, struct judgement *j, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Adds the reason why no run of SIDE has a value of J's metric. */
void judge_missing(struct scenario_result *s, struct judgement *j, const struct side_result *side,
		   const struct machine *machine);
bool judge_same_class(const struct machine *machine, const struct baseline *base);
/* True if the classes are the same, or METRIC's values are comparable across the two. Otherwise J gets the reason. */
bool judge_class_allows(struct scenario_result *s, struct judgement *j, const struct machine *machine,
			const struct baseline *base, const struct metric *metric);

/* Rounding error of logarithms, as a part of the tolerance, so that exactly the tolerance passes. */
#define JUDGE_ROUNDING 1e-9
/* Returns the tolerance on the log scale: ln(1+x) for +x%, -ln(1-x) for -x%. */
double judge_tolerance(const struct metric *metric, double tolerance_pct);
/* Returns the improvement that GATE claims, on the log scale, where positive is better; 0: none is claimed. */
double judge_claim(const struct gate *gate);
/* Returns the verdict on a CLAIM by the bounds of a change, on the log scale, where positive is worse. */
enum verdict judge_claimed(double claim, double low, double high);
/* Sets J's change and bounds, in percent with the raw sign, from the log scale, where positive is worse. */
void judge_set_change(struct judgement *j, double estimate, double low, double high);
/*
 * True if VERDICT must become a pass because the change is too small to count. DIFFERENCE is the change in the
 * metric's unit. It counts from LEAST; 0 means that any change counts. Ten more page faults are not a regression,
 * whatever their percentage.
 */
bool judge_below_least(enum verdict verdict, double difference, double least);
/* Makes J pass because the change is too small to count, and adds that reason. */
void judge_pass_small(struct scenario_result *s, struct judgement *j);
/*
 * True if HEAD does the same work as the other side, by exact counts. These are instructions, to 0.01 %, and page
 * faults and allocations if both sides have them. The other side is BASE or, if BASE is NULL, the STORED baseline.
 */
bool judge_same_work(const struct side_result *head, const struct side_result *base, const struct baseline *stored);

/* Returns how J exceeds GATE's absolute limits; NULL within them. */
const char *judge_beyond_budget(const struct gate *gate, const struct judgement *j);
/* Fails J if it is beyond GATE's absolute limits, whatever its change. A gate with only limits passes within them. */
void judge_check_budget(struct scenario_result *s, const struct gate *gate, struct judgement *j);
/* Runs that ended before their timeout. */
struct earlier_runs {
	const double *walls;	/* wall times, ms */
	size_t n;
	const char *whose;	/* "the base's" */
};

/*
 * Judges a run of S that reached its timeout, TIMED_OUT_MS. J, of GATE on a time, becomes a regression of unknown
 * size if each of EARLIER, of which a few are needed, took less than a tenth of the timeout. Returns true if J became
 * a regression.
 */
bool judge_overrun(const struct gate *gate, struct judgement *j, struct scenario_result *s, double timed_out_ms,
		   const struct earlier_runs *earlier);
/* Passes a regression of IPC if both work and time fell. BASE may be NULL; then nothing changes. */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base);
/*
 * Records that SCENARIO failed for a reason outside the measured tree. WHY is the reason; the failure is appended to
 * it. The gates become not measured and not required. With NEW, gates that compare become new.
 */
void judge_excuse(struct scenario_result *scenario, const char *why, bool new);
struct gate_result *judge_find_gate(struct scenario_result *s, const struct metric *metric);

#endif
