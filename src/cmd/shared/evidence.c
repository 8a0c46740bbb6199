#include "cmd/shared/shared.h"

#include <string.h>

#include "base/mem.h"
#include "judge/judge.h"
#include "measure/perf/perf.h"
#include "measure/run/run.h"
#include "profile/evidence.h"

/*
 * Evidence for the search for a cause, taken of both sides while their environments stand. What one tool cannot tell is said,
 * and the others go on.
 */

/* Faults and waiting are looked at where they rose by so much: a part of the base's, and in all. */
#define ROSE 1.02
enum { FAULTS_ROSE = 50, RSS_ROSE = 256 << 10 };
#define WAITED_MS 1.0

/* The side that SYSTEM is of. */
static struct evidence *found_of(struct evidence_search *s, const struct system *system)
{
	return &s->found[system == &s->sides[1].system];
}

static const struct measured_side *side_of(const struct evidence_search *s, const struct system *system)
{
	return &s->sides[system == &s->sides[1].system];
}

/* WHAT could not be had. -1: it was interrupted. */
static int note_missing(struct evidence *e, const char **out, const char *what, const struct error *why, struct error *err)
{
	if (why->kind == ERR_INTERRUPTED) {
		*err = *why;
		return -1;
	}
	*out = arena_printf(&e->arena, "%s: %s", what, why->msg);
	return 0;
}

/* -------- what is sampled */

static int sample(struct evidence_search *s, struct system *system, bool faults, struct error *err)
{
	struct evidence *e = found_of(s, system);
	const struct side_result *counted = side_of(s, system)->result;
	enum tier tier = system->session->machine.tier;
	struct error why = ERROR_INIT;
	struct record_wish wish;

	if (!(faults ? record_faults : record_cpu)(tier, counted, &wish)) {
		*(faults ? &e->no_faults : &e->no_cpu) = "nothing was sampled: perf is not used here";
		return 0;
	}
	if (sampled_take(system, wish, faults ? &e->faults : &e->cpu, &why) == 0)
		return 0;
	return faults ? note_missing(e, &e->no_faults, "page faults could not be recorded", &why, err) :
			note_missing(e, &e->no_cpu, "CPU time could not be sampled with its call paths", &why, err);
}

/* What strace tells of waiting is not used beside it: a traced program waits for the tracer, too. */
static int take_waits(struct evidence_search *s, struct system *system, struct error *err)
{
	struct evidence *e = found_of(s, system);
	struct stacks waits = STACKS_INIT;
	struct error why = ERROR_INIT;

	if (sampled_waits(system, side_of(s, system)->result, &e->own, 0, &waits, &e->offcpu, &why) < 0)
		return note_missing(e, &e->no_waits, "what threads wait for could not be recorded", &why, err);
	stacks_release(&e->waits);
	e->waits = waits;
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

/* The engine of code that is made while it runs which was started, none of the project's own programs beside it; NULL: none. */
static const char *engine_of(const struct evidence *e)
{
	static const char *const engines[] = { "node", "java" };
	struct own_code built = e->own;
	const char *found = NULL;

	built.program = NULL;
	for (size_t k = 0; k < e->system_calls.programs.n; k++) {
		const char *program = e->system_calls.programs.items[k];
		struct elf_file elf;

		if (own_code_has(&built, program) && file_elf(program, &elf))
			return NULL;
		for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
			if (!strcmp(path_name(program), engines[i]))
				found = engines[i];
	}
	return found;
}

/* -------- what is traced, of commands */

/* Tracers make a target many times slower: what is not over by then is done without. */
#define TRACED_LONGEST_NS (60 * NS_PER_S)
/* Some 50,000 system calls are seen in it: of more, the first tell enough. */
#define CALLS_LONGEST_NS (8 * NS_PER_S)

static int trace_calls(struct evidence_search *s, struct system *const systems[], unsigned n, struct error *err)
{
	const struct strace_wish wish = { .limit_ns = CALLS_LONGEST_NS };
	struct strace_text texts[2] = { { .text = STRBUF_INIT }, { .text = STRBUF_INIT } };
	struct target_spec specs[2];
	struct error why = ERROR_INIT;
	int ret, noted = 0;

	ret = system_specs(systems, n, specs, &why);
	if (ret == 0)
		ret = strace_run(systems[0]->session, specs, n, &wish, texts, &why);
	for (unsigned i = 0; i < n && noted == 0; i++) {
		struct evidence *e = found_of(s, systems[i]);

		if (ret < 0 || strace_read(texts[i].text.buf, texts[i].text.len, &e->system_calls, &why) < 0)
			noted = note_missing(e, &e->no_system_calls, "system calls could not be counted", &why, err);
		else if ((e->system_calls.cut = texts[i].cut))
			e->no_system_calls = "system calls were counted for 8 s, not to the end of the program";
		if (e->system_calls.n)
			loaded_identify(e, systems[i]->env.plan->cwd);
		/* What an engine does is its own only for whom it is the project. */
		if (engine_of(e))
			e->own.program = NULL;
	}
	for (unsigned i = 0; i < n; i++)
		strbuf_release(&texts[i].text);
	return noted;
}

/* Who makes those that grew; needs the calls of both sides. */
static int trace_callers(struct evidence_search *s, struct system *const systems[], struct error *err)
{
	struct target_spec specs[2];
	struct error why = ERROR_INIT;

	if (system_specs(systems, 2, specs, &why) == 0 &&
	    callers_take(systems[0]->session, specs, &s->found[0], &s->found[1], &why) == 0)
		return 0;
	return note_missing(&s->found[1], &s->found[1].no_waits, "who makes the system calls that grew is not known", &why, err);
}

static int trace_service(struct evidence_search *s, struct system *system, struct error *err)
{
	struct evidence *e = found_of(s, system), *other = &s->found[e == &s->found[0]];
	struct error why = ERROR_INIT;

	/* Of one side alone nothing can be said, and the base's comes first. */
	if (e == &s->found[1] && !other->system_calls.n)
		return 0;
	if (service_calls_take(system, &e->system_calls, &why) < 0)
		return note_missing(e, &e->no_system_calls, "system calls could not be counted", &why, err);
	if (service_callers_take(system, e, other, &why) < 0)
		return note_missing(e, &e->no_waits, "who makes the system calls that grew is not known", &why, err);
	return 0;
}

struct work_reading {
	struct evidence_search *search;
	struct system *const *systems;
};

static int feed_work(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	const struct work_reading *r = ctx;
	struct evidence *e = found_of(r->search, r->systems[side]);

	return callgrind_read(text, len, &e->own, &e->work, err);
}

static bool is_plain_name(const char *name)
{
	return *name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

/* Of a program that is linked statically the C library is part: what no source of the project defines. */
static void disown_linked(struct evidence *e)
{
	struct strv *linked = arena_alloc(&e->arena, sizeof *linked);
	bool known = false;

	*linked = (struct strv)STRV_INIT;
	if (!e->own.program || !file_is_static(e->own.program))
		return;
	for (size_t i = 0; i < e->work.n_functions; i++)
		known |= e->work.functions[i].code.source && !strcmp(e->work.functions[i].code.key, "main");
	for (size_t i = 0; known && i < e->work.n_functions; i++) {
		struct code *code = &e->work.functions[i].code;

		if (!code->own || code->source || !is_plain_name(code->key) || strcmp(code->object, e->own.program))
			continue;
		code->own = false;
		arena_push(&e->arena, linked, code->key);
	}
	e->own.linked = linked;
}

/* Valgrind takes a fifth of a second for each process: of what is started so often, samples tell enough. */
enum { HELPERS_LEAST = 8 };

/* The option by which valgrind leaves out what either side merely starts; "": there is nothing of that. */
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
		sides[i]->no_work = arena_printf(&sides[i]->arena, "instructions of %s are not counted, which %s started many times: samples "
						 "tell what that costs", names.buf, helpers.n > 1 ? "are" : "is");
	}
}

static int count_work(struct evidence_search *s, struct system *const systems[], unsigned n, struct error *err)
{
	struct evidence *const sides[] = { found_of(s, systems[0]), found_of(s, systems[n - 1]) };
	CLEANUP(strbuf_release) struct strbuf helpers = STRBUF_INIT;
	struct work_reading reading = { s, systems };
	struct tool callgrind = tool_callgrind;
	struct target_spec specs[2];
	struct outcome outcomes[2] = { { 0 }, { 0 } };
	struct error why = ERROR_INIT;
	int noted = 0;

	leave_out_helpers(sides, n, &helpers);
	callgrind.extra = helpers.len ? helpers.buf : NULL;
	if (system_specs(systems, n, specs, &why) == 0 &&
	    traced_run(systems[0]->session, &callgrind, specs, outcomes, n, TRACED_LONGEST_NS, feed_work, &reading, &why) == 0) {
		for (unsigned i = 0; i < n; i++) {
			struct evidence *e = found_of(s, systems[i]);

			places_find(&e->work, e->own.root);
			disown_linked(e);
		}
		return 0;
	}
	for (unsigned i = 0; i < n && noted == 0; i++) {
		struct evidence *e = found_of(s, systems[i]);

		/* Half of what was executed is worse than nothing. */
		work_release(&e->work);
		noted = note_missing(e, &e->no_work, "instructions could not be counted by function, so that samples alone tell costs", &why, err);
	}
	return noted;
}

/* A process of Python was started; where nobody knows what was, the program itself is one, or its script. */
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
	if (file_elf(program, &elf))
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

static int note_missing_of(struct evidence *const sides[], unsigned n, const char *what, const struct error *why, struct error *err)
{
	int noted = 0;

	for (unsigned i = 0; i < n && noted == 0; i++)
		noted = note_missing(sides[i], &sides[i]->no_work, what, why, err);
	return noted;
}

/* Of programs in Python its functions; of others, and where these cannot be told, instructions. */
static int count_calls(struct evidence_search *s, struct system *const systems[], unsigned n, struct error *err)
{
	struct evidence *sides[2] = { NULL };
	struct error why = ERROR_INIT;
	bool python = true, own = true;

	for (unsigned i = 0; i < n; i++) {
		sides[i] = found_of(s, systems[i]);
		python = python && runs_python(sides[i]);
	}
	if (!python && engine_of(sides[0])) {
		for (unsigned i = 0; i < n; i++)
			sides[i]->no_work = "instructions are not counted by function of code that is made while it runs: samples alone tell costs";
		return 0;
	}
	if (!python)
		return count_work(s, systems, n, err);
	if (python_take(systems, n, TRACED_LONGEST_NS / 4, sides, &why) < 0)
		return note_missing_of(sides, n, "calls in Python could not be counted", &why, err);
	for (unsigned i = 0; i < n; i++)
		own = own && has_own(&sides[i]->work);
	if (own)
		return 0;
	for (unsigned i = 0; i < n; i++)
		work_release(&sides[i]->work);
	return count_work(s, systems, n, err);
}

/* Allocations that a program makes in any case, for its output and its start. */
enum { ALLOCATIONS_ROSE = 16 };
#define HEAP_LONGEST_NS (10 * NS_PER_S)

static double allocations_of(const struct work *work)
{
	static const char *const names[] = { "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign" };
	double calls = 0;

	for (size_t i = 0; i < work->n_functions; i++)
		for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
			if (!work->functions[i].code.own && !strcmp(work->functions[i].code.key, names[k]))
				calls += work->functions[i].calls;
	return calls;
}

/* Memory rose, or what was counted already calls malloc more often. */
static bool wants_heap(const struct evidence_search *s)
{
	const struct work *base = &s->found[0].work, *head = &s->found[1].work;
	double before = allocations_of(base), now = allocations_of(head);

	if (base->timed || head->timed)
		return false;
	if (rose(s, METRIC(ALLOCATIONS), 0) || rose(s, METRIC(TEMPORARY_ALLOCATIONS), 0) || rose(s, METRIC(HEAP_PEAK), 0) ||
	    rose(s, METRIC(HEAP_LEAKED), 0) || rose(s, METRIC(PAGE_FAULTS), FAULTS_ROSE) || rose(s, METRIC(MAX_RSS), RSS_ROSE))
		return true;
	return now > before + ALLOCATIONS_ROSE && now > ROSE * before;
}

static int count_heap(struct evidence_search *s, struct system *const systems[], unsigned n, struct error *err)
{
	for (unsigned i = 0; i < n; i++) {
		struct evidence *e = found_of(s, systems[i]);
		struct error why = ERROR_INIT;

		if (heap_take(systems[i], side_of(s, systems[i])->result, HEAP_LONGEST_NS, e, &why) == 0)
			continue;
		/* Of one side alone nothing can be said. */
		return note_missing(e, &e->no_heap, "allocations could not be counted", &why, err);
	}
	return 0;
}

/* Where it tells no name although it was asked to. */
static void note_engine(struct evidence *e)
{
	const char *engine = engine_of(e);

	if (!engine || e->no_cpu || !e->cpu.n || stacks_jitted(&e->cpu))
		return;
	e->no_cpu = !strcmp(engine, "java") ?
		"functions in Java have no names here: Java 17 or newer tells them, where its program ends by itself" :
		"functions in JavaScript have no names here: Node tells them by --perf-basic-prof, which NODE_OPTIONS did not bring to it";
}

/* What the program itself does not tell; what belongs to the system has packages for that. */
static void note_names(struct evidence *e)
{
	struct own_code built = e->own;
	struct elf_file elf;
	const char *name;

	built.program = NULL;
	if (!e->own.program || !own_code_has(&built, e->own.program) || !file_elf(e->own.program, &elf))
		return;
	e->code_bytes = elf.code_bytes;
	name = path_name(e->own.program);
	if (elf.elsewhere || (elf.symbols && elf.lines))
		return;
	e->no_names = elf.symbols ?
		arena_printf(&e->arena, "%s has no debug information: functions are found by their names alone, and what was inlined counts "
			     "as its caller's; build it with -g", name) :
		arena_printf(&e->arena, "%s has no symbols (it is stripped): its functions have no names, and no changed line is found in it; "
			     "build what is measured with -g, without -s and strip", name);
}

/* Chains that reach the program's start at all; of scripts and of code made at run time they end in the engine. */
#define CHAINS_LEAST 0.5

static void note_chains(struct evidence *e, enum tier tier)
{
	double whole = stacks_whole(&e->cpu, 0);

	if (!e->cpu.n || e->no_cpu)
		return;
	if (whole < CHAINS_LEAST && e->code_bytes)
		e->no_cpu = "less than half of the samples have a whole call path, so that what libraries and the kernel cost may be nobody's: "
			    "build with -g or -fno-omit-frame-pointer, libraries too";
	else if (tier == TIER_HW_USER || tier == TIER_SW_USER)
		e->no_cpu = "what the kernel does for the program is in no sample here: `sudo sysctl kernel.perf_event_paranoid=1`";
}

static void note_side(struct evidence_search *s, struct system *system)
{
	struct evidence *e = found_of(s, system);

	note_engine(e);
	note_names(e);
	note_chains(e, system->session->machine.tier);
	/* Samples know functions without their places. */
	if (!e->work.n_functions && e->cpu.n) {
		stacks_own_functions(&e->cpu, 0, &e->own, &e->work);
		places_find(&e->work, e->own.root);
		disown_linked(e);
	}
}

/* -------- all of it */

static int take(void *ctx, struct system *const systems[], unsigned n, struct error *err)
{
	struct evidence_search *s = ctx;

	if (plan_attaches(systems[0]->env.plan) && trace_service(s, systems[0], err) < 0)
		return -1;
	if (!plan_attaches(systems[0]->env.plan) &&
	    (trace_calls(s, systems, n, err) < 0 || (n == 2 && trace_callers(s, systems, err) < 0) || count_calls(s, systems, n, err) < 0))
		return -1;
	if (!plan_attaches(systems[0]->env.plan) && n == 2 && wants_heap(s) && count_heap(s, systems, n, err) < 0)
		return -1;
	for (unsigned i = 0; i < n; i++)
		if (sample(s, systems[i], false, err) < 0)
			return -1;
	for (unsigned i = 0; i < n; i++)
		note_side(s, systems[i]);
	for (unsigned i = 0; i < n && rose(s, METRIC(WALL_TIME), WAITED_MS); i++)
		if (take_waits(s, systems[i], err) < 0)
			return -1;
	for (unsigned i = 0; i < n && (rose(s, METRIC(PAGE_FAULTS), FAULTS_ROSE) || rose(s, METRIC(RSS_GROWTH), RSS_ROSE)); i++)
		if (sample(s, systems[i], true, err) < 0)
			return -1;
	return 0;
}

/* The program that a command runs, behind a shell and what is put before it; of an interpreter the project's script. */
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

/* What a command line sets and gives, without the program that it names. */
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
		/* One scenario gives both sides the same. */
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
