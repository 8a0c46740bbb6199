/*
 * Measuring scenarios in pairs between two trees, or two commands: the wiring of measure/run/loop and judge/pairs that `ab`, `run` (to confirm), `calibrate` and `bisect` share.
 *
 * Every scenario is brought to its first look; then what is left of all budgets together is spent on those that are not decided,
 * look by look. Setup is done once; services of a scenario that waits are down.
 */
#ifndef PAWL_CMD_SHARED_PAIRS_H
#define PAWL_CMD_SHARED_PAIRS_H

#include "cmd/cmd.h"
#include "cmd/shared/measure.h"
#include "cmd/shared/project.h"
#include "measure/git/trees.h"
#include "measure/perf/session.h"
#include "model/result.h"
#include "scenario/scenario.h"

struct pairs_side {
	const char *root;	/* working folder and root of the scenario's commands, absolute */
	const char *label;	/* "main (1a2b3c4d5e6f)", "../old", "./old --fast" */
	const char *commit;	/* full, or NULL */
};

/* One scenario to compare. RESULT has its gates and description already; it gets its pairing, its runs (the head's), verdicts. */
struct pairs_job {
	const struct scenario *base, *head;	/* the same one, but where two commands are compared */
	struct scenario_result *result;
	bool only_head;		/* the base has no such scenario: when it cannot run it, that is no failure */
	bool gone;		/* the change removed it from the head: nor is it one there */
	const char *accepted;	/* identity of the executable that the baseline is of, where one is confirmed; or NULL */
};

struct pairs {
	struct invocation *inv;
	struct rig *rig;
	struct progress *progress;
	const char *root;		/* the head's project root, which scenario paths are relative to */
	const char *out_dir;		/* OUT/NAME/ gets the head's files, OUT/NAME/base/ the base's */
	const char *report_dir;		/* OUT/NAME/ of the report, for its pictures; NULL: out_dir */
	const char *project;		/* another folder that absolute paths may name for the trees, such as the working tree; or NULL */
	struct pairs_side base, head;
	uint64_t seed;
	unsigned gates;			/* m */
	unsigned pairs_most;		/* 0: PAIRS_MOST */
	uint64_t budget_ns;		/* a scenario; then the first look waits for it too; 0: its own, and no first look is cut short */
	bool to_the_end;		/* measure pairs_most pairs whatever the looks say: for calibrating */
	bool no_profile;
	bool confirming;		/* only gates that want confirming are looked at, and judged */
};

/*
 * Measures and judges all JOBS. A scenario that fails is told in its result; -1 only when interrupted, with what was
 * measured judged. Difference pictures and profiles are made of scenarios in which something regressed, or which gate
 * symbols themselves.
 */
int pairs_measure(const struct pairs *pairs, const struct pairs_job *jobs, size_t n, const struct machine *machine,
		  struct error *err);
/* A seed from the kernel, or the one that was asked for. */
uint64_t pairs_seed(const struct options *options);
/* --floor, where it is given, instead of the floor of all N SCENARIOS; -1 with an ERR_INPUT when it is no percentage. */
int pairs_take_floor(const struct options *options, struct scenario *scenarios, size_t n, struct error *err);

/* Building a project's other commits, and its working tree, as pawl.yaml says: what measure/trees needs from cmd/. */

struct builds {
	struct project *project;
	struct invocation *inv;
	struct trees trees;
};

/*
 * For trees_get() and trees_put() on OUT's trees. A commit is built by `build:` of its own pawl.yaml, or by the project's
 * where it has none. SCRATCH and LOGS are as in struct trees. OUT must stay where it is.
 */
void builds_init(struct builds *out, struct project *project, struct invocation *inv, const char *scratch, const char *logs);
/* The full commit of REF; one that git does not know is an ERR_INPUT. OPTION ("--base-ref") is for the message. For free(). */
int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err);
/* What COMMIT, named by REF (or NULL), is called: "main (1a2b3c4d5e6f)"; for free(). */
char *builds_label(const char *ref, const char *commit);
/* Build the tree at ROOT by `build:` of its pawl.yaml, when it has one; the log is LOGS/build-head.log. */
int builds_working_tree(struct builds *builds, const char *root, struct error *err);

#endif
