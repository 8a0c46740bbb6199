/*
 * One execution of a target, under `perf stat` or while `perf record` samples it. The target is held, attached to,
 * released, waited for and measured; every process it left behind is ended.
 */
#ifndef PAWL_MEASURE_PERF_TARGET_RUN_H
#define PAWL_MEASURE_PERF_TARGET_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/process/child.h"

struct perf;
struct session;

struct target_spec {
	struct child_spec child;
	uint64_t timeout_ns;
	uint64_t grace_ns;	/* to end by itself at its timeout, and to write what it has; 0: half a second */
	struct perf *record;	/* attached to the keeper, switched on while the target runs; or NULL */
	bool may_fail;		/* any exit status is a success */
	bool crowd;		/* set measured.crowd and measured.launcher, which costs a look every few milliseconds */
};

/*
 * Runs a target once. EVENTS NULL: without perf stat. ERR_TARGET if the target fails, hangs or leaves processes behind.
 * OUTPUT always gets the end of its output.
 */
int target_run(struct session *session, const struct target_spec *spec, const struct strv *events, struct measured *out,
	       struct strbuf *output, struct error *err);

enum { AT_ONCE_MOST = 2 };

/* The outcome of one of several targets run at once. */
struct outcome {
	struct measured *out;
	struct strbuf *output;	/* the end of the target's output */
	bool failed;		/* the error belongs to this target; if no outcome is set, to none in particular */
};

/* True if the target's file would give it another user's rights. perf may then not observe it. */
bool target_takes_rights(const struct child_spec *child);
/* The same for N targets at once, released in this order once all are held. Each may take N times its timeout. */
int targets_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		const struct strv *events, struct error *err);

#endif
