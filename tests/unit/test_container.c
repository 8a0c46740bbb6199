/* Containers and cgroups from the texts of /proc. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/mem.h"
#include "measure/machine/machine.h"

static void containers_are_named(void **state)
{
	static const struct {
		struct container_clues clues;
		const char *name;
	} cases[] = {
		{ { 0 }, NULL },
		{ { .variable = "", .init_cgroup = "0::/init.scope\n" }, NULL },
		{ { .init_cgroup = "12:cpu:/\n0::/\n" }, NULL },
		{ { .docker_file = true, .init_cgroup = "0::/\n" }, "docker" },
		{ { .podman_file = true, .variable = "oci" }, "podman" },
		{ { .variable = "lxc", .init_cgroup = "0::/init.scope\n" }, "lxc" },
		{ { .variable = "systemd-nspawn" }, "systemd-nspawn" },
		{ { .init_cgroup = "9:memory:/docker/0123456789ab\n" }, "docker" },
		{ { .docker_file = true, .init_cgroup = "0::/kubepods.slice/kubepods-burstable.slice\n" }, "kubernetes" },
		{ { .init_cgroup = "1:name=systemd:/lxc/web\n" }, "lxc" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *name = container_name(&cases[i].clues);

		if (strcmp(name ? name : "none", cases[i].name ? cases[i].name : "none"))
			fail_msg("case %zu: found %s", i, name ? name : "none");
	}
}

static void the_unified_cgroup_is_found(void **state)
{
	static const struct {
		const char *text, *path;
	} cases[] = {
		{ "0::/user.slice/user-1000.slice/session-2.scope\n", "/user.slice/user-1000.slice/session-2.scope" },
		{ "9:name=systemd:/\n4:memory:/a/b\n0::/\n", "/" },
		{ "4:memory:/a/b\n", NULL },
		{ "0::/../outside\n", NULL },
		{ "0::\n", NULL },
		{ "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *path = cgroup_unified_path(cases[i].text);

		if (strcmp(path ? path : "none", cases[i].path ? cases[i].path : "none"))
			fail_msg("case %zu: found %s", i, path ? path : "none");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(containers_are_named),
		cmocka_unit_test(the_unified_cgroup_is_found),
	};

	return cmocka_run_group_tests_name("container", tests, NULL, NULL);
}
