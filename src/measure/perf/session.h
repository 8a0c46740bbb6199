/*
 * The rig: everything that measuring needs at hand, put together once per invocation. rig_open()
 * finds perf, reads the machine's facts, probes what it can count and takes the lock; the keeper
 * must have been started before.
 */
#ifndef PAWL_MEASURE_PERF_SESSION_H
#define PAWL_MEASURE_PERF_SESSION_H

#include <stdbool.h>

#include "base/error.h"
#include "measure/perf/perf_tool.h"
#include "measure/process/child.h"
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

/*
 * Where a run leaves its files: a folder named after the time and commit, `latest` beside it
 * pointing to it, old ones pruned; or the very folder that was asked for, without either.
 */

enum { OUTDIRS_KEPT = 20 };

/* Makes PARENT/<time>-<commit> and moves PARENT/latest to it. COMMIT may be NULL. For free(). */
int outdir_make(const char *parent, const char *commit, char **out, struct error *err);
/* Removes all but the newest OUTDIRS_KEPT folders that outdir_make() named. */
void outdir_prune(const char *parent);

/* UTC now as 2026-11-20T10:05:54Z; for free(). */
char *utc_now(void);

#endif
