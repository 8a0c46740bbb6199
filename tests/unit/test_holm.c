/* Holm's correction on a textbook's p values, ties, and what is none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <cmocka.h>

#include "stats/stats.h"

static void adjusts_step_by_step(void **state)
{
	static const struct {
		double p[5], adjusted[5];
		size_t n;
	} cases[] = {
		/* Four hypotheses at 0.05, of which the first and the last are rejected: by hand, step by step. */
		{ { 0.01, 0.04, 0.03, 0.005 }, { 0.03, 0.06, 0.06, 0.02 }, 4 },
		/* The step after the first that is not rejected does not get better. */
		{ { 0.01, 0.02, 0.022, 0.09, 0.5 }, { 0.05, 0.08, 0.08, 0.18, 0.5 }, 5 },
		{ { 0.02, 0.02, 0.02 }, { 0.06, 0.06, 0.06 }, 3 },
		{ { 0.6, 0.7 }, { 1, 1 }, 2 },
		{ { 0, 1 }, { 0, 1 }, 2 },
		{ { 0.03 }, { 0.03 }, 1 },
		{ { NAN, 0.01, NAN, 0.04 }, { NAN, 0.02, NAN, 0.04 }, 4 },
		{ { NAN }, { NAN }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		double found[5], own[5];

		holm_adjust(cases[i].p, cases[i].n, found);
		for (size_t j = 0; j < cases[i].n; j++)
			own[j] = cases[i].p[j];
		holm_adjust(own, cases[i].n, own);
		for (size_t j = 0; j < cases[i].n; j++) {
			double expected = cases[i].adjusted[j];

			if (isnan(expected) ? !isnan(found[j]) : !(fabs(found[j] - expected) < 1e-12))
				fail_msg("case %zu, %zu: expected %g, found %g", i, j, expected, found[j]);
			assert_true(isnan(expected) ? isnan(own[j]) : own[j] == found[j]);
		}
	}
	holm_adjust(NULL, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(adjusts_step_by_step) };

	return cmocka_run_group_tests_name("holm", tests, NULL, NULL);
}
