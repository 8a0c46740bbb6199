/* Memory of one owner: zeros, its alignment, texts, lists that grow, one release. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

static void is_zeros_aligned_and_nobody_elses(void **state)
{
	static const size_t sizes[] = { 0, 1, 7, 16, 4095, 4096, 4097, 3, 1 << 19, 1, 3 << 20, 100, 2048, 2047, 8 };
	enum { ROUNDS = 20, N = sizeof sizes / sizeof *sizes };
	static unsigned char *kept[ROUNDS][N];
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	(void)state;
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

static void texts_are_copied(void **state)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	char text[] = "abc";
	char *copy = arena_strdup(&arena, text), *part = arena_strndup(&arena, text, 2);

	(void)state;
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

static void lists_grow(void **state)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	size_t n = 0, cap = 0;
	unsigned *items = NULL;

	(void)state;
	for (unsigned i = 0; i < 10000; i++) {
		ARENA_GROW(&arena, items, n, cap);
		assert_int_equal(items[n], 0);
		items[n++] = i;
	}
	assert_true(cap >= n);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal(items[i], i);
}

static void lists_of_strings_are_terminated(void **state)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv list = STRV_INIT, copy = STRV_INIT;

	(void)state;
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

static void moves_with_its_owner_and_serves_again(void **state)
{
	struct arena first = ARENA_INIT, second;
	char *text = arena_strdup(&first, "stays");

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_zeros_aligned_and_nobody_elses),
		cmocka_unit_test(texts_are_copied),
		cmocka_unit_test(lists_grow),
		cmocka_unit_test(lists_of_strings_are_terminated),
		cmocka_unit_test(moves_with_its_owner_and_serves_again),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
