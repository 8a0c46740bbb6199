/*
 * What threads wait for, as the kernel switches them.
 */
#ifndef PAWL_CAUSE_OFFCPU_H
#define PAWL_CAUSE_OFFCPU_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "cause/own_code.h"
#include "profile/stacks.h"

enum wait_kind {
	WAIT_NONE,
	WAIT_SLEEP,	/* for a time to pass */
	WAIT_IO,	/* files */
	WAIT_PIPE,	/* what another process sends or takes: pipes, sockets, terminals */
	WAIT_LOCK,
	/* What these wait for is counted with them, too. */
	WAIT_THREAD,	/* another thread of its own, to end or to say something */
	WAIT_CHILD,	/* a process that it started */
	WAIT_KINDS,
};

/* "[sleep]", "[I/O]", "[pipe]", "[lock]", "[thread]", "[child]": the last frame of a stack that waits. Not of WAIT_NONE. */
uint32_t wait_frame(struct stacks *stacks, enum wait_kind kind);
/* The kind whose frame is called NAME; WAIT_NONE of any other. */
enum wait_kind wait_named(const char *name);

/*
 * The text of `perf script --show-switch-events --show-task-events -F comm,pid,tid,time,period,event,ip,sym,dso` on a recording of
 * `perf record -e context-switches -c 1 -g --switch-events` to stacks of waiting, as a stream: any piece of it at a time. A sample has
 * the stack at which its thread leaves the CPU, SWITCH records the time until it is back, and "preempt" tells one that was pushed off from
 * one that waits. Linux: perf_event_open(2), PERF_RECORD_SWITCH.
 *
 *	struct offcpu *offcpu = offcpu_new(&stacks, &own, KEEPER_NAME);
 *	while (more) offcpu_feed(offcpu, data, len, err);
 *	offcpu_end(offcpu, &times, err);
 *	offcpu_free(offcpu);
 *
 * Every wait becomes a stack of OFFCPU_WAITING: a sample that weighs its ns, whose last frame is its wait_frame(). What lies between
 * records that perf lost is not counted. Where a command was recorded from its exec on, its first thread lives as long as the command
 * takes; its waits are told apart once more:
 *
 *	OFFCPU_HELD	nothing else of the command runs: this is what it is held up by, at the thread that waits; where that one waits
 *			for others, of which one sleeps or waits for files in own code, at that one
 *	OFFCPU_OTHERS	others of the command are at work meanwhile: what they do is what it takes so long
 *	OFFCPU_LOCKED	waits for locks, of all threads
 *
 * ERR_INPUT as script_feed() has it. ERR_SYSTEM when the sums of the stacks differ from those of the records.
 */
#define OFFCPU_WAITING STACKS_WAITING
#define OFFCPU_HELD "held-up"
#define OFFCPU_OTHERS "others-work"
#define OFFCPU_LOCKED "locked"

struct offcpu_times {
	unsigned executions;	/* that were seen from their exec on; 0: what is attached to */
	uint64_t waits;		/* how often a thread left the CPU by itself */
	double cpu_ns, preempted_ns;		/* of all threads; preempted is ready to run, but another one does */
	double waited_ns[WAIT_KINDS];		/* of all threads, OFFCPU_WAITING by what for; of WAIT_NONE what is not known */
	double first_ns, first_cpu_ns;		/* of the executions' first threads: how long they lived, and ran or were ready to */
	double held_ns[WAIT_KINDS], others_ns;	/* the rest of that: OFFCPU_HELD by what for, OFFCPU_OTHERS */
	uint64_t lost;		/* records and samples that perf lost */
};

struct offcpu;

/* OWN, which may be NULL, and INTO outlive it. Threads called WITHOUT (NULL: none) are passed over. */
struct offcpu *offcpu_new(struct stacks *into, const struct own_code *own, const char *without);
int offcpu_feed(struct offcpu *offcpu, const char *data, size_t len, struct error *err);
int offcpu_end(struct offcpu *offcpu, struct offcpu_times *out, struct error *err);
void offcpu_free(struct offcpu *offcpu);

#endif
