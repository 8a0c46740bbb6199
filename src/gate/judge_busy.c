#include "gate/judge_busy.h"

#include "gate/judge_missing.h"

/* CPU time is the program's own; where nothing tells the work, a window's is what it was given. */
static bool waits(const struct scenario_result *s, const struct gate_result *g)
{
	const struct metric *metric = g->gate.metric;

	if (metric->source == SOURCE_PRINTED)
		return metric->kind == KIND_TIME;
	return metric->waits || (s->attached && !g->per_work && metric_grows_with_work(metric));
}

static bool within_limits(const struct gate_result *g)
{
	return !(g->current > g->gate.max) && !(g->current < g->gate.min);
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
			struct gate_result *g = &s->gates[k];

			if (g->verdict != VERDICT_REGRESSION || g->pairs || g->gross || !waits(s, g) || !within_limits(g))
				continue;
			g->verdict = VERDICT_INCONCLUSIVE;
			judge_reason(g, "the machine was busy, which alone makes it worse: %s; measure again when it is quiet",
				     result->busy.items[0]);
			excused = true;
		}
		if (excused && !scenario_result_cost_changed(s))
			forget_causes(s);
	}
}
