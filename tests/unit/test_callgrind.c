/* Reads callgrind output, of real programs and made up, into instructions by function, line, call and own function. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "ledger_view.h"
#include "golden.h"

static const struct own_code own = { .root = "/srv/shop" };

static void read_text(const char *text, struct work *work)
{
	struct error err = ERROR_INIT;

	if (callgrind_read(text, strlen(text), &own, work, &err) < 0)
		fail_msg("line %u: %s", err.at.line, err.msg);
}

static void read_recording(const char *name, struct work *work)
{
	CLEANUP(free_ptr) char *path = text_printf("tests/fixtures/callgrind/%s.out.xz", name);
	CLEANUP(strbuf_release) struct strbuf text = read_file(path);

	read_text(text.buf, work);
}

static const struct work_function *function(const struct work *work, const char *key)
{
	for (size_t i = 0; i < work->n_functions; i++)
		if (!strcmp(work->functions[i].code.key, key))
			return &work->functions[i];
	fail_msg("there is no %s", key);
	return NULL;
}

static double line_of(const struct work *work, const char *key, const char *source, unsigned line)
{
	for (size_t i = 0; i < work->n_lines; i++)
		if (!strcmp(work->functions[work->lines[i].function].code.key, key) && work->lines[i].line == line &&
		    !strcmp(path_name(work->lines[i].source), source))
			return work->lines[i].self;
	return 0;
}

static const struct work_call *call(const struct work *work, const char *caller, const char *callee)
{
	for (size_t i = 0; i < work->n_calls; i++)
		if (!strcmp(work->functions[work->calls[i].caller].code.key, caller) &&
		    !strcmp(work->functions[work->calls[i].callee].code.key, callee))
			return &work->calls[i];
	return NULL;
}

static const struct own_cost *cost(const struct own_costs *costs, const char *key)
{
	for (size_t i = 0; i < costs->n; i++)
		if (!strcmp(costs->items[i].code->key, key))
			return &costs->items[i];
	fail_msg("%s costs nothing", key);
	return NULL;
}

/* Computes the costs. Nothing is counted twice or lost. */
static void costs_of(const struct work *work, struct own_costs *costs)
{
	double self = 0, sum = 0;

	work_own_costs(work, costs);
	for (size_t i = 0; i < work->n_functions; i++)
		self += work->functions[i].self;
	for (size_t i = 0; i < costs->n; i++) {
		double foreign = 0;

		for (size_t k = 0; k < costs->items[i].n_foreign; k++)
			foreign += costs->items[i].foreign[k].cost;
		assert_true(fabs(costs->items[i].cost - costs->items[i].self - foreign) < 1e-6 * work->total);
		assert_true(costs->items[i].code->own);
		sum += costs->items[i].cost;
	}
	assert_true(fabs(self - work->total) < 1e-6 * work->total);
	assert_true(fabs(costs->total - work->total) < 1e-6 * work->total);
	assert_true(fabs(sum + costs->unowned - work->total) < 1e-6 * work->total);
}

/* -------- recordings */

TEST(calls_of_a_c_program)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };
	const struct work_function *find;
	const struct own_cost *c;

	read_recording("calls", &work);
	assert_true(work.total == 59582);
	find = function(&work, "find");
	assert_string_equal(find->code.function, "find");
	assert_string_equal(find->code.object, "/srv/shop/small");
	assert_string_equal(find->code.source, "/srv/shop/small.c");
	assert_int_equal(find->code.line, 11);
	assert_true(find->code.own && find->calls == 40 && find->self == 15404);
	assert_false(function(&work, "msort_with_tmp")->code.own);
	/* inlined code belongs to the function, but keeps its own file */
	assert_true(line_of(&work, "find", "inl.h", 3) == 120);
	assert_true(line_of(&work, "find", "small.c", 14) == 9644);
	assert_true(call(&work, "find", "__strcmp_avx2")->calls == 1600 && call(&work, "find", "__strcmp_avx2")->total == 32000);
	/* a recursion is one function */
	assert_true(function(&work, "fib")->calls == 89 && function(&work, "even")->calls == 11);
	costs_of(&work, &costs);
	assert_int_equal(costs.n, 6);
	assert_true(costs.unowned == 0);
	c = &costs.items[0];
	assert_string_equal(c->code->key, "find");
	assert_true(c->cost == 47404 && c->self == 15404 && c->calls == 40);
	assert_int_equal(c->n_foreign, 1);
	assert_string_equal(c->foreign[0].name, "strcmp");
	assert_true(c->foreign[0].cost == 32000 && c->foreign[0].calls == 1600);
	/* qsort's callbacks are not counted at the call of qsort */
	c = cost(&costs, "main");
	assert_string_equal(c->foreign[0].name, "qsort");
	assert_true(c->foreign[0].cost == 5147);
	assert_true(call(&work, "main", "qsort")->total > 9000);
	c = cost(&costs, "cmp");
	assert_true(c->cost == 3984 && c->calls == 166 && c->foreign[0].calls == 166);
}

TEST(templates_and_mangled_names)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };
	const struct own_cost *c;

	read_recording("templates", &work);
	costs_of(&work, &costs);
	assert_int_equal(costs.n, 5);
	/* template code of a library, instantiated for this program, belongs to the library */
	c = &costs.items[0];
	assert_string_equal(c->code->key, "shop::order(std::vector<shop::Item, std::allocator<shop::Item> >&)");
	assert_string_equal(c->foreign[0].name, "std::__introsort_loop");
	assert_true(c->cost == 19575 && c->self == 950);
	c = cost(&costs, "shop::Cheaper::operator()(shop::Item const&, shop::Item const&) const");
	assert_true(c->cost == 5427 && c->calls == 1809);
	/* the function's first instruction is a library's, but its location is not */
	c = cost(&costs, "long shop::add<shop::Item>(std::vector<shop::Item, std::allocator<shop::Item> > const&)");
	assert_string_equal(c->code->source, "/srv/shop/sorts.cc");
	assert_int_equal(c->code->line, 11);
	cost(&costs, "app::work");
}

TEST(processes_add_up)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };

	read_recording("calls", &work);
	read_recording("templates", &work);
	read_recording("calls", &work);
	assert_true(work.total == 2 * 59582 + 31248);
	assert_true(function(&work, "find")->self == 2 * 15404 && call(&work, "find", "__strcmp_avx2")->calls == 3200);
	assert_true(line_of(&work, "find", "inl.h", 3) == 240);
	costs_of(&work, &costs);
	assert_true(cost(&costs, "find")->cost == 2 * 47404);
	assert_true(cost(&costs, "app::work")->calls == 1);
}

/* -------- made up */

#define HEAD "version: 1\npositions: line\nevents: Ir\n"
#define OWN "ob=/srv/shop/app\nfl=/srv/shop/a.c\n"
#define LIB "ob=/lib/libc.so.6\nfl=x.c\n"

TEST(positions_and_columns)
{
	CLEANUP(work_release) struct work work = { 0 };

	read_text("# callgrind format\nversion: 1\ncmd: ./a b\ndesc: Trigger: x\nthread: 1\npositions: instr line\nevents: Dr Ir Dw\n"
		  "ob=(1) /srv/shop/app\nfl=(1) a.c\nfn=(1) f\n0x401000 10 7 100 7\n+4 +2 0 20\n+4 * 0 3 9\n+2 -1 5\n* 40\n"
		  "jump=3 +2 +5\n+2 45\njcnd=1/3 +2 +5\n+2 46\n"
		  "cob=(2) /lib/l.so\ncfl=(2) b.c\ncfn=(2) g\ncalls=4 0x500 7\n+4 +2 1 1000 2\n"
		  "fn=(3) h\n+0 12 0 5\n\npart: 2\nsummary: 1 2\nfn=(1)\n0 10 0 1000\ntotals: 1 1133 1\n", &work);
	assert_true(work.total == 1128);
	assert_true(function(&work, "f")->self == 1123 && function(&work, "h")->self == 5);
	assert_true(line_of(&work, "f", "a.c", 10) == 1100 && line_of(&work, "f", "a.c", 12) == 23);
	assert_true(call(&work, "f", "g")->calls == 4 && call(&work, "f", "g")->total == 1000);
	assert_string_equal(function(&work, "g")->code.object, "/lib/l.so");
	assert_true(function(&work, "g")->code.line == 7 && !strcmp(function(&work, "g")->code.source, "b.c"));
}

/* A function is located at its entry, even if inlined code comes from lines above it. */
TEST(functions_are_where_they_are_entered)
{
	CLEANUP(work_release) struct work work = { 0 };

	read_text(HEAD OWN "fn=f\n31 5\n11 50\n+22 5\ncfn=g\ncalls=1 +8\n* 3\nfn=g\n12 1\n41 2\nfn=main\n50 1\ncfn=f\ncalls=1 -19\n* 63\n"
		  "cfi=/usr/include/x.h\ncfn=h\ncalls=1 900\n* 1\nfl=/usr/include/x.h\nfn=h\n900 1\nfi=/srv/shop/a.c\n72 1\n70 1\n"
		  "totals: 67\n", &work);
	assert_int_equal(function(&work, "f")->code.line, 31);
	assert_int_equal(function(&work, "g")->code.line, 41);
	assert_int_equal(function(&work, "main")->code.line, 50);
	assert_int_equal(function(&work, "h")->code.line, 70);
}

TEST(names_are_reused_and_whole)
{
	CLEANUP(work_release) struct work work = { 0 };

	read_text(HEAD "ob=(1) /srv/shop/a b (c)\nfl=(1) a.c\nfn=(1) f\n1 1\nfn=(below main)\n1 2\nfn=(2) (12)x\n1 4\nfn=(1)\n1 8\n"
		  "fl=(2) b.c\nfn=(3) f\n1 16\nfl=(3) ???\nfn=(4) ???\n0 32\ntotals: 63\n", &work);
	assert_true(function(&work, "f")->self == 25);	/* two files: the same object and name make one function */
	assert_true(function(&work, "(below main)")->self == 2 && !function(&work, "(below main)")->code.own);
	assert_true(function(&work, "(12)x")->self == 4);
	assert_true(function(&work, "[unknown]")->self == 32);
	assert_string_equal(function(&work, "f")->code.object, "/srv/shop/a b (c)");
}

/* A symbol may contain a line feed. Paths are normalised. */
TEST(names_go_on_and_paths_are_tidy)
{
	CLEANUP(work_release) struct work work = { 0 };

	read_text("positions: line\nevents: Ir\nob=(1) /srv/shop/a\nfl=(1) /srv/shop/build/../src/./x.c\nfn=(1) odd\n<name>\n12 7\n"
		  "totals: 7\n", &work);
	assert_float_equal(function(&work, "odd <name>")->self, 7, 0);
	assert_string_equal(function(&work, "odd <name>")->code.source, "/srv/shop/src/x.c");
	assert_float_equal(line_of(&work, "odd <name>", "x.c", 12), 7, 0);
}

TEST(stubs_are_passed)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };
	static const char text[] = HEAD
		OWN "fn=f\n1 100\ncfn=0x0000000000001040\ncalls=10 0\n2 530\ncfn=0x0000000000002000\ncalls=1 0\n2 9000\n"
		"fn=g\n5 10\ncfn=0x0000000000001040\ncalls=5 0\n2 265\n"
		"fl=???\nfn=0x0000000000001040\n0 45\ncob=/lib/libc.so.6\ncfn=strcmp\ncalls=15 0\n0 750\n"
		"fn=0x0000000000002000\n0 9000\n"
		LIB "fn=strcmp\n1 750\ntotals: 9905\n";

	read_text(text, &work);
	assert_true(call(&work, "f", "strcmp")->calls == 10 && fabs(call(&work, "f", "strcmp")->total - 500) < 1e-6);
	assert_true(call(&work, "f", "[unknown]")->calls == 1);
	assert_null(call(&work, "[unknown]", "strcmp"));
	assert_true(function(&work, "f")->self == 130 && function(&work, "g")->self == 25);
	costs_of(&work, &costs);
	/* unnamed code in an object that has names belongs to its callers */
	assert_int_equal(costs.n, 2);
	assert_true(fabs(cost(&costs, "f")->cost - 9630) < 1e-6 && fabs(cost(&costs, "g")->cost - 275) < 1e-6);
	assert_true(costs.unowned == 0);
}

TEST(a_stripped_program_is_own)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };

	read_text(HEAD "ob=/srv/shop/app\nfl=???\nfn=0x0000000000001040\n0 45\ncfn=0x1050\ncalls=1 0\n0 100\nfn=0x1050\n0 100\n"
		  LIB "fn=_start\n1 5\ntotals: 150\n", &work);
	costs_of(&work, &costs);
	assert_int_equal(costs.n, 1);
	assert_string_equal(costs.items[0].code->function, "[unknown]");
	assert_true(costs.items[0].cost == 145 && costs.unowned == 5);
}

/* Foreign functions may call each other in a cycle. The totals of such calls are meaningless. */
TEST(circles_end)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };

	read_text(HEAD OWN "fn=f\n1 10\ncob=/lib/libc.so.6\ncfn=a\ncalls=3 0\n2 300\n"
		  "fn=g\n1 20\ncob=/lib/libc.so.6\ncfn=b\ncalls=1 0\n2 100\n"
		  LIB "fn=a\n1 50\ncfn=b\ncalls=900 0\n1 90000\ncfn=a\ncalls=5 0\n1 1000\ncfn=d\ncalls=1 0\n1 40\n"
		  "fn=b\n1 150\ncfn=a\ncalls=900 0\n1 80000\ncfn=c\ncalls=2 0\n1 160\n"
		  "fn=c\n1 160\ncob=/srv/shop/app\ncfn=back\ncalls=1 0\n1 7\n"
		  "fn=d\n1 40\nfn=alone\n1 1000\ncfn=alone\ncalls=3 0\n1 900\n"
		  OWN "fn=back\n9 7\ntotals: 1437\n", &work);
	costs_of(&work, &costs);
	assert_true(work.total == 1437);
	assert_int_equal(costs.n, 3);
	assert_true(fabs(cost(&costs, "f")->cost - 310) < 1e-6 && fabs(cost(&costs, "g")->cost - 120) < 1e-6);
	assert_true(cost(&costs, "back")->cost == 7 && costs.unowned == 1000);
}

TEST(what_is_linked_in_is_foreign)
{
	CLEANUP(work_release) struct work work = { 0 };

	read_text(HEAD OWN "fn=f\n1 10\nfl=???\nfn=__memset_avx2_unaligned\n0 10\nfn=mine\n0 10\nfl=/usr/include/c++/12/x.h\nfn=h\n1 10\n"
		  "fi=/srv/shop/b.h\n7 1\nfl=/usr/include/c++/12/x.h\nfn=templ\n1 10\nfl=/srv/shop/r.c\nfn=read\n1 5\ntotals: 66\n", &work);
	assert_true(function(&work, "f")->code.own && function(&work, "mine")->code.own && function(&work, "h")->code.own);
	assert_string_equal(function(&work, "h")->code.source, "/srv/shop/b.h");
	assert_true(function(&work, "read")->code.own);
	assert_false(function(&work, "templ")->code.own || function(&work, "__memset_avx2_unaligned")->code.own);
	assert_true(function(&work, "mine")->code.own);
	/* with a statically linked C library */
	read_text(HEAD OWN "fl=???\nfn=__libc_setup_tls\n0 1\nfn=msort\n0 1\ntotals: 2\n", &work);
	assert_false(function(&work, "msort")->code.own || function(&work, "mine")->code.own);
	assert_true(function(&work, "f")->code.own);
}

TEST(what_is_none_is_refused)
{
	static const struct { const char *text, *expected; unsigned line; } cases[] = {
		{ "", "it does not say what it counts (\"events:\")", 0 },
		{ "desc: x\nsummary: 5\n", "it does not say what it counts (\"events:\")", 2 },
		{ "hello world\n", "unknown line", 1 },
		{ HEAD "1 1\n", "costs come before the function that they are of", 4 },
		{ "fn=f\n1 1\n", "costs come before the line that says what they are of (\"events:\")", 2 },
		{ "positions: instr\n", "it has no numbers of lines (--dump-line=yes)", 1 },
		{ "events: Dr Irx\n", "it counts no instructions (\"Ir\") and no time (\"ns\")", 1 },
		{ HEAD "fn=f\n-1 1\n", "expected the number of a line", 5 },
		{ HEAD "fn=f\n99999999999999999999 1\n", "expected the number of a line", 5 },
		{ HEAD "fn=f\n1 x\n", "expected a number of costs", 5 },
		{ HEAD "fn=f\n1 -4\n", "expected a number of costs", 5 },
		{ HEAD "fn=f\n1 1e999\n", "expected a number of costs", 5 },
		{ "positions: instr line\nevents: Ir\nfn=f\n1\n", "a line of costs has too few positions", 4 },
		{ HEAD "fn=(3)\n", "the number of a name comes before the name", 4 },
		{ HEAD "fn=(99999999999) x\n", "the number of a name is too large", 4 },
		{ HEAD "fn=f\ncalls=1 2\n", "calls come before the function that is called", 5 },
		{ HEAD "fn=f\ncfn=g\ncalls=x\n", "expected a number of costs", 6 },
		{ HEAD "fn=f\ncfn=g\ncalls=1 2\nfn=h\n", "calls have no line of costs", 7 },
		{ HEAD "fn=f\n1 1\n", "it was cut off", 5 },
		{ HEAD "summary: 100\nfn=f\n1 90\n", "it was cut off", 6 },
		{ HEAD "fn=f\ncfn=g\ncalls=1 2\n", "it was cut off", 6 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(work_release) struct work work = { 0 };
		struct error err = ERROR_INIT;

		assert_int_equal(callgrind_read(cases[i].text, strlen(cases[i].text), &own, &work, &err), -1);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, cases[i].expected) || err.at.line != cases[i].line)
			fail_msg("case %zu: line %u: %s", i, err.at.line, err.msg);
		assert_true(work.n_functions == 0 && work.total == 0);
	}
}

/* A library's append() allocates for its caller: malloc costs 30, brk behind it 20, append itself 10. */
TEST(who_allocates_behind_others)
{
	static const char text[] =
		"events: Ir\n"
		"ob=/srv/shop/small\nfl=/srv/shop/small.c\nfn=add\n5 100\n"
		"cob=/usr/lib/libc.so.6\ncfl=text.c\ncfn=append\ncalls=4 1\n6 60\n"
		"ob=/usr/lib/libc.so.6\nfl=text.c\nfn=append\n1 10\ncfn=malloc\ncalls=4 9\n2 50\n"
		"fn=malloc\n9 30\ncfn=brk\ncalls=1 20\n9 20\n"
		"fn=brk\n20 20\n\ntotals: 160\n";
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };
	const struct own_cost *add;

	read_text(text, &work);
	costs_of(&work, &costs);
	add = cost(&costs, "add");
	assert_true(add->cost == 160 && add->self == 100 && add->allocating == 50);
	assert_string_equal(add->foreign[0].name, "append");
}

TEST(nothing_costs_nothing)
{
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(work_release) struct work work = { 0 };

	work_own_costs(&work, &costs);
	assert_true(costs.n == 0 && costs.total == 0 && costs.unowned == 0);
}
