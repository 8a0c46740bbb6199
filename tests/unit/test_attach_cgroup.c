/* Control groups as targets. The test creates them if it is allowed to. */
#include "unit.h"

#include "measure/process/child.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"
#include "own_cgroup.h"
#include "started.h"

static struct keeper keeper;
static char dir[512];
static const char *name;

static int begin(void **state)
{
	if (!make_cgroup(dir, sizeof dir, &name))
		dir[0] = '\0';
	return keeper_start(&keeper, NULL, NULL);
}

static int end(void **state)
{
	keeper_stop(&keeper);
	return !*dir || remove_cgroup(dir) ? 0 : -1;
}
FIXTURE(begin, end);

static void need_cgroup(void)
{
	if (*dir)
		return;
	SKIP("no cgroup can be made here");
}

static void expect_error(const char *text, const char *words)
{
	struct attached attached;
	struct error err = ERROR_INIT;

	assert_int_equal(attach_find(&keeper, TARGET_CGROUP, text, &attached, &err), -1);
	if (!strstr(err.msg, words))
		fail_msg("expected '%s', found '%s'", words, err.msg);
	assert_int_equal(err.kind, ERR_TARGET);
}

TEST(a_group_is_found_by_folder_and_by_name)
{
	CLEANUP(started_end) struct started one = start(stand, NULL), two = start(stand, NULL);
	const char *const texts[] = { dir, name, name + 1, dir + strlen("/sys/fs/cgroup/") };
	char label[600], sub[600];

	need_cgroup();
	snprintf(sub, sizeof sub, "%s/below", dir);
	snprintf(label, sizeof label, "cgroup %s", dir);
	assert_int_equal(mkdir(sub, 0755), 0);
	assert_true(join_cgroup(dir, one.pid) && join_cgroup(sub, two.pid));
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		CLEANUP(attached_release) struct attached attached = { 0 };
		CLEANUP(processes_release) struct processes list = { 0 };
		struct error err = ERROR_INIT;

		if (attach_find(&keeper, TARGET_CGROUP, texts[i], &attached, &err) < 0)
			fail_msg("'%s': %s", texts[i], err.msg);
		assert_string_equal(attached.cgroup, dir);
		assert_string_equal(attached.label, label);
		assert_int_equal(attached.root.start, 0);
		attach_list(&attached, &list);
		assert_int_equal(list.n, 2);
		assert_non_null(processes_find(&list, one.pid));
		assert_non_null(processes_find(&list, two.pid));
	}
}

TEST(a_group_that_emptied_has_no_processes)
{
	CLEANUP(started_end) struct started one = start(stand, NULL);
	CLEANUP(attached_release) struct attached attached = { 0 };
	CLEANUP(processes_release) struct processes list = { 0 };

	need_cgroup();
	expect_error(dir, " has no processes; is the service running?");
	expect_error(name, " has no processes; is the service running?");
	assert_true(join_cgroup(dir, one.pid));
	assert_int_equal(attach_find(&keeper, TARGET_CGROUP, dir, &attached, NULL), 0);
	started_end(&one);
	attach_list(&attached, &list);
	assert_int_equal(list.n, 0);
	free(attached.cgroup);
	attached.cgroup = xstrdup("/sys/fs/cgroup/pawl-test-gone");
	attach_list(&attached, &list);
	assert_int_equal(list.n, 0);
}

TEST(pawls_own_group_is_refused)
{
	CLEANUP(free_ptr) char *above = xstrdup(dir);

	need_cgroup();
	*strrchr(above, '/') = '\0';
	expect_error(above, " holds pawl itself; give the service a group of its own, or use pidfile: PATH or process: REGEX");
	/* With one of both in it as well. */
	assert_true(join_cgroup(dir, keeper.pid));
	expect_error(dir, " holds pawl itself");
	assert_true(join_cgroup(above, keeper.pid));
	assert_true(join_cgroup(dir, getpid()));
	expect_error(dir, " holds pawl itself");
	assert_true(join_cgroup(above, getpid()));
	expect_error(dir, " has no processes");
}

TEST(what_is_no_group_is_reported)
{
	static const char *const cases[] = {
		"/no/such/group", "nginx.service", "../../../../etc", "/tmp", "/sys/fs/cgroup/nowhere", "-x",
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char words[100];

		snprintf(words, sizeof words, "there is no cgroup '%s' here; give its folder below /sys/fs/cgroup, or its name",
			 cases[i]);
		expect_error(cases[i], words);
	}
}
