/*
 * Real processes below a real keeper, for the tests that start, watch and end them. Call fixture_up() and
 * fixture_down() around each test, and nothing_left() at its end. The caller includes cmocka first.
 *
 * fixture_down() ends the processes that a failed test left. One program runs the tests with cgroups and the
 * tests without them. The tests with cgroups run first, as the current user. The others run afterwards
 * without rights, because fixture_up_as_nobody() gives them up for good.
 */
#ifndef PAWL_TESTS_KEEPER_FIXTURE_H
#define PAWL_TESTS_KEEPER_FIXTURE_H

#include <errno.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "root_fixture.h"

enum { NOBODY = 65534 };
#define PATIENCE_NS (20 * NS_PER_S)

static struct keeper keeper;

static inline int fixture_up(void **state)
{
	signal(SIGPIPE, SIG_IGN);
	return make_root(state) || keeper_start(&keeper, NULL, NULL) < 0 ? -1 : 0;
}

static inline int fixture_up_as_nobody(void **state)
{
	if (geteuid() == 0 && (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
			       setresuid(NOBODY, NOBODY, NOBODY) < 0))
		return -1;
	/* The kernel clears this flag with the rights. Without it, the process cannot read its own /proc files. */
	prctl(PR_SET_DUMPABLE, 1);
	return fixture_up(state);
}

static inline int fixture_down(void **state)
{
	keeper_stop(&keeper);
	return drop_root(state);
}

/* -------- waiting: keeper_pump() reads what children print meanwhile */

static inline void rest(uint64_t ns)
{
	uint64_t until = clock_now_ns() + ns;

	while (keeper.pid && keeper_pump(&keeper, until, NULL) > 0)
		;
}

static inline bool is_there(const char *name)
{
	CLEANUP(free_ptr) char *path = in_root(name);

	return file_exists(path);
}

static inline void wait_for_file(const char *name)
{
	uint64_t give_up = clock_now_ns() + PATIENCE_NS;

	while (!is_there(name)) {
		if (clock_now_ns() > give_up)
			fail_msg("there is no %s after %llu s", name, PATIENCE_NS / NS_PER_S);
		rest(5 * NS_PER_MS);
	}
}

/* Returns the process whose number a script wrote to NAME with "echo $! >NAME.tmp; mv NAME.tmp NAME". */
static inline struct process process_of(const char *name)
{
	CLEANUP(free_ptr) char *path = in_root(name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct process process;

	wait_for_file(name);
	assert_int_equal(file_read(path, 100, &text, NULL), 0);
	if (!process_read((pid_t)strtol(text.buf, NULL, 10), &process))
		fail_msg("%s: there is no process %s", name, text.buf);
	return process;
}

static inline bool lives(const struct process *process)
{
	return process_lives(process->pid, process->start);
}

static inline void wait_for_death(const struct process *process)
{
	uint64_t give_up = clock_now_ns() + PATIENCE_NS;

	while (lives(process)) {
		if (clock_now_ns() > give_up)
			fail_msg("%s (%d) still lives", process->name, (int)process->pid);
		poll(NULL, 0, 5);
	}
}

/* -------- remaining processes */

/* Collects every process below the keeper, orphans included. */
static inline void below_keeper(struct processes *out)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	*out = (struct processes){ 0 };
	processes_read(&all);
	for (size_t i = 0; i < all.n; i++)
		if (all.items[i].pid != keeper.pid && processes_descends(&all, all.items[i].pid, keeper.pid))
			processes_add(out, &all.items[i]);
}

/* Asserts that no process is left, not even a zombie. The keeper gets a moment to reap those. */
static inline void nothing_left(void)
{
	uint64_t give_up = clock_now_ns() + NS_PER_S;

	assert_true(keeper.pid > 0);
	for (;;) {
		CLEANUP(processes_release) struct processes left = { 0 };
		CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

		below_keeper(&left);
		if (!left.n)
			return;
		processes_name(&left, 10, &names);
		if (clock_now_ns() > give_up)
			fail_msg("left behind: %s", names.buf);
		poll(NULL, 0, 5);
	}
}

/* -------- scripts */

static inline void set_shell(struct strv *argv, const char *script)
{
	strv_release(argv);
	strv_push(argv, "/bin/sh");
	strv_push(argv, "-c");
	strv_push(argv, script);
}

static inline void run_script(const char *script)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	struct child_spec spec = { .argv = &argv, .cwd = root };
	struct error err = ERROR_INIT;

	set_shell(&argv, script);
	if (child_run(&keeper, &spec, PATIENCE_NS, NULL, &err) < 0)
		fail_msg("%s: %s", script, err.msg);
}

#endif
