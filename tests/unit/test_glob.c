#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/parse.h"

static const struct { const char *glob, *text; bool matches; } globs[] = {
	{ "", "", true }, { "", "a", false }, { "a", "", false }, { "a", "a", true }, { "a", "ab", false },
	{ "*", "", true }, { "*", "anything", true }, { "**", "x", true }, { "?", "", false }, { "?", "x", true },
	{ "??", "x", false }, { "sqlx::*", "sqlx::query", true }, { "sqlx::*", "mysqlx::query", false },
	{ "*query", "sqlx::query", true }, { "*query", "sqlx::query2", false }, { "a*b*c", "axxbyyc", true },
	{ "a*b*c", "axxcyyb", false }, { "*ab", "aab", true }, { "*aab", "aaaab", true }, { "libc.so*", "libc.so.6", true },
	{ "lib?.so", "libc.so", true }, { "[kernel]", "[kernel]", true }, { "[kernel]", "k", false },
	{ "operator[]*", "operator[](int)", true }, { "a\\*", "a\\b", true }, { "a\\*", "a*", false }, { "*", "a*b", true },
	{ "a*", "a*", true }, { "?*?", "a", false }, { "?*?", "ab", true },
};

static void globs_match_whole_names(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof globs / sizeof *globs; i++)
		if (glob_match(globs[i].glob, globs[i].text) != globs[i].matches)
			fail_msg("'%s' against '%s'", globs[i].glob, globs[i].text);
}

/* What makes a naive matcher try all ways takes no time. */
static void many_stars_are_no_trap(void **state)
{
	char glob[2001] = "", text[4001];

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		memcpy(glob + 2 * i, "*a", 3);
	memset(text, 'a', 4000);
	memcpy(text + 3999, "b", 2);
	assert_false(glob_match(glob, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(globs_match_whole_names),
		cmocka_unit_test(many_stars_are_no_trap),
	};

	return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
