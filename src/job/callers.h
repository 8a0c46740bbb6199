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
 * Names the callers of system calls that HEAD makes more often or waits longer in. Runs both sides' SPECS once,
 * together, under strace, for at most LIMIT_NS. Records a stack for each such call. If neither side was cut off, the
 * callers also tell where a side waits, unless something better is known. Does nothing if no call grew. ERR must not
 * be NULL.
 */
int callers_take(struct session *session, const struct target_spec specs[2], uint64_t limit_ns, struct evidence *base,
		 struct evidence *head, struct error *err);

/*
 * For services. Only one side is up at a time, the base first.
 *
 * service_calls_take() counts the calls of SYSTEM's target in a window under strace, with the work that its load does
 * meanwhile.
 *
 * service_callers_take() finds their callers for E, SYSTEM's side, in another window of at most five seconds. For the
 * first side it keeps the stacks of all calls. For the second it scales both sides' numbers to the same work. It then
 * names the callers of calls that grew, in OTHER too.
 *
 * Both fail with ERR_SYSTEM and a remedy. ERR must not be NULL.
 */
int service_calls_take(struct system *system, struct system_calls *out, struct error *err);
int service_callers_take(struct system *system, struct evidence *e, struct evidence *other, struct error *err);

#endif
