#ifndef PAWL_JOB_HEAP_H
#define PAWL_JOB_HEAP_H

#include <stdint.h>

struct error;
struct evidence;
struct side_result;
struct system;

/*
 * Counts the allocations of SYSTEM's target into OUT. OUT's `work` tells the file of each function. If COUNTED, the
 * side's result, has the allocations already, uses them. Otherwise runs the target once under heaptrack, for at most
 * LIMIT_NS. ERR_SYSTEM with a remedy if that fails.
 */
int heap_take(struct system *system, const struct side_result *counted, uint64_t limit_ns, struct evidence *out, struct error *err);

#endif
