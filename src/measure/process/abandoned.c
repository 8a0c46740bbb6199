#include "measure/process/process.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static const char mark[] = "PAWL_JOB=";
enum { ENVIRON_LARGEST = 4 << 20, ROUNDS = 100, ROUND_MS = 5, EXEC_ROUNDS = 50, SETTLED = 5 };

/* The time it started tells processes of one number apart. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE])
{
	struct proc_stat stat;

	out[0] = '\0';
	if (process_read_stat(pid, &stat))
		snprintf(out, OWNER_ID_SIZE, "%010d.%020" PRIu64, (int)pid, stat.start);
}

/* The mark in an environment block; false when it is none of pawl's. */
static bool find_mark(const struct strbuf *environment, char owner[OWNER_ID_SIZE], uint32_t *job)
{
	for (size_t at = 0; at < environment->len; at += strlen(environment->buf + at) + 1) {
		const char *entry = environment->buf + at, *end;

		if (strncmp(entry, mark, sizeof mark - 1))
			continue;
		entry += sizeof mark - 1;
		end = strrchr(entry, '.');
		/* Another pawl's mark may look otherwise: what cannot be understood is left alone. */
		if (!end || end - entry != OWNER_ID_SIZE - 1)
			return false;
		memcpy(owner, entry, (size_t)(end - entry));
		owner[end - entry] = '\0';
		*job = (uint32_t)strtoul(end + 1, NULL, 10);
		return true;
	}
	return false;
}

static bool read_environment(pid_t pid, struct strbuf *out)
{
	char path[64], buf[65536];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (out->len < ENVIRON_LARGEST && (got = read(fd, buf, sizeof buf)) > 0)
		strbuf_add(out, buf, (size_t)got);
	close(fd);
	return true;
}

static bool in_exec(pid_t pid)
{
	struct proc_stat stat;

	return process_read_stat(pid, &stat) && !stat.kernel && !stat.env_end && !strchr("ZXx", stat.state);
}

/*
 * A process in the midst of execve(2) reads as one without an environment: the old program's memory is
 * gone, the new one's not filled yet. So an empty one is believed once it was read often outside of that.
 */
static bool read_mark(pid_t pid, char owner[OWNER_ID_SIZE], uint32_t *job)
{
	CLEANUP(strbuf_release) struct strbuf environment = STRBUF_INIT;
	int settled = 0;

	for (int i = 0; i < EXEC_ROUNDS && settled < SETTLED && !environment.len; i++) {
		if (!read_environment(pid, &environment))
			return false;
		if (!environment.len && in_exec(pid))
			poll(NULL, 0, 1);
		else
			settled++;
	}
	return find_mark(&environment, owner, job);
}

uint32_t job_of_process(pid_t pid, const char *owner)
{
	char its[OWNER_ID_SIZE];
	uint32_t job;

	return read_mark(pid, its, &job) && !strcmp(its, owner) ? job : 0;
}

/* A zombie, whose parent does not care for it, is gone too. */
static bool lives(const char *owner)
{
	char *start;
	pid_t pid = (pid_t)strtol(owner, &start, 10);

	return *start == '.' && process_lives(pid, strtoull(start + 1, NULL, 10));
}

/* A process of a container inside this one: its owner's number means nothing here. */
static bool in_own_namespace(pid_t pid)
{
	struct stat own, its;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/ns/pid", (int)pid);
	return stat("/proc/self/ns/pid", &own) == 0 && stat(path, &its) == 0 && own.st_ino == its.st_ino &&
	       own.st_dev == its.st_dev;
}

/* The number is pinned by a pidfd before it is looked at, so that no other process can take its place. */
static bool end_if_owned(pid_t pid, const char *own)
{
	char owner[OWNER_ID_SIZE];
	uint32_t job;
	int fd = open_pidfd(pid);
	bool ended = false;

	if (fd < 0)
		return false;
	if (read_mark(pid, owner, &job) && in_own_namespace(pid) && (own ? !strcmp(owner, own) : !lives(owner)))
		ended = signal_pidfd(fd, SIGKILL);
	close(fd);
	return ended;
}

/* Its pawl was killed while it was stopped: it ends what it keeps once it can. */
static void wake_if_stopped_keeper(pid_t pid)
{
	struct process process;

	if (process_read(pid, &process) && process.state == 'T' && !strcmp(process.name, KEEPER_NAME))
		kill(pid, SIGCONT);
}

static unsigned end_processes(const char *own)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	unsigned n = 0;

	file_list("/proc", &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		pid_t pid = isdigit((unsigned char)names.items[i][0]) ? (pid_t)strtol(names.items[i], NULL, 10) : 0;

		if (pid <= 0 || pid == getpid())
			continue;
		if (!own)
			wake_if_stopped_keeper(pid);
		n += end_if_owned(pid, own);
	}
	return n;
}

/* A pawl that is a target, say, lives until the first round. */
unsigned abandoned_end_processes(void)
{
	unsigned n = 0, more;

	cgroup_end_abandoned(lives, in_own_namespace);
	for (int i = 0; i < ROUNDS && (more = end_processes(NULL)); i++) {
		n += more;
		poll(NULL, 0, ROUND_MS);
	}
	return n;
}

/* What the keeper left is this process's now. What it had itself before, from before its exec, is older. */
static unsigned end_children(const char *owner)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	uint64_t since = strtoull(strchr(owner, '.') + 1, NULL, 10);
	unsigned n = 0;

	processes_read(&all);
	for (size_t i = 0; i < all.n; i++)
		if (all.items[i].parent == getpid() && all.items[i].start > since && !process_is_dead(&all.items[i]))
			n += kill(all.items[i].pid, SIGKILL) == 0;
	return n;
}

/* A process that forks while the list is read may be missed once, not again and again. */
unsigned abandoned_end_own(const char *owner)
{
	unsigned n = 0, more;

	if (!*owner)
		return 0;
	cgroup_end_all_of(owner);
	for (int i = 0; i < ROUNDS && (more = end_processes(owner) + end_children(owner)); i++) {
		n += more;
		poll(NULL, 0, ROUND_MS);
	}
	return n;
}
