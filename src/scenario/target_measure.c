#include "scenario/target_measure.h"

static bool runs_to_its_end(const struct scenario *scenario)
{
	return scenario->target_kind == TARGET_COMMAND;
}

/* Nothing that pawl did could be different: the target runs already. */
static bool runs_already(const struct scenario *scenario)
{
	return scenario->target_kind != TARGET_COMMAND && scenario->target_kind != TARGET_SERVICE;
}

static bool load_ends_window(const struct scenario *scenario)
{
	return !runs_to_its_end(scenario) && scenario->load.as == WORK_COUNT;
}

static bool cannot_be_simulated(const struct scenario *scenario)
{
	return !runs_to_its_end(scenario) && scenario->measure.counters == COUNTERS_SIM;
}

static const struct {
	const char *key;
	bool (*refused)(const struct scenario *scenario);
	const char *why;
} rules[] = {
	{ "window", runs_to_its_end, "a command is measured from its start to its end; leave the window out" },
	{ "window", load_ends_window, "a load of fixed work ends its own window; leave measure.window out" },
	{ "counters", cannot_be_simulated, "a running process cannot be simulated; use auto or perf" },
	{ "cpus", runs_already, "a target that runs already is not pinned by pawl; leave this out" },
	{ "aslr", runs_already, "a target that runs already keeps its addresses; leave this out" },
};

int target_measure_check(struct source *source, const struct node_entry *entry, void *out)
{
	int ret = 0;

	(void)out;
	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct node_entry *found = node_find(&entry->value, rules[i].key);
		size_t mark;

		if (!found || !rules[i].refused(source->scope))
			continue;
		mark = source_enter(source, rules[i].key);
		ret = source_fault(source, found->key.at, "%s", rules[i].why);
		source_leave(source, mark);
	}
	return ret;
}

void target_measure_settle(struct scenario *scenario)
{
	struct measure_settings *measure = &scenario->measure;

	if (cannot_be_simulated(scenario))
		measure->counters = COUNTERS_AUTO;
	if (!runs_already(scenario))
		return;
	measure->cpus = NULL;
	measure->aslr_off = false;
}
