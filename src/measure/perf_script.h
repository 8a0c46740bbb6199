/*
 * `perf script` on a recording, its text handed on as it comes: any piece of it at a time, in bounded memory. Names stay
 * mangled and inlined functions unresolved: one takes a library that knows better, the other minutes.
 */
#ifndef PAWL_MEASURE_PERF_SCRIPT_H
#define PAWL_MEASURE_PERF_SCRIPT_H

#include "measure/keeper.h"
#include "measure/perf_tool.h"

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
