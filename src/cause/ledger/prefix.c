#include "cause/ledger/prefix.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cause/ledger/ledger.h"
#include "cause/ledger/touched.h"
#include "profile/names.h"

/* Least number of an anchor's calls, and least part of the instructions below them. */
enum { CALLS_LEAST = 200 };
#define BELOW_LEAST 0.5
/* Least part of the base's time that its instructions, by function, explain. */
#define TYPICAL_LEAST 0.5
/* Additional instructions are at most this many times as fast as others. */
#define FASTER_MOST 4
/* Least relative error of the instructions per call. */
#define ERROR_LEAST 0.05

/* Marks what marked functions call, directly or not. */
static void mark_callees(const struct ledger *ledger, bool *marked)
{
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < ledger->n_edges; i++) {
			const struct edge *e = &ledger->edges[i];

			more |= marked[e->caller] && !marked[e->callee];
			marked[e->callee] |= marked[e->caller];
		}
	}
}

/* Returns by number the instructions of each function and all that it calls. For free(). */
static double *instructions_below(struct ledger *ledger, int side, const struct work *work)
{
	double *below = xcalloc(ledger->codes.n + 1, sizeof *below);

	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *c = &work->calls[i];

		if (c->caller != c->callee)
			below[codes_number(&ledger->codes, side, &work->functions[c->callee].code)] += c->total;
	}
	return below;
}

static code_id find_anchor(struct ledger *ledger, double *const below[SIDES])
{
	/* Functions that changed ones call, directly or not: the change may have made that more often. */
	CLEANUP(free_ptr) bool *by_change = xcalloc(ledger->codes.n + 1, sizeof *by_change);
	const double *total = ledger->total[COST_INSTRUCTIONS];
	code_id found = NO_CODE;
	double most = BELOW_LEAST;

	for (size_t i = 0; i < ledger->n_edges; i++) {
		const struct touch *touch = ledger_touch(ledger, ledger->edges[i].caller);

		by_change[ledger->edges[i].callee] |= touch && touch->how <= TOUCH_WORD;
	}
	mark_callees(ledger, by_change);
	for (code_id id = 0; id < ledger->codes.n; id++) {
		const struct entry *e = &ledger->entries[id];
		double part = fmin(below[BASE][id] / total[BASE], below[HEAD][id] / total[HEAD]);

		if (!code_of(&ledger->codes, id)->own || by_change[id] || fmin(e->calls[BASE], e->calls[HEAD]) < CALLS_LEAST || part < most)
			continue;
		most = part;
		found = id;
	}
	return found;
}

/* Returns the part of the base's time that is where its instructions are. */
static double typical_part(const struct ledger *l)
{
	double time = l->total[COST_TIME][BASE], work = l->total[COST_INSTRUCTIONS][BASE];
	double common = fmin(l->unowned[COST_TIME][BASE] / time, l->unowned[COST_INSTRUCTIONS][BASE] / work);

	for (size_t i = 0; i < l->codes.n; i++)
		common += fmin(l->entries[i].cost[COST_TIME][BASE] / time, l->entries[i].cost[COST_INSTRUCTIONS][BASE] / work);
	return common;
}

/* Makes the counts of what ANCHOR calls those of one call. What it does not call (set-up, a main loop) is left out. */
static void divide(struct ledger *ledger, int side, struct work *work, code_id anchor, double error)
{
	CLEANUP(free_ptr) bool *called = xcalloc(ledger->codes.n + 1, sizeof *called);
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	double calls = ledger->entries[anchor].calls[side];

	called[anchor] = true;
	mark_callees(ledger, called);
	work->total = 0;
	for (size_t i = 0; i < work->n_functions; i++) {
		struct work_function *f = &work->functions[i];
		double each = called[codes_number(&ledger->codes, side, &f->code)] ? 1 / calls : 0;

		f->self *= each;
		f->calls *= each;
		work->total += f->self;
	}
	for (size_t i = 0; i < work->n_lines; i++)
		work->lines[i].self /= calls;
	for (size_t i = 0; i < work->n_calls; i++) {
		work->calls[i].calls /= calls;
		work->calls[i].total /= calls;
	}
	name_brief(code_of(&ledger->codes, anchor)->function, &name);
	work->per = arena_strdup(&work->arena, name.buf);
	work->per_error = error;
}

static double settle(const struct prefix sides[SIDES], struct ledger *ledger, double slower)
{
	CLEANUP(free_ptr) double *base = instructions_below(ledger, BASE, sides[BASE].work);
	CLEANUP(free_ptr) double *head = instructions_below(ledger, HEAD, sides[HEAD].work);
	code_id anchor = find_anchor(ledger, (double *const[SIDES]){ base, head });
	const double *calls = anchor == NO_CODE ? NULL : ledger->entries[anchor].calls;
	double grew, error, slack;

	if (!calls || typical_part(ledger) < TYPICAL_LEAST)
		return 0;
	grew = head[anchor] / calls[HEAD] / (base[anchor] / calls[BASE]);
	error = sqrt(1 / calls[BASE] + 1 / calls[HEAD]);
	slack = fmax(error, ERROR_LEAST);
	if (grew < 1 - slack || grew - 1 > FASTER_MOST * (slower - 1) + slack)
		return 0;
	for (int side = BASE; side < SIDES; side++)
		divide(ledger, side, sides[side].work, anchor, error);
	return error;
}

double prefix_settle(const struct prefix sides[SIDES], const struct changes *changes, double slower)
{
	CLEANUP(touched_release) struct touched touched;
	CLEANUP(ledger_release) struct ledger ledger;

	touched_init(&touched, changes, sides[BASE].work, sides[HEAD].work);
	ledger_init(&ledger, sides[BASE].own, sides[HEAD].own, &touched);
	for (int side = BASE; side < SIDES; side++)
		ledger_add_work(&ledger, side, sides[side].work);
	for (int side = BASE; side < SIDES; side++)
		ledger_add_stacks(&ledger, side, sides[side].samples, NULL, COST_TIME, 1);
	if (!changes->known || changes->cut || !ledger_has(&ledger, COST_INSTRUCTIONS) || !(ledger.total[COST_TIME][BASE] > 0))
		return 0;
	return settle(sides, &ledger, slower);
}
