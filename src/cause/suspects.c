#include "cause/suspects.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/offcpu.h"
#include "cause/own_costs.h"
#include "cause/system_calls.h"
#include "cause/touched.h"
#include "cause/work.h"
#include "profile/stacks.h"

/*
 * Every own function is a suspect. Its increase, in ms per run, is estimated from instructions and from samples of CPU
 * time. Instructions are exact. Samples also cover the kernel and the cost of instructions. If a function costs more
 * because it is called more often, the caller is responsible. Functions touched by the change rank first.
 */

/* Most suspects of a side: its costliest functions. */
enum { SUSPECTS_MOST = 400 };
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
/* Most callers to follow. */
enum { CLIMB_MOST = 24 };

static const struct evidence *evidence_of(const struct search *s, int side)
{
	return side == BASE ? s->in->base : s->in->head;
}

bool suspects_timed(const struct search *s)
{
	return s->in->base->work.timed && s->in->head->work.timed;
}

bool suspect_same_code(const struct code *a, const struct code *b)
{
	return !strcmp(a->key, b->key) && !strcmp(path_name(a->object), path_name(b->object));
}

static struct suspect *find_suspect(struct search *s, const struct code *code)
{
	for (size_t i = 0; i < s->n; i++)
		if (suspect_same_code(code_of(&s->suspects[i]), code))
			return &s->suspects[i];
	return NULL;
}

static struct suspect *add_suspect(struct search *s, int side, const struct code *code)
{
	struct suspect *x = find_suspect(s, code);

	if (!x)
		x = &s->suspects[s->n++];
	/* Callgrind's code has its place. */
	if (!x->code[side] || (!x->code[side]->source && code->source))
		x->code[side] = code;
	return x;
}

static void take_work(struct search *s, int side)
{
	const struct own_costs *costs = &s->work[side];

	for (size_t i = 0; i < costs->n && i < SUSPECTS_MOST; i++) {
		const struct own_cost *c = &costs->items[i];
		struct suspect *x = add_suspect(s, side, c->code);

		x->by_work[side] = c;
		x->work[side] += c->cost;
		x->self[side] += c->self;
		x->calls[side] += c->calls;
		x->allocating[side] += c->allocating;
	}
}

static void take_cpu(struct search *s, int side)
{
	const struct own_costs *costs = &s->cpu[side];
	double ms = s->total_ms[side] / costs->total;

	for (size_t i = 0; costs->total > 0 && i < costs->n && i < SUSPECTS_MOST; i++) {
		const struct own_cost *c = &costs->items[i];
		struct suspect *x = add_suspect(s, side, c->code);
		double share = c->cost / costs->total;

		x->by_cpu[side] = c;
		x->cpu[side] += c->cost * ms;
		x->kernel[side] += c->kernel * ms;
		x->faulting[side] += c->faulting * ms;
		x->allocating_ms[side] += c->allocating * ms;
		/* Shares also shift with other load on the machine. */
		x->cpu_error = sqrt(x->cpu_error * x->cpu_error + c->cost * costs->error_of_part * ms * ms +
				    pow(PROFILE_BUSY_SHIFT * share * (1 - share) * s->total_ms[side], 2));
	}
}

static void take_faults(struct search *s, int side)
{
	const struct own_costs *costs = &s->faults[side];

	for (size_t i = 0; i < costs->n && i < SUSPECTS_MOST; i++)
		add_suspect(s, side, costs->items[i].code)->faults[side] += costs->items[i].cost;
}

static void take_waits(struct search *s, int which, int side)
{
	const struct own_costs *costs = &s->waits[which][side];
	const struct offcpu_times *times = &evidence_of(s, side)->offcpu;

	for (size_t i = 0; i < costs->n && i < SUSPECTS_MOST; i++) {
		struct suspect *x = add_suspect(s, side, costs->items[i].code);

		x->by_wait[which][side] = &costs->items[i];
		x->waits[which][side] += costs->items[i].cost / 1e6 / fmax(times->executions, 1);
	}
}

const struct code *suspects_placed(const struct search *s, const struct code *code)
{
	const struct work *works[] = { &s->in->head->work, &s->in->base->work };

	for (size_t side = 0; side < SIDES; side++)
		for (size_t i = 0; i < works[side]->n_functions; i++)
			if (suspect_same_code(&works[side]->functions[i].code, code))
				return &works[side]->functions[i].code;
	return code;
}

static bool is_changed(void *ctx, const struct code *code)
{
	const struct search *s = ctx;
	struct touch touch;

	return touched_find(&s->touched, suspects_placed(s, code), &touch) && (touch.how == TOUCH_BODY || touch.how == TOUCH_INLINED) &&
	       !touch.by_file;
}

void suspects_changed_costs(const struct search *s, int side, const struct stacks *stacks, uint32_t event, struct own_costs *out)
{
	stacks_own_costs_of(stacks, event, &evidence_of(s, side)->own, s->touched.changes ? is_changed : NULL, (void *)s, out);
}

static void wait_costs(const struct search *s, int side, const char *event, struct own_costs *out)
{
	const struct stacks *waits = &evidence_of(s, side)->waits;

	for (size_t i = 0; i < waits->n_events; i++)
		if (!strcmp(stacks_text(waits, waits->events[i].name), event))
			suspects_changed_costs(s, side, waits, (uint32_t)i, out);
}

/* Returns the number of functions found. */
static size_t gather_waits(struct search *s)
{
	static const char *const events[WAITS] = { OFFCPU_HELD, OFFCPU_OTHERS, OFFCPU_LOCKED };
	bool seen = s->in->base->offcpu.executions && s->in->head->offcpu.executions;
	size_t n = 0;

	for (int i = 0; i < SIDES && seen; i++)
		for (int k = 0; k < WAITS; k++) {
			wait_costs(s, i, events[k], &s->waits[k][i]);
			n += s->waits[k][i].n;
		}
	return n;
}

/*
 * Limits X's increase in the kernel to the increase of all suspects together. The rest moved to X from another
 * function, such as the first touch of memory that another function now hands out.
 */
static void leave_out_moved(struct search *s)
{
	double all = 0;

	for (size_t i = 0; i < s->n; i++)
		all += change_of(s->suspects[i].kernel);
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];
		double moved = change_of(x->kernel) - fmax(all, 0);

		if (moved <= 0)
			continue;
		x->kernel[HEAD] -= moved;
		x->cpu[HEAD] -= moved;
		x->faulting[HEAD] = fmin(x->faulting[HEAD], x->faulting[BASE] + fmax(all, 0));
	}
}

void suspects_gather(struct search *s)
{
	const struct changes *changes = s->in->changes;
	size_t most;

	if (changes && changes->known)
		touched_init(&s->touched, changes, &s->in->base->work, &s->in->head->work);
	most = gather_waits(s);
	for (int i = 0; i < SIDES; i++) {
		const struct evidence *e = evidence_of(s, i);

		work_own_costs(&e->work, &s->work[i]);
		/* For an interpreter, samples show less than the counted functions of its program. */
		if (!suspects_timed(s))
			stacks_own_costs(&e->cpu, 0, &e->own, &s->cpu[i]);
		stacks_own_costs(&e->faults, 0, &e->own, &s->faults[i]);
		most += s->work[i].n + s->cpu[i].n + s->faults[i].n;
	}
	s->suspects = xcalloc(most + 1, sizeof *s->suspects);
	for (int i = 0; i < SIDES; i++) {
		take_work(s, i);
		take_cpu(s, i);
		take_faults(s, i);
		for (int k = 0; k < WAITS; k++)
			take_waits(s, k, i);
	}
	leave_out_moved(s);
	for (size_t i = 0; i < s->n && s->touched.changes; i++)
		s->suspects[i].touched = touched_find(&s->touched, code_of(&s->suspects[i]), &s->suspects[i].touch);
}

/* -------- the increase of each */

static bool jumps_away(const struct search *s, const struct suspect *x)
{
	return x->self[HEAD] < JUMPS * x->work[HEAD] && x->cpu[HEAD] < JUMPS * x->work[HEAD] * s->ms_per_instruction;
}

/*
 * Estimates X's increase: instructions at the base's pace, plus kernel time, which is not counted, if the samples are
 * significant. If samples and counts contradict each other, as when the same instructions take longer, the samples
 * alone decide.
 */
static void estimate(const struct search *s, struct suspect *x)
{
	double sampled = change_of(x->cpu), kernel = change_of(x->kernel);
	bool counted = s->work[BASE].total > 0 && s->work[HEAD].total > 0;
	bool has_samples = !s->counted_alone && s->cpu[BASE].total > 0 && s->cpu[HEAD].total > 0;

	x->caused_ms = x->caused_counted_ms = x->caused_allocating_ms = 0;
	x->responsible = x->busiest = (size_t)(x - s->suspects);
	x->counted_ms = counted ? change_of(x->work) * s->ms_per_instruction : 0;
	x->ms = x->counted_ms + (has_samples && fabs(kernel) > 2 * x->cpu_error ? kernel : 0);
	if (has_samples && (!counted || (fabs(sampled - x->ms) > CONTRADICTS * x->cpu_error && !jumps_away(s, x))))
		x->ms = fabs(sampled) > 2 * x->cpu_error ? sampled : 0;
}

/* Pairs a function missing in head with one of about the same increase: it was renamed, or inlined into its caller. */
static void pair_renamed(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *gone = &s->suspects[i], *best = NULL;

		if (gone->code[HEAD] || !gone->code[BASE] || !(gone->ms < 0))
			continue;
		for (size_t k = 0; k < s->n; k++) {
			struct suspect *x = &s->suspects[k];
			bool is_new = !x->code[BASE], same_file = !strcmp(path_name(code_of(x)->object), path_name(gone->code[BASE]->object));

			/* A new function of about that cost, or one that absorbed it. */
			if (!same_file || !(x->ms > 0.5 * -gone->ms) || (is_new && x->ms > 2 * -gone->ms && best))
				continue;
			if (!best || fabs(x->ms + gone->ms) < fabs(best->ms + gone->ms))
				best = x;
		}
		if (!best)
			continue;
		best->ms += gone->ms;
		best->counted_ms += gone->counted_ms;
		gone->ms = gone->counted_ms = 0;
	}
}

/* -------- the responsible function */

/* Adds to CALLS how often each own function of SIDE entered CALLEE, directly or through foreign code. */
static void count_callers(const struct search *s, int side, const struct code *callee, double *calls)
{
	const struct work *work = &evidence_of(s, side)->work;

	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *call = &work->calls[i];
		const struct code *from = &work->functions[call->caller].code, *to = &work->functions[call->callee].code;
		const struct suspect *x;

		if (!suspect_same_code(to, callee) || suspect_same_code(from, callee))
			continue;
		if (from->own) {
			x = find_suspect((struct search *)s, from);
			if (x)
				calls[x - s->suspects] += call->calls;
			continue;
		}
		/* A foreign function that calls back, such as qsort: count its own callers. */
		for (size_t k = 0; k < work->n_calls; k++) {
			const struct work_call *outer = &work->calls[k];

			if (outer->callee != call->caller || !work->functions[outer->caller].code.own)
				continue;
			x = find_suspect((struct search *)s, &work->functions[outer->caller].code);
			if (x)
				calls[x - s->suspects] += call->calls;
		}
	}
}

bool suspect_changed(const struct suspect *x)
{
	return x->touched && (x->touch.how == TOUCH_BODY || x->touch.how == TOUCH_INLINED);
}

bool suspect_called_more(const struct suspect *x)
{
	double per_call;

	if (!(x->calls[BASE] > 0) || !(x->calls[HEAD] > MORE_CALLS * x->calls[BASE]) || !(change_of(x->work) > 0))
		return false;
	per_call = fmin(x->work[BASE] / x->calls[BASE], x->work[HEAD] / x->calls[HEAD]);
	return change_of(x->calls) * per_call > BY_CALLS * change_of(x->work);
}

static size_t caller_of(const struct search *s, size_t at)
{
	const struct suspect *x = &s->suspects[at];
	CLEANUP(free_ptr) double *before = xcalloc(s->n + 1, sizeof *before), *now = xcalloc(s->n + 1, sizeof *now);
	size_t best = at;
	double most = 0;

	if (x->code[BASE])
		count_callers(s, BASE, x->code[BASE], before);
	count_callers(s, HEAD, x->code[HEAD], now);
	for (size_t i = 0; i < s->n; i++)
		if (now[i] - before[i] > most) {
			most = now[i] - before[i];
			best = i;
		}
	return best;
}

/*
 * True if X may be the reason for additional calls it makes: it changed, itself or by a word, or its own code executes
 * more.
 */
static bool may_call_more(const struct suspect *x)
{
	return (x->touched && x->touch.how <= TOUCH_WORD) || change_of(x->self) > BUSIER * x->self[BASE];
}

/*
 * True if X's cost is its caller's: X is called more often, or it is new, such as code that was part of others before.
 */
static bool is_callers(const struct suspect *x)
{
	return suspect_called_more(x) || (!x->code[BASE] && x->calls[HEAD] > 0);
}

static void find_responsible(struct search *s, size_t at)
{
	/*
	 * With a known diff, stop below a caller that did not change or do more: the data then cause the additional
	 * calls.
	 */
	bool stay = s->touched.changes;
	size_t whose = at;

	for (int i = 0; i < CLIMB_MOST; i++) {
		const struct suspect *x = &s->suspects[whose];
		size_t caller;

		if (suspect_changed(x) || !is_callers(x))
			break;
		caller = caller_of(s, whose);
		if (caller == whose || (stay && !suspect_called_more(&s->suspects[caller]) && !may_call_more(&s->suspects[caller])))
			break;
		whose = caller;
	}
	s->suspects[at].responsible = whose;
}

/* Returns how many more calls of foreign functions X makes itself. */
static double more_foreign_calls(const struct suspect *x)
{
	double more = 0;

	for (int side = BASE; side < SIDES; side++) {
		const struct own_cost *cost = x->by_work[side];

		for (size_t i = 0; cost && i < cost->n_foreign; i++)
			if (cost->foreign[i].calls > 0)
				more += side == HEAD ? cost->foreign[i].calls : -cost->foreign[i].calls;
	}
	return more;
}

/*
 * Moves the increase in the kernel of an unchanged X to a changed callee that calls foreign functions more often. A
 * call at the end of a function is a jump, so samples show the caller instead of the callee.
 */
static void find_tail_caller(struct search *s, size_t at)
{
	struct suspect *x = &s->suspects[at];
	const struct work *work = &s->in->head->work;
	double most = 0;

	if (suspect_changed(x) || !(change_of(x->kernel) >= MOST_OF * x->ms) || more_foreign_calls(x) > 0)
		return;
	for (size_t i = 0; i < work->n_calls; i++) {
		const struct suspect *callee;

		if (!suspect_same_code(&work->functions[work->calls[i].caller].code, code_of(x)) || !work->functions[work->calls[i].callee].code.own)
			continue;
		callee = find_suspect(s, &work->functions[work->calls[i].callee].code);
		if (callee && callee != x && suspect_changed(callee) && more_foreign_calls(callee) > most) {
			most = more_foreign_calls(callee);
			x->responsible = (size_t)(callee - s->suspects);
		}
	}
}

/* Offsets a new function against its caller if the caller's cost fell: it was part of the caller. */
static void pair_parted(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i], *caller;
		double part;

		if (x->code[BASE] || !(x->ms > 0))
			continue;
		caller = &s->suspects[caller_of(s, i)];
		if (!(caller->ms < 0))
			continue;
		x->part_of = caller;
		part = fmin(1, -caller->ms / x->ms);
		caller->ms += part * x->ms;
		caller->counted_ms += part * x->counted_ms;
		x->ms -= part * x->ms;
		x->counted_ms -= part * x->counted_ms;
	}
}

static void share_out(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];

		if (x->ms > 0 && x->code[HEAD])
			find_responsible(s, i);
		if (x->ms > 0 && x->responsible == i)
			find_tail_caller(s, i);
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->suspects[i];
		struct suspect *whose = &s->suspects[x->responsible];

		whose->caused_ms += x->ms;
		whose->caused_counted_ms += x->counted_ms;
		whose->caused_allocating_ms += change_of(x->allocating) * s->ms_per_instruction;
		if (whose != x && (whose->busiest == x->responsible || s->suspects[whose->busiest].ms < x->ms))
			whose->busiest = i;
	}
}

const struct suspect *suspects_dearest(const struct search *s, const struct suspect *x)
{
	const struct suspect *callee = &s->suspects[x->busiest];

	return callee->responsible == (size_t)(x - s->suspects) && callee->ms > x->ms ? callee : x;
}

struct cause *suspects_add_cause(struct search *s, enum cause_kind kind)
{
	struct scenario_result *out = s->scenario;

	ARENA_GROW(&out->arena, out->causes, out->n_causes, out->cap_causes);
	out->causes[out->n_causes] = (struct cause){ .kind = kind, .amount = NAN, .share_pct = NAN, .unit = UNIT_MS };
	return &out->causes[out->n_causes++];
}

/*
 * Returns the estimated time of a call in microseconds, from its name and bytes. Starting a process, or using a disk,
 * takes a thousand times as long as a call that does little.
 */
static double cost_of(const struct system_call *call)
{
	static const char *const disk[] = { "fsync", "fdatasync", "msync", "sync_file_range" };

	for (size_t i = 0; i < sizeof disk / sizeof disk[0]; i++)
		if (!strcmp(call->name, disk[i]))
			return 500;
	return system_call_starts(call) ? 500 : 0.3 + 1e-4 * call->bytes / call->calls;
}

const struct system_call *suspects_grown_call(const struct search *s, call_wanted_fn *wanted, const struct suspect *x,
					    const struct system_call **before_out)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	const struct system_call *best = NULL;
	double most = 0;

	*before_out = NULL;
	for (size_t i = 0; i < head->n; i++) {
		const struct system_call *now = &head->items[i], *was = system_calls_find(base, now->name);
		double before = was ? was->calls : 0, more = (now->calls - before) * cost_of(now);

		if (more > most && wanted(now, before, x)) {
			most = more;
			best = now;
			*before_out = was;
		}
	}
	return best;
}

/* True if X makes the call more often, as far as callers are known. */
static bool is_made_by(const struct system_call *now, double before, const struct suspect *x)
{
	return (!now->caller || !strcmp(now->caller, code_of(x)->function)) && now->calls - before > 0.02 * now->calls;
}

const struct system_call *suspects_own_call(const struct search *s, const struct suspect *x, const struct system_call **before_out)
{
	return suspects_grown_call(s, is_made_by, x, before_out);
}

void suspects_weigh(struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		estimate(s, &s->suspects[i]);
	pair_renamed(s);
	pair_parted(s);
	share_out(s);
}

void suspects_release(struct search *s)
{
	for (int i = 0; i < SIDES; i++) {
		own_costs_release(&s->work[i]);
		own_costs_release(&s->cpu[i]);
		own_costs_release(&s->faults[i]);
		for (int k = 0; k < WAITS; k++)
			own_costs_release(&s->waits[k][i]);
	}
	if (s->touched.changes)
		touched_release(&s->touched);
	free(s->suspects);
}
