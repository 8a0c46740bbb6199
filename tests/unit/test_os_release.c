/* Distributions, and how packages are installed there. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "measure/machine/machine.h"

static void distributions_are_told_apart(void **state)
{
	static const char ubuntu[] = "PRETTY_NAME=\"Ubuntu 24.04.1 LTS\"\nNAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n";
	static const char rocky[] = "NAME='Rocky Linux'\nID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\nVERSION=\n";
	CLEANUP(free_ptr) char *pretty = os_release_value(ubuntu, "PRETTY_NAME");
	CLEANUP(free_ptr) char *id = os_release_value(rocky, "ID");

	(void)state;
	assert_string_equal(pretty, "Ubuntu 24.04.1 LTS");
	assert_string_equal(id, "rocky");
	assert_null(os_release_value(rocky, "VERSION"));
	assert_null(os_release_value(rocky, "AME"));
	assert_true(os_release_is_like(ubuntu, "ubuntu"));
	assert_true(os_release_is_like(ubuntu, "debian"));
	assert_true(os_release_is_like(rocky, "fedora"));
	assert_false(os_release_is_like(rocky, "debian"));
	assert_false(os_release_is_like("", "debian"));
}

static void packages_come_by_the_distributions_command(void **state)
{
	static const struct {
		const char *os_release, *tool, *perf;
	} cases[] = {
		{ "ID=debian\n", "sudo apt-get install git", "sudo apt-get install linux-perf" },
		{ "ID=raspbian\nID_LIKE=debian\n", "sudo apt-get install git", "sudo apt-get install linux-perf" },
		{ "ID=ubuntu\nID_LIKE=debian\n", "sudo apt-get install git",
		  "sudo apt-get install linux-tools-6.8.0-49-generic || sudo apt-get install linux-tools-generic" },
		{ "ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "sudo zypper install git", "sudo zypper install perf" },
		{ "ID=alpine\n", "sudo apk add git", "sudo apk add perf" },
		{ "ID=mine\n", "install git",
		  "install the distribution's package of perf, often called perf or linux-perf" },
		{ "", "install git", "install the distribution's package of perf, often called perf or linux-perf" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CLEANUP(free_ptr) char *tool = os_release_install_command(cases[i].os_release, "git");
		CLEANUP(free_ptr) char *perf = os_release_install_perf(cases[i].os_release, "6.8.0-49-generic");

		assert_string_equal(tool, cases[i].tool);
		assert_string_equal(perf, cases[i].perf);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distributions_are_told_apart),
		cmocka_unit_test(packages_come_by_the_distributions_command),
	};

	return cmocka_run_group_tests_name("os_release", tests, NULL, NULL);
}
