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
	char *scratch;		/* a private folder for perf's output, removed at the end */
};

/* With WITH_PERF false no perf is looked for, and the tier is TIER_SIM. */
int rig_open(struct rig *rig, struct keeper *keeper, uint64_t lock_wait_ns, bool with_perf, struct error *err);
void rig_close(struct rig *rig);

#endif
