/* Recordings of perf for the search for a cause. They measure shares, so nothing is timed. */
#ifndef PAWL_MEASURE_TOOLS_RECORD_H
#define PAWL_MEASURE_TOOLS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/perf/perf.h"
#include "model/machine.h"

struct session;
struct side_result;

/* Receives the text of `perf script`. job/ binds it to profile/. */
struct profile_sink {
	void *ctx;
	int (*begin)(void *ctx, struct error *err);
	script_feed_fn *feed;
	/* Returns the number of samples. A run without any may be discarded. */
	int (*end)(void *ctx, uint64_t *samples_out, struct error *err);
};

/* A recording with complete stacks. record_plan() fills in all but the limit, `cut` and the sink. */
struct record_wish {
	struct record_spec how;		/* `fd` and `bursts` are set when it is recorded */
	unsigned samples;		/* by frequency: enough, by CPU time */
	unsigned executions;		/* or windows, at most; 0: any number */
	uint64_t duration_ns;		/* no further execution begins after it */
	uint64_t limit_ns;		/* recording and reading, two thirds of it for reading; 0: 15 s for reading */
	bool *cut;			/* see struct recorded */
	struct profile_sink sink;
};

/* Reads with perf script. *SAMPLES_OUT is the sink's. ERR_SYSTEM if perf fails or takes too long. */
int record_read(struct session *session, const struct recorded *recorded, const struct profile_sink *sink, uint64_t *samples_out,
		struct error *err);

/*
 * Plans for an execution, or window, as in COUNTED: enough CPU samples to tell a share of 1 % from 2 %; a sample of
 * faults may stand for several; switches are for offcpu_feed(). ERR_SYSTEM with a remedy if TIER cannot record WHAT.
 */
int record_plan(enum sampled what, enum tier tier, const struct side_result *counted, struct record_wish *out, struct error *err);

#endif
