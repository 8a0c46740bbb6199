/*
 * Who allocates, as heaptrack counted it.
 */
#ifndef PAWL_CAUSE_HEAP_H
#define PAWL_CAUSE_HEAP_H

#include <stddef.h>

#include "base/error.h"
#include "cause/work.h"
#include "profile/stacks.h"

/*
 * Folded stacks of heaptrack_print, which name functions and the base names of their sources, to an empty OUT, named by names_resolve().
 * The file that a function lies in is the one that WORK has, of the same program; of others it is unknown, so they are foreign.
 */
int heap_folded_read(const char *text, size_t len, const struct work *work, struct stacks *out, struct error *err);

#endif
