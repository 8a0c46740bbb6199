/*
 * Processes and cgroups that a pawl left behind which could not clean up itself, because both it and
 * its keeper were killed. The owner of all of it is the keeper. Only a keeper that is certainly gone
 * (process_is_gone()) has left anything: one that cannot be seen or compared counts as alive.
 * Everything that was started carries PAWL_JOB=<owner>.<job> in its environment; services have a
 * cgroup of that name where pawl may make one; and as servers write their titles over their
 * environment, the processes of an environment are also listed in its scratch folder. Only what
 * belongs to the same user is touched.
 */
#ifndef PAWL_MEASURE_PROCESS_ABANDONED_H
#define PAWL_MEASURE_PROCESS_ABANDONED_H

#include <stdint.h>
#include <sys/types.h>

#include "measure/process/processes.h"

struct error;

enum { OWNER_ID_SIZE = 41 };

/* What the keeper's process is called, and a child until it executes its program. */
#define KEEPER_NAME "pawl-keeper"

/* "<pid>.<start time>.<process_view()>" of process PID, of fixed width; "" when it is gone. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE]);
/* The job of process PID by its environment, 0 when it is none of OWNER's. */
uint32_t job_of_process(pid_t pid, const char *owner);
/* End every process of owners that are gone. A keeper that somebody stopped is woken. */
void abandoned_end_processes(void);
/* End every process of OWNER, for when a pawl's own keeper was killed; this process has become a parent of what it left. */
void abandoned_end_own(const char *owner);

struct processes;

/*
 * The scratch folder of one pawl: pawl-<the keeper's number>-<process_view()>-XXXXXX in TMPDIR, else in
 * /tmp. It is locked as long as the keeper lives, which removes it should pawl not have done so; one that is not locked
 * was left by a pawl that was killed together with its keeper.
 *
 * scratch_make() removes what others left, then makes the folder; *PATH_OUT is for free(). *LOCK_OUT holds the lock as
 * long as any process has it open; it is -1 where a folder cannot be locked.
 */
int scratch_make(pid_t keeper, char **path_out, int *lock_out, struct error *err);
/* Note that PROCESSES are all there is of the service JOB. A list that cannot be written is no failure. */
void scratch_list(const char *path, uint32_t job, const struct processes *processes);
/* End the listed processes, what descends from them, and who shares a session they lead. */
void scratch_end_listed(const char *path);
/* Remove the folder of KEEPER, if it is there still; 0: the abandoned ones, with their listed processes. */
void scratch_remove_of(pid_t keeper);

#endif
