#include "measure/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/clock.h"
#include "measure/line_watch.h"
#include "measure/spawn_request.h"

/* A full pipe can be read at once; one that is filled while it is read does not keep pawl from other things. */
enum { PIPE_BYTES = 1 << 20, READS_AT_ONCE = 2 * PIPE_BYTES / 65536 };

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* hold: ours to write; exec: ours to read; output: ours to read. */
struct pipes {
	int hold[2], exec[2], output[2], null;
};

#define PIPES_INIT { .hold = { -1, -1 }, .exec = { -1, -1 }, .output = { -1, -1 }, .null = -1 }

static void pipes_close(struct pipes *p)
{
	for (int side = 0; side < 2; side++) {
		close_fd(&p->hold[side]);
		close_fd(&p->exec[side]);
		close_fd(&p->output[side]);
	}
	close_fd(&p->null);
}

static int pipes_open(struct pipes *p, struct error *err)
{
	*p = (struct pipes)PIPES_INIT;
	p->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (p->null < 0 || pipe2(p->hold, O_CLOEXEC) < 0 || pipe2(p->exec, O_CLOEXEC) < 0 ||
	    pipe2(p->output, O_CLOEXEC) < 0) {
		error_sys(err, errno, "cannot make pipes for a child");
		pipes_close(p);
		return -1;
	}
	/* A large pipe keeps a talkative target from waiting for us; a smaller one works too. */
	fcntl(p->output[1], F_SETPIPE_SZ, PIPE_BYTES);
	fcntl(p->output[0], F_SETFL, O_NONBLOCK);
	return 0;
}

static int ask_for_spawn(struct keeper *keeper, uint32_t job, bool service, const int *fds, size_t n_fds,
			 pid_t *pid_out, struct error *err)
{
	struct wire message = { .kind = WIRE_SPAWN, .job = job, .service = service };
	uint64_t deadline = clock_now_ns() + KEEPER_ANSWER_NS;
	int got;

	if (keeper_send(keeper, &message, fds, n_fds, err) < 0)
		return -1;
	do
		got = keeper_pump(keeper, deadline, &message, err);
	while (got == 1 && (message.kind != WIRE_SPAWNED || message.job != job));
	if (got == 0)
		return keeper_silent(keeper, err);
	if (got < 0)
		return -1;
	if (message.error)
		return error_sys(err, message.error, "cannot fork");
	*pid_out = message.pid;
	return 0;
}

int child_start(struct keeper *keeper, const struct child_spec *spec, struct child *out, struct error *err)
{
	struct child child = { .job = ++keeper->last_job, .hold_fd = -1, .exec_fd = -1, .output_fd = -1, .output.keep = spec->keep_bytes };
	struct pipes pipes;
	int request, fds[WIRE_FDS_MAX], ret;
	size_t n = 0;

	if (pipes_open(&pipes, err) < 0)
		return -1;
	request = spawn_request_build(spec, keeper->owner, child.job, err);
	if (request < 0) {
		pipes_close(&pipes);
		return -1;
	}
	fds[n++] = request;
	fds[n++] = pipes.hold[0];
	fds[n++] = pipes.exec[1];
	fds[n++] = pipes.null;
	fds[n++] = spec->stdout_fd > 0 ? spec->stdout_fd : pipes.output[1];
	fds[n++] = pipes.output[1];
	for (int i = 0; i < EXTRA_FDS && spec->extra_fds[i] > 0; i++)
		fds[n++] = spec->extra_fds[i];
	ret = ask_for_spawn(keeper, child.job, spec->service, fds, n, &child.pid, err);
	close(request);
	if (ret < 0) {
		pipes_close(&pipes);
		return -1;
	}
	child.hold_fd = pipes.hold[1];
	child.exec_fd = pipes.exec[0];
	child.output_fd = pipes.output[0];
	pipes.hold[1] = pipes.exec[0] = pipes.output[0] = -1;
	pipes_close(&pipes);
	child.next = keeper->children;
	*out = child;
	keeper->children = out;
	return 0;
}

/* A number from the pipe, which closes on exec, into child->why; false when it was closed. */
static bool read_exec(struct child *child)
{
	int why = 0;
	ssize_t got;

	do
		got = read(child->exec_fd, &why, sizeof why);
	while (got < 0 && errno == EINTR);
	child->settled = true;
	if (got == sizeof why)
		child->why = why;
	return got == sizeof why;
}

void child_settle(struct child *child)
{
	if (!child->settled)
		read_exec(child);
}

/* Before exec the pipe carries a 0 once the child is held, and the errno of what went wrong. */
static int wait_for_exec(struct child *child, struct error *err)
{
	while (!child->why && read_exec(child))
		;
	close_fd(&child->exec_fd);
	return child->why ? error_sys(err, child->why, "cannot be started") : 0;
}

int child_release(struct child *child, struct error *err)
{
	int gone;

	child->start_ns = clock_now_ns();
	gone = write(child->hold_fd, "g", 1) == 1 ? 0 : errno;
	close_fd(&child->hold_fd);
	/* One that could not settle has ended already, and left its errno. */
	if (wait_for_exec(child, err) < 0)
		return -1;
	return gone ? error_sys(err, gone, "the held child is gone") : 0;
}

int child_wait(struct keeper *keeper, struct child *child, uint64_t deadline_ns, struct error *err)
{
	struct wire message;

	while (!child->ended) {
		int got = keeper_pump(keeper, deadline_ns, &message, err);

		if (got < 0 || (err && keeper_check_tracer(keeper, err) < 0))
			return -1;
		if (got == 0)
			return 1;
	}
	child_read_output(child);
	return 0;
}

static void send_signal(struct keeper *keeper, const struct child *child, int signal, bool alone)
{
	struct wire message = { .kind = WIRE_KILL, .job = child->job, .signal = signal, .alone = alone };

	if (child->pid && !child->ended)
		keeper_send(keeper, &message, NULL, 0, NULL);
}

void child_signal(struct keeper *keeper, const struct child *child, int signal)
{
	send_signal(keeper, child, signal, false);
}

void child_signal_leader(struct keeper *keeper, const struct child *child, int signal)
{
	send_signal(keeper, child, signal, true);
}

/* Ending must work when an interrupt is what made it necessary. */
void child_end(struct keeper *keeper, struct child *child, uint64_t grace_ns)
{
	struct interrupt *interrupt = keeper->interrupt;

	if (!child->pid || child->ended)
		return;
	keeper->interrupt = NULL;
	close_fd(&child->hold_fd);
	child_signal(keeper, child, SIGTERM);
	child_signal(keeper, child, SIGCONT);
	if (child_wait(keeper, child, clock_now_ns() + grace_ns, NULL) == 1) {
		child_signal(keeper, child, SIGKILL);
		child_wait(keeper, child, clock_now_ns() + 5 * NS_PER_S, NULL);
	}
	keeper->interrupt = interrupt;
}

void child_dispose(struct keeper *keeper, struct child *child)
{
	child_end(keeper, child, 0);
	child_forget(keeper, child);
}

void child_forget(struct keeper *keeper, struct child *child)
{
	if (!child->pid)
		return;
	for (struct child **p = &keeper->children; *p; p = &(*p)->next) {
		if (*p != child)
			continue;
		*p = child->next;
		break;
	}
	close_fd(&child->hold_fd);
	close_fd(&child->exec_fd);
	close_fd(&child->output_fd);
	tail_release(&child->output);
	child->pid = 0;
}

void child_describe_status(int status, struct strbuf *out)
{
	if (WIFSIGNALED(status)) {
		const char *name = sigabbrev_np(WTERMSIG(status));

		strbuf_addf(out, "was killed by SIG%s%s", name ?: "?", WCOREDUMP(status) ? " (core dumped)" : "");
	} else {
		strbuf_addf(out, "exited with status %d", WEXITSTATUS(status));
	}
}

void child_note_exit(struct child *child, const struct wire *message)
{
	child->ended = true;
	child->status = message->status;
	child->usage = message->usage;
	child->end_ns = message->end_ns;
}

void child_read_output(struct child *child)
{
	char buf[65536];

	for (int i = 0; i < READS_AT_ONCE && child->output_fd >= 0; i++) {
		ssize_t n = read(child->output_fd, buf, sizeof buf);

		if (n > 0) {
			tail_feed(&child->output, buf, (size_t)n);
			if (child->watch)
				line_watch_feed(child->watch, buf, (size_t)n);
			if (n < (ssize_t)sizeof buf)
				return;
		} else if (n == 0) {
			close_fd(&child->output_fd);
		} else if (errno != EINTR) {
			return;
		}
	}
}

static int run_to_end(struct keeper *keeper, struct child *child, uint64_t timeout_ns, struct error *err)
{
	struct strbuf words = STRBUF_INIT;
	int waited;

	if (child_release(child, err) < 0)
		return -1;
	waited = child_wait(keeper, child, child->start_ns + timeout_ns, err);
	if (waited < 0)
		return -1;
	if (waited)
		return error_set(err, ERR_TARGET, "did not end within %.3g s", (double)timeout_ns / 1e9);
	if (!child->status)
		return 0;
	child_describe_status(child->status, &words);
	error_set(err, ERR_TARGET, "%s", words.buf);
	strbuf_release(&words);
	return -1;
}

int child_run(struct keeper *keeper, const struct child_spec *spec, uint64_t timeout_ns, struct strbuf *output,
	      struct error *err)
{
	struct child child = { 0 };
	int ret;

	if (child_start(keeper, spec, &child, err) < 0)
		return -1;
	ret = run_to_end(keeper, &child, timeout_ns, err);
	child_end(keeper, &child, 100 * NS_PER_MS);
	if (output)
		tail_text(&child.output, output);
	child_dispose(keeper, &child);
	return ret;
}
