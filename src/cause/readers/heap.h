/* Allocating functions, as counted by heaptrack. */
#ifndef PAWL_CAUSE_READERS_HEAP_H
#define PAWL_CAUSE_READERS_HEAP_H

#include <stddef.h>

#include "base/error.h"
#include "cause/ledger/work.h"
#include "profile/stacks.h"

/*
 * Reads folded stacks of heaptrack_print into OUT, which must be empty, and names them with names_resolve(). Its frames
 * have a function and the base name of its source, but no object file. The object comes from WORK, counted in the same
 * program. Functions missing there have no object and are foreign.
 */
int heap_folded_read(const char *text, size_t len, const struct work *work, struct stacks *out, struct error *err);

#endif
