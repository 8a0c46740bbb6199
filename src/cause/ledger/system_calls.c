#include "cause/ledger/system_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cause/ledger/ledger.h"
#include "cause/ledger/work.h"

/* Queries on traced system calls: helper programs, growth, callers, costs. */

void system_calls_release(struct system_calls *calls)
{
	arena_release(&calls->arena);
	*calls = (struct system_calls){ 0 };
}

double system_calls_total(const struct system_calls *calls)
{
	double sum = 0;

	for (size_t i = 0; i < calls->n; i++)
		sum += calls->items[i].calls;
	return sum;
}

static void scale(struct system_calls *calls, double factor)
{
	for (size_t i = 0; i < calls->n; i++) {
		calls->items[i].calls *= factor;
		calls->items[i].errors *= factor;
		calls->items[i].bytes *= factor;
	}
	for (size_t i = 0; i < calls->n_files; i++) {
		calls->files[i].opens *= factor;
		calls->files[i].read_bytes *= factor;
		calls->files[i].written_bytes *= factor;
	}
	/* The first process and the first thread existed before. */
	calls->processes = 1 + (unsigned)lround((calls->processes - 1) * factor);
	calls->threads = 1 + (unsigned)lround((calls->threads - 1) * factor);
}

void system_calls_settle(struct system_calls *base, struct system_calls *head)
{
	bool known = base->work > 0 && head->work > 0;
	double before = known ? base->work : system_calls_total(base), now = known ? head->work : system_calls_total(head);

	if (before > 0)
		scale(base, now / before);
	base->work = head->work = known ? now : 0;
	base->attached = head->attached = true;
}

const struct system_call *system_calls_find(const struct system_calls *calls, const char *name)
{
	for (size_t i = 0; i < calls->n; i++)
		if (!strcmp(calls->items[i].name, name))
			return &calls->items[i];
	return NULL;
}

double system_calls_of(const struct system_calls *calls, const char *name)
{
	const struct system_call *call = system_calls_find(calls, name);

	return call ? call->calls : 0;
}

bool system_call_starts(const struct system_call *call)
{
	/*
	 * Stacks often end in the C library's clone3(). Those that wait for the new process do not, so waits count,
	 * too.
	 */
	return TEXT_IS(call->name, "clone", "clone3", "fork", "vfork", "wait4", "waitid");
}

bool system_call_sleeps(const struct system_call *call)
{
	return TEXT_IS(call->name, "nanosleep", "clock_nanosleep");
}

bool system_call_syncs(const struct system_call *call)
{
	return TEXT_IS(call->name, "fsync", "fdatasync", "msync", "sync_file_range", "syncfs");
}

/* -------- programs */

/* Marks PROCESS and its ancestors. */
static void mark(const struct system_calls *calls, uint32_t process, bool *marks)
{
	while (process < calls->n_parents && !marks[process]) {
		marks[process] = true;
		process = calls->parents[process];
	}
}

void system_calls_helpers(const struct system_calls *calls, const struct own_code *own, unsigned least, struct strv *out)
{
	CLEANUP(free_ptr) bool *runs_own = xcalloc(calls->n_parents + 1, sizeof *runs_own);

	for (size_t i = 0; i < calls->n_execs; i++)
		if (own_code_has(own, calls->execs[i].path))
			mark(calls, calls->execs[i].process, runs_own);
	for (size_t k = 0; k < calls->programs.n; k++) {
		const char *path = calls->programs.items[k];
		unsigned times = 0;
		bool helps = !own_code_has(own, path);

		/* The tool itself starts the first one. */
		for (size_t i = 1; i < calls->n_execs && helps; i++) {
			const struct traced_exec *exec = &calls->execs[i];

			if (exec->path != path)
				continue;
			times++;
			helps = exec->process < calls->n_parents && !runs_own[exec->process];
		}
		if (helps && times >= least)
			strv_push_new(out, path);
	}
}

/* -------- which calls to ask about */

/* Least growth of a call to look up its callers, as a number and as a part of the base's; most calls to look up. */
enum { MORE_CALLS = 20, GROWN_MOST = 3 };
#define MORE_PART 0.03

struct growth {
	const char *name;
	double calls;
};

static int by_growth(const void *a, const void *b)
{
	const struct growth *x = a, *y = b;

	return (x->calls < y->calls) - (x->calls > y->calls);
}

static double grown(double was, double now)
{
	return now - was >= fmax(MORE_CALLS, MORE_PART * was) ? now - was : 0;
}

void system_calls_grown(const struct system_calls *base, const struct system_calls *head, struct strv *out)
{
	CLEANUP(free_ptr) struct growth *growths = xcalloc(head->n + 1, sizeof *growths);

	for (size_t i = 0; i < head->n; i++) {
		const struct system_call *now = &head->items[i];

		growths[i] = (struct growth){ now->name, grown(system_calls_of(base, now->name), now->calls) };
	}
	if (head->n)
		qsort(growths, head->n, sizeof *growths, by_growth);
	for (size_t i = 0; i < head->n && i < GROWN_MOST && growths[i].calls > 0; i++)
		strv_push_new(out, growths[i].name);
	/* Processes are expensive, however few. */
	for (size_t i = 0; i < head->n && head->processes > base->processes; i++) {
		const struct system_call *now = &head->items[i];

		if (system_call_starts(now) && now->calls > system_calls_of(base, now->name) && !strv_has(out, now->name))
			strv_push_new(out, now->name);
	}
}

/* -------- callers */

static double part_of(const struct ledger *ledger, code_id code, int side)
{
	double total = ledger->total[COST_CALLS][side];

	return total > 0 ? ledger->entries[code].cost[COST_CALLS][side] / total : 0;
}

/*
 * Returns the own function whose calls grew most, from WAS to NOW in all, or that makes most of them if their number did
 * not grow. NO_CODE: none.
 */
static code_id caller_of(const struct ledger *ledger, double was, double now)
{
	code_id who = NO_CODE;
	double most = 0;

	for (code_id id = 0; id < ledger->codes.n; id++) {
		double score = part_of(ledger, id, HEAD) * now;

		if (grown(was, now) > 0)
			score -= part_of(ledger, id, BASE) * was;
		if (score > most) {
			most = score;
			who = id;
		}
	}
	return who;
}

static void note_caller(struct system_calls *calls, const char *name, const struct code *who, double part)
{
	for (size_t i = 0; i < calls->n; i++) {
		struct system_call *call = &calls->items[i];

		if (strcmp(call->name, name) != 0)
			continue;
		call->caller = arena_strdup(&calls->arena, who->function);
		call->caller_object = arena_strdup(&calls->arena, who->object);
		call->by_caller = part * call->calls;
	}
}

void system_calls_name_callers(struct system_calls *base, struct system_calls *head, const struct stacks *base_stacks,
			       const struct stacks *head_stacks, const struct own_code *base_own, const struct own_code *head_own)
{
	for (size_t i = 0; i < head_stacks->n_events; i++) {
		CLEANUP(ledger_release) struct ledger ledger;
		const char *name = stacks_text(head_stacks, head_stacks->events[i].name);
		code_id who;

		ledger_init(&ledger, base_own, head_own, NULL);
		if (!system_calls_find(head, name))
			continue;
		ledger_add_stacks(&ledger, BASE, base_stacks, name, COST_CALLS, 1);
		ledger_add_stacks(&ledger, HEAD, head_stacks, name, COST_CALLS, 1);
		who = caller_of(&ledger, system_calls_of(base, name), system_calls_of(head, name));
		if (who == NO_CODE)
			continue;
		/* Each side has the function in a file of its own. In base it may make no such call. */
		for (int side = BASE; side < SIDES; side++)
			if (ledger.codes.items[who].of[side])
				note_caller(side == BASE ? base : head, name, ledger.codes.items[who].of[side], part_of(&ledger, who, side));
	}
}

/* -------- the call that costs most */

/*
 * Returns the estimated time of a call in microseconds, from its name and bytes. Starting a process, or using a disk,
 * takes a thousand times as long as a call that does little.
 */
static double cost_of(const struct system_call *call)
{
	return system_call_starts(call) || system_call_syncs(call) ? 500 : 0.3 + 1e-4 * call->bytes / call->calls;
}

struct call_change system_calls_dearest(const struct system_calls *base, const struct system_calls *head, const struct call_filter *filter)
{
	struct call_change best = { 0 };
	double most = 0;

	for (size_t i = 0; i < head->n; i++) {
		const struct system_call *now = &head->items[i], *was = system_calls_find(base, now->name);
		double more = now->calls - (was ? was->calls : 0);

		if (!(more > filter->least_part * now->calls) || (filter->starts && !system_call_starts(now)) || (filter->has_caller && !now->caller) ||
		    (filter->by && now->caller && strcmp(now->caller, filter->by) != 0))
			continue;
		if (more * cost_of(now) > most) {
			most = more * cost_of(now);
			best = (struct call_change){ now, was, more };
		}
	}
	return best;
}
