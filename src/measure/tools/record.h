/*
 * Recordings of perf for the search for a cause: how much is recorded, and how. They measure shares, so nothing is timed.
 */
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
	/* A run's text begins. */
	int (*begin)(void *ctx, struct error *err);
	script_feed_fn *feed;
	/* The text is complete. Returns its number of samples. A run without samples may be discarded. */
	int (*end)(void *ctx, uint64_t *samples_out, struct error *err);
};

/* A recording with complete stacks. record_plan() fills in all but the limit, `cut` and the sink. */
struct record_wish {
	struct record_spec how;		/* `fd` and `bursts` are set when it is recorded */
	unsigned samples;		/* by frequency: enough, estimated from CPU time */
	unsigned executions;		/* most executions or windows; 0: any number */
	uint64_t duration_ns;		/* no further execution begins after it */
	uint64_t limit_ns;		/* for recording and reading; reading always gets two thirds of it; 0: none,
					 * but 15 s for reading */
	bool *cut;			/* see struct recorded */
	struct profile_sink sink;
};

/*
 * Reads RECORDED with perf script into SINK. *SAMPLES_OUT is as struct profile_sink's. ERR_SYSTEM if perf fails or takes
 * too long.
 */
int record_read(struct session *session, const struct recorded *recorded, const struct profile_sink *sink, uint64_t *samples_out,
		struct error *err);

/*
 * Plans a recording of WHAT that fits what COUNTED says of one execution, or window. Of CPU time it gets enough samples to
 * tell a share of 1 % from one of 2 %; a sample of page faults may stand for several; switches are for offcpu_feed().
 * ERR_SYSTEM with a remedy if a machine of TIER cannot record it.
 */
int record_plan(enum sampled what, enum tier tier, const struct side_result *counted, struct record_wish *out, struct error *err);

#endif
