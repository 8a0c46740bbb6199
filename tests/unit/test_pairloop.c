/* The loop of pairs on made-up targets: what it runs, in which order, and what it keeps. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "pair_stage.h"

static const struct pairloop_options plain = { .seed = 3, .counters = 6, .perf = true, .batch = 1, .wanted = 10 };

/* -------- order */

/*
 * The top bits of SplitMix64's numbers, computed once in Python, where seed 1234567 gives the five that Rosetta Code
 * publishes (6457827717110365317, 3203168211198807973, ...).
 */
static void the_order_follows_from_the_seed(void **state)
{
	static const struct { uint64_t seed; const char *order; } cases[] = {
		{ 0, "hbbhbbbhbhbhhhhh" }, { 1, "hhhbbhhhbhbhbhbb" }, { 42, "hbbbbhbhbhbbhhhb" },
		{ 1234567, "bbhbh" }, { UINT64_MAX, "hhbbhhhbhbbhbhbh" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (unsigned k = 0; cases[i].order[k]; k++)
			assert_int_equal(pairloop_head_first(cases[i].seed, k), cases[i].order[k] == 'h');
}

static void pairs_are_adjacent_and_in_the_tossed_order(void **state)
{
	CLEANUP(close_pairs) struct pair_stage stage = { 0 };
	CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;

	(void)state;
	open_pairs(&stage, "", &plain);
	assert_int_equal(pairloop_measure(stage.loop, 12, 0, NULL), 0);
	strbuf_adds(&expected, "bh");
	for (unsigned i = 0; i < 12; i++)
		strbuf_adds(&expected, pairloop_head_first(3, i) ? "HB" : "BH");
	assert_log(&stage, expected.buf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_order_follows_from_the_seed),
		cmocka_unit_test(pairs_are_adjacent_and_in_the_tossed_order),
	};

	return cmocka_run_group_tests_name("pairloop", tests, NULL, NULL);
}
