/* What judging against stored runs and judging in pairs do alike with one gate. */
#ifndef PAWL_GATE_JUDGE_GATE_H
#define PAWL_GATE_JUDGE_GATE_H

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

#endif
