/*
 * One service, in a process group and, if possible, a cgroup of its own.
 *
 *	service_run_start()		-1: not ready; still stop it
 *	service_run_alive()		any number of times
 *	service_run_stop()		always, at the end; harmless if it was never started
 *
 * If its first process ends with status 0, it lives as long as its daemons.
 */
#ifndef PAWL_MEASURE_SERVICES_SERVICE_RUN_H
#define PAWL_MEASURE_SERVICES_SERVICE_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "measure/process/child.h"
#include "measure/process/output.h"
#include "measure/process/processes.h"

struct plan_service;

struct service_run {
	/* Set before service_run_start(). The objects outlive the service. */
	struct keeper *keeper;
	const struct plan_service *plan;
	const char *scratch;		/* for scratch_list() */
	const char *cpus;		/* or NULL */
	bool aslr_off;
	size_t pad;			/* as in child_spec */
	void (*held)(void *ctx, pid_t pid);	/* before its first process runs anything; or NULL */
	void *ctx;

	struct processes listed;
	struct child child;
	struct line_watch watch;
	char *cgroup;			/* folder, or NULL */
};

int service_run_start(struct service_run *service, struct error *err);
/* Returns an ERR_TARGET that says how the service ended. */
int service_run_alive(struct service_run *service, struct error *err);
int service_run_processes(const struct service_run *service, struct processes *out, struct error *err);
/* Updates the list in the scratch folder, if it changed. */
void service_run_list(struct service_run *service);
/* Ends the service with all it left, by its command or signal, then SIGKILL, with notes. No interrupt shortens this. */
void service_run_stop(struct service_run *service, struct strv *notes);
/* Call it after service_run_stop(), or once another process has the service. */
void service_run_release(struct service_run *service);

#endif
