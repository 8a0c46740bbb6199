/* Lists of strings, usable as argv. */
#include "unit.h"

#include <malloc.h>

static int fill_fresh_memory(void **state)
{
	return mallopt(M_PERTURB, 0x55) ? 0 : -1;
}
FIXTURE(fill_fresh_memory, NULL);

/* Returns the letters of WORDS, one string each. */
static struct strv letters(const char *words)
{
	struct strv list = STRV_INIT;

	for (; *words; words++)
		strv_pushf(&list, "%c", *words);
	return list;
}

TEST(an_empty_list_is_fine_everywhere)
{
	struct strv a = STRV_INIT, b = STRV_INIT;

	assert_null(a.items);
	strv_sort(&a);
	strv_copy(&a, &b);
	assert_int_equal(a.n, 0);
	assert_false(strv_has(&a, ""));
	assert_true(strv_equal(&a, &b));
	strv_push(&a, "a");
	strv_release(&a);
	assert_null(a.items);
	assert_false(strv_has(&a, "a"));
	strv_release(&a);
}

TEST(it_is_terminated_after_every_push)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	for (size_t i = 0; i < 100; i++) {
		strv_pushf(&list, "%zu", i);
		assert_int_equal(list.n, i + 1);
		assert_null(list.items[i + 1]);
	}
	assert_string_equal(list.items[0], "0");
	assert_string_equal(list.items[99], "99");
}

TEST(strings_are_copied_or_taken)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT, copy = STRV_INIT;
	char text[] = "before", *own = xstrdup("own");

	strv_push(&list, text);
	strv_take(&list, own);
	text[0] = 'B';
	assert_string_equal(list.items[0], "before");
	assert_ptr_equal(list.items[1], own);
	strv_push(&copy, "first");
	strv_copy(&copy, &list);
	assert_int_equal(copy.n, 3);
	assert_string_equal(copy.items[2], "own");
	assert_null(copy.items[3]);
	assert_ptr_not_equal(copy.items[2], own);
}

TEST(lists_are_compared_word_by_word)
{
	static const struct { const char *a, *b; bool equal; } cases[] = {
		{ "", "", true }, { "ab", "ab", true }, { "ab", "a", false }, { "a", "ab", false },
		{ "ab", "ba", false }, { "ab", "ac", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strv_release) struct strv a = letters(cases[i].a), b = letters(cases[i].b);

		assert_int_equal(strv_equal(&a, &b), cases[i].equal);
	}
}

TEST(shortening_keeps_the_first)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	strv_shorten(&list, 0);
	strv_push(&list, "a");
	strv_push(&list, "b");
	strv_shorten(&list, 3);
	assert_int_equal(list.n, 2);
	strv_shorten(&list, 1);
	assert_int_equal(list.n, 1);
	assert_string_equal(list.items[0], "a");
	assert_null(list.items[1]);
}

TEST(sorting_is_by_bytes)
{
	CLEANUP(strv_release) struct strv list = letters("cBa\xe4" "1"), sorted = letters("1Bac\xe4");

	strv_sort(&list);
	assert_true(strv_equal(&list, &sorted));
	assert_null(list.items[list.n]);
}

TEST(it_knows_what_it_has)
{
	CLEANUP(strv_release) struct strv list = letters("ab");

	assert_true(strv_has(&list, "b"));
	assert_false(strv_has(&list, "ab"));
	assert_false(strv_has(&list, ""));
}
