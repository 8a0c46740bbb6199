/*
 * A run of a Python program that counts its functions' calls.
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
 * How often functions in Python are called, and what they take, by Python's own profiler: python_calls.py, put on PYTHONPATH of
 * N targets that are run at once, counts in each of their processes, whatever starts these, by PYTHONUSERBASE where that sets
 * PYTHONPATH itself. It takes up to five times as long, so nothing of it is timed; after LIMIT_NS each is ended (N times that
 * where they share a CPU). What each process wrote is handed to FEED, for python_read(). An ERR_SYSTEM with the reason where
 * no process of Python wrote.
 */
typedef int python_calls_feed_fn(void *ctx, unsigned side, const char *text, size_t len, struct error *err);

int python_calls_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		     uint64_t limit_ns, python_calls_feed_fn *feed, void *ctx, struct error *err);

#endif
