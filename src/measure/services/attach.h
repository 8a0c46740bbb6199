/*
 * Finds a running target: one tree of processes or one cgroup, never several unrelated processes. A container without a
 * cgroup of its own (podman --cgroups=disabled) is a tree and the pid namespace of its first process.
 */
#ifndef PAWL_MEASURE_SERVICES_ATTACH_H
#define PAWL_MEASURE_SERVICES_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "measure/process/proc.h"
#include "scenario/scenario.h"

struct keeper;
struct processes;

struct attached {
	struct process root;	/* root of the tree; start 0 for a cgroup */
	char *cgroup;		/* folder whose cgroup.procs lists the target, or NULL */
	ino_t namespace;	/* all processes of this pid namespace also belong to the target; 0: tree only */
	char *label;		/* "process 12 (nginx)", "container web (podman)" */
};

/*
 * Finds the target. KIND is neither TARGET_COMMAND nor TARGET_SERVICE; TEXT is the plan's `attach`. What holds pawl itself
 * never matches. ERR_INPUT if TEXT cannot name a target. ERR_TARGET if there is none or several, or no permission to look.
 */
int attach_find(struct keeper *keeper, enum target_kind kind, const char *text, struct attached *out, struct error *err);
/* Lists the target's processes, without zombies. Empty if the target is gone. */
void attach_list(const struct attached *attached, struct processes *out);
/* True while the target lives. Far cheaper than the list. */
bool attach_lives(const struct attached *attached);
void attached_release(struct attached *attached);

/* Lists the TCP ports that PROCESSES listen on, ascending. Writes at most MAX, returns the total. */
size_t listening_ports(const struct processes *processes, int *ports, size_t max);
/* Lists the processes that listen on TCP PORT. May be empty although the port is in use. */
void port_listeners(int port, struct processes *out);

#endif
