#include "measure/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

static void child_note_exit(struct child *child, const struct wire *message);

/* -------- what the keeper is asked to start */

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

/* The list's form was checked by parse_cpu_list(). */
static int set_cpus(const char *list, struct wire_request *head, struct error *err)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	head->pin = 1;
	CPU_ZERO(&head->cpus);
	for (char *p = (char *)list; *p; p += *p == ',') {
		unsigned long low = strtoul(p, &p, 10), high = low;

		if (*p == '-')
			high = strtoul(p + 1, &p, 10);
		if (high >= (unsigned long)configured || high >= CPU_SETSIZE)
			return error_set(err, ERR_INPUT, "measure.cpus: there is no CPU %lu here, only 0 to %ld", high,
					 configured - 1);
		for (; low <= high; low++)
			CPU_SET(low, &head->cpus);
	}
	return 0;
}

static int set_cwd(const struct child_spec *spec, struct wire_request *head, struct error *err)
{
	if (!spec->cwd)
		return getcwd(head->cwd, sizeof head->cwd) ? 0 : error_sys(err, errno, "cannot tell the working folder");
	if (strlen(spec->cwd) >= sizeof head->cwd)
		return error_set(err, ERR_INPUT, "the working folder's path is too long");
	if (access(spec->cwd, X_OK) < 0)
		return error_sys(err, errno, "cannot enter the working folder %s", spec->cwd);
	memcpy(head->cwd, spec->cwd, strlen(spec->cwd) + 1);
	return 0;
}

static bool overridden(const char *entry, const struct strv *additions)
{
	size_t len = strcspn(entry, "=") + 1;

	for (size_t i = 0; additions && i < additions->n; i++)
		if (!strncmp(entry, additions->items[i], len))
			return true;
	return false;
}

/* Where things are, who one is, in what language; where interpreters look for their libraries. */
static const char *const usual[] = {
	"PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*",
	"JAVA_HOME", "CLASSPATH", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "PERL5LIB", "RUBYLIB", "GEM_HOME", "GEM_PATH",
	"NODE_PATH", "GOROOT", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "LUA_PATH", "LUA_CPATH",
};

/* A page of the kernel's, so that with any more the stack at least begins at the same place of one. */
enum { ENVIRONMENT_UNIT = 4096 };

static bool is_passed(const char *name, const struct strv *pass)
{
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (glob_match(usual[i], name))
			return true;
	return strv_has(pass, name);
}

void child_variables(const struct strv *pass, struct strv *out)
{
	for (char **e = environ; *e; e++) {
		CLEANUP(free_ptr) char *name = xstrndup(*e, strcspn(*e, "="));

		if (is_passed(name, pass) && !strv_has(out, name))
			strv_push(out, name);
	}
	strv_sort(out);
}

static void add_passed(const struct child_spec *spec, const char *cwd, struct strv *out)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	child_variables(spec->pass, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(strbuf_release) struct strbuf entry = STRBUF_INIT;

		strbuf_addf(&entry, "%s=%s", names.items[i], getenv(names.items[i]) ?: "");
		if (!overridden(entry.buf, spec->environment))
			strv_push(out, entry.buf);
	}
	if (!overridden("PWD=", spec->environment))
		strv_pushf(out, "PWD=%s", cwd);
}

/* What lies on the stack: each text, and a pointer to it. */
static size_t size_on_stack(const struct strv *texts)
{
	size_t size = 0;

	for (size_t i = 0; i < texts->n; i++)
		size += strlen(texts->items[i]) + 1 + sizeof(char *);
	return size;
}

/* Arguments and environment together, since a path among the first may have another length, too. */
static void fill_up(const struct strv *argv, struct strv *environment)
{
	CLEANUP(strbuf_release) struct strbuf pad = STRBUF_INIT;
	size_t size;

	strbuf_adds(&pad, "PAWL_PAD=");
	size = pad.len + 1 + sizeof(char *) + size_on_stack(argv) + size_on_stack(environment);
	for (; size % ENVIRONMENT_UNIT; size++)
		strbuf_addc(&pad, 'x');
	strv_push(environment, pad.buf);
}

/* PAWL_JOB marks what pawl started (see abandoned.c), at a fixed width. */
static void build_environment(const struct child_spec *spec, const char *cwd, const char *owner, uint32_t job,
			      struct strv *out)
{
	const struct strv *additions = spec->environment;
	struct strv own = STRV_INIT;

	strv_push(&own, "PAWL_LOCK=inherited");
	strv_pushf(&own, "PAWL_JOB=%s.%010u", owner, job);
	if (spec->pass)
		add_passed(spec, cwd, out);
	for (char **e = environ; *e && !spec->pass; e++)
		if (!overridden(*e, additions) && !overridden(*e, &own))
			strv_push(out, *e);
	strv_copy(out, &own);
	if (additions)
		strv_copy(out, additions);
	/* In pairs both sides were made equal already. */
	if (spec->pass && !overridden("PAWL_PAD=", additions))
		fill_up(spec->argv, out);
	strv_release(&own);
}

static void add_strings(struct strbuf *blob, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		strbuf_add(blob, list->items[i], strlen(list->items[i]) + 1);
}

static int to_memory_file(const struct strbuf *blob, struct error *err)
{
	int fd = memfd_create("pawl-request", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < blob->len) {
		ssize_t n = write(fd, blob->buf + done, blob->len - done);

		if (n < 0 && errno != EINTR) {
			close(fd);
			return error_sys(err, errno, "cannot write a memory file");
		}
		done += n > 0 ? (size_t)n : 0;
	}
	return fd < 0 ? error_sys(err, errno, "cannot make a memory file") : fd;
}

/* A descriptor of the memory file, or -1. */
static int spawn_request_build(const struct child_spec *spec, const char *owner, uint32_t job, struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf blob = STRBUF_INIT;
	CLEANUP(free_ptr) gid_t *groups = NULL;
	struct wire_request head = { .aslr_off = spec->aslr_off };

	if (set_cwd(spec, &head, err) < 0 || (spec->user && set_user(spec->user, &head, &groups, err) < 0))
		return -1;
	if (spec->cpus && set_cpus(spec->cpus, &head, err) < 0)
		return -1;
	build_environment(spec, head.cwd, owner, job, &environment);
	head.n_argv = (uint32_t)spec->argv->n;
	head.n_env = (uint32_t)environment.n;
	head.n_fds = 3;
	while (head.n_fds < 3 + EXTRA_FDS && spec->extra_fds[head.n_fds - 3] > 0)
		head.n_fds++;
	strbuf_add(&blob, &head, sizeof head);
	strbuf_add(&blob, groups, head.n_groups * sizeof *groups);
	add_strings(&blob, spec->argv);
	add_strings(&blob, &environment);
	return to_memory_file(&blob, err);
}

/* -------- the keeper as pawl sees it */

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

static void note_exit(struct keeper *keeper, const struct wire *message)
{
	keeper->cpu_ms += timeval_ms(message->usage.ru_utime) + timeval_ms(message->usage.ru_stime);
	for (struct child *c = keeper->children; c; c = c->next)
		if (c->job == message->job)
			child_note_exit(c, message);
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
	process_end_tracer(keeper->pid, keeper->pid, keeper->tracer);
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

/*
 * Tell the keeper something, with descriptors to go along. One that a child has stopped is woken. One
 * that was killed, or has not answered once, is an ERR_SYSTEM at once.
 */
static int keeper_send(struct keeper *keeper, const struct wire *message, const int *fds, size_t n_fds, struct error *err)
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

int keeper_processes(struct keeper *keeper, uint32_t job, pid_t *pids, size_t max, size_t *n_out, struct error *err)
{
	struct wire message = { .kind = WIRE_LIST, .job = job };

	if (ask(keeper, &message, WIRE_LISTED, err) < 0)
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

/* -------- children */

/* A full pipe can be read at once; one that is filled while it is read does not keep pawl from other things. */
enum { PIPE_BYTES = 1 << 20, READS_AT_ONCE = 2 * PIPE_BYTES / 65536 };

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

void child_signal(struct keeper *keeper, const struct child *child, int signal)
{
	struct wire message = { .kind = WIRE_KILL, .job = child->job, .signal = signal };

	if (child->pid && !child->ended)
		keeper_send(keeper, &message, NULL, 0, NULL);
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

static void child_note_exit(struct child *child, const struct wire *message)
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
