#include "measure/perf/perf.h"

#include "base/mem.h"
#include "model/measured.h"

static void plan(struct event_groups *groups)
{
	const struct scenario *s = groups->scenario;
	CLEANUP(free_ptr) const struct metric **gated = xcalloc(s->gates.n, sizeof *gated);

	for (size_t i = 0; i < s->gates.n; i++)
		gated[i] = s->gates.items[i].metric;
	passes_release(&groups->passes);
	passes_plan(gated, s->gates.n, &s->measure.events, groups->counters, &groups->passes);
	memset(groups->runs, 0, sizeof groups->runs);
}

void event_groups_plan(struct event_groups *groups, const struct scenario *scenario, unsigned counters)
{
	*groups = (struct event_groups){ .scenario = scenario, .counters = counters };
	plan(groups);
}

void event_groups_release(struct event_groups *groups)
{
	passes_release(&groups->passes);
	*groups = (struct event_groups){ 0 };
}

unsigned event_groups_next(const struct event_groups *groups)
{
	unsigned least = 0;

	for (unsigned i = 1; i < groups->passes.n; i++)
		if (groups->runs[i] < groups->runs[least])
			least = i;
	return least;
}

/*
 * The first event of EVENTS that perf had to extrapolate; or that never got a counter while others
 * did, as happens when the target ends before perf takes turns.
 */
static const char *multiplexed(const struct perf_rows *rows, const struct strv *events)
{
	const char *waited = NULL;
	bool counted = false;

	for (size_t i = 0; i < events->n; i++) {
		enum missing why;

		if (!event_needs_counter(events->items[i]))
			continue;
		perfstat_value(rows, events->items[i], &why);
		if (why == MISSING_MULTIPLEXED)
			return events->items[i];
		if (why == MISSING_NOT_COUNTED && !waited)
			waited = events->items[i];
		counted = counted || why == MISSING_NOT;
	}
	return counted ? waited : NULL;
}

/* Fewer counters than the probe saw: somebody else uses one. */
bool event_groups_split(struct event_groups *groups, const struct perf_rows *rows, const struct strv *events,
			struct strv *notes)
{
	const char *event = multiplexed(rows, events);
	unsigned used = events_counters(events);

	if (!event || used < 2 || used - 1 >= groups->counters)
		return false;
	strv_pushf(notes, "%s was multiplexed with %u events at once: split into smaller groups", event, used);
	groups->counters = used - 1;
	plan(groups);
	return true;
}

void event_groups_note(const struct event_groups *groups, struct strv *notes)
{
	if (groups->passes.n > 1)
		strv_pushf(notes, "the events need %zu groups of at most %u counter%s: each is counted in runs of its own",
			   groups->passes.n, groups->counters, groups->counters == 1 ? "" : "s");
}
