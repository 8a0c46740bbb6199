/*
 * Plans which events are counted together. A PMU counts only a few events at once; beyond that perf multiplexes and
 * extrapolates. So events that must be read together (the two parts of a rate) are packed into groups that fit. Each
 * group is counted in runs of its own. task-clock needs no counter and is in all groups.
 */
#ifndef PAWL_MODEL_EVENTS_H
#define PAWL_MODEL_EVENTS_H

#include <stdbool.h>

#include "base/text.h"
#include "model/gate.h"
#include "model/machine.h"

enum { EVENT_GROUPS_MAX = 16 };

struct event_groups {
	struct strv events[EVENT_GROUPS_MAX];
	size_t n;		/* at least 1 */
};

/*
 * Plans the groups and overwrites OUT. GATES need the events of their metrics; EVENTS are the scenario's additions.
 * The standard pairs (cycles with instructions, branches with branch-misses, L1 loads with their misses) join if
 * there is room. CAPACITY is the number of hardware events that fit at once, 0 for none.
 */
void event_groups_plan(const struct gate *gates, size_t n_gates, const struct strv *events, unsigned capacity,
		       struct event_groups *out);
void event_groups_release(struct event_groups *groups);

/* True if EVENT takes a hardware counter, judged by its name. */
bool event_needs_counter(const char *event);
/* Returns how many of EVENTS take a hardware counter. */
unsigned events_counters(const struct strv *events);

/* How a metric gets its values. */
enum counting {
	COUNTING_NONE,		/* not at all */
	COUNTING_SIMULATED,	/* through its simulated metric; of commands only */
	COUNTING_USER,		/* in user mode only */
	COUNTING_WHOLE,		/* as the metric says; tools that are not perf work on every tier */
};

/* Returns how METRIC gets its values on a machine of TIER. */
enum counting events_counting(const struct metric *metric, enum tier tier);

/*
 * Parses names of perf events, to recognise a requested one in perf's output. perf may spell it differently: an
 * alias, a PMU in front of or after the name, or a privilege modifier that perf adds if it may not count the kernel.
 */

/* Privilege modifiers after an event's colon. */
enum { PRIVILEGE_USER = 1, PRIVILEGE_KERNEL = 2, PRIVILEGE_HYPERVISOR = 4 };

struct event_name {
	char *name;		/* without alias, core type and privilege */
	char *core;		/* the PMU of one core type of a hybrid CPU ("cpu_core"), or NULL */
	unsigned privilege;	/* 0: not restricted */
};

#define EVENT_NAME_INIT { 0 }

/*
 * Parses EVENT into OUT, for event_name_release(). Never fails: text that it does not understand is part of the name.
 */
void event_name_parse(const char *event, struct event_name *out);
void event_name_release(struct event_name *name);

/*
 * Returns how well a row's event matches the requested one: 0 for not at all, else higher is better. An event without
 * core type matches each core type. One without privilege also matches user only.
 */
int event_name_match(const struct event_name *asked, const struct event_name *row);

/* True for events that occur only in the kernel, so that counting user mode alone reads 0. */
bool event_name_reads_false_zero(const struct event_name *name);

#endif
