/* Functions touched by a diff: found by executed lines, names and calls. Also the description of a change. */
#include "unit.h"

#include "cause/ledger/touched.h"
#include "cause/ledger/work.h"
#include "model/side.h"
#include "profile/names.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define SRC "/srv/base/src/"

static struct change changes_made[] = {
	{ .path = "src/mem.c", .base_path = "src/mem.c", .function = "grow", .line = 12, .n_lines = 1, .base_line = 12, .n_base_lines = 1,
	  .span = { 10, 15 }, .base_span = { 10, 15 } },
	{ .path = "src/mem.c", .base_path = "src/mem.c", .holder = "LIMIT", .line = 2, .n_lines = 1, .base_line = 2, .n_base_lines = 1 },
	{ .path = "src/util.h", .base_path = "src/util.h", .function = "hash_of", .line = 7, .n_lines = 0, .base_line = 7, .n_base_lines = 2,
	  .span = { 5, 9 }, .base_span = { 5, 11 } },
	{ .path = "src/poly.cc", .base_path = "src/poly.cc", .function = "Poly::area", .line = 30, .n_lines = 1, .base_line = 30, .n_base_lines = 1 },
	{ .path = "src/cold.c", .base_path = "src/cold.c", .function = "never", .line = 3, .n_lines = 1, .base_line = 3, .n_base_lines = 1 },
};
static struct change_use uses_made[] = {
	{ .change = 1, .word = "LIMIT", .path = "src/mem.c", .function = "fill", .line = 22 },
};
static const struct changes changes = {
	.items = changes_made, .n = COUNT(changes_made), .uses = uses_made, .n_uses = COUNT(uses_made), .known = true,
};

enum { MAIN, RUN, GROW, FILL, FIND, AREA, QSORT, COMPARE, OTHER, GROW_LIB };

static struct work_function functions_made[] = {
	[MAIN] = { { "main", "main", "/app", SRC "main.c", 1, true }, 5, 1 },
	[RUN] = { { "run", "run", "/app", SRC "main.c", 20, true }, 5, 1 },
	[GROW] = { { "grow.constprop.0", "grow", "/app", SRC "mem.c", 11, true }, 50, 10 },
	[FILL] = { { "fill", "fill", "/app", SRC "mem.c", 20, true }, 50, 10 },
	[FIND] = { { "find", "find", "/app", SRC "find.c", 3, true }, 50, 10 },
	[AREA] = { { "Poly::area() const", "Poly::area() const", "/app", NULL, 0, true }, 50, 10 },
	[QSORT] = { { "qsort", "qsort", "/lib/libc.so.6", NULL, 0, false }, 50, 10 },
	[COMPARE] = { { "compare", "compare", "/app", SRC "compare.c", 3, true }, 50, 10 },
	[OTHER] = { { "other", "other", "/app", SRC "other.c", 3, true }, 1, 1 },
	[GROW_LIB] = { { "grow", "grow", "/app", SRC "vendor/other.c", 3, true }, 1, 1 },
};
static struct work_line lines_made[] = {
	{ GROW, SRC "mem.c", 11, 10 }, { GROW, SRC "mem.c", 12, 40 }, { FILL, SRC "mem.c", 22, 9 }, { FIND, SRC "find.c", 3, 9 },
	{ FIND, SRC "util.h", 6, 100 }, { COMPARE, SRC "compare.c", 3, 1 }, { OTHER, SRC "other.c", 3, 1 },
};
static struct work_call calls_made[] = {
	{ MAIN, RUN, 1, 500 }, { RUN, QSORT, 1, 400 }, { QSORT, COMPARE, 9, 300 }, { COMPARE, FILL, 9, 100 }, { GROW, OTHER, 1, 1 },
};
static const struct work work = {
	.functions = functions_made, .n_functions = COUNT(functions_made), .lines = lines_made, .n_lines = COUNT(lines_made),
	.calls = calls_made, .n_calls = COUNT(calls_made), .total = 1000,
};

TEST(functions_are_touched)
{
	static const struct {
		int function, change;	/* -1: none */
		enum touch_how how;
		const char *through;
		unsigned distance;
	} cases[] = {
		{ GROW, 0, TOUCH_BODY, NULL, 0 }, { FILL, 1, TOUCH_WORD, "LIMIT", 0 }, { FIND, 2, TOUCH_INLINED, "hash_of", 0 },
		/* Without lines the name decides; a function of another file is different */
		{ AREA, 3, TOUCH_BODY, NULL, 0 }, { GROW_LIB, -1, 0, NULL, 0 },
		{ COMPARE, 1, TOUCH_CALLEE, "fill", 1 }, { OTHER, 0, TOUCH_CALLER, "grow.constprop.0", 1 },
		/* A function reached only through the library is not touched */
		{ RUN, -1, 0, NULL, 0 }, { MAIN, -1, 0, NULL, 0 },
	};
	CLEANUP(touched_release) struct touched touched;

	touched_init(&touched, &changes, &work, &work);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct touch touch;

		assert_int_equal(touched_find(&touched, &functions_made[cases[i].function].code, &touch), cases[i].change >= 0);
		if (cases[i].change < 0)
			continue;
		assert_int_equal(touch.how, cases[i].how);
		assert_ptr_equal(touch.change, &changes_made[cases[i].change]);
		if (cases[i].through)
			assert_string_equal(touch.through, cases[i].through);
		else
			assert_null(touch.through);
		assert_int_equal(touch.distance, cases[i].distance);
	}
}

TEST(foreign_code_calls_back)
{
	struct work_call calls[] = { { RUN, QSORT, 1, 400 }, { QSORT, FILL, 9, 300 } };
	struct work back = work;
	CLEANUP(touched_release) struct touched touched;
	struct touch touch;

	back.calls = calls;
	back.n_calls = COUNT(calls);
	touched_init(&touched, &changes, NULL, &back);
	assert_true(touched_find(&touched, &functions_made[RUN].code, &touch));
	assert_int_equal(touch.how, TOUCH_CALLEE);
	assert_string_equal(touch.through, "fill");
	assert_int_equal(touch.distance, 2);
}

/*
 * Two modules have a parse.c with a function of the same name. The trees of both sides differ; the module's folder
 * identifies the function.
 */
TEST(modules_are_told_apart)
{
	static struct change one[] = {
		{ .path = "src/a/parse.c", .base_path = "src/a/parse.c", .function = "parse", .line = 4, .n_lines = 1, .base_line = 4, .n_base_lines = 1 },
	};
	const struct changes parse = { .items = one, .n = 1, .known = true };
	struct work_function before[] = {
		{ { "parse", "parse", "/app", SRC "a/parse.c", 1, true }, 5, 1 }, { { "parse", "parse", "/app", SRC "b/parse.c", 1, true }, 5, 1 },
	};
	struct work_function now[] = {
		{ { "parse", "parse", "/app", "/srv/head/src/a/parse.c", 1, true }, 5, 1 },
		{ { "parse", "parse", "/app", "/srv/head/src/b/parse.c", 1, true }, 5, 1 },
	};
	struct work base = { .functions = before, .n_functions = 2 }, head = { .functions = now, .n_functions = 2 };
	CLEANUP(touched_release) struct touched touched;
	struct touch touch;

	touched_init(&touched, &parse, &base, &head);
	assert_true(touched_find(&touched, &now[0].code, &touch));
	assert_false(touched_find(&touched, &now[1].code, &touch));
}

TEST(what_is_gone_is_found_in_the_base)
{
	static struct change gone[] = {
		{ .path = "a.py", .base_path = "old.py", .line = 4, .base_line = 5, .n_base_lines = 1 },
		{ .path = "b.py", .base_path = "b.py", .line = 9, .n_lines = 1, .base_line = 8 },
	};
	const struct changes removed = { .items = gone, .n = 2, .known = true };
	struct work_function function = { { "<module>", "<module>", "/x/old.py", "/x/old.py", 1, true }, 5, 1 };
	struct work_line line = { 0, "/x/old.py", 5, 3 };
	struct work base = { .functions = &function, .n_functions = 1, .lines = &line, .n_lines = 1 };
	struct touched touched;
	struct touch touch;

	touched_init(&touched, &removed, &base, NULL);
	assert_true(touched_find(&touched, &function.code, &touch));
	assert_ptr_equal(touch.change, &gone[0]);
	touched_release(&touched);
	/* In the head that line number is a different line. */
	touched_init(&touched, &removed, NULL, &base);
	assert_false(touched_find(&touched, &function.code, &touch));
	touched_release(&touched);
}

TEST(the_line_that_costs_is_named)
{
	static struct change two[] = {
		{ .path = "a.c", .base_path = "a.c", .function = "f", .line = 3, .n_lines = 9, .base_line = 3, .n_base_lines = 9 },
		{ .path = "a.c", .base_path = "a.c", .function = "f", .line = 30, .n_lines = 1, .base_line = 30, .n_base_lines = 1 },
	};
	const struct changes both = { .items = two, .n = 2, .known = true };
	struct work_function function = { { "f", "f", "/app", "./a.c", 1, true }, 5, 1 };
	struct work_line before[] = { { 0, "./a.c", 4, 300 }, { 0, "./a.c", 30, 3 } }, now[] = { { 0, "./a.c", 4, 300 }, { 0, "./a.c", 30, 90 } };
	struct work base = { .functions = &function, .n_functions = 1, .lines = before, .n_lines = 2 }, head = base;
	char opens[] = "{", closes[] = "}", does[] = "step();", *brace[] = { closes }, *step[] = { opens, does };
	struct touched touched;
	struct touch touch;

	head.lines = now;
	touched_init(&touched, &both, &base, &head);
	assert_true(touched_find(&touched, &function.code, &touch));
	assert_ptr_equal(touch.change, &two[1]);
	/* A changed closing brace is ignored if another line of the function changed. */
	two[1].now = (struct strv){ .items = brace, .n = 1 };
	assert_true(touched_find(&touched, &function.code, &touch));
	assert_ptr_equal(touch.change, &two[1]);
	two[0].now = (struct strv){ .items = step, .n = 2 };
	assert_true(touched_find(&touched, &function.code, &touch));
	assert_ptr_equal(touch.change, &two[0]);
	/* The same holds for a match by name alone, in either order. */
	two[0].now.items = brace;
	two[0].now.n = 1;
	two[1].now.items = step;
	two[1].now.n = 2;
	touched_release(&touched);
	touched_init(&touched, &both, NULL, NULL);
	assert_true(touched_find(&touched, &function.code, &touch));
	assert_ptr_equal(touch.change, &two[1]);
	touched_release(&touched);
}

TEST(names_do_without_a_work)
{
	struct code code = { "Poly::area(int)", "Poly::area(int)", "/app", NULL, 0, true }, foreign = code;
	struct changes nothing = { 0 };
	struct touched touched;
	struct touch touch;

	foreign.own = false;
	touched_init(&touched, &changes, NULL, NULL);
	assert_true(touched_find(&touched, &code, &touch));
	assert_ptr_equal(touch.change, &changes_made[3]);
	assert_false(touched_find(&touched, &foreign, &touch));
	code.key = "fill";
	assert_true(touched_find(&touched, &code, &touch));
	assert_int_equal(touch.how, TOUCH_WORD);
	touched_release(&touched);
	touched_init(&touched, &nothing, &work, &work);
	assert_false(touched_find(&touched, &functions_made[GROW].code, &touch));
	touched_release(&touched);
}

/* Samples lack calls and inlined functions. The diff supplies them by its words, or by the only changed function. */
TEST(samples_go_by_the_words_of_the_diff)
{
	static const struct {
		const char *name;
		struct { const char *path, *function, *word; } changed[2];
		const char *key, *source;
		double total;		/* counted in the head */
		int change;		/* -1: none */
		enum touch_how how;
		const char *through;
	} rows[] = {
		{ "built into its caller", { { "src/a.js", "pick", "n" } }, "render", "/app/src/a.js", 0, 0, TOUCH_INLINED, "pick" },
		{ "twice in one function", { { "src/a.js", "pick", "n" }, { "src/a.js", "pick", "m" } }, "render", "/app/src/a.js", 0, 0, TOUCH_INLINED, "pick" },
		{ "one of two that changed", { { "src/a.js", "pick", "n" }, { "src/a.js", "sort", "n" } }, "render", "/app/src/a.js", 0, -1, 0, NULL },
		{ "of two files", { { "src/a.js", "pick", "n" }, { "src/b.js", "sort", "n" } }, "render", "/app/src/a.js", 0, 0, TOUCH_INLINED, "pick" },
		{ "another file", { { "src/b.js", "pick", "n" } }, "render", "/app/src/a.js", 0, -1, 0, NULL },
		{ "of a file of that name elsewhere", { { "src/a.js", "pick", "n" } }, "render", "/app/vendor/a.js", 0, -1, 0, NULL },
		{ "beside every function", { { "src/a.js", NULL, "n" } }, "render", "/app/src/a.js", 0, -1, 0, NULL },
		{ "called in a changed line", { { "src/b.js", "pick", "render" } }, "render", "/app/src/a.js", 0, 0, TOUCH_CALLER, "pick" },
		{ "called beside every function", { { "src/b.js", NULL, "render" } }, "render", "/app/src/a.js", 0, 0, TOUCH_CALLER, NULL },
		{ "called by its last name", { { "src/b.js", "pick", "render" } }, "View.render", "/app/src/a.js", 0, 0, TOUCH_CALLER, "pick" },
		{ "a part of the word", { { "src/b.js", "pick", "renderer" } }, "render", "/app/src/a.js", 0, -1, 0, NULL },
		{ "of no known file", { { "src/b.js", "pick", "render" } }, "render", NULL, 0, -1, 0, NULL },
		{ "counted, with its lines", { { "src/a.js", "pick", "n" } }, "render", "/app/src/a.js", 1e6, -1, 0, NULL },
		{ "counted, with its calls", { { "src/b.js", "pick", "render" } }, "render", "/app/src/a.js", 1e6, -1, 0, NULL },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct change changed[2] = { 0 };
		struct changes diff = { .items = changed, .known = true };
		struct work_function function = { { rows[i].key, rows[i].key, "node", rows[i].source, 40, true }, 5, 1 };
		struct work sampled = { .functions = &function, .n_functions = 1, .total = rows[i].total };
		struct touched touched;
		struct touch touch;

		for (; diff.n < 2 && rows[i].changed[diff.n].path; diff.n++) {
			struct change *c = &changed[diff.n];

			*c = (struct change){ .path = rows[i].changed[diff.n].path, .function = rows[i].changed[diff.n].function, .line = 4,
					      .n_lines = 1, .words = STRV_INIT };
			strv_push(&c->words, rows[i].changed[diff.n].word);
		}
		touched_init(&touched, &diff, NULL, &sampled);
		if (touched_find(&touched, &function.code, &touch) != (rows[i].change >= 0))
			fail_msg("%s: touched, or not", rows[i].name);
		if (rows[i].change >= 0 && (touch.how != rows[i].how || touch.change != &changed[rows[i].change] ||
					    strcmp(touch.through ?: "", rows[i].through ?: "") != 0))
			fail_msg("%s: how %d, change %td, through %s", rows[i].name, touch.how, touch.change - changed, touch.through);
		touched_release(&touched);
		for (size_t k = 0; k < diff.n; k++)
			strv_release(&changed[k].words);
	}
}

TEST(names_of_symbols)
{
	static const struct { const char *symbol, *name; bool same; } cases[] = {
		{ "find_by_sval", "find_by_sval", true }, { "find_by_sval", "sval", false }, { "ns::Parser::next(int) const", "next", true },
		{ "ns::Parser::next(int)", "Parser::next", true }, { "ns::Parser::next(int)", "Lexer::next", false },
		{ "void geo::f<int, char>(int, char)", "f", true }, { "std::vector<int>::push_back(int&&)", "push_back", true },
		{ "Foo::operator()(int)", "operator()", true }, { "Foo::operator==(Foo const&) const", "operator==", true },
		{ "Foo::operator<(Foo const&)", "operator==", false },
		{ "main.(*T).Name", "Name", true }, { "main.(*T).Name", "T.Name", true }, { "crate::parse::{{closure}}", "parse", true },
		{ "<T as core::convert::Into<U>>::into", "into", true }, { "Parser.parse", "parse", true },
		{ "(anonymous namespace)::hot()", "hot", true }, { "intel_check_word", "word", false }, { "", "", false }, { "x", "", false },
		{ "foo [clone .part.0]", "foo", true },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		if (symbol_is_named(cases[i].symbol, cases[i].name) != cases[i].same)
			fail_msg("%s is %s", cases[i].symbol, cases[i].name);
}

TEST(sources_are_files_of_the_tree)
{
	static const struct { const char *source, *path; bool same; } cases[] = {
		/* Below the top, whole paths count. */
		{ "/srv/x/src/a.c", "src/a.c", true }, { "/srv/x/src/a.c", "a.c", false }, { "/srv/x/parse.go", "parse.go", true },
		{ "/srv/x/sub/parse.go", "parse.go", false }, { "/srv/x/parse.go", "sub/parse.go", false },
		/* Elsewhere, the tree may be called otherwise. */
		{ "/build/src/a.c", "src/a.c", true }, { "../src/a.c", "lib/src/a.c", true }, { "a.c", "a.c", true },
		{ "/srv/xsrc/a.c", "src/a.c", false }, { "/srv/other/a.c", "src/a.c", false }, { "/a.c", "src/a.c", false }, { "", "a.c", false },
	};
	const struct changes tree = { .top = { NULL, "/srv/x" } }, unknown = { 0 };

	for (size_t i = 0; i < COUNT(cases); i++)
		if (changes_has_source(&tree, HEAD, cases[i].source, cases[i].path) != cases[i].same)
			fail_msg("%s is %s", cases[i].source, cases[i].path);
	assert_true(changes_has_source(&tree, BASE, "/srv/x/src/a.c", "a.c"));
	assert_true(changes_has_source(&unknown, HEAD, "/srv/x/src/a.c", "src/a.c"));
}

/* The compiler's word counts, not the names around a line. */
TEST(code_decides_which_functions_are_touched)
{
	static struct change_code code[] = { { HEAD, "run", "Order::total" }, { HEAD, "Order::total", NULL }, { BASE, "gone", NULL } };
	static struct change one[] = {
		{ .path = "src/order.h", .base_path = "src/order.h", .function = "hash", .line = 6, .n_lines = 1, .code = code, .n_code = COUNT(code) },
	};
	static const struct {
		const char *key, *source;
		int side, how;		/* -1: not touched */
	} cases[] = {
		{ "run", SRC "main.cc", HEAD, TOUCH_INLINED }, { "Order::total", "/srv/base/src/order.h", HEAD, TOUCH_BODY },
		{ "Order::total", "/srv/base/src/other.h", HEAD, -1 }, { "hash", "/srv/base/src/order.h", HEAD, -1 },
		{ "gone", "/srv/base/src/order.h", BASE, TOUCH_BODY }, { "gone", "/srv/base/src/order.h", HEAD, -1 },
	};
	const struct changes diff = { .items = one, .n = 1, .known = true, .top = { "/srv/base", "/srv/base" } };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct work_function function = { { cases[i].key, cases[i].key, "/app", cases[i].source, 3, true }, 5, 1 };
		struct work counted = { .functions = &function, .n_functions = 1, .total = 5 }, none = { 0 };
		CLEANUP(touched_release) struct touched touched;
		struct touch touch;

		touched_init(&touched, &diff, cases[i].side == BASE ? &counted : &none, cases[i].side == HEAD ? &counted : &none);
		if (touched_find(&touched, &function.code, &touch) != (cases[i].how >= 0) || (cases[i].how >= 0 && (int)touch.how != cases[i].how))
			fail_msg("%s of %s", cases[i].key, cases[i].source);
	}
}

TEST(the_text_of_a_change)
{
	static const struct { const char *before[4], *now[4], *text; unsigned n_lines; } cases[] = {
		{ { "size *= 2;" }, { "size += 16;" }, "lmem.c:123: size *= 2 -> size += 16", 1 },
		{ { NULL }, { "{", "flush(f);" }, "lmem.c:123: added: flush(f)", 2 },
		{ { "cheap();" }, { NULL }, "lmem.c:120: removed: cheap()", 0 },
		{ { "same();", "x = 1;" }, { "x = 2;", "same();" }, "lmem.c:123: x = 1 -> x = 2", 2 },
		/* Among several lines, the one with a new call and the old line most like it */
		{ { "int n = 0;", "return 0;" }, { "uint64_t sum;", "if (n)", "return read(&sum);" }, "lmem.c:123: return 0 -> return read(&sum)", 3 },
		{ { "a = b;", "c = d;" }, { "read(x)" }, "lmem.c:123: added: read(x)", 1 },
		{ { "same();" }, { "}", "same();" }, "lmem.c:123: same()", 2 },
		{ { "}" }, { NULL }, "lmem.c:120: removed: }", 0 }, { { NULL }, { "}" }, "lmem.c:123: }", 1 },
		{ { "a\tb" }, { "if (x) {" }, "lmem.c:123: a b -> if (x)", 1 },
		{ { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		  { "b" }, "lmem.c:123: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... -> b", 1 },
		{ { "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" },
		  { "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb" },
		  "lmem.c:123: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa... -> bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...", 1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(strv_release) struct strv before = STRV_INIT, now = STRV_INIT, words = STRV_INIT;
		struct change change = { .path = "src/lmem.c", .line = 123, .n_lines = cases[i].n_lines, .base_line = 120 };

		strv_push_all(&before, cases[i].before);
		strv_push_all(&now, cases[i].now);
		strv_push_all(&words, (const char *const[]){ "read", "sum", NULL });
		change.words = words;
		change.before = before;
		change.now = now;
		change_text(&change, &text);
		assert_string_equal(text.buf, cases[i].text);
		assert_true(utf8_width(text.buf) <= TOUCH_COLUMNS);
	}
}
