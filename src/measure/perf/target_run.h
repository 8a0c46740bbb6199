/*
 * One execution of a target under `perf stat`, or while `perf record` samples it: held, attached,
 * released, waited for, measured around itself, and everything it left behind ended.
 */
#ifndef PAWL_MEASURE_PERF_TARGET_RUN_H
#define PAWL_MEASURE_PERF_TARGET_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/child.h"

struct error;
struct measured;
struct perf;
struct session;
struct strbuf;
struct strv;

struct target_spec {
	struct child_spec child;
	uint64_t timeout_ns;
	struct perf *record;	/* attached to the keeper: switched on while the target runs; or NULL */
	bool crowd;		/* find out measured.crowd, which costs a look every few milliseconds */
};

/*
 * EVENTS may be NULL: run without perf stat, as a warm-up or while it is sampled. A target that fails, hangs or
 * leaves processes behind is an ERR_TARGET; one for which perf and the kernel have different numbers is dropped. OUTPUT
 * gets the end of what it printed, whatever happens.
 */
int target_run(struct session *session, const struct target_spec *spec, const struct strv *events, struct measured *out,
	       struct strbuf *output, struct error *err);

enum { AT_ONCE_MOST = 2 };

/* What becomes of one of several that are run at once. */
struct outcome {
	struct measured *out;
	struct strbuf *output;	/* the end of what was printed */
	bool failed;		/* what went wrong is this one's; of none: nobody's in particular */
};

/* Its program's file gives it another user's rights, which pawl has not: perf may not look at it. */
bool target_takes_rights(const struct child_spec *child);
/*
 * N of them at once, as target_run(): all are held until the last is, and released in this order. They take the CPU from
 * each other, so the time each of them takes says nothing, and each may take N times its timeout.
 */
int targets_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		const struct strv *events, struct error *err);

#endif
