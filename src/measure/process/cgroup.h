/*
 * A cgroup for each service, where version 2 is delegated: then its processes can be told and ended
 * whatever they do, also those that called setsid() or wrote over their environment. It is made
 * below pawl's own cgroup and called pawl-<owner>-<job> (abandoned.h). Elsewhere nothing is made,
 * and the keeper tells a service's processes by other signs.
 *
 * Source: cgroups(7), and the kernel's Documentation/admin-guide/cgroup-v2.rst; cgroup.kill is there
 * from Linux 5.14 on.
 */
#ifndef PAWL_MEASURE_PROCESS_CGROUP_H
#define PAWL_MEASURE_PROCESS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The folder of a new cgroup, for free(), or NULL where none can be made. */
char *cgroup_make(const char *owner, uint32_t job);
/* Put a process there, before it has children. */
bool cgroup_add(const char *dir, pid_t pid);
bool cgroup_is_empty(const char *dir);
/* Kill all members until there are none (a second at the most), and remove it with those that were made below it. */
void cgroup_end(const char *dir);
/* The job whose cgroup PID is in, or below; 0 when it is none of OWNER's. */
uint32_t cgroup_job(pid_t pid, const char *owner);

/* End all cgroups of OWNER below pawl's own. */
void cgroup_end_all_of(const char *owner);
/* And those of owners that do not live any more, unless a member is not OURS: its owner's number means nothing here. */
void cgroup_end_abandoned(bool (*lives)(const char *owner), bool (*ours)(pid_t pid));

#endif
