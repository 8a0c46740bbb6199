/* Processes as /proc shows them: real ones, started and ended here. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/mem.h"
#include "own_cgroup.h"
#include "started.h"

static char state_of(pid_t pid)
{
	struct process process;

	return process_read(pid, &process) ? process.state : '-';
}

static void a_process_tells_who_it_is(void **state)
{
	struct process self, parent;

	(void)state;
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

static void what_is_no_process_is_not_read(void **state)
{
	static const pid_t none[] = { 0, -1, INT32_MAX };
	struct process process = { .pid = 77 };

	(void)state;
	for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
		assert_false(process_read(none[i], &process));
	assert_int_equal(process.pid, 77);
}

static void stand_renamed(int fd, void *arg)
{
	prctl(PR_SET_NAME, arg);
	stand(fd, NULL);
}

static void a_name_deceives_nobody(void **state)
{
	char name[] = "x) Z 1 (y";
	CLEANUP(started_end) struct started child = start(stand_renamed, name);
	struct process process;

	(void)state;
	WAIT_UNTIL(state_of(child.pid) == 'S');
	assert_true(process_read(child.pid, &process));
	assert_string_equal(process.name, name);
	assert_int_equal(process.parent, getpid());
}

static void a_zombie_is_dead(void **state)
{
	CLEANUP(started_end) struct started child = start(stand, NULL);
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct process before, after;

	(void)state;
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

	(void)arg;
	if (pthread_create(&thread, NULL, go_on, &fd))
		_exit(9);
	/* Unlike pthread_exit(), this leaves the stack that holds fd. */
	syscall(SYS_exit, 0);
}

static void a_process_lives_while_a_thread_does(void **state)
{
	CLEANUP(started_end) struct started child = start(end_the_first_thread, NULL);
	struct process process;

	(void)state;
	poll(NULL, 0, 20);
	assert_true(process_read(child.pid, &process));
	assert_true(process_lives(child.pid, process.start));
	assert_false(process_is_dead(&process));
}

static void become_sleep(int fd, void *arg)
{
	(void)arg;
	/* The other end learns by the close on exec that it is sleep now. */
	started_answer(fd, 'r');
	started_order(fd);
	execl("/bin/sleep", "sle ep", "600", (char *)NULL);
	_exit(9);
}

static void command_lines_are_words_with_spaces(void **state)
{
	CLEANUP(started_end) struct started child = start(become_sleep, NULL);
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	(void)state;
	assert_int_equal(started_tell(&child, 'g'), '\0');
	strbuf_adds(&line, "before: ");
	process_command_line(child.pid, &line);
	assert_string_equal(line.buf, "before: sle ep 600");
}

static void the_kernels_threads_are_in_brackets(void **state)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	struct process process;

	(void)state;
	if (!process_read(2, &process) || strcmp(process.name, "kthreadd")) {
		print_message("skipped: a container shows no threads of the kernel\n");
		skip();
	}
	assert_true(process.kernel);
	process_command_line(2, &line);
	assert_string_equal(line.buf, "[kthreadd]");
}

/* -------- trees */

/* A child, its child and one that has ended; their numbers go to the test. */
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

static void a_tree_is_whole_and_holds_nobody_else(void **state)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 }, of_self = { 0 }, none = { 0 };
	pid_t *pids = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CLEANUP(started_end) struct started child = start(grow, pids);

	(void)state;
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

static void lists_keep_their_order(void **state)
{
	static const pid_t order[] = { 5, 9, 1, 7, 5, 3, 9, 8, 2, 1 }, expected[] = { 1, 2, 3, 5, 7, 8, 9 };
	CLEANUP(processes_release) struct processes list = { 0 };

	(void)state;
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

/* Numbers that were given again while the list was read can close a circle. */
static void a_circle_ends(void **state)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 };

	(void)state;
	add(&all, 5, 6, 1, "a");
	add(&all, 6, 5, 1, "b");
	add(&all, 7, 7, 1, "c");
	assert_false(processes_descends(&all, 5, 7));
	processes_add_tree(&tree, &all, 6);
	assert_int_equal(tree.n, 2);
}

static void the_same_processes_are_equal(void **state)
{
	CLEANUP(processes_release) struct processes a = { 0 }, b = { 0 };

	(void)state;
	assert_true(processes_equal(&a, &b));
	add(&a, 5, 1, 10, "a");
	assert_false(processes_equal(&a, &b));
	add(&b, 5, 2, 10, "renamed");
	assert_true(processes_equal(&a, &b));
	add(&a, 6, 1, 11, "a");
	add(&b, 6, 1, 12, "a");
	assert_false(processes_equal(&a, &b));
}

static void names_are_listed(void **state)
{
	static const struct {
		size_t n, most;
		const char *text;
	} cases[] = {
		{ 0, 3, "" },
		{ 1, 3, "nginx (10)" },
		{ 2, 3, "nginx (10), a\\x1bb (11)" },
		{ 4, 2, "nginx (10), a\\x1bb (11) and 2 more" },
		{ 4, 4, "nginx (10), a\\x1bb (11), x (12), y (13)" },
		{ 2, 0, "2 more" },
	};
	static const char *const names[] = { "nginx", "a\033b", "x", "y" };

	(void)state;
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

static void cgroups_are_followed_down(void **state)
{
	CLEANUP(started_end) struct started above = start(stand, NULL), below = start(stand, NULL);
	CLEANUP(processes_release) struct processes members = { 0 };
	char dir[512], sub[600];
	const char *name;

	(void)state;
	if (!make_cgroup(dir, sizeof dir, &name)) {
		print_message("skipped: no cgroup can be made here\n");
		skip();
	}
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

static void what_is_no_cgroup_is_refused(void **state)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	(void)state;
	errno = 0;
	assert_int_equal(processes_add_cgroup(&members, "/proc/nowhere"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(processes_add_cgroup(&members, "/tmp"), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(members.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_tells_who_it_is),
		cmocka_unit_test(what_is_no_process_is_not_read),
		cmocka_unit_test(a_name_deceives_nobody),
		cmocka_unit_test(a_zombie_is_dead),
		cmocka_unit_test(a_process_lives_while_a_thread_does),
		cmocka_unit_test(command_lines_are_words_with_spaces),
		cmocka_unit_test(the_kernels_threads_are_in_brackets),
		cmocka_unit_test(a_tree_is_whole_and_holds_nobody_else),
		cmocka_unit_test(lists_keep_their_order),
		cmocka_unit_test(a_circle_ends),
		cmocka_unit_test(the_same_processes_are_equal),
		cmocka_unit_test(names_are_listed),
		cmocka_unit_test(cgroups_are_followed_down),
		cmocka_unit_test(what_is_no_cgroup_is_refused),
	};

	return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
