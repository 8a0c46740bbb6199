/*
 * The project a command works on: its root, its configuration, its scenarios and baselines. Whatever judges is read
 * from one source: the working tree, or where --baseline-ref names a commit, and where somebody else's change is
 * measured, the base. The tree at the root is what is measured.
 *
 *	project_open() -> project_select() -> project_baseline() ... project_finish()
 *
 * Faults of files go to project->diags, all of them in one go; project_finish() prints them, before main() says why the
 * command failed.
 */
#ifndef PAWL_JOB_PROJECT_H
#define PAWL_JOB_PROJECT_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"
#include "measure/git/file_source.h"
#include "model/baseline.h"
#include "model/result.h"
#include "scenario/scenario.h"

struct machine;
struct request;

enum origin { NOWHERE, OF_JUDGE, OF_TREE };	/* whose text a file is */

/* A file of a scenario; none is parsed twice. */
struct scenario_file {
	char *path;			/* absolute */
	enum origin origin;
	bool valid;
	struct scenario scenario;	/* where it is valid */
	struct diags diags;		/* else its faults, until the project has them */
};

struct project {
	struct request *request;
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
	bool first;			/* the commit that should judge has nothing to judge by: the change brings it */
	struct config config;
	char *scenarios_dir, *baselines_dir;	/* absolute */
	struct scenario **scenarios;	/* selected, in order of name */
	size_t n_scenarios, cap_scenarios;
	struct strv suite;		/* with --shard: the names of all that were selected before only the shard's were kept */
	void *parsed;			/* tsearch(3) tree of every struct scenario_file that was read, those among them */
	struct strv gone;		/* names of those selected that the measured tree does not have any more */
	struct diags diags;
};

/* Root and configuration. ARGS are the command's SCENARIO arguments, from which the root is found. */
int project_open(struct project *project, struct request *request, const struct strv *args, struct error *err);
/* The same, judged by commit REF, which messages call SHOWN. */
int project_open_ref(struct project *project, struct request *request, const struct strv *args, const char *ref,
		     const char *shown, struct error *err);
/* The same for a comparison of scenarios in pairs: the event's base judges, whatever the command judges without them. */
int project_open_judged(struct project *project, struct request *request, const struct strv *args, struct error *err);
/* With ROOT as it is, whatever lies above it. */
int project_open_at(struct project *project, struct request *request, const char *root, struct error *err);
/* From now on the tree at the root is judged by BASE, which is taken over and called SHOWN. Call before project_select(). */
int project_judge_by(struct project *project, struct file_source *base, const char *shown, struct error *err);
/* PATH (absolute) as the sources know it, relative to the root; NULL where they do not reach it. For free(). */
char *project_below(const struct project *project, const char *path);
void project_close(struct project *project);
void project_finish(struct project *project);			/* and prints its faults */

/* A line for .gitignore: baselines are kept, whatever the lines before it hide. */
#define BASELINES_NOT_IGNORED "!/baselines/**"
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
int project_baseline(struct project *project, const char *scenario, const struct machine *machine,
		     struct project_baseline **out, struct error *err);
/* Every baseline file of SCENARIO, as file names. */
int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err);
/* Read one baseline file; 1, 0 when missing, -1. */
int project_read_baseline(struct project *project, const char *scenario, const char *file,
			  struct project_baseline **out, struct error *err);
/* Read all of SCENARIO's. */
int project_read_baselines(struct project *project, const char *scenario, struct error *err);
/* The text of another file beside SCENARIO's baselines, given by its path; 1, 0 when missing, -1. */
int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit,
			struct strbuf *out, struct error *err);

/*
 * Whose change is measured, as GitHub Actions has it: the event's name, and the file that describes it.
 *
 * pull_request and all that begins so, merge_group, the push of a merge queue's branch, a workflow_run that a pull
 * request began, and a comment on a pull request are somebody else's change, which its base judges. Others are the
 * project's own.
 */

struct event {
	bool foreign;	/* somebody else's change */
	char *name;	/* "pull_request"; NULL: no event */
	char *base;	/* of a foreign change: what git knows its base by; NULL: unknown */
	char *shown;	/* the same for people: "origin/main" */
};

void event_read(struct event *out);
void event_release(struct event *event);

/* A SCENARIO argument is a path when it holds a slash or ends in .yaml or .yml, else a name. */
bool argument_is_path(const char *arg);

#endif
