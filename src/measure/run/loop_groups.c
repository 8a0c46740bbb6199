#include "measure/run/loop_parts.h"

void loop_groups_plan(struct loop *loop)
{
	const struct scenario *s = loop->sides[loop->n - 1].plan->scenario;

	event_groups_release(&loop->groups);
	event_groups_plan(s->gates.items, s->gates.n, &s->measure.events, loop->options.counters, &loop->groups);
	memset(loop->counted, 0, sizeof loop->counted);
}

unsigned loop_groups_next(const struct loop *loop)
{
	unsigned least = 0;

	for (unsigned i = 1; i < loop->groups.n; i++)
		if (loop->counted[i] < loop->counted[least])
			least = i;
	return least;
}

bool loop_groups_split(struct loop *loop, const struct perf_rows *rows, const struct strv *events, struct arena *arena,
		       struct strv *notes)
{
	const char *event = perf_rows_multiplexed(rows, events);
	unsigned used = events_counters(events);

	if (!event || used < 2 || used - 1 >= loop->options.counters)
		return false;
	arena_pushf(arena, notes, "%s was multiplexed with %u events at once: split into smaller groups", event, used);
	loop->options.counters = used - 1;
	loop_groups_plan(loop);
	return true;
}

void loop_groups_note(const struct loop *loop, struct arena *arena, struct strv *notes)
{
	unsigned counters = loop->options.counters;

	if (loop->groups.n > 1)
		arena_pushf(arena, notes, "the events need %zu groups of at most %u counter%s: each is counted in runs of its own",
			    loop->groups.n, counters, counters == 1 ? "" : "s");
}
