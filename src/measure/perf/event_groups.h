/*
 * The event groups of a scenario while it is measured: which events are counted together, how often each group was,
 * and smaller groups once perf has to take turns after all.
 */
#ifndef PAWL_MEASURE_PERF_EVENT_GROUPS_H
#define PAWL_MEASURE_PERF_EVENT_GROUPS_H

#include "model/events.h"
#include "model/result.h"
#include "scenario/scenario.h"

struct event_groups {
	const struct scenario *scenario;	/* borrowed */
	struct passes passes;
	unsigned counters;		/* hardware events that fit at once */
	unsigned runs[PASSES_MAX];	/* how often each was counted, since they were planned */
};

/* For event_groups_release(). */
void event_groups_plan(struct event_groups *groups, const struct scenario *scenario, unsigned counters);
void event_groups_release(struct event_groups *groups);
/* The one that was counted least. */
unsigned event_groups_next(const struct event_groups *groups);
/*
 * When ROWS, which counted EVENTS, say that these were too many at once: plan smaller groups, with none counted yet,
 * tell it in NOTES, and return true.
 */
bool event_groups_split(struct event_groups *groups, const struct perf_rows *rows, const struct strv *events,
			struct strv *notes);
/* What the reader must know of several groups. */
void event_groups_note(const struct event_groups *groups, struct strv *notes);

#endif
