/* Waits of threads, from the kernel's context switches. */
#ifndef PAWL_CAUSE_READERS_OFFCPU_H
#define PAWL_CAUSE_READERS_OFFCPU_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cause/ledger/own_code.h"
#include "profile/stacks.h"

enum wait_kind {
	WAIT_NONE,
	WAIT_SLEEP,	/* until a time has passed */
	WAIT_IO,	/* files */
	WAIT_PIPE,	/* another process to send or receive: pipes, sockets, terminals */
	WAIT_LOCK,
	/* The waits of those waited for are counted, too. */
	WAIT_THREAD,	/* another thread of the process, to end or to signal */
	WAIT_CHILD,	/* a child process */
	WAIT_KINDS,
};

/*
 * Returns the last frame of a waiting stack: "[sleep]", "[I/O]", "[pipe]", "[lock]", "[thread]", "[child]". Not for
 * WAIT_NONE.
 */
uint32_t wait_frame(struct stacks *stacks, enum wait_kind kind);
/* Returns the kind of the frame called NAME; WAIT_NONE for other names. */
enum wait_kind wait_named(const char *name);

/*
 * Converts a recording of context switches to stacks of waiting. The recording and its text, which may arrive in pieces
 * of any size, come from:
 *
 *	perf record -e context-switches -c 1 -g --switch-events
 *	perf script --show-switch-events --show-task-events -F comm,pid,tid,time,period,event,ip,sym,dso
 *
 * A sample has the stack at which its thread leaves the CPU. SWITCH records give the time until it is back. "preempt"
 * marks a thread that is still ready to run; it does not wait. Format: Linux, perf_event_open(2), PERF_RECORD_SWITCH.
 *
 *	struct offcpu *offcpu = offcpu_new(&stacks, &own, KEEPER_NAME);
 *	while (more) offcpu_feed(offcpu, data, len, err);
 *	offcpu_end(offcpu, &times, err);
 *	offcpu_free(offcpu);
 *
 * Every wait becomes a stack of event OFFCPU_WAITING: a sample weighted by its ns whose last frame is its wait_frame().
 * Time between records that perf lost is not counted. If a command was recorded from its exec on, its first thread
 * lives as long as the command. The waits of such a command are also split:
 *
 *	OFFCPU_HELD	nothing else of the command runs, so this wait delays it; with the waiting thread's stack. Exception: if
 *			it waits for others, and one of them sleeps or waits for files in own code, that thread's stack.
 *	OFFCPU_OTHERS	other threads or processes of the command work meanwhile; their work takes the time
 *	OFFCPU_LOCKED	waits for locks, of all threads
 *
 * Returns ERR_INPUT like script_feed(), and ERR_SYSTEM if the sums of the stacks differ from those of the records.
 */
#define OFFCPU_WAITING STACKS_WAITING
#define OFFCPU_HELD "held-up"
#define OFFCPU_OTHERS "others-work"
#define OFFCPU_LOCKED "locked"

struct offcpu_times {
	unsigned executions;	/* executions seen from their exec on; 0: attached to a running target */
	uint64_t waits;		/* voluntary switches of all threads */
	double cpu_ns, preempted_ns;		/* all threads; preempted: ready to run, but another thread runs */
	double waited_ns[WAIT_KINDS];		/* all threads, OFFCPU_WAITING by kind; WAIT_NONE: unknown */
	double first_ns, first_cpu_ns;		/* first threads of the executions: lifetime, and time running or ready to run */
	double held_ns[WAIT_KINDS], others_ns;	/* the rest of first_ns: OFFCPU_HELD by kind, and OFFCPU_OTHERS */
	uint64_t lost;		/* records and samples that perf lost */
};

struct offcpu;

/* INTO and OWN (may be NULL) must outlive the result. Threads named WITHOUT (NULL: none) are ignored. */
struct offcpu *offcpu_new(struct stacks *into, const struct own_code *own, const char *without);
int offcpu_feed(struct offcpu *offcpu, const char *data, size_t len, struct error *err);
int offcpu_end(struct offcpu *offcpu, struct offcpu_times *out, struct error *err);
void offcpu_free(struct offcpu *offcpu);

#endif
