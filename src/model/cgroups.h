/*
 * Where control groups are: the mounted hierarchies, from the text of /proc/self/mountinfo, and the
 * groups of one process, from that of /proc/PID/cgroup (cgroups(7)). Version 2 is one hierarchy,
 * version 1 several, and both may be there at once.
 */
#ifndef PAWL_MODEL_CGROUPS_H
#define PAWL_MODEL_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>

struct cgroup_mount {
	char *dir;			/* where it is mounted */
	char *root;			/* the group that is shown there: "/", or a container's own */
	char *options;			/* of version 1: "rw,pids", "rw,name=systemd"; NULL: version 2 */
};

struct cgroup_mounts {
	struct cgroup_mount *items;	/* version 2 first */
	size_t n, cap;
};

void cgroup_mounts_parse(const char *mountinfo, struct cgroup_mounts *out);
void cgroup_mounts_release(struct cgroup_mounts *mounts);
/* The mount of a CONTROLLER ("pids", "name=systemd"; "" is version 2), or NULL. */
const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, const char *controller);

/* The group of the process in the hierarchy of CONTROLLER, such as "/system.slice/nginx.service"; NULL: none. For free(). */
char *cgroup_of_process(const char *text, const char *controller);
/* The folder of GROUP; NULL when the mount does not show it (a container sees its own part only). For free(). */
char *cgroup_folder(const struct cgroup_mount *mount, const char *group);

#endif
