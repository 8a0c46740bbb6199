#include "cause/ledger/work.h"

#include <math.h>
#include <stdlib.h>

#include "cause/ledger/ledger.h"

/* -------- several executions */

void python_least(struct work *work, struct work *again)
{
	CLEANUP(free_ptr) uint32_t *theirs = xcalloc(work->n_functions + 1, sizeof *theirs);

	work->total = 0;
	for (size_t i = 0; i < work->n_functions; i++) {
		struct work_function *f = &work->functions[i];

		theirs[i] = work_function_of(again, f->code.object, f->code.key);
		f->calls = fmin(f->calls, again->functions[theirs[i]].calls);
		f->self = fmin(f->self, again->functions[theirs[i]].self);
		work->total += f->self;
	}
	for (size_t i = 0; i < work->n_calls; i++) {
		struct work_call *c = &work->calls[i];
		uint32_t at = work_call_of(again, theirs[c->caller], theirs[c->callee]);

		c->calls = fmin(c->calls, again->calls[at].calls);
		c->total = fmin(c->total, again->calls[at].total);
	}
}

/* -------- two sides */

/* Differences between least times of three executions that do the same work, as a part and in ns. */
#define SAME_PART 0.05
#define SAME_NS 20e3
/* Largest ratio between the paces of the sides, which run at once, each on its own CPU. */
#define PACE_MOST 1.4

/* Times of a function that does the same work on both sides. */
struct common {
	double base, head;
};

static int compare_pace(const void *a, const void *b)
{
	const struct common *c = a, *d = b;
	double pace = c->head * d->base, other = d->head * c->base;

	return (pace > other) - (pace < other);
}

/* Returns the median pace, weighted by time and limited by PACE_MOST. */
static double common_pace(struct common *all, size_t n)
{
	double total = 0, passed = 0;

	if (n)
		qsort(all, n, sizeof *all, compare_pace);
	for (size_t i = 0; i < n; i++)
		total += all[i].base;
	for (size_t i = 0; i < n; i++) {
		passed += all[i].base;
		if (2 * passed >= total)
			return fmin(fmax(all[i].head / all[i].base, 1 / PACE_MOST), PACE_MOST);
	}
	return 1;
}

/* Returns by number whether both sides enter a function as often, and it calls as often. For free(). */
static bool *find_alike(const struct ledger *ledger)
{
	CLEANUP(free_ptr) double *more_calls = xcalloc(ledger->codes.n + 1, sizeof *more_calls);
	bool *alike = xcalloc(ledger->codes.n + 1, sizeof *alike);

	for (size_t i = 0; i < ledger->n_edges; i++)
		more_calls[ledger->edges[i].caller] += change_of(ledger->edges[i].calls);
	for (code_id id = 0; id < ledger->codes.n; id++) {
		const struct code_entry *code = &ledger->codes.items[id];

		alike[id] = code->of[BASE] && code->of[HEAD] && change_of(ledger->entries[id].calls) == 0 && more_calls[id] == 0;
	}
	return alike;
}

void python_settle(struct work *base, const struct own_code *base_own, struct work *head, const struct own_code *head_own)
{
	CLEANUP(ledger_release) struct ledger ledger;
	CLEANUP(free_ptr) struct common *common = NULL;
	CLEANUP(free_ptr) bool *alike = NULL;
	size_t n = 0;
	double pace;

	ledger_init(&ledger, base_own, head_own, NULL);
	ledger_add_work(&ledger, BASE, base);
	ledger_add_work(&ledger, HEAD, head);
	alike = find_alike(&ledger);
	common = xcalloc(ledger.codes.n + 1, sizeof *common);
	for (code_id id = 0; id < ledger.codes.n; id++) {
		const double *self = ledger.entries[id].self[COST_INSTRUCTIONS];

		if (alike[id] && self[BASE] > 0 && self[HEAD] > 0)
			common[n++] = (struct common){ self[BASE], self[HEAD] };
	}
	pace = common_pace(common, n);
	head->total = 0;
	for (size_t i = 0; i < head->n_functions; i++) {
		struct work_function *f = &head->functions[i];
		code_id id = codes_number(&ledger.codes, HEAD, &f->code);
		double was = ledger.entries[id].self[COST_INSTRUCTIONS][BASE];

		f->self /= pace;
		if (alike[id] && fabs(f->self - was) <= fmax(SAME_PART * was, SAME_NS))
			f->self = was;
		head->total += f->self;
	}
	for (size_t i = 0; i < head->n_calls; i++)
		head->calls[i].total /= pace;
}
