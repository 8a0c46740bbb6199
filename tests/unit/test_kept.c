/* Which kept builds go, and what makes a build another one. */
#include "unit.h"

#include "measure/git/kept.h"

enum { MOST = 6 };

TEST(the_least_recently_used_go_first)
{
	static const struct {
		uint64_t cap;
		uint64_t bytes[MOST];	/* last used first; 0: unfinished */
		const char *dropped;
	} cases[] = {
		{ 100, { 50, 50 }, "--" }, { 99, { 50, 50 }, "-x" }, { 100, { 40, 0, 40 }, "-x-" },
		/* A smaller one does not outlive a larger one that was used later. */
		{ 100, { 40, 70, 10, 5 }, "-xxx" }, { 10, { 11, 1 }, "xx" }, { 0, { 1 }, "x" },
		{ UINT64_MAX, { UINT64_MAX, 1 }, "-x" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct kept trees[MOST] = { 0 };
		size_t n = strlen(cases[i].dropped);
		char found[MOST + 1] = "";
		bool drop[MOST];

		for (size_t k = 0; k < n; k++)
			trees[k] = (struct kept){ .finished = cases[i].bytes[k] > 0, .bytes = cases[i].bytes[k] };
		kept_choose(trees, n, cases[i].cap, drop);
		for (size_t k = 0; k < n; k++)
			found[k] = drop[k] ? 'x' : '-';
		assert_string_equal(found, cases[i].dropped);
	}
}

#define ENV(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(a_build_is_another_one_if_what_it_depends_on_differs)
{
	static const char debian[] = "PRETTY_NAME=\"Debian 12\"\nID=debian\nVERSION_ID=\"12\"\n";
	const struct kept_build key = { "make", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 12\n", "x86_64", debian };
	const struct { struct kept_build other; bool same; } cases[] = {
		{ { "make", ENV("PATH=/bin", "CFLAGS=-O2"), "cc 12\n", "x86_64", debian }, true },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin", "TERM=xterm", "GITHUB_RUN_ID=7", "STATS_D=1"), "cc 12\n", "x86_64", debian }, true },
		{ { "make all", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 12\n", "x86_64", debian }, false },
		{ { "make", ENV("CFLAGS=-O3", "PATH=/bin"), "cc 12\n", "x86_64", debian }, false },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin", "ImageVersion=20261101"), "cc 12\n", "x86_64", debian }, false },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 13\n", "x86_64", debian }, false },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 12\n", "aarch64", debian }, false },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 12\n", "x86_64", "ID=debian\nVERSION_ID=\"13\"\n" }, false },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 12\n", "x86_64", NULL }, false },
		/* Text does not move from one part to the next. */
		{ { "make", ENV("CFLAGS=-O2"), "PATH=/bin", "x86_64", debian }, false },
		{ { "make", ENV("CFLAGS=-O2", "PATH=/bin"), "cc 12\nx86_64", "", debian }, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(kept_key(&key) == kept_key(&cases[i].other), cases[i].same);
}
