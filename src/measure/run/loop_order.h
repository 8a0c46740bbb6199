/*
 * The order in which two sides take turns.
 */
#ifndef PAWL_MEASURE_RUN_LOOP_ORDER_H
#define PAWL_MEASURE_RUN_LOOP_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is tossed for each pair, so that it favours neither side. */

/* Whether pair I (from 0) of SEED runs its head first. */
bool loop_head_first(uint64_t seed, unsigned i);
/* How far the stack of a side is moved in pair I: a multiple of 16 below LOOP_PAD_BYTES, tossed for each side apart. */
enum { LOOP_PAD_BYTES = 4096 };
size_t loop_pad(uint64_t seed, unsigned i, bool head);
/* Whether the head's services are started first for it: tossed apart from the above, and in every two pairs once. */
bool loop_head_starts(uint64_t seed, unsigned i);

#endif
