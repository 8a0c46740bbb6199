/*
 * From a fork of the keeper to a child held before exec. Runs between fork and exec, so it only
 * makes system calls and reads what the request holds.
 */
#ifndef PAWL_MEASURE_BECOME_H
#define PAWL_MEASURE_BECOME_H

#include <sys/types.h>

/*
 * MEMFD is a request (wire.h); HOLD is read until it says go; EXEC_ERROR takes 0 once the
 * child is held, then the errno of what went wrong, and closes on exec. FDS become 0, 1, 2, ... KEEPER is the process that forked.
 */
void become(int memfd, int hold, int exec_error, const int *fds, pid_t keeper) __attribute__((noreturn));

#endif
