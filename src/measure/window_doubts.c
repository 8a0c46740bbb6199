#include "measure/window_doubts.h"

#include "base/mem.h"

void window_doubts_add(struct window_doubts *doubts, const struct measured *window)
{
	doubts->windows++;
	doubts->hasty += window->hasty;
	doubts->unwaited += window->unwaited;
	if (!window->dropped)
		return;
	doubts->dropped++;
	free(doubts->why);
	doubts->why = xstrdup(window->dropped);
}

static void note_dropped(const struct window_doubts *doubts, const char *what, struct scenario_result *result)
{
	if (doubts->dropped == 1)
		strv_pushf(&result->notes, "a %s was not counted: %s", what, doubts->why);
	else
		strv_pushf(&result->notes, "%u %ss were not counted; the last: %s", doubts->dropped, what, doubts->why);
}

void window_doubts_note(const struct window_doubts *doubts, const char *what, struct scenario_result *result)
{
	/* Where all were dropped, that is the failure, and needs no note. */
	if (doubts->dropped && doubts->dropped < doubts->windows)
		note_dropped(doubts, what, result);
	if (doubts->unwaited)
		strv_pushf(&result->notes,
			   "in %u of %u %ss processes ended that nobody waited for (SIGCHLD is ignored): the kernel tells neither their "
			   "CPU time nor their faults, switches and memory, so these are not measured; task-clock is",
			   doubts->unwaited, doubts->windows, what);
	if (doubts->hasty)
		strv_pushf(&result->notes,
			   "in %u of %u windows the load ended within a second: its rate is taken to have held while it started "
			   "and ended as well, so that too much work is counted; give it more to do than a window takes, or "
			   "tell its work 'as: count'", doubts->hasty, doubts->windows);
}

void window_doubts_release(struct window_doubts *doubts)
{
	free(doubts->why);
	*doubts = (struct window_doubts){ 0 };
}
