/*
 * The keeper: a small process between pawl and everything pawl starts. It is parent and subreaper
 * of all of it, so that whatever happens, even SIGKILL to pawl, nothing outlives pawl: when pawl's
 * end of the socket closes, the keeper kills what is left, then ends.
 *
 * Start it first of all, while pawl is small: a forked child's peak memory begins at what the
 * keeper holds (wait4 reports the larger of before and after exec). Children are started through
 * measure/child.h, which is the only user of the calls below the line.
 */
#ifndef PAWL_MEASURE_KEEPER_H
#define PAWL_MEASURE_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "measure/abandoned.h"
#include "measure/interrupt.h"
#include "measure/wire.h"

struct child;

struct keeper {
	int sock;
	pid_t pid;
	char owner[OWNER_ID_SIZE];	/* what it starts is marked so (abandoned.h) */
	uint32_t last_job;
	struct child *children;		/* started and not yet disposed of */
	struct interrupt *interrupt;	/* polled beside, may be NULL */
	int signals;			/* SIGCHLD, for when somebody stops the keeper */
	bool lost;			/* killed by somebody; what it kept is ended by keeper_stop() */
	bool gone;			/* and its socket has said so */
	double cpu_ms;			/* user and system time of every child that ended */
	char tracer[256];		/* what traced pawl or the keeper and was ended, until it is told; "" */
	uint64_t look_ns;		/* when to look next whether the keeper is traced */
};

/* Fork the keeper. INTERRUPT (may be NULL) ends every wait with ERR_INTERRUPTED. */
int keeper_start(struct keeper *keeper, struct interrupt *interrupt, struct error *err);
/* Ends everything still running, then the keeper. Harmless when never started. */
void keeper_stop(struct keeper *keeper);

/*
 * End every orphan that is no service's: a process whose own parent is gone, such as a daemon a
 * target left behind. They have GRACE_NS to end by themselves. Returns how many had to be killed, with their names in
 * NAMES (256 bytes), or -1.
 */
int keeper_sweep(struct keeper *keeper, uint64_t grace_ns, char names[256], struct error *err);

/*
 * Services (child_spec.service) keep their orphans, which are daemons of theirs. keeper_adopt(): what
 * lost its parent until now, and nobody owns, is JOB's; call it when the service has become ready.
 * keeper_kin(): its leader and its daemons, at most MAX; they may have children. keeper_end_service():
 * kill what is left of it, at once; how many daemons, with their names, as keeper_sweep().
 */
int keeper_adopt(struct keeper *keeper, uint32_t job, struct error *err);
int keeper_kin(struct keeper *keeper, uint32_t job, pid_t *pids, size_t max, size_t *n_out, struct error *err);
int keeper_end_service(struct keeper *keeper, uint32_t job, char names[256], struct error *err);

/*
 * Processes of the same user may not look into the keeper, nor into pawl (PR_SET_DUMPABLE): let perf, while it attaches.
 */
int keeper_show(struct keeper *keeper, bool shown, struct error *err);
/* The keeper keeps this descriptor open to its end, and with it a lock. */
int keeper_hold(struct keeper *keeper, int fd, struct error *err);
/*
 * -1 with ERR_TARGET when a child traced pawl or the keeper, which each see of the other within a second or two and end;
 * told once.
 */
int keeper_check_tracer(struct keeper *keeper, struct error *err);
/* It was killed, or does not answer; told without waiting. */
bool keeper_is_lost(struct keeper *keeper);

/* -------- for child.c */

/*
 * Tell the keeper something, with descriptors to go along. One that a child has stopped is woken. One
 * that was killed, or has not answered once, is an ERR_SYSTEM at once.
 */
int keeper_send(struct keeper *keeper, const struct wire *message, const int *fds, size_t n_fds, struct error *err);

/* How long an answer may take; a keeper that is slower was stopped. */
#define KEEPER_ANSWER_NS 20000000000ull
int keeper_silent(struct keeper *keeper, struct error *err);

/* Wait for one message until the deadline; handles WIRE_EXITED. 1: got one, 0: timed out, -1: error. */
int keeper_pump(struct keeper *keeper, uint64_t deadline_ns, struct wire *out, struct error *err);
/* How often pawl and the keeper look at each other. */
#define KEEPER_LOOK_NS 1000000000ull
/*
 * End what traces PID, and let PID go on, if it descends from KEEPER: who debugs pawl from outside is left alone. True, with
 * its name in NAMES.
 */
bool keeper_end_tracer(pid_t pid, pid_t keeper, char names[256]);
void keeper_process(int sock) __attribute__((noreturn));

#endif
