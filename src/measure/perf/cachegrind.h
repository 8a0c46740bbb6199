/*
 * Output files of `valgrind --tool=cachegrind --cache-sim=yes --branch-sim=yes` to totals. The
 * format is that of the Cachegrind manual, "File Format": an "events:" line names the columns, the
 * "summary:" line holds their totals.
 */
#ifndef PAWL_MEASURE_PERF_CACHEGRIND_H
#define PAWL_MEASURE_PERF_CACHEGRIND_H

#include <stddef.h>

#include "base/error.h"

struct simulated {
	double instructions, branches, branch_misses, l1d_loads, l1d_misses;
};

/* Adds the totals of one process to *SUM; a file without them is an error. */
int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err);

#endif
