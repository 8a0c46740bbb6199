/* Lines of /proc/PID/stat, with names that look like fields. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/proc_stat.h"

#define TAIL " S 11 12 13 0 -1 4194560 21 22 23 24 31 32 33 34 20 0 7 0 5000 9 9\n"

static void every_wanted_field_is_read(void **state)
{
	struct proc_stat s = { 0 };

	(void)state;
	assert_true(proc_stat_parse("10 (redis-server)" TAIL, &s));
	assert_string_equal(s.name, "redis-server");
	assert_int_equal(s.state, 'S');
	assert_int_equal(s.parent, 11);
	assert_int_equal(s.group, 12);
	assert_int_equal(s.session, 13);
	assert_false(s.kernel);
	assert_int_equal(s.minor_faults, 21);
	assert_int_equal(s.waited_minor_faults, 22);
	assert_int_equal(s.major_faults, 23);
	assert_int_equal(s.waited_major_faults, 24);
	assert_int_equal(s.user_ticks, 31);
	assert_int_equal(s.system_ticks, 32);
	assert_int_equal(s.waited_user_ticks, 33);
	assert_int_equal(s.waited_system_ticks, 34);
	assert_int_equal(s.threads, 7);
	assert_int_equal(s.start, 5000);
}

static void a_name_cannot_look_like_fields(void **state)
{
	static const struct {
		const char *line, *name;
	} cases[] = {
		{ "10 ()" TAIL, "" },
		{ "10 (a b)" TAIL, "a b" },
		{ "10 (x) Z 1 1 1 (y)" TAIL, "x) Z 1 1 1 (y" },
		{ "10 (\n)" TAIL, "\n" },
		{ "10 (kworker/u8:0-events_unbound-and-more)" TAIL, "kworker/u8:0-events_unbound-and" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct proc_stat s;

		assert_true(proc_stat_parse(cases[i].line, &s));
		assert_string_equal(s.name, cases[i].name);
		assert_int_equal(s.parent, 11);
	}
}

static void the_kernels_threads_are_known(void **state)
{
	struct proc_stat s;

	(void)state;
	assert_true(proc_stat_parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 4 0", &s));
	assert_true(s.kernel);
}

static void what_is_no_such_line_is_refused(void **state)
{
	static const char *const cases[] = {
		"", "10", "10 (a", "10 a) S 1", ")(", "10 (a)", "10 (a) ", "10 (a)S 1 2 3",
		"10 (a) S 11 12 13 0 -1 4194560 21 22 23 24 31 32 33 34 20 0 7 0",
		"10 (a) S 11 12 x 0 -1 4194560 21 22 23 24 31 32 33 34 20 0 7 0 5000",
		"10 (a) S 11 12 13 0 -1 4194560 21 22 23 24 31 32 33 34 20 0 7 0 99999999999999999999999",
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct proc_stat s = { .parent = 77 };

		assert_false(proc_stat_parse(cases[i], &s));
		assert_int_equal(s.parent, 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_wanted_field_is_read),
		cmocka_unit_test(a_name_cannot_look_like_fields),
		cmocka_unit_test(the_kernels_threads_are_known),
		cmocka_unit_test(what_is_no_such_line_is_refused),
	};

	return cmocka_run_group_tests_name("proc_stat", tests, NULL, NULL);
}
