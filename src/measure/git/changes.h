/*
 * What differs between two commits or trees.
 */
#ifndef PAWL_MEASURE_GIT_CHANGES_H
#define PAWL_MEASURE_GIT_CHANGES_H

#include "measure/process/interrupt.h"

struct changes;
struct error;
struct git;

/* One side of a comparison. */
struct change_side {
	const char *root;	/* the project's folder on this side, absolute; NULL where it could not be made */
	const char *commit;	/* full: it holds what that commit holds; NULL: whatever is there */
};

/*
 * What differs between BASE and HEAD, and where the head uses constants that do: two commits, a commit and a working tree with
 * its new files, or any two folders (of which what their .gitignore names is left out). The user's configuration of git
 * and the repository's attributes change nothing. SCRATCH is a folder for two trees' objects. Where neither is possible, OUT
 * says that nothing is known. Took 10 to 160 ms for repositories of some hundred files, at most CHANGES_LONGEST_NS.
 */
#define CHANGES_LONGEST_NS (20 * NS_PER_S)
int changes_read(struct git *git, const char *scratch, const struct change_side *base, const struct change_side *head,
		 struct changes *out, struct error *err);

#endif
