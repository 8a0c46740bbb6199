/* What judging against stored runs and judging in pairs do alike with one gate. */
#ifndef PAWL_GATE_JUDGE_GATE_H
#define PAWL_GATE_JUDGE_GATE_H

#include "model/baseline.h"
#include "model/result.h"

/*
 * Which values of S stand for the gate: its metric's own, or those of its simulated twin where it has none. Where it is
 * known how much work was done, what grows with the work is judged by its twin per unit of it. Sets `per_work` and
 * `simulated`; false when S has no such value, and then gate_result_series() names what was looked for.
 */
bool judge_choose_series(struct gate_result *g, const struct scenario_result *s);

/* What is said of a value outside its absolute limits; NULL within them. A limit that is NaN is none. */
const char *judge_beyond_budget(const struct gate_result *g);
/* Beyond its limits a gate fails whatever its change; a gate that has nothing but limits passes within them. */
void judge_check_budget(struct gate_result *g);

/*
 * A run of S was ended at its timeout, TIMED_OUT_MS: how much slower it is nobody knows, but surely slower than what took less
 * than a tenth of that in each of N runs, at least OVERRUN_LEAST, WHOSE wall times are given. True: then G, a gate on a time,
 * is a regression.
 */
enum { OVERRUN_LEAST = 3 };
bool judge_overrun(struct gate_result *g, const struct scenario_result *s, double timed_out_ms, const double *walls, size_t n,
		   const char *whose);

struct gate_result *judge_find_gate(struct scenario_result *s, const char *metric);
/* Lower IPC with less work in less time is no regression. BASE may be NULL: then nothing is forgiven. */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base);

#endif
