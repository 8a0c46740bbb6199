/*
 * One `perf stat` attached to processes: started disabled, switched on and off on acknowledgement,
 * ended by SIGINT, its CSV read back as rows.
 *
 * A held command is counted from its exec to its end:
 *	perf_stat_attach(), perf_stat_switch(on) -> child_release(target), child_wait(target) -> perf_stat_read()
 * Running processes are counted while a window lasts; switching off first tells that perf is attached:
 *	perf_stat_attach(), perf_stat_switch(off) -> perf_stat_switch(on), ..., perf_stat_switch(off) -> perf_stat_read()
 * perf_stat_dispose() always.
 *
 * The CSV comes by a socket that perf alone inherits: it has no name that the target could write to.
 */
#ifndef PAWL_MEASURE_PERF_PERF_STAT_H
#define PAWL_MEASURE_PERF_PERF_STAT_H

#include "measure/perf/perf_tool.h"
#include "model/result.h"

struct perf_stat {
	struct perf_attached attached;
	int output_fd;		/* where its CSV can be read once it has ended */
};

#define PERF_STAT_INIT { .attached = PERF_ATTACHED_INIT, .output_fd = -1 }

/*
 * EVENTS must not be empty; PIDS are process numbers with commas between, of which perf counts every
 * thread and every child forked from then on.
 */
int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, const char *pids,
		     struct perf_stat *out, struct error *err);
/* Returns once perf has done it. */
int perf_stat_switch(struct keeper *keeper, struct perf_stat *stat, bool on, struct error *err);
/* Ends perf and reads the rows, which may be none. */
int perf_stat_read(struct keeper *keeper, struct perf_stat *stat, struct perf_rows *out, struct error *err);
void perf_stat_dispose(struct keeper *keeper, struct perf_stat *stat);

#endif
