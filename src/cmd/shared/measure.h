/*
 * Measuring a selection of scenarios into a result: the rig, the folder for what is left behind,
 * the noise around it, every scenario in turn. A scenario that fails does not keep the others from
 * running; an interrupt ends all, and what was measured stays in the result.
 */
#ifndef PAWL_CMD_SHARED_MEASURE_H
#define PAWL_CMD_SHARED_MEASURE_H

#include "cmd/cmd.h"
#include "cmd/shared/project.h"
#include "measure/machine/noise.h"
#include "measure/perf/session.h"
#include "measure/run/loop.h"
#include "measure/run/profile_runs.h"
#include "measure/run/system.h"
#include "measure/services/env.h"
#include "model/machine.h"
#include "model/result.h"
#include "profile/script.h"
#include "profile/stacks.h"
#include "scenario/plan.h"
#include "scenario/scenario.h"

struct suite {
	bool refuse_busy;	/* set it before: a machine that is busy already is not measured */
	struct result result;
	struct stacks *pruned;	/* profiles of the result's scenarios, pruned to be compared; empty where there is none */
	char *parent;		/* of the run's folder, to be pruned; NULL with --out */
	int interrupted;	/* signal, or 0 */
	struct kept_env kept;
	char *kept_file;	/* what PAWL_KEPT names when it is attached to, or NULL */
};

/* 0, or -1 when nothing could be measured at all. Gates are added, not judged. */
int suite_measure(struct suite *suite, struct project *project, struct invocation *inv, struct error *err);
/* Write result.json and report.md; call after judging. */
int suite_leave(struct suite *suite, struct error *err);
void suite_release(struct suite *suite);

/* What `run` and comparisons in pairs do alike for each scenario before they measure it. */

/* Fills OUT with all that the scenario's file says of it: settings, gates, metrics of its own. */
void scene_describe(const struct scenario *scenario, struct scenario_result *out);
/* The same of one side of a comparison in pairs: what its runs mean, without what is tolerated. */
void scene_describe_side(const struct scenario *scenario, struct scenario_result *out);
/* It could not be measured, and why. */
void scene_fail(struct scenario_result *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 0, or -1 after failing OUT with the first of `requires:` that is not installed; ROOT is its working folder. */
int scene_need_programs(const struct scenario *scenario, const char *root, struct scenario_result *out);

/*
 * What every measuring command does around its scenarios: begin a result, take the lock and the rig, make the folder
 * for what is left behind, watch the noise, write the reports.
 *
 *	outcome_begin() -> outcome_rig() -> outcome_folder() -> outcome_watch() -> ... -> outcome_watched() -> rig_close()
 *	-> judging -> outcome_leave()
 */

/* ROOT is the tree whose commit it is. RESULT is empty before. */
void outcome_begin(struct result *result, enum result_mode mode, struct invocation *inv, const char *root);
/* Waits for the lock as --lock-wait says. WITHOUT_PERF: every scenario asks for simulated counters. */
int outcome_rig(struct rig *rig, struct invocation *inv, bool without_perf, struct error *err);
/*
 * Makes the run's folder, result->out_dir: --out, else a new one in ROOT/FOLDER, which then is *PARENT_OUT, for free(),
 * and for outcome_leave() to prune.
 */
int outcome_folder(struct result *result, const struct options *options, const char *root, const char *folder,
		   char **parent_out, struct error *err);

struct outcome_watch {
	struct noise before;
	struct strv others;	/* pawls that measured when it began */
	double own_ms;
	uint64_t start_ns;
};

void outcome_watch(struct outcome_watch *watch, const struct invocation *inv);
/* The result gets the machine, its noise, and how long it took. */
void outcome_watched(struct outcome_watch *watch, const struct invocation *inv, struct rig *rig, struct result *result);

/* Writes result.json and the reports; call after judging. PARENT as outcome_folder() gave it. */
int outcome_leave(const struct result *result, const char *parent, struct error *err);

/* What a person sees while pawl measures: one line with the time left on a terminal, plain lines elsewhere. */

struct progress {
	const struct invocation *inv;
	size_t at, of;		/* scenario, from 1 */
	bool terminal;		/* standard error is one */
	bool github;		/* groups, inside GitHub Actions */
	enum loop_phase last;	/* plain lines: one a phase */
	bool open;		/* a line or group is begun */
	bool pairs;		/* it counts pairs: services start and warm up for each of them, which is told once */
	uint64_t shown_ns;	/* when the line was drawn last */
};

void progress_begin(struct progress *progress, const struct invocation *inv, size_t scenarios);
/* The next scenario starts. */
void progress_scenario(struct progress *progress, const char *name);
/* For struct live.progress. */
void progress_step(void *ctx, const struct loop_progress *step);
/* The scenario is over, with WORDS such as "10 runs". */
void progress_done(struct progress *progress, const char *name, const char *words);

/*
 * Profiles of scenarios: what measuring records becomes stacks, shares and pictures.
 *
 *	profiling_wanted() -> profiling_wish() for the run loop -> profiling_finish()
 *	profiling_release() always
 */

struct profiling {
	const struct scenario *scenario;
	const char *dir;		/* the scenario's folder of the run */
	struct stacks run;		/* that is being read */
	struct script *script;
	struct stacks all;		/* those that were read, of n_runs */
	unsigned n_runs;
	struct stacks pruned;		/* what is left of them to be compared; empty: there is no profile */
};

/* Is SCENARIO to be profiled? When not, OUT's profile gets a warning that says why, for the gates that rest on it. */
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

/*
 * One side of a scenario that is measured, alone or beside another: what runs there, what it does to the system, what is
 * made of it.
 *
 *	scenario, root, result, out, tmp -> side_begin() -> side_plan() -> sides_loop() ... loop_free() -> side_end()
 *	profiling_release() when nobody needs its profile any more
 */
struct measured_side {
	const struct scenario *scenario;
	const char *root;		/* what its commands work in; absolute */
	struct scenario_result *result;
	char *out, *tmp;		/* ${out} and ${tmp}, on the heap */
	struct plan plan;
	bool planned;
	struct live live;
	struct profiling profiling;
};

/* SIDE, RIG and PROGRESS must stay where they are. */
void side_begin(struct measured_side *side, struct rig *rig, struct progress *progress);
/* Makes its folders and its plan; NAMES says what ports and places mean, the rest is filled in. */
int side_plan(struct measured_side *side, struct plan_context names, struct error *err);
/* The loop over N (1 or 2) sides that are planned; what the scenario and the machine say of OPTIONS is filled in. */
struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *options);
/* Ends all but its profiling. */
void side_end(struct measured_side *side, bool keep_tmp);

#endif
