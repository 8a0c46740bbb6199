/* Lists of strings, usable as argv. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>

#include "base/mem.h"
#include "base/text.h"

/* Returns the letters of WORDS, one string each. */
static struct strv letters(const char *words)
{
	struct strv list = STRV_INIT;

	for (; *words; words++)
		strv_pushf(&list, "%c", *words);
	return list;
}

static void an_empty_list_is_fine_everywhere(void **state)
{
	struct strv a = STRV_INIT, b = STRV_INIT;

	(void)state;
	assert_null(a.items);
	strv_sort(&a);
	strv_copy(&a, &b);
	assert_int_equal(a.n, 0);
	assert_false(strv_has(&a, ""));
	assert_true(strv_equal(&a, &b));
	strv_release(&a);
	strv_release(&a);
}

static void it_is_terminated_after_every_push(void **state)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		strv_pushf(&list, "%zu", i);
		assert_int_equal(list.n, i + 1);
		assert_null(list.items[i + 1]);
	}
	assert_string_equal(list.items[0], "0");
	assert_string_equal(list.items[99], "99");
}

static void strings_are_copied_or_taken(void **state)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT, copy = STRV_INIT;
	char text[] = "before", *own = xstrdup("own");

	(void)state;
	strv_push(&list, text);
	strv_take(&list, own);
	text[0] = 'B';
	assert_string_equal(list.items[0], "before");
	assert_ptr_equal(list.items[1], own);
	strv_push(&copy, "first");
	strv_copy(&copy, &list);
	assert_int_equal(copy.n, 3);
	assert_string_equal(copy.items[2], "own");
	assert_ptr_not_equal(copy.items[2], own);
}

static void lists_are_compared_word_by_word(void **state)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} cases[] = {
		{ "", "", true }, { "ab", "ab", true }, { "ab", "a", false }, { "a", "ab", false },
		{ "ab", "ba", false }, { "ab", "ac", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strv_release) struct strv a = letters(cases[i].a), b = letters(cases[i].b);

		assert_int_equal(strv_equal(&a, &b), cases[i].equal);
	}
}

static void shortening_keeps_the_first(void **state)
{
	struct strv list = STRV_INIT;

	(void)state;
	strv_shorten(&list, 0);
	strv_push(&list, "a");
	strv_push(&list, "b");
	strv_shorten(&list, 3);
	assert_int_equal(list.n, 2);
	strv_shorten(&list, 1);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.items[0], "a");
	assert_null(list.items[1]);
	strv_release(&list);
}

static void sorting_is_by_bytes(void **state)
{
	CLEANUP(strv_release) struct strv list = letters("cBa\xe4" "1"), sorted = letters("1Bac\xe4");

	(void)state;
	strv_sort(&list);
	assert_true(strv_equal(&list, &sorted));
	assert_null(list.items[list.n]);
}

static void it_knows_what_it_has(void **state)
{
	CLEANUP(strv_release) struct strv list = letters("ab");

	(void)state;
	assert_true(strv_has(&list, "b"));
	assert_false(strv_has(&list, "ab"));
	assert_false(strv_has(&list, ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_list_is_fine_everywhere),
		cmocka_unit_test(it_is_terminated_after_every_push),
		cmocka_unit_test(strings_are_copied_or_taken),
		cmocka_unit_test(lists_are_compared_word_by_word),
		cmocka_unit_test(shortening_keeps_the_first),
		cmocka_unit_test(sorting_is_by_bytes),
		cmocka_unit_test(it_knows_what_it_has),
	};

	/* Fills fresh memory with non-zero bytes. */
	mallopt(M_PERTURB, 0x55);
	return cmocka_run_group_tests_name("strv", tests, NULL, NULL);
}
