/* One side's column of a ledger: own functions and their foreign callees, highest cost first. */
#ifndef PAWL_TESTS_LEDGER_VIEW_H
#define PAWL_TESTS_LEDGER_VIEW_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cause/ledger/ledger.h"

enum { VIEW_MOST = 64, VIEW_CALLEES = 8 };

struct own_cost {
	const struct code *code;
	double cost, self, kernel, faulting, allocating, calls;
	struct foreign_cost { const char *name, *object; double cost, calls; } foreign[VIEW_CALLEES];
	size_t n_foreign;
};

struct own_costs {
	struct ledger ledger;
	struct own_cost items[VIEW_MOST];
	size_t n;
	double total, unowned;
};

static inline void own_costs_release(struct own_costs *costs)
{
	ledger_release(&costs->ledger);
}

static inline int view_by_cost(const void *a, const void *b)
{
	const struct own_cost *c = a, *d = b;

	return (c->cost < d->cost) - (c->cost > d->cost) ?: strcmp(c->code->key, d->code->key);
}

static inline int view_by_foreign(const void *a, const void *b)
{
	const struct foreign_cost *c = a, *d = b;

	return (c->cost < d->cost) - (c->cost > d->cost) ?: strcmp(c->name, d->name);
}

/* Fills the rest of OUT from its settled ledger. */
static inline void view_ledger(struct own_costs *out, int side, enum cost_kind kind)
{
	const struct ledger *l = &out->ledger;

	out->n = 0;
	out->total = l->total[kind][side];
	out->unowned = l->unowned[kind][side];
	for (code_id id = 0; id < l->codes.n; id++) {
		const struct entry *e = &l->entries[id];
		struct own_cost *c = &out->items[out->n];
		size_t n;
		const struct callee_cost *callees = ledger_callees(l, id, kind, &n);

		if (!code_of(&l->codes, id)->own || !(e->cost[kind][side] > 0) || out->n == VIEW_MOST)
			continue;
		out->n++;
		*c = (struct own_cost){
			.code = code_of(&l->codes, id), .cost = e->cost[kind][side], .self = e->self[kind][side], .kernel = e->cost[COST_KERNEL][side],
			.faulting = e->cost[COST_FAULTING][side], .allocating = e->cost[COST_ALLOCATING][side], .calls = e->calls[side],
		};
		for (size_t i = 0; i < n && c->n_foreign < VIEW_CALLEES; i++)
			c->foreign[c->n_foreign++] = (struct foreign_cost){ callees[i].callee, callees[i].object, callees[i].amount[side], callees[i].calls[side] };
		qsort(c->foreign, c->n_foreign, sizeof *c->foreign, view_by_foreign);
	}
	qsort(out->items, out->n, sizeof *out->items, view_by_cost);
}

static inline void work_own_costs(const struct work *work, struct own_costs *out)
{
	static const struct own_code none = { .root = NULL };

	ledger_init(&out->ledger, &none, &none, NULL);
	ledger_add_work(&out->ledger, HEAD, work);
	ledger_settle(&out->ledger);
	view_ledger(out, HEAD, COST_INSTRUCTIONS);
}

/* EVENT may be NULL. */
static inline void stacks_own_costs(const struct stacks *stacks, const char *event, const struct own_code *own, struct own_costs *out)
{
	ledger_init(&out->ledger, own, own, NULL);
	/* Without another side, time in the kernel would count as moved. */
	ledger_add_stacks(&out->ledger, BASE, stacks, event, COST_TIME, 1);
	ledger_settle(&out->ledger);
	view_ledger(out, BASE, COST_TIME);
}

#endif
