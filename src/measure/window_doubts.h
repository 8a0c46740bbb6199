/*
 * What runs and windows were doubtful, gathered while they are taken, to be told once instead of once each: those
 * that were not counted, those of whose processes the kernel tells too little, and those whose work is told by a rate
 * that hardly fits them.
 */
#ifndef PAWL_MEASURE_WINDOW_DOUBTS_H
#define PAWL_MEASURE_WINDOW_DOUBTS_H

#include "model/measured.h"

struct window_doubts {
	unsigned windows, dropped, hasty, unwaited;
	char *why;		/* the last one was dropped, or NULL */
};

void window_doubts_add(struct window_doubts *doubts, const struct measured *window);
/* At most one note of each kind to RESULT, about WHAT ("run", "window"); none of windows of which no other remains. */
void window_doubts_note(const struct window_doubts *doubts, const char *what, struct scenario_result *result);
void window_doubts_release(struct window_doubts *doubts);

#endif
