/* How a scenario's time budget is divided. */
#include "unit.h"

#include "job/budget.h"

TEST(each_has_its_part_of_what_is_left)
{
	static const struct {
		uint64_t whole_s, spent_s, left_s, third_s;	/* third_s is at least 10 s */
	} cases[] = {
		{ 60, 0, 60, 20 }, { 60, 24, 36, 12 }, { 60, 36, 24, 10 }, { 60, 60, 0, 10 }, { 60, 244, 0, 10 }, { 0, 0, 0, 10 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct budget budget = { cases[i].whole_s * NS_PER_S, cases[i].spent_s * NS_PER_S };

		assert_int_equal(budget_left(&budget), cases[i].left_s * NS_PER_S);
		assert_int_equal(budget_part(&budget, 3, 10 * NS_PER_S), cases[i].third_s * NS_PER_S);
	}
}

TEST(what_was_done_is_spent)
{
	struct budget budget = { 60 * NS_PER_S, 7 * NS_PER_S };
	uint64_t start = clock_now_ns() - 5 * NS_PER_S, before = budget.spent_ns;

	budget_spend(&budget, start);
	assert_true(budget.spent_ns >= before + 5 * NS_PER_S);
}
