/* What is kept of the trees of other commits. */
#ifndef PAWL_MEASURE_TREES_CACHE_H
#define PAWL_MEASURE_TREES_CACHE_H

#include "measure/trees.h"

/* The file of the tree at TOP that ends so (".done", see trees.h); for free(). */
char *trees_cache_beside(const char *top, const char *end);
/* Removes all but the newest TREES_KEPT in FOLDER, and those that were never finished, but for what others use. */
void trees_cache_prune(const struct trees *trees, const char *folder);

#endif
