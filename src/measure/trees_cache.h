/* What is kept of the trees of other commits. */
#ifndef PAWL_MEASURE_TREES_CACHE_H
#define PAWL_MEASURE_TREES_CACHE_H

#include "measure/trees.h"

/* Removes all but the newest TREES_KEPT in FOLDER, and those that were never finished, but for what others use. */
void trees_cache_prune(const struct trees *trees, const char *folder);

#endif
