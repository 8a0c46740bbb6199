/* Totals from cachegrind's output, and the outputs that have none. */
#include "unit.h"

#include "measure/tools/valgrind.h"

#define EVENTS "events: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw Bc Bcm Bi Bim\n"

static void assert_sum(const struct simulated *s, double instructions, double branches, double branch_misses,
		       double loads, double misses)
{
	assert_true(s->instructions == instructions);
	assert_true(s->branches == branches);
	assert_true(s->branch_misses == branch_misses);
	assert_true(s->l1d_loads == loads);
	assert_true(s->l1d_misses == misses);
}

TEST(processes_add_up)
{
	static const char one[] =
		"desc: I1 cache:         32768 B, 64 B, 8-way associative\ncmd: gzip -c data\n" EVENTS
		"fl=gzip.c\nfn=main\n242 11 1 1 0 0 0 7 0 0 0 0 0 0\n"
		"summary: 32020761 1382 1350 6868005 948550 2232 1887423 10303 3955 5250747 336147 475 232\n";
	static const char two[] = EVENTS "summary: 1 2 3 4 5 6 7 8 9 10 11 12 13\n";
	struct simulated sum = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(cachegrind_add(one, strlen(one), &sum, &err), 0);
	assert_sum(&sum, 32020761, 5250747 + 475, 336147 + 232, 6868005, 948550);
	assert_int_equal(cachegrind_add(two, strlen(two), &sum, &err), 0);
	assert_sum(&sum, 32020762, 5250747 + 475 + 22, 336147 + 232 + 24, 6868009, 948555);
}

TEST(columns_are_known_by_name)
{
	static const char text[] = "events:  Bi  Unheard D1mr Ir\nsummary:   5 18446744073709551616 6   7  \n";
	struct simulated sum = { .l1d_loads = 3 };
	struct error err = ERROR_INIT;

	assert_int_equal(cachegrind_add(text, strlen(text), &sum, &err), 0);
	assert_sum(&sum, 7, 5, 0, 3, 6);
}

TEST(what_did_not_end_is_refused)
{
	static const struct { const char *text, *expected; } cases[] = {
		{ "", "cachegrind's output has no events and summary lines: it did not end" },
		{ EVENTS, "cachegrind's output has no events and summary lines: it did not end" },
		{ "summary: 1 2\n", "cachegrind's output has no events and summary lines: it did not end" },
		{ "events: Ir\nxsummary: 1\n summary: 1\nsummary:",
		  "cachegrind's output has no events and summary lines: it did not end" },
		/* truncated, as on a full disk: 1 of 17 */
		{ "events: Ir Dr\nsummary: 22 1", "cachegrind's output has no events and summary lines: it did not end" },
		{ "events: Ir Dr\nsummary: 1\n", "cachegrind names 2 events and sums up 1" },
		{ "events: Ir\nsummary: 1 2\n", "cachegrind names 1 events and sums up 2" },
		{ "events: Ir Dr\nsummary: 1 -2\n",
		  "cachegrind's total of Dr: expected a whole number, found '-2'" },
		{ "events: Ir Dr\nsummary: 1 2e3\n",
		  "cachegrind's total of Dr: expected a whole number, found '2e3'" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct simulated sum = { .instructions = 1, .branches = 2, .branch_misses = 3, .l1d_loads = 4, .l1d_misses = 5 };
		struct error err = ERROR_INIT;

		assert_int_equal(cachegrind_add(cases[i].text, strlen(cases[i].text), &sum, &err), -1);
		assert_string_equal(err.msg, cases[i].expected);
		assert_sum(&sum, 1, 2, 3, 4, 5);
	}
}

/* The text need not be terminated. Bytes beyond its length are not read. */
TEST(the_length_is_kept)
{
	static const char text[] = "events: Ir\nsummary: 12\n";
	struct simulated sum = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(cachegrind_add(text, strlen(text) - 1, &sum, &err), -1);
	assert_int_equal(cachegrind_add(text, strlen(text), &sum, &err), 0);
	assert_true(sum.instructions == 12);
}
