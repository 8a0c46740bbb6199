#include "measure/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/strv.h"
#include "measure/clock.h"
#include "measure/pidfd.h"

#define LOOK_EVERY_NS (5 * NS_PER_MS)

static void english_environment(struct strv *out)
{
	for (char **entry = environ; entry && *entry; entry++)
		if (strncmp(*entry, "LC_ALL=", 7) && strncmp(*entry, "LANGUAGE=", 9))
			strv_push(out, *entry);
	strv_push(out, "LC_ALL=C");
}

static int spawn(const char *const argv[], int output_fd, pid_t *pid_out)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	int sys;

	english_environment(&environment);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output_fd, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output_fd, STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	/* pawl blocks the signals it polls for and ignores those of writing; neither is the child's business. */
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	sys = posix_spawn(pid_out, argv[0], &actions, &attributes, (char *const *)argv, environment.items);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return sys;
}

/* Take what is there; false at the end of the stream. */
static bool drain(int fd, size_t limit, struct strbuf *out)
{
	char chunk[4096];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof chunk)) > 0) {
		size_t room = out->len < limit ? limit - out->len : 0;

		strbuf_add(out, chunk, (size_t)n < room ? (size_t)n : room);
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

/*
 * True when the process ended in time. A grandchild that keeps the pipe open is not waited for. PIDFD is -1 where there is
 * none (before Linux 5.3, and where a sandbox forbids it): then the process is looked at again and again.
 */
static bool watch(pid_t pid, int pidfd, int fd, uint64_t deadline_ns, size_t limit, struct strbuf *out)
{
	struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN }, { .fd = fd, .events = POLLIN } };

	for (;;) {
		int n = poll(fds, 2, clock_poll_ms(pidfd < 0 ? clock_now_ns() + LOOK_EVERY_NS : deadline_ns));

		if (n < 0 && errno != EINTR)
			return false;
		if (fds[1].fd >= 0 && !drain(fd, limit, out))
			fds[1].fd = -1;
		if (pidfd < 0 ? has_ended(pid) : n > 0 && fds[0].revents)
			return true;
		if (clock_now_ns() >= deadline_ns)
			return false;
	}
}

static int finish(const char *program, pid_t pid, int fd, uint64_t timeout_ns, size_t limit, struct strbuf *text,
		  int *status_out, struct error *err)
{
	int pidfd = open_pidfd(pid);
	bool ended = watch(pid, pidfd, fd, clock_now_ns() + timeout_ns, limit, text);
	int status = 0;

	if (pidfd >= 0)
		close(pidfd);
	/* Not reaped yet, so the group's number is still this one's. */
	kill(-pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	drain(fd, limit, text);
	if (!ended)
		return error_set(err, ERR_SYSTEM, "%s did not end within %.0f s", program,
				 (double)timeout_ns / NS_PER_S);
	*status_out = status;
	return 0;
}

int capture(const char *const argv[], uint64_t timeout_ns, size_t limit, struct strbuf *out, int *status_out,
	    struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int fds[2], sys, ret;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return error_sys(err, errno, "cannot run %s", argv[0]);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	sys = spawn(argv, fds[1], &pid);
	close(fds[1]);
	ret = sys ? error_sys(err, sys, "cannot run %s", argv[0])
		  : finish(argv[0], pid, fds[0], timeout_ns, limit, &text, status_out, err);
	close(fds[0]);
	if (ret == 0)
		strbuf_add(out, text.buf, text.len);
	return ret;
}
