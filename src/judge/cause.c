#include "judge/judge.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "judge/touched.h"
#include "profile/evidence.h"
#include "stats/stats.h"

/*
 * Every own function is a suspect; what it costs more, in milliseconds a run, is estimated by its instructions, which are
 * exact, and by samples of its CPU time, which also see the kernel and what instructions cost. A cost that rose because a
 * function is called more often is its caller's. What the change touches comes first.
 */

enum { BASE, HEAD, SIDES };

/* Suspects of a side are its dearest functions. */
enum { SUSPECTS_MOST = 400 };
/* Of the change: less is no cause; the first cause is at least so much unless the change touches it. */
#define CAUSE_LEAST 0.08
#define FIRST_LEAST 0.15
/* What the change does not touch beside a first cause. */
#define OTHER_LEAST 0.25
/* Sampled and counted costs that differ by more standard errors contradict each other: then the samples hold. */
#define CONTRADICTS 3.5
/* Calls that rose by less than this factor are the same; more calls than this part of the growth make it the caller's. */
#define MORE_CALLS 1.05
#define BY_CALLS 0.6
/* A part of a cost from here on gives the whole its kind. */
#define MOST_OF 0.5
/* Callers are followed so far. */
enum { CLIMB_MOST = 24 };

struct suspect {
	const struct code *code[SIDES];
	double work[SIDES], self[SIDES], calls[SIDES];		/* instructions */
	double allocation[SIDES];				/* instructions in malloc and its kin */
	double cpu[SIDES], kernel[SIDES], faulting[SIDES];	/* ms */
	double cpu_error;					/* of the difference */
	double faults[SIDES];					/* how many */
	double waits[SIDES];					/* ms */
	const struct own_cost *by_work[SIDES], *by_cpu[SIDES];
	double ms;		/* what it costs more */
	double counted_ms;	/* of that, by instructions */
	double caused_ms;	/* with what it makes others cost */
	double caused_counted_ms;
	size_t responsible;	/* whose it is */
	size_t busiest;		/* the callee that it makes cost most; itself: none */
	bool touched;
	struct touch touch;	/* by which change, where it is */
};

struct search {
	struct scenario_result *scenario;
	const struct cause_input *in;
	struct own_costs work[SIDES], cpu[SIDES], faults[SIDES], waits[SIDES];
	struct suspect *suspects;
	size_t n;
	double total_ms[SIDES];		/* CPU time of a run, or of a unit of work */
	double ms_per_instruction;
	double change_ms;		/* what is to be explained */
	bool counted_alone;		/* no time regressed, so samples of it show nothing of the change */
	const char *per;		/* "run" */
	struct touched touched;
};

static const struct evidence *evidence_of(const struct search *s, int side)
{
	return side == BASE ? s->in->base : s->in->head;
}

/* What is called work is the time of functions in Python. */
static bool is_timed(const struct search *s)
{
	return s->in->base->work.timed && s->in->head->work.timed;
}

/* -------- suspects */

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ?: "";
}

static const struct code *code_of(const struct suspect *x)
{
	return x->code[HEAD] ?: x->code[BASE];
}

static bool is_same_code(const struct code *a, const struct code *b)
{
	return !strcmp(a->key, b->key) && !strcmp(base_name(a->object), base_name(b->object));
}

static struct suspect *find_suspect(struct search *s, const struct code *code)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_same_code(code_of(&s->suspects[i]), code))
			return &s->suspects[i];
	return NULL;
}

static struct suspect *add_suspect(struct search *s, int side, const struct code *code)
{
	struct suspect *x = find_suspect(s, code);

	if (!x) {
		x = &s->suspects[s->n++];
		x->responsible = x->busiest = s->n - 1;
	}
	/* Callgrind's knows its place. */
	if (!x->code[side] || (!x->code[side]->source && code->source))
		x->code[side] = code;
	return x;
}

static bool allocates(const char *name)
{
	static const char *const names[] = {
		"malloc", "calloc", "realloc", "free", "memalign", "posix_memalign", "aligned_alloc", "reallocarray", "operator new",
		"operator delete", "strdup", "__libc_malloc", "_int_malloc", "cfree", "g_malloc", "g_free",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (text_starts(name, names[i]))
			return true;
	return false;
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
		for (size_t k = 0; k < c->n_foreign; k++)
			if (allocates(c->foreign[k].name))
				x->allocation[side] += c->foreign[k].cost;
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
		/* Shares shift with what else the machine does, too. */
		x->cpu_error = sqrt(x->cpu_error * x->cpu_error + c->cost * costs->error_of_part * ms * ms +
				    pow(SYMBOL_BUSY_SHIFT * share * (1 - share) * s->total_ms[side], 2));
	}
}

static void take_faults(struct search *s, int side)
{
	const struct own_costs *costs = &s->faults[side];

	for (size_t i = 0; i < costs->n && i < SUSPECTS_MOST; i++)
		add_suspect(s, side, costs->items[i].code)->faults[side] += costs->items[i].cost;
}

static void take_waits(struct search *s, int side)
{
	const struct own_costs *costs = &s->waits[side];

	for (size_t i = 0; i < costs->n && i < SUSPECTS_MOST; i++)
		add_suspect(s, side, costs->items[i].code)->waits[side] += costs->items[i].cost / 1e6;
}

/* -------- how much each costs more */

static double change_of(const double of[SIDES])
{
	return of[HEAD] - of[BASE];
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

	x->counted_ms = counted ? change_of(x->work) * s->ms_per_instruction : 0;
	x->ms = x->counted_ms + (has_samples && fabs(kernel) > 2 * x->cpu_error ? kernel : 0);
	if (has_samples && (!counted || fabs(sampled - x->ms) > CONTRADICTS * x->cpu_error))
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
			bool is_new = !x->code[BASE], same_file = !strcmp(base_name(code_of(x)->object), base_name(gone->code[BASE]->object));

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

		if (!is_same_code(to, callee) || is_same_code(from, callee))
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

static bool is_changed_itself(const struct suspect *x)
{
	return x->touched && (x->touch.how == TOUCH_BODY || x->touch.how == TOUCH_INLINED);
}

/* Whether X costs more because it is called more often, not because a call costs more. */
static bool is_called_more(const struct suspect *x)
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

	count_callers(s, BASE, x->code[BASE], before);
	count_callers(s, HEAD, x->code[HEAD], now);
	for (size_t i = 0; i < s->n; i++)
		if (now[i] - before[i] > most) {
			most = now[i] - before[i];
			best = i;
		}
	return best;
}

static void find_responsible(struct search *s, size_t at)
{
	size_t whose = at;

	for (int i = 0; i < CLIMB_MOST; i++) {
		const struct suspect *x = &s->suspects[whose];
		size_t caller;

		if (is_changed_itself(x) || !is_called_more(x))
			break;
		caller = caller_of(s, whose);
		if (caller == whose)
			break;
		whose = caller;
	}
	s->suspects[at].responsible = whose;
}

static void share_out(struct search *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];

		if (x->ms > 0 && x->code[BASE] && x->code[HEAD])
			find_responsible(s, i);
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->suspects[i];
		struct suspect *whose = &s->suspects[x->responsible];

		whose->caused_ms += x->ms;
		whose->caused_counted_ms += x->counted_ms;
		if (whose != x && (whose->busiest == x->responsible || s->suspects[whose->busiest].ms < x->ms))
			whose->busiest = i;
	}
}

static void find_touched(struct search *s)
{
	const struct changes *changes = s->in->changes;

	if (!changes || !changes->known || s->touched.changes)
		return;
	touched_init(&s->touched, changes, &s->in->base->work, &s->in->head->work);
	for (size_t i = 0; i < s->n; i++)
		s->suspects[i].touched = touched_find(&s->touched, code_of(&s->suspects[i]), &s->suspects[i].touch);
}

/* -------- in which order */

static double score(const struct suspect *x)
{
	static const double weights[] = {
		[TOUCH_BODY] = 12, [TOUCH_INLINED] = 12, [TOUCH_WORD] = 4, [TOUCH_CALLEE] = 3, [TOUCH_CALLER] = 2,
	};
	double nearer = x->touched ? weights[x->touch.how] / (1 + x->touch.distance / 2.0) : 1;

	return x->caused_ms * fmax(nearer, 1);
}

static int by_score(const void *a, const void *b)
{
	double x = score(*(const struct suspect *const *)a), y = score(*(const struct suspect *const *)b);

	return (x < y) - (x > y);
}

/* -------- what kind of cost */

static double part(double of, double whole)
{
	return whole > 0 ? of / whole : 0;
}

/* What X makes cost, itself or the one it calls more often. */
static const struct suspect *dearest(const struct search *s, const struct suspect *x)
{
	const struct suspect *callee = &s->suspects[x->busiest];

	return callee->responsible == (size_t)(x - s->suspects) && callee->ms > x->ms ? callee : x;
}

/* Whether X is run before main: by what the C library calls for that. */
static bool starts_up(const struct search *s, const struct suspect *x)
{
	static const char *const starters[] = { "call_init", "_dl_init", "__libc_csu_init", "__libc_start_main" };
	const struct work *work = &s->in->head->work;

	if (!strcmp(code_of(x)->function, "main"))
		return false;
	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *call = &work->calls[i];

		if (work->functions[call->caller].code.own || !is_same_code(&work->functions[call->callee].code, code_of(x)))
			continue;
		for (size_t k = 0; k < sizeof starters / sizeof starters[0]; k++)
			if (text_starts(work->functions[call->caller].code.function, starters[k]))
				return true;
	}
	return false;
}

/* How often X takes a lock. */
static double locks(const struct own_cost *cost)
{
	static const char *const names[] = { "pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_", "mtx_lock", "sem_wait" };
	double calls = 0;

	for (size_t i = 0; cost && i < cost->n_foreign; i++)
		for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
			if (text_starts(cost->foreign[i].name, names[k]) && cost->foreign[i].calls > 0)
				calls += cost->foreign[i].calls;
	return calls;
}

/* Memory touched for the first time also misses the caches, so that the faults themselves are but a part of what it costs. */
#define FAULTS_PART 0.2
#define FAULTS_ROSE 1.5

static const struct foreign_cost *find_foreign(const struct own_cost *cost, const char *name)
{
	for (size_t i = 0; cost && i < cost->n_foreign; i++)
		if (!strcmp(cost->foreign[i].name, name))
			return &cost->foreign[i];
	return NULL;
}

/* Of what foreign code costs X more, the dearest; NULL where its own code costs more than that. */
static const struct foreign_cost *dearer_foreign(const struct own_cost *before, const struct own_cost *now, double own,
						 const struct foreign_cost **before_out)
{
	const struct foreign_cost *best = NULL;
	double most = own;

	*before_out = NULL;
	for (size_t i = 0; now && i < now->n_foreign; i++) {
		const struct foreign_cost *was = find_foreign(before, now->foreign[i].name);
		double more = now->foreign[i].cost - (was ? was->cost : 0);

		if (more > most) {
			most = more;
			best = &now->foreign[i];
			*before_out = was;
		}
	}
	return best;
}

/* What a function in Python costs more where that is a call which waits or asks the kernel; CAUSE_KINDS: it is none of these. */
static enum cause_kind kind_of_call(const struct suspect *x)
{
	static const struct {
		const char *begin;
		enum cause_kind kind;
	} calls[] = {
		{ "time.sleep", CAUSE_WAITING }, { "select.", CAUSE_WAITING }, { "posix.wait", CAUSE_WAITING }, { "_thread.lock.acquire", CAUSE_LOCK },
		{ "_thread.RLock.acquire", CAUSE_LOCK }, { "posix.", CAUSE_SYSTEM_CALLS }, { "io.open", CAUSE_SYSTEM_CALLS },
		{ "_io.open", CAUSE_SYSTEM_CALLS }, { "_io.FileIO.", CAUSE_SYSTEM_CALLS }, { "_io.TextIOWrapper.flush", CAUSE_SYSTEM_CALLS },
		{ "_io.BufferedWriter.flush", CAUSE_SYSTEM_CALLS }, { "_posixsubprocess.", CAUSE_SYSTEM_CALLS },
		{ "_find_and_load", CAUSE_STARTUP }, { "__import__", CAUSE_STARTUP },
	};
	const struct foreign_cost *was, *call = dearer_foreign(x->by_work[BASE], x->by_work[HEAD], change_of(x->self), &was);

	for (size_t i = 0; call && i < sizeof calls / sizeof calls[0]; i++)
		if (text_starts(call->name, calls[i].begin))
			return calls[i].kind;
	return CAUSE_KINDS;
}

static enum cause_kind kind_of(const struct search *s, const struct suspect *x)
{
	double cost = x->ms > 0 ? x->ms : x->caused_ms, kernel = fmax(0, change_of(x->kernel)), faulting = fmax(0, change_of(x->faulting));
	bool counted = s->work[BASE].total > 0 && s->work[HEAD].total > 0;
	double faults = side_result_median(&s->scenario->base, METRIC(PAGE_FAULTS));
	double faults_now = side_result_median(scenario_result_measured(s->scenario), METRIC(PAGE_FAULTS));

	if (starts_up(s, x))
		return CAUSE_STARTUP;
	if (is_timed(s) && kind_of_call(x) != CAUSE_KINDS)
		return kind_of_call(x);
	if (part(faulting, cost) >= FAULTS_PART && faults_now > FAULTS_ROSE * faults && faulting > 2 * x->cpu_error)
		return CAUSE_FAULTS;
	if (part(kernel, cost) >= MOST_OF && kernel > 2 * x->cpu_error)
		return part(faulting, kernel) >= MOST_OF ? CAUSE_FAULTS : CAUSE_SYSTEM_CALLS;
	if (part(change_of(x->allocation) * s->ms_per_instruction, cost) >= MOST_OF)
		return CAUSE_ALLOCATION;
	if (locks(x->by_work[HEAD]) > MORE_CALLS * locks(x->by_work[BASE]))
		return CAUSE_LOCK;
	if (counted && part(x->caused_counted_ms, x->caused_ms) < MOST_OF && part(x->counted_ms, cost) < MOST_OF)
		return CAUSE_SLOWER;
	return CAUSE_WORK;
}

/* What was read grew by at least half of what the time did: the file that grew most; NULL: it did not. */
static const struct traced_file *grown_input(const struct search *s)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	double before = 0, now = 0, most = 0;
	const struct traced_file *best = NULL;

	for (size_t i = 0; i < base->n_files; i++)
		before += base->files[i].read_bytes;
	for (size_t i = 0; i < head->n_files; i++) {
		const struct traced_file *file = &head->files[i];
		double more = file->read_bytes;

		now += file->read_bytes;
		for (size_t k = 0; k < base->n_files; k++)
			if (!strcmp(base_name(base->files[k].path), base_name(file->path)))
				more -= base->files[k].read_bytes;
		if (more > most) {
			most = more;
			best = file;
		}
	}
	return before > 0 && now / before - 1 > MOST_OF * s->change_ms / s->total_ms[BASE] ? best : NULL;
}

/* -------- words */

static const char *place_of(const struct search *s, const struct code *code)
{
	if (!code->source || !code->line)
		return NULL;
	return arena_printf(&s->scenario->arena, "%s:%u", base_name(code->source), code->line);
}

static const char *name_of(const struct search *s, const struct code *code)
{
	const char *place = place_of(s, code);

	return place ? arena_printf(&s->scenario->arena, "%s (%s)", code->function, place) : code->function;
}

static const char *changed_line(const struct search *s, const struct suspect *x)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!x->touched)
		return NULL;
	change_text(x->touch.change, &text);
	return arena_strdup(&s->scenario->arena, text.buf);
}

/* "40,000" */
static struct cost_text grouped(double n)
{
	struct cost_text out, digits;
	size_t len = (size_t)snprintf(digits.text, sizeof digits.text, "%.0f", n), at = 0;

	for (size_t i = 0; i < len && at + 2 < sizeof out.text; i++) {
		if (i && (len - i) % 3 == 0)
			out.text[at++] = ',';
		out.text[at++] = digits.text[i];
	}
	out.text[at] = '\0';
	return out;
}

/* "3 times as often", "40,000 times instead of 12". */
static void add_times(struct strbuf *out, double before, double now)
{
	if (before > 0 && now / before < 20) {
		strbuf_addf(out, now / before < 1.95 ? "%.0f %% more often" : "%.1f times as often",
			    now / before < 1.95 ? 100 * (now / before - 1) : now / before);
		return;
	}
	if (before > 0)
		strbuf_addf(out, "%s times instead of %s", grouped(now).text, grouped(before).text);
	else
		strbuf_addf(out, "%s times, before never", grouped(now).text);
}

static void add_foreign(struct strbuf *out, const struct foreign_cost *now, const struct foreign_cost *was)
{
	double before = was ? was->calls : 0;

	if (now->calls > MORE_CALLS * before) {
		strbuf_addf(out, "it calls %s ", now->name);
		add_times(out, before, now->calls);
	} else {
		strbuf_addf(out, "%s, which it calls, costs more", now->name);
	}
}

/* The system call that is made so many more times by X, as far as it is known who makes it. */
static const struct system_call *grown_call(const struct search *s, const struct suspect *x, const struct system_call **before_out)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	const struct system_call *best = NULL;
	double most = 0;

	*before_out = NULL;
	for (size_t i = 0; i < head->n; i++) {
		const struct system_call *now = &head->items[i], *was = system_calls_find(base, now->name);
		double more = now->calls - (was ? was->calls : 0);

		if (now->caller && strcmp(now->caller, code_of(x)->function))
			continue;
		if (more > most && more > 0.02 * now->calls) {
			most = more;
			best = now;
			*before_out = was;
		}
	}
	return best;
}

static void add_system_call(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	const struct system_call *was, *now = grown_call(s, x, &was);

	if (!now) {
		strbuf_adds(out, "the kernel works longer for it");
		return;
	}
	strbuf_addf(out, "it calls %s ", now->name);
	add_times(out, was ? was->calls : 0, now->calls);
	if (now->bytes > 0 && was && was->bytes > 0 && fabs(now->bytes / was->bytes - 1) < 0.1)
		strbuf_addf(out, ", %s bytes each time instead of %s", grouped(now->bytes / now->calls).text,
			    grouped(was->bytes / was->calls).text);
}

/* Why X costs more, as far as that is known: one clause. */
static void add_reason(const struct search *s, enum cause_kind kind, const struct suspect *x, struct strbuf *out)
{
	const struct suspect *callee = &s->suspects[x->busiest];
	const struct foreign_cost *foreign, *was;

	if (kind == CAUSE_SYSTEM_CALLS) {
		add_system_call(s, x, out);
		return;
	}
	if (kind == CAUSE_FAULTS) {
		double pages = change_of(x->faults);

		if (pages > 0)
			strbuf_addf(out, "it touches %s pages more for the first time", grouped(pages).text);
		else
			strbuf_adds(out, "it touches more memory for the first time");
		return;
	}
	if (kind == CAUSE_SLOWER) {
		strbuf_adds(out, "the same instructions take longer (caches, branches or memory shared between threads)");
		return;
	}
	if (callee != x && callee->ms > 0 && callee->ms > x->ms && callee->responsible == (size_t)(x - s->suspects)) {
		strbuf_addf(out, "it calls %s ", code_of(callee)->function);
		add_times(out, callee->calls[BASE], callee->calls[HEAD]);
		return;
	}
	foreign = dearer_foreign(x->by_work[BASE], x->by_work[HEAD], change_of(x->self), &was);
	if (foreign) {
		add_foreign(out, foreign, was);
	} else if (!x->code[BASE]) {
		strbuf_adds(out, "it is new");
	} else if (is_called_more(x)) {
		strbuf_adds(out, "it is called ");
		add_times(out, x->calls[BASE], x->calls[HEAD]);
	} else if (s->work[HEAD].total > 0 && x->self[BASE] > 0 && x->self[HEAD] > 3 * x->self[BASE]) {
		strbuf_addf(out, "its own code is executed %.3g times as often", x->self[HEAD] / x->self[BASE]);
	} else if (s->work[HEAD].total > 0 && x->self[BASE] > 0) {
		strbuf_addf(out, is_timed(s) ? "called as often as before, it takes %+.3g %% itself" : "it executes %.3g %% more instructions itself",
			    100 * (x->self[HEAD] / x->self[BASE] - 1));
	}
}

static struct cause *add_cause(struct search *s, enum cause_kind kind)
{
	struct scenario_result *out = s->scenario;

	ARENA_GROW(&out->arena, out->causes, out->n_causes, out->cap_causes);
	out->causes[out->n_causes] = (struct cause){ .kind = kind, .amount = NAN, .share_pct = NAN, .unit = UNIT_MS };
	return &out->causes[out->n_causes++];
}

static void add_suspect_cause(struct search *s, const struct suspect *x, enum cause_kind whole)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, reason = STRBUF_INIT;
	struct arena *arena = &s->scenario->arena;
	enum cause_kind own = kind_of(s, dearest(s, x));
	struct cause *cause = add_cause(s, whole != CAUSE_KINDS ? whole : own);
	const struct code *code = code_of(x);

	cause->function = arena_strdup(arena, code->function);
	cause->object = arena_strdup(arena, base_name(code->object));
	cause->place = place_of(s, code);
	cause->amount = x->caused_ms;
	cause->share_pct = s->change_ms > 0 ? 100 * fmin(1, x->caused_ms / s->change_ms) : NAN;
	cause->changed = changed_line(s, x);
	/* What the same program does with more is no slower for it. */
	add_reason(s, whole == CAUSE_INPUT && own == CAUSE_SLOWER ? CAUSE_WORK : own, x, &reason);
	if (whole == CAUSE_BUILD)
		strbuf_adds(&text, "the program is built differently: ");
	else if (whole == CAUSE_INPUT && grown_input(s))
		strbuf_addf(&text, "%s, which it reads, is larger: ", base_name(grown_input(s)->path));
	else if (whole == CAUSE_INPUT)
		strbuf_adds(&text, "the same program has more to do: ");
	strbuf_addf(&text, "%s costs %s more per %s", name_of(s, code), cost_text(x->caused_ms, METRIC(TASK_CLOCK)).text, s->per);
	if (cause->share_pct < 99.5)
		strbuf_addf(&text, ", %.0f %% of the change", cause->share_pct);
	if (reason.len)
		strbuf_addf(&text, ": %s", reason.buf);
	cause->sentence = arena_strdup(arena, text.buf);
}

/* -------- CPU time */

static bool anything_touched(const struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_changed_itself(&s->suspects[i]))
			return true;
	return false;
}

/* What all of it is, whatever function it went to; CAUSE_KINDS: nothing of that. */
static enum cause_kind kind_of_all(const struct search *s)
{
	const struct changes *changes = s->in->changes;
	const char *before = s->scenario->base.executable, *now = scenario_result_measured(s->scenario)->executable;
	bool known = changes && changes->known;

	if (known && changes_only_build(changes))
		return CAUSE_BUILD;
	if (before && now && !strcmp(before, now) && !(known && changes->n))
		return s->in->library ? CAUSE_LIBRARY : CAUSE_INPUT;
	if ((known && changes_only_data(changes)) || (!anything_touched(s) && grown_input(s)))
		return CAUSE_INPUT;
	return CAUSE_KINDS;
}

/* What no own function called: the dynamic linker before main, other programs. */
static void find_startup(struct search *s)
{
	double more = (s->work[HEAD].unowned - s->work[BASE].unowned) * s->ms_per_instruction;
	struct cause *cause;

	/* Of Python that is what the interpreter does by itself, as long as the machine takes for it. */
	if (is_timed(s) || !(s->work[BASE].total > 0 && s->work[HEAD].total > 0) || !(more > MOST_OF * s->change_ms))
		return;
	cause = add_cause(s, s->in->library ? CAUSE_LIBRARY : CAUSE_STARTUP);
	cause->amount = more;
	cause->share_pct = 100 * fmin(1, more / s->change_ms);
	cause->sentence = arena_printf(&s->scenario->arena, "what runs before main costs %s more per %s: loading and linking%s%s",
				       cost_text(more, METRIC(TASK_CLOCK)).text, s->per, s->in->library ? "; " : "", s->in->library ?: "");
}

/* Where nothing is sure: the changed function, where what was seen of it would be most of the change. */
static void name_changed(struct search *s, enum cause_kind whole)
{
	struct suspect *best = NULL;

	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];

		if (is_changed_itself(x) && change_of(x->cpu) >= MOST_OF * s->change_ms &&
		    (!best || change_of(x->cpu) > change_of(best->cpu)))
			best = x;
	}
	if (!best)
		return;
	best->ms = best->caused_ms = change_of(best->cpu);
	add_suspect_cause(s, best, whole);
}

static void explain_cpu(struct search *s)
{
	CLEANUP(free_ptr) const struct suspect **order = xcalloc(s->n + 1, sizeof *order);
	enum cause_kind whole;

	for (size_t i = 0; i < s->n; i++) {
		order[i] = &s->suspects[i];
		estimate(s, &s->suspects[i]);
	}
	pair_renamed(s);
	find_touched(s);
	whole = kind_of_all(s);
	share_out(s);
	find_startup(s);
	qsort(order, s->n, sizeof *order, by_score);
	for (size_t i = 0; i < s->n && s->scenario->n_causes < CAUSES_MOST; i++) {
		const struct suspect *x = order[i];
		bool changed = is_changed_itself(x), other = s->scenario->n_causes && !changed;

		/* What samples alone say of a function that the change does not touch may be chance, beside a cause that is known. */
		if (x->caused_ms >= (changed ? CAUSE_LEAST : other ? OTHER_LEAST : FIRST_LEAST) * s->change_ms &&
		    !(other && x->counted_ms < x->caused_ms / 2))
			add_suspect_cause(s, x, whole);
	}
	if (!s->scenario->n_causes)
		name_changed(s, whole);
}

/* -------- waiting */

/* What the head waits for so much longer: the call that does so most. */
static const struct system_call *longest_wait(const struct search *s, int wait, const struct system_call **before_out)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	const struct system_call *best = NULL;
	double most = 0;

	*before_out = NULL;
	for (size_t i = 0; i < head->n; i++) {
		const struct system_call *now = &head->items[i], *was = system_calls_find(base, now->name);
		double more = now->waited_ms[wait] - (was ? was->waited_ms[wait] : 0);

		if (more > most) {
			most = more;
			best = now;
			*before_out = was;
		}
	}
	return best;
}

/* Of those whose stacks wait so much longer, the longest. */
static const struct suspect *longest_waiter(const struct search *s)
{
	const struct suspect *best = NULL;
	double most = 0;

	for (size_t i = 0; i < s->n; i++)
		if (change_of(s->suspects[i].waits) > most) {
			most = change_of(s->suspects[i].waits);
			best = &s->suspects[i];
		}
	return best;
}

/* The own function that makes CALL; where that is not known one that waits longer, then one that the change touches; or NULL. */
static const struct suspect *who_waits(const struct search *s, const struct system_call *call)
{
	const struct suspect *best = NULL;

	for (size_t i = 0; call && call->caller && i < s->n; i++)
		if (!strcmp(code_of(&s->suspects[i])->function, call->caller))
			return &s->suspects[i];
	/* Other processes may wait for this one. */
	if (!(call && call->caller))
		best = longest_waiter(s);
	for (size_t i = 0; !best && !(call && call->caller) && i < s->n; i++)
		if (is_changed_itself(&s->suspects[i]))
			best = &s->suspects[i];
	return best;
}

static void add_wait(const struct search *s, const struct wall_change *wall, const struct system_call *call,
		     const struct system_call *was, const char *who, struct strbuf *out)
{
	static const char *const what[WAIT_KINDS] = {
		[WAIT_SLEEP] = "asleep", [WAIT_IO] = "for files", [WAIT_PIPE] = "for what another process writes or reads",
		[WAIT_LOCK] = "for a lock", [WAIT_CHILD] = "for a process that it started",
	};

	strbuf_addf(out, "%s waits %s more per %s", who, cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	if (wall->wait != WAIT_NONE && what[wall->wait])
		strbuf_addf(out, " %s", what[wall->wait]);
	if (!call)
		return;
	strbuf_addf(out, ": %s is called ", call->name);
	if (was && call->calls <= MORE_CALLS * was->calls)
		strbuf_adds(out, "as often as before, and takes longer");
	else
		add_times(out, was ? was->calls : 0, call->calls);
}

static void explain_waiting(struct search *s, const struct wall_change *wall)
{
	const struct system_call *was = NULL, *call = wall->wait != WAIT_NONE ? longest_wait(s, wall->wait, &was) : NULL;
	double wall_ms = wall->head.wall_ms - wall->base.wall_ms;
	struct arena *arena = &s->scenario->arena;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct suspect *who;
	const char *name;
	struct cause *cause;

	find_touched(s);
	who = who_waits(s, call);
	name = who ? name_of(s, code_of(who)) : call && call->caller ? call->caller : "it";
	cause = add_cause(s, wall->kind);
	cause->amount = wall->rest_ms;
	cause->share_pct = 100 * fmin(1, wall->rest_ms / wall_ms);
	if (who) {
		cause->function = arena_strdup(arena, code_of(who)->function);
		cause->object = arena_strdup(arena, base_name(code_of(who)->object));
		cause->place = place_of(s, code_of(who));
		cause->changed = changed_line(s, who);
	} else if (call && call->caller) {
		cause->function = arena_strdup(arena, call->caller);
		cause->object = arena_strdup(arena, base_name(call->caller_object));
	}
	if (wall->kind == CAUSE_PARALLELISM)
		strbuf_addf(&text, "%s runs less in parallel: %.2f CPUs are at work instead of %.2f, which takes %s more per %s", who ? name : "the program",
			    wall->head.cpus, wall->base.cpus, cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	else
		add_wait(s, wall, call, was, name, &text);
	cause->sentence = arena_strdup(arena, text.buf);
}

/* -------- the whole */

static void release_search(struct search *s)
{
	for (int i = 0; i < SIDES; i++) {
		own_costs_release(&s->work[i]);
		own_costs_release(&s->cpu[i]);
		own_costs_release(&s->faults[i]);
		own_costs_release(&s->waits[i]);
	}
	if (s->touched.changes)
		touched_release(&s->touched);
	free(s->suspects);
}

static void gather(struct search *s)
{
	size_t most = 0;

	for (int i = 0; i < SIDES; i++) {
		const struct evidence *e = evidence_of(s, i);

		work_own_costs(&e->work, &s->work[i]);
		/* Of an interpreter samples tell less than what was counted of its program. */
		if (!is_timed(s))
			stacks_own_costs(&e->cpu, 0, &e->own, &s->cpu[i]);
		stacks_own_costs(&e->faults, 0, &e->own, &s->faults[i]);
		stacks_own_costs(&e->waits, 0, &e->own, &s->waits[i]);
		most += s->work[i].n + s->cpu[i].n + s->faults[i].n + s->waits[i].n;
	}
	s->suspects = xcalloc(most + 1, sizeof *s->suspects);
	for (int i = 0; i < SIDES; i++) {
		take_work(s, i);
		take_cpu(s, i);
		take_faults(s, i);
		take_waits(s, i);
	}
}

/* No time, but what is executed, and that is known by function. */
static bool is_counted_alone(const struct search *s)
{
	bool counted = s->work[BASE].total > 0 && s->work[HEAD].total > s->work[BASE].total && !is_timed(s), any = false;

	for (size_t i = 0; i < s->scenario->n_gates && counted; i++) {
		const struct gate_result *g = &s->scenario->gates[i];

		if (g->gate.kind != GATE_METRIC || gate_judgement(g)->verdict != VERDICT_REGRESSION)
			continue;
		any |= g->gate.metric == METRIC(INSTRUCTIONS) || g->gate.metric == METRIC(SIM_INSTRUCTIONS);
		counted = g->gate.metric->unit != UNIT_MS;
	}
	return counted && any;
}

/* Whether a gate regressed; of what passes while nothing runs, or of CPU time and what it is made of. */
static bool has_regressed(const struct scenario_result *s, bool waits)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *g = &s->gates[i];

		if (g->gate.kind == GATE_METRIC && gate_judgement(g)->verdict == VERDICT_REGRESSION && g->gate.metric->waits == waits)
			return true;
	}
	return false;
}

static void add_missing(struct scenario_result *s, const char *side, const struct evidence *e)
{
	const char *const missing[] = { e->no_work, e->no_cpu, e->no_faults, e->no_waits, e->no_system_calls };

	for (size_t i = 0; i < sizeof missing / sizeof missing[0]; i++) {
		bool said = false;

		for (size_t k = 0; missing[i] && k < s->evidence.n; k++)
			said |= strstr(s->evidence.items[k], missing[i]) != NULL;
		if (missing[i] && !said)
			arena_pushf(&s->arena, &s->evidence, "%s%s", side, missing[i]);
	}
}

static void add_wall(const struct wall_change *wall, struct scenario_result *s)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	wall_change_words(wall, &words);
	arena_push(&s->arena, &s->evidence, words.buf);
}

void judge_causes(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *in)
{
	CLEANUP(release_search) struct search s = { .scenario = scenario, .in = in };
	bool waits = has_regressed(scenario, true), runs = has_regressed(scenario, false);
	struct wall_change wall;
	struct cost cost;
	double kernel = 0;

	scenario->n_causes = 0;
	scenario->evidence = (struct strv)STRV_INIT;
	cost_find(scenario, base, &cost);
	if ((!waits && !runs) || !cost.metric || cost.metric->unit != UNIT_MS) {
		add_missing(scenario, "", in->head);
		return;
	}
	s.total_ms[BASE] = cost.before;
	s.total_ms[HEAD] = cost.now;
	s.change_ms = cost.now - cost.before;
	s.per = cost.per_work ? scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1);
	gather(&s);
	for (size_t i = 0; i < s.cpu[BASE].n; i++)
		kernel += s.cpu[BASE].items[i].kernel;
	if (s.work[BASE].total > 0)
		s.ms_per_instruction = cost.before * (1 - part(kernel, s.cpu[BASE].total)) / s.work[BASE].total;
	s.counted_alone = is_counted_alone(&s);
	if (s.counted_alone)
		s.change_ms = (s.work[HEAD].total - s.work[BASE].total) * s.ms_per_instruction;
	/* Time that passes while nothing runs is in no profile of CPU time. */
	if (waits && wall_change_of(scenario, &in->base->system_calls, &in->head->system_calls, &wall)) {
		add_wall(&wall, scenario);
		if (wall.kind != CAUSE_WORK)
			explain_waiting(&s, &wall);
	}
	if (s.change_ms > 0 && !scenario->n_causes)
		explain_cpu(&s);
	add_missing(scenario, "base: ", in->base);
	add_missing(scenario, "head: ", in->head);
}
