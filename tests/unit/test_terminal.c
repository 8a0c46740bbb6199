#include "unit.h"

#include "report/terminal.h"

static void check(const char *columns, const char *const *cells, size_t n, unsigned indent, const char *want)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(table_release) struct table table;

	table_init(&table, columns);
	for (size_t i = 0; i < n; i++)
		table_add(&table, cells[i], NULL);
	table_render(&table, indent, &out);
	assert_string_equal(out.buf, want);
}

TEST(test_alignment)
{
	static const char *const cells[] = {"gate", "now", "verdict", "task-clock", "9 ms", "pass", "ipc", "1.25", ""};

	check("lrl", cells, 9, 2,
	      "  gate         now  verdict\n"
	      "  task-clock  9 ms  pass\n"
	      "  ipc         1.25\n");
}

/* The second column is aligned by terminal columns, not by bytes or characters. */
TEST(test_columns_of_the_terminal)
{
	static const char *const cells[] = {"\xc3\xbc", "1", "\xe4\xb8\xad", "2", "abc", "3"};

	check("lr", cells, 6, 0,
	      "\xc3\xbc    1\n"
	      "\xe4\xb8\xad   2\n"
	      "abc  3\n");
}

TEST(test_short_and_empty)
{
	static const char *const cells[] = {"a", "b", "", "c", "d"};

	check("ll", NULL, 0, 2, "");
	check("ll", cells, 4, 0, "a  b\n   c\n");
	check("ll", cells, 5, 0, "a  b\n   c\nd\n");
}

/* Escape sequences have no width. */
TEST(test_styles)
{
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;
	CLEANUP(table_release) struct table table;

	table_init(&table, "ll");
	table_add(&table, "a", "1;31");
	table_add(&table, "b", NULL);
	table_add(&table, "abc", NULL);
	table_add(&table, "d", NULL);
	table_render(&table, 0, &out);
	assert_string_equal(out.buf, "\x1b[1;31ma\x1b[0m    b\nabc  d\n");
}
