/*
 * A process by descriptor, which no other process can take over. Called by number: glibc has the
 * functions from 2.36 on, which Ubuntu 22.04 has not.
 */
#ifndef PAWL_MEASURE_PIDFD_H
#define PAWL_MEASURE_PIDFD_H

#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* A descriptor that becomes readable when the process ends, or -1 with errno. Closed on exec. */
static inline int open_pidfd(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static inline bool signal_pidfd(int fd, int signal)
{
	return syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) == 0;
}

#endif
