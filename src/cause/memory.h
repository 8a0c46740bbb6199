/*
 * Causes of regressions in memory without a regression in time.
 */
#ifndef PAWL_CAUSE_MEMORY_H
#define PAWL_CAUSE_MEMORY_H

#include <stdbool.h>

#include "cause/suspects.h"

/*
 * Adds the function that allocates, holds or touches more memory as a cause. Applies if only counted memory metrics
 * regressed. Returns false if no cause was found.
 */
bool memory_explain(struct search *s);

#endif
