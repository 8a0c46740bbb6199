/* Source text: languages, comments, and what a line begins. */
#include "unit.h"

#include "model/source/source_text.h"

TEST(languages_are_known_by_name)
{
	static const struct { const char *path, *text; enum language language; } cases[] = {
		{ "src/a.c", NULL, LANGUAGE_C }, { "a.hpp", NULL, LANGUAGE_C }, { "a.rs", NULL, LANGUAGE_RUST }, { "a.tsx", NULL, LANGUAGE_SCRIPT },
		{ "a.go", NULL, LANGUAGE_BRACES }, { "a.py", NULL, LANGUAGE_PYTHON }, { "a.c/b", NULL, LANGUAGE_NONE },
		{ "tool", "#!/usr/bin/env python3\n", LANGUAGE_PYTHON }, { "tool", "#!/bin/sh\n", LANGUAGE_SHELL },
		{ "tool", "sh\n", LANGUAGE_NONE }, { "Makefile", NULL, LANGUAGE_NONE }, { "a.txt", "python", LANGUAGE_NONE },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(source_text_language(cases[i].path, cases[i].text), cases[i].language);
}

TEST(comments_are_no_code)
{
	static const struct {
		enum language language;
		const char *text, *code;	/* code: the lines joined by '|' */
	} cases[] = {
		{ LANGUAGE_C, "x = 1; // one\n/* a\n * b */ y;\n", "x = 1;||y;|" },
		{ LANGUAGE_C, "s = \"/* no */\"; /* yes */\nc = '\"'; // \"\n", "s = \"/* no */\";|c = '\"';|" },
		{ LANGUAGE_C, "n = 1'000; // x\na  =\tb\\\n/* open\n", "n = 1'000;|a = b\\|/* open|" },
		{ LANGUAGE_RUST, "fn f<'a>(x: &'a str) // x\nlet c = '\"'; // y\n", "fn f<'a>(x: &'a str)|let c = '\"';|" },
		{ LANGUAGE_SCRIPT, "a = `// ${x}\n/* */`; // b\n", "a = `// ${x}|/* */`;|" },
		{ LANGUAGE_PYTHON, "def f():  # x\n    s = '#'\n    \"\"\"# a\n# b\"\"\"\n", "def f():|    s = '#'|    \"\"\"# a|# b\"\"\"|" },
		{ LANGUAGE_SHELL, "a=${#b} # c\n#d\n", "a=${#b}||" },
		{ LANGUAGE_C, "a\fb\r\n", "a b|" }, { LANGUAGE_LUA, "a = 1 -- b\n--[[ c\nd ]] e\n", "a = 1||e|" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(source_text_release) struct source_text source = { 0 };
		CLEANUP(strbuf_release) struct strbuf code = STRBUF_INIT;

		source_text_init(&source, "x", cases[i].text, strlen(cases[i].text), cases[i].language);
		for (unsigned line = 0; line < source.n_lines; line++)
			strbuf_addf(&code, "%s|", source.code[line]);
		assert_string_equal(code.buf, cases[i].code);
	}
}

TEST(what_a_line_begins)
{
	static const struct { enum language language; const char *line, *function, *holder; bool closed; } cases[] = {
		{ LANGUAGE_C, "static int find_by_sval(const char *s)", "find_by_sval", NULL, false },
		{ LANGUAGE_C, "struct node *make(int n)", "make", NULL, false },
		{ LANGUAGE_C, "__attribute__((noinline)) int run(void)", "run", NULL, false },
		{ LANGUAGE_C, "n::Parser::~Parser()", "n::Parser::~Parser", NULL, false },
		{ LANGUAGE_C, "bool Foo::operator==(const Foo &b) const", "Foo::operator==", NULL, false },
		{ LANGUAGE_C, "int Foo::operator()(int x)", "Foo::operator()", NULL, false },
		{ LANGUAGE_C, "static const char *const names[COUNT] = {", NULL, "names", true },
		{ LANGUAGE_C, "enum class color : int {", NULL, "color", false }, { LANGUAGE_C, "struct node {", NULL, "node", false },
		{ LANGUAGE_C, "namespace n {", NULL, NULL, false }, { LANGUAGE_C, "int f(int x);", NULL, NULL, false },
		{ LANGUAGE_C, "typedef struct {", NULL, NULL, false }, { LANGUAGE_C, "int x;", NULL, NULL, false }, { LANGUAGE_C, "", NULL, NULL, false },
		{ LANGUAGE_RUST, "pub async fn next<T>(&self) -> T {", "next", NULL, false }, { LANGUAGE_RUST, "impl A for B {", NULL, NULL, false },
		{ LANGUAGE_BRACES, "func (r *T) Name(a int) {", "Name", NULL, false }, { LANGUAGE_BRACES, "var prices = []int{", NULL, "prices", true },
		{ LANGUAGE_BRACES, "type T struct {", NULL, "T", false }, { LANGUAGE_BRACES, "const (", NULL, NULL, false },
		{ LANGUAGE_BRACES, "public static int sum(int a) {", "sum", NULL, false },
		{ LANGUAGE_SCRIPT, "const pick = (n) => {", "pick", NULL, false }, { LANGUAGE_SCRIPT, "module.exports.sort = function (a) {", "module.exports.sort", NULL, false },
		{ LANGUAGE_SCRIPT, "async load() {", "load", NULL, false }, { LANGUAGE_SCRIPT, "if (x) {", NULL, NULL, false },
		{ LANGUAGE_SCRIPT, "export default function* walk(a) {", "walk", NULL, false }, { LANGUAGE_SCRIPT, "const prices = [", NULL, "prices", true },
		{ LANGUAGE_PYTHON, "def parse", "parse", NULL, false }, { LANGUAGE_PYTHON, "class A", NULL, "A", false },
		{ LANGUAGE_PYTHON, "PRICES =", NULL, "PRICES", true }, { LANGUAGE_SHELL, "name() {", "name", NULL, false },
		{ LANGUAGE_LUA, "local function a.b:c(x)", "a.b:c", NULL, false }, { LANGUAGE_HASH, "sub page_of {", "page_of", NULL, false },
	};
	CLEANUP(arena_release) struct arena arena = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct source_place place = source_text_begun(cases[i].line, cases[i].language, &arena);

		if (!text_same(place.function, cases[i].function) || !text_same(place.holder, cases[i].holder) || place.closed != cases[i].closed)
			fail_msg("%s: %s|%s %d", cases[i].line, place.function, place.holder, place.closed);
	}
}

TEST(lines_lie_within)
{
	static const char text[] = "int f(void)\n{\n}\n#define GROW(x) \\\n\tx *= 2\n#include <x>\n/* g */\nint g(void)\n{\n}\n";
	CLEANUP(source_text_release) struct source_text source = { 0 };
	struct line_span span;

	source_text_init(&source, "x.c", text, strlen(text), LANGUAGE_C);
	for (unsigned line = 1; line <= 10; line++)
		source.context[line - 1] = line < 8 ? "int f(void)" : "int g(void)";
	assert_string_equal(source_text_place(&source, 2).function, "f");
	assert_string_equal(source_text_place(&source, 5).holder, "GROW");
	assert_null(source_text_place(&source, 6).function);
	assert_string_equal(source_text_place(&source, 9).function, "g");
	assert_null(source_text_place(&source, 11).function);
	span = source_text_span(&source, 9);
	assert_true(span.first == 8 && span.last == 10);
	assert_int_equal(source_text_span(&source, 0).first, 0);
}

TEST(nul_bytes_are_text)
{
	static const char text[] = "a\0b // c\n\0\nd\n";
	CLEANUP(source_text_release) struct source_text source = { 0 };

	source_text_init(&source, "x.c", text, sizeof text - 1, LANGUAGE_C);
	assert_int_equal(source.n_lines, 3);
	assert_string_equal(source.code[0], "a b");
	assert_string_equal(source.code[2], "d");
	assert_int_equal(source.text[sizeof text - 3], 'd');
}
