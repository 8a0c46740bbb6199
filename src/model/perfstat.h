/*
 * Text of `perf stat -x SEP` to rows, and rows to values of metrics.
 *
 * The format is that of perf-stat(1), "CSV FORMAT": value, unit, event, run time of the counter,
 * percentage of time it ran, and optional derived columns, which are ignored: they differ between
 * versions. The first five columns are the same in perf 5.10, 6.1, 6.12 and 7.2.
 */
#ifndef PAWL_MODEL_PERFSTAT_H
#define PAWL_MODEL_PERFSTAT_H

#include <stddef.h>

#include "base/error.h"
#include "model/result.h"

/* A separator that no event name contains. */
#define PERFSTAT_SEPARATOR ';'

/* The least share of its time an event must have been counted for its value to be used, in percent. */
#define PERFSTAT_LEAST_RUNNING_PCT 99.0

/*
 * Comments, blank lines, perf's warnings and lines of derived columns alone are skipped; a damaged
 * row is an error (ERR_SYSTEM) naming its line. *OUT is overwritten; for perf_rows_release().
 */
int perfstat_parse(const char *text, size_t len, char separator, struct perf_rows *out, struct error *err);

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
