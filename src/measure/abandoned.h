/*
 * What a pawl left behind that could not clean up itself, because it or its keeper was killed:
 * processes and scratch folders. Everything a pawl starts carries PAWL_JOB=<owner>.<job> in its
 * environment, and a scratch folder carries its owner's process number; an owner is gone when no
 * process of that number has that start time. Only what belongs to the same user is touched.
 */
#ifndef PAWL_MEASURE_ABANDONED_H
#define PAWL_MEASURE_ABANDONED_H

#include <sys/types.h>

enum { OWNER_ID_SIZE = 32 };

/* "<pid>.<start time>" of process PID, of fixed width; "" when it is gone. */
void owner_id(pid_t pid, char out[OWNER_ID_SIZE]);

/* End every process of owners that are gone; returns how many. */
unsigned abandoned_end_processes(void);
/* End every process that this very pawl started, for when its keeper was killed. */
unsigned abandoned_end_own(void);
/* Remove the scratch folders of owners that are gone: PARENT/pawl-<pid>-XXXXXX. */
void abandoned_remove_scratch(const char *parent);

#endif
