/* Rows of `perf stat` to the values of events, and why an event has none. */
#ifndef PAWL_MODEL_PERFSTAT_VALUE_H
#define PAWL_MODEL_PERFSTAT_VALUE_H

#include "model/result.h"

/* The least share of its time an event must have been counted for its value to be used, in percent. */
#define PERFSTAT_LEAST_RUNNING_PCT 99.0

/*
 * The event without what perf or the kernel added: "instructions:u" -> "instructions",
 * "cs [software]" -> "context-switches", "cpu_core/cycles/" -> "cycles". Others stay as they are:
 * "syscalls:sys_enter_read", "cpu/event=0x3c,umask=0x0/", "r01c4". For free().
 * *CORE_OUT (may be NULL) tells the PMU of a hybrid row ("cpu_core"), NULL else; for free().
 */
char *perfstat_event_name(const char *event, char **core_out);

/* Why an event has no value. */
enum missing {
	MISSING_NOT,		/* it has one */
	MISSING_ROW,		/* perf left it out */
	MISSING_UNSUPPORTED,
	MISSING_NOT_COUNTED,	/* the target ended before it was scheduled, or was never on that core type */
	MISSING_MULTIPLEXED,	/* counted only part of the time: an extrapolation */
	MISSING_HYBRID,		/* ran on several core types: their counts do not add up */
	MISSING_FALSE_ZERO,	/* context-switches:u, cpu-migrations:u; perf's own times, on some versions */
};

/* What to say after "not measured: "; empty for MISSING_NOT. */
const char *missing_reason(enum missing why);

/*
 * The value of EVENT in ROWS, NaN with the reason when there is none to trust. EVENT is spelled as
 * it was asked for, bare or with modifiers: "instructions" is answered by "instructions:u" where
 * perf added that, but never by "instructions:k". *WHY_OUT (may be NULL) is always written.
 */
double perfstat_value(const struct perf_rows *rows, const char *event, enum missing *why_out);

#endif
