#include "cause/system_calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cause/own_code.h"
#include "cause/own_costs.h"
#include "cause/work.h"
#include "profile/stacks.h"

/* Queries on traced system calls: helper programs, growth, callers. */

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

/* Returns the index of NAME; n: missing. */
static size_t index_of(const struct system_calls *calls, const char *name)
{
	size_t i = 0;

	while (i < calls->n && strcmp(calls->items[i].name, name) != 0)
		i++;
	return i;
}

const struct system_call *system_calls_find(const struct system_calls *calls, const char *name)
{
	size_t i = index_of(calls, name);

	return i < calls->n ? &calls->items[i] : NULL;
}

bool system_call_starts(const struct system_call *call)
{
	/*
	 * Stacks often end in the C library's clone3(). Those that wait for the new process do not, so waits count,
	 * too.
	 */
	static const char *const names[] = { "clone", "clone3", "fork", "vfork", "wait4", "waitid" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (!strcmp(call->name, names[i]))
			return true;
	return false;
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
		const struct system_call *now = &head->items[i], *was = system_calls_find(base, now->name);

		growths[i] = (struct growth){ now->name, grown(was ? was->calls : 0, now->calls) };
	}
	if (head->n)
		qsort(growths, head->n, sizeof *growths, by_growth);
	for (size_t i = 0; i < head->n && i < GROWN_MOST && growths[i].calls > 0; i++)
		strv_push_new(out, growths[i].name);
	/* Processes are expensive, however few. */
	for (size_t i = 0; i < head->n && head->processes > base->processes; i++) {
		const struct system_call *now = &head->items[i], *was = system_calls_find(base, now->name);

		if (system_call_starts(now) && now->calls > (was ? was->calls : 0) && !strv_has(out, now->name))
			strv_push_new(out, now->name);
	}
}

/* -------- callers */

static double part_of(const struct own_costs *costs, const struct code *code)
{
	for (size_t i = 0; i < costs->n; i++)
		if (!strcmp(costs->items[i].code->key, code->key) &&
		    !strcmp(path_name(costs->items[i].code->object), path_name(code->object)))
			return costs->items[i].cost / costs->total;
	return 0;
}

/*
 * Returns the own function of HEAD whose calls grew most, or that makes most calls if their number did not grow. NULL:
 * none.
 */
static const struct code *caller_of(const struct own_costs *base, const struct own_costs *head, double was, double now)
{
	const struct code *who = NULL;
	double most = 0, score;

	for (size_t i = 0; i < head->n; i++) {
		score = head->items[i].cost / head->total * now;
		if (grown(was, now) > 0)
			score -= part_of(base, head->items[i].code) * was;
		if (score > most) {
			most = score;
			who = head->items[i].code;
		}
	}
	return who;
}

static void note_caller(struct system_calls *calls, const char *name, const struct code *who, const struct own_costs *costs)
{
	size_t i = index_of(calls, name);
	struct system_call *call = &calls->items[i];

	if (i == calls->n)
		return;
	call->caller = arena_strdup(&calls->arena, who->function);
	call->caller_object = arena_strdup(&calls->arena, who->object);
	call->by_caller = part_of(costs, who) * call->calls;
}

static void own_costs_of(const struct stacks *stacks, const char *event, const struct own_code *own, struct own_costs *out)
{
	for (size_t i = 0; i < stacks->n_events; i++)
		if (!strcmp(stacks_text(stacks, stacks->events[i].name), event))
			stacks_own_costs(stacks, (uint32_t)i, own, out);
}

void system_calls_name_callers(struct system_calls *base, struct system_calls *head, const struct stacks *base_stacks,
			       const struct stacks *head_stacks, const struct own_code *base_own, const struct own_code *head_own)
{
	for (size_t i = 0; i < head_stacks->n_events; i++) {
		CLEANUP(own_costs_release) struct own_costs before = { 0 }, now = { 0 };
		const char *name = stacks_text(head_stacks, head_stacks->events[i].name);
		const struct system_call *was = system_calls_find(base, name), *is = system_calls_find(head, name);
		const struct code *who;

		if (!is)
			continue;
		own_costs_of(base_stacks, name, base_own, &before);
		own_costs_of(head_stacks, name, head_own, &now);
		who = caller_of(&before, &now, was ? was->calls : 0, is->calls);
		if (!who)
			continue;
		note_caller(head, name, who, &now);
		note_caller(base, name, who, &before);
	}
}
