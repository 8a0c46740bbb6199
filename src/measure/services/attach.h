/*
 * A target that runs already, found by number, by the file that holds it, by its command line, by
 * the TCP port it listens on, by cgroup or by container: one tree of processes or
 * one cgroup, never several strangers. Where a container has no cgroup of its own
 * (podman --cgroups=disabled), it is the tree of its first process and all processes in that one's pid namespace.
 */
#ifndef PAWL_MEASURE_SERVICES_ATTACH_H
#define PAWL_MEASURE_SERVICES_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "measure/process/proc.h"
#include "scenario/scenario.h"

struct error;
struct keeper;
struct processes;

struct attached {
	struct process root;	/* the tree's root; start 0 for a cgroup */
	char *cgroup;		/* the folder whose cgroup.procs list the target, or NULL */
	ino_t namespace;	/* beside the tree, all processes of this pid namespace; 0: none */
	char *label;		/* "process 12 (nginx)", "container web (podman)" */
};

/*
 * KIND is neither TARGET_COMMAND nor TARGET_SERVICE; TEXT is the plan's `attach`. Never found are pawl
 * itself, its keeper and what started pawl, since their trees hold pawl; services that pawl runs are.
 * Text that can name nothing is an ERR_INPUT; nothing found, several, or no right to look is an ERR_TARGET.
 */
int attach_find(struct keeper *keeper, enum target_kind kind, const char *text, struct attached *out, struct error *err);
/* Its processes now, zombies left out; none: it is gone. */
void attach_list(const struct attached *attached, struct processes *out);
/* False once it is gone; asking costs far less than the list. */
bool attach_lives(const struct attached *attached);
void attached_release(struct attached *attached);

/* TCP ports that PROCESSES listen on, ascending, each once; at most MAX are written, all are counted. */
size_t listening_ports(const struct processes *processes, int *ports, size_t max);
/* Processes that listen on TCP PORT here: for "already taken by redis-server (12)". May be empty though somebody listens. */
void port_listeners(int port, struct processes *out);

#endif
