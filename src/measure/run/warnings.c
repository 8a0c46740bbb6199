#include "measure/run/warnings.h"
#include "base/mem.h"
#include "model/measured.h"

void warnings_add(struct warnings *warnings, const struct measured *window)
{
	warnings->windows++;
	warnings->hasty += window->hasty;
	warnings->unwaited += window->unwaited;
	if (!window->dropped)
		return;
	warnings->dropped++;
	free(warnings->why);
	warnings->why = xstrdup(window->dropped);
}

void warnings_note(const struct warnings *w, const char *what, struct side_result *result)
{
	if (w->dropped == 1 && w->windows > 1)
		NOTE(result, "a %s was not counted: %s", what, w->why);
	else if (w->dropped && w->dropped < w->windows)
		NOTE(result, "%u %ss were not counted; the last: %s", w->dropped, what, w->why);
	if (w->unwaited)
		NOTE(result, "in %u of %u %ss processes ended that nobody waited for (SIGCHLD is ignored): the kernel reports neither "
		     "their CPU time nor their faults, switches and memory, so these are not measured; task-clock is",
		     w->unwaited, w->windows, what);
	if (w->hasty)
		NOTE(result, "in %u of %u windows the load ended within a second: its rate is taken to have held while it started "
		     "and ended as well, so that too much work is counted; give it more to do than a window takes, or "
		     "report its work 'as: count'", w->hasty, w->windows);
}
