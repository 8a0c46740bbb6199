/*
 * Cleans up after a pawl that was killed together with its keeper, which owned all that was started. Only a keeper that is
 * certainly gone (process_is_gone()) has abandoned anything, and only processes of the same user are touched.
 *
 * Three marks tell what belongs to an owner: PAWL_JOB=<owner>.<job> in a process's environment; a service's cgroup, if
 * pawl may create one; the list in the scratch folder, because servers overwrite their environment with their titles.
 */
#ifndef PAWL_MEASURE_PROCESS_ABANDONED_H
#define PAWL_MEASURE_PROCESS_ABANDONED_H

#include <stdint.h>
#include <sys/types.h>

#include "measure/process/processes.h"

struct error;

enum { OWNER_ID_SIZE = 41 };

/* Name of the keeper process, and of a child until it executes its program. */
#define KEEPER_NAME "pawl-keeper"

/* "<pid>.<start time>.<process_view()>" of process PID, of fixed width; "" when it is gone. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE]);
/* Returns the job of process PID, read from its environment; 0 if OWNER did not start it. */
uint32_t job_of_process(pid_t pid, const char *owner);
/* Ends every process whose owner is gone. Wakes a keeper that was stopped. */
void abandoned_end_processes(void);
/* Ends every process of OWNER, the killed keeper of this pawl, which has become the parent of its children. */
void abandoned_end_own(const char *owner);

/*
 * The scratch folder of one pawl: pawl-<keeper's pid>-<process_view()>-XXXXXX in TMPDIR, else in /tmp, locked while the
 * keeper lives, which removes it if pawl has not.
 *
 * scratch_make() removes abandoned folders, then makes the new one. *PATH_OUT is for free(). *LOCK_OUT holds the lock while
 * any process has it open; -1 if the folder cannot be locked.
 */
int scratch_make(pid_t keeper, char **path_out, int *lock_out, struct error *err);
/* Records PROCESSES as all processes of the service JOB. A list that cannot be written is not an error. */
void scratch_list(const char *path, uint32_t job, const struct processes *processes);
/* Ends the listed processes, their descendants, and the members of sessions they lead. */
void scratch_end_listed(const char *path);
/* Removes KEEPER's folder if it still exists. KEEPER 0: removes abandoned folders and ends their listed processes. */
void scratch_remove_of(pid_t keeper);

#endif
