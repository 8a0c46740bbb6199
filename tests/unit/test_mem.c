#include "unit.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* -------- Allocation that never fails: empty sizes, overflow, growing vectors. */

TEST(nothing_is_still_an_address)
{
	void *none[] = {
		xmalloc(0), xcalloc(0, 8), xcalloc(8, 0), xrealloc_array(NULL, 0, 8), xrealloc_array(xmalloc(8), 0, 8),
		xcopy("", 0),
	};

	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		assert_non_null(none[i]);
		free(none[i]);
	}
}

TEST(the_first_that_holds_is_found)
{
	static const int sorted[] = { 1, 3, 3, 3, 8 };
	static const struct {
		int at_least;
		size_t n, found;
	} cases[] = { { 0, 5, 0 }, { 1, 5, 0 }, { 2, 5, 1 }, { 3, 5, 1 }, { 4, 5, 4 }, { 8, 5, 4 }, { 9, 5, 5 }, { 1, 0, 0 }, { 9, 1, 1 } };

	for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
		assert_int_equal(SEARCH_FIRST(i, cases[k].n, sorted[i] >= cases[k].at_least), cases[k].found);
}

TEST(copies_are_whole_and_their_own)
{
	static const struct { const char *text; size_t len; const char *expected; } cases[] = {
		{ "abc", 3, "abc" }, { "abc", 2, "ab" }, { "abc", 0, "" }, { "", 0, "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *copy = xstrndup(cases[i].text, cases[i].len);

		assert_ptr_not_equal(copy, cases[i].text);
		assert_string_equal(copy, cases[i].expected);
	}
	assert_null(xstrdup(NULL));
	CLEANUP(free_ptr) char *bytes = xcopy("a\0b", 4);
	assert_memory_equal(bytes, "a\0b", 4);
}

/* An unreadable page follows the end of the text. */
TEST(a_text_shorter_than_asked_is_read_to_its_end)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *text = pages + page - sizeof "a1b2";

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	memcpy(text, "a1b2", sizeof "a1b2");
	CLEANUP(free_ptr) char *copy = xstrndup(text, 12);
	assert_string_equal(copy, "a1b2");
	munmap(pages, 2 * page);
}

TEST(calloc_gives_zeros)
{
	CLEANUP(free_ptr) int *zeros = xcalloc(1000, sizeof *zeros);

	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(zeros[i], 0);
}

TEST(vectors_grow_and_keep)
{
	struct { unsigned *items; size_t n, cap; } v = { 0 };

	for (unsigned i = 0; i < 1000; i++) {
		VEC_GROW(v.items, v.n, v.cap);
		assert_true(v.cap > v.n);
		v.items[v.n++] = i;
	}
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(v.items[i], i);
	assert_true(v.cap < 2100);
	free(v.items);
}

TEST(taken_pointers_leave_null)
{
	char *name = xstrdup("redis"), *taken = take_ptr(&name);

	assert_null(name);
	assert_string_equal(taken, "redis");
	free(taken);
}

/* The product would wrap around to a few bytes, which malloc would return. */
TEST(sizes_that_overflow_abort)
{
	static const struct { size_t n, size; } cases[] = {
		{ SIZE_MAX / 2 + 2, 2 }, { SIZE_MAX, SIZE_MAX }, { 2, SIZE_MAX / 2 + 2 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			struct rlimit none = { 0, 0 };

			setrlimit(RLIMIT_CORE, &none);
			signal(SIGABRT, SIG_DFL);
			free(xrealloc_array(NULL, cases[i].n, cases[i].size));
			_exit(0);
		}
		assert_true(pid > 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGABRT);
	}
}

/* -------- Memory of one owner: zeros, its alignment, texts, lists that grow, one release. */

TEST(is_zeros_aligned_and_nobody_elses)
{
	static const size_t sizes[] = { 0, 1, 7, 16, 4095, 4096, 4097, 3, 1 << 19, 1, 3 << 20, 100, 2048, 2047, 8 };
	enum { ROUNDS = 20, N = sizeof sizes / sizeof *sizes };
	static unsigned char *kept[ROUNDS][N];
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < N; i++) {
			unsigned char *data = kept[round][i] = arena_alloc(&arena, sizes[i]);

			assert_int_equal((uintptr_t)data % _Alignof(max_align_t), 0);
			for (size_t at = 0; at < sizes[i]; at++)
				if (data[at])
					fail_msg("byte %zu of %zu is %d", at, sizes[i], data[at]);
			memset(data, (int)(round * N + i + 1) & 0xff, sizes[i]);
		}
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < N; i++)
			for (size_t at = 0; at < sizes[i]; at++)
				if (kept[round][i][at] != ((round * N + i + 1) & 0xff))
					fail_msg("byte %zu of allocation %zu was overwritten", at, round * N + i);
}

TEST(texts_are_copied)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	char text[] = "abc";
	char *copy = arena_strdup(&arena, text), *part = arena_strndup(&arena, text, 2);

	text[0] = 'x';
	assert_string_equal(copy, "abc");
	assert_string_equal(part, "ab");
	assert_null(arena_strdup(&arena, NULL));
	assert_null(arena_take(&arena, NULL));
	assert_string_equal(arena_strndup(&arena, "", 3), "");
	assert_string_equal(arena_take(&arena, xstrdup("taken")), "taken");
	assert_string_equal(arena_printf(&arena, "%d of %s", 3, "five"), "3 of five");
	assert_memory_equal(arena_memdup(&arena, "a\0b", 4), "a\0b", 4);
	assert_non_null(arena_memdup(&arena, NULL, 0));
}

TEST(lists_grow)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	size_t n = 0, cap = 0;
	unsigned *items = NULL;

	for (unsigned i = 0; i < 10000; i++) {
		ARENA_GROW(&arena, items, n, cap);
		assert_int_equal(items[n], 0);
		items[n++] = i;
	}
	assert_true(cap >= n);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal(items[i], i);
}

TEST(lists_of_strings_are_terminated)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv list = STRV_INIT, copy = STRV_INIT;

	for (int i = 0; i < 100; i++) {
		if (i % 2)
			arena_pushf(&arena, &list, "%d", i);
		else
			arena_push(&arena, &list, "even");
		assert_int_equal(list.n, i + 1);
		assert_null(list.items[list.n]);
	}
	arena_push_all(&arena, &copy, &list);
	assert_true(strv_equal(&copy, &list));
	assert_ptr_not_equal(copy.items[0], list.items[0]);
	assert_string_equal(copy.items[99], "99");
}

TEST(moves_with_its_owner_and_serves_again)
{
	struct arena first = ARENA_INIT, second;
	char *text = arena_strdup(&first, "stays");

	second = first;
	first = (struct arena)ARENA_INIT;
	arena_release(&first);
	assert_string_equal(text, "stays");
	arena_release(&second);
	assert_null(second.blocks);
	assert_string_equal(arena_strdup(&second, "again"), "again");
	arena_release(&second);
	arena_release(&second);
}
