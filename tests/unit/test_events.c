/* Grouping of events by the number of hardware counters. */
#include "unit.h"

#include "model/events.h"

enum { METRICS_MAX = 20 };

static struct strv split(const char *words)
{
	struct strv list = STRV_INIT;

	for (size_t len; *words; words += len + (words[len] == ' ')) {
		len = strcspn(words, " ");
		strv_pushf(&list, "%.*s", (int)len, words);
	}
	return list;
}

/* Returns the plan as text, with groups separated by " | ". */
static char *plan(const char *metrics, const char *events, unsigned capacity)
{
	CLEANUP(strv_release) struct strv names = split(metrics), extra = split(events);
	struct gate gates[METRICS_MAX];
	CLEANUP(own_metrics_release) struct own_metrics own = { 0 };
	struct strbuf text = STRBUF_INIT;
	struct event_groups groups;

	for (size_t i = 0; i < names.n; i++)
		gates[i] = (struct gate){ .metric = own_metrics_find(&own, names.items[i]) };
	event_groups_plan(gates, names.n, &extra, capacity, &groups);
	for (size_t i = 0; i < groups.n; i++)
		for (size_t k = 0; k < groups.events[i].n; k++)
			strbuf_addf(&text, "%s%s", k ? " " : i ? " | " : "", groups.events[i].items[k]);
	event_groups_release(&groups);
	assert_int_equal(groups.n, 0);
	return strbuf_take(&text);
}

TEST(events_are_packed_into_what_fits)
{
	static const struct { const char *metrics, *events; unsigned capacity; const char *expected; } cases[] = {
		/* without counters: software events only, whatever the gates are */
		{ "", "", 0, "task-clock" },
		{ "task-clock ipc instructions max-rss sim-instructions", "", 0, "task-clock" },
		{ "task-clock", "context-switches sched:sched_switch", 0,
		  "task-clock context-switches sched:sched_switch" },
		/* events that may work without hardware counters share one run */
		{ "ipc", "msr/tsc/ cache-misses power/energy-pkg/", 0,
		  "task-clock msr/tsc/ cache-misses power/energy-pkg/" },
		{ "cache-misses", "cache-misses", 0, "task-clock cache-misses" },

		/* the standard pairs join if there is room */
		{ "", "", 6, "task-clock cycles instructions branches branch-misses L1-dcache-loads L1-dcache-load-misses" },
		{ "", "", 5, "task-clock cycles instructions branches branch-misses" },
		{ "", "", 3, "task-clock cycles instructions" },
		{ "", "", 1, "task-clock" },
		{ "instructions", "", 4, "task-clock instructions cycles branches branch-misses" },

		/* two events that are read together are counted together */
		{ "ipc branch-miss-rate", "", 2, "task-clock instructions cycles | task-clock branch-misses branches" },
		{ "ipc branch-miss-rate", "", 3, "task-clock instructions cycles | task-clock branch-misses branches" },
		{ "ipc branch-miss-rate l1d-miss-rate", "", 4,
		  "task-clock instructions cycles branch-misses branches | "
		  "task-clock L1-dcache-load-misses L1-dcache-loads" },
		{ "ipc branch-miss-rate branches", "", 3,
		  "task-clock instructions cycles | task-clock branch-misses branches" },
		{ "instructions ipc", "", 2, "task-clock instructions cycles" },
		{ "cycles-per-second", "", 1, "task-clock cycles" },
		/* a pair that shares an event with a full group is counted again, as a whole */
		{ "ipc branch-misses branches branch-miss-rate", "", 3,
		  "task-clock instructions cycles branch-misses | task-clock branches branch-misses" },
		/* larger than the capacity: in a group of its own; perf will show that it multiplexed */
		{ "ipc branch-miss-rate", "", 1, "task-clock instructions cycles | task-clock branch-misses branches" },

		/* events of the scenario, each once */
		{ "", "cache-misses cache-misses", 1, "task-clock cache-misses" },
		{ "", "a b c", 2, "task-clock a b | task-clock c" },
		{ "ipc", "cycles cs a", 3, "task-clock instructions cycles cs a" },
		{ "a", "a", 2, "task-clock a" },
		{ "task-clock page-faults wall-time", "task-clock", 1, "task-clock" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *found = plan(cases[i].metrics, cases[i].events, cases[i].capacity);

		if (strcmp(found, cases[i].expected))
			fail_msg("'%s' and '%s' on %u counters:\nexpected %s\nfound    %s", cases[i].metrics,
				 cases[i].events, cases[i].capacity, cases[i].expected, found);
	}
}

TEST(there_are_never_too_many_groups)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;
	CLEANUP(event_groups_release) struct event_groups groups;

	for (int i = 0; i < 2 * EVENT_GROUPS_MAX; i++)
		strv_pushf(&list, "r%d", i);
	event_groups_plan(NULL, 0, &list, 1, &groups);
	assert_int_equal(groups.n, EVENT_GROUPS_MAX);
	for (size_t i = 0; i < groups.n; i++)
		assert_int_equal(events_counters(&groups.events[i]), 1);
}

TEST(names_tell_what_needs_a_counter)
{
	static const struct { const char *event; bool needs; } cases[] = {
		{ "cycles", true }, { "instructions:u", true }, { "cpu/event=0x3c,umask=0x0/", true },
		{ "cpu/event=0x3c/:k", true }, { "cpu/name=the:other/", true }, { "r01c4", true }, { "r01c4:uk", true }, { "cs2", true },
		{ "L1-dcache-loads:ppp", true },
		{ "task-clock", false }, { "task-clock:u", false }, { "cs", false }, { "context-switches:u", false },
		{ "faults", false }, { "page-faults", false }, { "dummy", false },
		{ "syscalls:sys_enter_read", false }, { "sched:sched_switch", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (event_needs_counter(cases[i].event) != cases[i].needs)
			fail_msg("%s", cases[i].event);
}

TEST(counters_are_summed_up)
{
	CLEANUP(strv_release) struct strv events = split("task-clock cycles instructions:u cs r01c4 sched:sched_switch");

	assert_int_equal(events_counters(&events), 3);
}

/* -------- how a metric gets its values */

TEST(a_tier_decides_how_a_metric_is_counted)
{
	static const struct {
		const char *metric;
		enum counting by_tier[TIER_NONE];	/* hw, hw-user, sw, sw-user, sim */
	} cases[] = {
#define ALL COUNTING_WHOLE
		{ "task-clock", { ALL, ALL, ALL, ALL, COUNTING_NONE } },
		{ "wall-time", { ALL, ALL, ALL, ALL, ALL } },
		{ "sim-branches", { ALL, ALL, ALL, ALL, ALL } },
		{ "cycles", { ALL, COUNTING_USER } }, { "ipc", { ALL, COUNTING_USER } },
		{ "instructions", { ALL, COUNTING_USER, COUNTING_SIMULATED, COUNTING_SIMULATED, COUNTING_SIMULATED } },
		{ "branch-miss-rate", { ALL, COUNTING_USER, COUNTING_SIMULATED, COUNTING_SIMULATED, COUNTING_SIMULATED } },
		{ "LLC-loads", { ALL, COUNTING_USER } },
#undef ALL
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(own_metrics_release) struct own_metrics own = { 0 };

		for (enum tier tier = TIER_HW; tier < TIER_NONE; tier++) {
			enum counting found = events_counting(own_metrics_find(&own, cases[i].metric), tier);

			if (found != cases[i].by_tier[tier])
				fail_msg("%s on %s: %d", cases[i].metric, tier_names[tier], found);
		}
	}
}
