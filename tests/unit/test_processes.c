#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "model/measured.h"
#include "own_cgroup.h"
#include "started.h"

/* -------- Real processes as /proc shows them. */

static char state_of(pid_t pid)
{
	struct process process;

	return process_read(pid, &process) ? process.state : '-';
}

TEST(a_process_shows_who_it_is)
{
	struct process self, parent;

	assert_true(process_read(getpid(), &self));
	assert_int_equal(self.pid, getpid());
	assert_int_equal(self.parent, getppid());
	assert_int_equal(self.group, getpgrp());
	assert_int_equal(self.session, getsid(0));
	assert_string_equal(self.name, "test_processes");
	assert_int_equal(self.state, 'R');
	assert_false(self.kernel);
	assert_true(self.start > 0);
	assert_true(process_lives(getpid(), self.start));
	assert_false(process_lives(getpid(), self.start + 1));
	assert_false(process_lives(getpid(), 0));
	assert_true(process_read(getppid(), &parent));
	assert_true(parent.start <= self.start);
}

TEST(what_is_no_process_is_not_read)
{
	static const pid_t none[] = { 0, -1, INT32_MAX };
	struct process process = { .pid = 77 };

	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		assert_false(process_read(none[i], &process));
	assert_int_equal(process.pid, 77);
}

static void stand_renamed(int fd, void *arg)
{
	prctl(PR_SET_NAME, arg);
	stand(fd, NULL);
}

TEST(a_name_deceives_nobody)
{
	char name[] = "x) Z 1 (y";
	CLEANUP(started_end) struct started child = start(stand_renamed, name);
	struct process process;

	WAIT_UNTIL(state_of(child.pid) == 'S');
	assert_true(process_read(child.pid, &process));
	assert_string_equal(process.name, name);
	assert_int_equal(process.parent, getpid());
}

TEST(a_zombie_is_dead)
{
	CLEANUP(started_end) struct started child = start(stand, NULL);
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct process before, after;

	assert_true(process_read(child.pid, &before));
	assert_true(process_lives(child.pid, before.start));
	kill(child.pid, SIGKILL);
	WAIT_UNTIL(state_of(child.pid) == 'Z');
	assert_false(process_lives(child.pid, before.start));
	assert_true(process_read(child.pid, &after));
	assert_int_equal(after.start, before.start);
	assert_true(process_is_dead(&after));
	process_command_line(child.pid, &line);
	assert_string_equal(line.buf, "[test_processes]");
	waitpid(child.pid, NULL, 0);
	assert_false(process_read(child.pid, &after));
	strbuf_reset(&line);
	process_command_line(child.pid, &line);
	assert_string_equal(line.buf, "");
}

static void *go_on(void *arg)
{
	started_answer(*(int *)arg, 'r');
	started_order(*(int *)arg);
	_exit(0);
}

static void end_the_first_thread(int fd, void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, go_on, &fd))
		_exit(9);
	/* Unlike pthread_exit(), this keeps the stack, which holds fd. */
	syscall(SYS_exit, 0);
}

TEST(a_process_lives_while_a_thread_does)
{
	CLEANUP(started_end) struct started child = start(end_the_first_thread, NULL);
	struct process process;

	poll(NULL, 0, 20);
	assert_true(process_read(child.pid, &process));
	assert_true(process_lives(child.pid, process.start));
	assert_false(process_is_dead(&process));
}

static void become_sleep(int fd, void *arg)
{
	/* The close on exec shows the other end that the process is now sleep. */
	started_answer(fd, 'r');
	started_order(fd);
	execl("/bin/sleep", "sle ep", "600", (char *)NULL);
	_exit(9);
}

TEST(command_lines_are_words_with_spaces)
{
	CLEANUP(started_end) struct started child = start(become_sleep, NULL);
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	assert_int_equal(started_ask(&child, 'g'), '\0');
	strbuf_adds(&line, "before: ");
	process_command_line(child.pid, &line);
	assert_string_equal(line.buf, "before: sle ep 600");
}

TEST(the_kernels_threads_are_in_brackets)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct process process;

	if (!process_read(2, &process) || strcmp(process.name, "kthreadd"))
		SKIP("a container shows no threads of the kernel");
	assert_true(process.kernel);
	process_command_line(2, &line);
	assert_string_equal(line.buf, "[kthreadd]");
}

/* -------- trees */

/* Forks a child, its child and one that has ended. Sends their PIDs to the test. */
static void grow(int fd, void *arg)
{
	pid_t *pids = arg, pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		started_order(fd);
		_exit(0);
	}
	pids[1] = pid;
	pid = fork();
	if (!pid)
		_exit(0);
	pids[2] = pid;
	started_answer(fd, 'r');
	started_order(fd);
}

TEST(a_tree_is_whole_and_holds_nobody_else)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 }, of_self = { 0 }, none = { 0 };
	pid_t *pids = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CLEANUP(started_end) struct started child = start(grow, pids);

	WAIT_UNTIL(state_of(pids[2]) == 'Z');
	processes_read(&all);
	processes_add_tree(&tree, &all, child.pid);
	assert_int_equal(tree.n, 2);
	assert_non_null(processes_find(&tree, child.pid));
	assert_non_null(processes_find(&tree, pids[1]));
	assert_null(processes_find(&tree, pids[2]));
	processes_add_tree(&of_self, &all, getpid());
	assert_int_equal(of_self.n, 3);
	assert_true(processes_descends(&all, pids[1], child.pid));
	assert_true(processes_descends(&all, pids[1], pids[1]));
	assert_true(processes_descends(&all, pids[1], getpid()));
	assert_false(processes_descends(&all, child.pid, pids[1]));
	processes_add_tree(&none, &all, INT32_MAX);
	assert_int_equal(none.n, 0);
	munmap(pids, 4096);
}

static struct process made(pid_t pid, pid_t parent, uint64_t begin, const char *name)
{
	struct process process = { .pid = pid, .parent = parent, .start = begin, .state = 'S' };

	snprintf(process.name, sizeof process.name, "%s", name);
	return process;
}

static void add(struct processes *to, pid_t pid, pid_t parent, uint64_t begin, const char *name)
{
	struct process process = made(pid, parent, begin, name);

	processes_add(to, &process);
}

TEST(lists_keep_their_order)
{
	static const pid_t order[] = { 5, 9, 1, 7, 5, 3, 9, 8, 2, 1 }, expected[] = { 1, 2, 3, 5, 7, 8, 9 };
	CLEANUP(processes_release) struct processes list = { 0 };

	assert_null(processes_find(&list, 5));
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		add(&list, order[i], 0, 1, "x");
	assert_int_equal(list.n, sizeof expected / sizeof expected[0]);
	for (size_t i = 0; i < list.n; i++) {
		assert_int_equal(list.items[i].pid, expected[i]);
		assert_ptr_equal(processes_find(&list, expected[i]), &list.items[i]);
	}
	assert_null(processes_find(&list, 4));
	assert_null(processes_find(&list, 10));
}

/* PIDs that are reused while the list is read can form a cycle. */
TEST(a_circle_ends)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 };

	add(&all, 5, 6, 1, "a");
	add(&all, 6, 5, 1, "b");
	add(&all, 7, 7, 1, "c");
	assert_false(processes_descends(&all, 5, 7));
	processes_add_tree(&tree, &all, 6);
	assert_int_equal(tree.n, 2);
}

TEST(the_same_processes_are_equal)
{
	CLEANUP(processes_release) struct processes a = { 0 }, b = { 0 };

	assert_true(processes_equal(&a, &b));
	add(&a, 5, 1, 10, "a");
	assert_false(processes_equal(&a, &b));
	add(&b, 5, 2, 10, "renamed");
	assert_true(processes_equal(&a, &b));
	add(&a, 6, 1, 11, "a");
	add(&b, 6, 1, 12, "a");
	assert_false(processes_equal(&a, &b));
}

TEST(names_are_listed)
{
	static const struct { size_t n, most; const char *text; } cases[] = {
		{ 0, 3, "" }, { 1, 3, "nginx (10)" }, { 2, 3, "nginx (10), a\\x1bb (11)" },
		{ 4, 2, "nginx (10), a\\x1bb (11) and 2 more" },
		{ 4, 4, "nginx (10), a\\x1bb (11), x (12), y (13)" },
		{ 2, 0, "2 more" },
	};
	static const char *const names[] = { "nginx", "a\033b", "x", "y" };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(processes_release) struct processes list = { 0 };
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		for (size_t k = 0; k < cases[i].n; k++)
			add(&list, 10 + (pid_t)k, 1, 1, names[k]);
		processes_name(&list, cases[i].most, &text);
		assert_string_equal(text.buf, cases[i].text);
	}
}

/* -------- cgroups */

TEST(cgroups_are_followed_down)
{
	CLEANUP(started_end) struct started above = start(stand, NULL), below = start(stand, NULL);
	CLEANUP(processes_release) struct processes members = { 0 };
	char dir[512], sub[600];
	const char *name;

	if (!make_cgroup(dir, sizeof dir, &name))
		SKIP("no cgroup can be made here");
	snprintf(sub, sizeof sub, "%s/below", dir);
	assert_int_equal(mkdir(sub, 0755), 0);
	assert_int_equal(processes_add_cgroup(&members, dir), 0);
	assert_int_equal(members.n, 0);
	assert_true(join_cgroup(dir, above.pid));
	assert_true(join_cgroup(sub, below.pid));
	assert_int_equal(processes_add_cgroup(&members, dir), 0);
	started_end(&above);
	started_end(&below);
	assert_true(remove_cgroup(dir));
	assert_int_equal(members.n, 2);
}

TEST(what_is_no_cgroup_is_refused)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	errno = 0;
	assert_int_equal(processes_add_cgroup(&members, "/proc/nowhere"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(processes_add_cgroup(&members, "/tmp"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(members.n, 0);
}

/* -------- Resources used by real processes: nothing is lost or counted twice when children end. */

enum { MIB = 1 << 20, IDLE = 150, READINGS_MOST = 250, READINGS_LEAST = 60 };

static void burn(unsigned cpu_ms)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while ((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_PER_MS < cpu_ms);
}

static char *keep(size_t mib)
{
	char *memory = mmap(NULL, mib * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t at = 0; memory != MAP_FAILED && at < mib * MIB; at += 4096)
		memory[at] = 1;
	return memory;
}

static void touch(size_t mib)
{
	munmap(keep(mib), mib * MIB);
}

/* Returns the current processes of a tree. */
static struct processes tree_of(pid_t root)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	struct processes tree = { 0 };

	processes_read(&all);
	processes_add_tree(&tree, &all, root);
	return tree;
}

static struct measured read_tree(pid_t root, size_t expected)
{
	CLEANUP(processes_release) struct processes tree = tree_of(root);
	struct measured usage;

	assert_int_equal(tree.n, expected);
	usage_read(&tree, &usage);
	return usage;
}

static struct measured difference(const struct measured *before, const struct measured *after)
{
	struct measured used = { .wall_ms = 77 };

	usage_difference(before, after, &used);
	assert_true(used.wall_ms > 76 && used.wall_ms < 78);
	return used;
}

/* -------- one process */

static void work(int fd, void *arg)
{
	started_answer(fd, 'r');
	for (;;) {
		switch (started_order(fd)) {
		case 'b':
			burn(300);
			break;
		case 't':
			touch(64);
			break;
		case 'k':
			keep(16);
			break;
		case 'f':
			if (!fork()) {
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				for (;;)
					pause();
			}
			break;
		case 'w':
			for (int i = 0; i < 50; i++)
				poll(NULL, 0, 1);
			break;
		default:
			_exit(0);
		}
		started_answer(fd, 'd');
	}
}

static void *spin(void *arg)
{
	for (;;)
		burn(100);
	return arg;
}

/* ARG[0] is the number of spinning threads. If ARG[1] is set, children spin in place of further threads. */
static void crowd(int fd, void *arg)
{
	const int *how = arg;
	pthread_t thread;

	for (int i = 1; i < how[0]; i++) {
		if (how[1] && !fork())
			spin(NULL);
		if (!how[1])
			pthread_create(&thread, NULL, spin, NULL);
	}
	started_answer(fd, 'r');
	if (how[0])
		spin(NULL);
	started_order(fd);
}

/* Counts ready threads, whether or not CPUs are free for them. Threads of different processes are not added. */
TEST(threads_at_work_are_a_crowd)
{
	static const struct { int how[2]; unsigned most; } cases[] = { { { 0, 0 }, 0 }, { { 1, 0 }, 1 }, { { 3, 0 }, 3 }, { { 3, 1 }, 1 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(started_end) struct started child = start(crowd, (void *)cases[i].how);
		unsigned most = 0;

		for (int look = 0; look < 50 && most < cases[i].most; look++) {
			poll(NULL, 0, 5);
			most = process_crowd(child.pid, NULL, NULL);
		}
		assert_int_equal(most, cases[i].most);
	}
	assert_int_equal(process_crowd(0x7ffffffe, NULL, NULL), 0);
}

/* Returns the CPU time of a process by its own clock. */
static double cpu_clock_ms(pid_t pid)
{
	struct timespec now;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &now))
		fail();
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / NS_PER_MS;
}

TEST(what_a_process_does_is_seen)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	struct measured before = read_tree(child.pid, 1), after;
	double clock_ms = -cpu_clock_ms(child.pid);
	struct measured used;

	assert_int_equal(started_ask(&child, 'b'), 'd');
	assert_int_equal(started_ask(&child, 'w'), 'd');
	assert_int_equal(started_ask(&child, 't'), 'd');
	after = read_tree(child.pid, 1);
	clock_ms += cpu_clock_ms(child.pid);
	used = difference(&before, &after);
	/* Its clock and ticks of 10 ms. */
	assert_true(clock_ms > 280 && fabs(used.cpu_ms - clock_ms) < 30);
	assert_true(fabs(used.cpu_ms - used.user_ms - used.system_ms) < 0.001);
	assert_true(used.voluntary_switches >= 50 && used.voluntary_switches < 500);
	assert_true(used.involuntary_switches >= 0);
	/* Fewer with huge pages. */
	assert_true(used.page_faults >= 32);
	assert_true(used.major_faults >= 0 && used.major_faults <= used.page_faults);
	assert_true(used.max_rss_bytes >= 64. * MIB && used.max_rss_bytes < 2048. * MIB);
}

TEST(idle_processes_use_nothing)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	struct measured before = read_tree(child.pid, 1), after = read_tree(child.pid, 1);
	struct measured used = difference(&before, &after);

	assert_true(used.cpu_ms >= 0 && used.cpu_ms < 20);
	assert_true(used.page_faults >= 0 && used.page_faults < 20);
}

TEST(peaks_begin_anew)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	CLEANUP(processes_release) struct processes tree = tree_of(child.pid);
	struct measured usage;

	assert_int_equal(started_ask(&child, 't'), 'd');
	usage_read(&tree, &usage);
	assert_true(usage.max_rss_bytes >= 64. * MIB);
	usage_reset_peaks(&tree);
	usage_read(&tree, &usage);
	if (usage.max_rss_bytes >= 64. * MIB && geteuid())
		SKIP("the kernel lets nobody reset peaks here");
	assert_true(usage.max_rss_bytes > 0 && usage.max_rss_bytes < 60. * MIB);
}

static double resident(pid_t root, size_t expected)
{
	CLEANUP(processes_release) struct processes tree = tree_of(root);

	assert_int_equal(tree.n, expected);
	return usage_resident(&tree);
}

/* Counts memory that is kept, not memory given back. Memory shared by parent and child counts once. */
TEST(what_is_held_is_counted_once)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	double before = resident(child.pid, 1), kept, shared;
	struct processes none = { 0 };

	assert_true(before > 0 && before < 16. * MIB);
	assert_int_equal(started_ask(&child, 't'), 'd');
	assert_true(fabs(resident(child.pid, 1) - before) < 1. * MIB);
	assert_int_equal(started_ask(&child, 'k'), 'd');
	kept = resident(child.pid, 1) - before;
	/* More with huge pages. */
	assert_true(kept >= 15. * MIB && kept < 19. * MIB);
	assert_int_equal(started_ask(&child, 'f'), 'd');
	shared = resident(child.pid, 2) - before;
	assert_true(shared >= 15. * MIB && shared < 20. * MIB);
	assert_true(usage_resident(&none) == 0);
}

/* -------- children that end */

/* Orders: 'f' forks a child that burns CPU and waits, 'e' ends it, 'r' reaps it, 'a' does all three. */
static void father(int fd, void *arg)
{
	int go[2];
	pid_t child = 0;

	if (pipe2(go, O_CLOEXEC) < 0)
		_exit(9);
	started_answer(fd, 'r');
	for (;;) {
		char order = started_order(fd);
		siginfo_t info;

		if (order == 'f' || order == 'a') {
			child = fork();
			if (!child) {
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				burn(300);
				if (order == 'f') {
					started_answer(fd, 'd');
					started_order(go[0]);
				}
				_exit(0);
			}
			if (order == 'f')
				continue;
		}
		if (order == 'e') {
			started_answer(go[1], 'x');
			waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
		}
		if (order == 'r' || order == 'a')
			waitpid(child, NULL, 0);
		started_answer(fd, 'd');
	}
}

/* A child that ends between the readings counts once in each: while alive, as a zombie, or through its parent. */
TEST(an_ended_child_is_counted_once)
{
	CLEANUP(started_end) struct started child = start(father, NULL);
	struct measured readings[4];

	readings[0] = read_tree(child.pid, 1);
	assert_int_equal(started_ask(&child, 'f'), 'd');
	readings[1] = read_tree(child.pid, 2);
	assert_int_equal(started_ask(&child, 'e'), 'd');
	readings[2] = read_tree(child.pid, 1);
	assert_int_equal(started_ask(&child, 'r'), 'd');
	readings[3] = read_tree(child.pid, 1);
	for (size_t i = 1; i < 4; i++) {
		struct measured whole = difference(&readings[0], &readings[i]);
		struct measured step = difference(&readings[1], &readings[i]);

		assert_true(whole.cpu_ms > 280 && whole.cpu_ms < 2 * 280);
		assert_true(step.cpu_ms >= 0 && step.cpu_ms < 60);
		assert_true(whole.page_faults > 0);
		assert_true(step.page_faults >= 0 && step.page_faults < 100);
	}
}

TEST(a_child_of_the_window_alone_is_counted)
{
	CLEANUP(started_end) struct started child = start(father, NULL);
	struct measured before = read_tree(child.pid, 1), after;
	struct measured used;

	assert_int_equal(started_ask(&child, 'a'), 'd');
	after = read_tree(child.pid, 1);
	used = difference(&before, &after);
	assert_true(used.cpu_ms > 280 && used.cpu_ms < 2 * 280);
}

static pid_t fork_bound(void)
{
	pid_t pid = fork();

	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

static void fork_idle(int fd)
{
	for (int i = 0; i < IDLE; i++)
		if (!fork_bound())
			started_order(fd);
}

/* Children work and end, one after another. */
static void have_children(int life_ms)
{
	for (;;) {
		pid_t pid = fork_bound();

		if (!pid) {
			touch(1);
			poll(NULL, 0, life_ms);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/*
 * A parent among many idle processes, so that reading takes a while from it to its children. Their PIDs are above all of
 * these, or below if PIDs wrapped around. The order is the lifetime of a child in ms.
 */
static void busy_family(int fd, void *arg)
{
	int never[2];

	if (pipe2(never, O_CLOEXEC) < 0)
		_exit(9);
	fork_idle(never[0]);
	if (!fork_bound()) {
		fork_idle(never[0]);
		started_answer(fd, 'r');
		have_children((unsigned char)started_order(fd));
	}
	started_order(never[0]);
}

static uint64_t time_to_read(pid_t root)
{
	uint64_t begin = clock_now_ns();

	read_tree(root, 2 * IDLE + 2);
	return clock_now_ns() - begin;
}

/* A machine on which a reading takes long has fewer. */
#define READING_NS (30 * NS_PER_S)

/*
 * With a single pass, one reading in ten or twenty falls: a child ended after its parent was read. Children live as long
 * as a reading takes. With a shorter life, no reading would be stable.
 */
TEST(counts_do_not_fall_while_children_end)
{
	CLEANUP(started_end) struct started child = start(busy_family, NULL);
	uint64_t life_ms = 1 + time_to_read(child.pid) / NS_PER_MS, until = clock_now_ns() + READING_NS;
	char order = (char)(life_ms < 250 ? life_ms : 250);
	unsigned fell = 0, readings = 0;
	double last = 0;

	assert_int_equal(write(child.fd, &order, 1), 1);
	for (; readings < READINGS_MOST && (readings < READINGS_LEAST || clock_now_ns() < until); readings++) {
		CLEANUP(processes_release) struct processes tree = tree_of(child.pid);
		struct measured usage;

		usage_read(&tree, &usage);
		fell += usage.page_faults < last - 100;
		last = usage.page_faults;
	}
	assert_true(last > 256 * 10);
	assert_true(fell * 50 <= readings);
}

TEST(what_is_gone_counts_nothing)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	CLEANUP(processes_release) struct processes tree = tree_of(child.pid), none = { 0 };
	struct measured usage = { .user_ms = 5 };

	started_end(&child);
	usage_reset_peaks(&tree);
	usage_read(&tree, &usage);
	assert_memory_equal(&usage, &(struct measured){ 0 }, sizeof usage);
	/* A different process with the same PID does not count. */
	processes_release(&tree);
	tree = tree_of(getpid());
	tree.items[0].start++;
	tree.n = 1;
	usage_read(&tree, &usage);
	assert_memory_equal(&usage, &(struct measured){ 0 }, sizeof usage);
	assert_true(usage_resident(&tree) == 0);
	usage_read(&none, &usage);
	assert_memory_equal(&usage, &(struct measured){ 0 }, sizeof usage);
}

/* -------- differences */

TEST(what_cannot_be_known_is_not_measured)
{
	const struct measured before = {
		.user_ms = 100, .system_ms = 50, .page_faults = 1000, .major_faults = 10,
		.voluntary_switches = 500, .involuntary_switches = 60, .max_rss_bytes = 7e6,
	};
	const struct measured more = {
		.user_ms = 130, .system_ms = 50, .page_faults = 1400, .major_faults = 11,
		.voluntary_switches = 525, .involuntary_switches = 61, .max_rss_bytes = 8e6,
	};
	const struct measured less = {
		.user_ms = 90, .system_ms = 60, .page_faults = 900, .major_faults = 9,
		.voluntary_switches = 499, .involuntary_switches = 59, .max_rss_bytes = 0,
	};
	struct measured used = difference(&before, &more);

	assert_true(used.user_ms == 30 && used.system_ms == 0 && used.cpu_ms == 30);
	assert_true(used.page_faults == 400 && used.major_faults == 1);
	assert_true(used.voluntary_switches == 25 && used.involuntary_switches == 1);
	assert_true(used.max_rss_bytes == 8e6);
	used = difference(&before, &less);
	assert_true(isnan(used.user_ms) && used.system_ms == 10 && isnan(used.cpu_ms));
	assert_true(isnan(used.page_faults) && isnan(used.major_faults));
	assert_true(isnan(used.voluntary_switches) && isnan(used.involuntary_switches));
	assert_true(isnan(used.max_rss_bytes));
}
