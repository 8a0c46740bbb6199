/*
 * One `perf stat` attached to one held process: started disabled, enabled on acknowledgement,
 * ended by SIGINT once the target is gone, its CSV read back as rows.
 *
 *	perf_stat_attach() -> child_release(target), child_wait(target) -> perf_stat_read()
 *	perf_stat_dispose() always
 *
 * perf gets LC_ALL=C, since decimal commas corrupt its output; the target keeps its own locale.
 */
#ifndef PAWL_MEASURE_PERF_STAT_H
#define PAWL_MEASURE_PERF_STAT_H

#include "measure/child.h"
#include "measure/perf_tool.h"
#include "model/result.h"

struct perf_stat {
	struct child perf;
	int control_fd, ack_fd;
	char *file;		/* perf's output, removed on dispose */
};

/* EVENTS must not be empty. FILE is where perf may write; its folder exists. */
int perf_stat_attach(struct keeper *keeper, const struct perf_tool *tool, const struct strv *events, pid_t pid,
		     const char *file, struct perf_stat *out, struct error *err);
/* Ends perf and reads the rows, which may be none. */
int perf_stat_read(struct keeper *keeper, struct perf_stat *stat, struct perf_rows *out, struct error *err);
void perf_stat_dispose(struct keeper *keeper, struct perf_stat *stat);

#endif
