/* A cgroup finds its processes and ends them all. Cgroups of other jobs and of live owners stay. */
#include "unit.h"

#include <sys/wait.h>

#include "measure/process/abandoned.h"
#include "measure/process/cgroup.h"
#include "measure/files/files.h"
#include "keeper_fixture.h"

static char owner[OWNER_ID_SIZE];

/* Makes a cgroup. The test itself is the owner, so other pawls leave it alone. */
static char *make(uint32_t job)
{
	char *dir;

	owner_id(getpid(), owner);
	dir = cgroup_make(owner, job);
	if (!dir)
		SKIP("no cgroup can be made here");
	assert_true(file_exists(dir));
	return dir;
}

static pid_t start_member(const char *dir)
{
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	assert_true(pid > 0);
	assert_true(cgroup_add(dir, pid));
	return pid;
}

static void assert_killed(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(members_are_known)
{
	CLEANUP(free_ptr) char *first = make(7), *second = make(4000000000u);
	pid_t member = start_member(first), other;

	assert_false(cgroup_is_empty(first));
	assert_true(cgroup_is_empty(second));
	other = start_member(second);
	assert_int_equal(cgroup_job(member, owner), 7);
	assert_int_equal(cgroup_job(other, owner), 4000000000u);
	assert_int_equal(cgroup_job(getpid(), owner), 0);
	assert_int_equal(cgroup_job(member, "0000000001.00000000000000000001.0a1b2c3d"), 0);
	cgroup_end(first);
	assert_killed(member);
	assert_false(file_exists(first));
	assert_int_equal(kill(other, 0), 0);
	cgroup_end(second);
	assert_killed(other);
	assert_false(file_exists(second));
	assert_int_equal(cgroup_job(other, owner), 0);
	/* A removed cgroup is empty, and can be ended again. */
	assert_true(cgroup_is_empty(second));
	cgroup_end(second);
	assert_false(cgroup_add(second, getpid()));
}

/* The same job cannot make its folder twice. */
TEST(a_name_is_given_once)
{
	CLEANUP(free_ptr) char *dir = make(1);

	assert_null(cgroup_make(owner, 1));
	cgroup_end(dir);
	assert_false(file_exists(dir));
}

/* Subfolders, as systemd or a container runtime makes them. */
TEST(folders_of_its_members_go_too)
{
	CLEANUP(free_ptr) char *dir = make(2), *below = file_join(dir, "sub"), *deeper = file_join(below, "deeper"),
			       *empty = file_join(dir, "empty");
	pid_t member, deep;

	assert_int_equal(mkdir(below, 0755) | mkdir(deeper, 0755) | mkdir(empty, 0755), 0);
	member = start_member(below);
	deep = start_member(deeper);
	assert_false(cgroup_is_empty(dir));
	assert_int_equal(cgroup_job(deep, owner), 2);
	cgroup_end(dir);
	assert_killed(member);
	assert_killed(deep);
	assert_false(file_exists(dir));
}

static char gone_owner[OWNER_ID_SIZE];

/* True for cgroups of the gone owner. All others stay, so other pawls on this machine are not disturbed. */
static bool is_of_the_gone(const char *of, const char *dir)
{
	return file_is_dir(dir) && !strcmp(of, gone_owner);
}

TEST(those_of_an_owner_end_together)
{
	CLEANUP(free_ptr) char *first = make(3), *second = make(4), *others = NULL;
	pid_t a = start_member(first), b = start_member(second), other = start_member(first);

	owner_id(other, gone_owner);
	others = cgroup_make(gone_owner, 3);
	assert_non_null(others);
	assert_true(cgroup_add(others, other));
	cgroup_end_all(owner, NULL);
	assert_killed(a);
	assert_killed(b);
	assert_false(file_exists(first));
	assert_false(file_exists(second));
	assert_int_equal(kill(other, 0), 0);

	free(first);
	first = make(5);
	cgroup_end_all(NULL, is_of_the_gone);
	assert_killed(other);
	assert_false(file_exists(others));
	assert_true(file_exists(first));
	cgroup_end(first);
	assert_false(file_exists(first));
}

TEST_WITH(without_rights_there_is_none, fixture_up_as_nobody, fixture_down)
{
	owner_id(getpid(), owner);
	assert_null(cgroup_make(owner, 1));
	assert_int_equal(cgroup_job(getpid(), owner), 0);
	cgroup_end_all(owner, NULL);
	assert_false(cgroup_add("/nonexistent", getpid()));
	cgroup_end("/nonexistent");
	assert_true(cgroup_is_empty("/nonexistent"));
}
