/*
 * Whose files judged a result: pawl.yaml, scenarios, baselines and calibration of the base where somebody else's change is
 * measured, and what that change makes of them.
 */
#ifndef PAWL_MODEL_JUDGED_BY_H
#define PAWL_MODEL_JUDGED_BY_H

#include <stdbool.h>

#include "base/strv.h"

enum judge_change { JUDGE_EDITED, JUDGE_ADDED, JUDGE_REMOVED, JUDGE_RENAMED };

/* More of them are not kept. */
enum { JUDGE_EDITS_MOST = 2000 };

struct judge_edit {
	char *path;		/* below the project's root; of one that was renamed the old one */
	enum judge_change change;
	char *note;		/* what that means, or NULL; of one that was renamed the new path */
};

struct judged_by {
	char *ref;		/* "origin/main", "../old"; NULL: the files of the tree that was measured */
	char *commit;		/* full; NULL: REF is a folder */
	bool own;		/* the measured tree's files judged all the same; REF is what they are compared with */
	struct judge_edit *edits;	/* each path once */
	size_t n_edits, cap_edits;
	struct strv open;	/* what is not protected from the change, and why */
};

void judged_by_release(struct judged_by *by);
void judged_by_copy(struct judged_by *out, const struct judged_by *from);
/* The first word on a path counts; NOTE may be NULL. */
void judged_by_add(struct judged_by *by, const char *path, enum judge_change change, const char *note);
/* What INTO has not yet: of shards that are merged. */
void judged_by_merge(struct judged_by *into, const struct judged_by *from);

/* "edited" */
const char *judge_change_name(enum judge_change change);
extern const char *const judge_change_names[];		/* of each, then NULL */

#endif
