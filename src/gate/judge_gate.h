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

struct gate_result *judge_find_gate(struct scenario_result *s, const char *metric);
/* Lower IPC with less work in less time is no regression. BASE may be NULL: then nothing is forgiven. */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base);

#endif
