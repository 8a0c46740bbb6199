/*
 * Messages between pawl and its keeper over a SOCK_SEQPACKET pair. A message is one struct, with file descriptors
 * attached. Both ends are the same program, so structs are sent as they are.
 */
#ifndef PAWL_MEASURE_PROCESS_WIRE_H
#define PAWL_MEASURE_PROCESS_WIRE_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "measure/process/child.h"

enum { WIRE_FDS_MAX = 8, WIRE_LIMITS_MOST = 16 };

enum wire_kind {
	/* To the keeper: */
	WIRE_SPAWN = 1,	/* fds: request (memfd), hold, exec-error, then the child's 0, 1, 2, ...; answered by WIRE_SPAWNED */
	WIRE_KILL,	/* signal to the process group of job */
	WIRE_SWEEP,	/* end orphans that belong to no service; answered by WIRE_SWEPT */
	WIRE_ADOPT,	/* all orphans without an owner now belong to the service job */
	WIRE_LIST,	/* the leader and the daemons of the service job; answered by WIRE_LISTED */
	WIRE_END,	/* kill the rest of the service job; answered by WIRE_SWEPT */
	WIRE_SHOW,	/* whether processes of the same user may inspect the keeper */
	WIRE_HOLD,	/* fd: to keep open */
	/* From the keeper: */
	WIRE_SPAWNED,	/* pid, or error */
	WIRE_EXITED,	/* job's status, usage and end */
	WIRE_SWEPT,	/* number of orphans killed, and their names */
	WIRE_LISTED,	/* pids */
	WIRE_TRACED,	/* names of the ended tracers of pawl */
};

struct wire {
	enum wire_kind kind;
	uint32_t job;
	pid_t pid;
	int signal;		/* WIRE_KILL */
	int error;		/* errno of a failed spawn */
	int status;		/* as wait() returns it */
	int killed;		/* WIRE_SWEPT */
	bool service;		/* WIRE_SPAWN: orphans of this job become its daemons */
	bool shown;		/* WIRE_SHOW */
	uint32_t n_pids;
	pid_t pids[WIRE_PIDS_MAX];	/* WIRE_LISTED */
	double cpu_ms;		/* WIRE_SWEPT: CPU time of orphans that ended since the last one */
	uint64_t end_ns;
	uint64_t grace_ns;	/* WIRE_SWEEP: time for orphans to end by themselves */
	struct rusage usage;
	struct io_counts io;	/* WIRE_EXITED: with `usage`; WIRE_SWEPT: of orphans, as cpu_ms */
	char names[256];	/* WIRE_SWEPT, WIRE_TRACED: "sleep (123), sh (124)" */
};

/* Describes the child to start. The strings of argv, then env, then the groups follow it; each string is terminated. */
struct wire_request {
	uint32_t n_argv, n_env, n_groups, n_fds;
	uint32_t aslr_off, pin, change_user, niced, n_limits;
	int32_t nice;
	struct wire_limit {
		int resource;
		uint64_t most;	/* UINT64_MAX: unlimited */
	} limits[WIRE_LIMITS_MOST];
	uid_t uid;
	gid_t gid;
	cpu_set_t cpus;
	char cwd[4096];
};

/* Returns 0, or -1 with errno. */
int wire_send(int sock, const struct wire *message, const int *fds, size_t n_fds);
/* Returns 1 for a message, 0 if the other side is gone, -1 with errno (EAGAIN: none now). */
int wire_receive(int sock, struct wire *out, int *fds_out, size_t *n_fds_out);

/* Interval at which pawl and the keeper check each other. */
#define KEEPER_LOOK_NS 1000000000ull
void keeper_process(int sock) __attribute__((noreturn));

#endif
