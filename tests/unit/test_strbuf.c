/* Growing text and lists of strings. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/strv.h"
#include "base/text.h"

static void is_readable_while_empty(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *text;

	(void)state;
	assert_string_equal(sb.buf, "");
	strbuf_reset(&sb);
	strbuf_add(&sb, NULL, 0);
	strbuf_truncate(&sb, 10);
	assert_true(strbuf_ends_with(&sb, ""));
	assert_false(strbuf_ends_with(&sb, "x"));
	strbuf_release(&sb);
	text = strbuf_take(&sb);
	assert_string_equal(text, "");
	free(text);
}

static void appends(void **state)
{
	CLEANUP(strbuf_release) struct strbuf sb = STRBUF_INIT;

	(void)state;
	strbuf_adds(&sb, "a");
	strbuf_addc(&sb, 'b');
	strbuf_add(&sb, "cde", 2);
	strbuf_pad(&sb, '-', 3);
	strbuf_pad(&sb, '+', 0);
	strbuf_addf(&sb, "%d%%%s", 42, "x");
	assert_string_equal(sb.buf, "abcd---42%x");
	assert_int_equal(sb.len, strlen(sb.buf));
	strbuf_add(&sb, "\0z", 2);
	assert_int_equal(sb.len, 13);
	assert_memory_equal(sb.buf, "abcd---42%x\0z", 14);
}

static void keeps_everything_while_growing(void **state)
{
	CLEANUP(strbuf_release) struct strbuf sb = STRBUF_INIT;

	(void)state;
	for (unsigned i = 0; i < 10000; i++)
		strbuf_addf(&sb, "%05u", i);
	assert_int_equal(sb.len, 50000);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal(strtoul((char[]){ sb.buf[5 * i], sb.buf[5 * i + 1], sb.buf[5 * i + 2],
						   sb.buf[5 * i + 3], sb.buf[5 * i + 4], 0 }, NULL, 10), i);
}

/* Around the first capacity, where the terminator just fits or does not. */
static void terminates_at_every_length(void **state)
{
	(void)state;
	for (size_t len = 60; len < 70; len++) {
		CLEANUP(strbuf_release) struct strbuf sb = STRBUF_INIT;

		strbuf_pad(&sb, 'x', len);
		assert_int_equal(strlen(sb.buf), len);
		strbuf_addf(&sb, "%0*d", (int)len, 7);
		assert_int_equal(strlen(sb.buf), 2 * len);
		assert_true(sb.cap > sb.len);
	}
}

static void shortens_and_hands_on(void **state)
{
	struct strbuf sb = STRBUF_INIT;
	char *text;

	(void)state;
	strbuf_adds(&sb, "baseline.json");
	assert_true(strbuf_ends_with(&sb, ".json"));
	assert_true(strbuf_ends_with(&sb, "baseline.json"));
	assert_false(strbuf_ends_with(&sb, "a baseline.json"));
	assert_false(strbuf_ends_with(&sb, "JSON"));
	strbuf_truncate(&sb, 100);
	assert_int_equal(sb.len, 13);
	strbuf_truncate(&sb, 8);
	assert_string_equal(sb.buf, "baseline");
	text = strbuf_take(&sb);
	assert_string_equal(text, "baseline");
	assert_string_equal(sb.buf, "");
	assert_int_equal(sb.cap, 0);
	free(text);
	strbuf_adds(&sb, "again");
	strbuf_reset(&sb);
	assert_string_equal(sb.buf, "");
	assert_true(sb.cap > 0);
	strbuf_release(&sb);
	strbuf_release(&sb);
}

static void lists_are_terminated(void **state)
{
	struct strv list = STRV_INIT;

	(void)state;
	assert_null(list.items);
	for (int i = 0; i < 100; i++) {
		strv_pushf(&list, "item-%d", i);
		assert_null(list.items[list.n]);
	}
	assert_int_equal(list.n, 100);
	assert_string_equal(list.items[0], "item-0");
	assert_string_equal(list.items[99], "item-99");
	assert_true(strv_has(&list, "item-57"));
	assert_false(strv_has(&list, "item-5x"));
	strv_release(&list);
	assert_null(list.items);
	assert_false(strv_has(&list, "item-0"));
	strv_release(&list);
}

static void lists_copy_sort_and_compare(void **state)
{
	CLEANUP(strv_release) struct strv a = STRV_INIT;
	CLEANUP(strv_release) struct strv b = STRV_INIT;

	(void)state;
	strv_sort(&a);
	assert_true(strv_equal(&a, &b));
	strv_push(&a, "pear");
	strv_push(&a, "apple");
	assert_false(strv_equal(&a, &b));
	strv_copy(&b, &a);
	assert_true(strv_equal(&a, &b));
	assert_ptr_not_equal(a.items[0], b.items[0]);
	strv_sort(&b);
	assert_string_equal(b.items[0], "apple");
	assert_string_equal(b.items[1], "pear");
	assert_false(strv_equal(&a, &b));
	strv_copy(&b, &a);
	assert_int_equal(b.n, 4);
	assert_null(b.items[4]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_readable_while_empty),
		cmocka_unit_test(appends),
		cmocka_unit_test(keeps_everything_while_growing),
		cmocka_unit_test(terminates_at_every_length),
		cmocka_unit_test(shortens_and_hands_on),
		cmocka_unit_test(lists_are_terminated),
		cmocka_unit_test(lists_copy_sort_and_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
