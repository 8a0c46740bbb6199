/*
 * One window on a running target: perf attached to all its processes and threads, counting (or sampling)
 * switched on and off at the window's edges, the load running throughout.
 *
 * A load that works at a rate is started first, so that the window lies inside it and begins when the
 * target has begun to work; a load of fixed
 * work is started once counting is on, and the window lasts until it ends. Children that the target
 * forks are counted (perf's events inherit).
 */
#ifndef PAWL_MEASURE_RUN_WINDOW_H
#define PAWL_MEASURE_RUN_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/perf/perf.h"
#include "measure/perf/strace_run.h"

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
 * One recording, sampled in one window or more. The first of them attaches perf, whoever made it ends and disposes of it. It
 * follows what its processes fork; what joins a cgroup or container from elsewhere is seen by the next recording.
 */
struct window_recording {
	struct record_spec spec;
	uint64_t length_ns;	/* since it began; windows that the load does not end are over by then */
	struct perf record;	/* PERF_INIT */
	bool attached;
	uint64_t began_ns, ended_ns;	/* with the first window, and with the last one; 0 before */
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
	uint64_t limit_ns;			/* of a warm-up: it lasts no longer; 0: as the scenario says */
	uint64_t window_ns;			/* as loop_ops.shorten has it; not of what is recorded or traced */
	struct window_recording *recording;	/* sampled instead of counted; or NULL */
	/*
	 * Traced instead of counted, or NULL: from before the load starts until it has ended, and the work is what it did in all. It has
	 * `limit_ns`, then it gets SIGINT, and may print its figures. Whoever made the trace ends it.
	 */
	struct window_trace *trace;
	/* While it lasts, the target is on the former, its load and the other services on the latter; NULL: where they are. */
	const char *cpus, *other_cpus;
	bool load_anywhere;			/* but for the load */
};

/*
 * EVENTS may be NULL: nothing is counted, as in a warm-up, or while it is sampled; with a limit what the load printed
 * is not read. A target, a service or a load that fails is an ERR_TARGET; OUT->dropped is set for a window that must not
 * be averaged in. OUTPUT gets the end of what the load printed, whatever happens.
 */
int window_run(const struct window_spec *spec, const struct strv *events, struct measured *out, struct strbuf *output,
	       struct error *err);

/*
 * N of them at once, as window_run(): counting is switched on for all, and loads of fixed work are released, in this order.
 * Each window ends when its load does, or all together when their time is over. None of them records.
 */
int windows_run(const struct window_spec *specs, struct outcome *outcomes, size_t n, const struct strv *events,
		struct error *err);
/*
 * True when a target did nothing in a window: it used less than 1 % of a CPU (0.1 % of one that is SHARED with the other side). On
 * a busy machine one that works may get less. So if its load reported WORK (0: unknown), 1 us a unit is enough.
 */
bool window_is_idle(double cpu_ms, double wall_ms, double work, bool shared);

#endif
