/* The differences between two commits or trees. */
#ifndef PAWL_MEASURE_GIT_CHANGES_H
#define PAWL_MEASURE_GIT_CHANGES_H

#include "measure/process/interrupt.h"

struct changes;
struct git;

/* One side of a comparison. */
struct change_side {
	const char *root;	/* the project's folder on this side, absolute; NULL if it could not be made */
	const char *commit;	/* full id: the folder equals this commit; NULL: arbitrary contents */
};

/*
 * Finds the differences between BASE and HEAD, and the places in the head that use changed constants. The sides are
 * two commits, a commit and a working tree with its new files, or any two folders (without files excluded by their
 * .gitignore). The user's git configuration and the repository's attributes are ignored. SCRATCH is a folder for the
 * objects of two trees. If neither comparison is possible, OUT is marked unknown. Takes 10 to 160 ms for repositories
 * of some hundred files, at most CHANGES_LONGEST_NS.
 */
#define CHANGES_LONGEST_NS (20 * NS_PER_S)
int changes_read(struct git *git, const char *scratch, const struct change_side *base, const struct change_side *head,
		 struct changes *out, struct error *err);

#endif
