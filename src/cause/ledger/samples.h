/*
 * Frames of recorded stacks as the project's functions and their foreign callees. Frames are named by names_resolve().
 */
#ifndef PAWL_CAUSE_LEDGER_SAMPLES_H
#define PAWL_CAUSE_LEDGER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"
#include "profile/stacks.h"

/*
 * Returns the own function of each frame, for free(); NULL: foreign. A function without a name is named after its file;
 * script functions have their file and line. Codes and texts are in ARENA.
 */
const struct code **samples_codes(const struct stacks *stacks, const struct own_code *own, struct arena *arena);
/*
 * Appends the name of the first of these N foreign frames, as its caller knows it. In the kernel that is the system
 * call, "[page fault]" or "[kernel]". A frame without a name is named after its file.
 */
void samples_name_callee(const struct stacks *stacks, const uint32_t *frames, size_t n, struct strbuf *out);
/* True if one of these N frames handles a page fault, or belongs to the malloc family. */
bool samples_fault(const struct stacks *stacks, const uint32_t *frames, size_t n);
bool samples_allocate(const struct stacks *stacks, const uint32_t *frames, size_t n);

/* Stores the own functions of EVENT's stacks in OUT, which must be empty, without counts. */
void stacks_own_functions(const struct stacks *stacks, uint32_t event, const struct own_code *own, struct work *out);
/*
 * Returns the part of EVENT's weight, 0 to 1, in stacks that reach the start of the program or of a thread. Stacks that
 * lie entirely in the kernel are ignored. NaN: no stack remains.
 */
double stacks_whole(const struct stacks *stacks, uint32_t event);
/* True if any frame is a function that was generated at run time. */
bool stacks_jitted(const struct stacks *stacks);

#endif
