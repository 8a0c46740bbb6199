/* Values of named metrics: what was not measured is not there. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "model/baseline.h"

static void values_stay_apart_and_in_order(void **state)
{
	struct series_set set = { 0 };
	const struct series *found;

	(void)state;
	for (int i = 0; i < 100; i++) {
		series_add(&set, "task-clock", i);
		series_add(&set, i % 2 ? "odd" : "even", 1000 + i);
	}
	assert_int_equal(set.n, 3);
	found = series_find(&set, "task-clock");
	assert_int_equal(found->n, 100);
	for (int i = 0; i < 100; i++)
		assert_true(found->values[i] == i);
	found = series_find(&set, "odd");
	assert_int_equal(found->n, 50);
	assert_true(found->values[49] == 1099);
	assert_null(series_find(&set, "task"));
	series_set_release(&set);
	assert_int_equal(set.n, 0);
	assert_null(series_find(&set, "odd"));
	series_set_release(&set);
}

static void what_was_not_measured_leaves_nothing(void **state)
{
	struct series_set set = { 0 };

	(void)state;
	series_add(&set, "ipc", NAN);
	assert_null(series_find(&set, "ipc"));
	series_add(&set, "ipc", 0);
	series_add(&set, "ipc", NAN);
	series_add(&set, "ipc", 2);
	assert_int_equal(series_find(&set, "ipc")->n, 2);
	assert_true(series_find(&set, "ipc")->values[1] == 2);
	series_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_stay_apart_and_in_order),
		cmocka_unit_test(what_was_not_measured_leaves_nothing),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
