#include "cause/kinds.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/own_costs.h"
#include "cause/suspects.h"
#include "cause/system_calls.h"
#include "cause/work.h"

/* True if X runs before main, called by the C library's start-up code. */
static bool starts_up(const struct search *s, const struct suspect *x)
{
	static const char *const starters[] = { "call_init", "_dl_init", "__libc_csu_init", "__libc_start_main" };
	const struct work *work = &s->in->head->work;

	/* Code without names includes main. */
	if (!strcmp(code_of(x)->function, "main") || code_nameless(code_of(x)))
		return false;
	for (size_t i = 0; i < work->n_calls; i++) {
		const struct work_call *call = &work->calls[i];

		if (work->functions[call->caller].code.own || !suspect_same_code(&work->functions[call->callee].code, code_of(x)))
			continue;
		for (size_t k = 0; k < sizeof starters / sizeof starters[0]; k++)
			if (text_starts(work->functions[call->caller].code.function, starters[k]))
				return true;
	}
	return false;
}

/* Returns the number of locks taken. */
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

/*
 * Page faults decide the kind from this part of the cost on, if their number grew by this factor. The part is small
 * because newly touched memory also misses the caches.
 */
#define FAULTS_PART 0.2
#define FAULTS_ROSE 1.5
/* Least part of the cost for instructions to be the reason. */
#define COUNTED_PART 0.1

static const struct foreign_cost *find_foreign(const struct own_cost *cost, const char *name)
{
	for (size_t i = 0; cost && i < cost->n_foreign; i++)
		if (!strcmp(cost->foreign[i].name, name))
			return &cost->foreign[i];
	return NULL;
}

static const struct foreign_cost *dearer_foreign(const struct own_cost *before, const struct own_cost *now, double least,
						 const struct foreign_cost **before_out)
{
	const struct foreign_cost *best = NULL;

	*before_out = NULL;
	for (size_t i = 0; now && i < now->n_foreign; i++) {
		const struct foreign_cost *was = find_foreign(before, now->foreign[i].name);
		double more = now->foreign[i].cost - (was ? was->cost : 0);

		if (more > least) {
			least = more;
			best = &now->foreign[i];
			*before_out = was;
		}
	}
	return best;
}

const struct foreign_cost *kind_dearer_foreign(const struct suspect *x, const struct foreign_cost **before_out)
{
	return dearer_foreign(x->by_work[BASE], x->by_work[HEAD], change_of(x->self), before_out);
}

const char *kind_longest_callee(const struct suspect *x, int which)
{
	const struct foreign_cost *was, *callee = dearer_foreign(x->by_wait[which][BASE], x->by_wait[which][HEAD], 0, &was);

	return callee ? callee->name : NULL;
}

/*
 * Returns the kind of a Python function that costs more because of a call that waits, imports or asks the kernel.
 * CAUSE_KINDS: no such call.
 */
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
	const struct foreign_cost *was, *call = kind_dearer_foreign(x, &was);

	for (size_t i = 0; call && i < sizeof calls / sizeof calls[0]; i++)
		if (text_starts(call->name, calls[i].begin))
			return calls[i].kind;
	return CAUSE_KINDS;
}

double kind_locks(const struct suspect *x)
{
	return locks(x->by_work[HEAD]);
}

bool kind_locks_more(const struct suspect *x)
{
	return locks(x->by_work[HEAD]) > MORE_CALLS * locks(x->by_work[BASE]);
}

bool kind_factors(const struct suspect *x, double *instructions, double *each)
{
	double user[SIDES];

	for (int i = 0; i < SIDES; i++)
		user[i] = x->cpu[i] - x->kernel[i];
	if (!(x->work[BASE] > 0 && x->work[HEAD] > 0 && user[BASE] > 0 && user[HEAD] > 0))
		return false;
	*instructions = x->work[HEAD] / x->work[BASE];
	*each = user[HEAD] / user[BASE] / *instructions;
	return true;
}

/* True if X's instructions grew by a larger factor than its time per instruction. */
static bool executes_more(const struct suspect *x)
{
	double instructions, each;

	return kind_factors(x, &instructions, &each) && instructions >= fmax(each, 1);
}

/* Cost of a cheap system call, including its caller in the C library. */
#define CALL_LEAST_MS 0.0003
/* Least growth in the number of calls. */
enum { CALLS_ROSE = 1000 };

/*
 * True if X makes a system call more often, which is exact, and these calls cost more than X's additional instructions.
 * The estimate per call is the increase in kernel time divided by the number of additional calls, at least
 * CALL_LEAST_MS.
 */
static bool calls_kernel_more(const struct search *s, const struct suspect *x)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	const struct system_call *was, *call = suspects_own_call(s, x, &was);
	double more = call ? call->calls - (was ? was->calls : 0) : 0, all = system_calls_total(head) - system_calls_total(base);
	double system = side_result_median(scenario_result_measured(s->scenario), METRIC(SYSTEM_TIME)) -
			side_result_median(&s->scenario->base, METRIC(SYSTEM_TIME));

	if (!(more >= CALLS_ROSE && call->calls >= 2 * (was ? was->calls : 0)) || head->attached || suspects_timed(s))
		return false;
	return more * fmax(all > 0 ? system / all : 0, CALL_LEAST_MS) > x->counted_ms;
}

/*
 * True if locks alone account for X's additional kernel work: to sleep until a lock is free, and to wake a sleeper. A
 * tracer may prevent these calls.
 */
static bool has_to_wake(const struct search *s, const struct suspect *x)
{
	const struct system_call *was, *call = suspects_own_call(s, x, &was);

	return call ? !strcmp(call->name, "futex") && kind_locks(x) > 0 : kind_locks_more(x);
}

/*
 * Returns the kind of X's kernel work other than page faults. To sleep, or to wait for a disk, is waiting, however
 * little CPU time it takes.
 */
static enum cause_kind kind_of_kernel(const struct search *s, const struct suspect *x)
{
	static const char *const waits[] = { "nanosleep", "clock_nanosleep", "fsync", "fdatasync", "msync", "sync_file_range" };
	const struct system_call *was, *call = suspects_own_call(s, x, &was);

	for (size_t i = 0; call && i < sizeof waits / sizeof waits[0]; i++)
		if (!strcmp(call->name, waits[i]))
			return CAUSE_WAITING;
	return has_to_wake(s, x) ? CAUSE_LOCK : CAUSE_SYSTEM_CALLS;
}

/*
 * True if the program's instructions grew by a smaller factor than the time per instruction. Uses the count by
 * function, else simulated instructions, else those counted by the CPU.
 */
static bool executes_as_before(const struct search *s)
{
	static const struct metric *const metrics[] = { METRIC(SIM_INSTRUCTIONS), METRIC(INSTRUCTIONS) };
	const struct side_result *base = &s->scenario->base, *head = scenario_result_measured(s->scenario);
	double time = log(s->total_ms[HEAD] / s->total_ms[BASE]);

	if (s->work[BASE].total > 0 && s->work[HEAD].total > 0)
		return log(s->work[HEAD].total / s->work[BASE].total) < time / 2;
	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
		double before = side_result_median(base, metrics[i]), now = side_result_median(head, metrics[i]);

		if (before > 0 && now > 0)
			return log(now / before) < time / 2;
	}
	return false;
}

static enum cause_kind kind_itself(const struct search *s, const struct suspect *x)
{
	double cost = x->ms > 0 ? x->ms : x->caused_ms, kernel = fmax(0, change_of(x->kernel)), faulting = fmax(0, change_of(x->faulting));
	bool counted = s->work[BASE].total > 0 && s->work[HEAD].total > 0;
	double faults = side_result_median(&s->scenario->base, METRIC(PAGE_FAULTS));
	double faults_now = side_result_median(scenario_result_measured(s->scenario), METRIC(PAGE_FAULTS));

	if (suspects_timed(s) && kind_of_call(x) != CAUSE_KINDS)
		return kind_of_call(x);
	if (part_of(faulting, cost) >= FAULTS_PART && faults_now > FAULTS_ROSE * faults && faulting > 2 * x->cpu_error)
		return CAUSE_FAULTS;
	if (part_of(kernel, cost) >= MOST_OF && kernel > 2 * x->cpu_error)
		return part_of(faulting, kernel) >= MOST_OF ? CAUSE_FAULTS : kind_of_kernel(s, x);
	if (part_of(counted ? change_of(x->allocating) * s->ms_per_instruction : change_of(x->allocating_ms), cost) >= MOST_OF)
		return CAUSE_ALLOCATION;
	if (kind_locks_more(x))
		return CAUSE_LOCK;
	if (calls_kernel_more(s, x))
		return kind_of_kernel(s, x);
	if (counted && part_of(x->caused_counted_ms, x->caused_ms) < MOST_OF && part_of(x->counted_ms, cost) < MOST_OF &&
	    !executes_more(x))
		return CAUSE_SLOWER;
	if (!counted && part_of(cost, s->change_ms) >= MOST_OF && executes_as_before(s))
		return CAUSE_SLOWER;
	return CAUSE_WORK;
}

/*
 * True if most of X's additional instructions allocate. The page faults and the slowness of that memory follow from it.
 */
static bool allocates_more(const struct suspect *x)
{
	return part_of(x->caused_counted_ms, x->caused_ms) >= COUNTED_PART && part_of(x->caused_allocating_ms, x->caused_counted_ms) >= MOST_OF;
}

enum cause_kind kind_of(const struct search *s, const struct suspect *x)
{
	enum cause_kind kind = starts_up(s, x) ? CAUSE_STARTUP : kind_itself(s, suspects_dearest(s, x));

	return (kind == CAUSE_WORK || kind == CAUSE_FAULTS) && allocates_more(x) ? CAUSE_ALLOCATION : kind;
}

/* True for files that an interpreter reads to run the program. They are not input. */
static bool is_program_text(const char *path)
{
	static const char *const ends[] = { ".py", ".pyc", ".pm", ".pl", ".rb", ".js", ".mjs", ".lua", ".sh", ".jar", ".class", ".so" };
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (text_ends(path, len, ends[i]))
			return true;
	return false;
}

const struct traced_file *kind_grown_input(const struct search *s)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	double before = 0, now = 0, most = 0;
	const struct traced_file *best = NULL;

	if (base->cut || head->cut)
		return NULL;
	for (size_t i = 0; i < base->n_files; i++)
		before += is_program_text(base->files[i].path) ? 0 : base->files[i].read_bytes;
	for (size_t i = 0; i < head->n_files; i++) {
		const struct traced_file *file = &head->files[i];
		double more = file->read_bytes;

		if (is_program_text(file->path))
			continue;
		now += file->read_bytes;
		for (size_t k = 0; k < base->n_files; k++)
			if (!strcmp(path_name(base->files[k].path), path_name(file->path)))
				more -= base->files[k].read_bytes;
		if (more > most) {
			most = more;
			best = file;
		}
	}
	return before > 0 && now / before - 1 > MOST_OF * s->change_ms / s->total_ms[BASE] ? best : NULL;
}

static bool anything_touched(const struct search *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (suspect_changed(&s->suspects[i]))
			return true;
	return false;
}

/* True if the changed library executes most of the additional instructions. */
static bool library_grew(const struct search *s)
{
	double more = 0, all = s->work[HEAD].total - s->work[BASE].total;

	for (size_t i = 0; i < s->n && s->in->library; i++)
		for (int side = BASE; side < SIDES; side++) {
			const struct own_cost *cost = s->suspects[i].by_work[side];

			for (size_t k = 0; cost && k < cost->n_foreign; k++) {
				const char *name = path_name(cost->foreign[k].object ?: "");

				if (*name && text_starts(s->in->library, name) && s->in->library[strlen(name)] == ' ')
					more += side == HEAD ? cost->foreign[k].cost : -cost->foreign[k].cost;
			}
		}
	return more > 0 && more > MOST_OF * all;
}

enum cause_kind kind_of_all(const struct search *s)
{
	const struct changes *changes = s->in->changes;
	const char *before = s->scenario->base.executable, *now = scenario_result_measured(s->scenario)->executable;
	bool known = changes && changes->known;

	if (!anything_touched(s) && library_grew(s))
		return CAUSE_LIBRARY;
	if ((known && changes_only_build(changes)) || (s->in->build && !anything_touched(s)))
		return CAUSE_BUILD;
	if (before && now && !strcmp(before, now) && !(known && changes->n))
		return s->in->library ? CAUSE_LIBRARY : CAUSE_INPUT;
	if ((known && changes_only_data(changes)) || (!anything_touched(s) && kind_grown_input(s)))
		return CAUSE_INPUT;
	return CAUSE_KINDS;
}

enum cause_kind kind_of_totals(const struct search *s)
{
	const struct side_result *base = &s->scenario->base, *head = scenario_result_measured(s->scenario);
	double system = side_result_median(head, METRIC(SYSTEM_TIME)) - side_result_median(base, METRIC(SYSTEM_TIME));
	double faults = side_result_median(head, METRIC(PAGE_FAULTS)) / side_result_median(base, METRIC(PAGE_FAULTS));

	if (system >= MOST_OF * s->change_ms)
		return faults > FAULTS_ROSE ? CAUSE_FAULTS : CAUSE_SYSTEM_CALLS;
	return executes_as_before(s) ? CAUSE_SLOWER : CAUSE_WORK;
}
