#include "measure/abandoned.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/cgroup.h"
#include "measure/files.h"
#include "measure/pidfd.h"
#include "measure/processes.h"

static const char mark[] = "PAWL_JOB=";
enum { ENVIRON_LARGEST = 4 << 20, LIST_LARGEST = 1 << 20, PASSES_MOST = 100 };

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

static bool read_mark(pid_t pid, char owner[OWNER_ID_SIZE], uint32_t *job)
{
	CLEANUP(strbuf_release) struct strbuf environment = STRBUF_INIT;
	char path[64], buf[65536];
	ssize_t got;
	int fd;

	snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (environment.len < ENVIRON_LARGEST && (got = read(fd, buf, sizeof buf)) > 0)
		strbuf_add(&environment, buf, (size_t)got);
	close(fd);
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
	ino_t its = process_namespace(pid, "pid");

	return its && its == process_namespace(getpid(), "pid");
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

static unsigned end_processes(const char *own)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	unsigned n = 0;

	file_list("/proc", &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		pid_t pid = isdigit((unsigned char)names.items[i][0]) ? (pid_t)strtol(names.items[i], NULL, 10) : 0;

		if (pid > 0 && pid != getpid())
			n += end_if_owned(pid, own);
	}
	return n;
}

/* A process that forks while the list is read may be missed once, not again and again. */
static unsigned end_until_none(const char *own)
{
	unsigned n = 0, more;

	for (int i = 0; i < PASSES_MOST && (more = end_processes(own)); i++)
		n += more;
	return n;
}

unsigned abandoned_end_processes(void)
{
	cgroup_end_abandoned(lives);
	return end_until_none(NULL);
}

unsigned abandoned_end_own(const char *owner)
{
	unsigned n = end_until_none(owner);

	cgroup_end_all_of(owner);
	return n;
}

/* -------- processes by list */

static const char list_name[] = "processes";

void abandoned_list(const char *dir, const struct processes *processes)
{
	CLEANUP(free_ptr) char *path = file_join(dir, list_name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < processes->n; i++)
		strbuf_addf(&text, "%d %" PRIu64 "\n", (int)processes->items[i].pid, processes->items[i].start);
	file_write(path, text.buf, text.len, NULL);
}

static void end_exactly(pid_t pid, uint64_t start)
{
	int fd = open_pidfd(pid);

	if (fd < 0)
		return;
	if (process_lives(pid, start))
		signal_pidfd(fd, SIGKILL);
	close(fd);
}

/* A listed process, what descends from it, and who shares the session that it leads. */
static void end_listed(pid_t pid, uint64_t start, const struct processes *all)
{
	struct processes family = { 0 };

	if (!process_lives(pid, start))
		return;
	processes_add_tree(&family, all, pid);
	for (size_t i = 0; i < all->n; i++)
		if (all->items[i].session == pid)
			processes_add(&family, &all->items[i]);
	for (size_t i = 0; i < family.n; i++)
		end_exactly(family.items[i].pid, family.items[i].start);
	processes_release(&family);
}

static void end_list(const char *dir)
{
	CLEANUP(free_ptr) char *path = file_join(dir, list_name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct processes all = { 0 };
	unsigned long long start;
	int pid, used;

	if (!file_exists(path) || file_read(path, LIST_LARGEST, &text, NULL) < 0)
		return;
	processes_read(&all);
	for (const char *p = text.buf; sscanf(p, "%d %llu\n%n", &pid, &start, &used) == 2; p += used)
		end_listed(pid, start, &all);
	processes_release(&all);
}

/* -------- scratch folders */

static bool is_abandoned(const char *name, const char *path)
{
	struct process owner;
	struct stat st;
	char *end;
	long pid;

	if (strncmp(name, "pawl-", 5))
		return false;
	pid = strtol(name + 5, &end, 10);
	return pid > 0 && *end == '-' && strlen(end) == 7 && (!process_read((pid_t)pid, &owner) || owner.state == 'Z') &&
	       lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

void abandoned_remove_scratch(const char *parent)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(parent, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(parent, names.items[i]);

		if (!is_abandoned(names.items[i], path))
			continue;
		end_list(path);
		file_remove_tree(path, NULL);
	}
}
