/*
 * Processes and cgroups that a pawl left behind which could not clean up itself, because both it and
 * its keeper were killed. The owner of all of it is the keeper, which is gone when no process of its
 * number has its start time. Everything that was started carries PAWL_JOB=<owner>.<job> in its
 * environment; services have a cgroup of that name where pawl may make one; and as servers write
 * their titles over their environment, the processes of an environment are also listed in its scratch
 * folder (scratch.h). Only what belongs to the same user is touched.
 */
#ifndef PAWL_MEASURE_PROCESS_ABANDONED_H
#define PAWL_MEASURE_PROCESS_ABANDONED_H

#include <stdint.h>
#include <sys/types.h>

enum { OWNER_ID_SIZE = 32 };

/* What the keeper's process is called, and a child until it executes its program. */
#define KEEPER_NAME "pawl-keeper"

/* "<pid>.<start time>" of process PID, of fixed width; "" when it is gone. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE]);

/* The job of process PID by its environment, 0 when it is none of OWNER's. */
uint32_t job_of_process(pid_t pid, const char *owner);

/* End every process of owners that are gone; returns how many. A keeper that somebody stopped is woken. */
unsigned abandoned_end_processes(void);
/* End every process of OWNER, for when a pawl's own keeper was killed; this process has become a parent of what it left. */
unsigned abandoned_end_own(const char *owner);

#endif
