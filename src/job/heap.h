#ifndef PAWL_JOB_HEAP_H
#define PAWL_JOB_HEAP_H

#include <stdint.h>

struct error;
struct evidence;
struct side_result;
struct system;

/*
 * Counts what SYSTEM's target allocates into OUT, whose work tells in which file functions lie: as its side, COUNTED, has it already, or in
 * one execution under heaptrack of LIMIT_NS at the most. ERR_SYSTEM, with what would help, where that cannot be had.
 */
int heap_take(struct system *system, const struct side_result *counted, uint64_t limit_ns, struct evidence *out, struct error *err);

#endif
