/*
 * Names of perf events, taken apart so that one that was asked for is recognised in perf's output,
 * which spells some of them otherwise: an alias, a PMU in front of or behind the name, or a
 * privilege modifier that perf adds where it may not count the kernel.
 */
#ifndef PAWL_MODEL_EVENT_NAME_H
#define PAWL_MODEL_EVENT_NAME_H

#include <stdbool.h>

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
