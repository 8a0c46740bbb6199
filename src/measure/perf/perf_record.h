/*
 * One `perf record` attached to processes, whose samples go to a file that has no name yet: the target cannot write to
 * it by a path. With one, people can open it with perf later.
 *
 *	perf_record_attach(), perf_record_switch(off) -> perf_record_switch(on), ... -> perf_record_end()
 *	perf_record_dispose() always; the file stays
 *
 * Commands are recorded with perf attached to the keeper: samples are inherited by what it starts from then on, and
 * switched on only while a held child runs. So one perf, whose start takes longer than many a command, records any
 * number of executions; and perf 6.1, which spins once one of the processes it was given has ended, does not.
 *
 * Build-ids are in the file, and nothing is copied to ~/.debug.
 */
#ifndef PAWL_MEASURE_PERF_PERF_RECORD_H
#define PAWL_MEASURE_PERF_PERF_RECORD_H

#include "measure/perf/perf_tool.h"
#include "measure/process/child.h"
#include "model/machine.h"
#include "model/profile.h"

struct record_spec {
	const char *event;		/* "cpu-clock", "cycles:u" */
	unsigned frequency;		/* Hz */
	enum call_graph call_graph;
	int fd;				/* a file that is emptied, see file_unnamed() */
};

struct perf_record {
	struct perf_attached attached;
};

#define PERF_RECORD_INIT { .attached = PERF_ATTACHED_INIT }

/* What to sample by on a machine of TIER: cycles where they can be counted, else the clock; NULL where perf can do neither. */
const char *perf_record_event(enum tier tier);
/* The clock, which can be sampled by everywhere: some machines count cycles and cannot tell when there were enough. */
const char *perf_record_clock(enum tier tier);

/* PIDS are process numbers with commas between, sampled with every thread, and every child forked from then on. */
int perf_record_attach(struct keeper *keeper, const struct perf_tool *tool, const struct record_spec *spec,
		       const char *pids, struct perf_record *out, struct error *err);
/* Returns once perf has done it. */
int perf_record_switch(struct keeper *keeper, struct perf_record *record, bool on, struct error *err);
/* The file is complete after it. */
int perf_record_end(struct keeper *keeper, struct perf_record *record, struct error *err);
void perf_record_dispose(struct keeper *keeper, struct perf_record *record);

/*
 * `perf script` on a recording, its text handed on as it comes: any piece of it at a time, in bounded memory. Names stay
 * mangled and inlined functions unresolved: one takes a library that knows better, the other minutes.
 */

#define PERF_SCRIPT_FIELDS "comm,pid,tid,time,period,event,ip,sym,dso"

struct recorded {
	const char *file;	/* its path, or, where it is open already, the one it will have: for messages */
	int fd;			/* -1: to be opened */
	uint64_t limit_ns;	/* when a perf that is not done hangs; 0: after perf_script_limit_ns() */
};

/* What its size asks for: a minute, and ten seconds a mebibyte, but ten minutes at most. */
uint64_t perf_script_limit_ns(const struct recorded *recorded);

/* What takes the text; -1 with an error ends the reading. */
typedef int script_feed_fn(void *ctx, const char *data, size_t len, struct error *err);

/* A recording without a sample has no text, and that is no error. */
int perf_script_read(struct keeper *keeper, const struct perf_tool *tool, const struct recorded *recorded,
		     script_feed_fn *feed, void *ctx, struct error *err);

#endif
