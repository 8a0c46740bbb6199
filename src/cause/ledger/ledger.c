#include "cause/ledger/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cause/ledger/samples.h"
#include "model/profile.h"
#include "profile/names.h"

struct ledger_touch {
	bool known, touched;
	struct touch touch;
};

void ledger_init(struct ledger *out, const struct own_code *base, const struct own_code *head, const struct touched *touched)
{
	*out = (struct ledger){ .own = { base, head }, .touched = touched, .codes = { .root = { base->root, head->root } } };
}

void ledger_release(struct ledger *ledger)
{
	arena_release(&ledger->arena);
	codes_release(&ledger->codes);
	pair_index_release(&ledger->by_edge);
	free(ledger->entries);
	free(ledger->touches);
	free(ledger->callees);
	free(ledger->edges);
	*ledger = (struct ledger){ 0 };
}

static code_id number(struct ledger *ledger, int side, const struct code *code)
{
	code_id id = codes_number(&ledger->codes, side, code);

	ledger->entries = xextend(ledger->entries, &ledger->n_entries, ledger->codes.n, sizeof *ledger->entries);
	return id;
}

const struct touch *ledger_touch(struct ledger *ledger, code_id code)
{
	struct ledger_touch *found;

	if (!ledger->touched)
		return NULL;
	ledger->touches = xextend(ledger->touches, &ledger->n_touches, ledger->codes.n, sizeof *ledger->touches);
	found = &ledger->touches[code];
	if (!found->known)
		found->touched = touched_find(ledger->touched, code_of(&ledger->codes, code), &found->touch);
	found->known = true;
	return found->touched ? &found->touch : NULL;
}

/* -------- adding */

/* Adds AMOUNT to CODE's COST, wherever it arises. Returns false if CODE is NO_CODE: the cost has no owner then. */
static bool add_total(struct ledger *ledger, int side, enum cost_kind cost, code_id code, double amount)
{
	ledger->total[cost][side] += amount;
	if (code == NO_CODE)
		ledger->unowned[cost][side] += amount;
	else
		ledger->entries[code].cost[cost][side] += amount;
	return code != NO_CODE;
}

/* Adds AMOUNT to the COST that arises in CODE itself. */
static void add(struct ledger *ledger, int side, enum cost_kind cost, code_id code, double amount)
{
	if (add_total(ledger, side, cost, code, amount))
		ledger->entries[code].self[cost][side] += amount;
}

/* Adds PART, of which SIDE's amount and calls are set, to the cost of what its code calls. */
static void add_callee(struct ledger *ledger, int side, struct callee_cost part)
{
	if (!add_total(ledger, side, part.cost, part.code, part.amount[side]))
		return;
	part.object = part.object ?: "";
	*VEC_ADD(ledger->callees, ledger->n_callees, ledger->cap_callees) = part;
}

/* -------- stacks */

static uint32_t event_number(const struct stacks *stacks, const char *event)
{
	for (uint32_t i = 0; i < stacks->n_events; i++)
		if (!event || !strcmp(stacks_text(stacks, stacks->events[i].name), event))
			return i;
	return UINT32_MAX;
}

/* The own functions of frames. They get numbers when they are met in a stack. */
struct owners {
	struct ledger *ledger;
	int side;
	const struct code **codes;	/* by frame; NULL: foreign */
};

/* Returns FRAME's own function; NO_CODE: foreign, by its name or by debug information. */
static code_id owner_of(const struct owners *o, uint32_t frame)
{
	code_id id = o->codes[frame] ? number(o->ledger, o->side, o->codes[frame]) : NO_CODE;

	return id != NO_CODE && o->ledger->codes.items[id].of[o->side]->own ? id : NO_CODE;
}

/* Returns the owner of a stack, and the index behind its frame. NO_CODE, 0: none. */
static code_id find_owner(const struct owners *o, const uint32_t *frames, size_t n, bool by_change, size_t *end_out)
{
	code_id nearest = NO_CODE;

	*end_out = 0;
	for (size_t i = n; i && (nearest == NO_CODE || by_change); i--) {
		code_id id = owner_of(o, frames[i - 1]);
		const struct touch *touch = id == NO_CODE || !by_change ? NULL : ledger_touch(o->ledger, id);
		bool changed = touch_changes(touch) && !touch->by_file;

		if (id == NO_CODE || (nearest != NO_CODE && !changed))
			continue;
		nearest = id;
		*end_out = i;
		if (changed)
			break;
	}
	return nearest;
}

/* A stack's frames below its owner. */
struct below {
	const uint32_t *frames;
	size_t n;
};

/* Adds the parts of CODE's CPU time MS in one of STACKS, by the frames BELOW it. */
static void add_parts_of_time(const struct owners *o, const struct stacks *stacks, code_id code, struct below below, double ms)
{
	if (below.n && stacks->frames[below.frames[below.n - 1]].kernel)
		add(o->ledger, o->side, COST_KERNEL, code, ms);
	if (samples_fault(stacks, below.frames, below.n))
		add(o->ledger, o->side, COST_FAULTING, code, ms);
	if (samples_allocate(stacks, below.frames, below.n))
		add(o->ledger, o->side, COST_ALLOCATING_TIME, code, ms);
}

/* Adds AMOUNT to the COST of the owner CODE: in the function that it calls, BELOW, or in itself if there is none. */
static void add_stack(const struct owners *o, const struct stacks *stacks, struct callee_cost part, struct below below, double amount)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (!below.n) {
		add(o->ledger, o->side, part.cost, part.code, amount);
		return;
	}
	samples_name_callee(stacks, below.frames, below.n, &name);
	part.callee = arena_strdup(&o->ledger->arena, name.buf);
	part.object = stacks_text(stacks, stacks->frames[below.frames[0]].dso);
	part.amount[o->side] = amount;
	part.calls[o->side] = NAN;
	add_callee(o->ledger, o->side, part);
}

/* Sets the error of sampled times. Shares also shift with other load on the machine. */
static void set_errors(struct ledger *ledger, int side, double ms_per_sample)
{
	double total = ledger->total[COST_TIME][side];

	for (size_t i = 0; i < ledger->codes.n; i++) {
		struct entry *e = &ledger->entries[i];
		double share = e->cost[COST_TIME][side] / total;

		e->error[side] = sqrt(e->cost[COST_TIME][side] * ms_per_sample + pow(PROFILE_BUSY_SHIFT * share * (1 - share) * total, 2));
	}
}

void ledger_add_stacks(struct ledger *ledger, int side, const struct stacks *stacks, const char *event, enum cost_kind cost, double unit)
{
	uint32_t wanted = event_number(stacks, event);
	CLEANUP(free_ptr) const struct code **codes = wanted == UINT32_MAX ? NULL : samples_codes(stacks, ledger->own[side], &ledger->arena);
	const struct owners owners = { ledger, side, codes };
	uint64_t samples = 0;

	for (size_t i = 0; i < stacks->n && codes; i++) {
		const struct stack *s = &stacks->items[i];
		const uint32_t *frames = stacks->pool + s->first;
		struct below below = { 0 };
		code_id code;
		size_t end;

		if (s->event != wanted)
			continue;
		code = find_owner(&owners, frames, s->n, cost >= COST_FAULTS, &end);
		if (end)
			below = (struct below){ frames + end, s->n - end };
		samples += s->samples;
		add_stack(&owners, stacks, (struct callee_cost){ .code = code, .cost = cost }, below, s->weight * unit);
		if (cost == COST_TIME && end)
			add_parts_of_time(&owners, stacks, code, below, s->weight * unit);
	}
	if (cost == COST_TIME && samples)
		set_errors(ledger, side, ledger->total[cost][side] / (double)samples);
}

/* -------- system calls */

void ledger_add_calls(struct ledger *ledger, int side, const struct system_calls *calls)
{
	for (size_t i = 0; i < calls->n; i++) {
		const struct system_call *call = &calls->items[i];
		struct callee_cost part = { .cost = COST_CALLS, .callee = call->name };
		const char *object = call->caller_object ?: "";
		CLEANUP(strbuf_release) struct strbuf key = STRBUF_INIT;
		struct code *code;

		if (!call->caller || !(call->calls > 0))
			continue;
		name_comparable(call->caller, object, &key);
		code = arena_alloc(&ledger->arena, sizeof *code);
		*code = (struct code){ .function = call->caller, .key = arena_strdup(&ledger->arena, key.buf), .object = object, .own = true };
		part.code = number(ledger, side, code);
		part.amount[side] = call->by_caller > 0 ? call->by_caller : call->calls;
		part.calls[side] = call->calls;
		add_callee(ledger, side, part);
	}
}

/* -------- instructions */

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

/* Finds circles of foreign functions as Tarjan does. */
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

struct sharing {
	struct ledger *ledger;
	int side;
	const struct work *work;
	code_id *ids;		/* by function */
	uint32_t *circle;
	double *cost;		/* cost to pass on, by circle */
	double *allocating;	/* part of `cost` in the malloc family */
};

static const char *callee_name(struct sharing *s, const struct code *code)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	foreign_name(code->function, &name);
	return arena_strdup(&s->ledger->arena, name.buf);
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
			struct callee_cost added = {
				.code = s->ids[call->caller], .cost = COST_INSTRUCTIONS, .callee = callee_name(s, &callee->code), .object = callee->code.object,
			};

			added.amount[s->side] = cost * part;
			added.calls[s->side] = call->calls;
			add_callee(s->ledger, s->side, added);
			add(s->ledger, s->side, COST_ALLOCATING, s->ids[call->caller], allocating * part);
			continue;
		}
		s->cost[s->circle[call->caller]] += cost * part;
		/* Everything that an allocator calls is allocating. */
		s->allocating[s->circle[call->caller]] += (foreign_allocates(caller->code.function) ? cost : allocating) * part;
	}
	if (!n)
		add(s->ledger, s->side, COST_INSTRUCTIONS, NO_CODE, cost);
}

/* Adds what functions execute themselves. Foreign code goes to the cost of its circle. */
static void take_functions(struct sharing *s)
{
	for (size_t i = 0; i < s->work->n_functions; i++) {
		const struct work_function *f = &s->work->functions[i];
		struct entry *e;

		s->ids[i] = number(s->ledger, s->side, &f->code);
		e = &s->ledger->entries[s->ids[i]];
		e->calls[s->side] += f->calls;
		if (f->code.own) {
			add(s->ledger, s->side, COST_INSTRUCTIONS, s->ids[i], f->self);
			continue;
		}
		e->self[COST_INSTRUCTIONS][s->side] += f->self;
		s->cost[s->circle[i]] += f->self;
		s->allocating[s->circle[i]] += foreign_allocates(f->code.function) ? f->self : 0;
	}
}

static void take_edges(struct sharing *s)
{
	struct ledger *ledger = s->ledger;

	for (size_t i = 0; i < s->work->n_calls; i++) {
		const struct work_call *call = &s->work->calls[i];
		uint32_t at = pair_index_of(&ledger->by_edge, s->ids[call->caller], s->ids[call->callee]);

		if (at == ledger->n_edges) {
			VEC_GROW(ledger->edges, ledger->n_edges, ledger->cap_edges);
			ledger->edges[ledger->n_edges++] = (struct edge){ .caller = s->ids[call->caller], .callee = s->ids[call->callee] };
		}
		ledger->edges[at].calls[s->side] += call->calls;
	}
}

void ledger_add_work(struct ledger *ledger, int side, const struct work *work)
{
	CLEANUP(free_ptr) uint32_t *into = xcalloc(work->n_calls + 1, sizeof *into);
	uint32_t n;
	CLEANUP(free_ptr) uint32_t *circle = find_circles(work, &n);
	CLEANUP(free_ptr) code_id *ids = xcalloc(work->n_functions + 1, sizeof *ids);
	CLEANUP(free_ptr) double *cost = xcalloc(n + 1, sizeof *cost), *allocating = xcalloc(n + 1, sizeof *allocating);
	struct sharing s = { ledger, side, work, ids, circle, cost, allocating };
	CLEANUP(calls_of_release) struct calls_of callers = { 0 };

	take_functions(&s);
	take_edges(&s);
	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *c = &work->calls[i];

		into[i] = circle[c->callee] != circle[c->caller] ? circle[c->callee] : n;
	}
	callers = list_calls(into, work->n_calls, n);
	for (uint32_t i = 0; i < n; i++)
		hand_on(&s, i, callers.items + callers.first[i], callers.first[i + 1] - callers.first[i]);
	ledger->timed |= work->timed;
	ledger->per = work->per;
	ledger->per_error = work->per_error;
}

/* -------- settling */

static int compare_callees(const void *a, const void *b)
{
	const struct callee_cost *p = a, *q = b;

	return (p->code > q->code) - (p->code < q->code) ?: (int)p->cost - (int)q->cost ?: strcmp(p->callee, q->callee) ?:
	       (fmax(p->amount[BASE], p->amount[HEAD]) < fmax(q->amount[BASE], q->amount[HEAD])) -
	       (fmax(p->amount[BASE], p->amount[HEAD]) > fmax(q->amount[BASE], q->amount[HEAD]));
}

static void join_callees(struct ledger *ledger)
{
	size_t n = 0;

	if (ledger->n_callees)
		qsort(ledger->callees, ledger->n_callees, sizeof *ledger->callees, compare_callees);
	for (size_t i = 0; i < ledger->n_callees; i++) {
		struct callee_cost *last = n ? &ledger->callees[n - 1] : NULL, *p = &ledger->callees[i];

		if (!last || last->code != p->code || last->cost != p->cost || strcmp(last->callee, p->callee) != 0) {
			ledger->callees[n++] = *p;
			continue;
		}
		for (int side = BASE; side < SIDES; side++) {
			last->amount[side] += p->amount[side];
			last->calls[side] += p->calls[side];
		}
	}
	ledger->n_callees = n;
}

/*
 * Limits each function's increase in the kernel to the increase of all functions together. The rest moved to it from
 * another function, such as the first touch of memory that another function now hands out.
 */
static void leave_out_moved(struct ledger *ledger)
{
	double all = 0;

	for (size_t i = 0; i < ledger->codes.n; i++)
		all += change_of(ledger->entries[i].cost[COST_KERNEL]);
	all = fmax(all, 0);
	for (size_t i = 0; i < ledger->codes.n; i++) {
		struct entry *e = &ledger->entries[i];
		double moved = change_of(e->cost[COST_KERNEL]) - all;

		if (moved <= 0)
			continue;
		e->cost[COST_KERNEL][HEAD] -= moved;
		e->cost[COST_TIME][HEAD] -= moved;
		e->cost[COST_FAULTING][HEAD] = fmin(e->cost[COST_FAULTING][HEAD], e->cost[COST_FAULTING][BASE] + all);
	}
}

void ledger_settle(struct ledger *ledger)
{
	join_callees(ledger);
	leave_out_moved(ledger);
}

const struct callee_cost *ledger_callees(const struct ledger *ledger, code_id code, enum cost_kind cost, size_t *n_out)
{
	const struct callee_cost *p = ledger->callees;
	size_t first = SEARCH_FIRST(i, ledger->n_callees, p[i].code > code || (p[i].code == code && p[i].cost >= cost));

	for (*n_out = 0; first + *n_out < ledger->n_callees; ++*n_out)
		if (p[first + *n_out].code != code || p[first + *n_out].cost != cost)
			break;
	return p + first;
}
