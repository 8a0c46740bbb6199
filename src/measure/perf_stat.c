#include "measure/perf_stat.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "model/perfstat.h"

/* Loading symbols is not part of attaching, so even a busy machine answers long before this. */
#define ATTACH_TIMEOUT_NS (20 * NS_PER_S)
#define END_TIMEOUT_NS (20 * NS_PER_S)
enum { OUTPUT_LARGEST = 1 << 20 };

static void build_argv(const struct perf_tool *tool, const struct strv *events, const char *pids,
		       const char *file, struct strv *argv)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < events->n; i++)
		strbuf_addf(&list, "%s%s", i ? "," : "", events->items[i]);
	strv_push(argv, tool->path);
	strv_push(argv, "stat");
	strv_pushf(argv, "-x%c", PERFSTAT_SEPARATOR);
	strv_push(argv, "-o");
	strv_push(argv, file);
	strv_push(argv, "-D");
	strv_push(argv, "-1");
	strv_push(argv, "--control");
	strv_push(argv, "fd:3,4");
	strv_push(argv, "-e");
	strv_take(argv, strbuf_take(&list));
	strv_push(argv, "-p");
	strv_push(argv, pids);
}

static int start_perf(struct keeper *keeper, const struct strv *argv, struct perf_stat *stat, struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	int control[2], ack[2], ret;
	struct child_spec spec = { .argv = argv, .environment = &environment };

	if (pipe2(control, O_CLOEXEC) < 0)
		return error_sys(err, errno, "cannot make a pipe for perf");
	if (pipe2(ack, O_CLOEXEC) < 0) {
		close(control[0]);
		close(control[1]);
		return error_sys(err, errno, "cannot make a pipe for perf");
	}
	strv_push(&environment, "LC_ALL=C");
	spec.extra_fds[0] = control[0];
	spec.extra_fds[1] = ack[1];
	ret = child_start(keeper, &spec, &stat->perf, err);
	close(control[0]);
	close(ack[1]);
	stat->control_fd = control[1];
	stat->ack_fd = ack[0];
	return ret < 0 ? -1 : child_release(&stat->perf, err);
}

static int perf_refused(struct perf_stat *stat, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf said = STRBUF_INIT;
	const char *usage;

	static const char title[] = "Error:\n";
	const char *words;

	tail_lines(&stat->perf.output, 16, &said);
	/* Behind what was wrong perf explains its options. */
	usage = strstr(said.buf, "\n Usage: ");
	if (usage)
		strbuf_truncate(&said, (size_t)(usage - said.buf));
	while (said.len && said.buf[said.len - 1] == '\n')
		strbuf_truncate(&said, said.len - 1);
	words = said.buf + (strncmp(said.buf, title, sizeof title - 1) ? 0 : sizeof title - 1);
	return error_set(err, ERR_SYSTEM, "perf stat cannot attach: %s", said.len ? words : "it said nothing");
}

/* perf answers "ack\n" on its own pipe; until then its death or an interrupt must be noticed. */
int perf_stat_switch(struct keeper *keeper, const struct perf_tool *tool, struct perf_stat *stat, bool on,
		     struct error *err)
{
	const char *word = on ? "enable\n" : "disable\n";
	uint64_t deadline = clock_now_ns() + ATTACH_TIMEOUT_NS;
	char answer[16];

	/* A perf that died closed the other end; SIGPIPE is ignored, and its exit tells why. */
	if (write(stat->control_fd, word, strlen(word)) < 0 && errno != EPIPE)
		return error_sys(err, errno, "cannot reach perf");
	for (;;) {
		struct pollfd p[] = {
			{ .fd = stat->ack_fd, .events = POLLIN },
			{ .fd = keeper->sock, .events = POLLIN },
			{ .fd = keeper->interrupt ? keeper->interrupt->fd : -1, .events = POLLIN },
		};
		struct wire message;

		if (poll(p, 3, clock_poll_ms(deadline)) < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait for perf");
		if (p[0].revents & POLLIN)
			return read(stat->ack_fd, answer, sizeof answer) > 0 ? 0 : perf_refused(stat, err);
		if ((p[1].revents || p[2].revents) && keeper_pump(keeper, clock_now_ns(), &message, err) < 0)
			return -1;
		if (stat->perf.ended) {
			child_read_output(&stat->perf);
			return perf_refused(stat, err);
		}
		if (clock_now_ns() >= deadline)
			return error_set(err, ERR_SYSTEM, "perf stat did not attach within 20 s; is %s a perf that works?",
					 tool->path);
	}
}

int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     const char *file, struct perf_stat *out, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;

	*out = (struct perf_stat){ .control_fd = -1, .ack_fd = -1, .file = xstrdup(file) };
	build_argv(tool, events, pids, file, &argv);
	return start_perf(keeper, &argv, out, err);
}

int perf_stat_read(struct keeper *keeper, struct perf_stat *stat, struct perf_rows *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int waited;

	/* With -p perf looks only once a second whether its process is gone. */
	child_signal(keeper, &stat->perf, SIGINT);
	waited = child_wait(keeper, &stat->perf, clock_now_ns() + END_TIMEOUT_NS, err);
	if (waited < 0)
		return -1;
	if (waited)
		return error_set(err, ERR_SYSTEM, "perf stat did not end within 20 s of being told to");
	/* What it leaves behind then is no measurement, and an empty file would pass for events that nobody can count. */
	if (WIFSIGNALED(stat->perf.status) && WTERMSIG(stat->perf.status) != SIGINT)
		return error_set(err, ERR_SYSTEM, "perf stat was killed by SIG%s while it counted",
				 sigabbrev_np(WTERMSIG(stat->perf.status)) ?: "?");
	if (file_read(stat->file, OUTPUT_LARGEST, &text, err) < 0)
		return perf_refused(stat, err);
	return perfstat_parse(text.buf, text.len, PERFSTAT_SEPARATOR, out, err);
}

void perf_stat_dispose(struct keeper *keeper, struct perf_stat *stat)
{
	child_dispose(keeper, &stat->perf);
	if (stat->control_fd >= 0)
		close(stat->control_fd);
	if (stat->ack_fd >= 0)
		close(stat->ack_fd);
	if (stat->file)
		unlink(stat->file);
	free(stat->file);
	*stat = (struct perf_stat){ .control_fd = -1, .ack_fd = -1 };
}
