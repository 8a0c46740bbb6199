/* Whose a process is, found while it runs one program after the other. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/process/process.h"

enum { JOB = 42 };

static void become_itself(void)
{
	execl("/proc/self/exe", "test_abandoned", "again", (char *)NULL);
	_exit(1);
}

/* Its owner is this process, which lives: any pawl that starts meanwhile ends what a dead one left. */
static pid_t start_marked(char owner[OWNER_ID_SIZE])
{
	char mark[OWNER_ID_SIZE + 8];
	pid_t pid;

	owner_id(getpid(), owner);
	snprintf(mark, sizeof mark, "%s.%d", owner, JOB);
	setenv("PAWL_JOB", mark, 1);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		become_itself();
	}
	/* Until its first exec it shows the environment that this test was started with. */
	for (uint64_t until = clock_now_ns() + 5 * NS_PER_S; !job_of_process(pid, owner);)
		assert_true(clock_now_ns() < until);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void a_mark_is_read_in_the_midst_of_an_exec(void **state)
{
	uint64_t until = clock_now_ns() + NS_PER_S / 2;
	unsigned reads = 0, missed = 0;
	char owner[OWNER_ID_SIZE];
	pid_t pid = start_marked(owner);

	(void)state;
	for (; clock_now_ns() < until || reads < 100; reads++)
		missed += job_of_process(pid, owner) != JOB;
	end(pid);
	assert_int_equal(missed, 0);
}

static void another_owners_mark_is_none(void **state)
{
	char owner[OWNER_ID_SIZE];
	pid_t pid = start_marked(owner);

	(void)state;
	assert_int_equal(job_of_process(pid, owner), JOB);
	assert_int_equal(job_of_process(pid, "0000004711.00000000000000000816"), 0);
	end(pid);
	assert_int_equal(job_of_process(pid, owner), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mark_is_read_in_the_midst_of_an_exec),
		cmocka_unit_test(another_owners_mark_is_none),
	};

	(void)argv;
	if (argc > 1)
		become_itself();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
