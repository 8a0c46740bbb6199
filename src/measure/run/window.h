/*
 * One window on a running target, with all its processes, threads and the children that they fork. A load that works at a
 * rate starts first, so that the window lies inside it. A load of fixed work starts once counting is on, and the window
 * lasts until it ends.
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

/* One recording, sampled in one or more windows, of which the first attaches perf. Its owner ends and disposes of it. */
struct window_recording {
	struct record_spec spec;
	uint64_t length_ns;	/* from its begin; windows that the load does not end are over by then */
	struct perf record;	/* PERF_INIT */
	bool attached;
	uint64_t began_ns, ended_ns;	/* begin of the first window and end of the last; 0: not yet */
};

struct window_trace {
	struct strace_wish wish;
	struct strace strace;
};

struct window_spec {
	struct session *session;
	const struct plan *plan;
	struct env *env;
	const struct attached *attached;	/* NULL: the target is a service of ENV */
	uint64_t limit_ns;			/* longest duration of a warm-up window; 0: the scenario's duration */
	uint64_t window_ns;			/* as in loop_ops.shorten; not for recorded or traced windows */
	struct window_recording *recording;	/* samples instead of counting; or NULL */
	/*
	 * Traces instead of counting, or NULL: all the load's work. After `limit_ns` the load gets SIGINT and may print its
	 * figures. The trace's owner ends it.
	 */
	struct window_trace *trace;
	/* CPUs of the target, and of its load and the other services, during the window. NULL: unchanged. */
	const char *cpus, *other_cpus;
	bool load_anywhere;			/* the load is exempt */
};

/* Runs N windows at once, which begin in this order. None of them records. */
int windows_run(const struct window_spec *specs, struct outcome *outcomes, size_t n, const struct strv *events,
		struct error *err);
/* True if a target was idle in a window, on a CPU of its own or SHARED with the other side. WORK 0: unknown. */
bool window_is_idle(double cpu_ms, double wall_ms, double work, bool shared);

#endif
