#ifndef PAWL_JOB_CALLERS_H
#define PAWL_JOB_CALLERS_H

#include <stdint.h>

#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/run/system.h"

struct error;
struct system;
struct system_calls;

struct evidence;

/*
 * Names the callers of those system calls that HEAD makes more often or waits longer in: one execution of both sides' SPECS at once
 * under strace, with a stack of each such call, for LIMIT_NS at the most. Where no side was cut off by then, that is also where
 * they wait, if nothing better is known. Nothing grew: nothing is done. ERR must not be NULL.
 */
int callers_take(struct session *session, const struct target_spec specs[2], uint64_t limit_ns, struct evidence *base,
		 struct evidence *head, struct error *err);

/*
 * Of a service, of which one side stands at a time, the base's first. service_calls_take(): what SYSTEM's target calls in a window under
 * strace, with the work that its load does meanwhile. service_callers_take(): who does so, in another window of five seconds at most, for
 * E, SYSTEM's side; of the side that comes first the stacks of all calls are kept, then, both sides' numbers being made those of the
 * same work, those that grew are looked for in OTHER, too. ERR_SYSTEM, with what would help; ERR must not be NULL.
 */
int service_calls_take(struct system *system, struct system_calls *out, struct error *err);
int service_callers_take(struct system *system, struct evidence *e, struct evidence *other, struct error *err);

#endif
