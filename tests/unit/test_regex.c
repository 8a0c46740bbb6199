#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/strbuf.h"
#include "scenario/regex.h"

static void takes_expressions(void **state)
{
	static const char *const good[] = {
		"",
		"a",
		"^ready$",
		"[0-9.]+ ms",
		"(a|b)+",
		"x{3}",
		"(ab){1,20}",
		"\\{\"rps\": ([0-9.]+)",
		"\\(\\)\\{",
		"[[:digit:](]{2,4}",
		"[]()]",
		"[^](]",
		"(((a*)*)*)*",
		"(a+)(b+)(c+)(d+)(e+)(f+)(g+)(h+)(i+)(j+)(k+)(l+)",
		"\\\\1",
		"[.]{255}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct error err = ERROR_INIT;

		if (regex_check(good[i], &err) < 0)
			fail_msg("'%s': %s", good[i], err.msg);
	}
}

#define TOO_LARGE "its repetitions make it too large; use smaller numbers, or *"

static void refuses_expressions(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "(", "Unmatched ( or \\(" },
		{ "[a", "Unmatched [, [^, [:, [., or [=" },
		{ "[[:digit:", "Unmatched [, [^, [:, [., or [=" },
		{ "\\", "Trailing backslash" },
		{ "(a)\\1", "back-references such as \\1 are not taken" },
		{ "(((a{99}){99}){99})", TOO_LARGE },
		{ "((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)", TOO_LARGE },
		{ "(a{200})*{200}", TOO_LARGE },
		{ "(a{,50}){50,}", TOO_LARGE },
		{ "(([(]{99}){99}", TOO_LARGE },
		{ "a{99999999999999999999}", TOO_LARGE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct error err = ERROR_INIT;

		if (!regex_check(cases[i].text, &err))
			fail_msg("'%s' was taken", cases[i].text);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_string_equal(err.msg, cases[i].why);
	}
}

static void refuses_what_is_long_or_deep(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	strbuf_pad(&text, 'x', 1000);
	assert_int_equal(regex_check(text.buf, &err), 0);
	strbuf_addc(&text, 'x');
	assert_int_equal(regex_check(text.buf, &err), -1);
	assert_string_equal(err.msg, "it is longer than 1000 bytes");

	for (size_t depth = 30; depth <= 31; depth++) {
		strbuf_reset(&text);
		strbuf_pad(&text, '(', depth);
		strbuf_addc(&text, 'x');
		strbuf_pad(&text, ')', depth);
		assert_int_equal(regex_check(text.buf, &err), depth == 30 ? 0 : -1);
	}
	assert_string_equal(err.msg, "its groups are nested deeper than 30 levels");

	strbuf_reset(&text);	/* these open no groups */
	for (int i = 0; i < 31; i++)
		strbuf_adds(&text, "[^](][](]\\(");
	assert_int_equal(regex_check(text.buf, &err), 0);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_expressions),
		cmocka_unit_test(refuses_expressions),
		cmocka_unit_test(refuses_what_is_long_or_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
