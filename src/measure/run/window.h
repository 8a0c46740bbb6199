/*
 * One window on a running target. perf attaches to all its processes and threads, and counting (or sampling) is
 * switched on and off at the window's edges. The load runs throughout. A load that works at a rate starts first, so
 * that the window lies inside it and begins when the target has begun to work. A load of fixed work starts once
 * counting is on, and the window lasts until the load ends. Children that the target forks are counted (perf's events
 * inherit).
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
struct error;
struct measured;
struct outcome;
struct plan;
struct session;
struct strbuf;
struct strv;

/*
 * One recording, sampled in one or more windows. The first window attaches perf. The recording's owner ends and
 * disposes of it. perf follows forked children. Processes that join a cgroup or container from elsewhere appear in the
 * next recording only.
 */
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
	 * Traces instead of counting, or NULL. Tracing starts before the load and ends after it, and covers all the
	 * load's work. After `limit_ns` the load gets SIGINT and may print its figures. The trace's owner ends it.
	 */
	struct window_trace *trace;
	/* CPUs of the target, and of its load and the other services, during the window. NULL: unchanged. */
	const char *cpus, *other_cpus;
	bool load_anywhere;			/* the load is exempt */
};

/*
 * Runs one window. EVENTS NULL: nothing is counted, as in a warm-up or while sampling. With a limit, the load's output
 * is not parsed. ERR_TARGET if a target, a service or a load fails. Sets OUT->dropped for a window that must not be
 * averaged in. OUTPUT always gets the end of the load's output.
 */
int window_run(const struct window_spec *spec, const struct strv *events, struct measured *out, struct strbuf *output,
	       struct error *err);

/*
 * Runs N windows at once, like window_run(). Counting is switched on for all, and loads of fixed work are released in
 * this order. Each window ends with its load, or all end together after their time. None of them records.
 */
int windows_run(const struct window_spec *specs, struct outcome *outcomes, size_t n, const struct strv *events,
		struct error *err);
/*
 * True if a target was idle in a window: it used less than 1 % of a CPU (0.1 % of one that is SHARED with the other
 * side). A busy machine may leave a working target less. So if its load reported WORK (0: unknown), 1 us per unit is
 * enough.
 */
bool window_is_idle(double cpu_ms, double wall_ms, double work, bool shared);

#endif
