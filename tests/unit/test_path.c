#include "unit.h"

TEST(test_name_and_parent)
{
	static const struct { const char *path, *name, *parent; } cases[] = {
		{ "/a/b", "b", "/a" }, { "a/b.c", "b.c", "a" }, { "b", "b", "." }, { "/b", "b", "/" }, { "", "", "." }, { "/", "/", "/" },
		{ "a/", "a/", "a" }, { "./b", "b", "." },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *parent = path_parent(cases[i].path);

		assert_string_equal(path_name(cases[i].path), cases[i].name);
		assert_string_equal(parent, cases[i].parent);
	}
}

TEST(test_tidy)
{
	static const struct { const char *path, *tidy; } cases[] = {
		{ "/p/build/../src/./x.c", "/p/src/x.c" }, { "./src/./x.c", "src/x.c" }, { "../../x.c", "../../x.c" },
		{ "a/../../x.c", "../x.c" }, { "../a/../x.c", "../x.c" }, { "/../x.c", "/x.c" }, { "/", "/" }, { "", "" }, { "x.c", "x.c" },
		{ "/p//x.c", "/p/x.c" }, { "/p/...", "/p/..." }, { "/p/./-dash.c", "/p/-dash.c" }, { "/a/b/../..", "/" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *path = strdup(cases[i].path);

		path_tidy(path);
		assert_string_equal(path, cases[i].tidy);
	}
}

TEST(test_below)
{
	static const struct { const char *path, *folder, *below; } cases[] = {
		{ "/a/b/c", "/a", "b/c" }, { "/a", "/a", "" }, { "/ab", "/a", NULL }, { "/b", "/a", NULL }, { "/", "/a", NULL },
		{ "/a/b", "/", "a/b" }, { "/", "/", "" }, { "/a/", "/a", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *below = path_below(cases[i].path, cases[i].folder);

		assert_int_equal(!below, !cases[i].below);
		if (below)
			assert_string_equal(below, cases[i].below);
	}
}
