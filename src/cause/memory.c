#include "cause/explain.h"

#include "cause/kind.h"
#include "cause/sentence.h"

/* Least part of the change for a cause. */
#define MEMORY_LEAST 0.25

/* Memory that is counted and needs no estimate: allocated, held or touched. */
static const struct memory {
	enum metric_id metric;
	enum cause_kind kind;
	enum cost_kind cost;
	const char *does;
} memories[] = {
	{ METRIC_ALLOCATIONS, CAUSE_ALLOCATION, COST_ALLOCATIONS, "makes" },
	{ METRIC_TEMPORARY_ALLOCATIONS, CAUSE_ALLOCATION, COST_ALLOCATIONS, "makes" },
	{ METRIC_HEAP_PEAK, CAUSE_ALLOCATION, COST_HEAP_PEAK, "holds" },
	{ METRIC_HEAP_LEAKED, CAUSE_ALLOCATION, COST_HEAP_PEAK, "holds" },
	{ METRIC_MAX_RSS, CAUSE_ALLOCATION, COST_HEAP_PEAK, "holds" },
	{ METRIC_RSS_GROWTH, CAUSE_ALLOCATION, COST_FAULTS, "touches" },
	{ METRIC_PAGE_FAULTS, CAUSE_FAULTS, COST_FAULTS, "causes" },
};

/* Returns the memory metric that regressed, if no other metric did; else NULL. */
static const struct memory *memory_regressed(const struct scenario_result *s)
{
	const struct memory *found = NULL;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct metric *metric = regressed_metric(s, i);
		const struct memory *m = memories, *end = memories + sizeof memories / sizeof memories[0];

		while (metric && m < end && metric != &metric_catalogue[m->metric])
			m++;
		if (m == end)
			return NULL;
		if (metric)
			found = found && found < m ? found : m;
	}
	return found;
}

/*
 * Adds the function that allocates, holds or touches most of the additional memory. For an attached target, stacks come
 * from windows in which the sides did different amounts of work. They give each function's part of the counted total,
 * also for the faults through which memory grows.
 */
static bool explain(struct search *s, const struct memory *m)
{
	const struct metric *metric = &metric_catalogue[m->metric];
	double measured = median_more(s, metric), each[SIDES] = { 1, 1 }, most;
	const double *total = s->ledger.total[m->cost];
	struct question question = { m->cost, median_of(s, BASE, metric), 0, 0, metric };
	const struct suspect *best;
	struct cause *cause;

	for (int i = 0; i < SIDES; i++)
		if (s->scenario->head.attached && total[i] > 0)
			each[i] = median_of(s, i, METRIC(PAGE_FAULTS)) / total[i];
	/* Samples of faults miss some. */
	question.change = m->kind == CAUSE_FAULTS && measured > 0 ? measured : total[HEAD] * each[HEAD] - total[BASE] * each[BASE];
	kind_ask(s, &question);
	best = SUSPECT_MOST(s, x, x->at->cost[m->cost][HEAD] * each[HEAD] - x->at->cost[m->cost][BASE] * each[BASE]);
	most = best ? best->at->cost[m->cost][HEAD] * each[HEAD] - best->at->cost[m->cost][BASE] * each[BASE] : 0;
	if (!best || !(question.change > 0) || !(most > MEMORY_LEAST * question.change))
		return false;
	cause = sentence_add_cause(s, kind_whole(s, m->kind));
	sentence_set_amount(s, cause, most);
	if (s->scenario->head.attached)
		cause->amount = cause->share_pct / 100 * measured;
	sentence_set(s, cause, metric, &(struct words){ .who = sentence_name_suspect(s, cause, best), .does = m->does, .part = true });
	return true;
}

bool explain_memory(struct search *s)
{
	const struct memory *memory = memory_regressed(s->scenario);

	return memory && explain(s, memory);
}
