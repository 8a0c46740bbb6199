/* Hashes are those that everybody else computes: they are in files of other versions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"

static void known_texts_have_known_hashes(void **state)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} cases[] = {
		{ "", 0xcbf29ce484222325u },
		{ "a", 0xaf63dc4c8601ec8cu },
		{ "foobar", 0x85944171f73967e8u },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_true(fnv_text(FNV_START, cases[i].text) == cases[i].hash);
}

static void parts_go_on(void **state)
{
	static const unsigned char zeros[2] = { 0 };

	(void)state;
	assert_true(fnv_text(fnv_text(FNV_START, "foo"), "bar") == fnv_text(FNV_START, "foobar"));
	assert_true(fnv_bytes(FNV_START, zeros, 1) != FNV_START);
	assert_true(fnv_bytes(FNV_START, zeros, 1) != fnv_bytes(FNV_START, zeros, 2));
	assert_true(fnv_bytes(FNV_START, "\xff", 1) == (FNV_START ^ 0xffu) * 0x100000001b3u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts_have_known_hashes),
		cmocka_unit_test(parts_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
