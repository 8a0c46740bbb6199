/* The run loop's operations on real processes. */
#ifndef PAWL_MEASURE_RUN_SYSTEM_H
#define PAWL_MEASURE_RUN_SYSTEM_H

#include "measure/run/loop.h"
#include "measure/run/profile_runs.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"

struct live {
	struct rig *rig;
	struct env env;
	struct attached attached;	/* label NULL: the target is a service, or a command */
	bool keep_env;		/* leave the environment up */
	struct kept_env kept;
	const char *log_dir;	/* setup.log, target.log, ... are kept here; NULL: nowhere */
	struct profile_wish profile;	/* where loop_options.profile is set */
	struct profile_taken taken;	/* what came of it; event NULL: nothing */
	struct strbuf words;	/* the end of what was printed last */
	struct strbuf target;	/* and of what the target printed last */
	void (*progress)(void *ctx, const struct loop_progress *progress);
	void *progress_ctx;
};

struct loop_ops live_ops(struct live *live);
/*
 * Writes what the target printed to target.log, or what the load of an attached one did to load.log: it waits
 * until no measurement can be disturbed. Frees what is held.
 */
void live_finish(struct live *live);

#endif
