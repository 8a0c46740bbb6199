#include "measure/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/process/abandoned.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/processes.h"
#include "measure/process/wire.h"
#include "model/confines.h"
#include "model/metrics/numbers.h"

/* -------- requests to the keeper */

extern char **environ;

static int set_user(const char *name, struct wire_request *head, gid_t **groups_out, struct error *err)
{
	struct passwd *user = getpwnam(name);
	int n = 64;

	if (!user)
		return error_set(err, ERR_INPUT, "there is no user '%s' on this machine", name);
	if (user->pw_uid == geteuid())
		return 0;
	if (geteuid() != 0)
		return error_set(err, ERR_SYSTEM, "only root can run a target as user '%s'", name);
	*groups_out = xcalloc((size_t)n, sizeof **groups_out);
	if (getgrouplist(name, user->pw_gid, *groups_out, &n) < 0)
		return error_set(err, ERR_SYSTEM, "user '%s' is in more than 64 groups", name);
	head->change_user = 1;
	head->uid = user->pw_uid;
	head->gid = user->pw_gid;
	head->n_groups = (uint32_t)n;
	return 0;
}

static int set_confines(const struct confines *c, struct wire_request *head, struct error *err)
{
	int nice = getpriority(PRIO_PROCESS, 0);

	if (c->niced && c->nice < nice && geteuid() != 0)
		return error_set(err, ERR_SYSTEM, "nice: only root may go below %d, which is pawl's own, to %d", nice, c->nice);
	head->niced = c->niced;
	head->nice = c->nice;
	for (unsigned i = 0; i < c->n_limits; i++) {
		const struct limit *limit = &c->limits[i];
		struct rlimit own = { .rlim_max = RLIM_INFINITY };

		getrlimit((__rlimit_resource_t)limit->resource, &own);
		if (geteuid() != 0 && limit->most > own.rlim_max)
			return error_set(err, ERR_SYSTEM, "limits.%s: only root may raise it above %llu", limit->name,
					 (unsigned long long)own.rlim_max);
		head->limits[head->n_limits++] = (struct wire_limit){ limit->resource, limit->most };
	}
	return 0;
}

int child_cpu_set(const char *list, cpu_set_t *out, struct error *err)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	CPU_ZERO(out);
	for (char *p = (char *)list; *p; p += *p == ',') {
		unsigned long low = strtoul(p, &p, 10), high = low;

		if (*p == '-')
			high = strtoul(p + 1, &p, 10);
		if (high >= (unsigned long)configured || high >= CPU_SETSIZE)
			return error_set(err, ERR_INPUT, "measure.cpus: there is no CPU %lu here, only 0 to %ld", high,
					 configured - 1);
		for (; low <= high; low++)
			CPU_SET(low, out);
	}
	return 0;
}

int child_cpu(const char *list, unsigned turn)
{
	cpu_set_t all;
	int cpu = -1;

	if (list ? child_cpu_set(list, &all, NULL) : sched_getaffinity(0, sizeof all, &all))
		return -1;
	for (unsigned left = turn % (unsigned)CPU_COUNT(&all) + 1; left; left--)
		while (!CPU_ISSET(++cpu, &all))
			;
	return cpu;
}

bool child_other_cpus(int cpu, struct strbuf *out)
{
	size_t begin = out->len;
	cpu_set_t all;

	if (sched_getaffinity(0, sizeof all, &all) < 0)
		return false;
	for (int other = 0; other < CPU_SETSIZE; other++)
		if (other != cpu && CPU_ISSET(other, &all))
			strbuf_addf(out, "%s%d", out->len > begin ? "," : "", other);
	return out->len > begin;
}

char **variable_find(const struct strv *environment, const char *name)
{
	size_t len = strcspn(name, "=");

	for (size_t i = 0; environment && i < environment->n; i++)
		if (!strncmp(name, environment->items[i], len) && environment->items[i][len] == '=')
			return &environment->items[i];
	return NULL;
}

static const char *const usual[] = {
	"PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*",
	"JAVA_HOME", "CLASSPATH", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "PERL5LIB", "RUBYLIB", "GEM_HOME", "GEM_PATH",
	"NODE_PATH", "GOROOT", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "LUA_PATH", "LUA_CPATH", NULL,
};

/* With whole pages of the kernel's the stack begins at the same offset in a page. */
enum { ENVIRONMENT_UNIT = 4096 };

void child_variables(const struct strv *pass, struct strv *out)
{
	for (char **e = environ; *e; e++) {
		CLEANUP(free_ptr) char *name = xstrndup(*e, strcspn(*e, "="));

		if (strv_has(pass, name) || text_matches_any(name, usual))
			strv_push_new(out, name);
	}
	strv_sort(out);
}

static size_t size_on_stack(const struct strv *texts)
{
	size_t size = 0;

	for (size_t i = 0; i < texts->n; i++)
		size += strlen(texts->items[i]) + 1 + sizeof(char *);
	return size;
}

static void widen_pad(struct strv *environment, size_t bytes)
{
	char **pad = variable_find(environment, "PAWL_PAD");
	struct strbuf wider = STRBUF_INIT;

	if (!pad || !bytes)
		return;
	strbuf_adds(&wider, *pad);
	strbuf_pad(&wider, 'x', bytes);
	free(*pad);
	*pad = strbuf_take(&wider);
}

static void build_environment(const struct child_spec *spec, const char *cwd, const char *owner, uint32_t job,
			      struct strv *out)
{
	CLEANUP(strv_release) struct strv own = STRV_INIT, names = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf pad = STRBUF_INIT;
	const struct strv *additions = spec->environment;

	/* The mark has a fixed width; see abandoned.c. */
	strv_push(&own, "PAWL_LOCK=inherited");
	strv_pushf(&own, "PAWL_JOB=%s.%010u", owner, job);
	if (spec->pass) {
		child_variables(spec->pass, &names);
		for (size_t i = 0; i < names.n; i++)
			if (!variable_find(additions, names.items[i]))
				strv_pushf(out, "%s=%s", names.items[i], getenv(names.items[i]) ?: "");
		if (!variable_find(additions, "PWD"))
			strv_pushf(out, "PWD=%s", cwd);
	} else {
		for (char **e = environ; *e; e++)
			if (!variable_find(additions, *e) && !variable_find(&own, *e))
				strv_push(out, *e);
	}
	strv_copy(out, &own);
	if (additions)
		strv_copy(out, additions);
	widen_pad(out, spec->pad);
	/* In pairs both sides already have the same size. */
	if (!spec->pass || variable_find(additions, "PAWL_PAD"))
		return;
	/* Arguments and environment are padded together, because a path in the arguments may vary in length, too. */
	strbuf_adds(&pad, "PAWL_PAD=");
	for (size_t size = pad.len + 1 + sizeof(char *) + size_on_stack(spec->argv) + size_on_stack(out);
	     size % ENVIRONMENT_UNIT; size++)
		strbuf_addc(&pad, 'x');
	strv_push(out, pad.buf);
}

static void add_strings(struct strbuf *blob, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		strbuf_add(blob, list->items[i], strlen(list->items[i]) + 1);
}

static int build_request(const struct child_spec *spec, const char *owner, uint32_t job, struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf blob = STRBUF_INIT;
	CLEANUP(free_ptr) gid_t *groups = NULL;
	struct wire_request head = { .aslr_off = spec->aslr_off, .n_fds = 3 };
	int fd;

	if (!spec->cwd && !getcwd(head.cwd, sizeof head.cwd))
		return error_sys(err, errno, "cannot find the working folder");
	if (spec->cwd && strlen(spec->cwd) >= sizeof head.cwd)
		return error_set(err, ERR_INPUT, "the working folder's path is too long");
	if (spec->cwd && access(spec->cwd, X_OK) < 0)
		return error_sys(err, errno, "cannot enter the working folder %s", spec->cwd);
	if (spec->cwd)
		memcpy(head.cwd, spec->cwd, strlen(spec->cwd) + 1);
	if ((spec->user && set_user(spec->user, &head, &groups, err) < 0) ||
	    (spec->confines && set_confines(spec->confines, &head, err) < 0) ||
	    (spec->cpus && child_cpu_set(spec->cpus, &head.cpus, err) < 0))
		return -1;
	head.pin = spec->cpus != NULL;
	build_environment(spec, head.cwd, owner, job, &environment);
	head.n_argv = (uint32_t)spec->argv->n;
	head.n_env = (uint32_t)environment.n;
	while (head.n_fds < 3 + EXTRA_FDS && spec->extra_fds[head.n_fds - 3] > 0)
		head.n_fds++;
	strbuf_add(&blob, &head, sizeof head);
	strbuf_add(&blob, groups, head.n_groups * sizeof *groups);
	add_strings(&blob, spec->argv);
	add_strings(&blob, &environment);

	fd = memfd_create("pawl-request", MFD_CLOEXEC);
	if (fd >= 0 && file_write_all(fd, blob.buf, blob.len) == 0)
		return fd;
	error_sys(err, errno, "cannot make a memory file");
	close_fd(&fd);
	return -1;
}

/* -------- output */

/* Reads a full pipe at once. A pipe that is filled meanwhile does not keep pawl from other work. */
enum { PIPE_BYTES = 1 << 20, READS_AT_ONCE = 2 * PIPE_BYTES / 65536 };

void child_read_output(struct child *child)
{
	char buf[65536];

	for (int i = 0; i < READS_AT_ONCE && child->output_fd >= 0; i++) {
		ssize_t n = read(child->output_fd, buf, sizeof buf);

		if (n > 0) {
			tail_feed(&child->output, buf, (size_t)n);
			if (child->watch)
				line_watch_feed(child->watch, buf, (size_t)n);
			if (child->lines)
				lines_feed(child->lines, buf, (size_t)n);
			if (n < (ssize_t)sizeof buf)
				return;
		} else if (n == 0) {
			close_fd(&child->output_fd);
		} else if (errno != EINTR) {
			return;
		}
	}
}

/* -------- the keeper as seen by pawl */

/* A keeper that is slower was stopped. */
#define KEEPER_ANSWER_NS 20000000000ull

/* The keeper takes up to five seconds, twice, to kill what is left. */
enum { END_TIMEOUT_MS = 12000 };

/* Children's descriptors get numbers above 128, perf opens one per event, and a service has three. */
enum { FILES_NEEDED = 256 };

static int allow_files(struct error *err)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) < 0 || files.rlim_cur >= FILES_NEEDED)
		return 0;
	if (files.rlim_max < FILES_NEEDED)
		return error_set(err, ERR_SYSTEM, "only %llu files may be open at once (ulimit -n); pawl and perf need %d: raise the limit",
				 (unsigned long long)files.rlim_max, FILES_NEEDED);
	files.rlim_cur = FILES_NEEDED;
	return setrlimit(RLIMIT_NOFILE, &files) < 0 ? error_sys(err, errno, "cannot raise the limit of open files") : 0;
}

int keeper_start(struct keeper *keeper, struct interrupt *interrupt, struct error *err)
{
	CLEANUP(close_fd) int signals = -1, ours = -1, theirs = -1;
	int pair[2];
	sigset_t set;
	pid_t pid;

	if (allow_files(err) < 0)
		return -1;
	/* Some parents leave SIGCHLD ignored, and children would end unreported. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		return error_sys(err, errno, "cannot watch for signals");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return error_sys(err, errno, "cannot make a socket pair");
	ours = pair[0];
	theirs = pair[1];
	/* Both report the target's behaviour, so it must not reach their memory, nor their open files through /proc. */
	prctl(PR_SET_DUMPABLE, 0);
	/* Inherits the processes of a killed keeper. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return error_sys(err, errno, "cannot start the keeper process");
	if (!pid)
		keeper_process(theirs);
	*keeper = (struct keeper){ .sock = ours, .pid = pid, .interrupt = interrupt, .signals = signals,
				   .look_ns = clock_now_ns() + KEEPER_LOOK_NS };
	ours = signals = -1;
	owner_id(pid, keeper->owner);
	return 0;
}

void keeper_stop(struct keeper *keeper)
{
	struct pollfd p = { .events = POLLIN };
	int status = 0;

	if (!keeper->pid)
		return;
	close(keeper->sock);
	close(keeper->signals);
	/* The keeper ends when the socket closes, unless it was stopped or hangs. */
	p.fd = open_pidfd(keeper->pid);
	kill(keeper->pid, SIGCONT);
	if (p.fd >= 0 && poll(&p, 1, END_TIMEOUT_MS) == 0) {
		keeper->lost = true;
		kill(keeper->pid, SIGKILL);
	}
	close_fd(&p.fd);
	while (waitpid(keeper->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (keeper->lost || status)
		abandoned_end_own(keeper->owner);
	*keeper = (struct keeper){ .sock = -1, .signals = -1 };
}

static int is_gone(struct keeper *keeper, struct error *err)
{
	keeper->lost = keeper->gone = true;
	return error_set(err, ERR_SYSTEM, "the keeper process is gone; was it killed?");
}

static int keeper_silent(struct keeper *keeper, struct error *err)
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
	if (out->kind == WIRE_TRACED)
		memcpy(keeper->tracer, out->names, sizeof keeper->tracer);
	if (out->kind != WIRE_EXITED)
		return 1;
	keeper->cpu_ms += rusage_ms(&out->usage);
	for (struct child *c = keeper->children; c; c = c->next)
		if (c->job == out->job) {
			c->ended = true;
			c->status = out->status;
			c->usage = out->usage;
			c->io = out->io;
			c->end_ns = out->end_ns;
		}
	return 1;
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

enum { SOCKET, INTERRUPT, SIGNALS, FIRST_OUTPUT, POLLED_MAX = 64 };

static int pump(struct keeper *keeper, uint64_t deadline_ns, struct wire *out, struct error *err)
{
	if (keeper->lost)
		return keeper_silent(keeper, err);
	for (;;) {
		struct pollfd p[POLLED_MAX] = {
			[SOCKET] = { .fd = keeper->sock, .events = POLLIN },
			[INTERRUPT] = { .fd = keeper->interrupt ? keeper->interrupt->fd : -1, .events = POLLIN },
			[SIGNALS] = { .fd = keeper->signals, .events = POLLIN },
		};
		struct child *of[POLLED_MAX];
		struct signalfd_siginfo info;
		size_t n = FIRST_OUTPUT;
		int ready;

		for (struct child *c = keeper->children; c && n < POLLED_MAX; c = c->next)
			if (c->output_fd >= 0) {
				p[n] = (struct pollfd){ .fd = c->output_fd, .events = POLLIN };
				of[n++] = c;
			}
		ready = poll(p, n, clock_poll_ms(deadline_ns < keeper->look_ns ? deadline_ns : keeper->look_ns));
		if (ready < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait");
		if (clock_now_ns() >= keeper->look_ns) {
			process_end_tracer(keeper->pid, keeper->pid, keeper->tracer);
			keeper->look_ns = clock_now_ns() + KEEPER_LOOK_NS;
		}
		if (ready == 0 && clock_now_ns() >= deadline_ns)
			return 0;
		if (ready <= 0)
			continue;
		if (p[SIGNALS].revents) {
			/* A child may have stopped the keeper. */
			while (read(keeper->signals, &info, sizeof info) > 0)
				;
			kill(keeper->pid, SIGCONT);
		}
		for (size_t i = FIRST_OUTPUT; i < n; i++)
			if (p[i].revents)
				child_read_output(of[i]);
		if (p[SOCKET].revents)
			return receive(keeper, out, err);
		if (p[INTERRUPT].revents && interrupt_check(keeper->interrupt, err) < 0)
			return -1;
		/* Endless output must not extend the deadline. */
		if (clock_now_ns() >= deadline_ns)
			return 0;
	}
}

int keeper_pump(struct keeper *keeper, uint64_t deadline_ns, struct error *err)
{
	struct wire message;

	return pump(keeper, deadline_ns, &message, err);
}

/* A fast writer may fill its pipe. */
#define READ_CHILDREN_NS (50 * NS_PER_MS)

int keeper_poll(struct keeper *keeper, int fd, short events, uint64_t deadline_ns, struct error *err)
{
	/* A peer that never pauses must not extend it. */
	while (clock_now_ns() < deadline_ns) {
		uint64_t until = clock_now_ns() + READ_CHILDREN_NS;
		struct pollfd p[] = {
			{ .fd = fd, .events = events },
			{ .fd = keeper ? keeper->sock : -1, .events = POLLIN },
			{ .fd = keeper && keeper->interrupt ? keeper->interrupt->fd : -1, .events = POLLIN },
		};

		if (!keeper || until > deadline_ns)
			until = deadline_ns;
		if (poll(p, 3, clock_poll_ms(until)) < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait");
		if (keeper && keeper_pump(keeper, clock_now_ns(), err) < 0)
			return -1;
		if (p[0].revents)
			return 1;
	}
	return 0;
}

static int keeper_send(struct keeper *keeper, const struct wire *message, const int *fds, size_t n_fds, struct error *err)
{
	if (keeper->lost)
		return keeper_silent(keeper, err);
	if (wire_send(keeper->sock, message, fds, n_fds) < 0)
		return errno == EPIPE ? is_gone(keeper, err) : error_sys(err, errno, "cannot reach the keeper process");
	kill(keeper->pid, SIGCONT);
	return 0;
}

/* MESSAGE becomes the answer. An interrupt does not shorten the wait. */
static int ask(struct keeper *keeper, struct wire *message, const int *fds, size_t n_fds, enum wire_kind answer,
	       struct error *err)
{
	uint64_t deadline = clock_now_ns() + message->grace_ns + KEEPER_ANSWER_NS;
	struct interrupt *interrupt = keeper->interrupt;
	int got;

	if (keeper_send(keeper, message, fds, n_fds, err) < 0)
		return -1;
	keeper->interrupt = NULL;
	do
		got = pump(keeper, deadline, message, err);
	while (got == 1 && message->kind != answer);
	keeper->interrupt = interrupt;
	if (got == 0)
		return keeper_silent(keeper, err);
	return got < 0 ? -1 : 0;
}

static int ask_to_end(struct keeper *keeper, struct wire *message, char names[256], struct error *err)
{
	if (ask(keeper, message, NULL, 0, WIRE_SWEPT, err) < 0)
		return -1;
	keeper->cpu_ms += message->cpu_ms;
	keeper->orphans_io = io_counts_add(keeper->orphans_io, message->io, 1);
	if (names)
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

int keeper_processes(struct keeper *keeper, uint32_t job, pid_t pids[WIRE_PIDS_MAX], struct error *err)
{
	struct wire message = { .kind = WIRE_LIST, .job = job };

	if (ask(keeper, &message, NULL, 0, WIRE_LISTED, err) < 0)
		return -1;
	memcpy(pids, message.pids, message.n_pids * sizeof *pids);
	return (int)message.n_pids;
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
	while (!keeper->lost && keeper_pump(keeper, clock_now_ns(), NULL) > 0)
		;
	return keeper->lost;
}

/* -------- children */

static int make_pipe(int *read_end, int *write_end)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	*read_end = ends[0];
	*write_end = ends[1];
	return 0;
}

int child_start(struct keeper *keeper, const struct child_spec *spec, struct child *out, struct error *err)
{
	/* pawl writes to hold to release the child, and reads the errno of its exec. */
	CLEANUP(close_fd) int hold = -1, exec = -1, output = -1, child_hold = -1, child_exec = -1, child_output = -1;
	CLEANUP(close_fd) int null = open("/dev/null", O_RDONLY | O_CLOEXEC), request = -1;
	struct wire message = { .kind = WIRE_SPAWN, .job = ++keeper->last_job, .service = spec->service };
	int fds[WIRE_FDS_MAX];
	size_t n = 0;

	if (keeper->interrupt && interrupt_check(keeper->interrupt, err) < 0)
		return -1;
	if (null < 0 || make_pipe(&child_hold, &hold) < 0 || make_pipe(&exec, &child_exec) < 0 ||
	    make_pipe(&output, &child_output) < 0)
		return error_sys(err, errno, "cannot make pipes for a child");
	/* A large pipe keeps a target with much output from waiting for pawl. */
	fcntl(child_output, F_SETPIPE_SZ, PIPE_BYTES);
	fcntl(output, F_SETFL, O_NONBLOCK);
	request = build_request(spec, keeper->owner, message.job, err);
	if (request < 0)
		return -1;
	fds[n++] = request;
	fds[n++] = child_hold;
	fds[n++] = child_exec;
	fds[n++] = null;
	fds[n++] = spec->stdout_fd > 0 ? spec->stdout_fd : child_output;
	fds[n++] = child_output;
	for (int i = 0; i < EXTRA_FDS && spec->extra_fds[i] > 0; i++)
		fds[n++] = spec->extra_fds[i];
	if (ask(keeper, &message, fds, n, WIRE_SPAWNED, err) < 0)
		return -1;
	if (message.error)
		return error_sys(err, message.error, "cannot fork");
	*out = (struct child){
		.next = keeper->children, .job = message.job, .pid = message.pid, .hold_fd = hold, .exec_fd = exec,
		.output_fd = output, .output.keep = spec->keep_bytes, .lines = spec->lines,
	};
	hold = exec = output = -1;
	keeper->children = out;
	return 0;
}

/* False once exec has closed the pipe. */
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

int child_release(struct child *child, struct error *err)
{
	int gone;

	child->start_ns = clock_now_ns();
	gone = write(child->hold_fd, "g", 1) == 1 ? 0 : errno;
	close_fd(&child->hold_fd);
	/* Before exec the pipe carries 0 once the child is held, else an errno. */
	while (!child->why && read_exec(child))
		;
	close_fd(&child->exec_fd);
	if (child->why == ENOEXEC)
		return error_set(err, ERR_SYSTEM, "cannot be started: %s; a script begins with a line such as #!/bin/sh", strerror(ENOEXEC));
	if (child->why)
		return error_sys(err, child->why, "cannot be started");
	return gone ? error_sys(err, gone, "the held child is gone") : 0;
}

int child_wait(struct keeper *keeper, struct child *child, uint64_t deadline_ns, struct error *err)
{
	while (!child->ended) {
		int got = keeper_pump(keeper, deadline_ns, err);

		if (got < 0 || (err && keeper_check_tracer(keeper, err) < 0))
			return -1;
		if (got == 0)
			return 1;
	}
	child_read_output(child);
	return 0;
}

void child_signal(struct keeper *keeper, const struct child *child, int signal)
{
	struct wire message = { .kind = WIRE_KILL, .job = child->job, .signal = signal };

	if (child->pid && !child->ended)
		keeper_send(keeper, &message, NULL, 0, NULL);
}

/* Ending must work after an interrupt. */
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

static int run_to_end(struct keeper *keeper, const struct child_spec *spec, uint64_t timeout_ns, struct strbuf *output,
		      int *status_out, struct error *err)
{
	struct child child = { 0 };
	int ret = child_start(keeper, spec, &child, err);

	if (ret == 0)
		ret = child_release(&child, err);
	if (ret == 0)
		ret = child_wait(keeper, &child, child.start_ns + timeout_ns, err);
	if (ret > 0)
		ret = error_set(err, ERR_TARGET, "did not end within %s", format_duration(timeout_ns).s);
	if (ret == 0)
		*status_out = child.status;
	child_end(keeper, &child, 100 * NS_PER_MS);
	if (output)
		tail_text(&child.output, output);
	child_dispose(keeper, &child);
	return ret;
}

int child_run(struct keeper *keeper, const struct child_spec *spec, uint64_t timeout_ns, struct strbuf *output,
	      struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	int status;

	if (run_to_end(keeper, spec, timeout_ns, output, &status, err) < 0)
		return -1;
	if (!status)
		return 0;
	child_describe_status(status, &words);
	return error_set(err, ERR_TARGET, "%s", words.buf);
}

int child_capture(struct keeper *keeper, const char *const argv[], uint64_t timeout_ns, struct strbuf *out, int *status_out,
		  struct error *err)
{
	CLEANUP(strv_release) struct strv words = STRV_INIT, english = STRV_INIT;
	const struct child_spec spec = { .argv = &words, .environment = &english };
	int ret;

	for (size_t i = 0; argv[i]; i++)
		strv_push(&words, argv[i]);
	strv_push(&english, "LC_ALL=C");
	ret = run_to_end(keeper, &spec, timeout_ns, out, status_out, err);
	keeper_sweep(keeper, 0, NULL, NULL);
	if (ret < 0 && err && err->kind == ERR_TARGET)
		err->kind = ERR_SYSTEM;
	return ret < 0 ? error_wrap(err, "%s", argv[0]) : 0;
}

const char *child_variable(const struct child_spec *spec, const char *name)
{
	char **entry = variable_find(spec->environment, name);

	if (entry)
		return *entry + strlen(name) + 1;
	return !spec->pass || strv_has(spec->pass, name) ? getenv(name) : NULL;
}

void variable_set(struct strv *environment, const char *name, const char *value)
{
	char **entry = variable_find(environment, name);

	if (!entry) {
		strv_pushf(environment, "%s=%s", name, value);
		return;
	}
	free(*entry);
	*entry = text_printf("%s=%s", name, value);
}
