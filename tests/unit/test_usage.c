/* What real processes used, and that none of it is lost or counted twice when children end. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "measure/process/process.h"
#include "started.h"

enum { MIB = 1 << 20, IDLE = 150, READINGS = 250 };

static void burn(unsigned cpu_ms)
{
	struct timespec now;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	while ((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_PER_MS < cpu_ms);
}

static void touch(size_t mib)
{
	char *memory = mmap(NULL, mib * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (size_t at = 0; memory != MAP_FAILED && at < mib * MIB; at += 4096)
		memory[at] = 1;
	munmap(memory, mib * MIB);
}

/* The processes of a tree now. */
static struct processes tree_of(pid_t root)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	struct processes tree = { 0 };

	processes_read(&all);
	processes_add_tree(&tree, &all, root);
	return tree;
}

static struct usage read_tree(pid_t root, size_t expected)
{
	CLEANUP(processes_release) struct processes tree = tree_of(root);
	struct usage usage;

	assert_int_equal(tree.n, expected);
	usage_read(&tree, &usage);
	return usage;
}

static struct measured difference(const struct usage *before, const struct usage *after)
{
	struct measured used = { .wall_ms = 77 };

	usage_difference(before, after, &used);
	assert_true(used.wall_ms > 76 && used.wall_ms < 78);
	return used;
}

/* -------- one process */

static void work(int fd, void *arg)
{
	(void)arg;
	started_answer(fd, 'r');
	for (;;) {
		switch (started_order(fd)) {
		case 'b':
			burn(300);
			break;
		case 't':
			touch(64);
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

static void what_a_process_does_is_seen(void **state)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	struct usage before = read_tree(child.pid, 1), after;
	struct measured used;

	(void)state;
	assert_int_equal(started_tell(&child, 'b'), 'd');
	assert_int_equal(started_tell(&child, 'w'), 'd');
	assert_int_equal(started_tell(&child, 't'), 'd');
	after = read_tree(child.pid, 1);
	used = difference(&before, &after);
	assert_true(used.cpu_ms > 280 && used.cpu_ms < 600);
	assert_true(fabs(used.cpu_ms - used.user_ms - used.system_ms) < 0.001);
	assert_true(used.voluntary_switches >= 50 && used.voluntary_switches < 500);
	assert_true(used.involuntary_switches >= 0);
	/* Fewer with huge pages. */
	assert_true(used.page_faults >= 32);
	assert_true(used.major_faults >= 0 && used.major_faults <= used.page_faults);
	assert_true(used.max_rss_bytes >= 64. * MIB && used.max_rss_bytes < 2048. * MIB);
}

static void idle_processes_use_nothing(void **state)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	struct usage before = read_tree(child.pid, 1), after = read_tree(child.pid, 1);
	struct measured used = difference(&before, &after);

	(void)state;
	assert_true(used.cpu_ms >= 0 && used.cpu_ms < 20);
	assert_true(used.page_faults >= 0 && used.page_faults < 20);
}

static void peaks_begin_anew(void **state)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	CLEANUP(processes_release) struct processes tree = tree_of(child.pid);
	struct usage usage;

	(void)state;
	assert_int_equal(started_tell(&child, 't'), 'd');
	usage_read(&tree, &usage);
	assert_true(usage.peak_rss_bytes >= 64. * MIB);
	usage_reset_peaks(&tree);
	usage_read(&tree, &usage);
	if (usage.peak_rss_bytes >= 64. * MIB && geteuid()) {
		print_message("skipped: the kernel lets nobody reset peaks here\n");
		skip();
	}
	assert_true(usage.peak_rss_bytes > 0 && usage.peak_rss_bytes < 60. * MIB);
}

/* -------- children that end */

/* Orders: 'f' fork one that burns and stands, 'e' let it end, 'r' reap it, 'a' all of it at once. */
static void father(int fd, void *arg)
{
	int go[2];
	pid_t child = 0;

	(void)arg;
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

/* One that ends between the readings was counted at both: alive, as a zombie, by its parent. */
static void an_ended_child_is_counted_once(void **state)
{
	CLEANUP(started_end) struct started child = start(father, NULL);
	struct usage readings[4];

	(void)state;
	readings[0] = read_tree(child.pid, 1);
	assert_int_equal(started_tell(&child, 'f'), 'd');
	readings[1] = read_tree(child.pid, 2);
	assert_int_equal(started_tell(&child, 'e'), 'd');
	readings[2] = read_tree(child.pid, 1);
	assert_int_equal(started_tell(&child, 'r'), 'd');
	readings[3] = read_tree(child.pid, 1);
	for (size_t i = 1; i < 4; i++) {
		struct measured whole = difference(&readings[0], &readings[i]);
		struct measured step = difference(&readings[1], &readings[i]);

		assert_true(whole.cpu_ms > 280 && whole.cpu_ms < 400);
		assert_true(step.cpu_ms >= 0 && step.cpu_ms < 60);
		assert_true(whole.page_faults > 0);
		assert_true(step.page_faults >= 0 && step.page_faults < 100);
	}
}

static void a_child_of_the_window_alone_is_counted(void **state)
{
	CLEANUP(started_end) struct started child = start(father, NULL);
	struct usage before = read_tree(child.pid, 1), after;
	struct measured used;

	(void)state;
	assert_int_equal(started_tell(&child, 'a'), 'd');
	after = read_tree(child.pid, 1);
	used = difference(&before, &after);
	assert_true(used.cpu_ms > 280 && used.cpu_ms < 400);
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

/* One after another works and ends. */
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
 * A father between many that do nothing, so that reading takes a while from him to his children,
 * whose numbers are above all of these, or below after the numbers began anew. The order is the life
 * of a child in ms.
 */
static void busy_family(int fd, void *arg)
{
	int never[2];

	(void)arg;
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

/*
 * Whoever reads but once finds less than before in one reading of ten or twenty: a child ended
 * after its father was read. Children live as long as a reading takes; were it less, none would hold still.
 */
static void counts_do_not_fall_while_children_end(void **state)
{
	CLEANUP(started_end) struct started child = start(busy_family, NULL);
	uint64_t life_ms = 1 + time_to_read(child.pid) / NS_PER_MS;
	char order = (char)(life_ms < 250 ? life_ms : 250);
	unsigned fell = 0;
	double last = 0;

	(void)state;
	assert_int_equal(write(child.fd, &order, 1), 1);
	for (int i = 0; i < READINGS; i++) {
		CLEANUP(processes_release) struct processes tree = tree_of(child.pid);
		struct usage usage;

		usage_read(&tree, &usage);
		fell += usage.faults < last - 100;
		last = usage.faults;
	}
	assert_true(last > 256 * 10);
	assert_true(fell <= 2);
}

static void what_is_gone_counts_nothing(void **state)
{
	CLEANUP(started_end) struct started child = start(work, NULL);
	CLEANUP(processes_release) struct processes tree = tree_of(child.pid), none = { 0 };
	struct usage usage = { .user_ms = 5 };

	(void)state;
	started_end(&child);
	usage_reset_peaks(&tree);
	usage_read(&tree, &usage);
	assert_memory_equal(&usage, &(struct usage){ 0 }, sizeof usage);
	/* Another process of that number is not the one meant. */
	processes_release(&tree);
	tree = tree_of(getpid());
	tree.items[0].start++;
	tree.n = 1;
	usage_read(&tree, &usage);
	assert_memory_equal(&usage, &(struct usage){ 0 }, sizeof usage);
	usage_read(&none, &usage);
	assert_memory_equal(&usage, &(struct usage){ 0 }, sizeof usage);
}

/* -------- differences */

static void what_cannot_be_told_is_not_measured(void **state)
{
	const struct usage before = { 100, 50, 1000, 10, 500, 60, 7e6 };
	const struct usage more = { 130, 50, 1400, 11, 525, 61, 8e6 };
	const struct usage less = { 90, 60, 900, 9, 499, 59, 0 };
	struct measured used = difference(&before, &more);

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_process_does_is_seen),
		cmocka_unit_test(idle_processes_use_nothing),
		cmocka_unit_test(peaks_begin_anew),
		cmocka_unit_test(an_ended_child_is_counted_once),
		cmocka_unit_test(a_child_of_the_window_alone_is_counted),
		cmocka_unit_test(counts_do_not_fall_while_children_end),
		cmocka_unit_test(what_is_gone_counts_nothing),
		cmocka_unit_test(what_cannot_be_told_is_not_measured),
	};

	return cmocka_run_group_tests_name("usage", tests, NULL, NULL);
}
