#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/process/abandoned.h"
#include "measure/process/cgroup.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/process/wire.h"

/* -------- messages between pawl and its keeper */

union control {
	char buf[CMSG_SPACE(WIRE_FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

int wire_send(int sock, const struct wire *message, const int *fds, size_t n_fds)
{
	struct iovec iov = { .iov_base = (void *)message, .iov_len = sizeof *message };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control control = { 0 };
	ssize_t sent;

	if (n_fds) {
		struct cmsghdr *c;

		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n_fds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, n_fds * sizeof(int));
	}
	do
		sent = sendmsg(sock, &msg, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)sizeof *message ? 0 : -1;
}

int wire_receive(int sock, struct wire *out, int *fds_out, size_t *n_fds_out)
{
	struct iovec iov = { .iov_base = out, .iov_len = sizeof *out };
	union control control;
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
			      .msg_controllen = sizeof control.buf };
	struct cmsghdr *c;
	ssize_t got;

	do
		got = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return got < 0 && errno != ECONNRESET ? -1 : 0;
	*n_fds_out = 0;
	c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS) {
		*n_fds_out = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds_out, CMSG_DATA(c), *n_fds_out * sizeof(int));
	}
	return 1;
}

/*
 * -------- the keeper's state
 *
 * The keeper's side runs in the forked process until pawl's end of the socket closes. It knows the jobs it started,
 * and which of its orphans belong to services. A process that lost its parent becomes the keeper's child, as the
 * keeper is a subreaper. After a command such orphans are ended. Those of a service are its daemons and stay until the
 * service is ended.
 *
 * The owner of an orphan is found by these signs, the most reliable first: the list of processes adopted when the
 * service became ready; the service's cgroup; PAWL_JOB in the environment it was started with (servers that write
 * their title over it lose it); the session or process group of a known process; and, while a service starts, the lack
 * of any other owner.
 */

enum { JOBS_MAX = 256, ADOPTED_MAX = 1024 };

struct job {
	uint32_t id;
	pid_t pid;
	pid_t group;	/* which it does not lead */
	bool service;	/* listed until it is ended with all its processes */
	bool ended;
};

struct adopted {
	struct process process;
	uint32_t job;
};

struct state {
	int sock, signals;
	char owner[OWNER_ID_SIZE];
	struct job jobs[JOBS_MAX];
	size_t n_jobs;
	struct adopted adopted[ADOPTED_MAX];
	size_t n_adopted;
	uint32_t starting;	/* not ready yet: gets orphans without an owner; 0: none */
	int io;			/* own /proc/PID/io, to which the kernel adds each reaped child's; or -1 */
	double orphans_cpu_ms;	/* since the last report */
	struct io_counts orphans_io;
};

static struct job *state_job_of_pid(struct state *k, pid_t pid)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].pid == pid && !k->jobs[i].ended)
			return &k->jobs[i];
	return NULL;
}

static struct job *state_job_of_id(struct state *k, uint32_t id)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].id == id)
			return &k->jobs[i];
	return NULL;
}

static void state_forget_adopted(struct state *k, uint32_t job)
{
	uint32_t view = process_view();

	for (size_t i = 0; i < k->n_adopted;)
		if (k->adopted[i].job == job || process_is_gone(k->adopted[i].process.pid, k->adopted[i].process.start, view))
			k->adopted[i] = k->adopted[--k->n_adopted];
		else
			i++;
}

static void state_forget_job(struct state *k, struct job *job)
{
	state_forget_adopted(k, job->id);
	*job = k->jobs[--k->n_jobs];
}

/* *LEN is what this reading adds to the next one. */
static struct io_counts state_io(const struct state *k, double *len)
{
	char text[512];
	ssize_t n = pread(k->io, text, sizeof text - 1, 0);

	*len = (double)n;
	text[n > 0 ? n : 0] = '\0';
	return io_counts_parse(text);
}

static bool state_wait(struct state *k, pid_t pid, struct wire *out)
{
	double len, ignored;
	struct io_counts before = state_io(k, &len);

	if (wait4(pid, &out->status, WNOHANG, &out->usage) != pid)
		return false;
	out->io = io_counts_add(state_io(k, &ignored), before, -1);
	out->io.read_calls--;
	out->io.read_bytes -= len;
	return true;
}

static void state_reap(struct state *k)
{
	siginfo_t info = { 0 };

	for (; waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid; info = (siginfo_t){ 0 }) {
		struct job *job = state_job_of_pid(k, info.si_pid);
		struct wire message = { .kind = WIRE_EXITED, .pid = info.si_pid, .end_ns = clock_now_ns() };

		/* A zombie's number, and its group's, cannot have been reused. */
		if (!state_wait(k, info.si_pid, &message))
			continue;
		if (!job) {
			k->orphans_io = io_counts_add(k->orphans_io, message.io, 1);
			k->orphans_cpu_ms += rusage_ms(&message.usage);
			continue;
		}
		message.job = job->id;
		job->ended = true;
		if (!job->service)
			state_forget_job(k, job);
		wire_send(k->sock, &message, NULL, 0);
	}
}

static void state_wait_for_child(struct state *k, int ms)
{
	struct pollfd p = { .fd = k->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	if (poll(&p, 1, ms) > 0 && read(k->signals, &info, sizeof info) < 0)
		return;
	state_reap(k);
}

/* -------- what a child does before exec */

struct request {
	const struct wire_request *head;
	char **argv, **envp;
	const gid_t *groups;
};

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

static int settle_child(const struct request *r, const int *fds, pid_t keeper)
{
	const struct wire_request *head = r->head;
	int high[WIRE_FDS_MAX];
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);

	/* Descriptors may occupy the wanted numbers. */
	for (uint32_t i = 0; i < head->n_fds; i++) {
		high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 64);
		if (high[i] < 0)
			return -1;
	}
	for (uint32_t i = 0; i < head->n_fds; i++)
		if (dup2(high[i], (int)i) < 0)
			return -1;

	if (chdir(head->cwd) < 0 || (head->pin && sched_setaffinity(0, sizeof head->cpus, &head->cpus) < 0) ||
	    (head->aslr_off && personality(ADDR_NO_RANDOMIZE) < 0))
		return -1;
	/* This is the last step that needs rights: a limit may be lower than what this process uses. */
	for (uint32_t i = 0; i < head->n_limits; i++) {
		const struct rlimit most = { head->limits[i].most, head->limits[i].most };

		if (setrlimit((__rlimit_resource_t)head->limits[i].resource, &most) < 0)
			return -1;
	}
	if (head->niced && setpriority(PRIO_PROCESS, 0, head->nice) < 0)
		return -1;
	if (head->change_user &&
	    (setgroups(head->n_groups, r->groups) < 0 || setgid(head->gid) < 0 || setuid(head->uid) < 0))
		return -1;
	/* The keeper is hidden from other processes, but perf must be able to inspect this child. */
	prctl(PR_SET_DUMPABLE, 1);
	/* A change of user clears the death signal. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return getppid() == keeper ? 0 : -1;
}

/* Unlike execvp(), leaves a file of unknown format to fail. /bin/sh would succeed at once with an empty one. */
static void exec_program(char *const *argv)
{
	CLEANUP(free_ptr) char *program = strchr(argv[0], '/') ? xstrdup(argv[0]) : file_find_program(argv[0], NULL);

	if (program)
		execv(program, argv);
	else	/* for the reason */
		execvp(argv[0], argv);
}

/* EXEC_ERROR gets 0 once the child is held, then the errno of a failure. */
static void child_exec(int memfd, int hold, int exec_error, const int *fds, pid_t keeper)
{
	int why = 0;
	struct request r;
	char go;
	ssize_t got;

	if (map_request(memfd, &r) == 0) {
		/* Above the numbers that FDS get. */
		hold = fcntl(hold, F_DUPFD_CLOEXEC, 128);
		exec_error = fcntl(exec_error, F_DUPFD_CLOEXEC, 128);
		if (settle_child(&r, fds, keeper) == 0) {
			if (write(exec_error, &why, sizeof why) < 0)
				_exit(126);
			do
				got = read(hold, &go, 1);
			while (got < 0 && errno == EINTR);
			if (got != 1)
				_exit(125);
			/* The child's own PATH applies, as in a shell. */
			environ = r.envp;
			exec_program(r.argv);
		}
	}
	why = errno;
	_exit(write(exec_error, &why, sizeof why) < 0 ? 126 : 127);
}

/* -------- orphans */

/* The owner of orphans: a service's job, or NOBODY. */
enum { NOBODY = 0 };
#define EVERYBODY UINT32_MAX

enum { ORPHANS_AT_ONCE = 512, ORPHANS_NAMED = 8 };

static bool is_service(struct state *k, uint32_t id)
{
	struct job *job = id ? state_job_of_id(k, id) : NULL;

	return job && job->service;
}

static uint32_t adopted_by(const struct state *k, const struct process *process)
{
	for (size_t i = 0; i < k->n_adopted; i++)
		if (k->adopted[i].process.pid == process->pid && k->adopted[i].process.start == process->start)
			return k->adopted[i].job;
	return 0;
}

/* A session or a group keeps its number until its last member is gone. */
static uint32_t related_to(const struct state *k, const struct process *process)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].service && (process->session == k->jobs[i].pid || process->group == k->jobs[i].pid ||
					   process->group == k->jobs[i].group))
			return k->jobs[i].id;
	/* Their leader may have ended before it was adopted. pawl's own session is no sign. */
	for (size_t i = 0; i < k->n_adopted; i++)
		if ((process->session == k->adopted[i].process.session && process->session != getsid(0)) ||
		    process->group == k->adopted[i].process.group)
			return k->adopted[i].job;
	return 0;
}

static uint32_t service_of(struct state *k, const struct process *process)
{
	uint32_t job = adopted_by(k, process), marked = 0;

	if (!job)
		job = cgroup_job(process->pid, k->owner);
	if (!is_service(k, job)) {
		marked = job_of_process(process->pid, k->owner);
		job = is_service(k, marked) ? marked : related_to(k, process);
	}
	if (!is_service(k, job) && !marked)
		job = k->starting;
	return is_service(k, job) ? job : 0;
}

/* Every orphan below a subreaper is a direct child. Without services none has an owner. */
static size_t find(struct state *k, uint32_t job, struct process *out, size_t max)
{
	size_t n = 0, n_children;
	CLEANUP(free_ptr) pid_t *children = process_children(getpid(), &n_children);
	bool any_service = false;

	if (!process_numbers_are_own())
		return 0;
	for (size_t i = 0; i < k->n_jobs; i++)
		any_service = any_service || k->jobs[i].service;
	for (size_t i = 0; i < n_children && n < max; i++)
		if (!state_job_of_pid(k, children[i]) && process_read(children[i], &out[n]) &&
		    (job == EVERYBODY || (any_service ? service_of(k, &out[n]) : NOBODY) == job))
			n++;
	return n;
}

static void adopt(struct state *k, uint32_t job, const struct process *process)
{
	uint32_t marked = job_of_process(process->pid, k->owner);

	/* Orphans of a probe or a stop command carry its mark. */
	if ((marked && marked != job) || adopted_by(k, process))
		return;
	if (k->n_adopted == ADOPTED_MAX)
		state_forget_adopted(k, NOBODY);
	if (k->n_adopted < ADOPTED_MAX)
		k->adopted[k->n_adopted++] = (struct adopted){ *process, job };
}

/* Also adopts what is below the service's first process, which may end after its daemon serves. */
static void orphans_adopt(struct state *k, uint32_t job)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	const struct job *service = state_job_of_id(k, job);
	struct process found[ORPHANS_AT_ONCE];
	size_t n;

	/* In this order, a process whose parent ends in between is found as an orphan. */
	processes_read(&all);
	for (size_t i = 0; service && !service->ended && i < all.n; i++)
		if (all.items[i].pid != service->pid && processes_descends(&all, all.items[i].pid, service->pid))
			adopt(k, job, &all.items[i]);
	n = find(k, NOBODY, found, ORPHANS_AT_ONCE);
	n += find(k, job, found + n, ORPHANS_AT_ONCE - n);
	for (size_t i = 0; i < n; i++)
		adopt(k, job, &found[i]);
}

/* Repeats, because the children of a killed orphan become orphans. */
static void orphans_sweep(struct state *k, uint32_t job, uint64_t grace_ns, struct wire *answer)
{
	uint64_t start = clock_now_ns(), give_up = start + grace_ns + 5 * NS_PER_S;
	struct process orphans[ORPHANS_AT_ONCE];
	pid_t killed[2 * ORPHANS_AT_ONCE];
	bool killing = false;
	size_t n, n_killed = 0;

	state_reap(k);
	while ((n = find(k, job, orphans, ORPHANS_AT_ONCE)) && clock_now_ns() < give_up) {
		killing = killing || clock_now_ns() >= start + grace_ns;
		for (size_t i = 0; killing && i < n; i++) {
			size_t len = strlen(answer->names), known = 0;
			pid_t pid = orphans[i].pid;

			if (kill(pid, SIGKILL) < 0)
				continue;
			/* A process that takes a moment to end is counted once. */
			while (known < n_killed && killed[known] != pid)
				known++;
			if (known < n_killed)
				continue;
			if (n_killed < sizeof killed / sizeof killed[0])
				killed[n_killed++] = pid;
			if (answer->killed++ < ORPHANS_NAMED)
				snprintf(answer->names + len, sizeof answer->names - len, "%s%s (%d)", len ? ", " : "",
					 orphans[i].name[0] ? orphans[i].name : "?", (int)pid);
		}
		state_wait_for_child(k, killing ? 20 : 2);
	}
}

/* -------- serving pawl */

/*
 * The child does not lead its group, so that it may call setsid(2). The kernel keeps the number of the leader, which
 * ends at once, until the group is empty. Returns as fork(2) does.
 */
static pid_t fork_in_group(pid_t *group_out)
{
	pid_t keeper = getpid(), leader = fork(), pid;
	int why;

	if (leader < 0)
		return -1;
	if (!leader) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (getppid() == keeper)
			pause();
		_exit(0);
	}
	setpgid(leader, leader);
	pid = fork();
	if (!pid)
		return 0;
	why = errno;
	if (pid > 0)
		setpgid(pid, leader);
	kill(leader, SIGKILL);
	waitpid(leader, NULL, 0);
	errno = why;
	*group_out = leader;
	return pid;
}

/* JOB must not be reaped. If it left its group, it leads another, or is alone in a stranger's. */
static void signal_job(const struct job *job, int signal)
{
	pid_t group = getpgid(job->pid);

	kill(group == job->group || group == job->pid ? -group : job->pid, signal);
}

static void spawn(struct state *k, const struct wire *message, int *fds, size_t n_fds)
{
	struct wire answer = { .kind = WIRE_SPAWNED, .job = message->job };
	pid_t keeper = getpid(), pid = -1, group = 0;

	errno = EAGAIN;
	if (k->n_jobs < JOBS_MAX && n_fds >= 3)
		pid = fork_in_group(&group);
	if (!pid)
		child_exec(fds[0], fds[1], fds[2], fds + 3, keeper);
	if (pid < 0) {
		answer.error = errno;
	} else {
		k->jobs[k->n_jobs++] = (struct job){ .id = message->job, .pid = pid, .group = group, .service = message->service };
		answer.pid = pid;
		if (message->service)
			k->starting = message->job;
	}
	for (size_t i = 0; i < n_fds; i++)
		close(fds[i]);
	wire_send(k->sock, &answer, NULL, 0);
}

static void answer_sweep(struct state *k, struct wire *answer)
{
	answer->kind = WIRE_SWEPT;
	answer->cpu_ms = k->orphans_cpu_ms;
	answer->io = k->orphans_io;
	k->orphans_cpu_ms = 0;
	k->orphans_io = (struct io_counts){ 0 };
	wire_send(k->sock, answer, NULL, 0);
}

static void end_service(struct state *k, const struct wire *message)
{
	uint64_t give_up = clock_now_ns() + 5 * NS_PER_S;
	struct wire answer = { .job = message->job };
	struct job *job = state_job_of_id(k, message->job);

	if (job && job->service) {
		/* The whole group is killed at once, so that a fork bomb cannot outrun it. */
		while (!job->ended && clock_now_ns() < give_up) {
			signal_job(job, SIGKILL);
			state_wait_for_child(k, 20);
			job = state_job_of_id(k, message->job);
		}
		orphans_sweep(k, message->job, 0, &answer);
		if (k->starting == message->job)
			k->starting = 0;
		job = state_job_of_id(k, message->job);
		job->service = false;
		if (job->ended)
			state_forget_job(k, job);
	}
	answer_sweep(k, &answer);
}

static void list_processes(struct state *k, const struct wire *message)
{
	struct wire answer = { .kind = WIRE_LISTED, .job = message->job };
	struct job *job = state_job_of_id(k, message->job);
	struct process found[WIRE_PIDS_MAX];
	size_t n;

	state_reap(k);
	if (job && !job->ended)
		answer.pids[answer.n_pids++] = job->pid;
	n = find(k, message->job, found, WIRE_PIDS_MAX - answer.n_pids);
	for (size_t i = 0; i < n; i++)
		if (!process_is_dead(&found[i]))
			answer.pids[answer.n_pids++] = found[i].pid;
	wire_send(k->sock, &answer, NULL, 0);
}

static bool serve(struct state *k)
{
	struct wire message, answer = { 0 };
	struct job *job;
	int fds[WIRE_FDS_MAX];
	size_t n_fds = 0;

	if (wire_receive(k->sock, &message, fds, &n_fds) != 1)
		return false;
	switch (message.kind) {
	case WIRE_SPAWN:
		spawn(k, &message, fds, n_fds);
		break;
	case WIRE_KILL:
		job = state_job_of_id(k, message.job);
		/* A reaped leader's number may belong to another process. */
		if (job && !job->ended)
			signal_job(job, message.signal);
		break;
	case WIRE_SWEEP:
		answer.job = message.job;
		orphans_sweep(k, NOBODY, message.grace_ns, &answer);
		answer_sweep(k, &answer);
		break;
	case WIRE_ADOPT:
		orphans_adopt(k, message.job);
		k->starting = 0;
		break;
	case WIRE_LIST:
		list_processes(k, &message);
		break;
	case WIRE_END:
		end_service(k, &message);
		break;
	case WIRE_SHOW:
		prctl(PR_SET_DUMPABLE, message.shown);
		break;
	case WIRE_HOLD:		/* the attached descriptor just stays open */
	default:
		break;
	}
	return true;
}

/* -------- the process */

static void end_all(struct state *k)
{
	struct wire unused = { 0 };
	uint64_t give_up = clock_now_ns() + 5 * NS_PER_S;
	bool running;

	do {
		for (size_t i = 0; i < k->n_jobs; i++)
			if (!k->jobs[i].ended)
				signal_job(&k->jobs[i], SIGKILL);
		state_wait_for_child(k, 20);
		running = false;
		for (size_t i = 0; i < k->n_jobs; i++)
			running = running || !k->jobs[i].ended;
	} while (running && clock_now_ns() < give_up);
	orphans_sweep(k, EVERYBODY, 0, &unused);
	cgroup_end_all(k->owner, NULL);
	scratch_remove_of(getpid());
}

/* Another parent means that pawl has ended, and another process keeps the services. */
static void look_at_pawl(struct state *k, pid_t pawl)
{
	struct wire traced = { .kind = WIRE_TRACED };
	struct process now;
	int terminal;

	if (getppid() != pawl)
		return;
	if (process_end_tracer(pawl, getpid(), traced.names)) {
		wire_send(k->sock, &traced, NULL, 0);
		return;
	}
	/* A target may have stopped pawl. At a terminal it may have been the user, who sees it. */
	if (!process_read(pawl, &now) || now.state != 'T')
		return;
	terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0)
		kill(pawl, SIGCONT);
	else
		close(terminal);
}

static void serve_until_pawl_is_gone(struct state *k, pid_t pawl)
{
	uint64_t look_ns = clock_now_ns() + KEEPER_LOOK_NS;
	struct signalfd_siginfo info;

	for (;;) {
		struct pollfd p[] = { { .fd = k->sock, .events = POLLIN }, { .fd = k->signals, .events = POLLIN } };

		if (poll(p, 2, clock_poll_ms(look_ns)) < 0 && errno != EINTR)
			return;
		/* This must not wait for idle moments: children may end all the time. */
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
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all, child;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	setpgid(0, 0);
	prctl(PR_SET_NAME, KEEPER_NAME);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	/* A pipe's reader would wait for an end that never comes. */
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	dup2(sock, 3);
	close_range(4, ~0u, 0);
	fcntl(3, F_SETFD, FD_CLOEXEC);
	k.sock = 3;
	/* The files of a hidden process belong to root. */
	prctl(PR_SET_DUMPABLE, 1);
	k.io = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
	prctl(PR_SET_DUMPABLE, 0);
	k.signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
	owner_id(getpid(), k.owner);
	serve_until_pawl_is_gone(&k, pawl);
	end_all(&k);
	_exit(0);
}
