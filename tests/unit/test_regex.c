#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/regex.h"
#include "base/strbuf.h"

#define N(array) (sizeof(array) / sizeof *(array))

static int check(const char *text, struct error *err)
{
	regex_t regex;
	int ret = regex_compile(&regex, text, REG_NOSUB, err);

	if (!ret)
		regfree(&regex);
	return ret;
}

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
		"\\{\"p9999\": ([0-9]+)",
		"\\(\\)\\{",
		"[[:digit:](]{2,4}",
		"[[:alpha:]+{9999}]+x+ +y+ +z+ +a+ +b+ +c+ +([0-9]+)",
		"[]{9999}] \\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+ ([0-9]+)",
		"[0-9]{4}-[0-9]{2}-[0-9]{2} ([0-9]+)",
		"(([a-z]+ +)+){2,3}",
		"[]()]",
		"[^](]",
		"[*][+]a?[?]*",
		"(((a*)*)*)*",
		"(a+)(b+)(c+)(d+)(e+)(f+)(g+)(h+)(i+)(j+)(k+)(l+)",
		"^(a|b)?(c|d|)*( *[0-9.]*)* \\bms\\b|^done$",
		"(x?){100}",
		"\\\\1",
		"a)",
		"[.]{255}",
		"a{0}b{,3}c{2,}",
	};

	(void)state;
	for (size_t i = 0; i < N(good); i++) {
		struct error err = ERROR_INIT;

		if (check(good[i], &err) < 0)
			fail_msg("'%s': %s", good[i], err.msg);
		assert_int_equal(err.kind, ERR_NONE);
	}
}

#define TOO_LARGE "its repetitions make it too large; use smaller numbers, or *"
#define TOO_LOOSE "its repetitions can match nothing in too many ways; repeat only what matches something"
#define STACKED(repeat) "the repeat '" repeat "' stands right behind another one; keep one of the two"

static void refuses_expressions(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "(", "Unmatched ( or \\(" },
		{ "[a", "Unmatched [, [^, [:, [., or [=" },
		{ "[[:digit:", "Unmatched [, [^, [:, [., or [=" },
		{ "\\", "Trailing backslash" },
		{ "a{x}", "Invalid content of \\{\\}" },
		{ "(a)\\1", "back-references such as \\1 are not taken" },
		{ "(((a{99}){99}){99})", TOO_LARGE },
		{ "((((((((((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)+)", TOO_LARGE },
		{ "(a{,50}){50,}", TOO_LARGE },
		{ "(([(]{99}){99}", TOO_LARGE },
		{ "(a{100}){100}", TOO_LARGE },
		{ "a{999999}", TOO_LARGE },
		{ "a{2,4001}", TOO_LARGE },
		{ "a{4001,}", TOO_LARGE },
		{ "a{99999999999999999999}", TOO_LARGE },
		{ "(a{,99999999999999999999})", TOO_LARGE },
		{ "(a[]+]+)[^]x+]{5000}", TOO_LARGE },
		{ "a){5000}", TOO_LARGE },
		{ "((a{99}){99}){0}", TOO_LARGE },
		{ "(a|b(c|(d{99}){9}){9})", TOO_LARGE },
		{ "((((a{99}){99}", TOO_LARGE },
		{ "(a**)", STACKED("*") },
		{ "(a)+{2}", STACKED("{2}") },
		{ "a{99}{99}{99}", STACKED("{99}") },
		{ "a{2}*{2}*{2}*", STACKED("*") },
		{ "[+]?+", STACKED("+") },
		{ "(a{200})*{200}", STACKED("{200}") },
		/* within any sensible size, and yet minutes or gigabytes of regcomp()'s */
		{ "((|b?){12})+", TOO_LOOSE },
		{ "((|(b{9}c)?){12})+", TOO_LOOSE },
		{ "[ab](|((([ab]?)+)+)){24}", TOO_LOOSE },
		{ "((b?|c?){16})*", TOO_LOOSE },
		{ "|(($){19}){19}", TOO_LOOSE },
		{ "((\\b){19}){19}", TOO_LOOSE },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		struct error err = ERROR_INIT;

		if (!check(cases[i].text, &err))
			fail_msg("'%s' was taken", cases[i].text);
		assert_int_equal(err.kind, ERR_INPUT);
		if (strcmp(err.msg, cases[i].why))
			fail_msg("'%s': %s", cases[i].text, err.msg);
	}
}

static void refuses_what_is_long_or_deep(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	strbuf_pad(&text, 'x', 1000);
	assert_int_equal(check(text.buf, &err), 0);
	strbuf_addc(&text, 'x');
	assert_int_equal(check(text.buf, &err), -1);
	assert_string_equal(err.msg, "it is longer than 1000 bytes");

	for (size_t depth = 30; depth <= 31; depth++) {
		strbuf_reset(&text);
		strbuf_pad(&text, '(', depth);
		strbuf_addc(&text, 'x');
		strbuf_pad(&text, ')', depth);
		assert_int_equal(check(text.buf, &err), depth == 30 ? 0 : -1);
	}
	assert_string_equal(err.msg, "its groups are nested deeper than 30 levels");

	strbuf_reset(&text);	/* these open no groups */
	for (int i = 0; i < 31; i++)
		strbuf_adds(&text, "[^](][](]\\(");
	assert_int_equal(check(text.buf, &err), 0);
	strbuf_release(&text);
}

static void compiles_with_flags(void **state)
{
	struct error err = ERROR_INIT;
	regmatch_t match[2];
	regex_t regex;

	(void)state;
	assert_int_equal(regex_compile(&regex, "^x=([0-9]+)$", REG_NEWLINE, &err), 0);
	assert_int_equal(regex.re_nsub, 1);
	assert_int_equal(regexec(&regex, "y\nx=12\nz", 2, match, 0), 0);
	assert_int_equal(match[1].rm_so, 4);
	assert_int_equal(match[1].rm_eo, 6);
	regfree(&regex);
	assert_int_equal(regex_compile(&regex, "^x=([0-9]+)$", 0, &err), 0);
	assert_int_equal(regexec(&regex, "y\nx=12\nz", 2, match, 0), REG_NOMATCH);
	regfree(&regex);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_expressions),
		cmocka_unit_test(refuses_expressions),
		cmocka_unit_test(refuses_what_is_long_or_deep),
		cmocka_unit_test(compiles_with_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
