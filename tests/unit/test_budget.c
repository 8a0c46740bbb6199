/* How a scenario's time budget is divided. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "job/budget.h"

static void each_has_its_part_of_what_is_left(void **state)
{
	static const struct {
		uint64_t whole_s, spent_s, left_s, third_s;	/* third_s is at least 10 s */
	} cases[] = {
		{ 60, 0, 60, 20 }, { 60, 24, 36, 12 }, { 60, 36, 24, 10 }, { 60, 60, 0, 10 }, { 60, 244, 0, 10 }, { 0, 0, 0, 10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct budget budget = { cases[i].whole_s * NS_PER_S, cases[i].spent_s * NS_PER_S };

		assert_int_equal(budget_left(&budget), cases[i].left_s * NS_PER_S);
		assert_int_equal(budget_part(&budget, 3, 10 * NS_PER_S), cases[i].third_s * NS_PER_S);
	}
}

static void what_was_done_is_spent(void **state)
{
	struct budget budget = { 60 * NS_PER_S, 7 * NS_PER_S };
	uint64_t start = clock_now_ns() - 5 * NS_PER_S, before = budget.spent_ns;

	(void)state;
	budget_spend(&budget, start);
	assert_true(budget.spent_ns >= before + 5 * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_has_its_part_of_what_is_left),
		cmocka_unit_test(what_was_done_is_spent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
