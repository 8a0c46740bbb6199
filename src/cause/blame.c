#include "cause/blame.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/readers/offcpu.h"

/*
 * Every own function is a suspect. Its increase in time is estimated from instructions and from samples. Instructions
 * are exact. Samples also cover the kernel and the cost of instructions. If a function costs more because it is called
 * more often, the caller is responsible.
 */

/* Most suspects: the functions that changed most. */
enum { SUSPECTS_MOST = 800 };
/* Standard errors between sampled and counted cost from which they contradict each other. The samples then decide. */
#define CONTRADICTS 3.5
/*
 * Part of the counted cost, most of it in foreign code. A function with fewer samples ends in a jump; samples show its
 * caller.
 */
#define JUMPS 0.2
/* Least part of the growth due to more calls that makes the caller responsible. */
#define BY_CALLS 0.6
/* Largest growth of a caller's own instructions that counts as none, as a part. */
#define BUSIER 0.02
/* Cost of a cheap system call, including its caller in the C library, and of starting a process, in ms. */
#define CALL_LEAST_MS 0.0003
#define START_MS 0.5
/* Least growth in the number of calls. */
enum { CALLS_ROSE = 1000 };
/* Most callers to follow. */
enum { CLIMB_MOST = 24 };

/* -------- the ledger of both sides */

static const struct evidence *evidence_of(const struct search *s, int side)
{
	return side == BASE ? s->in->base : s->in->head;
}

static double weight_of(const struct stacks *stacks)
{
	return stacks->n_events ? stacks->events[0].weight : 0;
}

static void add_evidence(struct search *s, int side)
{
	static const struct { const char *event; enum cost_kind cost; } waits[] = {
		{ OFFCPU_HELD, COST_HELD }, { OFFCPU_OTHERS, COST_OTHERS }, { OFFCPU_LOCKED, COST_LOCKED },
	};
	bool switches = s->in->base->offcpu.executions && s->in->head->offcpu.executions;
	const struct evidence *e = evidence_of(s, side);

	/* For an interpreter, samples show less than the counted functions of its program. */
	if (!s->ledger.timed && !s->unsampled && weight_of(&e->cpu) > 0)
		ledger_add_stacks(&s->ledger, side, &e->cpu, NULL, COST_TIME, s->total_ms[side] / weight_of(&e->cpu));
	ledger_add_stacks(&s->ledger, side, &e->faults, NULL, COST_FAULTS, 1);
	for (size_t i = 0; i < sizeof waits / sizeof waits[0] && switches; i++)
		ledger_add_stacks(&s->ledger, side, &e->waits, waits[i].event, waits[i].cost, 1e-6 / e->offcpu.executions);
	ledger_add_calls(&s->ledger, side, &e->system_calls);
	ledger_add_stacks(&s->ledger, side, &e->allocations, NULL, COST_ALLOCATIONS, 1);
	ledger_add_stacks(&s->ledger, side, &e->heap_peak, NULL, COST_HEAP_PEAK, 1);
}

/* Returns how much X changed, as the sum of its parts of all costs. Its size decides between functions that did not. */
static double weight(const struct search *s, const struct suspect *x)
{
	double sum = 0;

	for (int cost = 0; cost < COSTS; cost++) {
		double total = fmax(s->ledger.total[cost][BASE], s->ledger.total[cost][HEAD]);

		sum += part_of(fabs(more_of(x, (enum cost_kind)cost)) + 1e-3 * fmax(x->at->cost[cost][BASE], x->at->cost[cost][HEAD]), total);
	}
	return sum;
}

struct weighed {
	struct suspect suspect;
	double weight;
};

static int by_weight(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	return (x->weight < y->weight) - (x->weight > y->weight) ?: (x->suspect.id > y->suspect.id) - (x->suspect.id < y->suspect.id);
}

static void find_suspects(struct search *s)
{
	size_t n_codes = s->ledger.codes.n;
	CLEANUP(free_ptr) struct weighed *all = xcalloc(n_codes + 1, sizeof *all);
	size_t n = 0;

	for (code_id id = 0; id < n_codes; id++) {
		struct suspect x = { .id = id, .at = &s->ledger.entries[id] };
		double found = code_of(&s->ledger.codes, id)->own ? weight(s, &x) : 0;

		if (found > 0)
			all[n++] = (struct weighed){ x, found };
	}
	qsort(all, n, sizeof *all, by_weight);
	s->n = n < SUSPECTS_MOST ? n : SUSPECTS_MOST;
	s->suspects = xcalloc(s->n + 1, sizeof *s->suspects);
	s->by_id = xcalloc(n_codes + 1, sizeof *s->by_id);
	for (size_t i = 0; i < s->n; i++) {
		s->suspects[i] = all[i].suspect;
		s->suspects[i].touch = ledger_touch(&s->ledger, all[i].suspect.id);
		s->by_id[all[i].suspect.id] = &s->suspects[i];
	}
}

void search_open(struct search *s)
{
	const struct changes *changes = s->in->changes;
	bool known = changes && changes->known;

	if (known)
		touched_init(&s->touched, changes, &s->in->base->work, &s->in->head->work);
	ledger_init(&s->ledger, &s->in->base->own, &s->in->head->own, known ? &s->touched : NULL);
	for (int side = BASE; side < SIDES; side++)
		ledger_add_work(&s->ledger, side, &evidence_of(s, side)->work);
	for (int side = BASE; side < SIDES; side++)
		add_evidence(s, side);
	ledger_settle(&s->ledger);
	find_suspects(s);
}

void search_release(struct search *s)
{
	ledger_release(&s->ledger);
	if (s->touched.changes)
		touched_release(&s->touched);
	free(s->suspects);
	free(s->by_id);
}

/* -------- the increase of each */

static bool jumps_away(const struct search *s, const struct suspect *x)
{
	double all = x->at->cost[COST_INSTRUCTIONS][HEAD];

	return x->at->self[COST_INSTRUCTIONS][HEAD] < JUMPS * all && x->at->cost[COST_TIME][HEAD] < JUMPS * all * s->asked.pace;
}

/* -------- its system calls */

struct call_change suspect_call(const struct search *s, const struct suspect *x)
{
	const struct call_filter made = { .by = suspect_code(s, x)->function, .least_part = 0.02 };

	return system_calls_dearest(&s->in->base->system_calls, &s->in->head->system_calls, &made);
}

/* The same for a service, whose calls are counted for a while. */
static double service_calls_ms(const struct system_calls *base, const struct system_calls *head, const struct call_change *call)
{
	double was = call->was && base->work > 0 ? call->was->calls / base->work : 0, now = head->work > 0 ? call->now->calls / head->work : 0;

	return base->work > 0 && now >= 2 * was && now - was >= 1 ? (now - was) * CALL_LEAST_MS : 0;
}

double suspect_calls_ms(const struct search *s, const struct call_change *call)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	bool starts = call->now && system_call_starts(call->now);
	double all = system_calls_total(head) - system_calls_total(base), each = starts ? START_MS : CALL_LEAST_MS;

	if (!call->now || s->ledger.timed)
		return 0;
	if (head->attached)
		return service_calls_ms(base, head, call);
	if (call->now->calls < 2 * (call->was ? call->was->calls : 0) || (!starts && call->more < CALLS_ROSE))
		return 0;
	return call->more * fmax(all > 0 ? median_more(s, METRIC(SYSTEM_TIME)) / all : 0, each);
}

/* -------- its time */

/*
 * Estimates X's increase in time: instructions at the base's pace, plus kernel time, which is not counted, if the
 * samples are significant. If samples and counts contradict each other, as when the same instructions take longer, the
 * samples alone decide. Without counted instructions, the number of system calls gives at least their time.
 */
static void estimate_time(const struct search *s, struct suspect *x)
{
	bool counted = ledger_has(&s->ledger, COST_INSTRUCTIONS), sampled = ledger_has(&s->ledger, COST_TIME);
	double time = more_of(x, COST_TIME), kernel = more_of(x, COST_KERNEL), error = entry_error(x->at);

	x->counted = counted ? more_of(x, COST_INSTRUCTIONS) * s->asked.pace : 0;
	x->more = x->counted + (sampled && fabs(kernel) > 2 * error ? kernel : 0);
	if (sampled && (!counted || (fabs(time - x->more) > CONTRADICTS * error && !jumps_away(s, x))))
		x->more = fabs(time) > 2 * error ? time : 0;
	if (sampled && !counted) {
		struct call_change call = suspect_call(s, x);

		/* Samples miss much of short calls, and their number is exact. */
		x->more = fmax(x->more, suspect_calls_ms(s, &call));
	}
}

static void estimate(const struct search *s, struct suspect *x)
{
	x->caused_counted = x->caused_allocating = 0;
	x->responsible = x;
	x->busiest = NULL;
	x->part_of = NULL;
	if (s->asked.cost == COST_TIME) {
		estimate_time(s, x);
		return;
	}
	x->caused = x->more = more_of(x, s->asked.cost);
	x->counted = s->asked.cost == COST_INSTRUCTIONS ? x->more : 0;
}

/* Offsets the increase of X against the decrease of GONE, up to PART of it. */
static void offset(struct suspect *x, struct suspect *gone, double part)
{
	gone->more += part * x->more;
	gone->counted += part * x->counted;
	x->more -= part * x->more;
	x->counted -= part * x->counted;
}

/* Pairs a function missing in head with one of about the same increase: it was renamed, or inlined into its caller. */
static void pair_renamed(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *gone = &s->suspects[i], *best = NULL;
		const char *object = path_name(suspect_code(s, gone)->object);

		if (suspect_in(s, gone, HEAD) || !(gone->more < 0))
			continue;
		for (size_t k = 0; k < s->n; k++) {
			struct suspect *x = &s->suspects[k];

			if (x->more > 0.5 * -gone->more && !strcmp(path_name(suspect_code(s, x)->object), object) &&
			    (!best || fabs(x->more + gone->more) < fabs(best->more + gone->more)))
				best = x;
		}
		if (!best)
			continue;
		best->more += gone->more;
		best->counted += gone->counted;
		gone->more = gone->counted = 0;
	}
}

/* -------- the responsible function */

bool suspect_called_more(const struct suspect *x)
{
	const double *calls = x->at->calls, *work = x->at->cost[COST_INSTRUCTIONS];
	double per_call;

	if (!(calls[BASE] > 0) || !(calls[HEAD] > MORE_CALLS * calls[BASE]) || !(change_of(work) > 0))
		return false;
	per_call = fmin(work[BASE] / calls[BASE], work[HEAD] / calls[HEAD]);
	return change_of(calls) * per_call > BY_CALLS * change_of(work);
}

/* Adds to CALLS how many more calls of CALLEE each suspect makes. DEEPER: also through foreign code, such as qsort. */
static void count_callers(const struct search *s, code_id callee, bool deeper, double *calls)
{
	for (size_t i = 0; i < s->ledger.n_edges; i++) {
		const struct edge *e = &s->ledger.edges[i];

		if (e->callee != callee || e->caller == callee)
			continue;
		if (s->by_id[e->caller])
			calls[s->by_id[e->caller] - s->suspects] += change_of(e->calls);
		else if (deeper && !code_of(&s->ledger.codes, e->caller)->own)
			count_callers(s, e->caller, false, calls);
	}
}

static struct suspect *caller_of(const struct search *s, struct suspect *x)
{
	CLEANUP(free_ptr) double *calls = xcalloc(s->n + 1, sizeof *calls);

	count_callers(s, x->id, true, calls);
	return SUSPECT_MOST(s, caller, calls[caller - s->suspects]) ?: x;
}

/*
 * True if X may be the reason for additional calls it makes: it changed, itself or by a word, or its own code executes
 * more.
 */
static bool may_call_more(const struct suspect *x)
{
	const double *self = x->at->self[COST_INSTRUCTIONS];

	return (x->touch && x->touch->how <= TOUCH_WORD) || change_of(self) > BUSIER * self[BASE];
}

/*
 * True if X's cost is its caller's: X is called more often, or it is new, such as code that was part of others before.
 */
static bool is_callers(const struct search *s, const struct suspect *x)
{
	return suspect_called_more(x) || (!suspect_in(s, x, BASE) && x->at->calls[HEAD] > 0);
}

/*
 * Finds the function responsible for X's cost. With a known diff, stops below a caller that did not change or do more:
 * the data then cause the additional calls.
 */
static void find_responsible(struct search *s, struct suspect *x)
{
	struct suspect *whose = x;

	for (int i = 0; i < CLIMB_MOST && !suspect_changed(whose) && is_callers(s, whose); i++) {
		struct suspect *caller = caller_of(s, whose);

		if (caller == whose || (s->touched.changes && !suspect_called_more(caller) && !may_call_more(caller)))
			break;
		whose = caller;
	}
	x->responsible = whose;
}

/* Returns how many more calls of foreign functions X makes itself. */
static double more_foreign_calls(const struct search *s, const struct suspect *x)
{
	double more = 0;
	size_t n;
	const struct callee_cost *callees = ledger_callees(&s->ledger, x->id, COST_INSTRUCTIONS, &n);

	for (size_t i = 0; i < n; i++)
		more += change_of(callees[i].calls);
	return more;
}

/*
 * Moves the increase in the kernel of an unchanged X to a changed callee that calls foreign functions more often. A
 * call at the end of a function is a jump, so samples show the caller instead of the callee.
 */
static void find_tail_caller(struct search *s, struct suspect *x)
{
	double most = 0;

	if (suspect_changed(x) || !(more_of(x, COST_KERNEL) >= MOST_OF * x->more) || more_foreign_calls(s, x) > 0)
		return;
	for (size_t i = 0; i < s->ledger.n_edges; i++) {
		const struct edge *e = &s->ledger.edges[i];
		struct suspect *callee = e->caller == x->id && e->calls[HEAD] > 0 ? s->by_id[e->callee] : NULL;

		if (callee && callee != x && suspect_changed(callee) && more_foreign_calls(s, callee) > most) {
			most = more_foreign_calls(s, callee);
			x->responsible = callee;
		}
	}
}

/* Returns how many more blocks of memory X allocates itself than it frees. */
static double more_blocks(const struct search *s, const struct suspect *x)
{
	double more = 0;
	size_t n;
	const struct callee_cost *callees = ledger_callees(&s->ledger, x->id, COST_INSTRUCTIONS, &n);

	for (size_t i = 0; i < n; i++)
		if (foreign_allocates(callees[i].callee) && !TEXT_IS(callees[i].callee, "realloc*"))
			more += foreign_frees(callees[i].callee) ? -change_of(callees[i].calls) : change_of(callees[i].calls);
	return more;
}

/* Returns the function that allocates what X frees, if X costs more because it frees more, and not because of the change; or NULL. */
static struct suspect *allocator_of(const struct search *s, const struct suspect *x)
{
	double freed = x->more > 0 && !suspect_changed(x->responsible) ? -more_blocks(s, x) : 0;
	struct suspect *allocator;

	if (!(freed > 0) || more_of(x, COST_ALLOCATING) < MOST_OF * more_of(x, COST_INSTRUCTIONS))
		return NULL;
	allocator = SUSPECT_MOST(s, other, more_blocks(s, other));
	return allocator && more_blocks(s, allocator) >= MOST_OF * freed ? allocator : NULL;
}

/* Offsets a new function against its caller if the caller's cost fell: it was part of the caller. */
static void pair_parted(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i], *caller;

		if (suspect_in(s, x, BASE) || !(x->more > 0))
			continue;
		caller = caller_of(s, x);
		if (!(caller->more < 0))
			continue;
		x->part_of = caller;
		offset(x, caller, fmin(1, -caller->more / x->more));
	}
}

static void share_out(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];

		x->caused = 0;
		if (x->more > 0 && suspect_in(s, x, HEAD))
			find_responsible(s, x);
		if (x->more > 0 && x->responsible == x)
			find_tail_caller(s, x);
	}
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i], *allocator = allocator_of(s, x), *whose = (allocator ?: x)->responsible;

		whose->caused += x->more;
		whose->caused_counted += x->counted;
		whose->caused_allocating += more_of(x, COST_ALLOCATING) * s->asked.pace;
		if (whose != x && !allocator && (!whose->busiest || whose->busiest->more < x->more))
			whose->busiest = x;
	}
}

void blame(struct search *s, const struct question *question)
{
	s->asked = *question;
	for (size_t i = 0; i < s->n; i++)
		estimate(s, &s->suspects[i]);
	if (question->cost != COST_TIME && question->cost != COST_INSTRUCTIONS)
		return;
	pair_renamed(s);
	pair_parted(s);
	share_out(s);
}

/* -------- looking at one */

const struct suspect *suspect_dearest(const struct suspect *x)
{
	return x->busiest && x->busiest->more > x->more ? x->busiest : x;
}

const struct callee_cost *suspect_callee(const struct search *s, const struct suspect *x, enum cost_kind cost, double least)
{
	size_t n;
	const struct callee_cost *callees = ledger_callees(&s->ledger, x->id, cost, &n), *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (change_of(callees[i].amount) > least) {
			least = change_of(callees[i].amount);
			best = &callees[i];
		}
	return best;
}

/* Python frees what a builtin returned in its caller's time, and the split of a short call's time is uncertain. */
#define BUILTINS_PART 8

const struct callee_cost *suspect_dearest_callee(const struct search *s, const struct suspect *x)
{
	double own = change_of(x->at->self[COST_INSTRUCTIONS]);
	const struct callee_cost *callee = suspect_callee(s, x, COST_INSTRUCTIONS, own);

	if (callee || !s->ledger.timed)
		return callee;
	callee = suspect_callee(s, x, COST_INSTRUCTIONS, own / BUILTINS_PART);
	return callee && callee->calls[HEAD] > MORE_CALLS * callee->calls[BASE] ? callee : NULL;
}

double suspect_nearness(const struct suspect *x)
{
	static const double weights[] = {
		[TOUCH_BODY] = 12, [TOUCH_INLINED] = 12, [TOUCH_WORD] = 4, [TOUCH_CALLEE] = 3, [TOUCH_CALLER] = 2,
	};

	return x->touch ? fmax(weights[x->touch->how] / (1 + x->touch->distance / 2.0), 1) : 1;
}

const struct suspect *suspect_named(const struct search *s, const char *name)
{
	code_id id = name ? codes_named(&s->ledger.codes, name) : NO_CODE;

	return id == NO_CODE ? NULL : s->by_id[id];
}
