#include "cause/cause.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/ledger.h"
#include "cause/ledger/system_calls.h"
#include "cause/sentence.h"
#include "model/metrics/numbers.h"
#include "model/side.h"
#include "profile/stacks.h"

/* Most lines of each kind, and the least change to list, as part of the whole. */
enum { FUNCTIONS = 5, CALLS = 5, FILES = 4 };
#define LEAST_PART 0.01
#define FUNCTION_DIFFERS 0.005	/* least relative change of a function */
enum { NAME_LONGEST = 80 };	/* bytes of a name */

struct finding {
	struct scenario_result *scenario;
	const struct evidence *side[SIDES];
	struct strv lines;	/* in the scenario's arena */
};

/* Adds a line. */
#define ADD(f, ...) arena_pushf(&(f)->scenario->arena, &(f)->lines, __VA_ARGS__)

/* -------- instructions */

static struct short_text amount_text(double amount, bool timed)
{
	return timed ? format_value(amount / 1e6, UNIT_MS) : format_count(amount);
}

/* An own function and its increase. */
struct grown {
	code_id id;
	double more;
};

static int by_change(const void *a, const void *b)
{
	double x = fabs(((const struct grown *)a)->more), y = fabs(((const struct grown *)b)->more);

	return (x < y) - (x > y);
}

static void add_function(struct finding *f, const struct ledger *ledger, code_id id)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	const struct code *const *of = ledger->codes.items[id].of;
	const struct entry *e = &ledger->entries[id];
	struct short_text was = amount_text(e->cost[COST_INSTRUCTIONS][BASE], ledger->timed);
	struct short_text now = amount_text(e->cost[COST_INSTRUCTIONS][HEAD], ledger->timed);

	sentence_add_code(code_of(&ledger->codes, id), &line);
	if (!of[BASE])
		strbuf_addf(&line, " is new: %s", now.s);
	else if (!of[HEAD])
		strbuf_addf(&line, " is gone: %s", was.s);
	else
		strbuf_addf(&line, ": %s, then %s", was.s, now.s);
	strbuf_adds(&line, ledger->timed ? ", that of builtins included" : " instructions, those of libraries that it calls included");
	if (of[BASE] && of[HEAD] && fabs(change_of(e->calls)) > (ledger->per ? FUNCTION_DIFFERS * e->calls[BASE] : 0.5))
		strbuf_addf(&line, "; called %s, then %s", times_text(e->calls[BASE]).s, format_count(e->calls[HEAD]).s);
	else if (of[BASE] && of[HEAD])
		strbuf_addf(&line, "; called %s on both sides", times_text(e->calls[HEAD]).s);
	arena_push(&f->scenario->arena, &f->lines, line.buf);
}

/* True if a function changed by more than noise. Without this test, an unchanged total would list only noise. */
static bool differs(const struct ledger *ledger, code_id id)
{
	const struct code *const *of = ledger->codes.items[id].of;
	const struct entry *e = &ledger->entries[id];

	return !of[BASE] || !of[HEAD] || fabs(change_of(e->cost[COST_INSTRUCTIONS])) > FUNCTION_DIFFERS * e->cost[COST_INSTRUCTIONS][BASE] ||
	       fabs(change_of(e->calls)) > FUNCTION_DIFFERS * e->calls[BASE];
}

static void find_functions(struct finding *f, const struct ledger *ledger)
{
	CLEANUP(free_ptr) struct grown *all = xcalloc(ledger->codes.n + 1, sizeof *all);
	/* Counts of a part of an execution have an error. */
	double least = LEAST_PART * fabs(ledger->per ? ledger->total[COST_INSTRUCTIONS][HEAD] : change_of(ledger->total[COST_INSTRUCTIONS]));
	size_t n = 0;

	for (code_id id = 0; id < ledger->codes.n; id++) {
		const double *cost = ledger->entries[id].cost[COST_INSTRUCTIONS];

		if (code_of(&ledger->codes, id)->own && fabs(change_of(cost)) > least && differs(ledger, id))
			all[n++] = (struct grown){ id, change_of(cost) };
	}
	qsort(all, n, sizeof *all, by_change);
	for (size_t i = 0; i < n && i < FUNCTIONS; i++)
		add_function(f, ledger, all[i].id);
}

static void find_work(struct finding *f)
{
	double before = f->side[BASE]->work.total, now = f->side[HEAD]->work.total;
	const char *per = f->side[HEAD]->work.per;
	bool timed = f->side[HEAD]->work.timed;
	CLEANUP(ledger_release) struct ledger ledger;

	ledger_init(&ledger, &f->side[BASE]->own, &f->side[HEAD]->own, NULL);
	if (!(before > 0 && now > 0))
		return;
	ADD(f, "%s%s%s, %s once on each side: %s, then %s (%s)", timed ? "time in Python functions" : "instructions", per ? " per call of " : "",
	    per ?: "", timed ? "measured" : "counted", amount_text(before, timed).s, amount_text(now, timed).s,
	    format_change(100 * (now / before - 1)).s);
	for (int i = 0; i < SIDES; i++)
		ledger_add_work(&ledger, i, &f->side[i]->work);
	find_functions(f, &ledger);
}

/* -------- samples */

static void find_samples(struct finding *f, const char *what, const struct stacks *before, const struct stacks *now)
{
	if (before->n_events && now->n_events)
		ADD(f, "%s by call path: %llu samples of the base, %llu of the head", what,
			 (unsigned long long)before->events[0].samples, (unsigned long long)now->events[0].samples);
}

/* -------- system calls */

static const struct system_call no_call = { .calls = 0 };

static void add_whereabouts(struct strbuf *line, const struct system_call *now)
{
	if (now->file)
		strbuf_addf(line, "; mostly on %.*s", (int)utf8_clip(path_name(now->file), NAME_LONGEST), path_name(now->file));
	if (now->caller)
		strbuf_addf(line, "; from %.*s", (int)utf8_clip(now->caller, NAME_LONGEST), now->caller);
}

/* Returns the bytes of all calls, or of EACH. */
static double bytes_of(const struct system_call *call, bool each)
{
	return !each ? call->bytes : call->calls > 0 ? call->bytes / call->calls : 0;
}

/* Adds how often it is called; by services, per unit of work, or as a part of all calls. */
static void add_call(struct finding *f, const struct system_call *before, const struct system_call *now)
{
	const struct system_calls *calls = &f->side[HEAD]->system_calls;
	double unit = !calls->attached ? 1 : calls->work > 0 ? calls->work : system_calls_total(calls) / 100;
	const char *percent = calls->attached && !(calls->work > 0) ? " %" : "";
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s: %s%s, then %s%s", now->name, (calls->attached ? format_count : times_text)(before->calls / unit).s, percent,
		    format_count(now->calls / unit).s, percent);
	if (before->bytes > 0 || now->bytes > 0)
		strbuf_addf(&line, "; %s%s, then %s", format_value(bytes_of(before, calls->attached), UNIT_BYTES).s, calls->attached ? " each" : "",
			    format_value(bytes_of(now, calls->attached), UNIT_BYTES).s);
	add_whereabouts(&line, now);
	arena_push(&f->scenario->arena, &f->lines, line.buf);
}

/* True if a call changed beyond chance; between windows of a load, it varies by some percent. */
static bool changed(const struct system_call *before, const struct system_call *now, bool attached)
{
	double calls = fabs(now->calls - before->calls), was = bytes_of(before, attached), bytes = fabs(bytes_of(now, attached) - was);

	return calls > fmax(attached ? 20 : 2, (attached ? 0.05 : 0.02) * before->calls) || bytes > fmax(attached ? 1 : 4096, (attached ? 0.1 : 0.02) * was);
}

static void find_calls(struct finding *f)
{
	const struct system_calls *before = &f->side[BASE]->system_calls, *now = &f->side[HEAD]->system_calls;
	bool attached = now->attached;
	size_t lines = 0;

	if (!before->n || !now->n)
		return;
	if (attached && now->work > 0)
		ADD(f, "system calls per %s, counted for a while on each side: %s, then %s", scenario_result_work_unit(f->scenario),
			 format_count(system_calls_total(before) / now->work).s, format_count(system_calls_total(now) / now->work).s);
	else if (attached)
		ADD(f, "system calls, counted for a while on each side, as parts of all: how much was done meanwhile is not known "
			 "(load.work), or the load did not end");
	else
		ADD(f, "system calls, counted once on each side: %s%s, then %s%s", before->cut ? "at least " : "", format_count(system_calls_total(before)).s,
		 now->cut ? "at least " : "", format_count(system_calls_total(now)).s);
	for (size_t i = 0; i < now->n && lines < CALLS; i++) {
		const struct system_call *was = system_calls_find(before, now->items[i].name) ?: &no_call;

		if (changed(was, &now->items[i], attached)) {
			add_call(f, was, &now->items[i]);
			lines++;
		}
	}
	if (before->processes != now->processes || before->threads != now->threads)
		ADD(f, "processes and threads: %u and %u, then %u and %u", before->processes, before->threads, now->processes,
			 now->threads);
}

/* -------- memory */

static void find_heap(struct finding *f)
{
	const struct stacks *before = &f->side[BASE]->allocations, *now = &f->side[HEAD]->allocations;
	const struct stacks *held = &f->side[BASE]->heap_peak, *holds = &f->side[HEAD]->heap_peak;

	if (before->n_events && now->n_events)
		ADD(f, "allocations, counted once on each side: %s, then %s; freed at once %s, then %s; at the peak %s, then %s",
			 format_count(before->events[0].weight).s, format_count(now->events[0].weight).s, format_count(f->side[BASE]->temporary).s,
			 format_count(f->side[HEAD]->temporary).s, format_value(held->n_events ? held->events[0].weight : 0, UNIT_BYTES).s,
			 format_value(holds->n_events ? holds->events[0].weight : 0, UNIT_BYTES).s);
}

/* -------- the diff */

static void find_changes(struct finding *f, const struct changes *changes)
{
	CLEANUP(strbuf_release) struct strbuf files = STRBUF_INIT;
	size_t n = 0;

	if (!changes || !changes->known) {
		ADD(f, "changed lines are not known: the sides are no trees of one git repository");
		return;
	}
	for (size_t i = 0; i < changes->n; i++) {
		if (i && !strcmp(changes->items[i].path, changes->items[i - 1].path))
			continue;
		if (n++ < FILES)
			strbuf_addf(&files, "%s%.*s", n > 1 ? ", " : " (", (int)utf8_clip(changes->items[i].path, NAME_LONGEST),
				    changes->items[i].path);
	}
	if (files.len)
		strbuf_adds(&files, n > FILES ? ", ...)" : ")");
	ADD(f, "the diff: %zu place%s in %zu file%s%s, %zu other file%s", changes->n, changes->n == 1 ? "" : "s", n,
		 n == 1 ? "" : "s", files.buf, changes->others.n, changes->others.n == 1 ? "" : "s");
}

void found_lines(struct scenario_result *scenario, const struct cause_input *in)
{
	struct finding f = { .scenario = scenario, .side = { in->base, in->head } };
	const struct strv missing = scenario->evidence;

	find_work(&f);
	find_samples(&f, "CPU time", &in->base->cpu, &in->head->cpu);
	find_samples(&f, "page faults", &in->base->faults, &in->head->faults);
	find_calls(&f);
	find_heap(&f);
	find_changes(&f, in->changes);
	for (size_t i = 0; i < missing.n; i++)
		arena_push(&scenario->arena, &f.lines, missing.items[i]);
	scenario->evidence = f.lines;
}
