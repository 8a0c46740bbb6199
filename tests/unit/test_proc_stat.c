/* What /proc tells of a process, whatever it calls itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "measure/process/process.h"

#define REST " 10 20 30 0 -1 4194560 101 102 103 104 105 106 107 108 20 0 9 0 12345 1 2 3\n"

static void lines_are_read(void **state)
{
	static const char *const names[] = { "cat", "", "a b", ") S 1 2 (", "x)\n(y", "((", "sixteen bytes too" };

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct proc_stat stat;
		char text[256];

		snprintf(text, sizeof text, "77 (%s) R" REST, names[i]);
		if (!proc_stat_parse(text, &stat))
			fail_msg("%s was not read", text);
		assert_string_equal(stat.name, names[i]);
		assert_int_equal(stat.state, 'R');
		assert_int_equal(stat.parent, 10);
		assert_int_equal(stat.group, 20);
		assert_int_equal(stat.session, 30);
		assert_false(stat.kernel);
		assert_int_equal(stat.minor_faults, 101);
		assert_int_equal(stat.waited_minor_faults, 102);
		assert_int_equal(stat.major_faults, 103);
		assert_int_equal(stat.waited_major_faults, 104);
		assert_int_equal(stat.user_ticks, 105);
		assert_int_equal(stat.system_ticks, 106);
		assert_int_equal(stat.waited_user_ticks, 107);
		assert_int_equal(stat.waited_system_ticks, 108);
		assert_int_equal(stat.threads, 9);
		assert_int_equal(stat.start, 12345);
	}
}

static void threads_of_the_kernel_are_told(void **state)
{
	struct proc_stat stat;

	(void)state;
	assert_true(proc_stat_parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5 0", &stat));
	assert_true(stat.kernel);
}

static void other_text_is_refused(void **state)
{
	static const char *const texts[] = {
		"", "77", "77 (cat", "77 cat) R" REST, ")(", "77 (cat)", "77 (cat) ", "77 (cat) R", "77 (cat) R 1 2 3",
		"77 (cat) R 10 20 30 0 -1 x" REST, "77 (cat)R" REST, "77 (cat) R 99999999999999999999" REST,
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct proc_stat stat = { .parent = -7 };

		if (proc_stat_parse(texts[i], &stat))
			fail_msg("'%s' was read", texts[i]);
		assert_int_equal(stat.parent, -7);
	}
}

static void numbers_of_status_are_whole(void **state)
{
	static const char text[] = "Name:\tSeccomp: 7\nCapEff:\t000001fffeffffff\nSeccomp:\t2\nVmHWM:\t    1234 kB\nOdd:\t3 MB\nNegative:\t-3\nPre:\t1\nEmpty:\t\n"
				   "Huge:\t99999999999999999999\nLast:\t5";
	static const struct {
		const char *key;
		int base;
		bool found;
		uint64_t value;
	} cases[] = {
		{ "CapEff", 16, true, 0x1fffeffffff }, { "Seccomp", 10, true, 2 }, { "Last", 10, true, 5 },
		{ "Odd", 10, false, 0 }, { "Empty", 10, false, 0 }, { "Huge", 10, false, 0 }, { "Cap", 16, false, 0 },
		{ "Missing", 10, false, 0 }, { "VmHWM", 10, true, 1234 }, { "Negative", 10, false, 0 }, { "re", 10, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t value = 77;

		assert_int_equal(proc_status_number(text, cases[i].key, cases[i].base, &value), cases[i].found);
		assert_int_equal(value, cases[i].found ? cases[i].value : 77);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_read),
		cmocka_unit_test(threads_of_the_kernel_are_told),
		cmocka_unit_test(other_text_is_refused),
		cmocka_unit_test(numbers_of_status_are_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
