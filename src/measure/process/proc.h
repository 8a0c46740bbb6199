/*
 * Parses the text of /proc files about processes. The kernel reuses process numbers, so the start time is needed to
 * identify a process.
 */
#ifndef PAWL_MEASURE_PROCESS_PROC_H
#define PAWL_MEASURE_PROCESS_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "model/measured.h"

struct process {
	pid_t pid, parent, group, session;
	uint64_t start;			/* ticks since boot; 0: no such process */
	char state;			/* 'Z' and 'X': dead */
	bool kernel;			/* a kernel thread, which runs no program */
	char name[32];			/* 15 bytes; longer only for kernel threads */
	uint64_t threads;		/* an ended first thread counts until all have ended */
	uint64_t minor_faults, major_faults, user_ticks, system_ticks;
	/* The same for its descendants that were waited for. */
	uint64_t waited_minor_faults, waited_major_faults, waited_user_ticks, waited_system_ticks;
	int nice, policy;		/* as in sched(7) */
	uint64_t env_end;		/* address of the end of its environment; 0 during exec or after its end */
};

/* False if TEXT is not such a line. */
bool process_parse(const char *text, struct process *out);

/* Reads the number after KEY in the text of /proc/PID/status: "CapEff" in base 16, "VmHWM" in base 10 and kB. */
bool proc_status_number(const char *text, const char *key, int base, uint64_t *out);

/* Reads the text of /proc/PID/io. */
struct io_counts io_counts_parse(const char *text);

/* A listening socket of /proc/net/tcp or tcp6. Links of /proc/PID/fd show its inode. */
struct listener {
	unsigned port;			/* in the host's order */
	uint64_t inode;
	bool held;			/* by a process in question; set by listeners_mark() */
};

/* False for the heading and for connections. */
bool proc_net_listener(const char *line, struct listener *out);
/* Parses the inode of a link such as "socket:[12345]". False if LINK is something else. */
bool proc_net_socket(const char *link, uint64_t *inode_out);

/* Locates control groups (cgroups(7)). Version 2 is one hierarchy, version 1 several. Both may be mounted at once. */

struct cgroup_mount {
	char *dir;			/* where it is mounted */
	char *root;			/* the group shown there: "/", or a container's own */
	char *options;			/* for version 1: "rw,pids", "rw,name=systemd"; NULL: version 2 */
};

struct cgroup_mounts {
	struct cgroup_mount *items;	/* version 2 first */
	size_t n, cap;
};

void cgroup_mounts_parse(const char *mountinfo, struct cgroup_mounts *out);
void cgroup_mounts_release(struct cgroup_mounts *mounts);
/* Returns the mount of CONTROLLER ("pids", "name=systemd"; "" is version 2), or NULL. */
const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, const char *controller);

/* Returns the group in the text of /proc/PID/cgroup: "/system.slice/nginx.service", or NULL. For free(). */
char *cgroup_of_process(const char *text, const char *controller);
/* Returns the folder of GROUP; NULL if the mount does not show it (a container sees only its own part). For free(). */
char *cgroup_folder(const struct cgroup_mount *mount, const char *group);

#endif
