#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/text.h"
#include "cmd/buildfiles.h"

/* The names, with a blank between them. */
static void expect_names(const struct strv *names, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;

	for (size_t i = 0; i < names->n; i++)
		strbuf_addf(&all, "%s%s", i ? " " : "", names->items[i]);
	assert_string_equal(all.buf, expected);
}

static void reads_makefiles(void **state)
{
	static const struct {
		const char *text, *names;
	} cases[] = {
		{ "", "" },
		{ "PROG = a b\nPROG += c # d\n", "a b c" },
		{ "BINS=x\\\ny\n", "x y" },
		{ "bin_PROGRAMS = @PROGRAMS@ $(wildcard *.c) ../up /abs -o ok\n", "ok" },
		{ "all: lib.a tool docs\n", "tool" },
		{ "tool: a.o\n\tcc -o $@ a.o\nb.o: b.c\n\tcc -c -o $@ b.c\n", "tool" },
		{ "x:\n\tcc a.o -o bin/tool; strip bin/tool\n", "bin/tool" },
		{ "TARGET = tool\nOUT = bin\n$(OUT)/$(TARGET): a.o\n\t$(CC) a.o -o $@\nother: o.o\n\tcc o.o -o other\n", "bin/tool other" },
		{ "lib.so: a.o\n\tcc -shared -o libx a.o\n", "" },
		{ ".PHONY: lint\nall: lint\n", "" },
		{ "A = $(B)\nB = $(A)\nPROG = $(A)\n", "" },
		{ "PROG ?= tool\nifeq (x,y)\nendif\n", "tool" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(strv_release) struct strv names = STRV_INIT;

		buildfiles_make(cases[i].text, &names);
		expect_names(&names, cases[i].names);
	}
}

static void reads_cmake_and_meson(void **state)
{
	static const struct {
		void (*read)(const char *text, struct strv *known, struct strv *out);
		const char *text, *names;
	} cases[] = {
		{ buildfiles_cmake, "add_executable(a a.c)\nADD_EXECUTABLE (b b.c)\n# add_executable(c c.c)\n", "a b" },
		{ buildfiles_cmake, "add_executable(a ALIAS b)\nadd_executable(a IMPORTED)\nadd_executable(", "" },
		{ buildfiles_cmake, "project(\"p\" C)\nset(P ${PROJECT_NAME}x)\nadd_executable(${P} a.c)\n", "px" },
		{ buildfiles_cmake, "add_executable(${UNKNOWN} a.c)\nadd_executable(a/../../b a.c)\n", "" },
		{ buildfiles_cmake, "add_executable(a a.c)\nset_target_properties(a PROPERTIES X 1 OUTPUT_NAME \"b\")\n", "b" },
		{ buildfiles_cmake, "add_executable(a a.c)\nset_target_properties(z PROPERTIES OUTPUT_NAME b)\n", "a" },
		{ buildfiles_meson, "project('p', 'c')\nexecutable('a', 'a.c')\nx = executable(meson.project_name(), 'b.c')\n", "a p" },
		{ buildfiles_meson, "# executable('a')\nexecutable(name, 'a.c')\nexecutable('$(x)')\n", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(strv_release) struct strv names = STRV_INIT, known = STRV_INIT;

		cases[i].read(cases[i].text, &known, &names);
		expect_names(&names, cases[i].names);
	}
}

static void reads_manifests(void **state)
{
	CLEANUP(buildfiles_cargo_release) struct cargo_file cargo = { 0 };
	CLEANUP(strv_release) struct strv entries = STRV_INIT;

	(void)state;
	buildfiles_cargo("[package]\nname = \"p\" # p\n[dependencies]\nname = \"no\"\n[[bin]]\nname='b'\n[[bin]]\nname = \"../c\"\n"
			 "[workspace]\nmembers = [\n  \"x\", 'y/z',\n]\n", &cargo);
	assert_string_equal(cargo.package, "p");
	expect_names(&cargo.programs, "b");
	expect_names(&cargo.members, "x y/z");

	buildfiles_python("[project.scripts]\na-b = \"m.n:f\"\n[x]\nc = \"d:e\"\n", &entries);
	buildfiles_python("setup(entry_points={'console_scripts': ['c = d.e:main', 'f=g:h']})", &entries);
	buildfiles_python("[options.entry_points]\nconsole_scripts =\n    i = j:k\n[y]\nl = m:n\n", &entries);
	buildfiles_python("console_scripts : : = :x a=:b =c:d", &entries);
	expect_names(&entries, "a-b=m.n:f c=d.e:main f=g:h i=j:k b=c:d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_makefiles),
		cmocka_unit_test(reads_cmake_and_meson),
		cmocka_unit_test(reads_manifests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
