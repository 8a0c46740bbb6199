/*
 * One service of an environment: started in a process group of its own, and in a cgroup of its own
 * where that can be made; waited for until it serves; asked to stop, then killed with all it left.
 *
 * 	service_run_start()		-1: it did not become ready; what there is of it is still to be stopped
 * 	service_run_alive()		as often as wanted
 * 	service_run_stop()		always, in the end; harmless when it was never started
 *
 * A service whose first process ends with status 0 while others live has become a daemon: it lives
 * as long as any of these.
 */
#ifndef PAWL_MEASURE_SERVICES_SERVICE_RUN_H
#define PAWL_MEASURE_SERVICES_SERVICE_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/process/child.h"
#include "measure/process/output.h"
#include "measure/process/processes.h"

struct error;
struct plan_service;
struct strv;

struct service_run {
	/* The caller's, before service_run_start(); what they point to must live as long as the service. */
	struct keeper *keeper;
	const struct plan_service *plan;
	const char *scratch;		/* its processes are listed there */
	const char *cpus;		/* what it is pinned to, or NULL */
	bool aslr_off;
	size_t pad;			/* as child_spec has it */

	struct processes listed;
	struct child child;
	struct line_watch watch;
	bool watching;			/* watch is initialised */
	char *cgroup;			/* its folder, or NULL */
};

/* The error of a failure names the service. */
int service_run_start(struct service_run *service, struct error *err);
/* 0, or -1 with an ERR_TARGET that says how it ended. */
int service_run_alive(struct service_run *service, struct error *err);
/* Adds all its processes now. */
int service_run_processes(const struct service_run *service, struct processes *out, struct error *err);
/* List them in the scratch folder, if they are others than those listed there. */
void service_run_list(struct service_run *service);
/*
 * End it: by its command or signal, then by SIGKILL when the grace is over. NOTES get what had to be killed, and
 * a stop command that failed. An interrupt does not cut this short.
 */
void service_run_stop(struct service_run *service, struct strv *notes);
/* Frees what is held; only after service_run_stop(), or where another process has taken the service over. */
void service_run_release(struct service_run *service);

#endif
