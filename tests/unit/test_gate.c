/* Names of verdicts, and which exit status takes precedence. */
#include "unit.h"

#include "model/gate.h"

TEST(verdicts_have_names)
{
	static const char *const names[] = {
		[VERDICT_PASS] = "pass", [VERDICT_REGRESSION] = "regression", [VERDICT_IMPROVEMENT] = "improvement",
		[VERDICT_INCONCLUSIVE] = "inconclusive", [VERDICT_NOT_MEASURED] = "not-measured",
		[VERDICT_NEW] = "new", [VERDICT_ACCEPTED] = "accepted",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_string_equal(verdict_names[(enum verdict)i], names[i]);
}

/* Precedence: 2, 3, 1, 4, 0. A signal precedes all of them. */
TEST(the_worst_status_wins)
{
	static const int worst_first[] = { 130, 2, 3, 1, 4, 0 };
	enum { N = sizeof worst_first / sizeof worst_first[0] };

	for (size_t i = 0; i < N; i++) {
		for (size_t k = i; k < N; k++) {
			assert_int_equal(status_worse(worst_first[i], worst_first[k]), worst_first[i]);
			assert_int_equal(status_worse(worst_first[k], worst_first[i]), worst_first[i]);
		}
	}
	assert_int_equal(status_worse(130, 143), 130);
	assert_int_equal(status_worse(2, 143), 143);
}
