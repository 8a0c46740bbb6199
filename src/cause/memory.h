/*
 * Causes of what regressed in memory, not in time.
 */
#ifndef PAWL_CAUSE_MEMORY_H
#define PAWL_CAUSE_MEMORY_H

#include <stdbool.h>

#include "cause/suspects.h"

/*
 * Where gates on memory regressed, which is counted, and none on time: who allocates, holds or touches so much more, as a cause. False:
 * nothing of that.
 */
bool memory_explain(struct search *s);

#endif
