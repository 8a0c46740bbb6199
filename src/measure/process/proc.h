/*
 * What /proc shows of processes, as text. A process by the line of /proc/PID/stat (proc_pid_stat(5)): its name in
 * parentheses is chosen by the process and may hold spaces, parentheses and newlines; the numbers begin behind the last
 * parenthesis. A number alone does not name a process, since numbers are given again: the time it started goes with it.
 */
#ifndef PAWL_MEASURE_PROCESS_PROC_H
#define PAWL_MEASURE_PROCESS_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct process {
	pid_t pid, parent, group, session;
	uint64_t start;			/* ticks since boot; 0: it is gone, no process has it */
	char state;			/* 'Z' and 'X' are dead */
	bool kernel;			/* a thread of the kernel: it runs no program */
	char name[32];			/* 15 bytes; longer only for threads of the kernel */
	uint64_t threads;		/* the ended first thread counts until all have ended */
	uint64_t minor_faults, major_faults, user_ticks, system_ticks;
	/* The same of its children, and theirs, that it has waited for. */
	uint64_t waited_minor_faults, waited_major_faults, waited_user_ticks, waited_system_ticks;
	int nice, policy;		/* as sched(7) has them */
	uint64_t env_end;		/* where its environment ends; 0 while it is between two programs, or ended */
};

/* False when TEXT is no such line. */
bool process_parse(const char *text, struct process *out);

/*
 * The number behind KEY ("CapEff", in base 16; "VmHWM", 10, in the kB that stand behind it) in
 * /proc/PID/status; false when it is not there.
 */
bool proc_status_number(const char *text, const char *key, int base, uint64_t *out);

/*
 * A line of /proc/net/tcp or /proc/net/tcp6 that listens. A socket is known by its inode, which
 * /proc/PID/fd shows as "socket:[INODE]".
 */
struct listener {
	unsigned port;			/* in the host's order */
	uint64_t inode;
	bool held;			/* by a process that was asked about; set by listeners_mark() */
};

/* False for the heading and for connections. */
bool proc_net_listener(const char *line, struct listener *out);
/* The inode in a link such as "socket:[12345]"; false when LINK is something else. */
bool proc_net_socket(const char *link, uint64_t *inode_out);

/*
 * Where control groups are: the mounted hierarchies, from the text of /proc/self/mountinfo, and the
 * groups of one process, from that of /proc/PID/cgroup (cgroups(7)). Version 2 is one hierarchy,
 * version 1 several, and both may be there at once.
 */

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
