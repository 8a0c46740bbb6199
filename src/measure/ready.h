/*
 * Readiness: has a service begun to serve? One probe a service, tried again and again until it comes
 * true, the service ends, or the time is over. Between tries pawl sleeps in poll(), so that waiting
 * costs next to nothing (5 ms at first, then longer, 200 ms at the most).
 */
#ifndef PAWL_MEASURE_READY_H
#define PAWL_MEASURE_READY_H

#include "measure/child.h"
#include "measure/line_watch.h"
#include "scenario/plan.h"

struct ready_check {
	struct keeper *keeper;
	const struct plan_service *service;
	const struct line_watch *watch;		/* of READY_LOG: fed while the service's output is read */
	uint64_t since_ns;			/* CLOCK_REALTIME: a file changed before is an earlier run's; 0: any */
	/* Asked before every try and when a child ended: 0 while the service lives, -1 with an ERR_TARGET once it ended. */
	int (*alive)(void *ctx, struct error *err);
	void *ctx;
};

/*
 * 0 once it serves. A timeout is an ERR_TARGET that names the probe, the time and what it saw last:
 * "tcp 127.0.0.1:6379 was not ready within 10 s (Connection refused)". The caller adds the service's name,
 * and sweeps what the commands of a probe left behind. A delay takes its time whatever the timeout.
 * A probe that cannot be asked at all (its text, its program) fails at once.
 */
int ready_wait(const struct ready_check *check, struct error *err);
/*
 * Before the service starts: a tcp or http probe that is answered already would take a stranger for
 * it. -1 with an ERR_TARGET "port 6379 is already taken by redis-server (12); ...".
 */
int ready_refuse_stranger(const struct plan_service *service, struct error *err);

#endif
