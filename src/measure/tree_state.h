/*
 * What a tree was like right after its build, so that one that was altered since is not used again.
 *
 *	tree_state_keep() after the build -> tree_state_same() before the next use
 *
 * Tracked files are compared by what differs from the commit, which a build may change too. Files that the build made
 * are compared by size and time of change. Not seen: new files that the build did not make, such as what
 * a scenario leaves there; what is inside submodules, and nested repositories; changes of mode of what the build made. Where
 * git's answers are too long to be read (16 MiB), nothing is kept, and the tree is made again each time.
 */
#ifndef PAWL_MEASURE_TREE_STATE_H
#define PAWL_MEASURE_TREE_STATE_H

#include "measure/keeper.h"

/* Writes the state of the worktree at TOP to DONE. */
int tree_state_keep(struct keeper *keeper, const char *top, const char *done, struct error *err);
/* True when TOP is still what DONE says; false too where there is no DONE, or it cannot be told. */
bool tree_state_same(struct keeper *keeper, const char *top, const char *done);
/* DONE's time becomes now: it says when the tree was used last. */
int tree_state_used(const char *done, struct error *err);

#endif
