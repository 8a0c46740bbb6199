/*
 * Sockets that listen for TCP, IPv4 and IPv6, and who holds them. Each network namespace has its
 * own: those of a container are asked for by one of its processes.
 */
#ifndef PAWL_MEASURE_LISTENERS_H
#define PAWL_MEASURE_LISTENERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "model/proc_net.h"

struct listener {
	struct proc_listener socket;
	bool held;			/* by a process that was asked about */
};

struct listeners {
	struct listener *items;
	size_t n, cap;
};

/* All that listen in the network namespace of PID; 0: in pawl's own. PORT 0: on whatever port. */
void listeners_read(pid_t pid, unsigned port, struct listeners *out);
void listeners_release(struct listeners *listeners);
/* Mark those that PID holds; true when it holds one. False as well when PID is not ours to look at. */
bool listeners_mark(struct listeners *listeners, pid_t pid);

#endif
