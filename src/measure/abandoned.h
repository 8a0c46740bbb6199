/*
 * What a pawl left behind that could not clean up itself, because both it and its keeper were
 * killed: processes, cgroups and scratch folders. The owner of all of it is the keeper, which is gone
 * when no process of its number has its start time. Everything that was started carries
 * PAWL_JOB=<owner>.<job> in its environment; services have a cgroup of that name where pawl may make
 * one; and as servers write their titles over their environment, the processes of an environment
 * are also listed in its scratch folder, which carries the owner's process number. Only what
 * belongs to the same user is touched.
 */
#ifndef PAWL_MEASURE_ABANDONED_H
#define PAWL_MEASURE_ABANDONED_H

#include <stdint.h>
#include <sys/types.h>

#include "measure/processes.h"

enum { OWNER_ID_SIZE = 32 };

/* "<pid>.<start time>" of process PID, of fixed width; "" when it is gone. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE]);

/* The job of process PID by its environment, 0 when it is none of OWNER's. */
uint32_t job_of_process(pid_t pid, const char *owner);

/* End every process of owners that are gone; returns how many. */
unsigned abandoned_end_processes(void);
/* End every process of OWNER, for when a pawl's own keeper was killed. */
unsigned abandoned_end_own(const char *owner);
/* Note in folder DIR, a scratch folder, that PROCESSES belong to its owner. A list that cannot be written is no failure. */
void abandoned_list(const char *dir, const struct processes *processes);
/* Remove the scratch folders of owners that are gone, PARENT/pawl-<pid>-XXXXXX, and end the processes listed there. */
void abandoned_remove_scratch(const char *parent);

#endif
