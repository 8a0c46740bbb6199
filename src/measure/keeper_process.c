/* The keeper's own side: runs in the forked process until pawl's end of the socket closes. */
#include <errno.h>
#include <stdbool.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/clock.h"
#include "measure/keeper.h"

enum { JOBS_MAX = 256 };

struct job {
	uint32_t id;
	pid_t pid;
};

struct state {
	int sock, signals;
	struct job jobs[JOBS_MAX];
	size_t n_jobs;
};

static struct job *job_of_pid(struct state *k, pid_t pid)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].pid == pid)
			return &k->jobs[i];
	return NULL;
}

static struct job *job_of_id(struct state *k, uint32_t id)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].id == id)
			return &k->jobs[i];
	return NULL;
}

/* -------- becoming the child */

struct request {
	const struct wire_request *head;
	char **argv, **envp;
	const gid_t *groups;
};

/* The request stays mapped until exec; argv and envp point into it. */
static int map_request(int memfd, struct request *out)
{
	struct stat st;
	char *base, *p, *end;
	char **vector;

	if (fstat(memfd, &st) < 0)
		return -1;
	base = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, memfd, 0);
	if (base == MAP_FAILED)
		return -1;
	out->head = (const struct wire_request *)base;
	out->groups = (const gid_t *)(base + sizeof *out->head);
	p = base + sizeof *out->head + out->head->n_groups * sizeof(gid_t);
	end = base + st.st_size;
	vector = calloc((size_t)out->head->n_argv + out->head->n_env + 2, sizeof *vector);
	if (!vector)
		return -1;
	out->argv = vector;
	out->envp = vector + out->head->n_argv + 1;
	for (uint32_t i = 0; i < out->head->n_argv && p < end; i++, p += strlen(p) + 1)
		out->argv[i] = p;
	for (uint32_t i = 0; i < out->head->n_env && p < end; i++, p += strlen(p) + 1)
		out->envp[i] = p;
	return 0;
}

/* Received descriptors may sit on the numbers wanted, so all move out of the way first. */
static int place_fds(const int *fds, uint32_t n)
{
	int high[WIRE_FDS_MAX];

	for (uint32_t i = 0; i < n; i++) {
		high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 64);
		if (high[i] < 0)
			return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		if (dup2(high[i], (int)i) < 0)
			return -1;
	return 0;
}

static int change_user(const struct request *r)
{
	if (setgroups(r->head->n_groups, r->groups) < 0 || setgid(r->head->gid) < 0)
		return -1;
	return setuid(r->head->uid);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int settle_child(const struct request *r, const int *fds, pid_t keeper)
{
	setpgid(0, 0);
	reset_signals();
	if (place_fds(fds, r->head->n_fds) < 0 || chdir(r->head->cwd) < 0)
		return -1;
	if (r->head->pin && sched_setaffinity(0, sizeof r->head->cpus, &r->head->cpus) < 0)
		return -1;
	if (r->head->aslr_off && personality(ADDR_NO_RANDOMIZE) < 0)
		return -1;
	if (r->head->change_user && change_user(r) < 0)
		return -1;
	/* A change of user clears the death signal; a keeper that died before this line left no signal. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return getppid() == keeper ? 0 : -1;
}

/* execvpe follows PATH of the caller; the child's own PATH is what a shell would use. */
static void exec_request(const struct request *r)
{
	environ = r->envp;
	execvp(r->argv[0], r->argv);
}

static void become(int memfd, int hold, int exec_error, const int *fds, pid_t keeper) __attribute__((noreturn));
static void become(int memfd, int hold, int exec_error, const int *fds, pid_t keeper)
{
	struct request r;
	char go;
	ssize_t got;

	if (map_request(memfd, &r) == 0) {
		/* Both survive the placing of 0, 1, 2, ... below 64. */
		hold = fcntl(hold, F_DUPFD_CLOEXEC, 128);
		exec_error = fcntl(exec_error, F_DUPFD_CLOEXEC, 128);
		if (settle_child(&r, fds, keeper) == 0) {
			do
				got = read(hold, &go, 1);
			while (got < 0 && errno == EINTR);
			if (got == 1)
				exec_request(&r);
			else
				_exit(125);
		}
	}
	int why = errno;
	if (write(exec_error, &why, sizeof why) < 0)
		_exit(126);
	_exit(127);
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
			k->jobs[k->n_jobs++] = (struct job){ .id = message->job, .pid = pid };
			answer.pid = pid;
		}
	}
	for (size_t i = 0; i < n_fds; i++)
		close(fds[i]);
	wire_send(k->sock, &answer, NULL, 0);
}

/* The leader is a zombie still, so its number, and its group's, cannot have been given away. */
static void report_exit(struct state *k, struct job *job)
{
	struct wire message = { .kind = WIRE_EXITED, .job = job->id, .pid = job->pid, .end_ns = clock_now_ns() };

	if (wait4(job->pid, &message.status, WNOHANG, &message.usage) != job->pid)
		return;
	*job = k->jobs[--k->n_jobs];
	wire_send(k->sock, &message, NULL, 0);
}

static void reap(struct state *k)
{
	for (;;) {
		siginfo_t info = { 0 };
		struct job *job;

		if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || !info.si_pid)
			return;
		job = job_of_pid(k, info.si_pid);
		if (job)
			report_exit(k, job);
		else
			waitpid(info.si_pid, NULL, WNOHANG);
	}
}

/* -------- orphans */

struct orphan {
	pid_t pid;
	char name[32];
};

enum { ORPHANS_AT_ONCE = 64, ORPHANS_NAMED = 8 };

/* Those killed already, so that one that takes a moment to go is counted once. */
struct killed {
	pid_t pids[1024];
	size_t n;
};

static bool first_time(struct killed *killed, pid_t pid)
{
	for (size_t i = 0; i < killed->n; i++)
		if (killed->pids[i] == pid)
			return false;
	if (killed->n < sizeof killed->pids / sizeof killed->pids[0])
		killed->pids[killed->n++] = pid;
	return true;
}

static void read_name(struct orphan *orphan)
{
	char path[64];
	ssize_t got = -1;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/comm", (int)orphan->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = read(fd, orphan->name, sizeof orphan->name - 1);
		close(fd);
	}
	orphan->name[got > 0 ? got - 1 : 0] = '\0';
}

/* proc_pid_children(5): the direct children, among them every orphan below this subreaper. */
static size_t find_orphans(struct state *k, struct orphan *out, size_t max)
{
	char path[64], buf[8192];
	ssize_t got;
	size_t n = 0;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = fd < 0 ? -1 : read(fd, buf, sizeof buf - 1);
	if (fd >= 0)
		close(fd);
	if (got <= 0)
		return 0;
	buf[got] = '\0';
	for (char *p = buf, *end; n < max; p = end) {
		pid_t pid = (pid_t)strtol(p, &end, 10);

		if (end == p)
			break;
		if (!job_of_pid(k, pid))
			out[n++].pid = pid;
	}
	return n;
}

static void add_name(struct wire *answer, const struct orphan *orphan)
{
	size_t len = strlen(answer->names);

	snprintf(answer->names + len, sizeof answer->names - len, "%s%s (%d)", len ? ", " : "",
		 orphan->name[0] ? orphan->name : "?", (int)orphan->pid);
}

static void wait_for_child(struct state *k, int ms)
{
	struct pollfd p = { .fd = k->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	if (poll(&p, 1, ms) > 0 && read(k->signals, &info, sizeof info) < 0)
		return;
	reap(k);
}

/* Killing one orphan hands its children to us, so this goes on until there are none. */
static void sweep(struct state *k, uint64_t grace_ns, struct wire *answer)
{
	uint64_t start = clock_now_ns(), give_up = start + grace_ns + 5 * NS_PER_S;
	struct orphan orphans[ORPHANS_AT_ONCE];
	struct killed killed = { 0 };
	bool killing = false;
	size_t n;

	reap(k);
	while ((n = find_orphans(k, orphans, ORPHANS_AT_ONCE)) && clock_now_ns() < give_up) {
		killing = killing || clock_now_ns() >= start + grace_ns;
		for (size_t i = 0; killing && i < n; i++) {
			read_name(&orphans[i]);
			if (kill(orphans[i].pid, SIGKILL) == 0 && first_time(&killed, orphans[i].pid) &&
			    answer->killed++ < ORPHANS_NAMED)
				add_name(answer, &orphans[i]);
		}
		wait_for_child(k, killing ? 20 : 2);
	}
}

static void sweep_and_answer(struct state *k, const struct wire *message)
{
	struct wire answer = { .kind = WIRE_SWEPT, .job = message->job };

	sweep(k, message->grace_ns, &answer);
	wire_send(k->sock, &answer, NULL, 0);
}

/* Pawl is gone: so is everything it started. */
static void end_all(struct state *k)
{
	struct wire unused = { 0 };
	uint64_t give_up = clock_now_ns() + 5 * NS_PER_S;

	while (k->n_jobs && clock_now_ns() < give_up) {
		for (size_t i = 0; i < k->n_jobs; i++)
			kill(-k->jobs[i].pid, SIGKILL);
		wait_for_child(k, 20);
	}
	sweep(k, 0, &unused);
}

static bool serve(struct state *k)
{
	struct wire message;
	int fds[WIRE_FDS_MAX];
	size_t n_fds = 0;
	struct job *job;

	if (wire_receive(k->sock, &message, fds, &n_fds) != 1)
		return false;
	switch (message.kind) {
	case WIRE_SPAWN:
		spawn(k, &message, fds, n_fds);
		break;
	case WIRE_KILL:
		job = job_of_id(k, message.job);
		if (job)
			kill(-job->pid, message.signal);
		break;
	case WIRE_SWEEP:
		sweep_and_answer(k, &message);
		break;
	default:
		break;
	}
	return true;
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

void keeper_process(int sock)
{
	static struct state k;
	struct signalfd_siginfo info;
	sigset_t all, child;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	setpgid(0, 0);
	prctl(PR_SET_NAME, "pawl-keeper");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	let_go(sock);
	k.sock = 3;
	k.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	for (;;) {
		struct pollfd p[] = { { .fd = k.sock, .events = POLLIN }, { .fd = k.signals, .events = POLLIN } };

		if (poll(p, 2, -1) < 0 && errno != EINTR)
			break;
		if (p[1].revents && read(k.signals, &info, sizeof info) > 0)
			reap(&k);
		if (p[0].revents && !serve(&k))
			break;
	}
	end_all(&k);
	_exit(0);
}
