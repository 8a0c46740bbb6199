#include "measure/keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "measure/abandoned.h"
#include "measure/child.h"
#include "measure/clock.h"
#include "measure/pidfd.h"
#include "measure/processes.h"

/* Killing everything that is left takes it five seconds at the most, twice. */
enum { END_TIMEOUT_MS = 12000 };

/* Ignored, as some leave it that start pawl, children would vanish unreported. */
static int watch_children(void)
{
	sigset_t set;

	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int keeper_start(struct keeper *keeper, struct interrupt *interrupt, struct error *err)
{
	int pair[2], signals = watch_children();
	pid_t pid;

	if (signals < 0)
		return error_sys(err, errno, "cannot watch for signals");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0) {
		close(signals);
		return error_sys(err, errno, "cannot make a socket pair");
	}
	/* Both tell what the target did, so it must not get at their memory, nor through /proc at what they have open. */
	prctl(PR_SET_DUMPABLE, 0);
	/* What a keeper that was killed leaves comes here. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		close(signals);
		close(pair[0]);
		close(pair[1]);
		return error_sys(err, errno, "cannot start the keeper process");
	}
	if (!pid)
		keeper_process(pair[1]);
	close(pair[1]);
	*keeper = (struct keeper){ .sock = pair[0], .pid = pid, .interrupt = interrupt, .signals = signals,
				   .look_ns = clock_now_ns() + KEEPER_LOOK_NS };
	owner_id(pid, keeper->owner);
	return 0;
}

/* It ends by itself when the socket closes; one that was stopped or hangs is killed. */
static void wait_for_end(struct keeper *keeper)
{
	struct pollfd p = { .fd = open_pidfd(keeper->pid), .events = POLLIN };
	int status = 0;

	kill(keeper->pid, SIGCONT);
	if (p.fd >= 0 && poll(&p, 1, END_TIMEOUT_MS) == 0) {
		keeper->lost = true;
		kill(keeper->pid, SIGKILL);
	}
	if (p.fd >= 0)
		close(p.fd);
	while (waitpid(keeper->pid, &status, 0) < 0 && errno == EINTR)
		;
	keeper->lost = keeper->lost || status;
}

void keeper_stop(struct keeper *keeper)
{
	if (!keeper->pid)
		return;
	close(keeper->sock);
	close(keeper->signals);
	wait_for_end(keeper);
	if (keeper->lost)
		abandoned_end_own(keeper->owner);
	*keeper = (struct keeper){ .sock = -1, .signals = -1 };
}

static double ms_of(struct timeval tv)
{
	return (double)tv.tv_sec * 1e3 + (double)tv.tv_usec / 1e3;
}

static void note_exit(struct keeper *keeper, const struct wire *message)
{
	keeper->cpu_ms += ms_of(message->usage.ru_utime) + ms_of(message->usage.ru_stime);
	for (struct child *c = keeper->children; c; c = c->next)
		if (c->job == message->job)
			child_note_exit(c, message);
}

static int is_gone(struct keeper *keeper, struct error *err)
{
	keeper->lost = keeper->gone = true;
	return error_set(err, ERR_SYSTEM, "the keeper process is gone; was it killed?");
}

int keeper_silent(struct keeper *keeper, struct error *err)
{
	if (keeper->gone)
		return is_gone(keeper, err);
	keeper->lost = true;
	return error_set(err, ERR_SYSTEM, "the keeper process (pid %d) does not answer; was it stopped, or killed?",
			 (int)keeper->pid);
}

static int receive(struct keeper *keeper, struct wire *out, struct error *err)
{
	int fds[WIRE_FDS_MAX];
	size_t n_fds = 0;

	if (wire_receive(keeper->sock, out, fds, &n_fds) != 1)
		return is_gone(keeper, err);
	if (out->kind == WIRE_EXITED)
		note_exit(keeper, out);
	if (out->kind == WIRE_TRACED)
		memcpy(keeper->tracer, out->names, sizeof keeper->tracer);
	return 1;
}

enum { FIRST_OUTPUT = 3, POLLED_MAX = 64 };

/* What to poll: the keeper's socket, the interrupt's, and every output that somebody still holds, a daemon say. */
static size_t collect(struct keeper *keeper, struct pollfd *p, struct child **of)
{
	size_t n = FIRST_OUTPUT;

	p[0] = (struct pollfd){ .fd = keeper->sock, .events = POLLIN };
	p[1] = (struct pollfd){ .fd = keeper->interrupt ? keeper->interrupt->fd : -1, .events = POLLIN };
	p[2] = (struct pollfd){ .fd = keeper->signals, .events = POLLIN };
	for (struct child *c = keeper->children; c && n < POLLED_MAX; c = c->next) {
		if (c->output_fd < 0)
			continue;
		p[n] = (struct pollfd){ .fd = c->output_fd, .events = POLLIN };
		of[n++] = c;
	}
	return n;
}

/* A child may have stopped its parent, the keeper, which is the one child of this process that lasts. */
static void wake(struct keeper *keeper)
{
	struct signalfd_siginfo info;

	while (read(keeper->signals, &info, sizeof info) > 0)
		;
	kill(keeper->pid, SIGCONT);
}

bool keeper_end_tracer(pid_t pid, pid_t keeper, char names[256])
{
	pid_t tracer = process_tracer(pid);
	struct processes all;
	bool ours;

	if (!tracer || tracer == keeper)
		return false;
	processes_read(&all);
	ours = processes_descends(&all, tracer, keeper) && kill(tracer, SIGKILL) == 0;
	if (ours)
		snprintf(names, 256, "%s (%d)", processes_find(&all, tracer)->name, (int)tracer);
	processes_release(&all);
	/* The stop that began the tracing outlives it. */
	if (ours)
		kill(pid, SIGCONT);
	return ours;
}

int keeper_check_tracer(struct keeper *keeper, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (!keeper->tracer[0])
		return 0;
	escape_terminal(&name, keeper->tracer);
	keeper->tracer[0] = 0;
	return error_set(err, ERR_TARGET, "the target traced pawl (ptrace), which stops it: %s was ended", name.buf);
}

static void look_at_keeper(struct keeper *keeper)
{
	uint64_t now = clock_now_ns();

	if (now < keeper->look_ns)
		return;
	keeper_end_tracer(keeper->pid, keeper->pid, keeper->tracer);
	keeper->look_ns = now + KEEPER_LOOK_NS;
}

int keeper_pump(struct keeper *keeper, uint64_t deadline_ns, struct wire *out, struct error *err)
{
	if (keeper->lost)
		return keeper_silent(keeper, err);
	for (;;) {
		struct pollfd p[POLLED_MAX];
		struct child *of[POLLED_MAX];
		size_t n = collect(keeper, p, of);
		int ready = poll(p, n, clock_poll_ms(deadline_ns < keeper->look_ns ? deadline_ns : keeper->look_ns));

		look_at_keeper(keeper);
		if (ready < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait");
		if (ready == 0 && clock_now_ns() >= deadline_ns)
			return 0;
		if (ready <= 0)
			continue;
		if (p[2].revents)
			wake(keeper);
		for (size_t i = FIRST_OUTPUT; i < n; i++)
			if (p[i].revents)
				child_read_output(of[i]);
		if (p[0].revents)
			return receive(keeper, out, err);
		if (p[1].revents && interrupt_check(keeper->interrupt, err) < 0)
			return -1;
		/* Output that never ceases must not move the deadline. */
		if (clock_now_ns() >= deadline_ns)
			return 0;
	}
}

int keeper_send(struct keeper *keeper, const struct wire *message, const int *fds, size_t n_fds, struct error *err)
{
	if (keeper->lost)
		return keeper_silent(keeper, err);
	if (wire_send(keeper->sock, message, fds, n_fds) < 0)
		return errno == EPIPE ? is_gone(keeper, err) : error_sys(err, errno, "cannot reach the keeper process");
	kill(keeper->pid, SIGCONT);
	return 0;
}

/* Ask, and wait for the answer of kind ANSWER; an interrupt does not cut this short. */
static int ask(struct keeper *keeper, struct wire *message, enum wire_kind answer, struct error *err)
{
	uint64_t deadline = clock_now_ns() + message->grace_ns + KEEPER_ANSWER_NS;
	struct interrupt *interrupt = keeper->interrupt;
	int got;

	if (keeper_send(keeper, message, NULL, 0, err) < 0)
		return -1;
	keeper->interrupt = NULL;
	do
		got = keeper_pump(keeper, deadline, message, err);
	while (got == 1 && message->kind != answer);
	keeper->interrupt = interrupt;
	if (got == 0)
		return keeper_silent(keeper, err);
	return got < 0 ? -1 : 0;
}

static int ask_to_end(struct keeper *keeper, struct wire *message, char names[256], struct error *err)
{
	if (ask(keeper, message, WIRE_SWEPT, err) < 0)
		return -1;
	keeper->cpu_ms += message->cpu_ms;
	memcpy(names, message->names, sizeof message->names);
	return message->killed;
}

int keeper_sweep(struct keeper *keeper, uint64_t grace_ns, char names[256], struct error *err)
{
	return ask_to_end(keeper, &(struct wire){ .kind = WIRE_SWEEP, .grace_ns = grace_ns }, names, err);
}

int keeper_end_service(struct keeper *keeper, uint32_t job, char names[256], struct error *err)
{
	return ask_to_end(keeper, &(struct wire){ .kind = WIRE_END, .job = job }, names, err);
}

int keeper_adopt(struct keeper *keeper, uint32_t job, struct error *err)
{
	return keeper_send(keeper, &(struct wire){ .kind = WIRE_ADOPT, .job = job }, NULL, 0, err);
}

int keeper_kin(struct keeper *keeper, uint32_t job, pid_t *pids, size_t max, size_t *n_out, struct error *err)
{
	struct wire message = { .kind = WIRE_KIN, .job = job };

	if (ask(keeper, &message, WIRE_KINDRED, err) < 0)
		return -1;
	*n_out = message.n_pids < max ? message.n_pids : max;
	memcpy(pids, message.pids, *n_out * sizeof *pids);
	return 0;
}

int keeper_hold(struct keeper *keeper, int fd, struct error *err)
{
	return keeper_send(keeper, &(struct wire){ .kind = WIRE_HOLD }, &fd, 1, err);
}

int keeper_show(struct keeper *keeper, bool shown, struct error *err)
{
	return keeper_send(keeper, &(struct wire){ .kind = WIRE_SHOW, .shown = shown }, NULL, 0, err);
}

bool keeper_is_lost(struct keeper *keeper)
{
	struct wire message;

	while (!keeper->lost && keeper_pump(keeper, clock_now_ns(), &message, NULL) > 0)
		;
	return keeper->lost;
}
