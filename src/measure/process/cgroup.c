#include "measure/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum { END_TRIES = 100, END_PAUSE_MS = 10 };
static const char prefix[] = "pawl-";

/* The path in the line of version 2, "0::/user.slice/..."; NULL when there is none. For free(). */
static char *path_of(const char *pid)
{
	CLEANUP(strbuf_release) struct strbuf file = STRBUF_INIT, text = STRBUF_INIT;
	const char *at;

	strbuf_addf(&file, "/proc/%s/cgroup", pid);
	if (!file_read_fact(file.buf, &text))
		return NULL;
	at = !strncmp(text.buf, "0::", 3) ? text.buf : strstr(text.buf, "\n0::");
	if (!at)
		return NULL;
	at = strchr(at, '/');
	return at ? xstrndup(at, strcspn(at, "\n")) : NULL;
}

/* Where version 2 is mounted: alone, or beside version 1. */
static const char *mount_point(void)
{
	static const char *const usual[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };

	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
		CLEANUP(free_ptr) char *file = file_join(usual[i], "cgroup.controllers");

		if (file_exists(file))
			return usual[i];
	}
	return NULL;
}

static char *own_folder(void)
{
	CLEANUP(free_ptr) char *path = path_of("self");
	const char *mount = path ? mount_point() : NULL;

	if (!mount)
		return NULL;
	return path[1] ? file_join(mount, path + 1) : xstrdup(mount);
}

char *cgroup_make(const char *owner, uint32_t job)
{
	CLEANUP(free_ptr) char *own = own_folder();
	struct strbuf dir = STRBUF_INIT;

	if (!own)
		return NULL;
	strbuf_addf(&dir, "%s/%s%s-%u", own, prefix, owner, job);
	if (mkdir(dir.buf, 0755) == 0)
		return strbuf_take(&dir);
	strbuf_release(&dir);
	return NULL;
}

static bool write_to(const char *dir, const char *name, const char *text)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool written;

	if (fd < 0)
		return false;
	written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	close(fd);
	return written;
}

bool cgroup_add(const char *dir, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof text, "%d", (int)pid);
	return write_to(dir, "cgroup.procs", text);
}

static bool has_members(const char *dir)
{
	CLEANUP(free_ptr) char *path = file_join(dir, "cgroup.events");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return file_read_fact(path, &text) && strstr(text.buf, "populated 1");
}

bool cgroup_is_empty(const char *dir)
{
	return !has_members(dir);
}

/* Folders of groups below DIR, which a service may make. */
static void add_below(const char *dir, struct strv *out)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);

		if (file_is_dir(path))
			strv_push(out, path);
	}
}

/* Without cgroup.kill the list is read again and again: a member may fork while it is read. */
static void kill_members(const char *dir)
{
	CLEANUP(strv_release) struct strv below = STRV_INIT;
	CLEANUP(free_ptr) char *path = file_join(dir, "cgroup.procs");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (write_to(dir, "cgroup.kill", "1"))
		return;
	add_below(dir, &below);
	for (size_t i = 0; i < below.n; i++)
		kill_members(below.items[i]);
	if (!file_read_fact(path, &text))
		return;
	for (char *p = text.buf, *end;; p = end) {
		pid_t pid = (pid_t)strtol(p, &end, 10);

		if (end == p)
			return;
		kill(pid, SIGKILL);
	}
}

static int remove_group(const char *dir)
{
	CLEANUP(strv_release) struct strv below = STRV_INIT;

	if (rmdir(dir) == 0)
		return 0;
	add_below(dir, &below);
	for (size_t i = 0; i < below.n; i++)
		remove_group(below.items[i]);
	return rmdir(dir);
}

void cgroup_end(const char *dir)
{
	for (int i = 0; i < END_TRIES; i++) {
		if (has_members(dir))
			kill_members(dir);
		if (remove_group(dir) == 0 || (errno != EBUSY && errno != EINTR))
			return;
		poll(NULL, 0, END_PAUSE_MS);
	}
}

uint32_t cgroup_job(pid_t pid, const char *owner)
{
	CLEANUP(free_ptr) char *path = NULL;
	char number[16], mark[64];
	const char *at;

	snprintf(number, sizeof number, "%d", (int)pid);
	path = path_of(number);
	snprintf(mark, sizeof mark, "/%s%s-", prefix, owner);
	at = path ? strstr(path, mark) : NULL;
	return at ? (uint32_t)strtoul(at + strlen(mark), NULL, 10) : 0;
}

/* The owner in a cgroup's name, "pawl-<owner>-<job>". */
static bool read_owner(const char *name, char owner[OWNER_ID_SIZE])
{
	const char *end = strrchr(name, '-');

	if (strncmp(name, prefix, sizeof prefix - 1) || !end ||
	    end - name != (ptrdiff_t)(sizeof prefix - 1 + OWNER_ID_SIZE - 1))
		return false;
	memcpy(owner, name + sizeof prefix - 1, OWNER_ID_SIZE - 1);
	owner[OWNER_ID_SIZE - 1] = '\0';
	return true;
}

typedef bool wanted_fn(const char *dir, const char *owner, const void *ctx);

static void end_if(wanted_fn *wanted, const void *ctx)
{
	CLEANUP(free_ptr) char *own = own_folder();
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	char owner[OWNER_ID_SIZE];

	if (!own || file_list(own, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *dir = file_join(own, names.items[i]);

		if (read_owner(names.items[i], owner) && wanted(dir, owner, ctx))
			cgroup_end(dir);
	}
}

static bool is_of(const char *dir, const char *owner, const void *ctx)
{
	(void)dir;
	return !strcmp(owner, ctx);
}

void cgroup_end_all_of(const char *owner)
{
	end_if(is_of, owner);
}

struct judges {
	bool (*lives)(const char *owner);
	bool (*ours)(pid_t pid);
};

static bool is_abandoned(const char *dir, const char *owner, const void *ctx)
{
	CLEANUP(processes_release) struct processes members = { 0 };
	const struct judges *judges = ctx;
	bool ours = !judges->lives(owner) && processes_add_cgroup(&members, dir) == 0;

	for (size_t i = 0; i < members.n; i++)
		ours = ours && judges->ours(members.items[i].pid);
	return ours;
}

void cgroup_end_abandoned(bool (*lives)(const char *owner), bool (*ours)(pid_t pid))
{
	end_if(is_abandoned, &(struct judges){ lives, ours });
}
