/* Mounted hierarchies and the groups of a process, of both versions and of both at once. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "measure/process/process.h"

static const char unified[] =
	"24 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n"
	"30 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";

static const char hybrid[] =
	"25 20 0:22 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
	"26 25 0:23 / /sys/fs/cgroup/cpu,cpuacct rw shared:3 master:4 - cgroup cgroup rw,cpu,cpuacct\n"
	"27 25 0:24 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
	"28 25 0:25 / /sys/fs/cgroup/systemd rw - cgroup cgroup rw,xattr,name=systemd\n"
	"29 25 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

/* Inside a container without a cgroup namespace; the folder's name holds a space. */
static const char contained[] =
	"27 25 0:24 /docker/ab /mnt/my\\040groups/pids ro - cgroup cgroup rw,pids\n";

static void the_mounts_are_found(void **state)
{
	static const struct {
		const char *text, *controller, *dir;
	} cases[] = {
		{ unified, "", "/sys/fs/cgroup" },
		{ unified, "pids", NULL },
		{ hybrid, "", "/sys/fs/cgroup/unified" },
		{ hybrid, "pids", "/sys/fs/cgroup/pids" },
		{ hybrid, "cpuacct", "/sys/fs/cgroup/cpu,cpuacct" },
		{ hybrid, "name=systemd", "/sys/fs/cgroup/systemd" },
		{ hybrid, "name=sys", NULL },
		{ hybrid, "memory", NULL },
		{ contained, "pids", "/mnt/my groups/pids" },
		{ contained, "", NULL },
		{ "", "", NULL },
		{ "27 25 0:24 / /x rw - cgroup2", "", NULL },
		{ "27 25 0:24 / /x rw cgroup2 cgroup2 rw\n", "", NULL },
		{ "27 25 0:24 /\n30 23 0:26 / /y rw - cgroup2 none rw\n", "", "/y" },
		{ "27 25 0:24 / /x rw -\n", "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts;
		const struct cgroup_mount *found;

		cgroup_mounts_parse(cases[i].text, &mounts);
		found = cgroup_mounts_find(&mounts, cases[i].controller);
		assert_int_equal(!!found, !!cases[i].dir);
		if (found)
			assert_string_equal(found->dir, cases[i].dir);
	}
}

static void version_two_comes_first(void **state)
{
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts;

	(void)state;
	cgroup_mounts_parse(hybrid, &mounts);
	assert_int_equal(mounts.n, 4);
	assert_string_equal(mounts.items[0].dir, "/sys/fs/cgroup/unified");
	assert_null(mounts.items[0].options);
	assert_string_equal(mounts.items[1].dir, "/sys/fs/cgroup/cpu,cpuacct");
}

static void the_group_of_a_process_is_read(void **state)
{
	static const char text[] =
		"12:cpu,cpuacct:/system.slice\n"
		"9:name=systemd:/user.slice/a:b\n"
		"8:pids:/libpod_parent/libpod-ab\n"
		"1:memory:/../outside\n"
		"0::/init.scope\n";
	static const struct {
		const char *text, *controller, *group;
	} cases[] = {
		{ text, "", "/init.scope" },
		{ text, "pids", "/libpod_parent/libpod-ab" },
		{ text, "cpuacct", "/system.slice" },
		{ text, "name=systemd", "/user.slice/a:b" },
		{ text, "memory", "/../outside" },
		{ text, "blkio", NULL },
		{ text, "cpu,cpuacct", NULL },
		{ "8:pids:/a", "", NULL },
		{ "8:pids:/a", "pids", "/a" },
		{ "7::/a\n", "", NULL },
		{ "0::relative\n", "", NULL },
		{ "0:\n0::/b", "", "/b" },
		{ "", "", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *group = cgroup_of_process(cases[i].text, cases[i].controller);

		assert_int_equal(!!group, !!cases[i].group);
		if (group)
			assert_string_equal(group, cases[i].group);
	}
}

static void a_group_becomes_its_folder(void **state)
{
	static const struct {
		const char *root, *group, *folder;
	} cases[] = {
		{ "/", "/system.slice/nginx.service", "/cg/system.slice/nginx.service" },
		{ "/", "system.slice/nginx.service", "/cg/system.slice/nginx.service" },
		{ "/", "/", "/cg" },
		{ "/", "", "/cg" },
		{ "/", "//a", "/cg/a" },
		{ "/", "/a/..b/...", "/cg/a/..b/..." },
		{ "/docker/ab", "/docker/ab", "/cg" },
		{ "/docker/ab", "/docker/ab/sub", "/cg/sub" },
		{ "/docker/ab", "/docker/abc", NULL },
		{ "/docker/ab", "/docker", NULL },
		{ "/docker/ab", "/", NULL },
		{ "/", "/../other", NULL },
		{ "/", "..", NULL },
		{ "/", "/a/../../etc", NULL },
		{ "/", "/a/..", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct cgroup_mount mount = { .dir = (char *)(uintptr_t)"/cg", .root = (char *)(uintptr_t)cases[i].root };
		CLEANUP(free_ptr) char *folder = cgroup_folder(&mount, cases[i].group);

		assert_int_equal(!!folder, !!cases[i].folder);
		if (folder)
			assert_string_equal(folder, cases[i].folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_mounts_are_found),
		cmocka_unit_test(version_two_comes_first),
		cmocka_unit_test(the_group_of_a_process_is_read),
		cmocka_unit_test(a_group_becomes_its_folder),
	};

	return cmocka_run_group_tests_name("cgroups", tests, NULL, NULL);
}
