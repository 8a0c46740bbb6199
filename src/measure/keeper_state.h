/*
 * What the keeper process knows: the jobs it started, and which of its orphans belong to services.
 *
 * A process that lost its parent becomes the keeper's child, as the keeper is a subreaper. After a
 * command such orphans are ended; those of a service are its daemons and stay until the service is
 * ended. Which is whose is told, surest first: by the list of processes that were adopted when the
 * service had become ready; by the service's cgroup; by PAWL_JOB in the environment they were
 * started with (servers that write their title over it lose it); by the session or process group
 * of a process that is known; and while a service starts, by being nobody else's.
 */
#ifndef PAWL_MEASURE_KEEPER_STATE_H
#define PAWL_MEASURE_KEEPER_STATE_H

#include <stdbool.h>

#include "measure/abandoned.h"
#include "measure/processes.h"
#include "measure/wire.h"

enum { JOBS_MAX = 256, ADOPTED_MAX = 1024 };

struct job {
	uint32_t id;
	pid_t pid;
	bool service;	/* kept in the list after its end, until it is ended with all its processes */
	bool ended;
};

struct adopted {
	struct process process;
	uint32_t job;
};

struct state {
	int sock, signals;
	char owner[OWNER_ID_SIZE];
	struct job jobs[JOBS_MAX];
	size_t n_jobs;
	struct adopted adopted[ADOPTED_MAX];
	size_t n_adopted;
	uint32_t starting;	/* the service that is not ready yet: what nobody else started is its; 0: none */
	double orphans_cpu_ms;	/* of orphans that ended, since it was last told */
};

/* The running job that PID leads, or NULL. */
struct job *state_job_of_pid(struct state *k, pid_t pid);
struct job *state_job_of_id(struct state *k, uint32_t id);
void state_forget_job(struct state *k, struct job *job);
/* Note every child that ended, and tell pawl of jobs. */
void state_reap(struct state *k);
/* Sleep until a child ends, at most MS, then reap. */
void state_wait_for_child(struct state *k, int ms);

/* -------- orphans.c */

/* Which orphans: those of no service, of one service, or all. */
enum whose { ORPHANS_OF_NOBODY, ORPHANS_OF_JOB, ORPHANS_ALL };

/* Orphans that nobody owns, and that no other job started, become the service JOB's. */
void orphans_adopt(struct state *k, uint32_t job);
/* At most MAX orphans of the service JOB. */
size_t orphans_of(struct state *k, uint32_t job, pid_t *out, size_t max);
/* End them; they have GRACE_NS to end by themselves. ANSWER's killed and names tell what had to be killed. */
void orphans_sweep(struct state *k, enum whose whose, uint32_t job, uint64_t grace_ns, struct wire *answer);

#endif
