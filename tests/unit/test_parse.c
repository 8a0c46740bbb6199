#include "unit.h"

#include <locale.h>

#include "base/parse.h"

/* -------- parse */

#define N(array) (sizeof(array) / sizeof *(array))

typedef int parse_whole(const char *text, uint64_t *out, struct error *err);
typedef int parse_fraction(const char *text, double *out, struct error *err);

struct whole {
	const char *text;
	uint64_t expected;
};

static void accepts_wholes(parse_whole *parse, const struct whole *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;
		uint64_t found = 1234567;

		if (parse(cases[i].text, &found, &err) || found != cases[i].expected)
			fail_msg("'%s': expected %ju, found %ju (%s)", cases[i].text, (uintmax_t)cases[i].expected,
				 (uintmax_t)found, err.msg);
		assert_int_equal(err.kind, ERR_NONE);
	}
}

static void refuses_wholes(parse_whole *parse, const char *const *cases, size_t n, const char *words)
{
	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;
		uint64_t found = 1234567;

		if (parse(cases[i], &found, &err) != -1)
			fail_msg("'%s' was taken as %ju", cases[i], (uintmax_t)found);
		assert_int_equal(found, 1234567);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, words) && !strstr(err.msg, "out of range") && !strstr(err.msg, "too large"))
			fail_msg("'%s': no '%s' in '%s'", cases[i], words, err.msg);
		assert_int_equal(parse(cases[i], &found, NULL), -1);
	}
}

TEST(reads_whole_numbers)
{
	static const struct whole good[] = {
		{ "0", 0 }, { "7", 7 }, { "007", 7 }, { "18446744073709551615", UINT64_MAX },
	};
	static const char *const bad[] = {
		"", " ", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0x10", "1,000", "18446744073709551616",
		"99999999999999999999999", "seven",
	};

	accepts_wholes(parse_u64, good, N(good));
	refuses_wholes(parse_u64, bad, N(bad), "expected a whole number");
}

TEST(reads_durations)
{
	static const struct whole good[] = {
		{ "30s", 30000000000 }, { "250ms", 250000000 }, { "1.5s", 1500000000 }, { "2m", 120000000000 },
		{ "2min", 120000000000 }, { "1h", 3600000000000 }, { "10us", 10000 }, { "90ns", 90 },
		{ "0s", 0 }, { ".5ms", 500000 }, { "1e3ms", 1000000000 }, { "0.4ns", 0 }, { "0.6ns", 1 },
		{ "+1s", 1000000000 }, { "2500000h", 9000000000000000000 },
	};
	static const char *const bad[] = {
		"", "s", "30", "soon", "30 s", "30S", "1d", "-1s", "1s ", " 1s", "1s30ms", "1,5s", "1.2.3s",
		"infs", "nans", "0x10s", "1es", "2600000h", "1e400s", "--1s", "1..s",
	};

	accepts_wholes(parse_duration, good, N(good));
	refuses_wholes(parse_duration, bad, N(bad), "expected a duration such as 30s");
}

TEST(reads_sizes)
{
	static const struct whole good[] = {
		{ "100", 100 }, { "100B", 100 }, { "4k", 4096 }, { "4K", 4096 }, { "4KiB", 4096 },
		{ "512MiB", 536870912 }, { "1M", 1048576 }, { "1G", 1073741824 }, { "1.5GiB", 1610612736 },
		{ "10MB", 10000000 }, { "2kB", 2000 }, { "2KB", 2000 }, { "1GB", 1000000000 }, { "0", 0 },
	};
	static const char *const bad[] = {
		"", "MiB", "-1", "1 MiB", "1TiB", "1mib", "12x", "1,5M", "1e300", "9999999999GiB", "huge",
	};

	accepts_wholes(parse_size, good, N(good));
	refuses_wholes(parse_size, bad, N(bad), "expected a size such as 512MiB");
}

struct fraction {
	const char *text;
	double expected;
};

static void accepts_fractions(parse_fraction *parse, const struct fraction *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;
		double found = NAN;

		if (parse(cases[i].text, &found, &err) || found != cases[i].expected)
			fail_msg("'%s': expected %g, found %g (%s)", cases[i].text, cases[i].expected, found, err.msg);
	}
}

static void refuses_fractions(parse_fraction *parse, const char *const *cases, size_t n, const char *words)
{
	for (size_t i = 0; i < n; i++) {
		struct error err = ERROR_INIT;
		double found = 1.25;

		if (parse(cases[i], &found, &err) != -1)
			fail_msg("'%s' was taken as %g", cases[i], found);
		assert_true(found == 1.25);
		assert_int_equal(err.kind, ERR_INPUT);
		if (!strstr(err.msg, words))
			fail_msg("'%s': no '%s' in '%s'", cases[i], words, err.msg);
	}
}

TEST(reads_fractions)
{
	static const struct fraction good[] = {
		{ "12.5", 12.5 }, { "-3e2", -300 }, { "+0.25", 0.25 }, { ".5", 0.5 }, { "5.", 5 }, { "0", 0 },
		{ "1E+2", 100 }, { "1e-2", 0.01 }, { "97619298", 97619298 }, { "1e308", 1e308 }, { "1e-400", 0 },
	};
	static const char *const bad[] = {
		"", ".", "-", "+", "e5", "-.", "1e", "1e+", "1.2.3", "1,5", "inf", "nan", "INFINITY", "0x1p3",
		"1e400", "-1e400", " 1", "1 ", "1f", "--1", "1-1",
		"00000000000000000000000000000000000000000000000000000000000000001",
	};

	accepts_fractions(parse_double, good, N(good));
	refuses_fractions(parse_double, bad, N(bad), "expected a number");
}

TEST(reads_percentages)
{
	static const struct fraction good[] = {
		{ "+5%", 5 }, { "-10%", -10 }, { "0.5%", 0.5 }, { "0%", 0 }, { "150%", 150 },
	};
	static const char *const bad[] = { "", "%", "5", "5 %", "5%%", "%5", "five%", "5pp", "5%x", "nan%", "inf%", "1,5%" };

	accepts_fractions(parse_percent, good, N(good));
	refuses_fractions(parse_percent, bad, N(bad), "expected a percentage such as 5%");
}

TEST(reads_percentage_points)
{
	static const struct fraction good[] = {
		{ "3pp", 3 }, { "+0.5pp", 0.5 }, { "-2pp", -2 }, { "0pp", 0 }, { "1e1pp", 10 },
	};
	static const char *const bad[] = { "", "pp", "3", "3%", "3 pp", "3p", "3ppp", "3PP", "pp3", "nanpp", "infpp", "1,5pp" };

	accepts_fractions(parse_points, good, N(good));
	refuses_fractions(parse_points, bad, N(bad), "expected percentage points such as 3pp");
}

TEST(checks_cpu_lists)
{
	static const char *const good[] = { "0", "1", "0-3", "0-3,6", "0,2,4", "7,0-1", "3-3", "8191" };
	static const char *const bad[] = {
		"", ",", "0,", ",0", "a", "3-1", "-1", "1-", "0-3-5", "0 1", "0, 1", " 0", "0x1", "8192", "0-8192",
		"99999999999999999999999999", "0;1", "1.5",
	};

	for (size_t i = 0; i < N(good); i++) {
		struct error err = ERROR_INIT;

		if (parse_cpu_list(good[i], &err))
			fail_msg("'%s': %s", good[i], err.msg);
	}
	for (size_t i = 0; i < N(bad); i++) {
		struct error err = ERROR_INIT;

		if (parse_cpu_list(bad[i], &err) != -1)
			fail_msg("'%s' was taken", bad[i]);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_non_null(strstr(err.msg, "expected CPUs such as"));
	}
}

TEST(quotes_what_it_found)
{
	struct error err = ERROR_INIT;
	uint64_t out;

	assert_int_equal(parse_duration("soon", &out, &err), -1);
	assert_string_equal(err.msg, "expected a duration such as 30s, found 'soon'");
	assert_int_equal(parse_duration("a text so long that nobody would want to read all of it in a message again", &out,
					&err), -1);
	assert_string_equal(err.msg, "expected a duration such as 30s, found "
				     "'a text so long that nobody would want to read all of it in a'");
}

/* Needs a locale with a decimal comma; without one the test cannot fail. */
TEST(ignores_the_locale)
{
	static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "nl_NL.UTF-8" };
	double found = 0;
	size_t i = 0;

	while (i < N(locales) && !setlocale(LC_ALL, locales[i]))
		i++;
	if (i == N(locales))
		SKIP("no locale with a decimal comma is installed");
	assert_int_equal(strtod("1,5", NULL) * 10, 15);
	assert_int_equal(parse_double("1.5", &found, NULL), 0);
	assert_true(found == 1.5);
	assert_int_equal(parse_double("1,5", &found, NULL), -1);
	setlocale(LC_ALL, "C");
}

/* -------- nearest */

static const char long_word[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl";
static const char too_long[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklm";

TEST(suggests_what_was_meant)
{
	static const char *const keys[] = { "measure", "metrics", "gates", "target", "warmup", "env", "aslr", "command" };
	static const struct { const char *word, *expected; } cases[] = {
		{ "mesure", "measure" },	/* left out */
		{ "meassure", "measure" },	/* doubled */
		{ "maesure", "measure" },	/* swapped: one edit, not two */
		{ "gate", "gates" },
		{ "tragte", "target" },		/* two swaps of six letters: exactly a third */
		{ "evn", "env" }, { "env", "env" }, { "cmd", NULL }, { "en", "env" }, { "e", NULL }, { "xyz", NULL },
		{ "warmup-command", NULL }, { "GATES", "gates" }, { "Env", "env" }, { "", NULL },
	};

	for (size_t i = 0; i < N(cases); i++) {
		const char *found = nearest(cases[i].word, keys, N(keys));

		if (!cases[i].expected ? found != NULL : !found || strcmp(found, cases[i].expected))
			fail_msg("'%s': expected %s, found %s", cases[i].word, cases[i].expected ?: "none", found ?: "none");
	}
}

TEST(takes_the_first_of_equals_and_the_best_of_all)
{
	static const char *const words[] = { "abcdeX", "abcdeY", "abcdef" };

	assert_string_equal(nearest("abcdeZ", words, 3), "abcdeX");
	assert_string_equal(nearest("abcdeY", words, 3), "abcdeY");
	assert_string_equal(nearest("abcdefg", words, 3), "abcdef");
}

TEST(bounds_long_words)
{
	static const char *const words[] = { too_long, long_word, "" };

	assert_string_equal(nearest(long_word, words, 3), long_word);
	assert_null(nearest(too_long, words, 3));
	assert_string_equal(nearest(long_word + 1, words, 3), long_word);
	assert_null(nearest("a", words, 3));
	assert_null(nearest("a", NULL, 0));
}

/* -------- glob */

static const struct { const char *glob, *text; bool matches; } globs[] = {
	{ "", "", true }, { "", "a", false }, { "a", "", false }, { "a", "a", true }, { "a", "ab", false },
	{ "*", "", true }, { "*", "anything", true }, { "**", "x", true }, { "?", "", false }, { "?", "x", true },
	{ "??", "x", false }, { "sqlx::*", "sqlx::query", true }, { "sqlx::*", "mysqlx::query", false },
	{ "*query", "sqlx::query", true }, { "*query", "sqlx::query2", false }, { "a*b*c", "axxbyyc", true },
	{ "a*b*c", "axxcyyb", false }, { "*ab", "aab", true }, { "*aab", "aaaab", true }, { "libc.so*", "libc.so.6", true },
	{ "lib?.so", "libc.so", true }, { "[kernel]", "[kernel]", true }, { "[kernel]", "k", false },
	{ "operator[]*", "operator[](int)", true }, { "a\\*", "a\\b", true }, { "a\\*", "a*", false }, { "*", "a*b", true },
	{ "a*", "a*", true }, { "?*?", "a", false }, { "?*?", "ab", true },
};

TEST(globs_match_whole_names)
{
	for (size_t i = 0; i < sizeof globs / sizeof *globs; i++)
		if (glob_match(globs[i].glob, globs[i].text) != globs[i].matches)
			fail_msg("'%s' against '%s'", globs[i].glob, globs[i].text);
}

/* Patterns that make a naive matcher backtrack exponentially match quickly. */
TEST(many_stars_are_no_trap)
{
	char glob[2001] = "", text[4001];

	for (size_t i = 0; i < 1000; i++)
		memcpy(glob + 2 * i, "*a", 3);
	memset(text, 'a', 4000);
	memcpy(text + 3999, "b", 2);
	assert_false(glob_match(glob, text));
}
