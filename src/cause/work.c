#include "cause/work.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/own_costs.h"

/*
 * Instructions of foreign functions belong to the own functions that called them. A call's total includes own functions
 * that the foreign one called back (qsort and its comparison), which are counted separately. So only the foreign
 * functions' own instructions are passed on, from callee to caller. Each caller's part is in proportion to the totals
 * of the calls. Foreign functions that call each other in a circle count as one, since totals within a circle mean
 * nothing.
 */

/* A list of calls for each function: those of function I are items[first[I]] to items[first[I + 1]]. */
struct calls_of {
	uint32_t *first, *items;
};

static void calls_of_release(struct calls_of *calls)
{
	free(calls->first);
	free(calls->items);
}

/* Lists calls by the function in OF; N: in no list. */
static struct calls_of list_calls(const uint32_t *of, size_t n_calls, size_t n)
{
	struct calls_of list = {
		.first = xcalloc(n + 2, sizeof *list.first), .items = xcalloc(n_calls + 1, sizeof *list.items),
	};

	for (size_t i = 0; i < n_calls; i++)
		if (of[i] < n)
			list.first[of[i] + 2]++;
	for (size_t i = 0; i < n; i++)
		list.first[i + 2] += list.first[i + 1];
	for (size_t i = 0; i < n_calls; i++)
		if (of[i] < n)
			list.items[list.first[of[i] + 1]++] = (uint32_t)i;
	return list;
}

/* -------- circles of foreign functions (Tarjan) */

struct circles {
	const struct work *work;
	struct calls_of from;		/* calls between foreign functions, by caller */
	uint32_t *circle;		/* of each function; callees have lower numbers than callers */
	uint32_t n;
	uint32_t *order, *low, *at;	/* 0: not visited; lowest number in reach; next call to follow */
	uint32_t *path, *waiting, seen;
	size_t n_path, n_waiting;
};

static void enter(struct circles *c, uint32_t function)
{
	c->order[function] = c->low[function] = ++c->seen;
	c->at[function] = c->from.first[function];
	c->path[c->n_path++] = function;
	c->waiting[c->n_waiting++] = function;
}

/* Leaves the deepest function of the path, after all its calls were followed. */
static void leave(struct circles *c, uint32_t function)
{
	uint32_t last;

	if (--c->n_path) {
		uint32_t *low = &c->low[c->path[c->n_path - 1]];

		*low = *low < c->low[function] ? *low : c->low[function];
	}
	if (c->low[function] != c->order[function])
		return;
	do {
		last = c->waiting[--c->n_waiting];
		c->circle[last] = c->n;
		c->low[last] = UINT32_MAX;	/* done: ignored from now on */
	} while (last != function);
	c->n++;
}

static void walk(struct circles *c, uint32_t begin)
{
	enter(c, begin);
	while (c->n_path) {
		uint32_t function = c->path[c->n_path - 1], callee;

		if (c->at[function] == c->from.first[function + 1]) {
			leave(c, function);
			continue;
		}
		callee = c->work->calls[c->from.items[c->at[function]++]].callee;
		if (!c->order[callee])
			enter(c, callee);
		else if (c->low[callee] != UINT32_MAX && c->order[callee] < c->low[function])
			c->low[function] = c->order[callee];
	}
}

/* Returns the circle of each foreign function, mostly of one function. Own functions have number *N_OUT. For free(). */
static uint32_t *find_circles(const struct work *work, uint32_t *n_out)
{
	size_t n = work->n_functions;
	CLEANUP(free_ptr) uint32_t *of = xcalloc(work->n_calls + 1, sizeof *of);
	CLEANUP(free_ptr) uint32_t *room = xcalloc(5 * n + 1, sizeof *room);
	struct circles c = {
		.work = work, .circle = xcalloc(n + 1, sizeof *c.circle), .order = room, .low = room + n, .at = room + 2 * n,
		.path = room + 3 * n, .waiting = room + 4 * n,
	};

	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *call = &work->calls[i];

		of[i] = work->functions[call->caller].code.own || work->functions[call->callee].code.own ? (uint32_t)n : call->caller;
	}
	c.from = list_calls(of, work->n_calls, n);
	for (uint32_t i = 0; i < n; i++)
		if (!work->functions[i].code.own && !c.order[i])
			walk(&c, i);
	for (size_t i = 0; i < n; i++)
		if (work->functions[i].code.own)
			c.circle[i] = c.n;
	calls_of_release(&c.from);
	*n_out = c.n;
	return c.circle;
}

/* -------- the responsible function */

struct sharing {
	const struct work *work;
	uint32_t *circle;
	double *cost;		/* cost to pass on, by circle */
	double *allocating;	/* part of `cost` in the malloc family */
	struct cost_piece *pieces;
	size_t n, cap;
	struct arena *names;
};

static void add_piece(struct sharing *s, struct cost_piece piece)
{
	VEC_GROW(s->pieces, s->n, s->cap);
	s->pieces[s->n++] = piece;
}

static const char *name_of(struct sharing *s, const struct code *code)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	foreign_name(code->function, &name);
	return arena_strdup(s->names, name.buf);
}

bool foreign_allocates(const char *name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "free", "memalign", "posix_memalign", "aligned_alloc", "reallocarray", "operator new",
		"operator delete", "strdup", "__libc_malloc", "_int_malloc", "cfree", "g_malloc", "g_free",
		"__rustc::__rust_", "__rustc::__rdl_", "__rust_", "__rdl_", "alloc::raw_vec::",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (text_starts(name, names[i]))
			return true;
	return false;
}

/* Passes CIRCLE's cost on to its callers. CALLS are the calls into it. */
static void hand_on(struct sharing *s, uint32_t circle, const uint32_t *calls, size_t n)
{
	double total = 0, number = 0, cost = s->cost[circle], allocating = s->allocating[circle];

	for (size_t i = 0; i < n; i++) {
		total += s->work->calls[calls[i]].total;
		number += s->work->calls[calls[i]].calls;
	}
	for (size_t i = 0; i < n; i++) {
		const struct work_call *call = &s->work->calls[calls[i]];
		const struct work_function *caller = &s->work->functions[call->caller], *callee = &s->work->functions[call->callee];
		double part = total > 0 ? call->total / total : number > 0 ? call->calls / number : 1.0 / (double)n;

		if (caller->code.own) {
			add_piece(s, (struct cost_piece){
				.code = &caller->code, .foreign = name_of(s, &callee->code), .foreign_object = callee->code.object,
				.cost = cost * part, .allocating = allocating * part, .calls = call->calls,
			});
			continue;
		}
		s->cost[s->circle[call->caller]] += cost * part;
		/* Everything that an allocator calls is allocating. */
		s->allocating[s->circle[call->caller]] += (foreign_allocates(caller->code.function) ? cost : allocating) * part;
	}
	if (!n)
		add_piece(s, (struct cost_piece){ .cost = cost });
}

void work_own_costs(const struct work *work, struct own_costs *out)
{
	CLEANUP(free_ptr) uint32_t *into = xcalloc(work->n_calls + 1, sizeof *into);
	struct sharing s = { .work = work, .names = &out->arena };
	struct calls_of callers;
	uint32_t n;

	s.circle = find_circles(work, &n);
	s.cost = xcalloc(n + 1, sizeof *s.cost);
	s.allocating = xcalloc(n + 1, sizeof *s.allocating);
	for (size_t i = 0; i < work->n_functions; i++) {
		const struct work_function *f = &work->functions[i];

		if (f->code.own) {
			add_piece(&s, (struct cost_piece){ .code = &f->code, .cost = f->self, .calls = f->calls });
			continue;
		}
		s.cost[s.circle[i]] += f->self;
		s.allocating[s.circle[i]] += foreign_allocates(f->code.function) ? f->self : 0;
	}
	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *c = &work->calls[i];

		into[i] = s.circle[c->callee] != s.circle[c->caller] ? s.circle[c->callee] : n;
	}
	callers = list_calls(into, work->n_calls, n);
	for (uint32_t i = 0; i < n; i++)
		hand_on(&s, i, callers.items + callers.first[i], callers.first[i + 1] - callers.first[i]);
	own_costs_add_up(s.pieces, s.n, out);
	calls_of_release(&callers);
	free(s.pieces);
	free(s.circle);
	free(s.cost);
	free(s.allocating);
}
