/* What `pawl ab` is made of, apart from its wiring in ab.c. */
#ifndef PAWL_CMD_AB_H
#define PAWL_CMD_AB_H

#include "cmd/builds.h"
#include "cmd/pairs.h"
#include "cmd/project.h"

struct ab {
	struct invocation *inv;
	struct project own;		/* where pawl was started: its folder for results, its repository */
	struct project elsewhere;	/* of --head or --head-ref */
	bool foreign;			/* the head is somebody else's change, which the base's files judge */
	struct project *head;		/* whose scenarios are compared: one of the two; NULL while its tree is not made */
	struct scenario commands[2];	/* --base-cmd, --head-cmd; else empty */

	char *base_commit, *head_commit;	/* of --base-ref and --head-ref; full, or NULL */
	char *base_root, *head_root, *base_label, *head_label;

	struct result result;
	char *parent;			/* as outcome_folder() gave it */
	struct rig rig;
	struct progress progress;
	struct builds builds;
	struct tree base_tree, head_tree;
};

/* Options that exclude or need each other; values that are checked before anything else. */
int ab_check(struct ab *ab, struct error *err);

/* The folders and commits that the options name: whatever can be wrong with them is told before anything is measured. */
int ab_find_sides(struct ab *ab, struct error *err);
/* The scenarios of head. */
int ab_select(struct ab *ab, struct error *err);
/*
 * The trees of --base-ref and --head-ref, and the build of a working tree. Needs the rig and the run's folder. When the head's
 * tree cannot be built, its scenarios are there all the same, unless they cannot be read.
 */
int ab_build(struct ab *ab, struct error *err);
void ab_release_sides(struct ab *ab);

/* The two scenarios of --base-cmd and --head-cmd. */
int ab_commands(struct ab *ab, struct error *err);

#endif
