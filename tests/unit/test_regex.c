/* Regular expressions: accepted and refused syntax. Compiling and matching are fast. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/regex.h"

#define N(array) (sizeof(array) / sizeof *(array))

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int check(const char *text, struct error *err)
{
	CLEANUP(regex_release) struct regex *regex = NULL;

	return regex_compile(text, 0, &regex, err);
}

TEST(takes_expressions)
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
		"[.]{255}",
		"a{0}b{,3}c{2,}",
		"(a{100}){100}",
		"(((((a+)+)+)+)+)+",
		"(a|b)\\1",
		"(?i)ready",
	};

	for (size_t i = 0; i < N(good); i++) {
		struct error err = ERROR_INIT;

		if (check(good[i], &err) < 0)
			fail_msg("'%s': %s", good[i], err.msg);
		assert_int_equal(err.kind, ERR_NONE);
	}
}

TEST(refuses_expressions)
{
	static const struct { const char *text, *why; } cases[] = {
		{ "(", "missing closing parenthesis" },
		{ "[a", "missing terminating ] for character class" },
		{ "[[:digit:", "missing terminating ] for character class" },
		{ "\\", "\\ at end of pattern" },
		{ "a)", "unmatched closing parenthesis" },
		{ "*a", "quantifier does not follow a repeatable item" },
		{ "a{99999}", "number too big in {} quantifier" },
		{ "(((a{99}){99}){99}){99}", "regular expression is too large" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err = ERROR_INIT;

		if (!check(cases[i].text, &err))
			fail_msg("'%s' was taken", cases[i].text);
		assert_int_equal(err.kind, ERR_INPUT);
		if (strcmp(err.msg, cases[i].why))
			fail_msg("'%s': %s", cases[i].text, err.msg);
	}
}

TEST(refuses_what_is_long)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, nested = STRBUF_INIT;
	struct error err = ERROR_INIT;

	strbuf_pad(&text, 'x', 1000);
	assert_int_equal(check(text.buf, &err), 0);
	strbuf_addc(&text, 'x');
	assert_int_equal(check(text.buf, &err), -1);
	assert_string_equal(err.msg, "it is longer than 1000 bytes");
	strbuf_pad(&nested, '(', 200);
	strbuf_pad(&nested, ')', 200);
	err = (struct error)ERROR_INIT;
	assert_int_equal(check(nested.buf, &err), -1);
	assert_string_equal(err.msg, "parentheses are too deeply nested");
}

TEST(finds)
{
	static const struct {
		const char *pattern; unsigned flags, find; const char *text; int found; size_t start, end;
	} cases[] = {
		{ "^x=([0-9]+)$", REGEX_LINES, 0, "y\nx=12\nz", 1, 4, 6 },
		{ "^x=([0-9]+)$", 0, 0, "y\nx=12\nz", 0, 0, 0 },
		{ "^x=([0-9]+)$", 0, 0, "x=12", 1, 2, 4 },
		{ "^x=([0-9]+)$", 0, REGEX_NOT_AT_END, "x=12", 0, 0, 0 },
		{ "^x$", 0, 0, "x\n", 0, 0, 0 }, { "a(.)b", 0, 0, "a\nb", 1, 1, 2 },
		{ "a(.)b", REGEX_LINES, 0, "a\nb", 0, 0, 0 },
		/* Cases where POSIX (longest match) and PCRE2 (first match) differ. */
		{ "(a|ab)(c|bcd)", 0, 0, "abcd", 1, 0, 1 },
		{ "([0-9]+|[0-9.]+)", 0, 0, "1.5", 1, 0, 1 },
		{ "([0-9]+|[0-9.]+) ms", 0, 0, "1.5 ms", 1, 0, 3 },
		{ "\\<(ready)\\>", 0, 0, "already not ready", 1, 12, 17 },
		{ "\\<ready\\>", 0, 0, "already", 0, 0, 0 },
		{ "^(b{,2})$", 0, 0, "bb", 1, 0, 2 }, { "^b{,2}$", 0, 0, "bbb", 0, 0, 0 },
		{ "([{,]+)", 0, 0, "x{,", 1, 1, 3 },
		{ "([[:digit:]{,]+)", 0, 0, "x{1,", 1, 1, 4 },
		{ "([]{,]+)", 0, 0, "x],", 1, 1, 3 }, { "(\\{,)", 0, 0, "x{,", 1, 1, 3 },
		{ "a(b)?", 0, 0, "a", 1, 0, 0 },
	};

	for (size_t i = 0; i < N(cases); i++) {
		CLEANUP(regex_release) struct regex *regex = NULL;
		struct regex_span match[2] = { { 0, 0 }, { 0, 0 } };
		int found;

		assert_int_equal(regex_compile(cases[i].pattern, cases[i].flags, &regex, NULL), 0);
		found = regex_find(regex, (struct regex_text){ cases[i].text, strlen(cases[i].text), 0, cases[i].find }, match, NULL);
		if (found != cases[i].found || match[1].start != cases[i].start || match[1].end != cases[i].end)
			fail_msg("'%s' in '%s': %d, %zu to %zu", cases[i].pattern, cases[i].text, found, match[1].start, match[1].end);
	}
}

TEST(counts_groups)
{
	CLEANUP(regex_release) struct regex *one = NULL, *none = NULL;

	assert_int_equal(regex_compile("(?:a|b)=([0-9]+)", 0, &one, NULL) | regex_compile("a", 0, &none, NULL), 0);
	assert_int_equal(regex_groups(one), 1);
	assert_int_equal(regex_groups(none), 0);
}

/* Each text gets an answer, or "takes too long", within the time of a key press. Later texts do too. */
TEST(neither_compiling_nor_matching_takes_long)
{
	static const char *const loops[] = {
		"((|b?){12})+", "((a|b|c){1,100}){1,100}", "((^|$)*){50}", "((|b?){12})+x", "((a|b|c){1,100}){1,100}x", "((^|$)*){50}x",
		"(a*)*[bc]", "(a+)+[bc]", "(a|a)*[bc]", "(a|aa)+[bc]", "(a*)(a*)(a*)(a*)(a*)[bc]", "((a*)*)*[bc]", "(a?){100}[bc]",
		"(a+)[bc]", "([a-z]+)*[0-9]", "(?=(a+))\\1[bc]", "(a|b(?R)?)*[xy]", "(?:a?(?R)?)*[xy]",
	};
	/* Sanitizers or a slow machine need about half of this limit. */
	const double most_s = getenv("PAWL_EMULATED") ? 80 : 4;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	strbuf_pad(&line, 'a', 100000);
	for (size_t i = 0; i < N(loops); i++) {
		CLEANUP(regex_release) struct regex *regex = NULL;
		struct error err = ERROR_INIT;
		double began = cpu_s();

		if (regex_compile(loops[i], 0, &regex, &err) < 0)
			continue;
		for (unsigned k = 0; k < 1000; k++)
			if (regex_find(regex, (struct regex_text){ .s = line.buf, .len = k ? 64 : line.len }, NULL, &err) < 0 && k)
				assert_string_equal(err.msg, "it takes too long on a text of 64 bytes; repeat less within repeats");
		if (cpu_s() - began > most_s)
			fail_msg("'%s' took %.3g s", loops[i], cpu_s() - began);
	}
}

/* A log may be long. The limit per line leaves room for expressions that scan each line several times. */
TEST(many_lines_are_no_long_text)
{
	static const char line[] = "2026-11-28T12:00:00 worker 7: request /index.html took 12.5 ms, 200 OK, 4096 bytes";
	CLEANUP(regex_release) struct regex *regex = NULL;
	struct error err = ERROR_INIT;

	assert_int_equal(regex_compile("worker .*request .*took .* ms.*ready$", 0, &regex, NULL), 0);
	for (unsigned k = 0; k < 20000; k++)
		assert_int_equal(regex_find(regex, (struct regex_text){ .s = line, .len = sizeof line - 1 }, NULL, &err), 0);
}
