/*
 * One window on a running target, its processes, threads and new children. A load at a rate starts before the window; a
 * load of fixed work starts with it, and ends it.
 */
#ifndef PAWL_MEASURE_RUN_WINDOW_H
#define PAWL_MEASURE_RUN_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/perf/perf.h"
#include "measure/tools/strace.h"

struct attached;
struct env;
struct outcome;
struct plan;

/* A recording of one or more windows, the first of which attaches perf. Its owner ends it. */
struct window_recording {
	struct record_spec spec;
	uint64_t length_ns;	/* from its begin */
	struct perf record;	/* PERF_INIT */
	bool attached;
	uint64_t began_ns, ended_ns;	/* of the first and last window; 0: not yet */
};

struct window_trace {
	struct strace_wish wish;
	struct strace strace;
};

struct window_spec {
	struct session *session;
	const struct plan *plan;
	struct env *env;
	const struct attached *attached;	/* NULL: a service of ENV */
	uint64_t limit_ns;			/* of a warm-up; 0: the scenario's */
	uint64_t window_ns;			/* as in loop_ops.shorten */
	struct window_recording *recording;	/* instead of counting; or NULL */
	/*
	 * Traces instead of counting, or NULL: all the load's work. After `limit_ns` the load gets SIGINT. The owner
	 * ends the trace.
	 */
	struct window_trace *trace;
	/* CPUs of the target, and of its load and the other services. NULL: unchanged. */
	const char *cpus, *other_cpus;
	bool load_anywhere;			/* the load is exempt */
};

/*
 * Runs N windows at once, which begin in this order; only one alone may record or trace. EVENTS NULL: nothing is
 * counted. With a limit the load's output is not parsed. ERR_TARGET if target, service or load fails. Each output
 * always gets the end of the load's.
 */
int windows_run(const struct window_spec *specs, struct outcome *outcomes, size_t n, const struct strv *events,
		struct error *err);
/* True if the target was idle, on a CPU of its own or SHARED with the other side. WORK 0: unknown. */
bool window_is_idle(double cpu_ms, double wall_ms, double work, bool shared);

#endif
