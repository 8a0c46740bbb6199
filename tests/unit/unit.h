/*
 * A test program: TEST(name) { ... } defines a test and registers it. TEST_WITH() runs it between SET_UP and TEAR_DOWN,
 * which get its `state`. FIXTURE() names what runs once, before and after all tests. main() runs the tests in the order
 * of the file. The headers that nearly every test needs are included here. A program with a main() of its own defines
 * OWN_MAIN before it includes this, and calls run_all().
 */
#ifndef PAWL_TESTS_UNIT_H
#define PAWL_TESTS_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"

/* Fails with the message of `err`, which CALL fills, unless CALL succeeds. */
#define MUST(call)						\
	do {							\
		if ((call) < 0)					\
			fail_msg("%s", err.msg);		\
	} while (0)

/* Ends the test without a result, for a reason as printf() prints it. */
#define SKIP(...)						\
	do {							\
		print_message("skipped: " __VA_ARGS__);		\
		print_message("\n");				\
		skip();						\
	} while (0)

#ifdef __clang__ /* which keeps the order of the file */
#define IN_ORDER used, section("unit_tests")
#else
#define IN_ORDER used, no_reorder, section("unit_tests")
#endif

#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)                                                                    \
	static void name(void **state);                                                                       \
	static const struct CMUnitTest unit_##name = { #name, name, set_up, tear_down, NULL };                \
	static const struct CMUnitTest *const entry_##name __attribute__((IN_ORDER)) = &unit_##name;          \
	static void name(void **state)

static CMFixtureFunction unit_set_up, unit_tear_down;
#define FIXTURE(set_up, tear_down) static CMFixtureFunction unit_set_up = set_up, unit_tear_down = tear_down

/* The linker makes these of the section: its bounds. */
extern const struct CMUnitTest *const __start_unit_tests[], *const __stop_unit_tests[];

static inline int run_all(void)
{
	enum { MOST = 128 };
	struct CMUnitTest tests[MOST];
	size_t n = (size_t)(__stop_unit_tests - __start_unit_tests);

	assert_in_range(n, 1, MOST);
	for (size_t i = 0; i < n; i++)
		tests[i] = *__start_unit_tests[i];
	return _cmocka_run_group_tests("tests", tests, n, unit_set_up, unit_tear_down);
}

#ifndef OWN_MAIN
int main(void)
{
	return run_all();
}
#endif

#endif
