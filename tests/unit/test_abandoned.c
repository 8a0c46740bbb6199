/* The job of a process, also across several execs, and owners that are certainly gone. */
#define OWN_MAIN
#include "unit.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/files/files.h"
#include "measure/process/abandoned.h"
#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"

enum { JOB = 42 };

static void become_itself(void)
{
	execl("/proc/self/exe", "test_abandoned", "again", (char *)NULL);
	_exit(1);
}

static pid_t start_of(const char *owner)
{
	char mark[OWNER_ID_SIZE + 8];
	pid_t pid;

	snprintf(mark, sizeof mark, "%s.%d", owner, JOB);
	setenv("PAWL_JOB", mark, 1);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		become_itself();
	}
	/* Until its first exec, the child shows the environment of this test. */
	for (uint64_t until = clock_now_ns() + 5 * NS_PER_S; !job_of_process(pid, owner) && !kill(pid, 0);)
		assert_true(clock_now_ns() < until);
	return pid;
}

/* The owner is this process, which is alive. Any pawl that starts meanwhile ends the processes of dead owners. */
static pid_t start_marked(char owner[OWNER_ID_SIZE])
{
	owner_id(getpid(), owner);
	return start_of(owner);
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST(a_mark_is_read_in_the_midst_of_an_exec)
{
	uint64_t until = clock_now_ns() + NS_PER_S / 2;
	unsigned reads = 0, missed = 0;
	char owner[OWNER_ID_SIZE];
	pid_t pid = start_marked(owner);

	for (; clock_now_ns() < until || reads < 100; reads++)
		missed += job_of_process(pid, owner) != JOB;
	end(pid);
	assert_int_equal(missed, 0);
}

TEST(another_owners_mark_is_none)
{
	char owner[OWNER_ID_SIZE];
	pid_t pid = start_marked(owner);

	assert_int_equal(job_of_process(pid, owner), JOB);
	assert_int_equal(job_of_process(pid, "0000004711.00000000000000000816.0a1b2c3d"), 0);
	end(pid);
	assert_int_equal(job_of_process(pid, owner), 0);
}

/* -------- owners that are certainly gone */

static pid_t ended_pid(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return pid;
}

static bool was_ended(pid_t pid)
{
	return waitpid(pid, NULL, WNOHANG) == pid;
}

TEST(what_cannot_be_compared_counts_as_alive)
{
	uint32_t view = process_view(), other = view ^ 1;
	pid_t gone = ended_pid(), self = getpid();
	struct process me;

	assert_true(view && process_read(self, &me));
	const struct { pid_t pid; uint64_t start; uint32_t view; bool gone; } cases[] = {
		{ self, me.start, view, false }, { self, me.start + 1, view, true },
		{ self, me.start + 1, other, false }, { self, me.start + 1, 0, false }, { self, 0, view, false },
		{ gone, 1, view, true }, { gone, 0, view, true }, { gone, 1, other, false }, { gone, 1, 0, false },
		{ 0, 1, view, false }, { -1, 1, view, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (process_is_gone(cases[i].pid, cases[i].start, cases[i].view) != cases[i].gone)
			fail_msg("case %zu", i);
}

/* Two marks: one of a keeper that is gone here, one of a keeper with the same number in another view. */
TEST(processes_of_other_views_stay)
{
	char here[OWNER_ID_SIZE], elsewhere[OWNER_ID_SIZE];
	pid_t gone = ended_pid(), left, others;

	snprintf(here, sizeof here, "%010d.%020d.%08" PRIx32, (int)gone, 1, process_view());
	snprintf(elsewhere, sizeof elsewhere, "%010d.%020d.%08" PRIx32, (int)gone, 1, process_view() ^ 1);
	others = start_of(elsewhere);
	left = start_of(here);
	abandoned_end_processes();
	assert_int_equal(waitpid(left, NULL, 0), left);
	assert_false(was_ended(others));
	end(others);
}

/* The time namespace shifts start times, so this process, the owner, appears to be another process. */
TEST(a_time_namespace_ends_nothing)
{
	static const char shift[] = "boottime 100000 0\n";
	char owner[OWNER_ID_SIZE];
	pid_t pid, other;
	int status = 0;

	other = fork();
	if (!other) {
		int fd;

		if (unshare(CLONE_NEWTIME) < 0 || (fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC)) < 0 ||
		    write(fd, shift, sizeof shift - 1) != (ssize_t)(sizeof shift - 1))
			_exit(77);
		close(fd);
		/* Only the child's children are in the namespace. */
		pid = fork();
		if (!pid) {
			raise(SIGSTOP);
			abandoned_end_processes();
			_exit(0);
		}
		waitpid(pid, NULL, WUNTRACED);
		raise(SIGSTOP);
		kill(pid, SIGCONT);
		waitpid(pid, &status, 0);
		_exit(status ? 1 : 0);
	}
	waitpid(other, &status, WUNTRACED);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip();
	assert_true(WIFSTOPPED(status));
	pid = start_marked(owner);
	kill(other, SIGCONT);
	waitpid(other, &status, 0);
	assert_int_equal(status, 0);
	assert_false(was_ended(pid));
	end(pid);
}

static void make_scratch(const char *dir, pid_t keeper, uint32_t view, const char *end, char out[128])
{
	snprintf(out, 128, "%s/pawl-%07d-%08" PRIx32 "-%s", dir, (int)keeper, view, end);
	assert_int_equal(mkdir(out, 0700), 0);
}

static void make_old(const char *path)
{
	const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* A folder is removed if its keeper is gone, or if it belongs to another view and its lock is free. */
TEST(scratch_folders_of_others_stay)
{
	char dir[] = "/tmp/pawl-test-scratch-XXXXXX", here[128], locked[128], made_now[128], elsewhere[128], held[128], own[128];
	uint32_t view = process_view();
	pid_t gone = ended_pid();
	int fd, fd_held;

	assert_non_null(mkdtemp(dir));
	setenv("TMPDIR", dir, 1);
	make_scratch(dir, gone, view, "aaaaaa", here);
	make_scratch(dir, gone, view, "bbbbbb", locked);
	make_scratch(dir, gone, view ^ 1, "cccccc", made_now);
	make_scratch(dir, gone, view ^ 1, "dddddd", elsewhere);
	make_scratch(dir, gone, view ^ 1, "eeeeee", held);
	make_scratch(dir, getppid(), view ^ 1, "ffffff", own);
	fd = open(locked, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd_held = open(held, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(fd, LOCK_EX) | flock(fd_held, LOCK_EX), 0);
	make_old(elsewhere);
	make_old(held);
	scratch_remove_of(0);
	assert_false(file_exists(here));
	assert_true(file_exists(locked));
	assert_true(file_exists(made_now));
	assert_false(file_exists(elsewhere));
	assert_true(file_exists(held));
	/* A keeper removes its own folders at the end, but not those of a keeper with its number in another view. */
	scratch_remove_of(getppid());
	assert_true(file_exists(own));
	close(fd);
	close(fd_held);
	assert_int_equal(file_remove_tree(dir, NULL), 0);
	unsetenv("TMPDIR");
}

/* A list made in another view names other processes. */
TEST(lists_of_other_views_end_nothing)
{
	char dir[] = "/tmp/pawl-test-lists-XXXXXX", path[128];
	struct processes listed = { 0 };
	struct process process;
	pid_t pid = fork();
	FILE *f;

	if (!pid)
		for (;;)
			pause();
	assert_non_null(mkdtemp(dir));
	assert_true(process_read(pid, &process));
	snprintf(path, sizeof path, "%s/processes-7", dir);
	f = fopen(path, "w");
	assert_true(f && fprintf(f, "%08" PRIx32 "\n%d %" PRIu64 "\n", process_view() ^ 1, (int)pid, process.start) > 0);
	assert_int_equal(fclose(f), 0);
	scratch_end_listed(dir);
	assert_false(was_ended(pid));
	processes_add(&listed, &process);
	scratch_list(dir, 7, &listed);
	scratch_end_listed(dir);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	processes_release(&listed);
	assert_int_equal(file_remove_tree(dir, NULL), 0);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		become_itself();
	return run_all();
}
