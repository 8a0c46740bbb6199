/*
 * A control group for a test, next to the test's own group, in a hierarchy where the test may create one.
 * It uses only version 2 and the "pids" and "name=systemd" hierarchies. Processes that join the group
 * therefore do not escape anyone's limits.
 */
#ifndef PAWL_TESTS_OWN_CGROUP_H
#define PAWL_TESTS_OWN_CGROUP_H

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "measure/process/proc.h"

static inline bool make_cgroup_of(const char *controller, char *dir, size_t size, const char **name)
{
	CLEANUP(strbuf_release) struct strbuf mountinfo = STRBUF_INIT, groups = STRBUF_INIT;
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };
	CLEANUP(free_ptr) char *own = NULL, *folder = NULL;
	const struct cgroup_mount *mount;

	file_read_fact("/proc/self/mountinfo", &mountinfo);
	file_read_fact("/proc/self/cgroup", &groups);
	cgroup_mounts_parse(mountinfo.buf, &mounts);
	mount = cgroup_mounts_find(&mounts, controller);
	own = cgroup_of_process(groups.buf, controller);
	folder = mount && own ? cgroup_folder(mount, own) : NULL;
	if (!folder)
		return false;
	snprintf(dir, size, "%s/pawl-test-%d", folder, (int)getpid());
	*name = dir + strlen(mount->dir);
	return mkdir(dir, 0755) == 0;
}

/*
 * Creates a group. Sets DIR to its folder, and NAME (a part of DIR) to its name in the hierarchy.
 * Returns false if no hierarchy allows one.
 */
static inline bool make_cgroup(char *dir, size_t size, const char **name)
{
	return make_cgroup_of("", dir, size, name) || make_cgroup_of("name=systemd", dir, size, name) ||
	       make_cgroup_of("pids", dir, size, name);
}

/* Adds PID to the group. Does not use file_write(), because cgroup.procs cannot be replaced. */
static inline bool join_cgroup(const char *dir, pid_t pid)
{
	CLEANUP(free_ptr) char *path = file_join(dir, "cgroup.procs");
	FILE *file = fopen(path, "we");
	bool ok = file && fprintf(file, "%d\n", (int)pid) > 0;

	return file && fclose(file) == 0 && ok;
}

/* Removes the group. Its processes must have been reaped. */
static inline bool remove_cgroup(const char *dir)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	file_list(dir, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *below = file_join(dir, names.items[i]);

		if (file_is_dir(below))
			rmdir(below);
	}
	return rmdir(dir) == 0;
}

#endif
