/* Causes: the responsible function, the kind of cost, and the changed line. */
#include "unit.h"

#include <fnmatch.h>

#include "cause/cause.h"
#include "cause/evidence.h"
#include "cause/readers/heap.h"
#include "cause/readers/offcpu.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/prefix.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "pair_samples.h"

static const struct own_code own = { .root = "/p" };

/* -------- One comparison in pairs: what it measured, the evidence of both sides, and what the change touches. */

struct trial {
	struct fixture f;
	struct evidence side[2];	/* base, head */
	struct change changed[2];
	struct changes changes;		/* known after touch(); no items: none given */
	const struct metric *benchmark;	/* and its iterations in each run for the cause */
	unsigned iterations;
};

static struct trial trial_new(void)
{
	return (struct trial){ .f = fixture_in_pairs(NULL), .side = { { .own = own }, { .own = own } } };
}

static void trial_release(struct trial *t)
{
	for (size_t i = 0; i < 2; i++) {
		evidence_release(&t->side[i]);
		strv_release(&t->changed[i].now);
		strv_release(&t->changed[i].words);
	}
	fixture_release(&t->f);
}

static void took(struct trial *t, const char *metric, double base, double head)
{
	measure_pairs(&t->f, metric, &(struct pair_values){ base, head / base, 0.001, 20 });
}

/* METRIC and, unless NULL, ANOTHER have gates. */
static void judge_trial(struct trial *t, const char *metric, const char *another)
{
	add_pair_gate(&t->f, metric);
	if (another)
		add_pair_gate(&t->f, another);
	t->f.s.pairing.ended = true;
	judge_in_pairs(&t->f);
}

/* The base takes 100 ms. */
static struct trial trial_of(double head_ms)
{
	struct trial t = trial_new();

	took(&t, "task-clock", 100, head_ms);
	judge_trial(&t, "task-clock", NULL);
	return t;
}

/* The change touches FUNCTION, or NULL: no function, in LINE of PATH. NOW: its new text, WORD: of it, or NULL. */
static struct change *touch(struct trial *t, const char *path, const char *function, unsigned line, const char *now, const char *word)
{
	struct change *change = &t->changed[t->changes.n++];

	*change = (struct change){ .path = path, .base_path = path, .function = function, .line = line, .n_lines = 1 };
	if (now)
		strv_push(&change->now, now);
	if (word)
		strv_push(&change->words, word);
	t->changes.items = t->changed;
	t->changes.known = true;
	return change;
}

/* Both of FUNCTIONS, of which the second or both may be NULL, in line 5 of prog.c. */
static void touch_both(struct trial *t, const char *const functions[2])
{
	t->changes.items = t->changed;
	t->changes.known = true;
	for (size_t i = 0; i < 2 && functions[i]; i++)
		touch(t, "prog.c", functions[i], 5, NULL, NULL);
}

/* Returns the first cause, or NULL. */
static const struct cause *find(struct trial *t)
{
	causes_find(&t->f.s, &t->f.base, &(struct cause_input){ .base = &t->side[0], .head = &t->side[1],
							       .changes = t->changes.items ? &t->changes : NULL,
							       .benchmark = t->benchmark, .iterations = t->iterations });
	return t->f.s.n_causes ? &t->f.s.causes[0] : NULL;
}

/* FUNCTION, NULL: any. SENTENCE: a pattern of fnmatch(). KIND is CAUSE_KINDS: there is no cause. */
static void assert_cause(const char *name, const struct cause *c, enum cause_kind kind, const char *function, const char *sentence)
{
	if ((kind == CAUSE_KINDS) != !c)
		fail_msg("%s: %s", name, c ? c->sentence : "no cause");
	if (c && (c->kind != kind || (function && (!c->function || strcmp(c->function, function))) || fnmatch(sentence, c->sentence, FNM_NOESCAPE)))
		fail_msg("%s: expected %s, %s\nfound %s, %s: %s", name, cause_kind_names[kind], sentence, cause_kind_names[c->kind],
			 c->function ?: "no function", c->sentence);
}

/* There is one cause. */
static void assert_only(const char *name, struct trial *t, enum cause_kind kind, const char *function, const char *sentence)
{
	const struct cause *c = find(t);

	if (t->f.s.n_causes != 1)
		fail_msg("%s: %zu causes", name, t->f.s.n_causes);
	assert_cause(name, c, kind, function, sentence);
}

/* -------- evidence */

#define OF_LIBC "cob=(2) /usr/lib/libc.so.6\n"

/* Reads callgrind's output, from the functions of OBJECT on: a program's, or /p/prog of prog.c. */
__attribute__((format(printf, 3, 4))) static void count(struct evidence *e, const char *object, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	va_list args;

	strbuf_addf(&text, "# callgrind format\npositions: line\nevents: Ir\nob=(1) %s\nfl=(1) /p/prog.c\n", object ?: "/p/prog");
	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	MUST(callgrind_read(text.buf, text.len, &own, &e->work, &err));
}

/*
 * Instructions of a program whose main() calls find and load; find calls strcmp, load calls malloc (both libc) and, in
 * some, fill. 0: as in the base, whose 1,000,000 instructions take 100 ms.
 */
struct program {
	unsigned finds, find, strcmps, strcmp, load, mallocs, malloc;
	unsigned fills, fill;	/* not in the base */
	unsigned copied;	/* of line 41, inlined in main and in load */
};

static void count_program(struct evidence *e, const struct program *p)
{
	unsigned find = p->find ?: 190000, strcmp = p->strcmp ?: 600000, load = p->load ?: 100000, malloc = p->malloc ?: 100000;
	CLEANUP(free_ptr) char *fills = p->fill ? text_printf("cob=(1)\ncfn=(6) fill\ncalls=%u 60\n44 %u\n\nfn=(6)\n60 %u\n",
							     p->fills, p->fill, p->fill) : xstrdup("");
	CLEANUP(free_ptr) char *copies = p->copied ? text_printf("41 %u\n", p->copied) : xstrdup("");

	count(e, NULL, "fn=(1) main\n10 10000\n%scfn=(2) find\ncalls=%u 20\n12 %u\ncfn=(3) load\ncalls=1 40\n14 %u\n\n"
		       "fn=(2)\n20 %u\n" OF_LIBC "cfn=(4) strcmp\ncalls=%u 1\n22 %u\n\n"
		       "fn=(3)\n40 %u\n%scob=(2)\ncfn=(5) malloc\ncalls=%u 1\n42 %u\n%s\n"
		       "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 %u\nfn=(5)\n1 %u\ntotals: %u\n",
	      copies, p->finds ?: 100, find + strcmp, load + p->copied + malloc + p->fill, find, p->strcmps ?: 6000, strcmp, load, copies,
	      p->mallocs ?: 1000, malloc, fills, strcmp, malloc, 10000 + 2 * p->copied + find + strcmp + load + malloc + p->fill);
}

/* HEAD against the base. */
static void count_both(struct trial *t, const struct program *head)
{
	count_program(&t->side[0], &(struct program){ 0 });
	count_program(&t->side[1], head);
}

static void add_sample(struct stacks *stacks, const char *function, const char *object, size_t n)
{
	uint32_t frame = stacks_frame_of(stacks, function, strlen(function), object);

	stacks_add(stacks, (struct stack_sample){ stacks_event(stacks, "cpu-clock", 9), 0, &frame, 1, n, (double)n });
}

/* Sets CALL as the only system call. */
static void set_call(struct system_calls *calls, struct system_call call)
{
	calls->items = arena_memdup(&calls->arena, &call, sizeof call);
	calls->n = calls->cap = 1;
}

/* The cost of a function itself or, with KERNEL, of that kernel function below it. */
struct seen {
	const char *function, *kernel;
	double ms[2];
};

enum { SEEN_MOST = 5 };

static void add_seen(struct stacks *stacks, const struct seen *seen, int side, double samples_per_ms)
{
	uint32_t frames[2] = { stacks_frame_of(stacks, seen->function, strlen(seen->function), "/p/prog") };

	if (seen->kernel)
		frames[1] = stacks_frame_of(stacks, seen->kernel, strlen(seen->kernel), "[kernel.kallsyms]");
	if (seen->ms[side] > 0)
		stacks_add(stacks, (struct stack_sample){ stacks_event(stacks, "cpu-clock", 9), 0, frames, seen->kernel ? 2 : 1, (size_t)(seen->ms[side] * samples_per_ms),
			   seen->ms[side] });
}

/* Adds one cost of both sides as samples. */
static void sample_both(struct trial *t, struct seen seen, double samples_per_ms)
{
	for (int side = 0; side < 2; side++) {
		add_seen(&t->side[side].cpu, &seen, side, samples_per_ms);
		names_resolve(&t->side[side].cpu);
	}
}

/*
 * Adds SEEN of both sides: as samples if SAMPLES_PER_MS is positive, and as instructions if COUNTED. 10,000
 * instructions take 1 ms.
 */
static void take_seen(struct trial *t, const struct seen *seen, double samples_per_ms, bool counted)
{
	for (int side = 0; side < 2; side++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		double total = 0;

		for (size_t i = 0; i < SEEN_MOST && seen[i].function; i++) {
			if (samples_per_ms > 0)
				add_seen(&t->side[side].cpu, &seen[i], side, samples_per_ms);
			if (seen[i].ms[side] > 0)
				strbuf_addf(&text, "fn=(%zu) %s\n%zu %.0f\n\n", i + 1, seen[i].function, 10 * i + 10, seen[i].ms[side] * 1e4);
			total += seen[i].ms[side] * 1e4;
		}
		if (counted)
			count(&t->side[side], NULL, "%stotals: %.0f\n", text.buf, total);
		names_resolve(&t->side[side].cpu);
	}
}

enum { SURE = 100 };	/* samples per ms */
#define UNSURE 0.4

/* -------- instructions */

#define MORE_ITSELF { .load = 300000 }
#define MORE_MALLOCS { .mallocs = 50000, .malloc = 1000000 }
#define MORE_FINDS { .finds = 200, .find = 380000, .strcmps = 12000, .strcmp = 1200000 }

TEST(the_function_and_its_kind_are_named)
{
	static const struct {
		const char *name;
		struct program head;
		double head_ms;
		const char *touched;
		enum cause_kind kind;	/* CAUSE_KINDS: no cause */
		const char *function, *sentence;
	} rows[] = {
		{ "a foreign function is called more often", { .strcmps = 18000, .strcmp = 1800000 }, 220, NULL, CAUSE_WORK, "find",
		  "find (prog.c:20) costs 120 ms more per run: it calls strcmp 3 times as often" },
		{ "an own function is called more often: it is its caller's", MORE_FINDS, 179, NULL, CAUSE_WORK, "main",
		  "main (prog.c:10) costs 79.0 ms more per run: it calls find 2 times as often" },
		{ "unless the change touches neither", MORE_FINDS, 179, "load", CAUSE_WORK, "find",
		  "find (prog.c:20) costs 79.0 ms more per run: it is called 2 times as often" },
		{ "memory is allocated more often", MORE_MALLOCS, 190, NULL, CAUSE_ALLOCATION, "load",
		  "load (prog.c:40) costs 90.0 ms more per run: it calls malloc 50,000 times instead of 1,000" },
		{ "an amount is at most the change", MORE_MALLOCS, 120, NULL, CAUSE_ALLOCATION, "load",
		  "load (prog.c:40) costs 20.0 ms more per run: it calls malloc 50,000 times instead of 1,000" },
		{ "its own code executes more", MORE_ITSELF, 120, NULL, CAUSE_WORK, "load",
		  "load (prog.c:40) costs 20.0 ms more per run: it executes 200 % more instructions itself" },
		{ "an own function is there for the first time, and did not change: it is its caller's",
		  { .load = 110000, .fills = 100, .fill = 500000 }, 151, NULL, CAUSE_WORK, "load",
		  "load (prog.c:40) costs 51.0 ms more per run: it calls fill 100 times, never before" },
		{ "the same, called once", { .load = 110000, .fills = 1, .fill = 500000 }, 151, NULL, CAUSE_WORK, "load",
		  "load (prog.c:40) costs 51.0 ms more per run: it calls fill once, never before" },
		{ "code that moved from its caller is no additional cost", { .load = 20000, .fills = 100, .fill = 280000 }, 120, "main", CAUSE_WORK,
		  "fill", "fill (prog.c:60) costs 20.0 ms more per run: it is no longer a part of load" },
		{ "inlined in its caller, too, it is told once", { .copied = 200000 }, 150, "load", CAUSE_WORK, "load", "*" },
		{ "nothing is executed that was not before", { 0 }, 120, NULL, CAUSE_KINDS, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(rows[i].head_ms);

		if (rows[i].touched)
			touch(&t, "prog.c", rows[i].touched, strcmp(rows[i].touched, "main") ? 41 : 11, "again();", NULL);
		if (rows[i].head.copied)
			t.changed[0].span = (struct line_span){ 39, 45 };
		count_both(&t, &rows[i].head);
		assert_cause(rows[i].name, find(&t), rows[i].kind, rows[i].function, rows[i].sentence);
		assert_true(t.f.s.n_causes < 2);
	}
}

/* Its measured runs take the same time on both sides. */
TEST(a_benchmark_s_iterations_are_the_change)
{
	CLEANUP(trial_release) struct trial t = trial_new();

	took(&t, "task-clock", 100, 99);
	took(&t, "user-time", 1, 2);
	judge_trial(&t, "user-time", NULL);
	count_both(&t, &(struct program){ .load = 500000 });
	t.benchmark = METRIC(USER_TIME);
	assert_null(find(&t));
	t.iterations = 40;
	assert_cause("40 iterations", find(&t), CAUSE_WORK, "load", "load (prog.c:40) costs 40.0 ms more per run*");
}

/* Missing evidence is reported all the same. */
TEST(what_did_not_regress_has_no_cause)
{
	CLEANUP(trial_release) struct trial t = trial_of(100.5);

	t.side[1].missing[STEP_WORK] = "instructions: valgrind is missing";
	count_program(&t.side[0], &(struct program){ 0 });
	assert_null(find(&t));
	assert_int_equal(t.f.s.evidence.n, 1);
}

/* Each row counts allocations, as heaptrack_print writes them. */
TEST(memory_that_rose_has_an_owner)
{
	static const struct { const char *base, *head, *changed, *function, *sentence; } rows[] = {
		{ "main (prog.c);find (prog.c); 100\nmain (prog.c);load (prog.c); 100\n",
		  "main (prog.c);find (prog.c); 100\nmain (prog.c);load (prog.c); 500\n", NULL, "load",
		  "load (prog.c:40) makes 400 allocations more per run" },
		{ "main (prog.c);find (prog.c);load (prog.c); 100\n", "main (prog.c);find (prog.c);load (prog.c); 500\n", "find", "find",
		  "find (prog.c:20) makes 400 allocations more per run" },
		{ "main (prog.c);find (prog.c); 100\n", "main (prog.c);find (prog.c); 500\nmain (prog.c);load (prog.c); 300\n", NULL, "find",
		  "find (prog.c:20) makes 400 allocations more per run, 57 % of the change" },
		/* Allocations outside the project's functions. */
		{ "start (libc.c); 100\n", "start (libc.c); 500\n", NULL, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_new();

		took(&t, "task-clock", 100, 100);
		add_pair_gate(&t.f, "allocations");
		t.f.s.gates[0].paired.verdict = t.f.s.gates[0].stored.verdict = VERDICT_REGRESSION;
		count_both(&t, &(struct program){ 0 });
		touch_both(&t, (const char *[]){ rows[i].changed, NULL });
		for (int side = 0; side < 2; side++) {
			const char *text = side ? rows[i].head : rows[i].base;
			struct evidence *e = &t.side[side];

			assert_int_equal(heap_folded_read(text, strlen(text), &e->work, &e->allocations, &(struct error)ERROR_INIT), 0);
		}
		assert_cause(rows[i].head, find(&t), rows[i].function ? CAUSE_ALLOCATION : CAUSE_KINDS, rows[i].function, rows[i].sentence);
		assert_true(t.f.s.n_causes < 2);
	}
}

/* find costs more than load, but the change touches load. */
TEST(what_the_change_touches_comes_first)
{
	CLEANUP(trial_release) struct trial t = trial_of(150);

	touch(&t, "prog.c", "load", 41, "again();", NULL);
	count_both(&t, &(struct program){ .find = 490000, .load = 300000 });
	find(&t);
	assert_int_equal(t.f.s.n_causes, 2);
	assert_string_equal(t.f.s.causes[0].function, "load");
	assert_string_equal(t.f.s.causes[0].changed, "prog.c:41: added: again()");
	assert_string_equal(t.f.s.causes[1].function, "find");
	assert_null(t.f.s.causes[1].changed);
}

/* If no time regressed, or time does not identify the function, the cost is given in instructions. */
TEST(instructions_alone_are_explained)
{
	static const struct { double head_ms; const char *sentence; } rows[] = {
		{ 100, "load (prog.c:40) costs 200 k instructions more per run: it executes 200 % more instructions itself" }, { 104, "*" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_new();

		took(&t, "task-clock", 100, rows[i].head_ms);
		took(&t, "instructions", 1e6, 1.2e6);
		judge_trial(&t, "task-clock", "instructions");
		count_both(&t, &(struct program)MORE_ITSELF);
		assert_only("instructions", &t, CAUSE_WORK, "load", rows[i].sentence);
		assert_true(i || t.f.s.causes[0].unit == UNIT_COUNT);
	}
}

/* The cost of other programs is attributed to the project function that starts them, if it starts more than before. */
#define SAID "load costs 99.5 ms more per run: it starts other programs, "

TEST(programs_that_are_started)
{
	static const struct { bool more, attached; double work; const char *words; } rows[] = {
		{ false, false, 0, NULL },
		{ true, false, 0, SAID "9 processes instead of 1" },
		{ true, true, 4, SAID "vfork is called 2 times per unit of work, never before" },
		{ true, true, 8, SAID "vfork is called once per unit of work, never before" },
		{ true, true, 0, SAID "vfork is called in 100 % of the system calls, never before" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(200);

		for (unsigned side = 0; side < 2; side++) {
			struct system_calls *calls = &t.side[side].system_calls;
			bool grown = side && rows[i].more;

			add_sample(&t.side[side].cpu, "load", "/p/prog", 2000);
			add_sample(&t.side[side].cpu, "main", "/usr/bin/dash", side ? 2000 : 10);
			names_resolve(&t.side[side].cpu);
			calls->processes = calls->threads = grown ? 9 : 1;
			calls->attached = rows[i].attached;
			calls->work = rows[i].work;
			set_call(calls, (struct system_call){ .name = "vfork", .calls = grown ? 8 : 0, .caller = "load", .caller_object = "/p/prog" });
		}
		assert_cause("programs", find(&t), rows[i].more ? CAUSE_SYSTEM_CALLS : CAUSE_KINDS, "load", rows[i].words);
		assert_true(t.f.s.n_causes < 2);
	}
}

/* A library that differs between the sides is itself the cause. For any other library, its caller is. */
TEST(a_library_that_is_another_one)
{
	static const struct { const char *library; enum cause_kind kind; const char *sentence; } rows[] = {
		{ "libc.so.6 is another file: build-id 12ab34cd -> 56ef7890", CAUSE_LIBRARY,
		  "libc.so.6 is another file: build-id 12ab34cd -> 56ef7890; find (prog.c:20) costs 120 ms more per run: "
		  "strcmp, which it calls, costs more" },
		{ "libm.so.6 is another file: build-id 12ab34cd -> 56ef7890", CAUSE_WORK,
		  "find (prog.c:20) costs 120 ms more per run: strcmp, which it calls, costs more" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(220);

		count_both(&t, &(struct program){ .strcmp = 1800000 });
		causes_find(&t.f.s, &t.f.base, &(struct cause_input){ .base = &t.side[0], .head = &t.side[1], .library = rows[i].library });
		assert_int_equal(t.f.s.n_causes, 1);
		assert_cause(rows[i].library, &t.f.s.causes[0], rows[i].kind, NULL, rows[i].sentence);
	}
}

/* -------- samples */

TEST(whose_the_cost_is)
{
	static const struct {
		const char *name;
		struct seen seen[SEEN_MOST];	/* the base takes 100 ms */
		double head_ms, samples_per_ms;
		bool counted;
		const char *changed[2];
		const char *function, *more;	/* of the first cause; NULL: no cause */
		size_t n;
	} rows[] = {
		/* Too few samples to be certain */
		{ "the only changed function, with a quarter", { { "main", NULL, { 80, 109 } }, { "load", NULL, { 20, 31 } } },
		  140, UNSURE, false, { "load" }, "load", "11.0 ms", 1 },
		{ "with less, the only place that differs", { { "main", NULL, { 80, 111 } }, { "load", NULL, { 20, 29 } } }, 140, UNSURE, false, { "load" }, "load", NULL, 1 },
		{ "one of two changed functions, with a quarter",
		  { { "main", NULL, { 60, 85 } }, { "load", NULL, { 20, 31 } }, { "find", NULL, { 20, 24 } } },
		  140, UNSURE, false, { "load", "find" }, NULL, NULL, 0 },
		{ "with half", { { "main", NULL, { 60, 75 } }, { "load", NULL, { 20, 41 } }, { "find", NULL, { 20, 24 } } },
		  140, UNSURE, false, { "load", "find" }, "load", "21.0 ms", 1 },
		{ "a changed function that nobody saw, the only place that differs", { { "main", NULL, { 80, 109 } }, { "load", NULL, { 20, 31 } } },
		  140, UNSURE, false, { "find" }, "find", NULL, 1 },
		{ "and one that surely costs more", { { "main", NULL, { 60, 60 } }, { "load", NULL, { 40, 110 } } },
		  170, SURE, false, { "find" }, "find", "70.0 ms", 1 },
		{ "of which less was seen than before", { { "main", NULL, { 60, 60 } }, { "load", NULL, { 30, 110 } }, { "find", NULL, { 10, 5 } } },
		  175, SURE, false, { "find" }, "find", "75.0 ms", 1 },
		{ "which no counted instruction is of", { { "main", NULL, { 60, 60 } }, { "load", NULL, { 40, 110 } } },
		  170, SURE, true, { "find" }, "load", "70.0 ms", 1 },
		{ "two of them", { { "main", NULL, { 60, 60 } }, { "load", NULL, { 40, 110 } } },
		  170, SURE, false, { "find", "sort" }, "load", "70.0 ms", 1 },
		/* Functions that an engine shows on one side only */
		{ "seen once", { { "main", NULL, { 60, 60 } }, { "find", NULL, { 40, 65 } }, { "fresh", NULL, { 0, 70 } } },
		  195, SURE, false, { NULL }, "find", "25.0 ms", 1 },
		{ "seen once, with most of it", { { "main", NULL, { 60, 60 } }, { "find", NULL, { 40, 65 } }, { "fresh", NULL, { 0, 115 } } },
		  240, SURE, false, { NULL }, "fresh", "115 ms", 1 },
		{ "seen once, in the change", { { "main", NULL, { 60, 60 } }, { "find", NULL, { 40, 80 } }, { "fresh", NULL, { 0, 10 } } },
		  150, SURE, false, { "fresh" }, "fresh", "10.0 ms", 1 },
		{ "seen once, and counted", { { "main", NULL, { 60, 60 } }, { "find", NULL, { 40, 65 } }, { "fresh", NULL, { 0, 70 } } },
		  195, SURE, true, { NULL }, "fresh", "70.0 ms", 2 },
		/* Kernel work that moved to another function */
		{ "page faults that moved",
		  { { "main", NULL, { 30, 55 } }, { "find", NULL, { 10, 10 } }, { "load", NULL, { 10, 10 } },
		    { "load", "asm_exc_page_fault", { 50, 0 } }, { "find", "asm_exc_page_fault", { 0, 50 } } },
		  125, SURE, false, { NULL }, "main", "25.0 ms", 1 },
		{ "system calls that moved",
		  { { "main", NULL, { 30, 55 } }, { "find", NULL, { 10, 10 } }, { "load", NULL, { 10, 10 } },
		    { "load", "vfs_write", { 50, 0 } }, { "find", "vfs_write", { 0, 50 } } },
		  125, SURE, false, { NULL }, "main", "25.0 ms", 1 },
		{ "half of them moved",
		  { { "main", NULL, { 30, 30 } }, { "find", NULL, { 10, 10 } }, { "load", NULL, { 10, 10 } },
		    { "load", "asm_exc_page_fault", { 50, 20 } }, { "find", "asm_exc_page_fault", { 0, 60 } } },
		  130, SURE, false, { NULL }, "find", "30.0 ms", 1 },
		{ "none of them moved",
		  { { "main", NULL, { 30, 55 } }, { "find", NULL, { 10, 10 } }, { "load", NULL, { 10, 10 } },
		    { "load", "asm_exc_page_fault", { 50, 50 } }, { "find", "asm_exc_page_fault", { 0, 50 } } },
		  175, SURE, false, { NULL }, "find", "50.0 ms", 1 },
		/* Instructions that account for more than the measured time */
		{ "told already", { { "main", NULL, { 40, 40 } }, { "load", NULL, { 30, 110 } }, { "find", NULL, { 30, 60 } } },
		  200, 0, true, { "load" }, "load", "80.0 ms", 1 },
		{ "not told yet", { { "main", NULL, { 40, 40 } }, { "load", NULL, { 30, 100 } }, { "find", NULL, { 30, 60 } } },
		  200, 0, true, { "load" }, "load", "70.0 ms", 2 },
		{ "told already, but changed, too", { { "main", NULL, { 40, 40 } }, { "load", NULL, { 30, 110 } }, { "find", NULL, { 30, 60 } } },
		  200, 0, true, { "load", "find" }, "load", "80.0 ms", 2 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(free_ptr) char *words = rows[i].more ? text_printf("* costs %s more per run*", rows[i].more) :
							xstrdup("*changed, the only place where the sides differ: *");
		CLEANUP(trial_release) struct trial t = trial_of(rows[i].head_ms);
		const struct cause *first;

		touch_both(&t, rows[i].changed);
		take_seen(&t, rows[i].seen, rows[i].samples_per_ms, rows[i].counted);
		first = find(&t);
		assert_cause(rows[i].name, first, first && rows[i].n ? first->kind : CAUSE_KINDS, rows[i].function, words);
		assert_int_equal(t.f.s.n_causes, rows[i].n);
	}
}

/* Counts N lock operations of load, with the same instructions on both sides. */
static void count_locks(struct evidence *e, double n)
{
	count(e, NULL, "fn=(1) main\n10 900000\n\nfn=(2) load\n20 100000\n" OF_LIBC "cfn=(3) pthread_mutex_lock\ncalls=%.0f 1\n22 200\n\n"
		       "totals: 1000200\n", n);
}

/*
 * Sleeps and writes that must reach the disk (fsync) are waits, even if they take CPU time. Exception: another
 * function makes the calls. Likewise, calls that wake threads waiting for a lock are lock costs.
 */
TEST(what_the_kernel_works_for)
{
	static const struct { const char *call, *caller; double calls[2], locks[2]; enum cause_kind kind; } rows[] = {
		{ "clock_nanosleep", "load", { 1, 500 }, { 0, 0 }, CAUSE_WAITING }, { "nanosleep", NULL, { 0, 500 }, { 0, 0 }, CAUSE_WAITING },
		{ "fsync", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING }, { "fdatasync", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING },
		{ "msync", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING }, { "sync_file_range", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING },
		{ "write", "load", { 0, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS }, { "futex", "load", { 0, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS },
		{ "fsync", "find", { 0, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS }, { "fsync", "load", { 90, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS },
		{ "futex", "load", { 0, 90 }, { 100, 100 }, CAUSE_LOCK }, { "write", "load", { 0, 90 }, { 100, 200 }, CAUSE_SYSTEM_CALLS },
		{ "futex", "load", { 90, 90 }, { 100, 200 }, CAUSE_LOCK }, { "futex", "load", { 90, 90 }, { 100, 100 }, CAUSE_SYSTEM_CALLS },
	};
	static const struct seen seen[SEEN_MOST] = { { "main", NULL, { 90, 90 } }, { "load", NULL, { 10, 10 } }, { "load", "vfs_work", { 0, 60 } } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(160);

		take_seen(&t, seen, SURE, false);
		for (int side = 0; side < 2; side++) {
			if (rows[i].locks[side] > 0)
				count_locks(&t.side[side], rows[i].locks[side]);
			set_call(&t.side[side].system_calls,
				 (struct system_call){ .name = rows[i].call, .calls = rows[i].calls[side], .caller = rows[i].caller });
		}
		assert_only(rows[i].call, &t, rows[i].kind, "load", "*");
	}
}

/* Nothing counts the instructions of a virtual machine's code. Its samples show what weighs more than the calls. */
TEST(a_few_more_calls_do_not_outweigh_the_samples)
{
	static const struct { double own_ms; enum cause_kind kind; } rows[] = { { 60, CAUSE_WORK }, { 11, CAUSE_SYSTEM_CALLS } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct seen seen[SEEN_MOST] = { { "main", NULL, { 90, 90 } }, { "load", NULL, { 10, rows[i].own_ms } } };
		CLEANUP(trial_release) struct trial t = trial_new();

		took(&t, "task-clock", 100, 90 + rows[i].own_ms + 20);
		took(&t, "system-time", 10, 30);
		judge_trial(&t, "task-clock", NULL);
		take_seen(&t, seen, SURE, false);
		for (int side = 0; side < 2; side++)
			set_call(&t.side[side].system_calls, (struct system_call){ .name = "gettid", .calls = side ? 2280 : 1000, .caller = "load" });
		assert_only("calls", &t, rows[i].kind, "load", "*");
	}
}

/* Page faults rose, but find now has as many as load had. The additional cost of find is its own work. */
TEST(page_faults_that_moved_give_no_kind)
{
	static const struct {
		double head_ms, of_load;	/* load's page faults on the head; 50 ms on the base */
		enum cause_kind kind;
	} rows[] = { { 125, 0, CAUSE_WORK }, { 175, 50, CAUSE_FAULTS } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct seen seen[SEEN_MOST] = {
			{ "main", NULL, { 30, 30 } }, { "find", NULL, { 10, 35 } }, { "load", NULL, { 10, 10 } },
			{ "load", "asm_exc_page_fault", { 50, rows[i].of_load } }, { "find", "asm_exc_page_fault", { 0, 50 } },
		};
		CLEANUP(trial_release) struct trial t = trial_new();

		took(&t, "task-clock", 100, rows[i].head_ms);
		took(&t, "page-faults", 1000, 2000);
		judge_trial(&t, "task-clock", NULL);
		take_seen(&t, seen, SURE, false);
		assert_only("faults", &t, rows[i].kind, "find", "*");
	}
}

/*
 * The larger of two factors determines the kind: number of instructions, or time per instruction. The sentence names
 * both.
 */
TEST(the_larger_factor_gives_the_kind)
{
	static const struct {
		double instructions, ms[2];	/* load's on the head, in millions; samples of both sides */
		enum cause_kind kind;
		const char *words;
	} rows[] = {
		{ 4.1, { 100, 943 }, CAUSE_WORK, "*4.1 times the instructions, each 2.3 times as slow*" },
		{ 1.3, { 100, 169 }, CAUSE_WORK, "*30 % more instructions, each 30 % slower*" },
		{ 1.2, { 100, 300 }, CAUSE_SLOWER, "*20 % more instructions, each 2.5 times as slow (caches*" },
		{ 1, { 100, 150 }, CAUSE_SLOWER, "*the same instructions, each 50 % slower (caches*" },
		{ 0.6, { 100, 150 }, CAUSE_SLOWER, "*40 % fewer instructions, each 2.5 times as slow (caches*" },
		{ 3, { 100, 310 }, CAUSE_WORK, "*it executes 200 % more instructions itself*" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(rows[i].ms[1]);
		double instructions[] = { 1e6, rows[i].instructions * 1e6 };

		for (int side = 0; side < 2; side++)
			count(&t.side[side], NULL, "fn=(1) load\n40 %.0f\n\ntotals: %.0f\n", instructions[side], instructions[side]);
		sample_both(&t, (struct seen){ "load", NULL, { rows[i].ms[0], rows[i].ms[1] } }, SURE);
		assert_only("factors", &t, rows[i].kind, "load", rows[i].words);
	}
}

/* -------- executions that valgrind did not see to their end */

/* Counts of a part of both sides: main sets up and calls step, which calls norm. The base's whole execution takes 100 ms. */
struct early {
	const char *name, *changed;	/* function */
	unsigned setup, calls[2], step[2], norms[2];	/* instructions; calls of step; own instructions and calls of norm, each of 50, per call */
	double step_ms[2], norm_ms[2], finish_ms[2];	/* sampled; finish runs last, and only by samples */
	enum cause_kind kind;		/* CAUSE_KINDS: there is no anchor */
	const char *function, *words;
};

static void count_early(struct evidence *e, const struct early *p, int side)
{
	unsigned calls = p->calls[side], step = calls * p->step[side], norms = calls * p->norms[side], norm = norms * 50;

	count(e, NULL, "fn=(1) main\n10 500\ncfn=(2) setup\ncalls=1 20\n12 %u\ncfn=(3) step\ncalls=%u 30\n14 %u\n\nfn=(2)\n20 %u\n\n"
		       "fn=(3)\n30 %u\ncfn=(4) norm\ncalls=%u 40\n32 %u\n\nfn=(4)\n40 %u\ntotals: %u\n",
	      p->setup, calls, step + norm, p->setup, step, norms, norm, norm, 500 + p->setup + step + norm);
}

TEST(executions_that_end_early_are_compared_per_call)
{
	static const struct early rows[] = {
		{ "more work", "step", 900, { 1000, 500 }, { 100, 200 }, { 1, 1 }, { 60, 120 }, { 40, 40 }, { 0 }, CAUSE_WORK, "step",
		  "step (prog.c:30) costs * it executes 100 % more instructions itself" },
		{ "called more often", "step", 900, { 1000, 700 }, { 100, 100 }, { 1, 3 }, { 60, 60 }, { 40, 120 }, { 0 }, CAUSE_WORK, "step",
		  "step (prog.c:30) costs * it calls norm 3 times as often" },
		{ "many calls", "step", 900, { 1000, 400 }, { 100, 100 }, { 2, 90 }, { 60, 60 }, { 40, 1800 }, { 0 }, CAUSE_WORK, "step",
		  "step (prog.c:30) costs * it calls norm 90 times per call of step instead of 2" },
		{ "slower", "step", 900, { 1000, 500 }, { 100, 100 }, { 1, 1 }, { 60, 160 }, { 40, 40 }, { 0 }, CAUSE_SLOWER, "step",
		  "step (prog.c:30) costs * the same instructions, each 2.67 times as slow (caches*" },
		/* more work that counts show in part, since each call takes longer than the one before */
		{ "growing", "step", 900, { 1000, 500 }, { 100, 130 }, { 1, 1 }, { 60, 300 }, { 40, 40 }, { 0 }, CAUSE_WORK, "step",
		  "step (prog.c:30) costs * it executes 30.0 % more instructions itself" },
		{ "growing slowly", "step", 900, { 100000, 80000 }, { 100, 103 }, { 1, 1 }, { 60, 90 }, { 40, 40 }, { 0 }, CAUSE_WORK, "step",
		  "step (prog.c:30) costs * it executes 3.0 % more instructions itself" },
		{ "a later phase", "finish", 900, { 1000, 1000 }, { 100, 100 }, { 1, 1 }, { 60, 60 }, { 40, 40 }, { 0, 90 }, CAUSE_WORK, "finish", "finish costs *" },

		{ "set-up alone", "step", 900000, { 1000, 500 }, { 100, 200 }, { 1, 1 }, { 60, 120 }, { 40, 40 }, { 0 }, CAUSE_KINDS, NULL, NULL },
		{ "another phase", "step", 900, { 1000, 500 }, { 100, 200 }, { 1, 1 }, { 6, 12 }, { 4, 4 }, { 90, 180 }, CAUSE_KINDS, NULL, NULL },
		{ "a changed loop", "main", 900, { 1000, 500 }, { 100, 200 }, { 1, 1 }, { 60, 120 }, { 40, 40 }, { 0 }, CAUSE_KINDS, NULL, NULL },
		{ "few calls", "step", 900, { 199, 100 }, { 100, 200 }, { 1, 1 }, { 60, 120 }, { 40, 40 }, { 0 }, CAUSE_KINDS, NULL, NULL },
		/* calls that do half as much, or twice as much, of the work */
		{ "half calls", "step", 900, { 1000, 2000 }, { 100, 50 }, { 1, 1 }, { 60, 90 }, { 40, 40 }, { 0 }, CAUSE_KINDS, NULL, NULL },
		{ "double calls", "step", 900, { 1000, 500 }, { 100, 250 }, { 1, 1 }, { 60, 70 }, { 40, 40 }, { 0 }, CAUSE_KINDS, NULL, NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct early *r = &rows[i];
		double ms = r->step_ms[1] + r->norm_ms[1] + r->finish_ms[1], error;
		CLEANUP(trial_release) struct trial t = trial_of(ms);
		struct prefix sides[2];

		for (int side = 0; side < 2; side++) {
			count_early(&t.side[side], r, side);
			sides[side] = (struct prefix){ &t.side[side].work, &own, &t.side[side].cpu };
		}
		sample_both(&t, (struct seen){ "step", NULL, { r->step_ms[0], r->step_ms[1] } }, SURE);
		sample_both(&t, (struct seen){ "norm", NULL, { r->norm_ms[0], r->norm_ms[1] } }, SURE);
		sample_both(&t, (struct seen){ "finish", NULL, { r->finish_ms[0], r->finish_ms[1] } }, SURE);
		touch(&t, "prog.c", r->changed, 5, NULL, NULL);
		error = prefix_settle(sides, &t.changes, ms / 100);
		if ((r->kind == CAUSE_KINDS) != (error == 0))
			fail_msg("%s: error %g", r->name, error);
		if (r->kind == CAUSE_KINDS) {
			assert_null(t.side[1].work.per);
			assert_float_equal(t.side[1].work.total, 500 + r->setup + r->calls[1] * (r->step[1] + 50.0 * r->norms[1]), 1);
			continue;
		}
		assert_string_equal(t.side[0].work.per, "step");
		assert_float_equal(t.side[1].work.total, r->step[1] + 50.0 * r->norms[1], 1e-6);
		assert_only(r->name, &t, r->kind, r->function, r->words);
	}
}

/* If instructions are not counted per function, the program's total determines the kind. */
TEST(totals_give_the_kind)
{
	static const struct {
		double factor;	/* of simulated instructions; 0: not simulated */
		double faults;	/* factor of 4,000 page faults */
		enum cause_kind kind;
	} rows[] = {
		{ 1.05, 1, CAUSE_SLOWER }, { 1.6, 1, CAUSE_WORK }, { 0, 1, CAUSE_WORK },
		{ 0, 3.9, CAUSE_FAULTS }, { 1.6, 3.9, CAUSE_WORK }, { 1.05, 3.9, CAUSE_SLOWER },
	};
	static const struct seen seen[SEEN_MOST] = { { "main", NULL, { 20, 20 } }, { "load", NULL, { 80, 173 } } };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_new();

		took(&t, "task-clock", 100, 193);
		if (rows[i].factor > 0)
			took(&t, "sim-instructions", 4e8, 4e8 * rows[i].factor);
		took(&t, "page-faults", 4000, 4000 * rows[i].faults);
		judge_trial(&t, "task-clock", NULL);
		take_seen(&t, seen, SURE, false);
		assert_only("totals", &t, rows[i].kind, NULL, "*");
	}
}

/* Samples alone identify allocation: most of load's additional cost is below malloc, which it calls. */
TEST(samples_tell_allocation)
{
	static const struct {
		double itself[2], below[2];	/* ms of load, and of its callee */
		const char *callee;
		enum cause_kind kind;
	} rows[] = {
		{ { 90, 110 }, { 10, 50 }, "malloc", CAUSE_ALLOCATION }, { { 90, 130 }, { 10, 30 }, "malloc", CAUSE_WORK },
		{ { 90, 110 }, { 10, 50 }, "strcmp", CAUSE_WORK },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(160);

		for (int side = 0; side < 2; side++) {
			struct stacks *cpu = &t.side[side].cpu;
			uint32_t frames[] = {
				stacks_frame_of(cpu, "load", 4, "/p/prog"), stacks_frame_of(cpu, rows[i].callee, 6, "/usr/lib/libc.so.6"),
				stacks_frame_of(cpu, "inner", 5, "/usr/lib/libc.so.6"),
			};

			stacks_add(cpu, (struct stack_sample){ stacks_event(cpu, "cpu-clock", 9), 0, frames, 3, (size_t)(rows[i].below[side] * SURE), rows[i].below[side] });
		}
		sample_both(&t, (struct seen){ "load", NULL, { rows[i].itself[0], rows[i].itself[1] } }, SURE);
		assert_only(rows[i].callee, &t, rows[i].kind, NULL, "*");
	}
}

/*
 * Without samples, and with few or no instructions, exact counts name the cause. Otherwise, the only differing place
 * does.
 */
TEST(counts_alone_tell)
{
	static const struct {
		const char *name;
		double calls[2], faults[2], system_ms[2];
		unsigned processes;	/* of the head */
		const char *changed[2];
		enum cause_kind kind;	/* CAUSE_KINDS: no cause */
		const char *sentence;
		double counted[2];	/* instructions of load; 0: not counted */
	} rows[] = {
		{ "calls", { 114, 13846 }, { 0, 0 }, { 10, 60 }, 1, { NULL }, CAUSE_SYSTEM_CALLS, "load: write is called 13,846 times instead of 114", { 0, 0 } },
		{ "calls that the kernel did not take longer for", { 114, 13846 }, { 0, 0 }, { 10, 11 }, 1, { NULL }, CAUSE_KINDS, NULL, { 0, 0 } },
		{ "processes", { 5, 5 }, { 0, 0 }, { 10, 11 }, 9, { NULL }, CAUSE_SYSTEM_CALLS, "load: 9 processes instead of 1", { 0, 0 } },
		{ "faults of a changed function", { 5, 5 }, { 10, 900 }, { 10, 11 }, 1, { "load", "find" }, CAUSE_FAULTS,
		  "load changed, and it touches 890 pages more for the first time", { 0, 0 } },
		{ "faults of another", { 5, 5 }, { 10, 900 }, { 10, 11 }, 1, { "sort", "find" }, CAUSE_KINDS, NULL, { 0, 0 } },
		{ "calls of a changed function, which take hardly any time", { 114, 13846 }, { 0, 0 }, { 10, 11 }, 1, { "load", "find" }, CAUSE_SYSTEM_CALLS,
		  "load changed, and it calls write 13,846 times instead of 114", { 0, 0 } },
		{ "one place", { 5, 5 }, { 0, 0 }, { 10, 11 }, 1, { "sort" }, CAUSE_WORK,
		  "sort (prog.c:5) changed, the only place where the sides differ: 60.0 ms more per run", { 0, 0 } },
		{ "few instructions of a changed function", { 5, 5 }, { 0, 0 }, { 10, 11 }, 1, { "load", "find" }, CAUSE_WORK,
		  "load (prog.c:40) changed, and 4000 instructions more per run are executed for it", { 1000, 5000 } },
		{ "as many as before", { 5, 5 }, { 0, 0 }, { 10, 11 }, 1, { "load", "find" }, CAUSE_KINDS, NULL, { 1000, 1000 } },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_new();
		const struct cause *first;

		touch_both(&t, rows[i].changed);
		took(&t, "task-clock", 100, 160);
		took(&t, "system-time", rows[i].system_ms[0], rows[i].system_ms[1]);
		judge_trial(&t, "task-clock", NULL);
		for (int side = 0; side < 2; side++) {
			struct system_calls *calls = &t.side[side].system_calls;
			bool starts = rows[i].processes > 1;
			double counted = rows[i].counted[side];

			calls->processes = calls->threads = side ? rows[i].processes : 1;
			set_call(calls, (struct system_call){ .name = starts ? "vfork" : "write", .calls = starts ? calls->processes - 1 : rows[i].calls[side],
							      .caller = "load", .caller_object = "/p/prog" });
			if (rows[i].faults[side] > 0)
				add_seen(&t.side[side].faults, &(struct seen){ "load", NULL, { rows[i].faults[0], rows[i].faults[1] } }, side, 1);
			names_resolve(&t.side[side].faults);
			if (counted > 0)
				count(&t.side[side], NULL, "fn=(1) main\n10 1000000\n\nfn=(2) load\n40 %.0f\n\ntotals: %.0f\n", counted, 1e6 + counted);
		}
		first = find(&t);
		assert_cause(rows[i].name, first, rows[i].kind, NULL, rows[i].sentence);
		assert_true(!first || !(first->share_pct > 100));
	}
}

/* shop() of 100 calls, which calls total() PRICES times. */
static void count_python(struct evidence *e, double self_ns, unsigned prices, double prices_ns)
{
	CLEANUP(free_ptr) char *text = text_printf(
		"positions: line\nevents: ns entered\nob=/p/shop.py\nfl=/p/shop.py\nfn=shop\n4 %.0f 100\n"
		"cob=???\ncfl=???\ncfn=decimal.total\ncalls=%u 0\n4 %.0f 0\nob=???\nfl=???\nfn=decimal.total\n0 %.0f %u\ntotals: 0\n",
		self_ns, prices, prices_ns, prices_ns, prices);
	struct error err = ERROR_INIT;

	MUST(callgrind_read(text, strlen(text), &own, &e->work, &err));
}

TEST(the_time_of_python_functions)
{
	static const struct {
		double self_ns; unsigned prices; double prices_ns; const char *sentence;
	} cases[] = {
		/* What a builtin returned is freed in its caller's time. */
		{ 48e6, 90000, 8e6, "shop (shop.py:4) costs * more per run: it calls decimal.total 90,000 times instead of 1,000" },
		{ 60e6, 1000, 1e6, "shop (shop.py:4) costs * more per run: called as often as before, it takes 6 times as long itself" },
		{ 48e6, 1000, 8e6, "shop (shop.py:4) costs * more per run: called as often as before, it takes 4.8 times as long itself" },
		{ 16e6, 1000, 1e6, "shop (shop.py:4) costs * more per run: called as often as before, it takes 60 % more itself" },
		/* Times are no instructions. */
		{ 10e6, 1000, 1e6, "shop (shop.py:4) changed, the only place where the sides differ: * more per run" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(150);

		count_python(&t.side[0], 10e6, 1000, 1e6);
		count_python(&t.side[1], cases[i].self_ns, cases[i].prices, cases[i].prices_ns);
		touch(&t, "shop.py", "shop", 4, NULL, NULL);
		assert_cause(cases[i].sentence, find(&t), CAUSE_WORK, "shop", cases[i].sentence);
	}
}

/*
 * Processes and calls that are started many times more often, while instructions explain a small part of the time. If
 * nobody traced them, a call of the C library stands for them.
 */
TEST(more_calls_outrank_instructions)
{
	static const struct {
		const char *name, *call;	/* NULL: not traced */
		double calls[2];
		unsigned processes;
		const char *callee;
		enum cause_kind kind;
	} rows[] = {
		{ "processes", "vfork", { 1, 400 }, 401, "posix_spawn", CAUSE_SYSTEM_CALLS },
		{ "as many processes", "vfork", { 400, 400 }, 401, "mix", CAUSE_SLOWER },
		{ "not traced", NULL, { 0, 0 }, 1, "fflush", CAUSE_SYSTEM_CALLS },
		{ "not traced, and no call of the kernel", NULL, { 0, 0 }, 1, "mix", CAUSE_SLOWER },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(250);

		for (int side = 0; side < 2; side++) {
			int cost = side ? 180000 : 450;
			struct system_calls *calls = &t.side[side].system_calls;

			count(&t.side[side], NULL, "fn=(1) load\n20 1000000\n" OF_LIBC "cfn=(3) %s\ncalls=%d 1\n22 %d\n\n"
						   "ob=(2)\nfl=(2) libc.c\nfn=(3)\n1 %d\ntotals: %d\n",
			      rows[i].callee, side ? 400 : 1, cost, cost, 1000000 + cost);
			calls->processes = calls->threads = side ? rows[i].processes : 1;
			if (rows[i].call)
				set_call(calls, (struct system_call){ .name = rows[i].call, .calls = rows[i].calls[side], .caller = "load",
								      .caller_object = "/p/prog" });
		}
		/* The samples show that it takes longer, but not that the kernel does. */
		sample_both(&t, (struct seen){ "load", NULL, { 100, 250 } }, SURE);
		assert_only(rows[i].name, &t, rows[i].kind, "load", "*");
	}
}

#define ONLY_PLACE "buffer.c:5 changed, the only place where the sides differ: 60.0 ms more per run"
#define TAKE "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run"

/* A changed constant is told with the only function that uses it; the calls that a change adds tell the kind. */
TEST(the_only_place_tells_function_and_kind)
{
	static const struct {
		const char *function, *line, *word, *use;
		enum cause_kind kind;
		const char *named, *sentence;
		unsigned processes;	/* of the head, without a known caller; 0: not traced */
	} rows[] = {
		{ NULL, "enum { CHUNK = 64 };", "CHUNK", "fill", CAUSE_WORK, "fill", "fill (buffer.c:21) uses CHUNK; " ONLY_PLACE, 0 },
		{ NULL, "enum { CHUNK = 64 };", "CHUNK", NULL, CAUSE_WORK, "buffer.c", ONLY_PLACE, 0 },
		{ "take", "char *lower = malloc(n);", "malloc", NULL, CAUSE_ALLOCATION, "take", TAKE, 0 },
		{ "take", "fflush(to);", "fflush", NULL, CAUSE_SYSTEM_CALLS, "take", TAKE, 0 },
		{ "take", "usleep(1000);", "usleep", NULL, CAUSE_WAITING, "take", TAKE, 0 },
		/* The word is the base's */
		{ "take", "char lower[99];", "malloc", NULL, CAUSE_WORK, "take", TAKE, 0 },
		{ "take", "return system(name);", "name", NULL, CAUSE_SYSTEM_CALLS, "take", TAKE, 24 },
		{ "take", "return system(name);", "name", NULL, CAUSE_WORK, "take", TAKE, 3 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct change_use use = { .word = rows[i].word, .path = "buffer.c", .function = rows[i].use, .line = 21 };
		CLEANUP(trial_release) struct trial t = trial_of(160);

		touch(&t, "buffer.c", rows[i].function, 5, rows[i].line, rows[i].word);
		t.changes.uses = &use;
		t.changes.n_uses = rows[i].use != NULL;
		for (int side = 0; side < 2 && rows[i].processes; side++) {
			struct system_calls *calls = &t.side[side].system_calls;

			calls->processes = side ? rows[i].processes : 2;
			set_call(calls, (struct system_call){ .name = "vfork", .calls = calls->processes - 1 });
		}
		assert_only(rows[i].line, &t, rows[i].kind, rows[i].named, rows[i].sentence);
		assert_string_equal(t.f.s.causes[0].changed_at, "buffer.c:5");
		assert_true(t.f.s.causes[0].amount == 60 && t.f.s.causes[0].share_pct == 100);
	}
}

/* emit ends in a jump to fflush, so kernel samples show its caller, walk, instead. */
TEST(a_jump_at_the_end_is_its_function_s)
{
	CLEANUP(trial_release) struct trial t = trial_of(200);

	touch(&t, "prog.c", "emit", 31, NULL, NULL);
	for (int side = 0; side < 2; side++)
		count(&t.side[side], NULL, "fn=(1) walk\n10 900000\ncfn=(2) emit\ncalls=1000 30\n12 %d\n\nfn=(2)\n30 80000\n%s\n"
					   "ob=(2) /usr/lib/libc.so.6\nfl=(2) libc.c\nfn=(4) fflush\n1 %d\ntotals: %d\n",
		      side ? 100000 : 80000, side ? OF_LIBC "cfn=(4) fflush\ncalls=1000 1\n31 20000\n" : "", side ? 20000 : 0,
		      side ? 1000000 : 980000);
	sample_both(&t, (struct seen){ "walk", NULL, { 4000, 4000 } }, 1);
	sample_both(&t, (struct seen){ "walk", "vfs_write", { 1, 4000 } }, 1);
	assert_only("jump", &t, CAUSE_SYSTEM_CALLS, "emit", "*: it calls fflush 1,000 times, never before, and the kernel works longer for it*");
}

/* A changed function calls another one more often, which makes system calls. The sentence names those calls. */
TEST(a_callee_s_system_calls)
{
	CLEANUP(trial_release) struct trial t = trial_of(200);

	touch(&t, "prog.c", "next", 11, NULL, NULL);
	for (int side = 0; side < 2; side++) {
		unsigned calls = side ? 40000 : 1000;

		count(&t.side[side], NULL, "fn=(1) next\n10 900000\ncfn=(2) fill\ncalls=%u 30\n12 %u\n\nfn=(2)\n30 %u\ntotals: %u\n",
		      calls, calls, calls, 900000 + calls);
		set_call(&t.side[side].system_calls, (struct system_call){ .name = "read", .calls = calls, .bytes = 2560000, .caller = "fill" });
	}
	sample_both(&t, (struct seen){ "next", NULL, { 4000, 4000 } }, 1);
	sample_both(&t, (struct seen){ "fill", "vfs_read", { 1, 4000 } }, 1);
	assert_only("calls", &t, CAUSE_SYSTEM_CALLS, "next",
		    "*: it calls fill, which calls read 40,000 times instead of 1,000, 64 bytes each time instead of 2,560*");
}

/*
 * Samples do not show a function that ends in a jump to malloc. The cost is allocation, even if the
 * kernel works longer for that memory.
 */
TEST(a_jump_to_malloc_is_allocation)
{
	CLEANUP(trial_release) struct trial t = trial_of(160);

	touch(&t, "prog.c", "next", 11, NULL, NULL);
	for (int side = 0; side < 2; side++) {
		unsigned calls = side ? 4000 : 100, cost = 50 * calls;

		count(&t.side[side], NULL, "fn=(1) next\n10 900000\ncfn=(2) page\ncalls=%u 30\n12 %u\n\n"
					   "fn=(2)\n30 %u\n" OF_LIBC "cfn=(4) malloc\ncalls=%u 1\n31 %u\n\n"
					   "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 %u\ntotals: %u\n",
		      calls, cost + calls, calls, calls, cost, cost, 900000 + cost + calls);
	}
	sample_both(&t, (struct seen){ "next", NULL, { 9000, 11000 } }, 1);
	sample_both(&t, (struct seen){ "next", "asm_exc_page_fault", { 1000, 5000 } }, 1);
	assert_only("jump", &t, CAUSE_ALLOCATION, "next", "*");
}

/* What is allocated more often is freed more often. A function that only frees is the cause only if the change is there. */
TEST(who_allocates_answers_for_what_is_freed)
{
	static const struct { unsigned mallocs, frees; const char *changed, *function, *sentence; } rows[] = {
		{ 4000, 4000, NULL, "take", "take (prog.c:30) costs 47.0 ms more per run, 78 % of the change: it calls malloc 4,000 times instead of 100" },
		{ 4000, 4000, "drop", "drop", "drop (prog.c:40) costs 25.6 ms more per run, 43 % of the change: it calls free 4,000 times instead of 100" },
		{ 100, 4000, NULL, "drop", "drop (prog.c:40) costs 25.6 ms more per run, 43 % of the change: it calls free 4,000 times instead of 100" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(160);

		if (rows[i].changed)
			touch(&t, "prog.c", rows[i].changed, 40, NULL, NULL);
		for (int side = 0; side < 2; side++) {
			unsigned mallocs = side ? rows[i].mallocs : 100, frees = side ? rows[i].frees : 100;

			count(&t.side[side], NULL, "fn=(1) main\n10 900000\ncfn=(2) take\ncalls=1 30\n12 %u\ncfn=(3) drop\ncalls=1 40\n14 %u\n\n"
						   "fn=(2)\n30 1000\n" OF_LIBC "cfn=(4) malloc\ncalls=%u 1\n31 %u\n\n"
						   "fn=(3)\n40 1000\n" OF_LIBC "cfn=(5) free\ncalls=%u 1\n41 %u\n\n"
						   "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 %u\nfn=(5)\n1 %u\ntotals: %u\n",
			      1000 + 50 * mallocs, 1000 + 60 * frees, mallocs, 50 * mallocs, frees, 60 * frees, 50 * mallocs, 60 * frees,
			      902000 + 50 * mallocs + 60 * frees);
		}
		assert_cause(rows[i].function, find(&t), CAUSE_ALLOCATION, rows[i].function, rows[i].sentence);
	}
}

/* The same program reads more, and no function is known to cost more. */
TEST(more_input_alone_is_the_cause)
{
	CLEANUP(trial_release) struct trial t = trial_of(160);

	t.f.s.base.executable = scenario_result_measured(&t.f.s)->executable = "build-id:12ab";
	for (int side = 0; side < 2; side++) {
		struct system_calls *calls = &t.side[side].system_calls;

		calls->files = arena_memdup(&calls->arena, &(struct traced_file){ .path = "/p/orders.txt", .read_bytes = side ? 3000 : 1000 },
					    sizeof *calls->files);
		calls->n_files = calls->cap_files = 1;
	}
	assert_only("input", &t, CAUSE_INPUT, NULL, "orders.txt, which it reads, is larger: 60.0 ms more per run");
}

/* Taking more locks is the kind, even if no thread sleeps for one. */
TEST(more_locks_are_the_kind)
{
	CLEANUP(trial_release) struct trial t = trial_of(160);

	for (int side = 0; side < 2; side++) {
		unsigned calls = side ? 20000 : 100, cost = 30 * calls;

		count(&t.side[side], NULL, "fn=(1) put\n10 900000\n" OF_LIBC "cfn=(4) pthread_mutex_lock\ncalls=%u 1\n12 %u\n\n"
					   "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 %u\ntotals: %u\n", calls, cost, cost, 900000 + cost);
	}
	assert_only("locks", &t, CAUSE_LOCK, "put", "put (prog.c:10) costs 60.0 ms more per run: it calls pthread_mutex_lock 20,000 times instead of 100");
}

/*
 * Additional work outside the project's functions. perl does not show which script function it runs.
 * The dynamic linker counts as start-up. Python reads a compiled script; code outside functions runs at import.
 */
TEST(what_no_own_function_calls)
{
	static const struct {
		const char *object, *changed, *inside, *read, *function, *sentence;
		enum cause_kind kind;
	} rows[] = {
		{ "/usr/bin/perl", "logs.pl", "page_of", "/p/logs.pl", "page_of", "page_of (logs.pl:10) changed, and logs.pl costs 60.0 ms more per run",
		  CAUSE_WORK },
		{ "/usr/bin/perl", "logs.pl", "page_of", "/p/other.pl", NULL, "what perl executes by itself costs 60.0 ms more per run: none of the project's functions calls it",
		  CAUSE_WORK },
		{ "/usr/bin/python3", "shop/order.py", NULL, "/p/shop/__pycache__/order.cpython-312.pyc", "order.py",
		  "order.py:10 changed, and order.py costs 60.0 ms more per run", CAUSE_STARTUP },
		{ "/usr/bin/python3", "shop/order.py", NULL, "/p/shop/order.py", "order.py",
		  "order.py:10 changed, and order.py costs 60.0 ms more per run", CAUSE_WORK },
		{ "/usr/bin/python3", "shop/order.py", "total", "/p/shop/__pycache__/order.cpython-312.pyc", "total",
		  "total (order.py:10) changed, and order.py costs 60.0 ms more per run", CAUSE_WORK },
		{ "/usr/bin/python3", "shop/order.py", "total", "/p/store/__pycache__/order.cpython-312.pyc", NULL,
		  "what python3 executes by itself costs 60.0 ms more per run: none of the project's functions calls it", CAUSE_WORK },
		{ "/lib64/ld-linux-x86-64.so.2", "logs.pl", "page_of", "/p/x", NULL, "what runs before main costs 60.0 ms more per run: loading and linking", CAUSE_STARTUP },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_of(160);
		struct change *change = touch(&t, rows[i].changed, rows[i].inside, 10, NULL, NULL);

		change->base_line = 10;
		change->n_base_lines = 1;
		change->span = change->base_span = (struct line_span){ 8, 12 };
		for (unsigned side = 0; side < 2; side++) {
			struct system_calls *calls = &t.side[side].system_calls;
			int cost = side ? 1600000 : 1000000;

			count(&t.side[side], rows[i].object, "fn=(1) run\n1 %d\ntotals: %d\n", cost, cost);
			calls->files = arena_memdup(&calls->arena, &(struct traced_file){ .path = rows[i].read }, sizeof *calls->files);
			calls->n_files = calls->cap_files = 1;
		}
		assert_only(rows[i].object, &t, rows[i].kind, rows[i].function, rows[i].sentence);
		assert_int_equal(!t.f.s.causes[0].function, !rows[i].function);
	}
}

/* -------- waiting */

static void add_wait(struct evidence *e, const char *event, const char *function, const char *callee, enum wait_kind kind, double ms)
{
	uint32_t frames[4] = {
		stacks_frame_of(&e->waits, "main", 4, "/p/prog"), stacks_frame_of(&e->waits, function, strlen(function), "/p/prog"),
		stacks_frame_of(&e->waits, callee, strlen(callee), "/usr/lib/libc.so.6"), wait_frame(&e->waits, kind),
	};

	stacks_add(&e->waits, (struct stack_sample){ stacks_event(&e->waits, event, strlen(event)), 0, frames, 4, 1, ms * 1e6 });
}

TEST(who_makes_it_wait)
{
	static const struct {
		const char *name;
		double wall_ms, cpu_ms;		/* the base takes 100 and 98 ms */
		struct {
			const char *event, *function, *callee;
			enum wait_kind kind;
			double base_ms, head_ms;
		} waits[4];
		const char *changed;		/* function that the change touches; NULL: no change */
		enum cause_kind kind;
		const char *function, *sentence;
	} rows[] = {
		{ "one that waits for a child that sleeps elsewhere", 150, 98,
		  { { OFFCPU_HELD, "start", "system", WAIT_CHILD, 0, 49 }, { OFFCPU_HELD, "serve", "read", WAIT_PIPE, 2, 3 } },
		  "start", CAUSE_WAITING, "start", "start waits 49.0 ms more per run for a process that it started: in system" },
		{ "a condition that another thread has to say", 150, 98, { { OFFCPU_HELD, "take", "pthread_cond_wait", WAIT_THREAD, 0, 49 } },
		  "take", CAUSE_WAITING, "take", "take waits 49.0 ms more per run for another thread: in pthread_cond_wait" },
		{ "who merely waits for others is not held up", 150, 98,
		  { { OFFCPU_HELD, "store", "usleep", WAIT_SLEEP, 0, 48 }, { OFFCPU_OTHERS, "start", "pthread_join", WAIT_THREAD, 0, 200 } },
		  NULL, CAUSE_WAITING, "store", "store sleeps 48.0 ms more per run: in usleep" },
		{ "both ends of a pipe: the one that changed", 150, 98,
		  { { OFFCPU_HELD, "serve", "read", WAIT_PIPE, 0, 26 }, { OFFCPU_HELD, "tell", "read", WAIT_PIPE, 0, 22 } },
		  "tell", CAUSE_WAITING, "tell", "tell waits 48.0 ms more per run for what another process writes or reads: in read" },
		{ "who calls the one that waits, and changed", 150, 98, { { OFFCPU_HELD, "take", "read", WAIT_PIPE, 0, 48 } },
		  "main", CAUSE_WAITING, "main", "main waits 48.0 ms more per run for what another process writes or reads: in take" },
		{ "threads that wait for a lock, not who waits for them", 150, 98,
		  { { OFFCPU_LOCKED, "smooth", "pthread_mutex_lock", WAIT_LOCK, 0, 51 }, { OFFCPU_OTHERS, "stage", "pthread_join", WAIT_THREAD, 0, 50 } },
		  NULL, CAUSE_LOCK, "smooth", "smooth waits 50.0 ms more per run for a lock: in pthread_mutex_lock" },
		{ "files, for which it waited before, beside a changed function that takes a lock", 150, 98,
		  { { OFFCPU_HELD, "save", "fopen", WAIT_IO, 40, 72 }, { OFFCPU_LOCKED, "smooth", "pthread_mutex_lock", WAIT_LOCK, 0, 39 } },
		  "smooth", CAUSE_LOCK, "smooth", "smooth (prog.c:41) waits 39.0 ms more per run for a lock: in pthread_mutex_lock" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_new();

		t.changes.items = t.changed;	/* not known, unless a function is named */
		if (rows[i].changed)
			touch(&t, "prog.c", rows[i].changed, 41, NULL, NULL);
		took(&t, "wall-time", 100, rows[i].wall_ms);
		took(&t, "cpu-time", 98, rows[i].cpu_ms);
		took(&t, "task-clock", 98, rows[i].cpu_ms);
		judge_trial(&t, "wall-time", NULL);
		for (int side = 0; side < 2; side++) {
			struct offcpu_times *times = &t.side[side].offcpu;

			times->executions = 1;
			for (size_t k = 0; k < 4 && rows[i].waits[k].event; k++) {
				double ms = side ? rows[i].waits[k].head_ms : rows[i].waits[k].base_ms;

				if (ms > 0)
					add_wait(&t.side[side], rows[i].waits[k].event, rows[i].waits[k].function, rows[i].waits[k].callee,
						 rows[i].waits[k].kind, ms);
				if (!strcmp(rows[i].waits[k].event, OFFCPU_HELD))
					times->held_ns[rows[i].waits[k].kind] += ms * 1e6;
				else if (!strcmp(rows[i].waits[k].event, OFFCPU_LOCKED))
					times->waited_ns[WAIT_LOCK] += ms * 1e6;
				else
					times->others_ns += ms * 1e6;
			}
			names_resolve(&t.side[side].waits);
		}
		if (rows[i].kind == CAUSE_LOCK && rows[i].changed)
			count(&t.side[1], NULL, "fn=(1) smooth\n41 10\n" OF_LIBC "cfn=(2) pthread_mutex_lock\ncalls=100 1\n41 1000\n\ntotals: 10\n");
		assert_only(rows[i].name, &t, rows[i].kind, rows[i].function, rows[i].sentence);
	}
}

/* Samples without call paths show another function than the only one that changed, whose new calls tell the kind. */
TEST(the_change_that_samples_miss)
{
	CLEANUP(trial_release) struct trial t = trial_of(125);

	touch(&t, "scan.c", NULL, 3, NULL, NULL);
	touch(&t, "scan.c", "take", 18, "char *lower = malloc(length + 1);", "malloc");
	sample_both(&t, (struct seen){ "count", NULL, { 100, 125 } }, SURE);
	assert_only("missed", &t, CAUSE_ALLOCATION, "take", "take (scan.c:18) changed, and count costs 25.0 ms more per run");
}

/* Neither waits nor samples are there, but the calls, and one function changed. */
TEST(who_sleeps_by_the_calls)
{
	CLEANUP(trial_release) struct trial t = trial_new();

	touch(&t, "store.c", NULL, 2, NULL, NULL);
	touch(&t, "store.c", "drop", 88, NULL, NULL);
	took(&t, "wall-time", 326, 666);
	took(&t, "cpu-time", 96, 109);
	took(&t, "task-clock", 96, 109);
	judge_trial(&t, "wall-time", "task-clock");
	for (int side = 0; side < 2; side++)
		set_call(&t.side[side].system_calls, (struct system_call){ .name = "clock_nanosleep", .calls = side ? 106 : 0 });
	assert_only("calls", &t, CAUSE_WAITING, "drop",
		    "*drop (store.c:88) sleeps 327 ms more per run: clock_nanosleep is called 106 times, never before*");
}

/*
 * Time while other processes have the CPUs is not waiting. If a known cost rose, it is reported; otherwise no function
 * is named.
 */
TEST(time_that_nobody_saw)
{
	static const struct {
		double cpu_ms; struct program head; enum cause_kind kind; const char *function, *sentence;
	} rows[] = {
		{ 90, { 0 }, CAUSE_WAITING, NULL, "50.0 ms more per run pass in which it neither runs nor was seen to wait" },
		{ 99, MORE_ITSELF, CAUSE_WORK, "load", "load (prog.c:40) costs 9.00 ms more per run: it executes 200 % more instructions itself" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(trial_release) struct trial t = trial_new();

		t.side[0].offcpu.executions = t.side[1].offcpu.executions = 1;
		took(&t, "wall-time", 100, 150);
		took(&t, "cpu-time", 90, rows[i].cpu_ms);
		took(&t, "task-clock", 90, rows[i].cpu_ms);
		judge_trial(&t, "wall-time", "task-clock");
		count_both(&t, &rows[i].head);
		assert_only("time", &t, rows[i].kind, rows[i].function, rows[i].sentence);
		assert_int_equal(!t.f.s.causes[0].function, !rows[i].function);
	}
}
