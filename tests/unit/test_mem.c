/* Memory that is always there: sizes of nothing, overflow, vectors that grow. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"

static void nothing_is_still_an_address(void **state)
{
	void *none[] = {
		xmalloc(0), xcalloc(0, 8), xcalloc(8, 0), xrealloc_array(NULL, 0, 8), xrealloc_array(xmalloc(8), 0, 8),
		xcopy("", 0),
	};

	(void)state;
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
		assert_non_null(none[i]);
		free(none[i]);
	}
}

static void copies_are_whole_and_their_own(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		const char *expected;
	} cases[] = {
		{ "abc", 3, "abc" }, { "abc", 2, "ab" }, { "abc", 0, "" }, { "", 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *copy = xstrndup(cases[i].text, cases[i].len);

		assert_ptr_not_equal(copy, cases[i].text);
		assert_string_equal(copy, cases[i].expected);
	}
	assert_null(xstrdup(NULL));
	CLEANUP(free_ptr) char *bytes = xcopy("a\0b", 4);
	assert_memory_equal(bytes, "a\0b", 4);
}

/* Behind its end lies a page that nobody may read. */
static void a_text_shorter_than_asked_is_read_to_its_end(void **state)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *text = pages + page - sizeof "a1b2";

	(void)state;
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + page, page, PROT_NONE), 0);
	memcpy(text, "a1b2", sizeof "a1b2");
	CLEANUP(free_ptr) char *copy = xstrndup(text, 12);
	assert_string_equal(copy, "a1b2");
	munmap(pages, 2 * page);
}

static void calloc_gives_zeros(void **state)
{
	CLEANUP(free_ptr) int *zeros = xcalloc(1000, sizeof *zeros);

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(zeros[i], 0);
}

static void vectors_grow_and_keep(void **state)
{
	struct { unsigned *items; size_t n, cap; } v = { 0 };

	(void)state;
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

static void taken_pointers_leave_null(void **state)
{
	char *name = xstrdup("redis"), *taken = take_ptr(&name);

	(void)state;
	assert_null(name);
	assert_string_equal(taken, "redis");
	free(taken);
}

/* The product would wrap around to a few bytes, which malloc would gladly give. */
static void sizes_that_overflow_abort(void **state)
{
	static const struct { size_t n, size; } cases[] = {
		{ SIZE_MAX / 2 + 2, 2 }, { SIZE_MAX, SIZE_MAX }, { 2, SIZE_MAX / 2 + 2 },
	};

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_still_an_address),
		cmocka_unit_test(copies_are_whole_and_their_own),
		cmocka_unit_test(a_text_shorter_than_asked_is_read_to_its_end),
		cmocka_unit_test(calloc_gives_zeros),
		cmocka_unit_test(vectors_grow_and_keep),
		cmocka_unit_test(taken_pointers_leave_null),
		cmocka_unit_test(sizes_that_overflow_abort),
	};

	return cmocka_run_group_tests_name("mem", tests, NULL, NULL);
}
