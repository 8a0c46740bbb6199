#include "cause/cause.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/own_costs.h"
#include "cause/system_calls.h"
#include "cause/work.h"
#include "model/cost.h"
#include "model/side.h"
#include "profile/names.h"
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

static void add_line(struct finding *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void add_line(struct finding *f, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&line, fmt, args);
	va_end(args);
	arena_push(&f->scenario->arena, &f->lines, line.buf);
}

/* A formatted number: "2.10 G", "40,000", "12". */
struct number { char text[32]; };

static struct number number(double value)
{
	static const struct { double from, in; const char *suffix; } scales[] = {
		{ 999.5e6, 1e9, " G" }, { 999.5e3, 1e6, " M" }, { 0, 1, "" },
	};
	struct number out;
	size_t i = 0;

	while (fabs(value) < scales[i].from)
		i++;
	if (!*scales[i].suffix && fabs(value) >= 1000)
		snprintf(out.text, sizeof out.text, "%.0f,%03.0f", floor(round(value) / 1000), fmod(round(value), 1000));
	else
		snprintf(out.text, sizeof out.text, "%.*f%s", *scales[i].suffix ? 2 : 0, value / scales[i].in, scales[i].suffix);
	return out;
}

/* Returns "once", "40,000 times". */
static struct number times(double value)
{
	struct number out = number(value);

	if (!strcmp(out.text, "1"))
		return (struct number){ "once" };
	snprintf(out.text + strlen(out.text), sizeof out.text - strlen(out.text), " times");
	return out;
}

/* Returns "1.5 MiB". */
static struct number bytes(double value)
{
	static const struct { double from, in; const char *suffix; } scales[] = {
		{ 1023.5 * 0x1p10, 0x1p20, "MiB" }, { 1023.5, 0x1p10, "KiB" }, { 0, 1, "B" },
	};
	struct number out;
	size_t i = 0;

	while (value < scales[i].from)
		i++;
	snprintf(out.text, sizeof out.text, "%.*f %s", scales[i].in > 1 ? 1 : 0, value / scales[i].in, scales[i].suffix);
	return out;
}

/* Appends name and place. */
static void add_code(struct strbuf *out, const struct code *code)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	size_t len;

	name_brief(code->function, &name);
	len = utf8_clip(name.buf, NAME_LONGEST);
	strbuf_addf(out, "%.*s%s", (int)len, name.buf, name.buf[len] ? "..." : "");
	if (code->source && code->line)
		strbuf_addf(out, " (%s:%u)", path_name(code->source), code->line);
}

/* -------- instructions */

/* One own function on both sides; NULL: missing. */
struct both {
	const struct own_cost *side[SIDES];
};

static double cost(const struct both *both, int side)
{
	return both->side[side] ? both->side[side]->cost : 0;
}

static int by_change(const void *a, const void *b)
{
	const struct both *x = a, *y = b;
	double i = fabs(cost(x, HEAD) - cost(x, BASE)), k = fabs(cost(y, HEAD) - cost(y, BASE));

	return (i < k) - (i > k);
}

static const struct own_cost *find_cost(const struct own_costs *costs, const struct code *code)
{
	for (size_t i = 0; i < costs->n; i++)
		if (!strcmp(costs->items[i].code->key, code->key) &&
		    !strcmp(path_name(costs->items[i].code->object), path_name(code->object)))
			return &costs->items[i];
	return NULL;
}

static void add_calls(struct strbuf *out, double before, double now)
{
	if (round(before) != round(now))
		strbuf_addf(out, "; called %s, then %s", times(before).text, number(now).text);
	else
		strbuf_addf(out, "; called %s on both sides", times(now).text);
}

static void add_function(struct finding *f, const struct both *both)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	const struct own_cost *before = both->side[BASE], *now = both->side[HEAD];

	add_code(&line, (now ?: before)->code);
	if (!before)
		strbuf_addf(&line, " is new: %s", number(now->cost).text);
	else if (!now)
		strbuf_addf(&line, " is gone: %s", number(before->cost).text);
	else
		strbuf_addf(&line, ": %s, then %s", number(before->cost).text, number(now->cost).text);
	strbuf_adds(&line, " instructions, those of libraries that it calls included");
	if (before && now && isfinite(before->calls) && isfinite(now->calls))
		add_calls(&line, before->calls, now->calls);
	add_line(f, "%s", line.buf);
}

/* True if a function changed by more than noise. Without this test, an unchanged total would list only noise. */
static bool differs(const struct both *both)
{
	const struct own_cost *before = both->side[BASE], *now = both->side[HEAD];

	return !before || !now || fabs(now->cost - before->cost) > FUNCTION_DIFFERS * before->cost ||
	       fabs(now->calls - before->calls) > FUNCTION_DIFFERS * before->calls;
}

static void find_functions(struct finding *f, const struct own_costs costs[SIDES])
{
	CLEANUP(free_ptr) struct both *all = xcalloc(costs[BASE].n + costs[HEAD].n + 1, sizeof *all);
	double least = LEAST_PART * fabs(costs[HEAD].total - costs[BASE].total);
	size_t n = 0;

	for (size_t i = 0; i < costs[HEAD].n; i++)
		all[n++] = (struct both){ { find_cost(&costs[BASE], costs[HEAD].items[i].code), &costs[HEAD].items[i] } };
	for (size_t i = 0; i < costs[BASE].n; i++)
		if (!find_cost(&costs[HEAD], costs[BASE].items[i].code))
			all[n++] = (struct both){ { &costs[BASE].items[i], NULL } };
	qsort(all, n, sizeof *all, by_change);
	for (size_t i = 0; i < n && i < FUNCTIONS; i++)
		if (fabs(cost(&all[i], HEAD) - cost(&all[i], BASE)) > least && differs(&all[i]))
			add_function(f, &all[i]);
}

static void find_work(struct finding *f)
{
	double before = f->side[BASE]->work.total, now = f->side[HEAD]->work.total;
	struct own_costs costs[SIDES] = { { .n = 0 }, { .n = 0 } };

	if (!(before > 0 && now > 0))
		return;
	add_line(f, "instructions, counted once on each side: %s, then %s (%+.2f %%)", number(before).text, number(now).text,
		 100 * (now / before - 1));
	for (int i = 0; i < SIDES; i++)
		work_own_costs(&f->side[i]->work, &costs[i]);
	find_functions(f, costs);
	for (int i = 0; i < SIDES; i++)
		own_costs_release(&costs[i]);
}

/* -------- samples */

static void find_samples(struct finding *f, const char *what, const struct stacks *before, const struct stacks *now)
{
	if (before->n_events && now->n_events)
		add_line(f, "%s by call path: %llu samples of the base, %llu of the head", what,
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

static void add_call(struct finding *f, const struct system_call *before, const struct system_call *now)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s: %s, then %s", now->name, times(before->calls).text, number(now->calls).text);
	if (before->bytes > 0 || now->bytes > 0)
		strbuf_addf(&line, "; %s, then %s", bytes(before->bytes).text, bytes(now->bytes).text);
	add_whereabouts(&line, now);
	add_line(f, "%s", line.buf);
}

/* The same for services: per unit of work, or as a part of all calls. */
static void add_call_of_service(struct finding *f, const struct system_call *before, const struct system_call *now)
{
	const struct system_calls *calls = &f->side[HEAD]->system_calls;
	double unit = calls->work > 0 ? calls->work : system_calls_total(calls) / 100;
	const char *percent = calls->work > 0 ? "" : " %";
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_addf(&line, "%s: %.3g%s, then %.3g%s", now->name, before->calls / unit, percent, now->calls / unit, percent);
	if (before->bytes > 0 || now->bytes > 0)
		strbuf_addf(&line, "; %s each, then %s", bytes(before->calls > 0 ? before->bytes / before->calls : 0).text,
			    bytes(now->bytes / now->calls).text);
	add_whereabouts(&line, now);
	add_line(f, "%s", line.buf);
}

/* True if a call changed beyond the variation between windows of a load, which is some percent. */
static bool changed_of_service(const struct system_call *before, const struct system_call *now)
{
	double was = before->calls > 0 ? before->bytes / before->calls : 0, is = now->calls > 0 ? now->bytes / now->calls : 0;

	return fabs(now->calls - before->calls) > fmax(20, 0.05 * before->calls) || fabs(is - was) > fmax(1, 0.1 * was);
}

static bool changed(const struct system_call *before, const struct system_call *now)
{
	return fabs(now->calls - before->calls) > fmax(2, 0.02 * before->calls) ||
	       fabs(now->bytes - before->bytes) > fmax(4096, 0.02 * before->bytes);
}

static void find_calls(struct finding *f)
{
	const struct system_calls *before = &f->side[BASE]->system_calls, *now = &f->side[HEAD]->system_calls;
	bool attached = now->attached;
	size_t lines = 0;

	if (!before->n || !now->n)
		return;
	if (attached && now->work > 0)
		add_line(f, "system calls per %s, counted for a while on each side: %.3g, then %.3g", scenario_result_work_unit(f->scenario),
			 system_calls_total(before) / now->work, system_calls_total(now) / now->work);
	else if (attached)
		add_line(f, "system calls, counted for a while on each side, as parts of all: how much was done meanwhile is not known "
			 "(load.work), or the load did not end");
	else
		add_line(f, "system calls, counted once on each side: %s%s, then %s%s", before->cut ? "at least " : "", number(system_calls_total(before)).text,
		 now->cut ? "at least " : "", number(system_calls_total(now)).text);
	for (size_t i = 0; i < now->n && lines < CALLS; i++) {
		const struct system_call *was = system_calls_find(before, now->items[i].name) ?: &no_call;

		if ((attached ? changed_of_service : changed)(was, &now->items[i])) {
			(attached ? add_call_of_service : add_call)(f, was, &now->items[i]);
			lines++;
		}
	}
	if (before->processes != now->processes || before->threads != now->threads)
		add_line(f, "processes and threads: %u and %u, then %u and %u", before->processes, before->threads, now->processes,
			 now->threads);
}

/* -------- memory */

static void find_heap(struct finding *f)
{
	const struct stacks *before = &f->side[BASE]->allocations, *now = &f->side[HEAD]->allocations;
	const struct stacks *held = &f->side[BASE]->heap_peak, *holds = &f->side[HEAD]->heap_peak;

	if (before->n_events && now->n_events)
		add_line(f, "allocations, counted once on each side: %s, then %s; freed at once %s, then %s; at the peak %s, then %s",
			 number(before->events[0].weight).text, number(now->events[0].weight).text, number(f->side[BASE]->temporary).text,
			 number(f->side[HEAD]->temporary).text, bytes(held->n_events ? held->events[0].weight : 0).text,
			 bytes(holds->n_events ? holds->events[0].weight : 0).text);
}

/* -------- the diff */

static void find_changes(struct finding *f, const struct changes *changes)
{
	CLEANUP(strbuf_release) struct strbuf files = STRBUF_INIT;
	size_t n = 0;

	if (!changes || !changes->known) {
		add_line(f, "changed lines are not known: the sides are no trees of one git repository");
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
	add_line(f, "the diff: %zu place%s in %zu file%s%s, %zu other file%s", changes->n, changes->n == 1 ? "" : "s", n,
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
