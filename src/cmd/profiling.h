/*
 * Profiles of scenarios: what measuring records becomes stacks, shares and pictures.
 *
 *	profiling_wanted() -> profiling_wish() for the run loop -> profiling_finish()
 *	profiling_release() always
 */
#ifndef PAWL_CMD_PROFILING_H
#define PAWL_CMD_PROFILING_H

#include "cmd/cmd.h"
#include "measure/profile_runs.h"
#include "model/machine.h"
#include "profile/script.h"

struct profiling {
	const struct scenario *scenario;
	const char *dir;		/* the scenario's folder of the run */
	struct stacks run;		/* that is being read */
	struct script *script;
	struct stacks all;		/* those that were read, of n_runs */
	unsigned n_runs;
	struct stacks pruned;		/* what is left of them to be compared; empty: there is no profile */
};

/* Is SCENARIO to be profiled? When not, OUT's profile gets a doubt that says why, for the gates that rest on it. */
bool profiling_wanted(const struct scenario *scenario, const struct options *options, const struct machine *machine,
		      struct scenario_result *out);
/* Both must outlive PROFILING, and PROFILING the run loop. */
struct profile_wish profiling_wish(struct profiling *profiling, const struct scenario *scenario, const char *dir);
/*
 * TAKEN becomes OUT's profile, the pruned one, and perf.data's neighbours stacks.folded, flamegraph.svg and top.md. Nothing
 * happens when nothing was taken; what goes wrong is a note.
 */
void profiling_finish(struct profiling *profiling, const struct profile_taken *taken, struct scenario_result *out);
void profiling_release(struct profiling *profiling);

#endif
