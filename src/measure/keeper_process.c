/* The keeper's own side: runs in the forked process until pawl's end of the socket closes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/become.h"
#include "measure/cgroup.h"
#include "measure/clock.h"
#include "measure/keeper.h"
#include "measure/keeper_state.h"
#include "measure/scratch.h"

struct job *state_job_of_pid(struct state *k, pid_t pid)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].pid == pid && !k->jobs[i].ended)
			return &k->jobs[i];
	return NULL;
}

struct job *state_job_of_id(struct state *k, uint32_t id)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].id == id)
			return &k->jobs[i];
	return NULL;
}

void state_forget_job(struct state *k, struct job *job)
{
	for (size_t i = 0; i < k->n_adopted;)
		if (k->adopted[i].job == job->id)
			k->adopted[i] = k->adopted[--k->n_adopted];
		else
			i++;
	*job = k->jobs[--k->n_jobs];
}

/* -------- children that ended */

static double ms_of(struct timeval tv)
{
	return (double)tv.tv_sec * 1e3 + (double)tv.tv_usec / 1e3;
}

/* The leader is a zombie still, so its number, and its group's, cannot have been given away. */
static void report_exit(struct state *k, struct job *job)
{
	struct wire message = { .kind = WIRE_EXITED, .job = job->id, .pid = job->pid, .end_ns = clock_now_ns() };

	if (wait4(job->pid, &message.status, WNOHANG, &message.usage) != job->pid)
		return;
	job->ended = true;
	if (!job->service)
		state_forget_job(k, job);
	wire_send(k->sock, &message, NULL, 0);
}

static void reap_orphan(struct state *k, pid_t pid)
{
	struct rusage usage;

	if (wait4(pid, NULL, WNOHANG, &usage) == pid)
		k->orphans_cpu_ms += ms_of(usage.ru_utime) + ms_of(usage.ru_stime);
}

void state_reap(struct state *k)
{
	for (;;) {
		siginfo_t info = { 0 };
		struct job *job;

		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
			return;
		job = state_job_of_pid(k, info.si_pid);
		if (job)
			report_exit(k, job);
		else
			reap_orphan(k, info.si_pid);
	}
}

void state_wait_for_child(struct state *k, int ms)
{
	struct pollfd p = { .fd = k->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	if (poll(&p, 1, ms) > 0 && read(k->signals, &info, sizeof info) < 0)
		return;
	state_reap(k);
}

/* -------- serving pawl */

static void spawn(struct state *k, const struct wire *message, int *fds, size_t n_fds)
{
	struct wire answer = { .kind = WIRE_SPAWNED, .job = message->job };
	pid_t keeper = getpid(), pid;

	if (k->n_jobs == JOBS_MAX || n_fds < 3) {
		answer.error = EAGAIN;
	} else {
		pid = fork();
		if (!pid)
			become(fds[0], fds[1], fds[2], fds + 3, keeper);
		if (pid < 0) {
			answer.error = errno;
		} else {
			/* Also here, so that the group exists before anybody signals it. */
			setpgid(pid, pid);
			k->jobs[k->n_jobs++] = (struct job){ .id = message->job, .pid = pid, .service = message->service };
			answer.pid = pid;
			if (message->service)
				k->starting = message->job;
		}
	}
	for (size_t i = 0; i < n_fds; i++)
		close(fds[i]);
	wire_send(k->sock, &answer, NULL, 0);
}

/* Once the leader has been reaped its number, and its group's, may be somebody else's. */
static void signal_job(struct state *k, const struct wire *message)
{
	struct job *job = state_job_of_id(k, message->job);

	if (job && !job->ended)
		kill(message->alone ? job->pid : -job->pid, message->signal);
}

static void answer_sweep(struct state *k, struct wire *answer)
{
	answer->kind = WIRE_SWEPT;
	answer->cpu_ms = k->orphans_cpu_ms;
	k->orphans_cpu_ms = 0;
	wire_send(k->sock, answer, NULL, 0);
}

static void sweep(struct state *k, const struct wire *message)
{
	struct wire answer = { .job = message->job };

	orphans_sweep(k, ORPHANS_OF_NOBODY, 0, message->grace_ns, &answer);
	answer_sweep(k, &answer);
}

/* The group goes first, at one blow: a fork bomb cannot outrun it. */
static void kill_group(struct state *k, uint32_t id)
{
	uint64_t give_up = clock_now_ns() + 5 * NS_PER_S;
	struct job *job;

	while ((job = state_job_of_id(k, id)) && !job->ended && clock_now_ns() < give_up) {
		kill(-job->pid, SIGKILL);
		state_wait_for_child(k, 20);
	}
}

static void end_service(struct state *k, const struct wire *message)
{
	struct wire answer = { .job = message->job };
	struct job *job = state_job_of_id(k, message->job);

	if (job && job->service) {
		kill_group(k, message->job);
		orphans_sweep(k, ORPHANS_OF_JOB, message->job, 0, &answer);
		if (k->starting == message->job)
			k->starting = 0;
		job = state_job_of_id(k, message->job);
		job->service = false;
		if (job->ended)
			state_forget_job(k, job);
	}
	answer_sweep(k, &answer);
}

static void tell_kin(struct state *k, const struct wire *message)
{
	struct wire answer = { .kind = WIRE_KINDRED, .job = message->job };
	struct job *job = state_job_of_id(k, message->job);

	state_reap(k);
	if (job && !job->ended)
		answer.pids[answer.n_pids++] = job->pid;
	answer.n_pids += (uint32_t)orphans_of(k, message->job, answer.pids + answer.n_pids,
					      WIRE_PIDS_MAX - answer.n_pids);
	wire_send(k->sock, &answer, NULL, 0);
}

static bool serve(struct state *k)
{
	struct wire message;
	int fds[WIRE_FDS_MAX];
	size_t n_fds = 0;

	if (wire_receive(k->sock, &message, fds, &n_fds) != 1)
		return false;
	switch (message.kind) {
	case WIRE_SPAWN:
		spawn(k, &message, fds, n_fds);
		break;
	case WIRE_KILL:
		signal_job(k, &message);
		break;
	case WIRE_SWEEP:
		sweep(k, &message);
		break;
	case WIRE_ADOPT:
		orphans_adopt(k, message.job);
		k->starting = 0;
		break;
	case WIRE_KIN:
		tell_kin(k, &message);
		break;
	case WIRE_END:
		end_service(k, &message);
		break;
	case WIRE_SHOW:
		prctl(PR_SET_DUMPABLE, message.shown);
		break;
	case WIRE_HOLD:
	default:
		break;
	}
	return true;
}

/* -------- the process */

static bool any_running(const struct state *k)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (!k->jobs[i].ended)
			return true;
	return false;
}

/* Pawl is gone: so is everything it started. */
static void end_all(struct state *k)
{
	struct wire unused = { 0 };
	uint64_t give_up = clock_now_ns() + 5 * NS_PER_S;

	do {
		for (size_t i = 0; i < k->n_jobs; i++)
			if (!k->jobs[i].ended)
				kill(-k->jobs[i].pid, SIGKILL);
		state_wait_for_child(k, 20);
	} while (any_running(k) && clock_now_ns() < give_up);
	orphans_sweep(k, ORPHANS_ALL, 0, 0, &unused);
	cgroup_end_all_of(k->owner);
	scratch_remove_of(getpid());
}

/* Nothing of pawl's may stay open here: a pipe's reader would wait for an end that never comes. */
static void let_go(int sock)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(sock, 3);
	close_range(4, ~0u, 0);
	fcntl(3, F_SETFD, FD_CLOEXEC);
}

/* A target may stop pawl, and the job would hang. At a terminal it may be a person, whom the shell tells. */
static void wake(pid_t pawl)
{
	struct process now;
	int terminal;

	if (!process_read(pawl, &now) || now.state != 'T')
		return;
	terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0)
		kill(pawl, SIGCONT);
	else
		close(terminal);
}

/* Where another process keeps the services, pawl has ended, and the parent is somebody else. */
static void look_at_pawl(struct state *k, pid_t pawl)
{
	struct wire traced = { .kind = WIRE_TRACED };

	if (getppid() != pawl)
		return;
	if (keeper_end_tracer(pawl, getpid(), traced.names))
		wire_send(k->sock, &traced, NULL, 0);
	else
		wake(pawl);
}

static void serve_until_pawl_is_gone(struct state *k, pid_t pawl)
{
	uint64_t look_ns = clock_now_ns() + KEEPER_LOOK_NS;
	struct signalfd_siginfo info;

	for (;;) {
		struct pollfd p[] = { { .fd = k->sock, .events = POLLIN }, { .fd = k->signals, .events = POLLIN } };

		if (poll(p, 2, clock_poll_ms(look_ns)) < 0 && errno != EINTR)
			return;
		/* Also where children that end without cease keep it from ever being idle. */
		if (clock_now_ns() >= look_ns) {
			look_at_pawl(k, pawl);
			look_ns = clock_now_ns() + KEEPER_LOOK_NS;
		}
		if (p[1].revents && read(k->signals, &info, sizeof info) > 0)
			state_reap(k);
		if (p[0].revents && !serve(k))
			return;
	}
}

void keeper_process(int sock)
{
	static struct state k;
	pid_t pawl = getppid();
	sigset_t all, child;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	setpgid(0, 0);
	prctl(PR_SET_NAME, KEEPER_NAME);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	let_go(sock);
	k.sock = 3;
	k.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	owner_id(getpid(), k.owner);
	serve_until_pawl_is_gone(&k, pawl);
	end_all(&k);
	_exit(0);
}
