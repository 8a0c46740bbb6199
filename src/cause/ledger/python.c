#include "cause/ledger/work.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cause/ledger/own_code.h"

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

/* Returns the number of calls that each function makes. For free(). */
static double *calls_made(const struct work *work)
{
	double *made = xcalloc(work->n_functions + 1, sizeof *made);

	for (size_t i = 0; i < work->n_calls; i++)
		made[work->calls[i].caller] += work->calls[i].calls;
	return made;
}

/* Returns the number in BASE of each function of HEAD; UINT32_MAX: none. For free(). */
static uint32_t *pair_functions(const struct work *base, const struct own_code *base_own, const struct work *head, const struct own_code *head_own)
{
	CLEANUP(codes_release) struct codes codes = { .root = { base_own->root, head_own->root } };
	CLEANUP(free_ptr) uint32_t *numbers = xcalloc(base->n_functions + 1, sizeof *numbers);
	uint32_t *pairs = xcalloc(head->n_functions + 1, sizeof *pairs);
	size_t n = 0;

	for (size_t i = 0; i < base->n_functions; i++)
		if (codes_number(&codes, BASE, &base->functions[i].code) == n)
			numbers[n++] = (uint32_t)i;
	for (size_t i = 0; i < head->n_functions; i++) {
		code_id id = codes_number(&codes, HEAD, &head->functions[i].code);

		pairs[i] = id < n ? numbers[id] : UINT32_MAX;
	}
	return pairs;
}

void python_settle(struct work *base, const struct own_code *base_own, struct work *head, const struct own_code *head_own)
{
	CLEANUP(free_ptr) uint32_t *pairs = pair_functions(base, base_own, head, head_own);
	CLEANUP(free_ptr) double *before = calls_made(base);
	CLEANUP(free_ptr) double *now = calls_made(head);
	CLEANUP(free_ptr) struct common *common = xcalloc(head->n_functions + 1, sizeof *common);
	size_t n = 0;
	double pace;

	for (size_t i = 0; i < head->n_functions; i++) {
		const struct work_function *f = &head->functions[i], *was = pairs[i] == UINT32_MAX ? NULL : &base->functions[pairs[i]];

		if (was && was->calls == f->calls && before[pairs[i]] == now[i] && was->self > 0 && f->self > 0)
			common[n++] = (struct common){ was->self, f->self };
	}
	pace = common_pace(common, n);
	head->total = 0;
	for (size_t i = 0; i < head->n_functions; i++) {
		struct work_function *f = &head->functions[i];
		const struct work_function *was = pairs[i] == UINT32_MAX ? NULL : &base->functions[pairs[i]];

		f->self /= pace;
		if (was && was->calls == f->calls && before[pairs[i]] == now[i] &&
		    fabs(f->self - was->self) <= fmax(SAME_PART * was->self, SAME_NS))
			f->self = was->self;
		head->total += f->self;
	}
	for (size_t i = 0; i < head->n_calls; i++)
		head->calls[i].total /= pace;
}
