/*
 * The order of two sides.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_ORDER_H
#define PAWL_MEASURE_RUN_LOOP_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Random choices for each pair, which favour neither side. */

/* True if pair I (from 0) of SEED runs its head first. */
bool loop_head_first(uint64_t seed, unsigned i);
/* Returns the stack offset of a side in pair I: a multiple of 16 below LOOP_PAD_BYTES, random for each side. */
enum { LOOP_PAD_BYTES = 4096 };
size_t loop_pad(uint64_t seed, unsigned i, bool head);
/*
 * True if the head's services start first for pair I: independent of loop_head_first(), and true once in every two
 * pairs.
 */
bool loop_head_starts(uint64_t seed, unsigned i);

#endif
