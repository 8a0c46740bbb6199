/* The lock, held by one pawl at a time: waiting, the holder's name, and links that are not followed. */
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/process/interrupt.h"
#include "measure/process/lock.h"
#include "root_fixture.h"

static int make_runtime_folder(void **state)
{
	unsetenv("PAWL_LOCK");
	return make_root(state) || setenv("XDG_RUNTIME_DIR", root, 1);
}

static char *lock_path(void)
{
	return in_root("pawl.lock");
}

/* Records each reported holder on a line. */
static void note_waiting(void *ctx, const char *holder)
{
	strbuf_addf(ctx, "%s\n", holder);
}

static int take(uint64_t wait_ns, struct strbuf *reported, struct error *err)
{
	int fd = -2;

	return lock_take(wait_ns, NULL, reported ? note_waiting : NULL, reported, &fd, err) < 0 ? -1 : fd;
}

TEST_WITH(a_free_lock_is_taken_at_once, make_runtime_folder, drop_root)
{
	CLEANUP(free_ptr) char *path = lock_path();
	CLEANUP(strbuf_release) struct strbuf reported = STRBUF_INIT, text = STRBUF_INIT;
	char expected[32];
	struct stat st;
	int fd = take(0, &reported, NULL);

	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	snprintf(expected, sizeof expected, "pid %d\n", (int)getpid());
	assert_int_equal(file_read(path, 100, &text, NULL), 0);
	assert_string_equal(text.buf, expected);
	assert_string_equal(reported.buf, "");
	close_fd(&fd);
	assert_int_equal(fd, -1);
	close_fd(&fd);
	/* A longer text of a former holder is overwritten completely. */
	assert_int_equal(file_write(path, "pid 4000000000, and more\n", 25, NULL), 0);
	fd = take(0, NULL, NULL);
	assert_true(fd >= 0);
	strbuf_reset(&text);
	assert_int_equal(file_read(path, 100, &text, NULL), 0);
	assert_string_equal(text.buf, expected);
	close_fd(&fd);
}

TEST_WITH(a_held_lock_names_its_holder, make_runtime_folder, drop_root)
{
	static const struct { const char *text, *holder; } cases[] = {
		{ "pid 4711\n", "pid 4711" }, { "", "unknown" },
	};
	CLEANUP(free_ptr) char *path = lock_path();

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf reported = STRBUF_INIT;
		uint64_t start = clock_now_ns();
		struct error err = ERROR_INIT;
		char holder[32];
		int held;

		assert_int_equal(file_write(path, cases[i].text, strlen(cases[i].text), NULL), 0);
		held = open(path, O_RDWR | O_CLOEXEC);
		assert_int_equal(flock(held, LOCK_EX), 0);
		assert_int_equal(take(120 * NS_PER_MS, &reported, &err), -1);
		assert_true(clock_now_ns() - start >= 120 * NS_PER_MS);
		assert_int_equal(err.kind, ERR_SYSTEM);
		snprintf(holder, sizeof holder, "(%s)", cases[i].holder);
		assert_non_null(strstr(err.msg, holder));
		assert_non_null(strstr(err.msg, path));
		assert_non_null(strstr(err.msg, "0.12 s"));
		assert_non_null(strstr(err.msg, "--lock-wait"));
		strbuf_truncate(&reported, reported.len - 1);
		assert_string_equal(reported.buf, cases[i].holder);
		close(held);
	}
}

TEST_WITH(the_lock_of_one_who_died_is_free, make_runtime_folder, drop_root)
{
	CLEANUP(strbuf_release) struct strbuf reported = STRBUF_INIT, expected = STRBUF_INIT;
	int ready[2], fd;
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		fd = take(0, NULL, NULL);
		if (write(ready[1], "x", 1) == 1)
			usleep(200 * 1000);
		raise(SIGKILL);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	fd = take(20 * NS_PER_S, &reported, NULL);
	assert_true(fd >= 0);
	strbuf_addf(&expected, "pid %d\n", (int)pid);
	assert_string_equal(reported.buf, expected.buf);
	close_fd(&fd);
	waitpid(pid, NULL, 0);
	close(ready[0]);
	close(ready[1]);
}

TEST_WITH(an_interrupt_ends_the_wait, make_runtime_folder, drop_root)
{
	struct interrupt interrupt;
	struct error err = ERROR_INIT;
	uint64_t start = clock_now_ns();
	int held = take(0, NULL, NULL), fd = -2;

	assert_true(held >= 0);
	assert_int_equal(interrupt_init(&interrupt, &err), 0);
	raise(SIGTERM);
	assert_int_equal(lock_take(60 * NS_PER_S, &interrupt, NULL, NULL, &fd, &err), -1);
	assert_int_equal(err.kind, ERR_INTERRUPTED);
	assert_int_equal(err.sys, SIGTERM);
	assert_int_equal(fd, -2);
	assert_true(clock_now_ns() - start < 30 * NS_PER_S);
	interrupt_release(&interrupt);
	close_fd(&held);
}

/* Other files at the lock's path are neither followed nor an obstacle. */
TEST_WITH(what_stands_in_the_way_is_passed_by, make_runtime_folder, drop_root)
{
	CLEANUP(free_ptr) char *path = lock_path(), *victim = in_root("victim");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, own = STRBUF_INIT;

	strbuf_addf(&own, "%.*s-%u.lock", (int)(strlen(path) - strlen(".lock")), path, (unsigned)getuid());
	assert_int_equal(file_write(victim, "untouched", 9, NULL), 0);
	for (int kind = 0; kind < 3; kind++) {
		struct error err = ERROR_INIT;
		int held;

		assert_int_equal(kind == 0 ? symlink(victim, path) : kind == 1 ? mkdir(path, 0700) : mkfifo(path, 0600), 0);
		held = take(0, NULL, &err);
		if (held < 0)
			fail_msg("kind %d: %s", kind, err.msg);
		assert_true(file_exists(own.buf));
		assert_int_equal(take(0, NULL, &err), -1);
		assert_non_null(strstr(err.msg, "another pawl"));
		close_fd(&held);
		assert_int_equal(kind == 1 ? rmdir(path) : unlink(path), 0);
	}
	/* Neither path can be used. The error shows the second one. */
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(unlink(own.buf), 0);
	assert_int_equal(symlink(victim, own.buf), 0);
	{
		struct error err = ERROR_INIT;

		assert_int_equal(take(0, NULL, &err), -1);
		assert_int_equal(err.kind, ERR_SYSTEM);
		assert_non_null(strstr(err.msg, own.buf));
	}
	assert_int_equal(file_read(victim, 100, &text, NULL), 0);
	assert_string_equal(text.buf, "untouched");
}

TEST_WITH(a_child_of_pawl_takes_none, make_runtime_folder, drop_root)
{
	CLEANUP(free_ptr) char *path = lock_path();
	int held = take(0, NULL, NULL);

	setenv("PAWL_LOCK", "inherited", 1);
	assert_int_equal(take(0, NULL, NULL), -1);
	close_fd(&held);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(take(0, NULL, NULL), -1);
	assert_false(file_exists(path));
	/* Other values are ignored. */
	setenv("PAWL_LOCK", "1", 1);
	held = take(0, NULL, NULL);
	assert_true(held >= 0);
	close_fd(&held);
}
