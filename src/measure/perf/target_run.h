/*
 * One execution of a target under `perf stat`, or while `perf record` samples it: held, attached,
 * released, waited for, measured around itself, and everything it left behind ended.
 */
#ifndef PAWL_MEASURE_PERF_TARGET_RUN_H
#define PAWL_MEASURE_PERF_TARGET_RUN_H

#include "measure/perf/perf_record.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "model/measured.h"

struct target_spec {
	struct child_spec child;
	uint64_t timeout_ns;
	struct perf_record *record;	/* attached to the keeper: switched on while the target runs; or NULL */
};

/*
 * EVENTS may be NULL: run without perf stat, as a warm-up or while it is sampled. A target that fails, hangs or
 * leaves processes behind is an ERR_TARGET; one of which perf and the kernel tell different things is dropped. OUTPUT
 * gets the end of what it printed, whatever happens.
 */
int target_run(struct rig *rig, const struct target_spec *spec, const struct strv *events, struct measured *out,
	       struct strbuf *output, struct error *err);

#endif
