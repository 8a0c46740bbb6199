/*
 * The project a command works on: its root, its configuration, its scenarios and baselines, from
 * the working tree or, with a baseline ref, from a commit.
 *
 *	project_open() -> project_select() -> project_baseline() ... project_close()
 *
 * Faults of files are printed as diagnostics by project_report(), all of them in one go.
 */
#ifndef PAWL_CMD_PROJECT_H
#define PAWL_CMD_PROJECT_H

#include "cmd/cmd.h"
#include "model/baseline.h"
#include "scenario/calibration.h"
#include "scenario/config.h"

struct project {
	char *root;			/* absolute */
	struct config config;
	char *scenarios_dir, *baselines_dir;	/* absolute, or the second as --baselines gave it */
	char *ref, *commit, *prefix;	/* of --baseline-ref, or NULL; prefix is the root below the repository's top */
	struct scenario *scenarios;	/* selected, in order of name */
	size_t n_scenarios, cap_scenarios;
	struct calibration calibration;	/* what pawl.yaml names, see calibrations.h; empty without */
	struct strv edited;		/* "scenarios/x.yaml": differs between the working tree and the ref */
	struct diags diags;
};

/* Root and configuration. ARGS are the command's SCENARIO arguments, from which the root is found. */
int project_open(struct project *project, struct invocation *inv, const struct strv *args, struct error *err);
/* The same with ROOT as it is, whatever lies above it. */
int project_open_at(struct project *project, struct invocation *inv, const char *root, struct error *err);
/*
 * The scenarios that ARGS (paths and names; empty: all) and --tag select. -1 with an ERR_INPUT when
 * any is invalid: project->diags holds the faults, which the caller prints.
 */
int project_select(struct project *project, struct invocation *inv, const struct strv *args, struct error *err);
/* Keep only shard I of N, given as "I/N". */
int project_shard(struct project *project, const char *shard, struct error *err);
/*
 * Gates judged in pairs, over all scenarios of the project and the selected ones beyond them: they share the error of a
 * comparison in pairs. A file that is faulty or cannot be read counts for none, which a new note of NOTES tells.
 */
unsigned project_paired_gates(const struct project *project, struct invocation *inv, struct strv *notes);
/* The names of all scenarios of the project at ROOT that have no faults; -1 when it cannot be read. */
int project_names(struct invocation *inv, const char *root, struct strv *out);
/* Every selected scenario asks for simulated counters: no perf is needed. */
bool project_only_simulated(const struct project *project);
void project_close(struct project *project);

/* Where a scenario's baseline for a class lies; for free(). */
char *project_baseline_path(const struct project *project, const char *scenario, const char *class);
/*
 * The baseline of SCENARIO for MACHINE: of its class, else the newest of the same architecture.
 * 1 with OUT and PATH_OUT filled, 0 when there is none, -1 when one is damaged.
 */
int project_baseline(struct project *project, struct invocation *inv, const char *scenario,
		     const struct machine *machine, struct baseline *out, char **path_out, struct error *err);
/* Every baseline file of SCENARIO, as file names. */
int project_baseline_files(struct project *project, struct invocation *inv, const char *scenario, struct strv *out,
			   struct error *err);
/* Read one baseline file; 1, 0 when missing, -1. */
int project_read_baseline(struct project *project, struct invocation *inv, const char *scenario, const char *file,
			  struct baseline *out, struct error *err);
/* The text of another file beside SCENARIO's baselines, given by its path; 1, 0 when missing, -1. */
int project_read_beside(struct project *project, struct invocation *inv, const char *scenario, const char *path,
			size_t limit, struct strbuf *out, struct error *err);

#endif
