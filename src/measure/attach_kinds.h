/* Inside attach: one function a kind of target, which attach.c's table calls. */
#ifndef PAWL_MEASURE_ATTACH_KINDS_H
#define PAWL_MEASURE_ATTACH_KINDS_H

#include "measure/attach.h"

struct attach_search {
	pid_t keeper;
	const char *text;
	struct processes all;		/* as it began */
};

/* Each fills OUT, whose members are empty before; on failure the caller releases it. */
typedef int attach_fn(const struct attach_search *search, struct attached *out, struct error *err);

attach_fn attach_process_pid, attach_process_pidfile, attach_process_regex, attach_process_port;
attach_fn attach_cgroup_name;
attach_fn attach_container_name;

/* Pawl, its keeper, and what started pawl: no target holds one of them. */
bool attach_is_own(const struct attach_search *search, pid_t pid);
/* The tree of PID, unless it is gone, pawl's own or the kernel's. */
int attach_process_tree(const struct attach_search *search, pid_t pid, struct attached *out, struct error *err);
/* The folder of the cgroup that PID alone was put into, with what it started; NULL: it has none of its own. For free(). */
char *attach_cgroup_of(const struct attach_search *search, pid_t pid);

#endif
