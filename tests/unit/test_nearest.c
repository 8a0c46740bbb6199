#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/parse.h"

#define N(array) (sizeof(array) / sizeof *(array))

static const char long_word[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl";
static const char too_long[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklm";

static void suggests_what_was_meant(void **state)
{
	static const char *const keys[] = { "measure", "metrics", "gates", "target", "warmup", "env", "aslr", "command" };
	static const struct {
		const char *word, *expected;
	} cases[] = {
		{ "mesure", "measure" },	/* left out */
		{ "meassure", "measure" },	/* doubled */
		{ "maesure", "measure" },	/* swapped: one edit, not two */
		{ "gate", "gates" },
		{ "tragte", "target" },		/* two swaps of six letters: exactly a third */
		{ "evn", "env" },
		{ "env", "env" },
		{ "cmd", NULL },
		{ "en", "env" },
		{ "e", NULL },
		{ "xyz", NULL },
		{ "warmup-command", NULL },
		{ "GATES", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < N(cases); i++) {
		const char *found = nearest(cases[i].word, keys, N(keys));

		if (!cases[i].expected ? found != NULL : !found || strcmp(found, cases[i].expected))
			fail_msg("'%s': expected %s, found %s", cases[i].word, cases[i].expected ?: "none", found ?: "none");
	}
}

static void takes_the_first_of_equals_and_the_best_of_all(void **state)
{
	static const char *const words[] = { "abcdeX", "abcdeY", "abcdef" };

	(void)state;
	assert_string_equal(nearest("abcdeZ", words, 3), "abcdeX");
	assert_string_equal(nearest("abcdeY", words, 3), "abcdeY");
	assert_string_equal(nearest("abcdefg", words, 3), "abcdef");
}

static void bounds_long_words(void **state)
{
	static const char *const words[] = { too_long, long_word, "" };

	(void)state;
	assert_string_equal(nearest(long_word, words, 3), long_word);
	assert_null(nearest(too_long, words, 3));
	assert_string_equal(nearest(long_word + 1, words, 3), long_word);
	assert_null(nearest("a", words, 3));
	assert_null(nearest("a", NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suggests_what_was_meant),
		cmocka_unit_test(takes_the_first_of_equals_and_the_best_of_all),
		cmocka_unit_test(bounds_long_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
