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

#include "measure/perf/perf_record.h"
#include "measure/services/attach.h"
#include "measure/services/env.h"
#include "model/measured.h"

/*
 * One recording, sampled in one window or more. The first of them attaches perf, whoever made it ends and disposes of it. It
 * follows what its processes fork; what joins a cgroup or container from elsewhere is seen by the next recording.
 */
struct window_recording {
	struct record_spec spec;
	uint64_t length_ns;	/* since it began; windows that the load does not end are over by then */
	struct perf_record record;	/* PERF_RECORD_INIT */
	bool attached;
	uint64_t began_ns, ended_ns;	/* with the first window, and with the last one; 0 before */
};

struct window_spec {
	struct rig *rig;
	const struct plan *plan;
	struct env *env;
	const struct attached *attached;	/* NULL: the target is a service of ENV */
	uint64_t limit_ns;			/* of a warm-up: it lasts no longer; 0: as the scenario says */
	struct window_recording *recording;	/* sampled instead of counted; or NULL */
};

/*
 * EVENTS may be NULL: nothing is counted, as in a warm-up, or while it is sampled; with a limit the load's figures
 * are not read. A target, a service or a load that fails is an ERR_TARGET; a window that must not be averaged in is
 * told in OUT->dropped. OUTPUT gets the end of what the load printed, whatever happens.
 */
int window_run(const struct window_spec *spec, const struct strv *events, struct measured *out, struct strbuf *output,
	       struct error *err);

#endif
