/*
 * A `perf stat` or `perf record` on running processes: started disabled, switched on and off on
 * acknowledgement, ended by SIGINT.
 *
 * A held command is counted from its exec to its end:
 * 	perf_stat_attach(), perf_switch(on) -> child_release(target), child_wait(target) -> perf_stat_end()
 * Running processes are counted while a window lasts; the first switch returns once perf is attached:
 * 	perf_stat_attach(), perf_switch(off) -> perf_switch(on), ..., perf_switch(off) -> perf_stat_end()
 * Samples go to a file:
 * 	perf_record_attach(), perf_switch(off) -> perf_switch(on), ... -> perf_record_end()
 * perf_dispose() always; the file stays.
 *
 * PIDS are process numbers with commas between; perf counts, or samples, each of their threads and every child forked from
 * then on.
 *
 * Whoever runs as the same user can open the pipes and files of another process through /proc/PID/fd, but not its
 * sockets. So perf gets its commands and writes what it counted through sockets, or the target could switch its own
 * counters off; and a recording has no name yet. With one, people can open it with perf later.
 *
 * perf gets LC_ALL=C, since decimal commas corrupt its output, and no file of settings of the user's, since these
 * change what it does; the target keeps its own locale.
 */
#ifndef PAWL_MEASURE_PERF_PERF_H
#define PAWL_MEASURE_PERF_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/child.h"
#include "model/machine.h"
#include "model/profile.h"

struct error;
struct perf_rows;
struct perf_tool;
struct strv;

struct perf {
	struct child child;
	const char *what;	/* "perf stat", for messages */
	const char *path;	/* of the program; borrowed */
	int control_fd;
	int output_fd;		/* where what `perf stat` counted can be read once it has ended */
};

#define PERF_INIT { .what = "perf", .control_fd = -1, .output_fd = -1 }

/* EVENTS must not be empty. */
int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     struct perf *out, struct error *err);

/*
 * Commands are recorded with perf attached to the keeper: samples are inherited by what it starts from then on, and
 * switched on only while a held child runs. So one perf, whose start takes longer than many a command, records any
 * number of executions; and perf 6.1, which spins once one of the processes it was given has ended, does not.
 *
 * Build-ids are in the file, and nothing is copied to ~/.debug.
 */
struct record_spec {
	const char *event;		/* "cpu-clock", "cycles:u", "page-faults" */
	unsigned frequency;		/* Hz; 0: by period */
	uint64_t period;		/* events a sample */
	enum call_graph call_graph;
	bool switches;			/* with records of when each thread leaves the CPU and comes back */
	unsigned stack_bytes;		/* of the stack that is kept to be unwound; 0: as perf does */
	bool bursts;			/* samples may come by the thousand within milliseconds: with room for them, where that is permitted */
	int fd;				/* a file that is emptied, see file_unnamed() */
};

int perf_record_attach(struct keeper *keeper, const struct perf_tool *tool, const struct record_spec *spec,
		       const char *pids, struct perf *out, struct error *err);
/* Returns once perf has done it. */
int perf_switch(struct keeper *keeper, struct perf *perf, bool on, struct error *err);
/* Ends perf and reads the rows, which may be none. ERR_SYSTEM when it hangs, or was killed by somebody else. */
int perf_stat_end(struct keeper *keeper, struct perf *perf, struct perf_rows *out, struct error *err);
/* The file is complete after it. */
int perf_record_end(struct keeper *keeper, struct perf *perf, struct error *err);
void perf_dispose(struct keeper *keeper, struct perf *perf);

/* What to sample by on a machine of TIER: cycles where they can be counted, else the clock; NULL where perf can do neither. */
const char *perf_record_event(enum tier tier);
/* The clock, which can be sampled by everywhere: the counter of some machines never interrupts. */
const char *perf_record_clock(enum tier tier);

/*
 * `perf script` on a recording, its text handed on as it comes: any piece of it at a time, in bounded memory. Names stay
 * mangled and inlined functions unresolved: one takes a library that knows better, the other minutes.
 */

struct recorded {
	const char *file;	/* its path, or, where it is open already, the one it will have: for messages */
	int fd;			/* -1: to be opened */
	uint64_t limit_ns;	/* when a perf that is not done hangs; 0: after perf_script_limit_ns() */
	bool switches;		/* their records are part of the text, and those of threads that begin and end */
	bool *cut;		/* set where the limit ended it: whole samples that were read by then are kept. NULL: an error, as without any */
};

/* What its size asks for: a minute, and ten seconds a mebibyte, but ten minutes at most. */
uint64_t perf_script_limit_ns(const struct recorded *recorded);

/* What takes the text; -1 with an error ends the reading. */
typedef int script_feed_fn(void *ctx, const char *data, size_t len, struct error *err);

/* A recording without a sample has no text, and that is no error. */
int perf_script_read(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
		     script_feed_fn *feed, void *ctx, struct error *err);

#endif
