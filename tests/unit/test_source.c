/* The source of a function with what each line costs on both sides: lines matched, inlined ones named; as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "report/report.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char before[] =
	"static int is_letter(int c)\n"
	"{\n"
	"	return c > 'a';\n"
	"}\n"
	"\n"
	"int scan(const char *s)\n"
	"{\n"
	"	int n = 0;\n"
	"	while (*s)\n"
	"		n += is_letter(*s++);\n"
	"	/* many\n"
	"	   lines\n"
	"	   of text */\n"
	"	return n;\n"
	"}\n";
static const char now[] =
	"/* one more */\n"
	"static int is_letter(int c)\n"
	"{\n"
	"	return c && strchr(\"abc\x1b[31m\", c);\n"
	"}\n"
	"\n"
	"int scan(const char *s)\n"
	"{\n"
	"	int n = 0;\n"
	"	size_t length = strlen(s); // a line that is longer than what is left of a terminal of eighty columns\n"
	"	while (*s)\n"
	"		n += is_letter(*s++);\n"
	"	/* many\n"
	"	   lines\n"
	"	   of text */\n"
	"	return n;\n"
	"}\n";

static struct work_function functions[] = {
	{ { "scan", "scan", "/app", "/src/scan.c", 3, true }, 100, 1 },
	{ { "scan", "scan", "/app", "/src/other.c", 3, true }, 100, 1 },
	{ { "main", "main", "/app", NULL, 0, true }, 100, 1 },
};
static struct work_line base_lines[] = {
	{ 0, "/src/scan.c", 3, 1000 }, { 0, "/src/scan.c", 6, 5 }, { 0, "/src/scan.c", 10, 200 }, { 0, "/src/x.h", 7, 30 },
	{ 1, "/src/other.c", 6, 77 }, { 0, NULL, 10, 4 }, { 0, "/src/scan.c", 99, 1 },
};
static struct work_line head_lines[] = {
	{ 0, "/src/scan.c", 4, 12345678 }, { 0, "/src/scan.c", 7, 5 }, { 0, "/src/scan.c", 10, 60 }, { 0, "/src/scan.c", 12, 210 },
};
static const struct work base = { .functions = functions, .n_functions = COUNT(functions), .lines = base_lines, .n_lines = COUNT(base_lines) };
static const struct work head = { .functions = functions, .n_functions = COUNT(functions), .lines = head_lines, .n_lines = COUNT(head_lines) };

static void check(const char *base_text, const char *head_text, const char *expected)
{
	struct source_rows rows;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	assert_true(source_rows_make(&functions[0].code, &base, base_text, &head, head_text, &rows));
	report_source(&rows, &text);
	assert_string_equal(text.buf, expected);
	for (const char *at = text.buf; *at; at += strcspn(at, "\n") + 1) {
		char line[200];

		snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
		assert_true(utf8_width(line) <= 80);
	}
	source_rows_release(&rows);
}

static void lines_have_costs_of_both_sides(void **state)
{
	(void)state;
	check(before, now,
	      "scan in scan.c: 1236 instructions, then 12.3 M (x9989)\n"
	      "     base     head   change   line\n"
	      "        5        5               7   int scan(const char *s)\n"
	      "                                 8   {\n"
	      "                                 9       int n = 0;\n"
	      "                60      +60     10 +     size_t length = strlen(s); // a line...\n"
	      "                                11       while (*s)\n"
	      "      200      210      +10     12           n += is_letter(*s++);\n"
	      "                                13       /* many\n"
	      "                               ...\n"
	      "     1000   12.3 M  +12.3 M          inlined: is_letter\n"
	      "                               ...\n"
	      "                                 3   {\n"
	      "     1000             -1000      3 -     return c > 'a';\n"
	      "            12.3 M  +12.3 M      4 +     return c && strchr(\"abc\\x1b[31m\", c);\n"
	      "                                 5   }\n"
	      "       30               -30          inlined from x.h\n"
	      "        1                -1          inlined from scan.c\n");
}

static void one_side_may_be_missing(void **state)
{
	struct source_rows rows;

	(void)state;
	check(NULL, now,
	      "scan in scan.c: - instructions, then 12.3 M (-)\n"
	      "     base     head   change   line\n"
	      "                 5       +5      7   int scan(const char *s)\n"
	      "                                 8   {\n"
	      "                                 9       int n = 0;\n"
	      "                60      +60     10       size_t length = strlen(s); // a line...\n"
	      "                                11       while (*s)\n"
	      "               210     +210     12           n += is_letter(*s++);\n"
	      "                                13       /* many\n"
	      "                               ...\n"
	      "            12.3 M  +12.3 M          inlined: is_letter\n"
	      "                               ...\n"
	      "                                 3   {\n"
	      "            12.3 M  +12.3 M      4       return c && strchr(\"abc\\x1b[31m\", c);\n"
	      "                                 5   }\n");
	assert_false(source_rows_make(&functions[0].code, &base, NULL, &head, NULL, &rows));
	assert_false(source_rows_make(&functions[2].code, &base, before, &head, now, &rows));
	assert_false(source_rows_make(&functions[0].code, NULL, before, NULL, now, &rows));
	assert_false(source_rows_make(&functions[0].code, &base, "", &head, "", &rows));
}

static void long_functions_are_compared_by_their_ends(void **state)
{
	CLEANUP(strbuf_release) struct strbuf one = STRBUF_INIT, two = STRBUF_INIT;
	struct source_rows rows;
	size_t removed = 0, added = 0, same = 0;

	(void)state;
	strbuf_adds(&one, "int scan(void)\n{\n");
	strbuf_adds(&two, "int scan(void)\n{\n");
	for (int i = 0; i < 6000; i++) {
		strbuf_addf(&one, "\ta%d();\n", i);
		strbuf_addf(&two, "\tb%d();\n", i);
	}
	strbuf_adds(&one, "}\n");
	strbuf_adds(&two, "}\n");
	assert_true(source_rows_make(&functions[0].code, &base, one.buf, &head, two.buf, &rows));
	for (size_t i = 0; i < rows.n; i++) {
		removed += rows.items[i].kind == ROW_REMOVED;
		added += rows.items[i].kind == ROW_ADDED;
		same += rows.items[i].kind == ROW_SAME;
	}
	assert_int_equal(removed, 6000);
	assert_int_equal(added, 6000);
	assert_int_equal(same, 3);
	source_rows_release(&rows);
}

static void sources_have_paths(void **state)
{
	(void)state;
	assert_string_equal(source_path(&base, &functions[0].code), "/src/scan.c");
	assert_null(source_path(&base, &functions[2].code));
	assert_null(source_path(NULL, &functions[0].code));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_have_costs_of_both_sides),
		cmocka_unit_test(one_side_may_be_missing),
		cmocka_unit_test(long_functions_are_compared_by_their_ends),
		cmocka_unit_test(sources_have_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
