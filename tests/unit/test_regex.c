#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/parse.h"
#include "base/text.h"

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
		"(a{100}){100}",
		"(((((a+)+)+)+)+)+",
		"a**",
	};

	(void)state;
	for (size_t i = 0; i < N(good); i++) {
		struct error err = ERROR_INIT;

		if (check(good[i], &err) < 0)
			fail_msg("'%s': %s", good[i], err.msg);
		assert_int_equal(err.kind, ERR_NONE);
	}
}

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
		{ "(a)b\\\\\\9", "back-references such as \\9 are not taken" },
		{ "a{99999}", "Regular expression too big" },
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

static void refuses_what_is_long(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	strbuf_pad(&text, 'x', 1000);
	assert_int_equal(check(text.buf, &err), 0);
	strbuf_addc(&text, 'x');
	assert_int_equal(check(text.buf, &err), -1);
	assert_string_equal(err.msg, "it is longer than 1000 bytes");
	strbuf_release(&text);
}

/* The longest line that pawl reads of a service, with what takes other libraries for ever. */
static void matches_in_time(void **state)
{
	static const char *const loops[] = {
		"(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "(a*)(a*)(a*)(a*)(a*)b", "((a*)*)*b", "(a?){100}b",
	};
	struct strbuf line = STRBUF_INIT;

	(void)state;
	strbuf_pad(&line, 'a', 4096);
	for (size_t i = 0; i < N(loops); i++) {
		struct error err = ERROR_INIT;
		regmatch_t match[2];
		regex_t regex;

		assert_int_equal(regex_compile(&regex, loops[i], 0, &err), 0);
		assert_int_equal(regexec(&regex, line.buf, 2, match, 0), REG_NOMATCH);
		regfree(&regex);
	}
	strbuf_release(&line);
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
		cmocka_unit_test(refuses_what_is_long),
		cmocka_unit_test(matches_in_time),
		cmocka_unit_test(compiles_with_flags),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
