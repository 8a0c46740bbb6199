#include "unit.h"

static char *render(const struct diags *diags)
{
	struct strbuf out = STRBUF_INIT;

	diags_render(diags, &out);
	return strbuf_take(&out);
}

static void check_one(const char *text, unsigned line, unsigned column, const char *message, const char *expected)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	char *shown;

	diags_add(&diags, (struct diag_place){ "s.yaml", line, column, text, text ? strlen(text) : 0 }, "%s", message);
	shown = render(&diags);
	assert_string_equal(shown, expected);
	free(shown);
}

TEST(shows_source_and_caret)
{
	check_one("a\n  timeout: soon\nb\n", 2, 12, "bad", "s.yaml:2:12: bad\n      timeout: soon\n               ^\n");
	check_one("a: b\r\n", 1, 4, "bad", "s.yaml:1:4: bad\n    a: b\n       ^\n");
	check_one("last", 1, 1, "bad", "s.yaml:1:1: bad\n    last\n    ^\n");
	check_one("short", 1, 99, "bad", "s.yaml:1:99: bad\n    short\n         ^\n");
}

TEST(keeps_the_caret_aligned)
{
	check_one("a:\tb\tc", 1, 4, "bad", "s.yaml:1:4: bad\n    a:\tb\tc\n      \t^\n");
	check_one("\xc3\xa9: x", 1, 5, "bad", "s.yaml:1:5: bad\n    \xc3\xa9: x\n       ^\n");
	check_one("\x1b: x", 1, 4, "bad", "s.yaml:1:4: bad\n    \\x1b: x\n          ^\n");
}

TEST(does_without_a_source)
{
	char wide[400];

	memset(wide, 'x', sizeof wide - 1);
	wide[sizeof wide - 1] = '\0';
	check_one(NULL, 3, 4, "bad", "s.yaml:3:4: bad\n");
	check_one("a\n", 0, 0, "bad", "s.yaml: bad\n");
	check_one("a\n", 7, 1, "bad", "s.yaml:7:1: bad\n");
	check_one("a\n", 1, 0, "bad", "s.yaml:1: bad\n    a\n");
	check_one(wide, 1, 1, "bad", "s.yaml:1:1: bad\n");
	check_one(NULL, 1, 1, "two\nlines", "s.yaml:1:1: two\\nlines\n");
}

TEST(orders_by_line_within_each_file)
{
	struct diags diags = DIAGS_INIT, more = DIAGS_INIT;
	char *shown;

	diags_add(&diags, (struct diag_place){ "z", 9, 1, NULL, 0 }, "late");
	diags_add(&more, (struct diag_place){ "a", 2, 1, NULL, 0 }, "other");
	diags_add(&more, (struct diag_place){ "z", 1, 5, NULL, 0 }, "second");
	diags_add(&more, (struct diag_place){ "z", 1, 2, NULL, 0 }, "first %d", 1);
	diags_add(&more, (struct diag_place){ "z", 1, 5, NULL, 0 }, "third");
	diags_move(&diags, &more);
	assert_int_equal(more.n, 0);
	assert_int_equal(diags.n, 5);
	shown = render(&diags);
	assert_string_equal(shown, "z:1:2: first 1\nz:1:5: second\nz:1:5: third\nz:9:1: late\na:2:1: other\n");
	free(shown);
	diags_release(&diags);
	diags_release(&more);
	shown = render(&diags);
	assert_string_equal(shown, "");
	free(shown);
}
