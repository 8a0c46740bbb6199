/*
 * A cgroup for each service, where version 2 is delegated: then its processes are known and can be ended
 * whatever they do, also those that called setsid() or wrote over their environment. It is made
 * below pawl's own cgroup and called pawl-<owner>-<job>. Elsewhere the keeper knows a service's processes by
 * other signs. See cgroups(7) and the kernel's cgroup-v2.rst.
 */
#ifndef PAWL_MEASURE_PROCESS_CGROUP_H
#define PAWL_MEASURE_PROCESS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "measure/process/proc.h"

/* The folder of a new cgroup, for free(), or NULL where none can be made. */
char *cgroup_make(const char *owner, uint32_t job);
/* Put a process there, before it has children. */
bool cgroup_add(const char *dir, pid_t pid);
bool cgroup_is_empty(const char *dir);
/* Kill all members until there are none (a second at the most), and remove it with those that were made below it. */
void cgroup_end(const char *dir);
/* The job whose cgroup PID is in, or below; 0 when it is none of OWNER's. */
uint32_t cgroup_job(pid_t pid, const char *owner);
/* End the cgroups below pawl's own, whosever, that are WANTED. */
void cgroup_end_if(bool (*wanted)(const char *owner, const char *dir, const void *ctx), const void *ctx);
void cgroup_end_all_of(const char *owner);

struct cgroup_mounts;

void cgroup_mounts_read(struct cgroup_mounts *out);
/* The group of PID in the hierarchy of CONTROLLER, as cgroup_of_process(); for free(). */
char *cgroup_of_pid(pid_t pid, const char *controller);
/* The folder of pawl's own group of version 2; NULL where there is none. For free(). */
char *cgroup_own_folder(void);

#endif
