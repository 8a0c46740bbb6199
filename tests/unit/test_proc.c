#include "unit.h"

#include "measure/process/proc.h"

/* -------- /proc/PID/stat of processes, whatever their name. */

#define REST " 10 20 30 0 -1 4194560 101 102 103 104 105 106 107 108 20 0 9 0 12345 1 2 3\n"

TEST(lines_are_read)
{
	static const char *const names[] = { "cat", "", "a b", ") S 1 2 (", "x)\n(y", "((", "sixteen bytes too" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct process stat;
		char text[256];

		snprintf(text, sizeof text, "77 (%s) R" REST, names[i]);
		if (!process_parse(text, &stat))
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

TEST(threads_of_the_kernel_are_known)
{
	struct process stat;

	assert_true(process_parse("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5 0", &stat));
	assert_true(stat.kernel);
}

TEST(other_text_is_refused)
{
	static const char *const texts[] = {
		"", "77", "77 (cat", "77 cat) R" REST, ")(", "77 (cat)", "77 (cat) ", "77 (cat) R", "77 (cat) R 1 2 3",
		"77 (cat) R 10 20 30 0 -1 x" REST, "77 (cat)R" REST, "77 (cat) R 99999999999999999999" REST,
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct process stat = { .parent = -7 };

		if (process_parse(texts[i], &stat))
			fail_msg("'%s' was read", texts[i]);
		assert_int_equal(stat.parent, -7);
	}
}

TEST(numbers_of_status_are_whole)
{
	static const char text[] = "Name:\tSeccomp: 7\nCapEff:\t000001fffeffffff\nSeccomp:\t2\nVmHWM:\t    1234 kB\nOdd:\t3 MB\nNegative:\t-3\nPre:\t1\nEmpty:\t\n"
				   "Huge:\t99999999999999999999\nLast:\t5";
	static const struct { const char *key; int base; bool found; uint64_t value; } cases[] = {
		{ "CapEff", 16, true, 0x1fffeffffff }, { "Seccomp", 10, true, 2 }, { "Last", 10, true, 5 },
		{ "Odd", 10, false, 0 }, { "Empty", 10, false, 0 }, { "Huge", 10, false, 0 }, { "Cap", 16, false, 0 },
		{ "Missing", 10, false, 0 }, { "VmHWM", 10, true, 1234 }, { "Negative", 10, false, 0 }, { "re", 10, false, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t value = 77;

		assert_int_equal(proc_status_number(text, cases[i].key, cases[i].base, &value), cases[i].found);
		assert_int_equal(value, cases[i].found ? cases[i].value : 77);
	}
}

TEST(io_is_known_as_a_whole_or_not)
{
	static const char text[] = "rchar: 4096\nwchar: 17\nsyscr: 3\nsyscw: 2\nread_bytes: 99\nwrite_bytes: 98\ncancelled_write_bytes: 0\n";
	struct io_counts io = io_counts_parse(text), twice = io_counts_add(io, io, 1), none = io_counts_add(io, io, -1);

	assert_true(io.read_calls == 3 && io.write_calls == 2 && io.read_bytes == 4096 && io.written_bytes == 17);
	assert_true(twice.read_calls == 6 && twice.written_bytes == 34);
	assert_true(none.write_calls == 0 && none.read_bytes == 0);
	io = io_counts_parse("");
	assert_true(isnan(io.read_calls) && isnan(io.write_calls) && isnan(io.read_bytes) && isnan(io.written_bytes));
}

/* -------- Lines of /proc/net/tcp and tcp6: listening sockets, and similar lines. */

TEST(listening_sockets_are_found)
{
	static const struct { const char *line; unsigned port; uint64_t inode; } cases[] = {
		{ "   0: 0100007F:18EB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 18447 1 "
		  "0000000000000000 100 0 0 10 0\n", 6379, 18447 },
		{ "  12: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A "
		  "00000000:00000000 00:00000000 00000000  1000        0 4294967296 1 0000000000000000 100 0 0 10 0\n",
		  80, 4294967296 },
		{ "1: 00000000:FFFF 00000000:0000 0a 0:0 0:0 0 0 0 1", 65535, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct listener found;

		assert_true(proc_net_listener(cases[i].line, &found));
		assert_int_equal(found.port, cases[i].port);
		assert_int_equal(found.inode, cases[i].inode);
	}
}

TEST(everything_else_is_passed_over)
{
	static const char *const cases[] = {
		"",
		"\n",
		"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n",
		/* established; TIME_WAIT */
		"1: 0100007F:18EB 0100007F:D3C2 01 0:0 0:0 0 0 0 18447 1\n",
		"1: 0100007F:18EB 0100007F:D3C2 06 0:0 0:0 0 0 0 0 3\n",
		/* a listener without a socket */
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

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct listener found = { .port = 1, .inode = 2 };

		assert_false(proc_net_listener(cases[i], &found));
		assert_int_equal(found.port, 1);
		assert_int_equal(found.inode, 2);
	}
}

TEST(links_of_descriptors_are_distinguished)
{
	static const char *const others[] = {
		"", "socket:", "socket:[", "socket:[]", "socket:[12", "socket:[12]x", "socket:[-1]", "socket:[x]",
		"pipe:[12]", "/tmp/socket:[12]", "socket:[99999999999999999999]",
	};
	uint64_t inode = 5;

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_false(proc_net_socket(others[i], &inode));
	assert_int_equal(inode, 5);
	assert_true(proc_net_socket("socket:[18447]", &inode));
	assert_int_equal(inode, 18447);
}

/* -------- Mounted hierarchies and the groups of a process, of both versions and of both at once. */

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

TEST(the_mounts_are_found)
{
	static const struct { const char *text, *controller, *dir; } cases[] = {
		{ unified, "", "/sys/fs/cgroup" }, { unified, "pids", NULL },
		{ hybrid, "", "/sys/fs/cgroup/unified" },
		{ hybrid, "pids", "/sys/fs/cgroup/pids" },
		{ hybrid, "cpuacct", "/sys/fs/cgroup/cpu,cpuacct" },
		{ hybrid, "name=systemd", "/sys/fs/cgroup/systemd" },
		{ hybrid, "name=sys", NULL }, { hybrid, "memory", NULL },
		{ contained, "pids", "/mnt/my groups/pids" },
		{ contained, "", NULL }, { "", "", NULL },
		{ "27 25 0:24 / /x rw - cgroup2", "", NULL },
		{ "27 25 0:24 / /x rw cgroup2 cgroup2 rw\n", "", NULL },
		{ "27 25 0:24 /\n30 23 0:26 / /y rw - cgroup2 none rw\n", "", "/y" },
		{ "27 25 0:24 / /x rw -\n", "", NULL },
	};

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

TEST(version_two_comes_first)
{
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts;

	cgroup_mounts_parse(hybrid, &mounts);
	assert_int_equal(mounts.n, 4);
	assert_string_equal(mounts.items[0].dir, "/sys/fs/cgroup/unified");
	assert_null(mounts.items[0].options);
	assert_string_equal(mounts.items[1].dir, "/sys/fs/cgroup/cpu,cpuacct");
}

TEST(the_group_of_a_process_is_read)
{
	static const char text[] =
		"12:cpu,cpuacct:/system.slice\n"
		"9:name=systemd:/user.slice/a:b\n"
		"8:pids:/libpod_parent/libpod-ab\n"
		"1:memory:/../outside\n"
		"0::/init.scope\n";
	static const struct { const char *text, *controller, *group; } cases[] = {
		{ text, "", "/init.scope" },
		{ text, "pids", "/libpod_parent/libpod-ab" },
		{ text, "cpuacct", "/system.slice" },
		{ text, "name=systemd", "/user.slice/a:b" },
		{ text, "memory", "/../outside" }, { text, "blkio", NULL }, { text, "cpu,cpuacct", NULL },
		{ "8:pids:/a", "", NULL }, { "8:pids:/a", "pids", "/a" }, { "7::/a\n", "", NULL },
		{ "0::relative\n", "", NULL }, { "0:\n0::/b", "", "/b" },
		{ "9:name=systemd:/\n4:memory:/a/b\n0::/\n", "", "/" },
		{ "0::\n", "", NULL }, { "", "", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *group = cgroup_of_process(cases[i].text, cases[i].controller);

		assert_int_equal(!!group, !!cases[i].group);
		if (group)
			assert_string_equal(group, cases[i].group);
	}
}

TEST(a_group_becomes_its_folder)
{
	static const struct { const char *root, *group, *folder; } cases[] = {
		{ "/", "/system.slice/nginx.service", "/cg/system.slice/nginx.service" },
		{ "/", "system.slice/nginx.service", "/cg/system.slice/nginx.service" },
		{ "/", "/", "/cg" }, { "/", "", "/cg" }, { "/", "//a", "/cg/a" },
		{ "/", "/a/..b/...", "/cg/a/..b/..." }, { "/docker/ab", "/docker/ab", "/cg" },
		{ "/docker/ab", "/docker/ab/sub", "/cg/sub" },
		{ "/docker/ab", "/docker/abc", NULL }, { "/docker/ab", "/docker", NULL }, { "/docker/ab", "/", NULL },
		{ "/", "/../other", NULL }, { "/..", "/../outside", NULL }, { "/", "..", NULL },
		{ "/", "/a/../../etc", NULL }, { "/", "/a/..", NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct cgroup_mount mount = { .dir = (char *)(uintptr_t)"/cg", .root = (char *)(uintptr_t)cases[i].root };
		CLEANUP(free_ptr) char *folder = cgroup_folder(&mount, cases[i].group);

		assert_int_equal(!!folder, !!cases[i].folder);
		if (folder)
			assert_string_equal(folder, cases[i].folder);
	}
}
