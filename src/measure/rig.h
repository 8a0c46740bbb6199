/*
 * The rig: everything that measuring needs at hand, put together once per invocation. rig_open()
 * finds perf, reads the machine's facts, probes what it can count and takes the lock; the keeper
 * must have been started before.
 */
#ifndef PAWL_MEASURE_RIG_H
#define PAWL_MEASURE_RIG_H

#include <stdbool.h>

#include "measure/keeper.h"
#include "measure/perf_tool.h"
#include "model/machine.h"

struct rig {
	struct keeper *keeper;
	struct perf_tool perf;
	struct machine machine;
	int lock_fd;		/* -1: not held */
	int announced_fd;	/* where it is held, see lock_announce() */
	char *scratch;		/* a private folder for perf's output and ${tmp}, removed at the end */
	int scratch_lock;	/* see scratch.h */
};

struct rig_options {
	uint64_t lock_wait_ns;
	bool without_perf;	/* no perf is looked for, and the tier is TIER_SIM */
	/* Told once when another pawl holds the lock; may be NULL. */
	void (*waiting)(void *ctx, const char *holder);
	void *ctx;
};

/* Makes rig->scratch, after removing what pawls that were killed left behind. For those who need no more of a rig. */
int rig_make_scratch(struct rig *rig, struct error *err);
int rig_open(struct rig *rig, struct keeper *keeper, const struct rig_options *options, struct error *err);
/* Also ends what is listed in it, when the keeper was killed. */
void rig_remove_scratch(struct rig *rig);
void rig_close(struct rig *rig);

#endif
