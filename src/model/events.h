/*
 * Which events are counted together. A PMU counts only so many at once; beyond that perf
 * multiplexes and extrapolates, so events that must be read together (the two parts of a rate) are
 * packed into groups that fit, and every group is counted in runs of its own. task-clock is in all
 * of them: it needs no counter.
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
 * GATES need the events of their metrics, EVENTS are what the scenario adds; the standard pairs (cycles
 * with instructions, branches with branch-misses, L1 loads with their misses) join where there is
 * room. CAPACITY is how many hardware events fit at once, 0 for none. OUT is overwritten.
 */
void event_groups_plan(const struct gate *gates, size_t n_gates, const struct strv *events, unsigned capacity,
		       struct event_groups *out);
void event_groups_release(struct event_groups *groups);

/* True when EVENT takes a hardware counter, as far as its name shows. */
bool event_needs_counter(const char *event);
/* How many of EVENTS do. */
unsigned events_counters(const struct strv *events);

/*
 * Names of perf events, taken apart so that one that was asked for is recognised in perf's output,
 * which spells some of them otherwise: an alias, a PMU in front of or behind the name, or a
 * privilege modifier that perf adds where it may not count the kernel.
 */

/* The privilege modifiers behind an event's colon. */
enum { PRIVILEGE_USER = 1, PRIVILEGE_KERNEL = 2, PRIVILEGE_HYPERVISOR = 4 };

struct event_name {
	char *name;		/* without alias, core type and privilege */
	char *core;		/* the PMU of one core type of a hybrid CPU ("cpu_core"), or NULL */
	unsigned privilege;	/* 0: not restricted */
};

#define EVENT_NAME_INIT { 0 }

/* Never fails: what is not understood is the name as it stands. For event_name_release(). */
void event_name_parse(const char *event, struct event_name *out);
void event_name_release(struct event_name *name);

/*
 * How well a row's event answers for the one that was asked for: 0 not at all, else higher is
 * better. An event without core type is answered by those of each, one without privilege also by
 * user only.
 */
int event_name_match(const struct event_name *asked, const struct event_name *row);

/* True for events that happen in the kernel only, so that counting user mode alone reads 0. */
bool event_name_reads_false_zero(const struct event_name *name);

#endif
