/* Options from a table: every accepted form, every error message, and the help. */
#include "unit.h"

#include "base/cli.h"

enum { MINE = 1, OTHERS = 2, TOLD = 4 };

struct values {
	bool quiet, json;
	unsigned verbose;
	char *out;
	struct strv tags, parameters;
	uint64_t runs, budget_ns, others, seed;
	const char *color;
};

static const char *const when[] = { "auto", "always", "never", NULL };

#define AT(member) offsetof(struct values, member)
static const struct option_spec specs[] = {
	OPTION_GROUP("first"),
	{ MINE, 'q', "quiet", OPTION_FLAG, AT(quiet), NULL, "say less", NULL },
	{ MINE, 'j', "json", OPTION_FLAG, AT(json), NULL, "the result as JSON", NULL },
	{ MINE, 'v', "verbose", OPTION_COUNTER, AT(verbose), NULL, "say more", NULL },
	{ MINE, 'o', "out", OPTION_TEXT, AT(out), "DIR", "where to", NULL },
	{ MINE, 't', "tag", OPTION_LIST, AT(tags), "TAG", "only these", NULL },
	{ MINE, 'L', "list", OPTION_TWO, AT(parameters), "NAME VALUES", "two words", NULL },
	{ TOLD, 'S', "shell", OPTION_ELSEWHERE, 0, NULL, "-N is without one", NULL },
	OPTION_GROUP("then"),
	{ MINE, 'n', "runs", OPTION_NUMBER, AT(runs), "N", "how many", NULL },
	{ MINE | OPTION_RARE, 0, "seed", OPTION_LARGE, AT(seed), "N", "of what is random", NULL },
	{ MINE, 0, "budget", OPTION_DURATION, AT(budget_ns), "TIME", "how long, in words that are too many for one line of a terminal", NULL },
	{ MINE, 0, "color", OPTION_CHOICE, AT(color), "WHEN", "colours", when },
	{ MINE, 0, "a-name-that-is-rather-long", OPTION_FLAG, AT(json), NULL, "on its own line", NULL },
	OPTION_GROUP("last"),
	{ OTHERS, 'x', "others", OPTION_NUMBER, AT(others), "N", "of another command", NULL },
};
enum { SPECS = sizeof specs / sizeof specs[0] };

static const struct gone_key gone[] = { { "--silent", "it is -q" }, { NULL, NULL } };

/* Parses WORDS, separated by spaces; "_" is an empty word. Returns the values or the error message. */
static char *parse(const char *words)
{
	struct values v = { .color = "unset" };
	struct strv argv = STRV_INIT, rest = STRV_INIT;
	struct strbuf out = STRBUF_INIT;
	struct error err = ERROR_INIT;
	char *no_words[] = { NULL };

	for (size_t len; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		strv_pushf(&argv, "%.*s", len == 1 && *words == '_' ? 0 : (int)len, words);
	}
	if (options_parse(&(struct option_set){ specs, SPECS, MINE | TOLD, gone }, argv.items ? argv.items : no_words, &v, &rest, &err) < 0) {
		assert_int_equal(err.kind, ERR_INPUT);
		strbuf_adds(&out, err.msg);
	} else {
		assert_int_equal(err.kind, ERR_NONE);
		strbuf_addf(&out, "q%d j%d v%u o%s n%u b%.0f c%s", v.quiet, v.json, v.verbose, v.out ? v.out : "-",
			    (unsigned)v.runs, (double)v.budget_ns / 1e6, v.color);
		if (v.seed)
			strbuf_addf(&out, " s%llu", (unsigned long long)v.seed);
		for (size_t i = 0; i < v.tags.n; i++)
			strbuf_addf(&out, " t:%s", v.tags.items[i]);
		for (size_t i = 0; i < v.parameters.n; i++)
			strbuf_addf(&out, " L:%s", v.parameters.items[i]);
		for (size_t i = 0; i < rest.n; i++)
			strbuf_addf(&out, " [%s]", rest.items[i]);
	}
	options_release(specs, SPECS, &v);
	strv_release(&argv);
	strv_release(&rest);
	return strbuf_take(&out);
}

TEST(words_mean_what_they_should)
{
	static const struct { const char *words, *expected; } cases[] = {
		{ "", "q0 j0 v0 o- n0 b0 cunset" },
		{ "--quiet", "q1 j0 v0 o- n0 b0 cunset" },
		{ "-q -q", "q1 j0 v0 o- n0 b0 cunset" },
		{ "-qjvv --verbose", "q1 j1 v3 o- n0 b0 cunset" },
		{ "--out=a --out b", "q0 j0 v0 ob n0 b0 cunset" },
		{ "-oa -o b", "q0 j0 v0 ob n0 b0 cunset" },
		{ "--out=a=b", "q0 j0 v0 oa=b n0 b0 cunset" },
		{ "-o=b", "q0 j0 v0 o=b n0 b0 cunset" }, { "-qob", "q1 j0 v0 ob n0 b0 cunset" },
		{ "--out -- x", "q0 j0 v0 o-- n0 b0 cunset [x]" },
		{ "--out -", "q0 j0 v0 o- n0 b0 cunset" },
		{ "-t a --tag=b -tc", "q0 j0 v0 o- n0 b0 cunset t:a t:b t:c" },
		{ "--tag=", "q0 j0 v0 o- n0 b0 cunset t:" },
		{ "-n 20 --budget 1.5s", "q0 j0 v0 o- n20 b1500 cunset" },
		{ "-L a 1,2 x", "q0 j0 v0 o- n0 b0 cunset L:a L:1,2 [x]" },
		{ "-La 1,2 --list b -q --list=c d -q", "q1 j0 v0 o- n0 b0 cunset L:a L:1,2 L:b L:-q L:c L:d" },
		{ "--color never --color=auto", "q0 j0 v0 o- n0 b0 cauto" },
		{ "a -q b", "q1 j0 v0 o- n0 b0 cunset [a] [b]" },
		{ "a -- -q --out", "q0 j0 v0 o- n0 b0 cunset [a] [-q] [--out]" },
		{ "-- --", "q0 j0 v0 o- n0 b0 cunset [--]" },
		{ "- _ x", "q0 j0 v0 o- n0 b0 cunset [-] [] [x]" },
		{ "--a-name-that-is-rather-long", "q0 j1 v0 o- n0 b0 cunset" },

		{ "--quite", "unknown option --quite; did you mean --quiet?" },
		{ "--silent", "there is no --silent any more: it is -q" },
		{ "--silent=3", "there is no --silent any more: it is -q" },
		{ "--quiett=3", "unknown option --quiett; did you mean --quiet?" },
		{ "--qui", "unknown option --qui; --help lists them" },
		{ "--zebra", "unknown option --zebra; --help lists them" },
		{ "--others 3", "unknown option --others; --help lists them" },
		{ "--=3", "unknown option --; --help lists them" },
		{ "-x 3", "unknown option -x; --help lists them" },
		{ "-qz", "unknown option -z; --help lists them" },
		{ "-q-", "unknown option --; --help lists them" },
		{ "-L a", "-L needs two values (NAME VALUES)" },
		{ "--list", "--list needs two values (NAME VALUES)" },
		{ "--list=a", "--list needs two values (NAME VALUES)" },
		{ "--shell", "there is no --shell: -N is without one" },
		{ "--shell=bash", "there is no --shell: -N is without one" },
		{ "-qS", "there is no -S: -N is without one" },
		{ "--shel", "unknown option --shel; --help lists them" },
		{ "--quiet=yes", "--quiet takes no value" },
		{ "--verbose=", "--verbose takes no value" },
		{ "--out", "--out needs a value (DIR)" },
		{ "-qo", "-o needs a value (DIR)" },
		{ "--out=", "--out: expected DIR, found nothing" },
		{ "--out _", "--out: expected DIR, found nothing" },
		{ "--runs 0", "--runs: expected a number from 1 to 10000, found '0'" },
		{ "--runs=10000", "q0 j0 v0 o- n10000 b0 cunset" },
		{ "--runs=10001", "--runs: expected a number from 1 to 10000, found '10001'" },
		{ "--seed 18446744073709551615", "q0 j0 v0 o- n0 b0 cunset s18446744073709551615" },
		{ "--seed 18446744073709551616", "--seed: the number '18446744073709551616' is too large" },
		{ "--seed 0", "--seed: expected a number from 1 to 18446744073709551615, found '0'" },
		{ "--budget 0s", "--budget: expected a time above zero, found '0s'" },
		{ "--color=red", "--color: expected one of auto, always, never, found 'red'" },
		{ "--color=aut", "--color: expected one of auto, always, never, found 'aut'; did you mean 'auto'?" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *found = parse(cases[i].words);

		if (strcmp(found, cases[i].expected))
			fail_msg("'%s': expected\n%s\nfound\n%s", cases[i].words, cases[i].expected, found);
	}
}

TEST(values_are_checked_by_their_kind)
{
	static const char *const bad[] = {
		"--runs=-5", "--runs=5x", "-n _", "--runs 1e3", "--budget 30", "--budget=soon", "--budget=_",
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		CLEANUP(free_ptr) char *found = parse(bad[i]);

		if (strncmp(found, "--runs: expected ", 17) && strncmp(found, "--budget: expected ", 19))
			fail_msg("'%s': %s", bad[i], found);
	}
}

TEST(help_shows_what_is_taken)
{
	CLEANUP(strbuf_release) struct strbuf mine = STRBUF_INIT, others = STRBUF_INIT;

	options_help(specs, SPECS, MINE, true, &mine);
	assert_string_equal(mine.buf, "first:\n"
				      "  -q, --quiet             say less\n"
				      "  -j, --json              the result as JSON\n"
				      "  -v, --verbose           say more\n"
				      "  -o, --out DIR           where to\n"
				      "  -t, --tag TAG           only these\n"
				      "  -L, --list NAME VALUES  two words\n"
				      "then:\n"
				      "  -n, --runs N            how many\n"
				      "      --seed N            of what is random\n"
				      "      --budget TIME       how long, in words that are too many for one line of a\n"
				      "                          terminal\n"
				      "      --color WHEN        colours: auto, always, never\n"
				      "      --a-name-that-is-rather-long\n"
				      "                          on its own line\n");
	strbuf_reset(&mine);
	options_help(specs, SPECS, MINE, false, &mine);
	assert_non_null(strstr(mine.buf, "--runs N"));
	assert_null(strstr(mine.buf, "--seed"));
	options_help(specs, SPECS, OTHERS, true, &others);
	assert_string_equal(others.buf, "last:\n  -x, --others N          of another command\n");
}
