/*
 * Messages between pawl and its keeper over a SOCK_SEQPACKET pair: one struct a message, file
 * descriptors beside it. Both ends are the same program, so structs travel as they are.
 */
#ifndef PAWL_MEASURE_PROCESS_WIRE_H
#define PAWL_MEASURE_PROCESS_WIRE_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

enum { WIRE_FDS_MAX = 8, WIRE_PIDS_MAX = 512 };

enum wire_kind {
	WIRE_SPAWN = 1,	/* to the keeper; fds: request (memfd), hold, exec-error, then the child's 0, 1, 2, 3, ... */
	WIRE_KILL,	/* to the keeper: signal to the process group of job */
	WIRE_SWEEP,	/* to the keeper: end processes that lost their parent, but services'; answered by WIRE_SWEPT */
	WIRE_ADOPT,	/* to the keeper: what lost its parent until now belongs to the service job */
	WIRE_LIST,	/* to the keeper: the leader and the daemons of the service job; answered by WIRE_LISTED */
	WIRE_END,	/* to the keeper: kill all that is left of the service job; answered by WIRE_SWEPT */
	WIRE_SHOW,	/* to the keeper: whether processes of the same user may look into it */
	WIRE_HOLD,	/* to the keeper; fd: to be kept open */
	WIRE_SPAWNED,	/* from the keeper: pid, or error; fd: none */
	WIRE_EXITED,	/* from the keeper: job's status, usage and end */
	WIRE_SWEPT,	/* from the keeper: how many had to be killed, and what they were */
	WIRE_LISTED,	/* from the keeper: pids */
	WIRE_TRACED,	/* from the keeper: names of what traced pawl, and was ended */
};

struct wire {
	enum wire_kind kind;
	uint32_t job;
	pid_t pid;
	int signal;		/* WIRE_KILL */
	int error;		/* errno of a failed spawn */
	int status;		/* as wait() gives it */
	int killed;		/* WIRE_SWEPT */
	bool service;		/* WIRE_SPAWN: orphans of this job are its daemons */
	bool shown;		/* WIRE_SHOW */
	uint32_t n_pids;
	pid_t pids[WIRE_PIDS_MAX];	/* WIRE_LISTED */
	double cpu_ms;		/* WIRE_SWEPT: of orphans that ended since the last one */
	uint64_t end_ns;
	uint64_t grace_ns;	/* WIRE_SWEEP: how long orphans may end by themselves */
	struct rusage usage;
	char names[256];	/* WIRE_SWEPT, WIRE_TRACED: "sleep (123), sh (124)" */
};

/* What a child is to become; the strings of argv, then env, follow it, each terminated, then the groups. */
struct wire_request {
	uint32_t n_argv, n_env, n_groups, n_fds;
	uint32_t aslr_off, pin, change_user;
	uid_t uid;
	gid_t gid;
	cpu_set_t cpus;
	char cwd[4096];
};

/* 0, or -1 with errno. */
int wire_send(int sock, const struct wire *message, const int *fds, size_t n_fds);
/* 1 for a message, 0 when the other side is gone, -1 with errno (EAGAIN: none now). */
int wire_receive(int sock, struct wire *out, int *fds_out, size_t *n_fds_out);

#endif
