#include "job/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/prefix.h"
#include "cause/ledger/samples.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"
#include "cause/readers/heap.h"
#include "job/recordings.h"
#include "job/runs.h"
#include "job/sides/loaded.h"
#include "job/sides/places.h"
#include "job/sides/programs.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/git/tree_map.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/abandoned.h"
#include "measure/process/interrupt.h"
#include "measure/run/system.h"
#include "measure/tools/heaptrack.h"
#include "measure/tools/python.h"
#include "measure/tools/record.h"
#include "measure/tools/strace.h"
#include "measure/tools/tool.h"
#include "measure/tools/valgrind.h"
#include "model/machine.h"
#include "model/metrics/metric.h"
#include "model/metrics/numbers.h"
#include "model/profile.h"
#include "model/result.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"
#include "scenario/yaml.h"

/* Least increases for recording faults and waits: relative and absolute. */
#define ROSE 1.02
enum { FAULTS_ROSE = 50, RSS_ROSE = 256 << 10 };
#define WAITED_MS 1.0
/* Waits are recorded only if CPU time leaves at least this part of the added wall time open. */
#define OFF_CPU_PART 0.25

/* BUDGET_RUNS runs of the base, between bounds. The lower one grows on a busy machine; a slow tool makes it 20 s. */
#define BUDGET_LEAST_NS (19 * NS_PER_S)
#define BUDGET_MOST_NS (60 * NS_PER_S)
#define BUDGET_RUNS 50
#define LESS_WORK "; a shorter run is recorded in full"

struct turn;

/* One step of the search. At its limit it is stopped, and the others go on without it. */
struct step {
	enum evidence_step id;
	const char *without;	/* how the reason begins if it fails */
	unsigned least, most;	/* percent of the budget: reserved for it while others work, and its limit */
	bool second;		/* left out first: what it shows is rarely the first cause */
	bool (*wanted)(const struct turn *turn);	/* NULL: always */
	/* How it is taken: one side after the other, all at once, or a service. */
	int (*take_side)(const struct turn *turn, unsigned i, struct error *err);
	int (*take_all)(const struct turn *turn, struct error *err);
	int (*take_service)(const struct turn *turn, struct error *err);
};

struct turn {
	struct evidence_search *search;
	struct system *const *systems;
	unsigned n;
	const struct measured_side *sides;	/* of the systems, like the next */
	struct evidence *found;
	const struct step *step;
	uint64_t began_ns;
	uint64_t limit_ns;	/* for all sides; 0: none */
};

static bool is_service(const struct turn *turn)
{
	return plan_attaches(turn->systems[0]->env.plan);
}

static bool is_first_of_two(const struct turn *turn)
{
	return turn->n == 1 && turn->sides == turn->search->sides;
}

/* Returns what is left of the limit, at least 1, since 0 means no limit. */
static uint64_t left_ns(const struct turn *turn)
{
	uint64_t took = clock_now_ns() - turn->began_ns;

	return took < turn->limit_ns ? turn->limit_ns - took : 1;
}

#define LACK(e, step, ...) ((e)->missing[step] = arena_printf(&(e)->arena, __VA_ARGS__))

/* Records why N sides from I on lack the step's evidence. Returns -1 if WHY is an interrupt. */
static int note_missing(const struct turn *turn, unsigned i, unsigned n, const struct error *why, struct error *err)
{
	bool late = turn->limit_ns && clock_now_ns() - turn->began_ns >= turn->limit_ns / turn->n;

	if (why->kind == ERR_INTERRUPTED)
		return error_copy(err, why);
	for (unsigned k = i; k < i + n; k++)
		LACK(&turn->found[k], turn->step->id, "%s: %s%s", turn->step->without, why->msg, late ? LESS_WORK : "");
	turn->search->failed |= 1u << turn->step->id;
	return 0;
}

static double difference(const struct evidence_search *s, const struct metric *metric)
{
	return side_result_median(s->sides[1].result, metric) - side_result_median(s->sides[0].result, metric);
}

static bool rose(const struct evidence_search *s, const struct metric *metric, double least)
{
	return difference(s, metric) > least &&
	       side_result_median(s->sides[1].result, metric) > ROSE * side_result_median(s->sides[0].result, metric);
}

/* Returns the engine of just-in-time code that was started, or NULL. NULL too if a program of the project's own ran. */
static const char *engine_of(const struct evidence *e)
{
	struct own_code built = e->own;
	const char *found = NULL;

	built.program = NULL;
	for (size_t k = 0; k < e->system_calls.programs.n; k++) {
		const char *program = e->system_calls.programs.items[k];
		struct elf_file elf;

		if (own_code_has(&built, program) && elf_read(program, &elf))
			return NULL;
		if (TEXT_IS(path_name(program), "node", "java"))
			found = path_name(program);
	}
	return found;
}

static bool has_own_binary(const struct own_code *own, const struct strv *paths, const char *cwd)
{
	for (size_t i = 0; i < paths->n; i++) {
		CLEANUP(free_ptr) char *whole = *paths->items[i] == '/' ? xstrdup(paths->items[i]) : file_join(cwd, paths->items[i]);
		struct elf_file elf;

		if (own_code_has(own, whole) && elf_read(whole, &elf))
			return true;
	}
	return false;
}

/* True if tools that know functions by their files can name one of the project's. */
static bool have_own_binary(const struct turn *turn)
{
	for (unsigned i = 0; i < turn->n; i++) {
		const struct evidence *e = &turn->found[i];
		const struct system_calls *calls = &e->system_calls;
		const char *cwd = turn->systems[i]->env.plan->cwd;

		/* Without system calls it is unknown what was loaded. */
		if (!calls->programs.n || has_own_binary(&e->own, &calls->programs, cwd) || has_own_binary(&e->own, &calls->libraries, cwd))
			return true;
	}
	return false;
}

/* -------- sampling */

static int sample(const struct turn *turn, unsigned i, struct error *err)
{
	struct system *system = turn->systems[i];
	struct evidence *e = &turn->found[i];
	bool faults = turn->step->id == STEP_FAULTS, cut = false;
	struct record_wish wish;

	if (record_plan(faults ? SAMPLED_FAULTS : SAMPLED_CLOCK, system->session->machine.tier, turn->sides[i].result, &wish, err) < 0)
		return -1;
	wish.limit_ns = turn->limit_ns / turn->n;
	wish.cut = &cut;
	/* Just-in-time code has frame pointers, as the engine is asked to, and no debug information. */
	if (engine_of(e))
		wish.how.call_graph = CALL_GRAPH_FP;
	if (recordings_sample(system, wish, faults ? &e->faults : &e->cpu, err) < 0)
		return -1;
	if (cut)
		LACK(e, turn->step->id, "%s: samples were read for %s, not to the end of the recording%s",
		     faults ? "page faults" : "CPU time", format_duration(wish.limit_ns).s, LESS_WORK);
	return 0;
}

static bool wants_faults(const struct turn *turn)
{
	return rose(turn->search, METRIC(PAGE_FAULTS), FAULTS_ROSE) || rose(turn->search, METRIC(RSS_GROWTH), RSS_ROSE);
}

/* True if wall time rose by more than CPU time explains, spread over the CPUs at work; for a service, if it rose. */
static bool wants_waits(const struct turn *turn)
{
	const struct evidence_search *s = turn->search;
	double more = difference(s, METRIC(WALL_TIME)), more_cpu = difference(s, METRIC(CPU_TIME));
	double cpus = side_result_median(s->sides[1].result, METRIC(CPU_TIME)) / side_result_median(s->sides[1].result, METRIC(WALL_TIME));

	if (!rose(s, METRIC(WALL_TIME), WAITED_MS))
		return false;
	return is_service(turn) || !(more - more_cpu / fmax(1, cpus) < OFF_CPU_PART * more);
}

static int record_waits(const struct turn *turn, unsigned i, struct error *err)
{
	struct evidence *e = &turn->found[i];
	const struct waits_wish wish = { turn->sides[i].result, &e->own, 0, turn->limit_ns / turn->n };
	struct stacks waits = STACKS_INIT;

	if (recordings_waits(turn->systems[i], &wish, &waits, &e->offcpu, err) < 0)
		return -1;
	stacks_release(&e->waits);
	e->waits = waits;
	return 0;
}

/* -------- tracing */

static bool wants_calls(const struct turn *turn)
{
	/* A service's head alone shows nothing, and the base comes first. */
	return !is_service(turn) || turn->sides == turn->search->sides || turn->search->found[0].system_calls.n;
}

static int trace(const struct turn *turn, const struct strace_wish *wish, struct strace_text *texts, struct error *err)
{
	struct target_spec specs[2];

	if (system_specs(turn->systems, turn->n, specs, err) < 0)
		return -1;
	return strace_run(turn->systems[0]->session, specs, turn->n, wish, texts, err);
}

struct texts { struct strace_text of[2]; };
#define TEXTS_INIT { { { .text = STRBUF_INIT }, { .text = STRBUF_INIT } } }

static void texts_release(struct texts *texts)
{
	strbuf_release(&texts->of[0].text);
	strbuf_release(&texts->of[1].text);
}

/* Window for counting a service's calls. A load must begin, work and end in it; loads that work for ten seconds do. */
#define SERVICE_NS (12 * NS_PER_S)
/* Window for stacks. A call with its stack takes 1 ms, so the window holds thousands, a sample of many more. */
#define CALLERS_NS (5 * NS_PER_S)

static int trace_service(const struct turn *turn, struct error *err)
{
	const struct strace_wish wish = { .limit_ns = SERVICE_NS };
	CLEANUP(texts_release) struct texts texts = TEXTS_INIT;
	struct strace_text *text = &texts.of[0];
	struct system_calls *out = &turn->found[0].system_calls;
	double work = 0;

	if (system_trace(turn->systems[0], &wish, text, &work, err) < 0 || strace_read(text->text.buf, text->text.len, out, err) < 0)
		return -1;
	out->cut = text->cut;
	out->attached = true;
	out->work = work;
	return 0;
}

static int trace_commands(const struct turn *turn, struct error *err)
{
	const struct strace_wish wish = { .limit_ns = turn->limit_ns };
	CLEANUP(texts_release) struct texts texts = TEXTS_INIT;

	if (trace(turn, &wish, texts.of, err) < 0)
		return -1;
	for (unsigned i = 0; i < turn->n; i++) {
		const struct strace_text *text = &texts.of[i];
		struct evidence *e = &turn->found[i];

		if (strace_read(text->text.buf, text->text.len, &e->system_calls, err) < 0)
			return -1;
		if ((e->system_calls.cut = text->cut))
			LACK(e, STEP_SYSTEM_CALLS, "system calls were counted for %s, not to the end of the program%s",
			     format_duration(wish.limit_ns).s, LESS_WORK);
		if (e->system_calls.n)
			loaded_identify(e, turn->systems[i]->env.plan->cwd);
		/* An engine's code is the project's own only if the engine is the project. */
		if (engine_of(e))
			e->own.program = NULL;
	}
	return 0;
}

/* -------- callers of system calls that the head makes more often or waits longer in */

/* True if callers can be found: for commands only on both sides at once. */
static bool wants_callers(const struct turn *turn)
{
	return is_service(turn) ? turn->found[0].system_calls.n : turn->n == 2 && have_own_binary(turn);
}

static void list_grown(const struct system_calls *base, const struct system_calls *head, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	system_calls_grown(base, head, &names);
	for (size_t i = 0; i < names.n; i++)
		strbuf_addf(out, "%s%s", i ? "," : "", names.items[i]);
}

/* A side that makes no such call leaves no text. */
static int read_calling(const struct strace_text *text, struct stacks *out, struct error *err)
{
	int ret = text->text.len ? strace_read_stacks(text->text.buf, text->text.len, out, err) : 0;

	names_resolve(out);
	return ret;
}

static int callers_of_commands(const struct turn *turn, struct error *err)
{
	struct evidence *base = &turn->search->found[0], *head = &turn->search->found[1];
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	CLEANUP(texts_release) struct texts texts = TEXTS_INIT;
	CLEANUP(stacks_release) struct stacks before = STACKS_INIT, now = STACKS_INIT;
	struct strace_wish wish = { .stacks = true, .limit_ns = turn->limit_ns };

	list_grown(&base->system_calls, &head->system_calls, &list);
	if (!list.len)
		return 0;
	wish.calls = list.buf;
	if (trace(turn, &wish, texts.of, err) < 0 || read_calling(&texts.of[0], &before, err) < 0 || read_calling(&texts.of[1], &now, err) < 0)
		return -1;
	system_calls_name_callers(&base->system_calls, &head->system_calls, &before, &now, &base->own, &head->own);
	return 0;
}

/* All stacks of the first side, since it is unknown which calls grew. With the second, names the callers of both. */
static int callers_of_service(const struct turn *turn, struct error *err)
{
	struct evidence *e = &turn->found[0], *other = &turn->search->found[e == &turn->search->found[0]];
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;
	CLEANUP(texts_release) struct texts texts = TEXTS_INIT;
	struct strace_wish wish = { .stacks = true, .limit_ns = CALLERS_NS };
	bool second = other->system_calls.n;
	double work;

	if (second) {
		system_calls_settle(&other->system_calls, &e->system_calls);
		list_grown(&other->system_calls, &e->system_calls, &list);
		if (!list.len)
			return 0;
		wish.calls = list.buf;
	}
	if (system_trace(turn->systems[0], &wish, &texts.of[0], &work, err) < 0 || read_calling(&texts.of[0], &e->calling, err) < 0)
		return -1;
	if (second)
		system_calls_name_callers(&other->system_calls, &e->system_calls, &other->calling, &e->calling, &other->own, &e->own);
	return 0;
}

/* -------- counting instructions, for commands */

enum { CALLGRIND_KEPT = 8, CALLGRIND_LARGEST = 32 << 20 };

/* The counts of one execution of each side: instructions, or the calls of Python's functions. */
struct counting {
	const struct turn *turn;
	struct work works[AT_ONCE_MOST];
	unsigned files[AT_ONCE_MOST];	/* read so far; CALLGRIND_KEPT: none is kept */
	bool *cut;			/* see struct tool_use */
};

static void counting_release(struct counting *c)
{
	for (size_t i = 0; i < AT_ONCE_MOST; i++)
		work_release(&c->works[i]);
}

static int feed_work(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	struct counting *c = ctx;
	const struct turn *turn = c->turn;

	/* For callgrind_annotate and kcachegrind only, so a failed write does not matter. */
	if (c->files[side] < CALLGRIND_KEPT && len <= CALLGRIND_LARGEST) {
		CLEANUP(free_ptr) char *file = text_printf("%s/callgrind.out.%u", turn->sides[side].out, ++c->files[side]);

		file_write(file, text, len, NULL);
	}
	return callgrind_read(text, len, &turn->found[side].own, &c->works[side], err);
}

static int execute_counted(struct counting *c, const struct tool *tool, const char *const *extra, struct error *err)
{
	const struct turn *turn = c->turn;
	const struct tool_use use = { .extra = extra, .limit_ns = left_ns(turn), .cut = c->cut, .feed = feed_work, .ctx = c };
	struct target_spec specs[AT_ONCE_MOST];

	if (system_specs(turn->systems, turn->n, specs, err) < 0)
		return -1;
	return tool_run(turn->systems[0]->session, tool, specs, turn->n, &use, err);
}

static struct work *keep_work(struct counting *c, unsigned i)
{
	struct work *work = &c->turn->found[i].work;

	*work = c->works[i];
	c->works[i] = (struct work){ 0 };
	return work;
}

/* Disowns functions that no source of the project defines, such as those of a C library linked statically. */
static void disown_linked(struct evidence *e)
{
	struct strv *linked = arena_alloc(&e->arena, sizeof *linked);
	struct elf_file elf;
	bool is_static = e->own.program && elf_read(e->own.program, &elf) && elf.is_static, known = false;

	*linked = (struct strv)STRV_INIT;
	for (size_t i = 0; i < e->work.n_functions; i++)
		known |= e->work.functions[i].code.source && !strcmp(e->work.functions[i].code.key, "main");
	for (size_t i = 0; e->own.program && i < e->work.n_functions; i++) {
		struct code *code = &e->work.functions[i].code;

		if (code->key[0] == '[' || strcmp(code->object, e->own.program) != 0)
			continue;
		code->own &= code->source || !is_static || !known || !text_made_of(code->key, "_");
		if (!code->own)
			arena_push(&e->arena, linked, code->key);
	}
	e->own.linked = linked;
}

/* Valgrind takes 0.2 s per process. For programs started at least this often, samples suffice. */
enum { HELPERS_LEAST = 8 };

/* Makes valgrind skip helpers that either side merely starts. */
static void leave_out_helpers(struct evidence *const sides[], unsigned n, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv helpers = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	for (unsigned i = 0; i < n; i++)
		system_calls_helpers(&sides[i]->system_calls, &sides[i]->own, HELPERS_LEAST, &helpers);
	for (size_t i = 0; i < helpers.n; i++) {
		strbuf_addf(out, "%s%s", i ? "," : "--trace-children-skip=", helpers.items[i]);
		strbuf_addf(&names, "%s%s", i ? ", " : "", path_name(helpers.items[i]));
	}
	for (unsigned i = 0; i < n && helpers.n; i++) {
		sides[i]->helpers = true;
		LACK(sides[i], STEP_WORK, "instructions of %s are not counted, which %s started many times: samples tell what that costs",
		     names.buf, helpers.n > 1 ? "are" : "is");
	}
}

/* Compares counts of both sides that were cut off after LIMIT_NS, or drops them. */
static int compare_prefixes(const struct turn *turn, uint64_t limit_ns, struct error *err)
{
	struct evidence_search *s = turn->search;
	double before = side_result_median(s->sides[0].result, METRIC(CPU_TIME)), error;
	struct prefix sides[SIDES];

	for (int i = 0; i < SIDES; i++) {
		struct evidence *e = &turn->found[i];

		places_of_changes(&s->changes, i, &e->work, &e->own);
		sides[i] = (struct prefix){ &e->work, &e->own, &e->cpu };
	}
	error = prefix_settle(sides, &s->changes, 1 + difference(s, METRIC(CPU_TIME)) / before);
	for (int i = 0; i < SIDES; i++) {
		struct evidence *e = &turn->found[i];

		if (error > 0)
			LACK(e, STEP_WORK, "instructions were counted for %s, not to the end of the program, and are compared per call of %s (+-%s)%s",
			     format_duration(limit_ns).s, e->work.per, format_percent(100 * error).s, LESS_WORK);
		else
			work_release(&e->work);
	}
	return error > 0 ? 0 : error_set(err, ERR_SYSTEM, "timed out after %s under valgrind", format_duration(limit_ns).s);
}

static int count_work(const struct turn *turn, struct error *err)
{
	struct evidence *const sides[] = { &turn->found[0], &turn->found[turn->n - 1] };
	CLEANUP(strbuf_release) struct strbuf helpers = STRBUF_INIT;
	const char *extra[] = { NULL, NULL };
	bool cut = false;
	/* Partial counts of one side alone are worse than nothing. */
	CLEANUP(counting_release) struct counting counting = { .turn = turn, .cut = turn->n == 2 ? &cut : NULL };
	uint64_t limit_ns = left_ns(turn);
	int ret;

	leave_out_helpers(sides, turn->n, &helpers);
	extra[0] = helpers.len ? helpers.buf : NULL;
	ret = execute_counted(&counting, &tool_callgrind, extra, err);
	for (unsigned i = 0; i < turn->n && ret == 0; i++) {
		places_find(keep_work(&counting, i), &sides[i]->own);
		disown_linked(sides[i]);
	}
	return cut ? compare_prefixes(turn, limit_ns, err) : ret;
}

/* -------- counting calls of Python's functions */

/* Times differ by a few percent, and the least of several is closest to the undisturbed time. */
enum { EXECUTIONS_LEAST = 3, EXECUTIONS_MOST = 6 };
/* No execution begins after LONG_NS. Below EXECUTIONS_LEAST, not after PATIENCE times that. */
#define LONG_NS (3 * NS_PER_S)
enum { PATIENCE = 4 };

static int count_python(const struct turn *turn, struct error *err)
{
	uint64_t began = clock_now_ns(), last_began = began;

	for (int k = 0; k < EXECUTIONS_MOST; k++) {
		CLEANUP(counting_release) struct counting counting = {
			.turn = turn, .files = { k ? CALLGRIND_KEPT : 0, k ? CALLGRIND_KEPT : 0 },
		};
		struct error why = ERROR_INIT;
		uint64_t now = clock_now_ns(), took = now - last_began;

		if (k && (now > began + (k < EXECUTIONS_LEAST ? PATIENCE : 1) * LONG_NS || took > left_ns(turn)))
			break;
		last_began = now;
		if (execute_counted(&counting, &tool_python, NULL, &why) < 0) {
			if (k && why.kind != ERR_INTERRUPTED)
				break;
			return error_copy(err, &why);
		}
		for (unsigned i = 0; i < turn->n; i++)
			if (k)
				python_least(&turn->found[i].work, &counting.works[i]);
			else
				keep_work(&counting, i);
	}
	if (turn->n == 2) {
		struct evidence *base = &turn->search->found[0], *head = &turn->search->found[1];

		python_settle(&base->work, &base->own, &head->work, &head->own);
	}
	return 0;
}

/* If the processes are unknown, looks at the program. */
static bool runs_python(const struct evidence *e)
{
	const struct strv *programs = &e->system_calls.programs;
	const char *program = e->own.program;
	struct elf_file elf;

	for (size_t i = 0; i < programs->n; i++)
		if (text_starts(path_name(programs->items[i]), "python"))
			return true;
	if (programs->n || !program)
		return false;
	if (elf_read(program, &elf))
		return text_starts(path_name(program), "python");
	return program_language(program) == LANGUAGE_PYTHON;
}

static bool has_own(const struct work *work)
{
	for (size_t i = 0; i < work->n_functions; i++)
		if (work->functions[i].code.own)
			return true;
	return false;
}

static bool run_python(const struct turn *turn)
{
	return runs_python(&turn->found[0]) && runs_python(&turn->found[turn->n - 1]);
}

static bool wants_work(const struct turn *turn)
{
	return !is_service(turn);
}

/* Counts functions of Python programs that have their own; else instructions. */
static int count_calls(const struct turn *turn, struct error *err)
{
	struct evidence *const sides[] = { &turn->found[0], &turn->found[turn->n - 1] };

	if (run_python(turn)) {
		if (count_python(turn, err) < 0)
			return -1;
		if (has_own(&sides[0]->work) && has_own(&sides[turn->n - 1]->work))
			return 0;
		for (unsigned i = 0; i < turn->n; i++)
			work_release(&sides[i]->work);
	}
	if (have_own_binary(turn))
		return count_work(turn, err);
	return error_set(err, ERR_SYSTEM, engine_of(sides[0]) ? "the code is made while it runs" : "no program of the project's own is run");
}

/* -------- counting allocations, for commands */

/* Extra allocations that do not count: programs make them for output and start-up. */
enum { ALLOCATIONS_ROSE = 16 };

static double allocations_of(const struct work *work)
{
	double calls = 0;

	for (size_t i = 0; i < work->n_functions; i++)
		if (!work->functions[i].code.own &&
		    TEXT_IS(work->functions[i].code.key, "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"))
			calls += work->functions[i].calls;
	return calls;
}

static bool wants_heap(const struct turn *turn)
{
	const struct evidence_search *s = turn->search;
	const struct work *base = &s->found[0].work, *head = &s->found[1].work;
	double before = allocations_of(base), now = allocations_of(head);

	if (is_service(turn) || turn->n < 2 || base->timed || head->timed || !have_own_binary(turn))
		return false;
	if (rose(s, METRIC(ALLOCATIONS), 0) || rose(s, METRIC(TEMPORARY_ALLOCATIONS), 0) || rose(s, METRIC(HEAP_PEAK), 0) ||
	    rose(s, METRIC(HEAP_LEAKED), 0) || rose(s, METRIC(PAGE_FAULTS), FAULTS_ROSE) || rose(s, METRIC(MAX_RSS), RSS_ROSE))
		return true;
	return !head->per && now > before + ALLOCATIONS_ROSE && now > ROSE * before;
}

enum { FOLDED_LARGEST = 64 << 20 };

static int read_folded(const char *dir, const char *name, const struct work *work, struct stacks *out, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (file_read(path, FOLDED_LARGEST, &text, err) < 0)
		return -1;
	/* A target that allocates nothing leaves an empty file. */
	return text.len ? heap_folded_read(text.buf, text.len, work, out, err) : 0;
}

static int read_heap(const char *dir, struct evidence *out, struct error *err)
{
	if (read_folded(dir, "heap.folded", &out->work, &out->allocations, err) < 0)
		return -1;
	return read_folded(dir, "heap-peak.folded", &out->work, &out->heap_peak, err);
}

/* True if the scenario's profile counted the allocations already. */
static bool has_heap(const struct system *system, const struct side_result *counted)
{
	CLEANUP(free_ptr) char *path = file_join(system->log_dir, "heap.folded");

	return side_result_count(counted, METRIC(ALLOCATIONS)) && file_exists(path);
}

static int count_heap_of(const struct turn *turn, unsigned i, struct error *err)
{
	struct system *system = turn->systems[i];
	CLEANUP(free_ptr) char *dir = file_join(system->session->scratch, "heap");
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	const struct heap_wish wish = { .keep = dir, .limit_ns = turn->limit_ns / turn->n };
	struct evidence *e = &turn->found[i];
	struct heap_use use = { 0 };
	struct target_spec spec;
	int ret;

	if (has_heap(system, turn->sides[i].result)) {
		e->temporary = side_result_median(turn->sides[i].result, METRIC(TEMPORARY_ALLOCATIONS));
		return read_heap(system->log_dir, e, err);
	}
	if (file_make_dirs(dir, err) < 0 || system_specs(&system, 1, &spec, err) < 0)
		return -1;
	ret = heaptrack_run(system->session, &spec, &wish, &use, &output, err);
	if (ret == 0)
		ret = read_heap(dir, e, err);
	e->temporary = ret == 0 ? use.temporary : 0;
	file_remove_tree(dir, NULL);
	return ret;
}

static int count_heap(const struct turn *turn, struct error *err)
{
	for (unsigned i = 0; i < turn->n; i++)
		if (count_heap_of(turn, i, err) < 0)
			return -1;
	return 0;
}

/* -------- gaps in the evidence */

static void note_engine(struct evidence *e)
{
	const char *engine = engine_of(e);

	if (!engine || e->missing[STEP_CPU] || !e->cpu.n || stacks_jitted(&e->cpu))
		return;
	LACK(e, STEP_CPU, !strcmp(engine, "java") ?
	     "functions in Java have no names here: Java 17 or newer tells them, where its program ends by itself" :
	     "functions in JavaScript have no names here: Node tells them by --perf-basic-prof, which NODE_OPTIONS did not bring to it");
}

/* Notes what the program's own symbols lack. Programs of the system are skipped: packages have their symbols. */
static void note_names(struct evidence *e)
{
	struct own_code built = e->own;
	struct elf_file elf;
	const char *name;

	built.program = NULL;
	if (!e->own.program || !own_code_has(&built, e->own.program) || !elf_read(e->own.program, &elf))
		return;
	e->code_bytes = elf.code_bytes;
	name = path_name(e->own.program);
	if (elf.elsewhere || (elf.symbols && elf.lines))
		return;
	LACK(e, STEP_NAMES, elf.symbols ?
	     "%s has no debug information: functions are found by their names alone, and what was inlined counts as its caller's; build "
	     "it with -g" :
	     "%s has no symbols (it is stripped): its functions have no names, and no changed line is found in it; build what is measured "
	     "with -g, without -s and strip", name);
}

/* Those of scripts and just-in-time code end in the engine. */
#define CHAINS_LEAST 0.5

static void note_chains(struct evidence *e, enum tier tier)
{
	double whole = stacks_whole(&e->cpu, 0);

	if (!e->cpu.n || e->missing[STEP_CPU])
		return;
	if (whole < CHAINS_LEAST && e->code_bytes)
		LACK(e, STEP_CPU, "less than half of the samples have a whole call path, so that what libraries and the kernel cost may be "
		     "nobody's: build with -g or -fno-omit-frame-pointer, libraries too");
	else if (tier == TIER_HW_USER || tier == TIER_SW_USER)
		LACK(e, STEP_CPU, "what the kernel does for the program is in no sample here: `sudo sysctl kernel.perf_event_paranoid=1`");
}

/* Uses both sides' profiles if one side has no samples with complete call paths. */
static void use_profiles(struct evidence_search *s)
{
	if ((s->found[0].cpu.n && s->found[1].cpu.n) || !s->sides[0].recorded.stacks.n || !s->sides[1].recorded.stacks.n)
		return;
	for (unsigned i = 0; i < 2; i++) {
		stacks_release(&s->found[i].cpu);
		s->found[i].cpu.run = s->sides[i].recorded.stacks.run;
		stacks_merge(&s->found[i].cpu, &s->sides[i].recorded.stacks, STACKS_EVERY_EVENT, KEEPER_NAME);
		names_resolve(&s->found[i].cpu);
	}
}

static void place_sampled(struct evidence *e)
{
	if (e->work.n_functions || !e->cpu.n)
		return;
	stacks_own_functions(&e->cpu, 0, &e->own, &e->work);
	places_find(&e->work, &e->own);
	disown_linked(e);
}

/* -------- all of it */

/* Counting work takes longest and is worth nothing in part, so it gets what is left. The heap needs its places. */
static const struct step steps[] = {
	{ STEP_SYSTEM_CALLS, "system calls could not be counted", 10, 15, false, wants_calls, .take_all = trace_commands,
	  .take_service = trace_service },
	{ STEP_CPU, "CPU time could not be sampled with its call paths", 15, 30, false, .take_side = sample },
	{ STEP_WAITS, "what threads wait for could not be recorded", 10, 35, false, wants_waits, .take_side = record_waits },
	{ STEP_FAULTS, "page faults could not be recorded", 5, 25, true, wants_faults, .take_side = sample },
	{ STEP_CALLERS, "who makes the system calls that grew is not known", 5, 8, true, wants_callers, .take_all = callers_of_commands,
	  .take_service = callers_of_service },
	{ STEP_WORK, "instructions could not be counted by function, so that samples alone tell costs", 45, 100, false,
	  wants_work, .take_all = count_calls },
	{ STEP_HEAP, "allocations could not be counted", 10, 30, true, wants_heap, .take_all = count_heap },
};

enum { ROWS = sizeof steps / sizeof steps[0] };

static double slowness(const struct evidence_search *s)
{
	const struct side_result *base = s->sides[0].result;
	double load = side_result_median(base, METRIC(WALL_TIME)) / side_result_median(base, METRIC(CPU_TIME)), average;

	/* Sides that run side by side have no wall time. */
	if (!(load > 0) && getloadavg(&average, 1) == 1)
		load = average / (double)sysconf(_SC_NPROCESSORS_ONLN);
	return fmax(load, 1);
}

static double runs_ns(const struct evidence_search *s)
{
	const struct side_result *base = s->sides[0].result;

	return BUDGET_RUNS * NS_PER_MS * side_result_median(base, side_result_count(base, METRIC(WALL_TIME)) ? METRIC(WALL_TIME) : METRIC(CPU_TIME));
}

static double quiet_ns(const struct evidence_search *s)
{
	return fmin(fmax(runs_ns(s), BUDGET_LEAST_NS), BUDGET_MOST_NS);
}

static uint64_t budget_ns(const struct evidence_search *s)
{
	return (uint64_t)fmin(fmax(runs_ns(s), BUDGET_LEAST_NS * slowness(s)), BUDGET_MOST_NS);
}

/* True if only a second cause needs step K, and less than half of the usual time is left. */
static bool is_spared(const struct evidence_search *s, size_t k, uint64_t left_ns)
{
	return steps[k].second && 2 * left_ns < quiet_ns(s);
}

static bool is_wanted(const struct turn *turn, size_t k)
{
	return !steps[k].wanted || steps[k].wanted(turn);
}

/* 0: other steps, or work between them, took too much. */
static uint64_t limit_of(const struct turn *turn, size_t k, uint64_t budget_ns, uint64_t until_ns)
{
	uint64_t now = clock_now_ns(), left = now < until_ns ? until_ns - now : 0, kept = 0, most = budget_ns * steps[k].most / 100;

	for (size_t i = k + 1; i < ROWS; i++)
		kept += is_wanted(turn, i) && !is_spared(turn->search, i, budget_ns) ? budget_ns * steps[i].least / 100 : 0;
	left = left > kept ? left - kept : 0;
	if (left < budget_ns * steps[k].least / 200)
		return 0;
	return left < most ? left : most;
}

static int take_step(const struct turn *turn, struct error *err)
{
	const struct step *step = turn->step;
	int (*all)(const struct turn *, struct error *) = is_service(turn) && step->take_service ? step->take_service : step->take_all;
	unsigned at_once = step->take_side ? 1 : turn->n;

	for (unsigned i = 0; i < turn->n; i += at_once) {
		struct error why = ERROR_INIT;

		if ((step->take_side ? step->take_side(turn, i, &why) : all(turn, &why)) < 0 && note_missing(turn, i, at_once, &why, err) < 0)
			return -1;
	}
	return 0;
}

static int skip(const struct turn *turn, uint64_t budget_ns, struct error *err)
{
	struct error why = ERROR_INIT;

	error_set(&why, ERR_SYSTEM, "the %s for the search for a cause were over%s", format_duration(budget_ns).s,
		  is_service(turn) ? "; a larger --budget gives it more" : LESS_WORK);
	return note_missing(turn, 0, turn->n, &why, err);
}

static int take(void *ctx, struct system *const systems[], unsigned n, struct error *err)
{
	struct evidence_search *s = ctx;
	unsigned first = systems[0] == &s->sides[1].system;
	struct turn turn = { .search = s, .systems = systems, .n = n, .sides = &s->sides[first], .found = &s->found[first] };
	/* A side on its own has half of it, and leaves as much to a side that follows. */
	uint64_t now = clock_now_ns(), wanted = budget_ns(s) * n / 2;
	uint64_t most = (s->until_ns > now ? s->until_ns - now : 0) / (is_first_of_two(&turn) ? 2 : 1);
	uint64_t budget = most < wanted ? most : wanted, until = now + budget, left;

	for (size_t k = 0; k < ROWS; k++) {
		enum evidence_step id = steps[k].id;

		turn.step = &steps[k];
		turn.began_ns = clock_now_ns();
		turn.limit_ns = 0;
		if (!is_wanted(&turn, k))
			continue;
		/* A head shows nothing without its base's evidence, unless the base has next to no page faults. */
		if (id != STEP_FAULTS && s->failed & 1u << id) {
			LACK(turn.found, id, "%s", s->found[0].missing[id] ?: steps[k].without);
			continue;
		}
		/* A step on a service takes the windows it needs, if there is time to begin it. */
		left = is_service(&turn) ? turn.began_ns < until : is_spared(s, k, budget) ? 0 : limit_of(&turn, k, budget, until);
		if (!is_service(&turn))
			turn.limit_ns = left;
		if (!left ? skip(&turn, budget, err) < 0 : take_step(&turn, err) < 0)
			return -1;
	}
	for (unsigned i = 0; i < n; i++) {
		note_engine(&turn.found[i]);
		note_names(&turn.found[i]);
		note_chains(&turn.found[i], systems[i]->session->machine.tier);
	}
	if (is_first_of_two(&turn))
		return 0;
	use_profiles(s);
	for (unsigned i = 0; i < 2; i++) {
		place_sampled(&s->found[i]);
		places_of_changes(&s->changes, (int)i, &s->found[i].work, &s->found[i].own);
	}
	return 0;
}

/* Returns the program behind a shell and wrappers, or an interpreter's script; for free(). NULL: none is found. */
static char *measured_program(const struct plan *plan)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	const struct strv *argv = &plan->target;

	if (argv->n == 3 && text_ends(argv->items[0], strlen(argv->items[0]), "sh") && !strcmp(argv->items[1], "-c")) {
		programs_words(argv->items[2], &words);
		argv = &words;
	}
	for (size_t i = 0; i < argv->n; i++) {
		CLEANUP(free_ptr) char *path = program_find(plan, argv->items[i]), *script = NULL;

		for (size_t k = i + 1; path && !path_below(path, plan->root) && k < argv->n && !script; k++)
			script = program_script(plan, argv->items[k]);
		if (path)
			return take_ptr(script ? &script : &path);
	}
	return NULL;
}

static void read_words(const struct command *command, struct evidence *e)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT;
	struct strv *arguments = arena_alloc(&e->arena, sizeof *arguments), *environment = arena_alloc(&e->arena, sizeof *environment);
	bool program = false;

	*arguments = *environment = (struct strv)STRV_INIT;
	if (command->shell && command->argv.n == 3)
		programs_words(command->argv.items[2], &words);
	else
		strv_copy(&words, &command->argv);
	for (size_t i = 0; i < words.n; i++) {
		const char *word = words.items[i];

		if (program)
			arena_push(&e->arena, arguments, word);
		else if (command->shell && strchr(word, '='))
			arena_push(&e->arena, environment, word);
		else
			program = strcmp(word, "exec") != 0;
	}
	e->arguments = arguments;
	e->environment = environment;
}

void evidence_begin(struct evidence_search *s, struct measured_side *sides, const struct tree_map *maps)
{
	*s = (struct evidence_search){ .sides = sides };
	for (unsigned i = 0; i < 2; i++) {
		struct evidence *e = &s->found[i];

		e->own = (struct own_code){
			.root = arena_strdup(&e->arena, maps[i].own), .program = arena_take(&e->arena, measured_program(&sides[i].plan)),
			.patterns = &sides[i].scenario->profile.own,
		};
		e->tmp = arena_strdup(&e->arena, sides[i].tmp);
		/* A shared scenario gives both sides the same. */
		if (sides[0].scenario != sides[1].scenario)
			read_words(&sides[i].scenario->target, e);
		sides[i].system.evidence = (struct evidence_wish){ .take = take, .ctx = s };
	}
}

void evidence_end(struct evidence_search *s)
{
	for (unsigned i = 0; i < 2; i++)
		evidence_release(&s->found[i]);
	changes_release(&s->changes);
}
