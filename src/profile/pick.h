/* One event's part of stacks: weights of several events have no sum. */
#ifndef PAWL_PROFILE_PICK_H
#define PAWL_PROFILE_PICK_H

#include "base/error.h"
#include "profile/stacks.h"

/*
 * The number of the event called NAME, or of the one with the most samples when NAME is NULL. ERR_INPUT, with the names that
 * there are, when there is none of that name; STACKS have an event.
 */
int pick_event(const struct stacks *stacks, const char *name, uint32_t *event_out, struct error *err);
/* The stacks of EVENT, and what was lost, added to TO. Names are to be resolved again. */
void pick_stacks(const struct stacks *from, uint32_t event, struct stacks *to);
/* All stacks but those of the threads called THREAD, added to TO, events and their order included. */
void pick_other_threads(const struct stacks *from, const char *thread, struct stacks *to);

#endif
