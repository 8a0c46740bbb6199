#include "cause/memory.h"

#include <math.h>

#include "base/mem.h"
#include "cause/evidence.h"
#include "cause/kinds.h"
#include "cause/own_costs.h"
#include "cause/reason.h"
#include "cause/suspects.h"
#include "cause/touched.h"
#include "cause/work.h"
#include "model/cost.h"
#include "profile/stacks.h"

/*
 * Explains memory that rose while no time did: allocated, held or touched. It is counted and needs no estimate. A stack
 * belongs to the own function nearest the leaf with a changed line, else to the nearest own function.
 */

/*
 * For an attached target, stacks come from windows in which the sides did different amounts of work. They give each
 * function's part of the counted total, also for the faults through which memory grows.
 */

/* Least part of the change for a cause. */
#define PART_LEAST 0.25

static const struct memory {
	enum metric_id metric;
	enum cause_kind kind;
	size_t stacks;		/* offset in struct evidence */
	const char *does;
} memories[] = {
	{ METRIC_ALLOCATIONS, CAUSE_ALLOCATION, offsetof(struct evidence, allocations), "makes" },
	{ METRIC_TEMPORARY_ALLOCATIONS, CAUSE_ALLOCATION, offsetof(struct evidence, allocations), "makes" },
	{ METRIC_HEAP_PEAK, CAUSE_ALLOCATION, offsetof(struct evidence, heap_peak), "holds" },
	{ METRIC_HEAP_LEAKED, CAUSE_ALLOCATION, offsetof(struct evidence, heap_peak), "holds" },
	{ METRIC_MAX_RSS, CAUSE_ALLOCATION, offsetof(struct evidence, heap_peak), "holds" },
	{ METRIC_RSS_GROWTH, CAUSE_ALLOCATION, offsetof(struct evidence, faults), "touches" },
	{ METRIC_PAGE_FAULTS, CAUSE_FAULTS, offsetof(struct evidence, faults), "causes" },
};

/* Returns the memory metric that regressed, if no other metric did; else NULL. */
static const struct memory *regressed(const struct scenario_result *s)
{
	const struct memory *found = NULL;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct memory *m = NULL;

		if (s->gates[i].gate.kind != GATE_METRIC || gate_judgement(&s->gates[i])->verdict != VERDICT_REGRESSION)
			continue;
		for (size_t k = 0; k < sizeof memories / sizeof memories[0] && !m; k++)
			if (s->gates[i].gate.metric == &metric_catalogue[memories[k].metric])
				m = &memories[k];
		if (!m)
			return NULL;
		found = found && found < m ? found : m;
	}
	return found;
}

static double counted(const struct search *s, int side, const struct metric *metric)
{
	const struct side_result *of = side == BASE ? &s->scenario->base : scenario_result_measured(s->scenario);

	return side_result_median(of, side_result_normalised(of, metric));
}

static void find_costs(const struct search *s, int side, const struct memory *m, struct own_costs *out)
{
	const struct evidence *e = side == BASE ? s->in->base : s->in->head;
	const struct stacks *stacks = (const void *)((const char *)e + m->stacks);

	if (stacks->n_events)
		suspects_changed_costs(s, side, stacks, 0, out);
}

static const struct own_cost *find_cost(const struct own_costs *costs, const struct code *code)
{
	for (size_t i = 0; i < costs->n; i++)
		if (suspect_same_code(costs->items[i].code, code))
			return &costs->items[i];
	return NULL;
}

static void add_cause(struct search *s, const struct memory *m, const struct code *code, double more, double part)
{
	const struct metric *metric = &metric_catalogue[m->metric];
	enum cause_kind whole = kind_of_all(s);
	struct cause *cause = suspects_add_cause(s, whole != CAUSE_KINDS ? whole : m->kind);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct suspect suspect = { .code = { [HEAD] = code } };

	suspect.touched = s->touched.changes && touched_find(&s->touched, code, &suspect.touch);
	reason_set_code(s, cause, &suspect);
	cause->amount = more;
	cause->unit = metric->unit;
	cause->share_pct = 100 * fmin(1, part);
	strbuf_addf(&text, "%s %s %s more per %s", reason_name(s, &suspect), m->does, cost_text(more, metric).text, s->per);
	if (cause->share_pct < 99.5)
		strbuf_addf(&text, ", %.0f %% of the change", cause->share_pct);
	cause->sentence = arena_strdup(&s->scenario->arena, text.buf);
}

static double measured_change(const struct search *s, const struct memory *m)
{
	return counted(s, HEAD, &metric_catalogue[m->metric]) - counted(s, BASE, &metric_catalogue[m->metric]);
}

/*
 * Returns the total increase; EACH is the value of one unit of cost. For faults it is the measured one, since samples
 * miss some.
 */
static double change_in_all(const struct search *s, const struct memory *m, const struct own_costs costs[SIDES], const double each[SIDES])
{
	double measured = measured_change(s, m);

	return m->kind == CAUSE_FAULTS && measured > 0 ? measured : costs[HEAD].total * each[HEAD] - costs[BASE].total * each[BASE];
}

bool memory_explain(struct search *s)
{
	const struct memory *m = regressed(s->scenario);
	struct own_costs costs[SIDES] = { { .n = 0 }, { .n = 0 } };
	const struct own_cost *best = NULL;
	double each[SIDES] = { 1, 1 }, most = 0, all;
	bool attached = s->scenario->head.attached;

	if (!m)
		return false;
	for (int i = 0; i < SIDES; i++) {
		find_costs(s, i, m, &costs[i]);
		if (attached && costs[i].total > 0)
			each[i] = counted(s, i, METRIC(PAGE_FAULTS)) / costs[i].total;
	}
	all = change_in_all(s, m, costs, each);
	for (size_t i = 0; i < costs[HEAD].n; i++) {
		const struct own_cost *was = find_cost(&costs[BASE], costs[HEAD].items[i].code);
		double more = costs[HEAD].items[i].cost * each[HEAD] - (was ? was->cost * each[BASE] : 0);

		if (more > most) {
			most = more;
			best = &costs[HEAD].items[i];
		}
	}
	if (best && all > 0 && most > PART_LEAST * all)
		add_cause(s, m, suspects_placed(s, best->code), attached ? fmin(1, most / all) * measured_change(s, m) : fmin(most, all), most / all);
	for (int i = 0; i < SIDES; i++)
		own_costs_release(&costs[i]);
	return s->scenario->n_causes;
}
