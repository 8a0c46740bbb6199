#include "model/passes.h"

#include "base/mem.h"

static const char *const software[] = {
	"task-clock", "cpu-clock", "page-faults", "faults", "minor-faults", "major-faults", "context-switches", "cs",
	"cpu-migrations", "migrations", "alignment-faults", "emulation-faults", "dummy", "bpf-output", "cgroup-switches",
};

/* A tracepoint is subsystem:event; a privilege modifier behind a colon is a few lower case letters. */
static bool is_tracepoint(const char *event)
{
	const char *colon = strchr(event, ':');

	return colon && !strchr(event, '/') && strspn(colon + 1, "ukhGHSIPpWeD") != strlen(colon + 1);
}

bool event_needs_counter(const char *event)
{
	size_t len = strcspn(event, ":");

	for (size_t i = 0; i < sizeof software / sizeof software[0]; i++)
		if (strlen(software[i]) == len && !strncmp(software[i], event, len))
			return false;
	return !is_tracepoint(event);
}

unsigned events_counters(const struct strv *events)
{
	unsigned n = 0;

	for (size_t i = 0; i < events->n; i++)
		n += event_needs_counter(events->items[i]);
	return n;
}

static bool planned(const struct passes *p, const char *event)
{
	for (size_t i = 0; i < p->n; i++)
		if (strv_has(&p->events[i], event))
			return true;
	return false;
}

/* True when one pass already counts all of them together. */
static bool together(const struct passes *p, const char *const *events, size_t n)
{
	for (size_t i = 0; i < p->n; i++) {
		size_t has = 0;

		while (has < n && strv_has(&p->events[i], events[has]))
			has++;
		if (has == n)
			return true;
	}
	return false;
}

static unsigned cost_in(const struct strv *pass, const char *const *events, size_t n)
{
	unsigned cost = 0;

	for (size_t i = 0; i < n; i++)
		cost += !strv_has(pass, events[i]) && event_needs_counter(events[i]);
	return cost;
}

/*
 * First fit. A tuple larger than the capacity gets a pass of its own: perf will tell that it
 * multiplexed. Where nothing can be counted, runs of its own would not help any event.
 */
static void add_tuple(struct passes *p, const char *const *events, size_t n, unsigned capacity, bool may_open)
{
	size_t at = 0;

	if (together(p, events, n))
		return;
	while (at < p->n) {
		unsigned used = events_counters(&p->events[at]), cost = cost_in(&p->events[at], events, n);

		if (!capacity || used + cost <= capacity || (!used && may_open) || !cost)
			break;
		at++;
	}
	if (at == p->n) {
		if (!may_open || p->n == PASSES_MAX)
			return;
		strv_push(&p->events[p->n++], "task-clock");
	}
	for (size_t i = 0; i < n; i++)
		if (!strv_has(&p->events[at], events[i]))
			strv_push(&p->events[at], events[i]);
}

void passes_plan(const struct metric *const *gated, size_t n_gated, const struct strv *events, unsigned capacity,
		 struct passes *out)
{
	static const char *const standard[][2] = {
		{ "cycles", "instructions" },
		{ "branches", "branch-misses" },
		{ "L1-dcache-loads", "L1-dcache-load-misses" },
	};

	*out = (struct passes){ .n = 1 };
	strv_push(&out->events[0], "task-clock");
	for (size_t i = 0; i < n_gated; i++) {
		const char *parts[2];
		size_t n = metric_events(gated[i], parts);

		if (n && (capacity || !event_needs_counter(parts[0])))
			add_tuple(out, parts, n, capacity, true);
	}
	for (size_t i = 0; i < events->n; i++) {
		const char *event = events->items[i];

		if (!planned(out, event))
			add_tuple(out, &event, 1, capacity, true);
	}
	for (size_t i = 0; capacity && i < sizeof standard / sizeof standard[0]; i++)
		add_tuple(out, standard[i], 2, capacity, false);
}

void passes_release(struct passes *passes)
{
	for (size_t i = 0; i < PASSES_MAX; i++)
		strv_release(&passes->events[i]);
	passes->n = 0;
}
