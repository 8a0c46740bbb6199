#include "gate/judge_busy.h"

#include "gate/judge_gate.h"
#include "gate/judge_missing.h"

/* CPU time is the program's own; where nothing tells the work, a window's is what it was given. */
static bool waits(const struct scenario_result *s, const struct judgement *j)
{
	const struct metric *metric = j->ref.metric;

	if (metric->source == SOURCE_PRINTED)
		return metric->kind == KIND_TIME;
	return metric->waits || (s->attached && !j->ref.per_work && metric_grows_with_work(metric));
}

/* What is no longer said to have changed has no cause any more. */
static void forget_causes(struct scenario_result *s)
{
	struct strv rest = STRV_INIT;

	for (size_t i = s->n_causes; i < s->explanation.n; i++)
		strv_push(&rest, s->explanation.items[i]);
	strv_release(&s->explanation);
	s->explanation = rest;
	s->n_causes = 0;
}

void judge_busy(struct result *result)
{
	for (size_t i = 0; result->busy.n && i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];
		bool excused = false;

		for (size_t k = 0; k < s->n_gates; k++) {
			const struct gate *gate = &s->gates[k].gate;
			struct judgement *j = &s->gates[k].stored;

			if (s->gates[k].paired.done || j->verdict != VERDICT_REGRESSION || j->gross || !waits(s, j) ||
			    judge_beyond_budget(gate, j))
				continue;
			j->verdict = VERDICT_INCONCLUSIVE;
			judge_reason(j, "the machine was busy, which alone makes it worse: %s; measure again when it is quiet",
				     result->busy.items[0]);
			excused = true;
		}
		if (excused && !scenario_result_cost_changed(s))
			forget_causes(s);
	}
}
