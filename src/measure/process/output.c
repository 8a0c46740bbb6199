#include "measure/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

/* -------- the last lines */

void tail_release(struct tail *tail)
{
	free(tail->ring);
	*tail = (struct tail)TAIL_INIT;
}

static size_t size_of(const struct tail *tail)
{
	return tail->keep ? tail->keep : TAIL_KEPT;
}

void tail_feed(struct tail *tail, const char *data, size_t len)
{
	size_t room, size = size_of(tail);

	if (!len)
		return;
	if (!tail->ring)
		tail->ring = xmalloc(size);
	tail->total += len;
	if (len > size) {
		data += len - size;
		len = size;
	}
	room = size - tail->at;
	if (room > len)
		room = len;
	memcpy(tail->ring + tail->at, data, room);
	memcpy(tail->ring, data + room, len - room);
	tail->at = (tail->at + len) % size;
}

static void add_kept(const struct tail *tail, struct strbuf *out)
{
	if (tail->total >= size_of(tail))
		strbuf_add(out, tail->ring + tail->at, size_of(tail) - tail->at);
	strbuf_add(out, tail->ring, tail->at);
}

void tail_text(const struct tail *tail, struct strbuf *out)
{
	if (!tail->total)
		return;
	if (tail->total > size_of(tail))
		strbuf_addf(out, "[%" PRIu64 " bytes before this were not kept]\n", tail->total - size_of(tail));
	add_kept(tail, out);
}

void tail_lines(const struct tail *tail, unsigned lines, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf kept = STRBUF_INIT;
	size_t from;

	if (!tail->total)
		return;
	add_kept(tail, &kept);
	while (kept.len && kept.buf[kept.len - 1] == '\n')
		strbuf_truncate(&kept, kept.len - 1);
	for (from = kept.len; from > 0; from--)
		if (kept.buf[from - 1] == '\n' && !--lines)
			break;
	strbuf_add(out, kept.buf + from, kept.len - from);
}

/* -------- a line that is waited for */

int line_watch_init(struct line_watch *watch, const char *regex, struct error *err)
{
	if (regex_compile(&watch->regex, regex, REG_NOSUB, err) < 0)
		return error_wrap(err, "the regular expression '%.60s' cannot be used", regex);
	watch->seen = false;
	watch->len = 0;
	return 0;
}

void line_watch_release(struct line_watch *watch)
{
	regfree(&watch->regex);
}

static void try_line(struct line_watch *watch, bool ended)
{
	watch->line[watch->len] = '\0';
	if (regexec(&watch->regex, watch->line, 0, NULL, ended ? 0 : REG_NOTEOL) == 0)
		watch->seen = true;
}

/* What does not fit is left out. */
static void append(struct line_watch *watch, const char *data, size_t len)
{
	size_t room = WATCH_LINE - watch->len, n = len < room ? len : room;

	for (size_t i = 0; i < n; i++)
		watch->line[watch->len++] = data[i] ? data[i] : ' ';
}

static void end_line(struct line_watch *watch)
{
	bool whole = watch->len < WATCH_LINE;

	if (whole && watch->len && watch->line[watch->len - 1] == '\r')
		watch->len--;
	try_line(watch, whole);
	watch->len = 0;
}

void line_watch_feed(struct line_watch *watch, const char *data, size_t len)
{
	size_t before = watch->len;

	while (len && !watch->seen) {
		const char *end = memchr(data, '\n', len);
		size_t n = end ? (size_t)(end - data) : len;

		append(watch, data, n);
		if (!end)
			break;
		end_line(watch);
		before = 0;
		data += n + 1;
		len -= n + 1;
	}
	if (!watch->seen && watch->len > before)
		try_line(watch, false);
}

/* -------- all of a command */

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
