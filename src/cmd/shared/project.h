/*
 * The project a command works on: its root, its configuration, its scenarios and baselines. Whatever judges is read from
 * one source: the working tree, or where --baseline-ref names a commit, and where somebody else's change is measured,
 * the base. The tree at the root is what is measured.
 *
 *	project_open() -> project_select() -> project_baseline() ... project_close()
 *
 * Faults of files go to project->diags, all of them in one go, for faults_print().
 */
#ifndef PAWL_CMD_SHARED_PROJECT_H
#define PAWL_CMD_SHARED_PROJECT_H

#include <stdbool.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "measure/git/file_source.h"
#include "model/baseline.h"
#include "model/result.h"
#include "scenario/config.h"

struct project {
	char *root;			/* absolute */
	char *top;			/* of the repository, where FILES is a commit; else NULL */
	struct file_source files;	/* what judges */
	struct file_source tree;	/* the tree at the root */
	struct file_source fork;	/* the commit where the change left its base; empty: unknown, or the base itself */
	struct file_source elsewhere;	/* of --baselines DIR, which is no part of the change; else empty */
	struct file_source *accepted;	/* the baselines are its, in the folder */
	char *accepted_in;
	struct project_baseline **accepted_read;
	size_t n_accepted, cap_accepted;
	struct judged_by by;		/* by.ref NULL: the tree judges itself */
	struct config config;
	char *scenarios_dir, *baselines_dir;	/* absolute */
	struct scenario *scenarios;	/* selected, in order of name */
	size_t n_scenarios, cap_scenarios;
	struct strv gone;		/* names of those selected that the measured tree does not have any more */
	struct calibration calibration;	/* what pawl.yaml names, see calibrations.h; empty without */
	struct diags diags;
};

/* Root and configuration. ARGS are the command's SCENARIO arguments, from which the root is found. */
int project_open(struct project *project, struct invocation *inv, const struct strv *args, struct error *err);
/* The same, judged by commit REF, which messages call SHOWN. */
int project_open_ref(struct project *project, struct invocation *inv, const struct strv *args, const char *ref, const char *shown,
		     struct error *err);
/* With ROOT as it is, whatever lies above it. */
int project_open_at(struct project *project, struct invocation *inv, const char *root, struct error *err);
/* From now on the tree at the root is judged by BASE, which is taken over and called SHOWN. Call before project_select(). */
int project_judge_by(struct project *project, struct invocation *inv, struct file_source *base, const char *shown, struct error *err);
/* Says what of the files that judge differs in BASE, called SHOWN; the tree's own judge all the same. Call after project_select(). */
int project_tell_edits(struct project *project, struct file_source *base, const char *shown, struct error *err);
/*
 * The scenarios that ARGS (paths and names; empty: all) and --tag select. -1 with an ERR_INPUT when
 * any is invalid: project->diags holds the faults, which the caller prints.
 */
int project_select(struct project *project, struct invocation *inv, const struct strv *args, struct error *err);
/* What SCENARIO, one of those selected, was read from; appended. */
int project_scenario_text(struct project *project, const struct scenario *scenario, struct strbuf *out, struct error *err);
/* Keep only shard I of N, given as "I/N". */
int project_shard(struct project *project, const char *shard, struct error *err);
/*
 * Gates judged in pairs, over all scenarios of the project and the selected ones beyond them: they share the error of a
 * comparison in pairs. A file that is faulty or cannot be read counts for none, which a new note of NOTES tells.
 */
unsigned project_paired_gates(struct project *project, struct strv *notes);
/* The measured tree does not have the scenario of that name any more; for the report when it cannot be run. */
bool project_is_gone(const struct project *project, const char *scenario);
/* The names of all scenarios of the project at ROOT that have no faults; -1 when it cannot be read. */
int project_names(struct invocation *inv, const char *root, struct strv *out);
/* PATH (absolute) as the sources know it, relative to the root; NULL where they do not reach it. For free(). */
char *project_below(const struct project *project, const char *path);
/* Every selected scenario asks for simulated counters: no perf is needed. */
bool project_only_simulated(const struct project *project);
void project_close(struct project *project);

/* Where a scenario's baseline for a class lies; for free(). */
char *project_baseline_path(const struct project *project, const char *scenario, const char *class);
/* A baseline that was read; the project's, which reads no file twice. */
struct project_baseline {
	char *file;		/* its name */
	char *path;		/* absolute */
	struct baseline baseline;
};

/*
 * The baseline of SCENARIO for MACHINE: of its class, else the newest of the same architecture.
 * 1 with OUT filled, 0 when there is none, -1 when one is damaged.
 */
int project_baseline(struct project *project, const char *scenario, const struct machine *machine, struct project_baseline **out,
		     struct error *err);
/* Every baseline file of SCENARIO, as file names. */
int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err);
/* Read one baseline file; 1, 0 when missing, -1. */
int project_read_baseline(struct project *project, const char *scenario, const char *file, struct project_baseline **out,
			  struct error *err);
/* The text of another file beside SCENARIO's baselines, given by its path; 1, 0 when missing, -1. */
int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit, struct strbuf *out,
			struct error *err);

/*
 * The tolerances that were found for machine classes: the file that pawl.yaml names as `calibration:`. From a commit where
 * scenarios are read from one, so that a pull request cannot loosen its own gates.
 *
 *	project_select() reads it -> rig_open() tells the machine class -> calibrations_apply() -> gates are described
 */

/*
 * To project->calibration. Without the key there is none; a file that is missing is an ERR_INPUT, except for
 * `calibrate`, which makes it. A faulty one adds to project->diags.
 */
int calibrations_read(struct project *project, struct invocation *inv, struct error *err);
/* Sets what was found for MACHINE's class in the gates of all selected scenarios. */
void calibrations_apply(struct project *project, const struct machine *machine);
/* -1 with an ERR_INPUT when the file at PATH (from the root) is there and calibrations_write() could not merge into it. */
int calibrations_check(const struct project *project, const char *path, struct error *err);
/* Says in each scenario of RESULT, once it is judged, which tolerances in pairs come from there. */
void calibrations_note(const struct project *project, struct result *result);
/* Merges ENTRIES, which it takes over, into the file at PATH (from the root), which need not be there. */
int calibrations_write(const struct project *project, const char *path, const struct calibration *entries,
		       struct error *err);

/* Every fault of a project's files on standard error, before a command fails. */

void faults_print(const struct diags *diags);

/*
 * Whose change is measured, as GitHub Actions tells it: the event's name, and the file that describes it.
 *
 * pull_request and all that begins so, merge_group, the push of a merge queue's branch, a workflow_run that a pull request
 * began, and a comment on a pull request are somebody else's change, which its base judges. Others are the project's own.
 */

struct event {
	bool foreign;	/* somebody else's change */
	char *name;	/* "pull_request"; NULL: no event */
	char *base;	/* of a foreign change: what git knows its base by; NULL: nothing tells it */
	char *shown;	/* the same for people: "origin/main" */
};

void event_read(struct event *out);
void event_release(struct event *event);

#endif
