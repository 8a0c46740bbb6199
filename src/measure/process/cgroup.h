/*
 * A cgroup for each service, on systems that delegate cgroup version 2: pawl-<owner>-<job> below pawl's own. It identifies
 * and ends all processes of the service, whatever they do. On other systems the keeper goes by other marks.
 */
#ifndef PAWL_MEASURE_PROCESS_CGROUP_H
#define PAWL_MEASURE_PROCESS_CGROUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "measure/process/proc.h"

/* Makes a cgroup. Returns its folder, for free(); NULL if it cannot be made. */
char *cgroup_make(const char *owner, uint32_t job);
/* Moves process PID into the group. Call it before PID has children. */
bool cgroup_add(const char *dir, pid_t pid);
bool cgroup_is_empty(const char *dir);
/* Kills all members, for up to a second, then removes the group and the groups below it. */
void cgroup_end(const char *dir);
/* Returns the job whose cgroup, or one below it, holds PID; 0 if OWNER has no such job. */
uint32_t cgroup_job(pid_t pid, const char *owner);
/* Ends the cgroups below pawl's own that belong to OF, or (NULL) for which WANTED returns true. */
void cgroup_end_all(const char *of, bool (*wanted)(const char *owner, const char *dir));

void cgroup_mounts_read(struct cgroup_mounts *out);
/* Returns the group of PID in the hierarchy of CONTROLLER, like cgroup_of_process(). For free(). */
char *cgroup_of_pid(pid_t pid, const char *controller);
/* Returns the folder of pawl's own version 2 group; NULL if it has none. For free(). */
char *cgroup_own_folder(void);

#endif
