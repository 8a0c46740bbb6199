#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

static void test_decode(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		uint32_t code;
	} rows[] = {
		{ "a", 1, 'a' },
		{ "\x7f", 1, 0x7f },
		{ "\xc2\x80", 2, 0x80 },
		{ "\xdf\xbf", 2, 0x7ff },
		{ "\xe0\xa0\x80", 3, 0x800 },
		{ "\xef\xbf\xbf", 3, 0xffff },
		{ "\xf0\x90\x80\x80", 4, 0x10000 },
		{ "\xf4\x8f\xbf\xbf", 4, 0x10ffff },
		{ "\x80", 0, 0 },
		{ "\xc1\xbf", 0, 0 },
		{ "\xe0\x9f\xbf", 0, 0 },
		{ "\xed\xbf\xbf", 0, 0 },
		{ "\xf0\x8f\xbf\xbf", 0, 0 },
		{ "\xf4\x90\x80\x80", 0, 0 },
		{ "\xf8\x88\x80\x80\x80", 0, 0 },
		{ "\xe2\x82", 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint32_t code = 0;

		assert_int_equal(utf8_decode(rows[i].bytes, &code), rows[i].len);
		assert_int_equal(code, rows[i].code);
	}
}

static void test_width(void **state)
{
	static const struct {
		const char *text;
		size_t width;
	} rows[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "gr\xc3\xbc\xc3\x9f", 4 },
		{ "\xe4\xb8\xad\xe6\x96\x87", 4 },
		{ "e\xcc\x81", 1 },
		{ "\xf0\x9f\x90\xa7", 2 },
		{ "a\xff", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		assert_int_equal(utf8_width(rows[i].text), rows[i].width);
}

static void test_clip(void **state)
{
	(void)state;
	assert_int_equal(utf8_clip("abc", 0), 0);
	assert_int_equal(utf8_clip("abc", 2), 2);
	assert_int_equal(utf8_clip("abc", 3), 3);
	assert_int_equal(utf8_clip("abc", 99), 3);
	assert_int_equal(utf8_clip("a\xe2\x82\xac", 3), 1);
	assert_int_equal(utf8_clip("a\xe2\x82\xac", 4), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_decode),
	    cmocka_unit_test(test_width),
	    cmocka_unit_test(test_clip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
