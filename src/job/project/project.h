/*
 * The project that a command works on: its root, configuration, scenarios and baselines. Everything that judges is
 * read from one source: the working tree, the commit of --judge, or the base of someone else's change. The
 * tree at the root is measured.
 *
 *	project_open() -> project_select() -> project_baseline() ... project_finish()
 *
 * Faults of files are collected in project->diags. project_finish() prints them, before main() says why the command
 * failed.
 */
#ifndef PAWL_JOB_PROJECT_PROJECT_H
#define PAWL_JOB_PROJECT_PROJECT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "measure/git/file_source.h"
#include "model/baseline.h"
#include "model/result.h"
#include "scenario/scenario.h"

struct machine;
struct request;

enum origin { NOWHERE, OF_JUDGE, OF_TREE };	/* the source of a file */

/* A scenario's file. Each is parsed once. */
struct scenario_file {
	char *path;			/* absolute */
	enum origin origin;
	bool valid;
	struct scenario scenario;	/* if valid */
	struct diags diags;		/* else its faults, until they move to the project */
};

struct project {
	struct request *request;
	char *root;			/* absolute */
	char *top;			/* of the repository if FILES is a commit; else NULL */
	struct file_source files;	/* the files that judge */
	struct file_source tree;	/* the tree at the root */
	struct file_source fork;	/* the commit where the change left its base; empty: unknown, or the base itself */
	struct project_baseline **accepted_read;
	size_t n_accepted, cap_accepted;
	struct judged_by by;		/* by.ref NULL: the tree judges itself */
	bool foreign;			/* CI measures someone else's change, which its base judges */
	bool first;			/* the judging commit has nothing to judge by, so the change's own files judge */
	struct config config;
	char *scenarios_dir, *baselines_dir;	/* absolute */
	struct scenario **scenarios;	/* selected, sorted by name */
	size_t n_scenarios, cap_scenarios;
	struct strv suite;		/* with --shard: the names selected before sharding */
	void *parsed;			/* tsearch(3) tree of every struct scenario_file read, selected or not */
	struct strv gone;		/* selected scenarios that the measured tree no longer has */
	struct diags diags;
};

/* Opens the project: root and configuration. ARGS are the command's SCENARIO arguments, which lead to the root. */
int project_open(struct project *project, struct request *request, const struct strv *args, struct error *err);
/* The same with ROOT as the root, whatever is above it. */
int project_open_at(struct project *project, struct request *request, const char *root, struct error *err);
/* Makes BASE, called SHOWN, judge the tree at the root. Takes BASE over. Call before project_select(). */
int project_judge_by(struct project *project, struct file_source *base, const char *shown, struct error *err);
/* Returns absolute PATH as the sources know it, relative to the root. NULL if they do not reach it. For free(). */
char *project_below(const struct project *project, const char *path);
void project_close(struct project *project);
void project_finish(struct project *project);			/* also prints its faults */

/* Line for .gitignore that keeps baselines, whatever earlier lines hide. */
#define BASELINES_NOT_IGNORED "!/baselines/**"
/* Returns the path of a scenario's baseline for a class, for free(). */
char *project_baseline_path(const struct project *project, const char *scenario, const char *class);
/* A baseline that was read. Owned by the project, which reads each file once. */
struct project_baseline {
	char *file;		/* its name */
	char *path;		/* absolute */
	struct baseline baseline;
};

/*
 * Finds SCENARIO's baseline for MACHINE: of its class, else the newest of the same architecture. Returns 1 with OUT
 * filled, 0 if it has none, -1 if one is damaged.
 */
int project_baseline(struct project *project, const char *scenario, const struct machine *machine,
		     struct project_baseline **out, struct error *err);
/* Appends the file names of SCENARIO's baselines. */
int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err);
/* Reads one baseline file. Returns 1, 0 if it is missing, or -1. */
int project_read_baseline(struct project *project, const char *scenario, const char *file,
			  struct project_baseline **out, struct error *err);
/* Reads all of SCENARIO's baselines. */
int project_read_baselines(struct project *project, const char *scenario, struct error *err);
/* Reads another file next to SCENARIO's baselines, given by its path. Returns 1, 0 if it is missing, or -1. */
int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit,
			struct strbuf *out, struct error *err);

/* True if a SCENARIO argument is a path: it holds a slash, or ends in .yaml or .yml. Otherwise it is a name. */
bool argument_is_path(const char *arg);

#endif
