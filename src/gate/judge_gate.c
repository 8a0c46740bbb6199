#include "gate/judge_gate.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/explain.h"
#include "gate/judge_missing.h"
#include "stats/order.h"

/* A timeout is so many times what the longest run took, or it proves nothing. */
#define OVERRUN_TIMES 10.0

bool judge_choose_values(const struct metric *metric, const struct scenario_result *s, struct metric_ref *out)
{
	CLEANUP(free_ptr) char *name = NULL;

	*out = (struct metric_ref){ .metric = metric };
	out->per_work = scenario_result_count(s, METRIC_WORK) && metric_grows_with_work(metric);
	out->simulated = metric->source == SOURCE_SIMULATED ||
			 (!out->per_work && metric->simulated && !scenario_result_count(s, metric->name));
	name = metric_ref_name(out);
	return scenario_result_count(s, name) > 0;
}

const char *judge_beyond_budget(const struct gate *gate, const struct judgement *j)
{
	if (j->current > gate->max)
		return "over its absolute budget";
	return j->current < gate->min ? "under its absolute minimum" : NULL;
}

void judge_check_budget(const struct gate *gate, struct judgement *j)
{
	const char *beyond = judge_beyond_budget(gate, j);

	if (beyond) {
		j->verdict = VERDICT_REGRESSION;
		judge_reason(j, "%s", beyond);
	} else if (!gate->relative) {
		j->verdict = VERDICT_PASS;
	}
}

bool judge_overrun(const struct gate *gate, struct judgement *j, const struct scenario_result *s, double timed_out_ms,
		   const double *walls, size_t n, const char *whose)
{
	if (!gate->relative || gate->metric->kind != KIND_TIME || gate->metric->source == SOURCE_PRINTED ||
	    !(timed_out_ms > 0) || n < OVERRUN_LEAST || stats_most(walls, n) * OVERRUN_TIMES > timed_out_ms)
		return false;
	j->verdict = VERDICT_REGRESSION;
	j->gross = true;
	judge_reason(j, "a %s reached its timeout of %.4g s; none of %s (%zu) took more than %.2g s",
		     scenario_result_runs(s, 1), timed_out_ms / 1e3, whose, n, stats_most(walls, n) / 1e3);
	return true;
}

struct gate_result *judge_find_gate(struct scenario_result *s, const char *metric)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, metric))
			return &s->gates[i];
	return NULL;
}

/*
 * IPC also falls when cheap instructions are removed: less work in less time is no regression. Then
 * the cycles fall too; where they rose, what is left takes longer, however little work went.
 */
void judge_forgive_ipc(struct scenario_result *s, const struct baseline *base)
{
	struct gate_result *ipc = judge_find_gate(s, "ipc");
	double clock, instructions, cycles;
	struct judgement *j;

	if (!base || !ipc)
		return;
	j = ipc->paired.done ? &ipc->paired : &ipc->stored;
	if (j->verdict != VERDICT_REGRESSION || judge_beyond_budget(&ipc->gate, j))
		return;
	clock = explain_change(s, base, "task-clock");
	instructions = explain_change(s, base, "instructions");
	cycles = explain_change(s, base, "cycles");
	if (!(clock < 0 && instructions < 0 && cycles < 0))
		return;
	j->verdict = VERDICT_PASS;
	judge_reason(j, "IPC fell because cheap instructions went: %.1f %% fewer of them and %.1f %% less task-clock",
		       -expm1(instructions) * 100, -expm1(clock) * 100);
}
