/* Lines of /proc/net/tcp and tcp6: what listens, and what only looks like it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "measure/process/process.h"

static void listening_sockets_are_found(void **state)
{
	static const struct {
		const char *line;
		unsigned port;
		uint64_t inode;
	} cases[] = {
		{ "   0: 0100007F:18EB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 18447 1 "
		  "0000000000000000 100 0 0 10 0\n", 6379, 18447 },
		{ "  12: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A "
		  "00000000:00000000 00:00000000 00000000  1000        0 4294967296 1 0000000000000000 100 0 0 10 0\n",
		  80, 4294967296 },
		{ "1: 00000000:FFFF 00000000:0000 0a 0:0 0:0 0 0 0 1", 65535, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct proc_listener found;

		assert_true(proc_net_listener(cases[i].line, &found));
		assert_int_equal(found.port, cases[i].port);
		assert_int_equal(found.inode, cases[i].inode);
	}
}

static void everything_else_is_passed_over(void **state)
{
	static const char *const cases[] = {
		"",
		"\n",
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n",
		/* established; waiting for a reader that is gone */
		"1: 0100007F:18EB 0100007F:D3C2 01 0:0 0:0 0 0 0 18447 1\n",
		"1: 0100007F:18EB 0100007F:D3C2 06 0:0 0:0 0 0 0 0 3\n",
		/* a listener whose socket is gone */
		"1: 0100007F:18EB 00000000:0000 0A 0:0 0:0 0 0 0 0 1\n",
		"1: 0100007F:18EB 00000000:0000 0A 0:0 0:0 0 0 0",
		"1: 0100007F 00000000:0000 0A 0:0 0:0 0 0 0 18447",
		"1: 0100007F:18EBF 00000000:0000 0A 0:0 0:0 0 0 0 18447",
		"1: 0100007F:zz 00000000:0000 0A 0:0 0:0 0 0 0 18447",
		"1: 0100007F:-1 00000000:0000 0A 0:0 0:0 0 0 0 18447",
		"1: 0100007F:50 00000000:0000 10A 0:0 0:0 0 0 0 18447",
		"1: 0100007F:50 00000000:0000 0A 0:0 0:0 0 0 0 99999999999999999999999",
		"1: 0100007F:50 00000000:0000 0A 0:0 0:0 0 0 0 12x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct proc_listener found = { 1, 2 };

		assert_false(proc_net_listener(cases[i], &found));
		assert_int_equal(found.port, 1);
		assert_int_equal(found.inode, 2);
	}
}

static void links_of_descriptors_are_told_apart(void **state)
{
	static const char *const others[] = {
		"", "socket:", "socket:[", "socket:[]", "socket:[12", "socket:[12]x", "socket:[-1]", "socket:[x]",
		"pipe:[12]", "/tmp/socket:[12]", "socket:[99999999999999999999]",
	};
	uint64_t inode = 5;

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_false(proc_net_socket(others[i], &inode));
	assert_int_equal(inode, 5);
	assert_true(proc_net_socket("socket:[18447]", &inode));
	assert_int_equal(inode, 18447);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listening_sockets_are_found),
		cmocka_unit_test(everything_else_is_passed_over),
		cmocka_unit_test(links_of_descriptors_are_told_apart),
	};

	return cmocka_run_group_tests_name("proc_net", tests, NULL, NULL);
}
