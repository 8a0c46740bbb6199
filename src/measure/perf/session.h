/*
 * The session: everything that measuring needs, put together once per invocation. session_open() finds perf, reads the
 * machine's facts, probes its counters and takes the lock. The keeper must have been started before.
 */
#ifndef PAWL_MEASURE_PERF_SESSION_H
#define PAWL_MEASURE_PERF_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/perf/perf_tool.h"
#include "model/machine.h"

struct session {
	struct keeper *keeper;
	struct perf_tool perf;
	struct machine machine;
	int lock_fd;		/* -1: not held */
	int announced_fd;	/* published while the lock is held, see lock_announce() */
	char *scratch;		/* a private folder for perf's output and ${tmp}, removed at the end */
	int scratch_lock;	/* held while the folder exists */
};

struct session_options {
	uint64_t lock_wait_ns;
	bool without_perf;	/* do not look for perf; the tier is TIER_SIM */
	bool perf_optional;	/* if no perf is usable, continue as with without_perf */
	/* Called once when another pawl holds the lock; may be NULL. */
	void (*waiting)(void *ctx, const char *holder);
	void *ctx;
};

/*
 * Makes session->scratch, after removing the leftovers of killed pawls. For callers that need no other part of a
 * session.
 */
int session_make_scratch(struct session *session, struct error *err);
int session_open(struct session *session, struct keeper *keeper, const struct session_options *options, struct error *err);
/* Also ends the processes listed in it, if the keeper was killed. */
void session_remove_scratch(struct session *session);
void session_close(struct session *session);

/*
 * Finds the countable events by counting a short loop under `perf stat`. "No PMU", "not permitted" and "multiplexed"
 * are different reasons, each with its own remedy.
 *
 * Fills tier, tier_reason, tier_remedy, counters, perf_path and perf_version of MACHINE. Fails (ERR_SYSTEM) only if
 * perf cannot count any event; the tier is then TIER_NONE. SESSION needs its keeper, perf and scratch folder.
 */
int session_probe(struct session *session, struct machine *machine, struct error *err);
/* Permits counting. */
#define REMEDY_PARANOID "sudo sysctl kernel.perf_event_paranoid=1"

#endif
