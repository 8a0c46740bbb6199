/* Names of verdicts, and which exit status takes precedence. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/gate.h"

static void verdicts_have_names(void **state)
{
	static const char *const names[] = {
		[VERDICT_PASS] = "pass", [VERDICT_REGRESSION] = "regression", [VERDICT_IMPROVEMENT] = "improvement",
		[VERDICT_INCONCLUSIVE] = "inconclusive", [VERDICT_NOT_MEASURED] = "not-measured",
		[VERDICT_NEW] = "new", [VERDICT_ACCEPTED] = "accepted",
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		assert_string_equal(verdict_names[(enum verdict)i], names[i]);
}

/* Precedence: 2, 3, 1, 4, 0. A signal precedes all of them. */
static void the_worst_status_wins(void **state)
{
	static const int worst_first[] = { 130, 2, 3, 1, 4, 0 };
	enum { N = sizeof worst_first / sizeof worst_first[0] };

	(void)state;
	for (size_t i = 0; i < N; i++) {
		for (size_t k = i; k < N; k++) {
			assert_int_equal(status_worse(worst_first[i], worst_first[k]), worst_first[i]);
			assert_int_equal(status_worse(worst_first[k], worst_first[i]), worst_first[i]);
		}
	}
	assert_int_equal(status_worse(130, 143), 130);
	assert_int_equal(status_worse(2, 143), 143);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_have_names),
		cmocka_unit_test(the_worst_status_wins),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
