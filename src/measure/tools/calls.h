/*
 * Counts the system calls and processes of one execution, exactly: by perf's tracepoints if the kernel lets pawl read
 * them, else by strace. Both count entries from the target's exec on, of all its processes and threads.
 */
#ifndef PAWL_MEASURE_TOOLS_CALLS_H
#define PAWL_MEASURE_TOOLS_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/metrics/metric.h"

struct session;
struct target_spec;

/* Most metrics of SOURCE_CALLS that one scenario gates. */
enum { CALLS_MOST = 64 };

struct call_counts {
	const struct metric *metrics[CALLS_MOST];	/* of SOURCE_CALLS; set by the caller */
	double values[CALLS_MOST];
	size_t n;
	const char *by;		/* "perf" or "strace"; NULL: nothing was counted */
	struct error why_not;	/* set by the caller if nothing was counted although requested */
};

/* Fills in the values. ERR_SYSTEM, with advice, if neither tool can count. ERR must not be NULL. */
int calls_count(struct session *session, const struct target_spec *spec, uint64_t limit_ns, struct call_counts *counts, struct error *err);

/* Adds the calls in TEXT, as strace -f -ttt writes them, to the values of COUNTS. */
void calls_add(const char *text, size_t len, struct call_counts *counts);

#endif
