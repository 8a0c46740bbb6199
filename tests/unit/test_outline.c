/* The enclosing function of each line in several languages, and whether the line is code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/outline.h"

/* Each line begins with its expected scope and a bar: "f|" a function, "#M|" a macro, "=d|" data, "<T|" a type. */
static void check(enum language language, const char *marked)
{
	static const char *const marks[] = {
		[OUTLINE_FUNCTION] = "", [OUTLINE_MACRO] = "#", [OUTLINE_DATA] = "=", [OUTLINE_TYPE] = "<",
	};
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, found = STRBUF_INIT;
	CLEANUP(outline_release) struct outline outline;
	unsigned line = 0;

	for (const char *at = marked; *at; at += strcspn(at, "\n") + 1) {
		const char *bar = strchr(at, '|') + 1;

		strbuf_add(&text, bar, strcspn(bar, "\n") + 1);
	}
	outline_read(text.buf, text.len, language, &outline);
	for (const char *at = text.buf; *at; at += strcspn(at, "\n") + 1) {
		const struct outline_item *item = outline_at(&outline, ++line);

		strbuf_addf(&found, "%s%s|%.*s\n", item ? marks[item->kind] : "", item ? item->name : "", (int)strcspn(at, "\n"), at);
	}
	assert_string_equal(found.buf, marked);
	assert_int_equal(outline.n_lines, line);
}

static void c_is_told_by_braces(void **state)
{
	(void)state;
	check(LANGUAGE_C,
	      "|/* what() { */\n"
	      "|#include <stdio.h>\n"
	      "#LIMIT|#define LIMIT 64\n"
	      "#GROW|#define GROW(x) \\\n"
	      "#GROW|	do { x *= 2; } \\\n"
	      "#GROW|	while (0)\n"
	      "|static const int size = 4;\n"
	      "=names|static const char *const names[LIMIT] = {\n"
	      "=names|	\"a(b) {\", \"c\",\n"
	      "=names|};\n"
	      "<node|struct node {\n"
	      "<node|	int (*fn)(void);\n"
	      "<node|};\n"
	      "|int proto(struct node *n);\n"
	      "find_by_sval|static int find_by_sval(const char *s)\n"
	      "find_by_sval|{\n"
	      "find_by_sval|	char c = '{', d = '\\'';\n"
	      "find_by_sval|	if (c) {\n"
	      "find_by_sval|		return 1;\n"
	      "find_by_sval|	}\n"
	      "find_by_sval|}\n"
	      "|\n"
	      "foo|static void\n"
	      "foo|foo (int x)\n"
	      "foo|{\n"
	      "foo|#if A\n"
	      "foo|	if (x) {\n"
	      "foo|#else\n"
	      "foo|	if (!x) {\n"
	      "foo|#endif\n"
	      "foo|	}\n"
	      "foo|}\n"
	      "give|struct node *give(int a[static 4], struct node b) {\n"
	      "give|	return (struct node){ .x = 1 }.y; }\n"
	      "old|int old(a, b)\n"
	      "old|	int a;\n"
	      "old|	char *b;\n"
	      "old|{\n"
	      "old|}\n"
	      "lua_gettop|LUA_API int (lua_gettop) (lua_State *L) {\n"
	      "lua_gettop|}\n"
	      "with|int __attribute__((noinline)) with(void) { return 1; }\n"
	      "|typedef int last;\n");
}

static void cplusplus_has_methods(void **state)
{
	(void)state;
	check(LANGUAGE_C,
	      "|namespace geo {\n"
	      "<Shape|template <typename T, int N = (1)> class Shape : public Base<int> {\n"
	      "area| public:\n"
	      "area|	double area() const override { return w * h; }\n"
	      "Shape|	Shape(int x) : w{x}, h(2)\n"
	      "Shape|	{\n"
	      "Shape|		auto f = [&](int y) { return y; };\n"
	      "Shape|	}\n"
	      "operator==|	bool operator==(const Shape &o) const {\n"
	      "operator==|		return true;\n"
	      "operator==|	}\n"
	      "operator()|	int operator()(int a) { return a; }\n"
	      "<Shape|	int member = 3;\n"
	      "<Shape|};\n"
	      "Poly::grow|void Poly::grow(std::vector<int> &v)\n"
	      "Poly::grow|{\n"
	      "Poly::grow|	auto s = R\"x(} } \")x\";\n"
	      "Poly::grow|	int n = 1'000'000;\n"
	      "Poly::grow|}\n"
	      "Poly::~Poly|Poly::~Poly() noexcept {}\n"
	      "|}\n");
}

static void others_have_words(void **state)
{
	(void)state;
	check(LANGUAGE_RUST,
	      "|use std::fmt;\n"
	      "|impl<'a> Foo<'a> {\n"
	      "foo|    pub fn foo<T: Into<'a>>(&self, c: T) -> u8 {\n"
	      "foo|        let q = '{'; let s = r#\"}\"#;\n"
	      "foo|    }\n"
	      "|}\n");
	check(LANGUAGE_BRACES,
	      "|package main\n"
	      "=table|var table = []string{\n"
	      "=table|	`}`,\n"
	      "=table|}\n"
	      "Name|func (r *T) Name(a int) (b int) {\n"
	      "Name|	for i := 0; i < 3; i++ {\n"
	      "Name|	}\n"
	      "Name|}\n"
	      "Map|func Map[K any](x K) {\n"
	      "Map|}\n");
	check(LANGUAGE_BRACES,
	      "<A|public class A extends B {\n"
	      "run|	@Override\n"
	      "run|	public void run(int x) throws E {\n"
	      "run|		if (x > 1) { go(); }\n"
	      "run|	}\n"
	      "<A|}\n");
	check(LANGUAGE_SCRIPT,
	      "outer|function outer(a) {\n"
	      "outer|  const re = /[{]/g;\n"
	      "inner|  function inner() {\n"
	      "inner|    return `}${a}`;\n"
	      "inner|  }\n"
	      "outer|  return a.replace(/x/g, function each(s) {\n"
	      "each|    return re[s];\n"
	      "each|  });\n"
	      "outer|}\n"
	      "arrow|const arrow = async (x) => {\n"
	      "arrow|  if (x) {\n"
	      "arrow|  }\n"
	      "arrow|};\n"
	      "<C|class C {\n"
	      "method|  method(x) {\n"
	      "method|  }\n"
	      "<C|}\n"
	      "=table|const table = {\n"
	      "=table|};\n");
	check(LANGUAGE_HASH,
	      "go|sub go {\n"
	      "go|	my $n = $#a; # }\n"
	      "go|}\n"
	      "f|function f(x) {\n"
	      "f|}\n");
}

static void some_have_indentation(void **state)
{
	(void)state;
	check(LANGUAGE_PYTHON,
	      "|import re\n"
	      "<Parser|class Parser:\n"
	      "<Parser|    depth = 3\n"
	      "<Parser|\n"
	      "parse|    def parse(self, x,\n"
	      "parse|  y):\n"
	      "parse|        \"\"\"Says\n"
	      "parse|nothing.\"\"\"\n"
	      "inner|        async def inner():\n"
	      "inner|            pass\n"
	      "parse|        return 1\n"
	      "|\n"
	      "|top = 1\n"
	      "last|def last(): return 2\n");
	check(LANGUAGE_SHELL,
	      "|set -e\n"
	      "name|name() {\n"
	      "name|	cat <<EOF\n"
	      "name|don't\n"
	      "name|EOF\n"
	      "name|}\n"
	      "|x=$(date)\n"
	      "my-f|function my-f {\n"
	      "my-f|  echo }\n"
	      "my-f|}\n"
	      "one|one () { echo; }\n"
	      "|one\n");
	check(LANGUAGE_LUA,
	      "t.a:b|function t.a:b(x)\n"
	      "t.a:b|  if x then -- end\n"
	      "t.a:b|  end\n"
	      "t.a:b|end\n"
	      "|x = 1\n"
	      "f|local f = function()\n"
	      "f|end\n");
	check(LANGUAGE_ENDS,
	      "<A|class A\n"
	      "go|  def go(x)\n"
	      "go|    1\n"
	      "go|  end\n"
	      "<A|end\n");
}

static void comments_are_no_code(void **state)
{
	static const struct {
		enum language language;
		const char *text, *code;
	} cases[] = {
		{ LANGUAGE_C, "a  +=\t 1; // x", "a += 1;" }, { LANGUAGE_C, "/* a\nb */ c;", "/c;" },
		{ LANGUAGE_C, "s = \"/* no */\";", "s = \"/* no */\";" }, { LANGUAGE_PYTHON, "  x = '#' # y", "  x = '#'" },
		{ LANGUAGE_PYTHON, "'''a\nb'''\nc", "//c" }, { LANGUAGE_PYTHON, "x = '''a\nb'''", "x = '''a/b'''" },
		{ LANGUAGE_SHELL, "n=${#a} # x", "n=${#a}" }, { LANGUAGE_LUA, "--[[ a\n]] b -- c", "/b" },
		{ LANGUAGE_NONE, " # all ", "# all" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(outline_release) struct outline outline;
		CLEANUP(strbuf_release) struct strbuf code = STRBUF_INIT;

		outline_read(cases[i].text, strlen(cases[i].text), cases[i].language, &outline);
		for (unsigned line = 0; line < outline.n_lines; line++)
			strbuf_addf(&code, "%s%s", line ? "/" : "", outline.code[line]);
		assert_string_equal(code.buf, cases[i].code);
	}
}

static void languages_are_told_by_names(void **state)
{
	(void)state;
	assert_int_equal(outline_language("src/a.c", NULL), LANGUAGE_C);
	assert_int_equal(outline_language("a.b/tool", "#!/usr/bin/env python3\n"), LANGUAGE_PYTHON);
	assert_int_equal(outline_language("tool", "#!/bin/sh\n"), LANGUAGE_SHELL);
	assert_int_equal(outline_language("tool", "#!/bin/nothing\npython"), LANGUAGE_NONE);
	assert_int_equal(outline_language("data/input.txt", "x"), LANGUAGE_NONE);
	assert_int_equal(outline_language("", NULL), LANGUAGE_NONE);
}

static void damaged_texts_end(void **state)
{
	static const char *const pieces[] = { "{", "}", "(", "\"", "'", "/*", "#if\n", "#else\n", "\n", "f(", "a", "=", "<", "\\", "R\"(",
					      "def x:\n", "\t", "x() {\n", "`", "#define A \\\n", "::", "operator" };

	(void)state;
	for (int language = LANGUAGE_NONE; language <= LANGUAGE_SHELL; language++)
		for (unsigned seed = 1; seed < 300; seed++) {
			CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
			CLEANUP(outline_release) struct outline outline;
			unsigned random = seed;

			for (int i = 0; i < 60; i++) {
				random = random * 1103515245 + 12345;
				strbuf_adds(&text, pieces[random / 65536 % (sizeof pieces / sizeof pieces[0])]);
			}
			outline_read(text.buf, text.len, (enum language)language, &outline);
			for (size_t i = 0; i < outline.n; i++)
				assert_true(outline.items[i].name[0] && outline.items[i].first <= outline.items[i].last);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(c_is_told_by_braces),
		cmocka_unit_test(cplusplus_has_methods),
		cmocka_unit_test(others_have_words),
		cmocka_unit_test(some_have_indentation),
		cmocka_unit_test(comments_are_no_code),
		cmocka_unit_test(languages_are_told_by_names),
		cmocka_unit_test(damaged_texts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
