/*
 * One service of an environment: started in a process group of its own, and in a cgroup of its own
 * where that can be made; waited for until it serves; told to stop, then killed with all it left.
 *
 *	service_run_start()		-1: it did not become ready; what there is of it is still to be stopped
 *	service_run_alive()		as often as wanted
 *	service_run_stop()		always, in the end; harmless when it was never started
 *
 * A service whose first process ends with status 0 while others live has become a daemon: it lives
 * as long as any of these.
 */
#ifndef PAWL_MEASURE_SERVICES_SERVICE_RUN_H
#define PAWL_MEASURE_SERVICES_SERVICE_RUN_H

#include "measure/process/child.h"
#include "measure/process/output.h"
#include "measure/process/processes.h"
#include "scenario/plan.h"

struct service_spec {
	const struct plan_service *plan;
	const char *scratch;		/* its processes are listed there, see scratch.h */
	const char *cpus;		/* what it is pinned to, or NULL */
	bool aslr_off;
};

struct service_run {
	const struct plan_service *plan;
	const char *scratch;
	struct processes listed;
	struct child child;
	struct line_watch watch;
	bool watching;			/* watch is initialised */
	char *cgroup;			/* its folder, or NULL */
};

/* The error of a failure names the service. What SPEC points to must live as long as the service. */
int service_run_start(struct keeper *keeper, const struct service_spec *spec, struct service_run *out,
		      struct error *err);
/* 0, or -1 with an ERR_TARGET that tells how it ended. */
int service_run_alive(struct keeper *keeper, struct service_run *service, struct error *err);
/* All its processes now. */
int service_run_processes(struct keeper *keeper, const struct service_run *service, struct processes *out,
		      struct error *err);
/* List them in the scratch folder, if they are others than those listed there. */
void service_run_list(struct keeper *keeper, struct service_run *service);
/*
 * End it: by its command or signal, then by SIGKILL when the grace is over. What had to be killed, and
 * a stop command that failed, is told in NOTES. An interrupt does not cut this short.
 */
void service_run_stop(struct keeper *keeper, struct service_run *service, struct strv *notes);
/* What it printed last. */
void service_run_output(const struct service_run *service, struct strbuf *out);
/* Frees what is held; only after service_run_stop(), or where another process has taken the service over. */
void service_run_release(struct keeper *keeper, struct service_run *service);

#endif
