#include "measure/process/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/process/abandoned.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"

enum { END_TRIES = 100, END_PAUSE_MS = 10 };
static const char prefix[] = "pawl-";

void cgroup_mounts_read(struct cgroup_mounts *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	file_read_fact("/proc/self/mountinfo", &text);
	cgroup_mounts_parse(text.buf, out);
}

char *cgroup_of_pid(pid_t pid, const char *controller)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return process_read_file(pid, "cgroup", &text) ? cgroup_of_process(text.buf, controller) : NULL;
}

char *cgroup_own_folder(void)
{
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };
	CLEANUP(free_ptr) char *group = cgroup_of_pid(getpid(), "");
	const struct cgroup_mount *mount;

	cgroup_mounts_read(&mounts);
	mount = cgroup_mounts_find(&mounts, "");
	return mount && group ? cgroup_folder(mount, group) : NULL;
}

char *cgroup_make(const char *owner, uint32_t job)
{
	CLEANUP(free_ptr) char *own = cgroup_own_folder();
	CLEANUP(free_ptr) char *dir = own ? text_printf("%s/%s%s-%u", own, prefix, owner, job) : NULL;

	return dir && mkdir(dir, 0755) == 0 ? take_ptr(&dir) : NULL;
}

static bool write_to(const char *dir, const char *name, const char *text)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);
	CLEANUP(close_fd) int fd = open(path, O_WRONLY | O_CLOEXEC);

	return fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
}

bool cgroup_add(const char *dir, pid_t pid)
{
	char text[32];

	snprintf(text, sizeof text, "%d", (int)pid);
	return write_to(dir, "cgroup.procs", text);
}

bool cgroup_is_empty(const char *dir)
{
	CLEANUP(free_ptr) char *path = file_join(dir, "cgroup.events");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	return !file_read_fact(path, &text) || !strstr(text.buf, "populated 1");
}

/* Without cgroup.kill a member may fork meanwhile, so callers repeat this. */
static void kill_members(const char *dir)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (write_to(dir, "cgroup.kill", "1"))
		return;
	processes_add_cgroup(&members, dir);
	for (size_t i = 0; i < members.n; i++)
		kill(members.items[i].pid, SIGKILL);
}

static int remove_group(const char *dir)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (rmdir(dir) == 0)
		return 0;
	file_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);

		if (file_is_dir(path))
			remove_group(path);
	}
	return rmdir(dir);
}

void cgroup_end(const char *dir)
{
	for (int i = 0; i < END_TRIES; i++) {
		if (!cgroup_is_empty(dir))
			kill_members(dir);
		if (remove_group(dir) == 0 || (errno != EBUSY && errno != EINTR))
			return;
		poll(NULL, 0, END_PAUSE_MS);
	}
}

uint32_t cgroup_job(pid_t pid, const char *owner)
{
	CLEANUP(free_ptr) char *path = cgroup_of_pid(pid, "");
	CLEANUP(free_ptr) char *mark = text_printf("/%s%s-", prefix, owner);
	const char *at;

	at = path ? strstr(path, mark) : NULL;
	return at ? (uint32_t)strtoul(at + strlen(mark), NULL, 10) : 0;
}

void cgroup_end_all(const char *of, bool (*wanted)(const char *owner, const char *dir))
{
	CLEANUP(free_ptr) char *own = cgroup_own_folder();
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	size_t len = sizeof prefix - 1 + OWNER_ID_SIZE - 1;

	if (!own || file_list(own, &names, NULL) < 0)
		return;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *dir = file_join(own, names.items[i]), *owner = NULL;
		const char *name = names.items[i], *dash = strrchr(name, '-');

		/* "pawl-<owner>-<job>" */
		if (!text_starts(name, prefix) || !dash || (size_t)(dash - name) != len)
			continue;
		owner = xstrndup(name + sizeof prefix - 1, OWNER_ID_SIZE - 1);
		if (of ? !strcmp(owner, of) : wanted(owner, dir))
			cgroup_end(dir);
	}
}
