/* Causes: the responsible function, the kind of cost, and the changed line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/mem.h"
#include "cause/cause.h"
#include "cause/evidence.h"
#include "cause/readers/heap.h"
#include "cause/readers/offcpu.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "pair_samples.h"

/*
 * Callgrind output: main calls find and load; find calls strcmp, load calls malloc (both libc). 1,000,000 instructions
 * take 100 ms.
 */
static const char base_work[] =
	"# callgrind format\npositions: line\nevents: Ir\n"
	"ob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	"cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 200000\n\n"
	"fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
	"fn=(3)\n40 100000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
	"ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1000000\n";

struct case_of {
	const char *name, *head;
	double cpu_ms;		/* of the head; the base takes 100 ms */
	enum cause_kind kind;	/* CAUSE_KINDS: no cause */
	const char *function, *sentence;
};

static const struct case_of cases[] = {
	{ "a foreign function is called more often",
	  "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	  "cfn=(2) find\ncalls=100 20\n12 1990000\ncfn=(3) load\ncalls=1 40\n14 200000\n\n"
	  "fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=18000 1\n22 1800000\n\n"
	  "fn=(3)\n40 100000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
	  "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 1800000\nfn=(5)\n1 100000\ntotals: 2200000\n",
	  220, CAUSE_WORK, "find", "find (prog.c:20) costs 120 ms more per run: it calls strcmp 3.0 times as often" },
	{ "an own function is called more often: it is its caller's",
	  "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	  "cfn=(2) find\ncalls=200 20\n12 1580000\ncfn=(3) load\ncalls=1 40\n14 200000\n\n"
	  "fn=(2)\n20 380000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=12000 1\n22 1200000\n\n"
	  "fn=(3)\n40 100000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
	  "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 1200000\nfn=(5)\n1 100000\ntotals: 1790000\n",
	  179, CAUSE_WORK, "main", "main (prog.c:10) costs 79.0 ms more per run: it calls find 2.0 times as often" },
	{ "memory is allocated more often",
	  "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	  "cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 1100000\n\n"
	  "fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
	  "fn=(3)\n40 100000\ncob=(2)\ncfn=(5) malloc\ncalls=50000 1\n42 1000000\n\n"
	  "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 1000000\ntotals: 1900000\n",
	  190, CAUSE_ALLOCATION, "load", "load (prog.c:40) costs 90.0 ms more per run: it calls malloc 50,000 times instead of 1,000" },
	{ "its own code executes more",
	  "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	  "cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 400000\n\n"
	  "fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
	  "fn=(3)\n40 300000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
	  "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1200000\n",
	  120, CAUSE_WORK, "load", "load (prog.c:40) costs 20.0 ms more per run: it executes 200 % more instructions itself" },
	{ "an own function is there for the first time, and did not change: it is its caller's",
	  "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	  "cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 710000\n\n"
	  "fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
	  "fn=(3)\n40 110000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\ncob=(1)\ncfn=(6) fill\ncalls=100 60\n44 500000\n\n"
	  "fn=(6)\n60 500000\n\n"
	  "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1510000\n",
	  151, CAUSE_WORK, "load", "load (prog.c:40) costs 51.0 ms more per run: it calls fill 100 times, never before" },
	{ "the same, called once",
	  "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
	  "cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 710000\n\n"
	  "fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
	  "fn=(3)\n40 110000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\ncob=(1)\ncfn=(6) fill\ncalls=1 60\n44 500000\n\n"
	  "fn=(6)\n60 500000\n\n"
	  "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1510000\n",
	  151, CAUSE_WORK, "load", "load (prog.c:40) costs 51.0 ms more per run: it calls fill once, never before" },
	{ "nothing is executed that was not before", base_work, 120, CAUSE_KINDS, NULL, NULL },
};

static const struct own_code own = { .root = "/p" };

static void open_case(struct fixture *f, double cpu_ms)
{
	const struct pair_values cpu = { 100, cpu_ms / 100, 0.001, 20 };

	fixture_open_pairs(f);
	measure_pairs(f, "task-clock", &cpu);
	add_pair_gate(f, "task-clock");
	f->s.pairing.ended = true;
	judge_in_pairs(f);
}

static void the_function_and_its_kind_are_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct case_of *c = &cases[i];
		struct evidence base = { .own = own }, head = { .own = own };
		const struct cause *first;
		struct error err = ERROR_INIT;
		struct fixture f;

		open_case(&f, c->cpu_ms);
		if (callgrind_read(base_work, strlen(base_work), &own, &base.work, &err) < 0)
			fail_msg("%s", err.msg);
		assert_int_equal(callgrind_read(c->head, strlen(c->head), &own, &head.work, &err), 0);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head });
		first = f.s.n_causes ? &f.s.causes[0] : NULL;
		if ((c->kind == CAUSE_KINDS) != !first)
			fail_msg("%s: %s", c->name, first ? first->sentence : "no cause");
		if (first && (first->kind != c->kind || strcmp(first->function, c->function) || strcmp(first->sentence, c->sentence)))
			fail_msg("%s: %s, %s: %s", c->name, cause_kind_names[first->kind], first->function, first->sentence);
		evidence_release(&base);
		evidence_release(&head);
		fixture_release(&f);
	}
}

static void what_did_not_regress_has_no_cause(void **state)
{
	struct evidence base = { .own = own }, head = { .own = own, .missing[STEP_WORK] = "instructions: valgrind is missing" };
	struct error err = ERROR_INIT;
	struct fixture f;

	(void)state;
	open_case(&f, 100.5);
	if (callgrind_read(base_work, strlen(base_work), &own, &base.work, &err) < 0)
			fail_msg("%s", err.msg);
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head });
	assert_int_equal(f.s.n_causes, 0);
	/* Missing evidence is reported all the same. */
	assert_int_equal(f.s.evidence.n, 1);
	evidence_release(&base);
	evidence_release(&head);
	fixture_release(&f);
}

/* Each row counts allocations, as heaptrack_print writes them. */
static void memory_that_rose_has_an_owner(void **state)
{
	static const struct {
		const char *base, *head, *changed, *function, *sentence;
	} rows[] = {
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

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct change changed[] = { { .path = "prog.c", .base_path = "prog.c", .function = rows[i].changed, .line = 21, .n_lines = 1 } };
		struct changes changes = { .items = changed, .n = rows[i].changed != NULL, .known = true };
		struct evidence base = { .own = own }, head = { .own = own };
		const struct pair_values cpu = { 100, 1, 0.001, 20 };
		struct error err = ERROR_INIT;
		struct fixture f;

		changed[0].now = (struct strv)STRV_INIT;
		fixture_open_pairs(&f);
		measure_pairs(&f, "task-clock", &cpu);
		add_pair_gate(&f, "allocations");
		f.s.gates[0].paired.verdict = f.s.gates[0].stored.verdict = VERDICT_REGRESSION;
		assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &base.work, &err), 0);
		assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &head.work, &err), 0);
		assert_int_equal(heap_folded_read(rows[i].base, strlen(rows[i].base), &base.work, &base.allocations, &err), 0);
		assert_int_equal(heap_folded_read(rows[i].head, strlen(rows[i].head), &head.work, &head.allocations, &err), 0);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head, .changes = &changes });
		if (!rows[i].function)
			assert_int_equal(f.s.n_causes, 0);
		else if (f.s.n_causes != 1 || f.s.causes[0].kind != CAUSE_ALLOCATION || strcmp(f.s.causes[0].sentence, rows[i].sentence))
			fail_msg("row %zu: %s", i, f.s.n_causes ? f.s.causes[0].sentence : "no cause");
		evidence_release(&base);
		evidence_release(&head);
		fixture_release(&f);
	}
}

static void what_the_change_touches_comes_first(void **state)
{
	struct change changed[] = { { .path = "prog.c", .base_path = "prog.c", .function = "load", .line = 41, .n_lines = 1 } };
	struct changes changes = { .items = changed, .n = 1, .known = true };
	struct evidence base = { .own = own }, head = { .own = own };
	/* find costs more than load, but the change touches load. */
	static const char both[] =
		"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
		"cfn=(2) find\ncalls=100 20\n12 1090000\ncfn=(3) load\ncalls=1 40\n14 400000\n\n"
		"fn=(2)\n20 490000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
		"fn=(3)\n40 300000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
		"ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1500000\n";
	struct error err = ERROR_INIT;
	struct fixture f;

	(void)state;
	changed[0].now = (struct strv)STRV_INIT;
	strv_push(&changed[0].now, "again();");
	open_case(&f, 150);
	if (callgrind_read(base_work, strlen(base_work), &own, &base.work, &err) < 0)
			fail_msg("%s", err.msg);
	assert_int_equal(callgrind_read(both, strlen(both), &own, &head.work, &err), 0);
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head, .changes = &changes });
	assert_int_equal(f.s.n_causes, 2);
	assert_string_equal(f.s.causes[0].function, "load");
	assert_string_equal(f.s.causes[0].changed, "prog.c:41: added: again()");
	assert_string_equal(f.s.causes[1].function, "find");
	assert_null(f.s.causes[1].changed);
	strv_release(&changed[0].now);
	evidence_release(&base);
	evidence_release(&head);
	fixture_release(&f);
}

/* A caller is the cause only if the change touches it or it does more work itself. */
static void an_untouched_caller_is_no_cause(void **state)
{
	struct change changed[] = { { .path = "prog.c", .base_path = "prog.c", .function = "load", .line = 41, .n_lines = 1 } };
	struct changes changes = { .items = changed, .n = 1, .known = true };
	struct evidence base = { .own = own }, head = { .own = own };
	struct error err = ERROR_INIT;
	struct fixture f;

	(void)state;
	strv_push(&changed[0].now, "again();");
	open_case(&f, 179);
	assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &base.work, &err), 0);
	assert_int_equal(callgrind_read(cases[1].head, strlen(cases[1].head), &own, &head.work, &err), 0);
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head, .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_string_equal(f.s.causes[0].sentence, "find (prog.c:20) costs 79.0 ms more per run: it is called 2.0 times as often");
	strv_release(&changed[0].now);
	evidence_release(&base);
	evidence_release(&head);
	fixture_release(&f);
}

/* Code that moved from a caller into a new function, without a change there, is not counted as additional cost. */
static void a_part_of_its_caller_before(void **state)
{
	struct change changed[] = { { .path = "prog.c", .base_path = "prog.c", .function = "main", .line = 11, .n_lines = 1 } };
	struct changes changes = { .items = changed, .n = 1, .known = true };
	struct evidence base = { .own = own }, head = { .own = own };
	static const char parted[] =
		"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
		"cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 400000\n\n"
		"fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
		"fn=(3)\n40 20000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\ncob=(1)\ncfn=(6) fill\ncalls=100 60\n44 280000\n\n"
		"fn=(6)\n60 280000\n\n"
		"ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1200000\n";
	struct error err = ERROR_INIT;
	struct fixture f;

	(void)state;
	strv_push(&changed[0].now, "again();");
	open_case(&f, 120);
	assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &base.work, &err), 0);
	assert_int_equal(callgrind_read(parted, strlen(parted), &own, &head.work, &err), 0);
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head, .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_string_equal(f.s.causes[0].sentence, "fill (prog.c:60) costs 20.0 ms more per run: it is no longer a part of load");
	strv_release(&changed[0].now);
	evidence_release(&base);
	evidence_release(&head);
	fixture_release(&f);
}

/* If no time regressed, or time does not identify the function, the cost is given in instructions. */
static void instructions_alone_are_explained(void **state)
{
	static const double cpu_ms[] = { 100, 104 };

	(void)state;
	for (size_t i = 0; i < sizeof cpu_ms / sizeof cpu_ms[0]; i++) {
		const struct pair_values cpu = { 100, cpu_ms[i] / 100, 0.001, 20 }, work = { 1e6, 1.2, 0, 20 };
		struct evidence base = { .own = own }, head = { .own = own };
		struct error err = ERROR_INIT;
		struct fixture f;

		fixture_open_pairs(&f);
		measure_pairs(&f, "task-clock", &cpu);
		measure_pairs(&f, "instructions", &work);
		add_pair_gate(&f, "task-clock");
		add_pair_gate(&f, "instructions");
		f.s.pairing.ended = true;
		judge_in_pairs(&f);
		assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &base.work, &err), 0);
		assert_int_equal(callgrind_read(cases[3].head, strlen(cases[3].head), &own, &head.work, &err), 0);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head });
		assert_int_equal(f.s.n_causes, 1);
		if (cpu_ms[i] == 100) {
			assert_int_equal(f.s.causes[0].unit, UNIT_COUNT);
			assert_string_equal(f.s.causes[0].sentence, "load (prog.c:40) costs 200 k instructions more per run: "
								    "it executes 200 % more instructions itself");
		}
		evidence_release(&base);
		evidence_release(&head);
		fixture_release(&f);
	}
}

static void add_sample(struct stacks *stacks, const char *function, const char *object, size_t n)
{
	uint32_t frame = stacks_frame_of(stacks, function, strlen(function), object);

	stacks_add(stacks, stacks_event(stacks, "cpu-clock", 9), 0, &frame, 1, n, (double)n);
}

/* Sets CALL as the only system call. */
static void set_call(struct system_calls *calls, struct system_call call)
{
	calls->items = arena_memdup(&calls->arena, &call, sizeof call);
	calls->n = calls->cap = 1;
}

/* The cost of other programs is attributed to the project function that starts them, if it starts more than before. */
static void programs_that_are_started(void **state)
{
	static const char said[] = "load costs 99.5 ms more per run: it starts other programs, ";
	static const struct {
		bool more, attached;
		double work;
		const char *words;
	} kinds[] = {
		{ false, false, 0, NULL }, { true, false, 0, "9 processes instead of 1" },
		{ true, true, 4, "vfork is called 2 times per unit of work, never before" },
		{ true, true, 8, "vfork is called once per unit of work, never before" },
		{ true, true, 0, "vfork is called in 100 % of the system calls, never before" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		bool more = kinds[i].more;
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		open_case(&f, 200);
		for (unsigned side = 0; side < 2; side++) {
			struct system_calls *calls = &found[side].system_calls;
			bool grown = side && more;

			add_sample(&found[side].cpu, "load", "/p/prog", 2000);
			add_sample(&found[side].cpu, "main", "/usr/bin/dash", side ? 2000 : 10);
			names_resolve(&found[side].cpu);
			calls->processes = calls->threads = grown ? 9 : 1;
			calls->attached = kinds[i].attached;
			calls->work = kinds[i].work;
			set_call(calls, (struct system_call){ .name = "vfork", .calls = grown ? 8 : 0, .caller = "load", .caller_object = "/p/prog" });
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, more);
		if (more) {
			assert_int_equal(f.s.causes[0].kind, CAUSE_SYSTEM_CALLS);
			assert_string_equal(f.s.causes[0].function, "load");
			assert_memory_equal(f.s.causes[0].sentence, said, strlen(said));
			assert_string_equal(f.s.causes[0].sentence + strlen(said), kinds[i].words);
		}
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* A library that differs between the sides is itself the cause. For any other library, its caller is. */
static void a_library_that_is_another_one(void **state)
{
	static const char dearer[] =
		"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n"
		"cfn=(2) find\ncalls=100 20\n12 1990000\ncfn=(3) load\ncalls=1 40\n14 200000\n\n"
		"fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 1800000\n\n"
		"fn=(3)\n40 100000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
		"ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 1800000\nfn=(5)\n1 100000\ntotals: 2200000\n";
	static const struct {
		const char *library;
		enum cause_kind kind;
		const char *sentence;
	} rows[] = {
		{ "libc.so.6 is another file: build-id 12ab34cd -> 56ef7890", CAUSE_LIBRARY,
		  "libc.so.6 is another file: build-id 12ab34cd -> 56ef7890; find (prog.c:20) costs 120 ms more per run: "
		  "strcmp, which it calls, costs more" },
		{ "libm.so.6 is another file: build-id 12ab34cd -> 56ef7890", CAUSE_WORK,
		  "find (prog.c:20) costs 120 ms more per run: strcmp, which it calls, costs more" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence base = { .own = own }, head = { .own = own };
		struct error err = ERROR_INIT;
		struct fixture f;

		open_case(&f, 220);
		assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &base.work, &err), 0);
		assert_int_equal(callgrind_read(dearer, strlen(dearer), &own, &head.work, &err), 0);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head, .library = rows[i].library });
		assert_int_equal(f.s.n_causes, 1);
		assert_int_equal(f.s.causes[0].kind, rows[i].kind);
		assert_string_equal(f.s.causes[0].sentence, rows[i].sentence);
		evidence_release(&base);
		evidence_release(&head);
		fixture_release(&f);
	}
}

/* -------- samples */

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
		stacks_add(stacks, stacks_event(stacks, "cpu-clock", 9), 0, frames, seen->kernel ? 2 : 1, (size_t)(seen->ms[side] * samples_per_ms),
			   seen->ms[side]);
}

/*
 * Adds one side of SEEN to E: as samples if SAMPLES_PER_MS is positive, and as instructions if COUNTED.
 * 10,000 instructions take 1 ms.
 */
static void take_seen(struct evidence *e, const struct seen *seen, int side, double samples_per_ms, bool counted)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	double total = 0;

	strbuf_adds(&text, "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\n");
	for (size_t i = 0; i < SEEN_MOST && seen[i].function; i++) {
		if (samples_per_ms > 0)
			add_seen(&e->cpu, &seen[i], side, samples_per_ms);
		if (seen[i].ms[side] > 0)
			strbuf_addf(&text, "fn=(%zu) %s\n%zu %.0f\n\n", i + 1, seen[i].function, 10 * i + 10, seen[i].ms[side] * 1e4);
		total += seen[i].ms[side] * 1e4;
	}
	strbuf_addf(&text, "totals: %.0f\n", total);
	if (counted)
		assert_int_equal(callgrind_read(text.buf, text.len, &own, &e->work, &(struct error)ERROR_INIT), 0);
	names_resolve(&e->cpu);
}

enum { SURE = 100 };	/* samples per ms */
#define UNSURE 0.4

static void whose_the_cost_is(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct change changed[2];
		struct changes changes = { .items = changed, .known = true };
		struct evidence found[2] = { { .own = own }, { .own = own } };
		CLEANUP(free_ptr) char *words = rows[i].more ? text_printf(" costs %s more per run", rows[i].more) :
							xstrdup("changed, the only place where the sides differ: ");
		const struct cause *first;
		struct fixture f;

		for (; changes.n < 2 && rows[i].changed[changes.n]; changes.n++)
			changed[changes.n] = (struct change){ .path = "prog.c", .base_path = "prog.c", .function = rows[i].changed[changes.n],
							      .line = 5, .n_lines = 1 };
		open_case(&f, rows[i].head_ms);
		for (int side = 0; side < 2; side++)
			take_seen(&found[side], rows[i].seen, side, rows[i].samples_per_ms, rows[i].counted);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
		first = f.s.n_causes ? &f.s.causes[0] : NULL;
		if (f.s.n_causes != rows[i].n || (first && (strcmp(first->function, rows[i].function) || !strstr(first->sentence, words))))
			fail_msg("%s: %zu causes: %s", rows[i].name, f.s.n_causes, first ? first->sentence : "");
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* Counts N lock operations of load, with the same instructions on both sides. */
static void count_locks(struct evidence *e, double n)
{
	CLEANUP(free_ptr) char *text = text_printf(
		"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 900000\n\n"
		"fn=(2) load\n20 100000\ncob=(2) /usr/lib/libc.so.6\ncfn=(3) pthread_mutex_lock\ncalls=%.0f 1\n22 200\n\ntotals: 1000200\n", n);

	assert_int_equal(callgrind_read(text, strlen(text), &own, &e->work, &(struct error)ERROR_INIT), 0);
}

/*
 * Sleeps and writes that must reach the disk (fsync) are waits, even if they take CPU time. Exception: another
 * function makes the calls. Likewise, calls that wake threads waiting for a lock are lock costs.
 */
static void what_the_kernel_works_for(void **state)
{
	static const struct {
		const char *call, *caller;
		double calls[2], locks[2];
		enum cause_kind kind;
	} rows[] = {
		{ "clock_nanosleep", "load", { 1, 500 }, { 0, 0 }, CAUSE_WAITING }, { "nanosleep", NULL, { 0, 500 }, { 0, 0 }, CAUSE_WAITING },
		{ "fsync", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING }, { "fdatasync", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING },
		{ "msync", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING }, { "sync_file_range", "load", { 0, 90 }, { 0, 0 }, CAUSE_WAITING },
		{ "write", "load", { 0, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS }, { "futex", "load", { 0, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS },
		{ "fsync", "find", { 0, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS }, { "fsync", "load", { 90, 90 }, { 0, 0 }, CAUSE_SYSTEM_CALLS },
		{ "futex", "load", { 0, 90 }, { 100, 100 }, CAUSE_LOCK }, { "write", "load", { 0, 90 }, { 100, 200 }, CAUSE_SYSTEM_CALLS },
		{ "futex", "load", { 90, 90 }, { 100, 200 }, CAUSE_LOCK }, { "futex", "load", { 90, 90 }, { 100, 100 }, CAUSE_SYSTEM_CALLS },
	};
	static const struct seen seen[SEEN_MOST] = { { "main", NULL, { 90, 90 } }, { "load", NULL, { 10, 10 } }, { "load", "vfs_work", { 0, 60 } } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		open_case(&f, 160);
		for (int side = 0; side < 2; side++) {
			take_seen(&found[side], seen, side, SURE, false);
			if (rows[i].locks[side] > 0)
				count_locks(&found[side], rows[i].locks[side]);
			set_call(&found[side].system_calls,
				 (struct system_call){ .name = rows[i].call, .calls = rows[i].calls[side], .caller = rows[i].caller });
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		assert_string_equal(f.s.causes[0].function, "load");
		if (f.s.causes[0].kind != rows[i].kind)
			fail_msg("row %zu, %s of %s: %s", i, rows[i].call, rows[i].caller ?: "anyone", cause_kind_names[f.s.causes[0].kind]);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* Page faults rose, but find now has as many as load had. The additional cost of find is its own work. */
static void page_faults_that_moved_give_no_kind(void **state)
{
	static const struct {
		double head_ms, of_load;	/* load's page faults on the head; 50 ms on the base */
		enum cause_kind kind;
	} rows[] = { { 125, 0, CAUSE_WORK }, { 175, 50, CAUSE_FAULTS } };

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct seen seen[SEEN_MOST] = {
			{ "main", NULL, { 30, 30 } }, { "find", NULL, { 10, 35 } }, { "load", NULL, { 10, 10 } },
			{ "load", "asm_exc_page_fault", { 50, rows[i].of_load } }, { "find", "asm_exc_page_fault", { 0, 50 } },
		};
		const struct pair_values cpu = { 100, rows[i].head_ms / 100, 0.001, 20 }, faults = { 1000, 2, 0, 20 };
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		fixture_open_pairs(&f);
		measure_pairs(&f, "task-clock", &cpu);
		measure_pairs(&f, "page-faults", &faults);
		add_pair_gate(&f, "task-clock");
		f.s.pairing.ended = true;
		judge_in_pairs(&f);
		for (int side = 0; side < 2; side++)
			take_seen(&found[side], seen, side, SURE, false);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		assert_string_equal(f.s.causes[0].function, "find");
		if (f.s.causes[0].kind != rows[i].kind)
			fail_msg("row %zu: %s", i, f.s.causes[0].sentence);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/*
 * The larger of two factors determines the kind: number of instructions, or time per instruction. The sentence names
 * both.
 */
static void the_larger_factor_gives_the_kind(void **state)
{
	static const struct {
		double instructions, ms[2];	/* load's on the head, in millions; samples of both sides */
		enum cause_kind kind;
		const char *words;
	} rows[] = {
		{ 4.1, { 100, 943 }, CAUSE_WORK, "4.1 times the instructions, each 2.3 times as slow" },
		{ 1.3, { 100, 169 }, CAUSE_WORK, "30 % more instructions, each 30 % slower" },
		{ 1.2, { 100, 300 }, CAUSE_SLOWER, "20 % more instructions, each 2.5 times as slow (caches" },
		{ 1, { 100, 150 }, CAUSE_SLOWER, "the same instructions, each 50 % slower (caches" },
		{ 3, { 100, 310 }, CAUSE_WORK, "it executes 200 % more instructions itself" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		open_case(&f, rows[i].ms[1]);
		for (int side = 0; side < 2; side++) {
			CLEANUP(free_ptr) char *text = text_printf(
				"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) load\n40 %.0f\n\ntotals: %.0f\n",
				side ? rows[i].instructions * 1e6 : 1e6, side ? rows[i].instructions * 1e6 : 1e6);

			assert_int_equal(callgrind_read(text, strlen(text), &own, &found[side].work, &(struct error)ERROR_INIT), 0);
			add_seen(&found[side].cpu, &(struct seen){ "load", NULL, { rows[i].ms[0], rows[i].ms[1] } }, side, SURE);
			names_resolve(&found[side].cpu);
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		if (f.s.causes[0].kind != rows[i].kind || !strstr(f.s.causes[0].sentence, rows[i].words))
			fail_msg("row %zu: %s: %s", i, cause_kind_names[f.s.causes[0].kind], f.s.causes[0].sentence);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* If instructions are not counted per function, the program's total determines the kind. */
static void totals_give_the_kind(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct pair_values cpu = { 100, 1.93, 0.001, 20 }, simulated = { 4e8, rows[i].factor, 0, 20 },
					 faults = { 4000, rows[i].faults, 0, 20 };
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		fixture_open_pairs(&f);
		measure_pairs(&f, "task-clock", &cpu);
		if (rows[i].factor > 0)
			measure_pairs(&f, "sim-instructions", &simulated);
		measure_pairs(&f, "page-faults", &faults);
		add_pair_gate(&f, "task-clock");
		f.s.pairing.ended = true;
		judge_in_pairs(&f);
		for (int side = 0; side < 2; side++)
			take_seen(&found[side], seen, side, SURE, false);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		if (f.s.causes[0].kind != rows[i].kind)
			fail_msg("row %zu: %s: %s", i, cause_kind_names[f.s.causes[0].kind], f.s.causes[0].sentence);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* Samples alone identify allocation: most of load's additional cost is below malloc, which it calls. */
static void samples_tell_allocation(void **state)
{
	static const struct {
		double itself[2], below[2];	/* ms of load, and of its callee */
		const char *callee;
		enum cause_kind kind;
	} rows[] = {
		{ { 90, 110 }, { 10, 50 }, "malloc", CAUSE_ALLOCATION }, { { 90, 130 }, { 10, 30 }, "malloc", CAUSE_WORK },
		{ { 90, 110 }, { 10, 50 }, "strcmp", CAUSE_WORK },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		open_case(&f, 160);
		for (int side = 0; side < 2; side++) {
			struct stacks *cpu = &found[side].cpu;
			uint32_t frames[] = {
				stacks_frame_of(cpu, "load", 4, "/p/prog"), stacks_frame_of(cpu, rows[i].callee, 6, "/usr/lib/libc.so.6"),
				stacks_frame_of(cpu, "inner", 5, "/usr/lib/libc.so.6"),
			};

			add_seen(cpu, &(struct seen){ "load", NULL, { rows[i].itself[0], rows[i].itself[1] } }, side, SURE);
			stacks_add(cpu, stacks_event(cpu, "cpu-clock", 9), 0, frames, 3, (size_t)(rows[i].below[side] * SURE), rows[i].below[side]);
			names_resolve(cpu);
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		if (f.s.causes[0].kind != rows[i].kind)
			fail_msg("row %zu: %s: %s", i, cause_kind_names[f.s.causes[0].kind], f.s.causes[0].sentence);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* Counts 1,000,000 instructions for main and N for load, in line 40. */
static void count_load(struct evidence *e, double n)
{
	CLEANUP(free_ptr) char *text = text_printf(
		"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 1000000\n\n"
		"fn=(2) load\n40 %.0f\n\ntotals: %.0f\n", n, 1000000 + n);

	assert_int_equal(callgrind_read(text, strlen(text), &own, &e->work, &(struct error)ERROR_INIT), 0);
}

/*
 * Without samples, and with few or no instructions, exact counts name the cause. Otherwise, the only differing place
 * does.
 */
static void counts_alone_tell(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct pair_values cpu = { 100, 1.6, 0.001, 20 }, system = { rows[i].system_ms[0], rows[i].system_ms[1] / rows[i].system_ms[0], 0, 20 };
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct change changed[2];
		struct changes changes = { .items = changed, .known = true };
		const struct cause *first;
		struct fixture f;

		for (; changes.n < 2 && rows[i].changed[changes.n]; changes.n++)
			changed[changes.n] = (struct change){ .path = "prog.c", .base_path = "prog.c", .function = rows[i].changed[changes.n],
							      .line = 5, .n_lines = 1 };
		fixture_open_pairs(&f);
		measure_pairs(&f, "task-clock", &cpu);
		measure_pairs(&f, "system-time", &system);
		add_pair_gate(&f, "task-clock");
		f.s.pairing.ended = true;
		judge_in_pairs(&f);
		for (int side = 0; side < 2; side++) {
			struct system_calls *calls = &found[side].system_calls;
			bool starts = rows[i].processes > 1;

			calls->processes = calls->threads = side ? rows[i].processes : 1;
			set_call(calls, (struct system_call){ .name = starts ? "vfork" : "write", .calls = starts ? calls->processes - 1 : rows[i].calls[side],
							      .caller = "load", .caller_object = "/p/prog" });
			if (rows[i].faults[side] > 0)
				add_seen(&found[side].faults, &(struct seen){ "load", NULL, { rows[i].faults[0], rows[i].faults[1] } }, side, 1);
			names_resolve(&found[side].faults);
			if (rows[i].counted[side] > 0)
				count_load(&found[side], rows[i].counted[side]);
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
		first = f.s.n_causes ? &f.s.causes[0] : NULL;
		if ((rows[i].kind == CAUSE_KINDS) != !first)
			fail_msg("%s: %s", rows[i].name, first ? first->sentence : "no cause");
		if (first && (first->kind != rows[i].kind || strcmp(first->sentence, rows[i].sentence)))
			fail_msg("%s: %s: %s", rows[i].name, cause_kind_names[first->kind], first->sentence);
		if (first)
			assert_true(!(first->share_pct > 100));
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/*
 * Processes and calls that are started many times more often, while instructions explain a small part of the time. If
 * nobody traced them, a call of the C library stands for them.
 */
static void more_calls_outrank_instructions(void **state)
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

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		open_case(&f, 250);
		for (int side = 0; side < 2; side++) {
			CLEANUP(free_ptr) char *text = text_printf(
				"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) load\n20 1000000\n"
				"cob=(2) /usr/lib/libc.so.6\ncfn=(3) %s\ncalls=%d 1\n22 %d\n\nob=(2)\nfl=(2) libc.c\nfn=(3)\n1 %d\ntotals: %d\n",
				rows[i].callee, side ? 400 : 1, side ? 180000 : 450, side ? 180000 : 450, side ? 1180000 : 1000450);

			assert_int_equal(callgrind_read(text, strlen(text), &own, &found[side].work, &(struct error)ERROR_INIT), 0);
			/* The samples show that it takes longer, but not that the kernel does. */
			add_seen(&found[side].cpu, &(struct seen){ "load", NULL, { 100, 250 } }, side, SURE);
			names_resolve(&found[side].cpu);
			found[side].system_calls.processes = found[side].system_calls.threads = side ? rows[i].processes : 1;
			if (rows[i].call)
				set_call(&found[side].system_calls, (struct system_call){ .name = rows[i].call, .calls = rows[i].calls[side], .caller = "load",
											   .caller_object = "/p/prog" });
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		assert_string_equal(f.s.causes[0].function, "load");
		if (f.s.causes[0].kind != rows[i].kind)
			fail_msg("%s: %s: %s", rows[i].name, cause_kind_names[f.s.causes[0].kind], f.s.causes[0].sentence);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* A changed constant is told with the only function that uses it; the calls that a change adds tell the kind. */
static void the_only_place_tells_function_and_kind(void **state)
{
	static const struct {
		const char *function, *line, *word, *use;
		enum cause_kind kind;
		const char *named, *sentence;
		unsigned processes;	/* of the head, without a known caller; 0: not traced */
	} rows[] = {
		{ NULL, "enum { CHUNK = 64 };", "CHUNK", "fill", CAUSE_WORK, "fill",
		  "fill (buffer.c:21) uses CHUNK; buffer.c:5 changed, the only place where the sides differ: 60.0 ms more per run", 0 },
		{ NULL, "enum { CHUNK = 64 };", "CHUNK", NULL, CAUSE_WORK, "buffer.c",
		  "buffer.c:5 changed, the only place where the sides differ: 60.0 ms more per run", 0 },
		{ "take", "char *lower = malloc(n);", "malloc", NULL, CAUSE_ALLOCATION, "take",
		  "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run", 0 },
		{ "take", "fflush(to);", "fflush", NULL, CAUSE_SYSTEM_CALLS, "take",
		  "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run", 0 },
		{ "take", "usleep(1000);", "usleep", NULL, CAUSE_WAITING, "take",
		  "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run", 0 },
		/* The word is the base's */
		{ "take", "char lower[99];", "malloc", NULL, CAUSE_WORK, "take",
		  "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run", 0 },
		{ "take", "return system(name);", "name", NULL, CAUSE_SYSTEM_CALLS, "take",
		  "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run", 24 },
		{ "take", "return system(name);", "name", NULL, CAUSE_WORK, "take",
		  "take (buffer.c:5) changed, the only place where the sides differ: 60.0 ms more per run", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct change change = { .path = "buffer.c", .base_path = "buffer.c", .function = rows[i].function, .line = 5, .n_lines = 1 };
		struct change_use use = { .word = rows[i].word, .path = "buffer.c", .function = rows[i].use, .line = 21 };
		struct changes changes = { .items = &change, .n = 1, .known = true, .uses = &use, .n_uses = rows[i].use != NULL };
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct fixture f;

		strv_push(&change.now, rows[i].line);
		strv_push(&change.words, rows[i].word);
		open_case(&f, 160);
		for (int side = 0; side < 2 && rows[i].processes; side++) {
			found[side].system_calls.processes = side ? rows[i].processes : 2;
			set_call(&found[side].system_calls, (struct system_call){ .name = "vfork", .calls = found[side].system_calls.processes - 1 });
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
		assert_int_equal(f.s.n_causes, 1);
		if (f.s.causes[0].kind != rows[i].kind || strcmp(f.s.causes[0].function, rows[i].named) || strcmp(f.s.causes[0].sentence, rows[i].sentence))
			fail_msg("row %zu: %s, %s: %s", i, cause_kind_names[f.s.causes[0].kind], f.s.causes[0].function, f.s.causes[0].sentence);
		assert_string_equal(f.s.causes[0].changed_at, "buffer.c:5");
		assert_true(f.s.causes[0].amount == 60 && f.s.causes[0].share_pct == 100);
		strv_release(&change.now);
		strv_release(&change.words);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* Counts say that load costs 90 ms more, but the program takes 20 ms more. */
static void an_amount_is_at_most_the_change(void **state)
{
	struct evidence found[2] = { { .own = own }, { .own = own } };
	struct fixture f;

	(void)state;
	open_case(&f, 120);
	assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &found[0].work, &(struct error)ERROR_INIT), 0);
	assert_int_equal(callgrind_read(cases[2].head, strlen(cases[2].head), &own, &found[1].work, &(struct error)ERROR_INIT), 0);
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
	assert_int_equal(f.s.n_causes, 1);
	if (strcmp(f.s.causes[0].sentence, "load (prog.c:40) costs 20.0 ms more per run: it calls malloc 50,000 times instead of 1,000"))
		fail_msg("%s", f.s.causes[0].sentence);
	evidence_release(&found[0]);
	evidence_release(&found[1]);
	fixture_release(&f);
}

/* emit ends in a jump to fflush, so kernel samples show its caller, walk, instead. */
static void a_jump_at_the_end_is_its_function_s(void **state)
{
	struct evidence found[2] = { { .own = own }, { .own = own } };
	struct change change = { .path = "prog.c", .base_path = "prog.c", .function = "emit", .line = 31, .n_lines = 1 };
	struct changes changes = { .items = &change, .n = 1, .known = true };
	struct fixture f;

	(void)state;
	open_case(&f, 200);
	for (int side = 0; side < 2; side++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		strbuf_addf(&text,
			    "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) walk\n10 900000\n"
			    "cfn=(2) emit\ncalls=1000 30\n12 %d\n\nfn=(2)\n30 80000\n%s\n"
			    "ob=(2) /usr/lib/libc.so.6\nfl=(2) libc.c\nfn=(4) fflush\n1 %d\ntotals: %d\n",
			    side ? 100000 : 80000, side ? "cob=(2) /usr/lib/libc.so.6\ncfn=(4) fflush\ncalls=1000 1\n31 20000\n" : "", side ? 20000 : 0,
			    side ? 1000000 : 980000);
		assert_int_equal(callgrind_read(text.buf, text.len, &own, &found[side].work, &(struct error)ERROR_INIT), 0);
		add_seen(&found[side].cpu, &(struct seen){ "walk", NULL, { 4000, 4000 } }, side, 1);
		add_seen(&found[side].cpu, &(struct seen){ "walk", "vfs_write", { 1, 4000 } }, side, 1);
		names_resolve(&found[side].cpu);
	}
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_string_equal(f.s.causes[0].function, "emit");
	assert_int_equal(f.s.causes[0].kind, CAUSE_SYSTEM_CALLS);
	if (!strstr(f.s.causes[0].sentence, ": it calls fflush 1,000 times, never before, and the kernel works longer for it"))
		fail_msg("%s", f.s.causes[0].sentence);
	evidence_release(&found[0]);
	evidence_release(&found[1]);
	fixture_release(&f);
}

/* -------- waiting */

/* A changed function calls another one more often, which makes system calls. The sentence names those calls. */
static void a_callee_s_system_calls(void **state)
{
	struct evidence found[2] = { { .own = own }, { .own = own } };
	struct change change = { .path = "prog.c", .base_path = "prog.c", .function = "next", .line = 11, .n_lines = 1 };
	struct changes changes = { .items = &change, .n = 1, .known = true };
	struct fixture f;

	(void)state;
	open_case(&f, 200);
	for (int side = 0; side < 2; side++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		unsigned calls = side ? 40000 : 1000;

		strbuf_addf(&text,
			    "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) next\n10 900000\n"
			    "cfn=(2) fill\ncalls=%u 30\n12 %u\n\nfn=(2)\n30 %u\ntotals: %u\n", calls, calls, calls, 900000 + calls);
		assert_int_equal(callgrind_read(text.buf, text.len, &own, &found[side].work, &(struct error)ERROR_INIT), 0);
		add_seen(&found[side].cpu, &(struct seen){ "next", NULL, { 4000, 4000 } }, side, 1);
		add_seen(&found[side].cpu, &(struct seen){ "fill", "vfs_read", { 1, 4000 } }, side, 1);
		names_resolve(&found[side].cpu);
		set_call(&found[side].system_calls, (struct system_call){ .name = "read", .calls = calls, .bytes = 2560000, .caller = "fill" });
	}
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_int_equal(f.s.causes[0].kind, CAUSE_SYSTEM_CALLS);
	assert_string_equal(f.s.causes[0].function, "next");
	if (!strstr(f.s.causes[0].sentence,
		    ": it calls fill, which calls read 40,000 times instead of 1,000, 64 bytes each time instead of 2,560"))
		fail_msg("%s", f.s.causes[0].sentence);
	evidence_release(&found[0]);
	evidence_release(&found[1]);
	fixture_release(&f);
}

/*
 * Samples do not show a function that ends in a jump to malloc. The cost is allocation, even if the
 * kernel works longer for that memory.
 */
static void a_jump_to_malloc_is_allocation(void **state)
{
	struct evidence found[2] = { { .own = own }, { .own = own } };
	struct change change = { .path = "prog.c", .base_path = "prog.c", .function = "next", .line = 11, .n_lines = 1 };
	struct changes changes = { .items = &change, .n = 1, .known = true };
	struct fixture f;

	(void)state;
	open_case(&f, 160);
	for (int side = 0; side < 2; side++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		unsigned calls = side ? 4000 : 100, cost = 50 * calls;

		strbuf_addf(&text,
			    "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) next\n10 900000\n"
			    "cfn=(2) page\ncalls=%u 30\n12 %u\n\nfn=(2)\n30 %u\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) malloc\ncalls=%u 1\n31 %u\n\n"
			    "ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 %u\ntotals: %u\n",
			    calls, cost + calls, calls, calls, cost, cost, 900000 + cost + calls);
		assert_int_equal(callgrind_read(text.buf, text.len, &own, &found[side].work, &(struct error)ERROR_INIT), 0);
		add_seen(&found[side].cpu, &(struct seen){ "next", NULL, { 9000, 11000 } }, side, 1);
		add_seen(&found[side].cpu, &(struct seen){ "next", "asm_exc_page_fault", { 1000, 5000 } }, side, 1);
		names_resolve(&found[side].cpu);
	}
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_string_equal(f.s.causes[0].function, "next");
	assert_int_equal(f.s.causes[0].kind, CAUSE_ALLOCATION);
	evidence_release(&found[0]);
	evidence_release(&found[1]);
	fixture_release(&f);
}

/* A changed function exists on its own and, inlined, in its caller. It is reported once. */
static void what_is_inlined_is_told_once(void **state)
{
	static const char copied[] =
		"# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) main\n10 10000\n41 200000\n"
		"cfn=(2) find\ncalls=100 20\n12 790000\ncfn=(3) load\ncalls=1 40\n14 500000\n\n"
		"fn=(2)\n20 190000\ncob=(2) /usr/lib/libc.so.6\ncfn=(4) strcmp\ncalls=6000 1\n22 600000\n\n"
		"fn=(3)\n40 100000\n41 300000\ncob=(2)\ncfn=(5) malloc\ncalls=1000 1\n42 100000\n\n"
		"ob=(2)\nfl=(2) libc.c\nfn=(4)\n1 600000\nfn=(5)\n1 100000\ntotals: 1500000\n";
	struct change changed = { .path = "prog.c", .base_path = "prog.c", .function = "load", .line = 41, .n_lines = 1, .span = { 39, 45 } };
	struct changes changes = { .items = &changed, .n = 1, .known = true };
	struct evidence base = { .own = own }, head = { .own = own };
	struct fixture f;

	(void)state;
	strv_push(&changed.now, "again();");
	open_case(&f, 150);
	assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &base.work, &(struct error)ERROR_INIT), 0);
	assert_int_equal(callgrind_read(copied, strlen(copied), &own, &head.work, &(struct error)ERROR_INIT), 0);
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &base, .head = &head, .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_string_equal(f.s.causes[0].function, "load");
	strv_release(&changed.now);
	evidence_release(&base);
	evidence_release(&head);
	fixture_release(&f);
}

static void add_wait(struct evidence *e, const char *event, const char *function, const char *callee, enum wait_kind kind, double ms)
{
	uint32_t frames[4] = {
		stacks_frame_of(&e->waits, "main", 4, "/p/prog"), stacks_frame_of(&e->waits, function, strlen(function), "/p/prog"),
		stacks_frame_of(&e->waits, callee, strlen(callee), "/usr/lib/libc.so.6"), wait_frame(&e->waits, kind),
	};

	stacks_add(&e->waits, stacks_event(&e->waits, event, strlen(event)), 0, frames, 4, 1, ms * 1e6);
}

/*
 * Additional work outside the project's functions. perl does not show which script function it runs.
 * The dynamic linker counts as start-up. Python reads a compiled script; code outside functions runs at import.
 */
static void what_no_own_function_calls(void **state)
{
	static const struct {
		const char *object, *changed, *inside, *read, *function, *sentence;
		enum cause_kind kind;
	} kinds[] = {
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

	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		struct evidence found[2] = { { .own = own }, { .own = own } };
		struct change change = { .path = kinds[i].changed, .base_path = kinds[i].changed, .function = kinds[i].inside, .line = 10, .n_lines = 1,
					 .base_line = 10, .n_base_lines = 1, .span = { 8, 12 }, .base_span = { 8, 12 } };
		struct changes changes = { .items = &change, .n = 1, .known = true };
		struct fixture f;

		open_case(&f, 160);
		for (unsigned side = 0; side < 2; side++) {
			CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
			struct system_calls *calls = &found[side].system_calls;

			strbuf_addf(&text, "# callgrind format\npositions: line\nevents: Ir\nob=(1) %s\nfl=(1) a.c\nfn=(1) run\n1 %d\ntotals: %d\n",
				    kinds[i].object, side ? 1600000 : 1000000, side ? 1600000 : 1000000);
			assert_int_equal(callgrind_read(text.buf, text.len, &own, &found[side].work, &(struct error)ERROR_INIT), 0);
			calls->files = arena_memdup(&calls->arena, &(struct traced_file){ .path = kinds[i].read }, sizeof *calls->files);
			calls->n_files = calls->cap_files = 1;
		}
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
		assert_int_equal(f.s.n_causes, 1);
		assert_string_equal(f.s.causes[0].sentence, kinds[i].sentence);
		assert_int_equal(f.s.causes[0].kind, kinds[i].kind);
		assert_int_equal(!f.s.causes[0].function, !kinds[i].function);
		if (kinds[i].function)
			assert_string_equal(f.s.causes[0].function, kinds[i].function);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

static void who_makes_it_wait(void **state)
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
	} waiting[] = {
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
	static const char locking[] = "# callgrind format\npositions: line\nevents: Ir\nob=(1) /p/prog\nfl=(1) /p/prog.c\nfn=(1) smooth\n41 10\n"
				      "cob=(2) /usr/lib/libc.so.6\ncfn=(2) pthread_mutex_lock\ncalls=100 1\n41 1000\n\ntotals: 10\n";

	(void)state;
	for (size_t i = 0; i < sizeof waiting / sizeof waiting[0]; i++) {
		struct change changed[] = { { .path = "prog.c", .base_path = "prog.c", .function = waiting[i].changed, .line = 41, .n_lines = 1 } };
		struct changes changes = { .items = changed, .n = 1, .known = waiting[i].changed != NULL };
		struct evidence found[2] = { { .own = own }, { .own = own } };
		const struct pair_values wall = { 100, waiting[i].wall_ms / 100, 0.001, 20 }, cpu = { 98, waiting[i].cpu_ms / 98, 0.001, 20 };
		struct fixture f;

		fixture_open_pairs(&f);
		measure_pairs(&f, "wall-time", &wall);
		measure_pairs(&f, "cpu-time", &cpu);
		measure_pairs(&f, "task-clock", &cpu);
		add_pair_gate(&f, "wall-time");
		f.s.pairing.ended = true;
		judge_in_pairs(&f);
		for (int side = 0; side < 2; side++) {
			struct offcpu_times *times = &found[side].offcpu;

			times->executions = 1;
			for (size_t k = 0; k < 4 && waiting[i].waits[k].event; k++) {
				double ms = side ? waiting[i].waits[k].head_ms : waiting[i].waits[k].base_ms;

				if (ms > 0)
					add_wait(&found[side], waiting[i].waits[k].event, waiting[i].waits[k].function, waiting[i].waits[k].callee,
						 waiting[i].waits[k].kind, ms);
				if (!strcmp(waiting[i].waits[k].event, OFFCPU_HELD))
					times->held_ns[waiting[i].waits[k].kind] += ms * 1e6;
				else if (!strcmp(waiting[i].waits[k].event, OFFCPU_LOCKED))
					times->waited_ns[WAIT_LOCK] += ms * 1e6;
				else
					times->others_ns += ms * 1e6;
			}
			names_resolve(&found[side].waits);
		}
		if (waiting[i].kind == CAUSE_LOCK && waiting[i].changed)
			assert_int_equal(callgrind_read(locking, strlen(locking), &own, &found[1].work, &(struct error)ERROR_INIT), 0);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
		assert_int_equal(f.s.n_causes, 1);
		if (f.s.causes[0].kind != waiting[i].kind || strcmp(f.s.causes[0].function, waiting[i].function) ||
		    strcmp(f.s.causes[0].sentence, waiting[i].sentence))
			fail_msg("%s: %s, %s: %s", waiting[i].name, cause_kind_names[f.s.causes[0].kind], f.s.causes[0].function, f.s.causes[0].sentence);
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

/* Samples without call paths show another function than the only one that changed, whose new calls tell the kind. */
static void the_change_that_samples_miss(void **state)
{
	struct change changed[2] = { { .path = "scan.c", .base_path = "scan.c", .line = 3, .n_lines = 1 },
				     { .path = "scan.c", .base_path = "scan.c", .function = "take", .line = 18, .n_lines = 1 } };
	struct changes changes = { .items = changed, .n = 2, .known = true };
	struct evidence found[2] = { { .own = own }, { .own = own } };
	struct fixture f;

	(void)state;
	strv_push(&changed[1].now, "char *lower = malloc(length + 1);");
	strv_push(&changed[1].words, "malloc");
	open_case(&f, 125);
	for (int side = 0; side < 2; side++) {
		add_seen(&found[side].cpu, &(struct seen){ "count", NULL, { 100, 125 } }, side, SURE);
		names_resolve(&found[side].cpu);
	}
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_string_equal(f.s.causes[0].function, "take");
	if (f.s.causes[0].kind != CAUSE_ALLOCATION || strcmp(f.s.causes[0].sentence, "take (scan.c:18) changed, and count costs 25.0 ms more per run"))
		fail_msg("%s: %s", cause_kind_names[f.s.causes[0].kind], f.s.causes[0].sentence);
	strv_release(&changed[1].now);
	strv_release(&changed[1].words);
	evidence_release(&found[0]);
	evidence_release(&found[1]);
	fixture_release(&f);
}

/* Neither waits nor samples are there, but the calls, and one function changed. */
static void who_sleeps_by_the_calls(void **state)
{
	struct change changed[2] = { { .path = "store.c", .base_path = "store.c", .line = 2, .n_lines = 1 },
				     { .path = "store.c", .base_path = "store.c", .function = "drop", .line = 88, .n_lines = 1 } };
	struct changes changes = { .items = changed, .n = 2, .known = true };
	const struct pair_values wall = { 326, 666.0 / 326, 0.001, 20 }, cpu = { 96, 109.0 / 96, 0.001, 20 };
	struct evidence found[2] = { { .own = own }, { .own = own } };
	struct fixture f;

	(void)state;
	fixture_open_pairs(&f);
	measure_pairs(&f, "wall-time", &wall);
	measure_pairs(&f, "cpu-time", &cpu);
	measure_pairs(&f, "task-clock", &cpu);
	add_pair_gate(&f, "wall-time");
	add_pair_gate(&f, "task-clock");
	f.s.pairing.ended = true;
	judge_in_pairs(&f);
	for (int side = 0; side < 2; side++)
		set_call(&found[side].system_calls, (struct system_call){ .name = "clock_nanosleep", .calls = side ? 106 : 0 });
	causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1], .changes = &changes });
	assert_int_equal(f.s.n_causes, 1);
	assert_int_equal(f.s.causes[0].kind, CAUSE_WAITING);
	assert_string_equal(f.s.causes[0].function, "drop");
	if (!strstr(f.s.causes[0].sentence, "drop (store.c:88) sleeps 327 ms more per run: clock_nanosleep is called 106 times, never before"))
		fail_msg("%s", f.s.causes[0].sentence);
	evidence_release(&found[0]);
	evidence_release(&found[1]);
	fixture_release(&f);
}

/*
 * Time while other processes have the CPUs is not waiting. If a known cost rose, it is reported; otherwise no function
 * is named.
 */
static void time_that_nobody_saw(void **state)
{
	(void)state;
	for (int counted = 0; counted < 2; counted++) {
		const struct pair_values wall = { 100, 1.5, 0.001, 20 }, cpu = { 90, counted ? 1.1 : 1, 0.001, 20 };
		struct evidence found[2] = { { .own = own, .offcpu = { .executions = 1 } }, { .own = own, .offcpu = { .executions = 1 } } };
		struct error err = ERROR_INIT;
		struct fixture f;

		fixture_open_pairs(&f);
		measure_pairs(&f, "wall-time", &wall);
		measure_pairs(&f, "cpu-time", &cpu);
		measure_pairs(&f, "task-clock", &cpu);
		add_pair_gate(&f, "wall-time");
		add_pair_gate(&f, "task-clock");
		f.s.pairing.ended = true;
		judge_in_pairs(&f);
		assert_int_equal(callgrind_read(base_work, strlen(base_work), &own, &found[0].work, &err), 0);
		assert_int_equal(callgrind_read(counted ? cases[3].head : base_work, strlen(counted ? cases[3].head : base_work), &own,
						&found[1].work, &err), 0);
		causes_find(&f.s, &f.base, &(struct cause_input){ .base = &found[0], .head = &found[1] });
		assert_int_equal(f.s.n_causes, 1);
		if (counted)
			assert_string_equal(f.s.causes[0].function, "load");
		else
			assert_null(f.s.causes[0].function);
		assert_string_equal(f.s.causes[0].sentence, counted ? "load (prog.c:40) costs 9.00 ms more per run: it executes 200 % more instructions itself" :
				    "50.0 ms more per run pass in which it neither runs nor was seen to wait");
		evidence_release(&found[0]);
		evidence_release(&found[1]);
		fixture_release(&f);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_function_and_its_kind_are_named),
		cmocka_unit_test(what_did_not_regress_has_no_cause),
		cmocka_unit_test(memory_that_rose_has_an_owner),
		cmocka_unit_test(what_the_change_touches_comes_first),
		cmocka_unit_test(an_untouched_caller_is_no_cause),
		cmocka_unit_test(a_part_of_its_caller_before),
		cmocka_unit_test(instructions_alone_are_explained),
		cmocka_unit_test(programs_that_are_started),
		cmocka_unit_test(a_library_that_is_another_one),
		cmocka_unit_test(whose_the_cost_is),
		cmocka_unit_test(what_the_kernel_works_for),
		cmocka_unit_test(the_larger_factor_gives_the_kind),
		cmocka_unit_test(totals_give_the_kind),
		cmocka_unit_test(samples_tell_allocation),
		cmocka_unit_test(counts_alone_tell),
		cmocka_unit_test(page_faults_that_moved_give_no_kind),
		cmocka_unit_test(more_calls_outrank_instructions),
		cmocka_unit_test(the_only_place_tells_function_and_kind),
		cmocka_unit_test(an_amount_is_at_most_the_change),
		cmocka_unit_test(a_jump_at_the_end_is_its_function_s),
		cmocka_unit_test(a_callee_s_system_calls),
		cmocka_unit_test(a_jump_to_malloc_is_allocation),
		cmocka_unit_test(what_is_inlined_is_told_once),
		cmocka_unit_test(what_no_own_function_calls),
		cmocka_unit_test(who_makes_it_wait),
		cmocka_unit_test(the_change_that_samples_miss),
		cmocka_unit_test(who_sleeps_by_the_calls),
		cmocka_unit_test(time_that_nobody_saw),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
