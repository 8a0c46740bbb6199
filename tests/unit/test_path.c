#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void test_name_and_parent(void **state)
{
	static const struct {
		const char *path, *name, *parent;
	} cases[] = {
		{ "/a/b", "b", "/a" }, { "a/b.c", "b.c", "a" }, { "b", "b", "." }, { "/b", "b", "/" }, { "", "", "." }, { "/", "/", "/" },
		{ "a/", "a/", "a" }, { "./b", "b", "." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *parent = path_parent(cases[i].path);

		assert_string_equal(path_name(cases[i].path), cases[i].name);
		assert_string_equal(parent, cases[i].parent);
		free(parent);
	}
}

static void test_tidy(void **state)
{
	static const struct {
		const char *path, *tidy;
	} cases[] = {
		{ "/p/build/../src/./x.c", "/p/src/x.c" }, { "./src/./x.c", "src/x.c" }, { "../../x.c", "../../x.c" },
		{ "a/../../x.c", "../x.c" }, { "../a/../x.c", "../x.c" }, { "/../x.c", "/x.c" }, { "/", "/" }, { "", "" }, { "x.c", "x.c" },
		{ "/p//x.c", "/p/x.c" }, { "/p/...", "/p/..." }, { "/p/./-dash.c", "/p/-dash.c" }, { "/a/b/../..", "/" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *path = strdup(cases[i].path);

		path_tidy(path);
		assert_string_equal(path, cases[i].tidy);
		free(path);
	}
}

static void test_below(void **state)
{
	static const struct {
		const char *path, *folder, *below;
	} cases[] = {
		{ "/a/b/c", "/a", "b/c" }, { "/a", "/a", "" }, { "/ab", "/a", NULL }, { "/b", "/a", NULL }, { "/", "/a", NULL },
		{ "/a/b", "/", "a/b" }, { "/", "/", "" }, { "/a/", "/a", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *below = path_below(cases[i].path, cases[i].folder);

		assert_int_equal(!below, !cases[i].below);
		if (below)
			assert_string_equal(below, cases[i].below);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_name_and_parent),
		cmocka_unit_test(test_tidy),
		cmocka_unit_test(test_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
