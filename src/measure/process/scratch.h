/*
 * The scratch folder of one pawl: pawl-<the keeper's number>-XXXXXX in TMPDIR, else in /tmp. It is locked
 * as long as the keeper lives, which removes it should pawl not have done so; one that is not locked
 * was left by a pawl that was killed together with its keeper. Then what services were running is
 * told by the lists in it, since a server may write its title over the mark in its environment.
 *
 *	scratch_make() -> scratch_list() as often as wanted -> scratch_remove()
 */
#ifndef PAWL_MEASURE_PROCESS_SCRATCH_H
#define PAWL_MEASURE_PROCESS_SCRATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "measure/process/processes.h"

/*
 * Remove what others left, then make the folder; *PATH_OUT is for free(). *LOCK_OUT holds the lock as
 * long as any process has it open; it is -1 where a folder cannot be locked.
 */
int scratch_make(pid_t keeper, char **path_out, int *lock_out, struct error *err);
/* Note that PROCESSES are all there is of the service JOB. A list that cannot be written is no failure. */
void scratch_list(const char *path, uint32_t job, const struct processes *processes);
/* End the listed processes, what descends from them, and who shares a session they lead. */
void scratch_end_listed(const char *path);
void scratch_remove(const char *path);

/* For the keeper: remove its pawl's folder, if it is there still. */
void scratch_remove_of(pid_t keeper);

#endif
