/* How a scenario's time budget is divided. */
#include "unit.h"

#include "job/project/budget.h"

TEST(measuring_leaves_the_reserve)
{
	static const struct {
		uint64_t whole_s; unsigned parts; uint64_t measured_s, followed_s, to_measure_s, to_follow_s;
	} cases[] = {
		{ 60, 3, 0, 0, 40, 60 },
		{ 60, 3, 10, 0, 30, 50 },	/* red early: the rest is for what follows */
		{ 60, 3, 40, 0, 0, 20 },	/* red at the last pair */
		{ 60, 3, 45, 0, 0, 15 },	/* the first look spent a part of the reserve */
		{ 60, 3, 65, 0, 0, 0 },		/* the last pair took longer than there was time */
		{ 60, 3, 40, 8, 0, 12 },
		{ 60, 3, 40, 25, 0, 0 },	/* nothing is added for what comes last */
		{ 60, 0, 0, 0, 60, 60 }, { 60, 0, 60, 0, 0, 0 }, { 60, 10, 0, 0, 54, 60 }, { 0, 3, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct budget budget = budget_new(cases[i].whole_s * NS_PER_S, cases[i].parts);

		budget.measured_ns = cases[i].measured_s * NS_PER_S;
		budget.followed_ns = cases[i].followed_s * NS_PER_S;
		assert_int_equal(budget_to_measure(&budget), cases[i].to_measure_s * NS_PER_S);
		assert_int_equal(budget_to_follow(&budget), cases[i].to_follow_s * NS_PER_S);
	}
}

TEST(what_was_done_is_spent)
{
	struct budget budget = budget_new(60 * NS_PER_S, BUDGET_THIRD);
	uint64_t start = clock_now_ns() - 5 * NS_PER_S;

	budget_spend(&budget.measured_ns, start);
	assert_true(budget.measured_ns >= 5 * NS_PER_S && !budget.followed_ns);
}
