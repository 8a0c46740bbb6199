/*
 * A `perf stat` or `perf record` on running processes: started disabled, switched on and off on
 * acknowledgement, ended by SIGINT.
 *
 * A held command is counted from its exec to its end:
 * 	perf_stat_attach(), perf_switch(on) -> child_release(target), child_wait(target) -> perf_stat_end()
 * Running processes are counted while a window lasts. The first switch returns once perf is attached:
 * 	perf_stat_attach(), perf_switch(off) -> perf_switch(on), ..., perf_switch(off) -> perf_stat_end()
 * Samples go to a file:
 * 	perf_record_attach(), perf_switch(off) -> perf_switch(on), ... -> perf_record_end()
 * Always call perf_dispose(); the file stays.
 *
 * PIDS is a comma-separated list of process ids. perf covers each of their threads and every child forked from then on.
 *
 * A target could open perf's pipes and files through /proc/PID/fd, but not its sockets. So perf gets its commands and
 * writes its counts through sockets, and a recording gets its name once it has been read.
 */
#ifndef PAWL_MEASURE_PERF_PERF_H
#define PAWL_MEASURE_PERF_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/child.h"
#include "model/machine.h"
#include "model/profile.h"

struct perf_tool;

struct perf {
	struct child child;
	const char *what;	/* "perf stat", for messages */
	const char *path;	/* path of the program; borrowed */
	int control_fd;
	int output_fd;		/* holds the counts of `perf stat` once it has ended */
};

#define PERF_INIT { .what = "perf", .control_fd = -1, .output_fd = -1 }

/* EVENTS must not be empty. */
int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     struct perf *out, struct error *err);

/*
 * Commands are recorded with perf attached to the keeper: what it starts inherits the sampling, which is switched on only
 * while a held child runs. One perf records any number of executions, since it takes longer to start than many commands.
 */
struct record_spec {
	const char *event;		/* "cpu-clock", "cycles:u", "page-faults" */
	unsigned frequency;		/* Hz; 0: by period */
	uint64_t period;		/* events per sample */
	enum call_graph call_graph;
	bool switches;			/* also record when each thread leaves the CPU and comes back */
	unsigned stack_bytes;		/* size of the stack copy kept for unwinding; 0: perf's default */
	bool bursts;			/* expect thousands of samples within milliseconds: larger buffers */
	int fd;				/* a file that is emptied, see file_unnamed() */
};

int perf_record_attach(struct keeper *keeper, const struct perf_tool *tool, const struct record_spec *spec,
		       const char *pids, struct perf *out, struct error *err);
/* Returns once perf has acknowledged. */
int perf_switch(struct keeper *keeper, struct perf *perf, bool on, struct error *err);
/* Ends perf and reads the rows, possibly zero. ERR_SYSTEM if perf hangs or another process killed it. */
int perf_stat_end(struct keeper *keeper, struct perf *perf, struct perf_rows *out, struct error *err);
/* Ends the recording and completes its file. */
int perf_record_end(struct keeper *keeper, struct perf *perf, struct error *err);
void perf_dispose(struct keeper *keeper, struct perf *perf);

/* Runs `perf script` on a recording and passes its text on in pieces, names mangled and inlined functions unresolved. */

struct recorded {
	const char *file;	/* its path; if it is already open, its future path, for messages */
	int fd;			/* -1: open `file` */
	uint64_t limit_ns;	/* time limit, after which perf counts as hung; 0: perf_script_limit_ns() */
	bool switches;		/* include the switch records, and those of threads that begin and end */
	bool *cut;		/* set if the limit ended perf; complete samples are kept. NULL: an error then */
};

/* Returns the time limit for the file's size: a minute plus ten seconds per mebibyte, at most ten minutes. */
uint64_t perf_script_limit_ns(const struct recorded *recorded);

/* Receives the text. Returning -1 with an error ends the reading. */
typedef int script_feed_fn(void *ctx, const char *data, size_t len, struct error *err);

/* A recording without samples has an empty text; that is not an error. */
int perf_script_read(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
		     script_feed_fn *feed, void *ctx, struct error *err);

#endif
