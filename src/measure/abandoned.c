#include "measure/abandoned.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/files.h"
#include "measure/pidfd.h"

static const char mark[] = "PAWL_JOB=";
enum { ENVIRON_LARGEST = 4 << 20 };

/* proc_pid_stat(5): field 22 is the start time, in ticks since boot; it tells processes of one number apart. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE])
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	unsigned long long start;
	char path[64], *p;

	out[0] = '\0';
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (!file_read_fact(path, &text))
		return;
	p = strrchr(text.buf, ')');
	if (p && sscanf(p + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
			&start) == 1)
		snprintf(out, OWNER_ID_SIZE, "%010d.%020llu", (int)pid, start);
}

/* The owner in an environment block, which ends at the job's dot; false when it is none of pawl's. */
static bool find_owner(const struct strbuf *environment, char owner[OWNER_ID_SIZE])
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
		return true;
	}
	return false;
}

static bool read_owner(pid_t pid, char owner[OWNER_ID_SIZE])
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
	return find_owner(&environment, owner);
}

static bool lives(const char *owner)
{
	char now[OWNER_ID_SIZE];

	owner_id((pid_t)strtol(owner, NULL, 10), now);
	return !strcmp(now, owner);
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
	int fd = open_pidfd(pid);
	bool ended = false;

	if (fd < 0)
		return false;
	if (read_owner(pid, owner) && in_own_namespace(pid) && (own ? !strcmp(owner, own) : !lives(owner)))
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

unsigned abandoned_end_processes(void)
{
	return end_processes(NULL);
}

/* A process that forks while the list is read may be missed once, not again and again. */
unsigned abandoned_end_own(void)
{
	char own[OWNER_ID_SIZE];
	unsigned n = 0, more;

	owner_id(getpid(), own);
	for (int i = 0; i < 100 && (more = end_processes(own)); i++)
		n += more;
	return n;
}

void abandoned_remove_scratch(const char *parent)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(parent, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(parent, names.items[i]);
		struct stat st;
		char *end;
		long pid;

		if (strncmp(names.items[i], "pawl-", 5))
			continue;
		pid = strtol(names.items[i] + 5, &end, 10);
		if (pid > 0 && *end == '-' && strlen(end) == 7 && kill((pid_t)pid, 0) < 0 && errno == ESRCH &&
		    lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid())
			file_remove_tree(path, NULL);
	}
}
