/*
 * Runs Python programs and counts the calls of their functions.
 */
#ifndef PAWL_MEASURE_PERF_PYTHON_CALLS_H
#define PAWL_MEASURE_PERF_PYTHON_CALLS_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct outcome;
struct session;
struct target_spec;

/*
 * Counts the calls and time of Python functions with Python's own profiler. python_calls.py goes on PYTHONPATH of N
 * targets run at once, and counts in each of their processes. If a launcher sets PYTHONPATH itself, PYTHONUSERBASE
 * loads it. It takes up to five times as long, so times mean nothing. Each target is ended after LIMIT_NS (N times
 * that if they share a CPU). FEED receives the output of each process, for python_read(). ERR_SYSTEM, with the reason,
 * if no Python process wrote any.
 */
typedef int python_calls_feed_fn(void *ctx, unsigned side, const char *text, size_t len, struct error *err);

int python_calls_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		     uint64_t limit_ns, python_calls_feed_fn *feed, void *ctx, struct error *err);

#endif
