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
 * Every own function is a suspect; what it costs more, in milliseconds a run, is estimated by its instructions, which are
 * exact, and by samples of its CPU time, which also see the kernel and what instructions cost. A cost that rose because a
 * function is called more often is its caller's. What the change touches comes first.
 */

/* Suspects of a side are its dearest functions. */
enum { SUSPECTS_MOST = 400 };
/* Sampled and counted costs that differ by more standard errors contradict each other: then the samples hold. */
#define CONTRADICTS 3.5
/* What samples have less of than this part of what was counted, most of it in others' code, they have at its caller: as of a jump there. */
#define JUMPS 0.2
/* More calls than this part of the growth make it the caller's. */
#define BY_CALLS 0.6
/* Own instructions of a caller that rose by less than this part did not rise. */
#define BUSIER 0.02
/* Callers are followed so far. */
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
	/* Callgrind's knows its place. */
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
		/* Shares shift with what else the machine does, too. */
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

/* How many functions are in it. */
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
 * Of what the kernel does for X no more is more than it does more for all of them: the rest moved to X from another one, such as the
 * first touch of memory that is handed out by another function now.
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
		/* Of an interpreter samples tell less than what was counted of its program. */
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

/* -------- how much each costs more */

static bool jumps_away(const struct search *s, const struct suspect *x)
{
	return x->self[HEAD] < JUMPS * x->work[HEAD] && x->cpu[HEAD] < JUMPS * x->work[HEAD] * s->ms_per_instruction;
}

/*
 * Instructions at the base's pace, with what the samples surely saw in the kernel, which nobody counts; the samples alone where
 * these two contradict each other, as when the same instructions take longer.
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

/* What one side lacks and costs about as much on the other, with another name: renamed, or put into its caller. */
static void pair_renamed(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *gone = &s->suspects[i], *best = NULL;

		if (gone->code[HEAD] || !gone->code[BASE] || !(gone->ms < 0))
			continue;
		for (size_t k = 0; k < s->n; k++) {
			struct suspect *x = &s->suspects[k];
			bool is_new = !x->code[BASE], same_file = !strcmp(path_name(code_of(x)->object), path_name(gone->code[BASE]->object));

			/* A new one of about that cost, or one that took it in. */
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

/* -------- whose it is */

/* How often CALLEE's code was entered from each own function of SIDE, by way of foreign ones too; added to CALLS. */
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
		/* A foreign function that calls back, such as qsort: whoever calls that. */
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

/* Whether X may be why it calls another more often: it is changed, itself or by a word, or its own code is executed more, too. */
static bool may_call_more(const struct suspect *x)
{
	return (x->touched && x->touch.how <= TOUCH_WORD) || change_of(x->self) > BUSIER * x->self[BASE];
}

/* So is what a caller that is changed has beside it for the first time, such as code that was a part of others before. */
static bool is_callers(const struct suspect *x)
{
	return suspect_called_more(x) || (!x->code[BASE] && x->calls[HEAD] > 0);
}

static void find_responsible(struct search *s, size_t at)
{
	/* What none of the changed functions calls is called more often by how data are now. */
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

/* How many more calls of foreign functions X makes itself. */
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
 * A call at the end of a function is a jump: samples have its caller there instead. What the kernel does more for X, which nothing
 * changed, is then that of a changed function that X calls and that calls foreign ones more often than before.
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

/* What stands alone for the first time was a part of its caller, as far as that costs less now. */
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
 * How long a call takes, in microseconds, as far as its name and its bytes tell: to start a process takes a thousand times as long as a
 * call that does little, and a disk as long.
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

/* As far as it is known who makes it. */
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
