/*
 * What the parts of `pawl bisect` share: the command (bisect.c), one comparison (bisect_compare.c), and the search as
 * it is stored (bisect_state.c).
 */
#ifndef PAWL_CMD_BISECT_H
#define PAWL_CMD_BISECT_H

#include "cmd/builds.h"
#include "gate/bisection.h"
#include "measure/rig.h"

struct bisect {
	struct invocation *inv;
	struct project *project;
	const struct scenario *scenario;
	struct builds builds;
	struct rig rig;
	struct bisection search;
	struct result last;	/* of the last comparison, with this scenario alone */
	char *state;		/* the file that the search is stored in */
	char *out_dir, *parent;	/* the run's folder, and what to prune; NULL until something is measured */
};

/* Of which gates, and how thoroughly. */
enum bisect_scope {
	BISECT_ENDS,	/* every gate of the scenario; without a profile */
	BISECT_STEP,	/* the gate that decides alone */
	BISECT_CHANGE,	/* every gate, with a profile of both sides */
};

/*
 * Compare commit HEAD with BASE in pairs; what came of it is bisect->last, and its time and commits are STEP's. The HEAD
 * of a step that cannot be built, and a scenario that cannot be measured, are told in the result's state and failure. -1
 * when interrupted, and when another tree cannot be built.
 */
int bisect_compare(struct bisect *bisect, const char *base, const char *head, enum bisect_scope scope,
		   struct bisect_step *step, struct error *err);

/* Where this search is stored, from its ends, the scenario and the machine. Call once these are known. */
void bisect_state_place(struct bisect *bisect);
/* Hash of the scenario as it is written, of what pawl.yaml says for all, and of the options that decide; for free(). */
int bisect_state_text(const struct bisect *bisect, char **out, struct error *err);
/*
 * Go on with a stored search, if there is one of the same kind; COMMITS are taken over. What is not used, and why, is
 * said. Otherwise the search begins.
 */
int bisect_state_load(struct bisect *bisect, struct commits *commits, struct error *err);
int bisect_state_save(const struct bisect *bisect, struct error *err);

#endif
