/*
 * One service of an environment, in its own process group, and in its own cgroup if one can be created.
 *
 * 	service_run_start()		-1: it did not become ready; it must still be stopped
 * 	service_run_alive()		any number of times
 * 	service_run_stop()		always, at the end; harmless if it was never started
 *
 * If its first process ends with status 0 while others live, the service is a daemon: it lives as long as any of these.
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
	/* Set by the caller before service_run_start(). The objects pointed to must outlive the service. */
	struct keeper *keeper;
	const struct plan_service *plan;
	const char *scratch;		/* folder in which its processes are listed */
	const char *cpus;		/* CPUs it is pinned to, or NULL */
	bool aslr_off;
	size_t pad;			/* as in child_spec */
	void (*held)(void *ctx, pid_t pid);	/* called before its first process runs anything; may be NULL */
	void *ctx;

	struct processes listed;
	struct child child;
	struct line_watch watch;
	char *cgroup;			/* folder of its cgroup, or NULL */
};

/* Starts the service. The error names the service. */
int service_run_start(struct service_run *service, struct error *err);
/* Returns 0, or -1 with an ERR_TARGET that tells how the service ended. */
int service_run_alive(struct service_run *service, struct error *err);
/* Appends all its current processes. */
int service_run_processes(const struct service_run *service, struct processes *out, struct error *err);
/* Updates the list of its processes in the scratch folder, if it changed. */
void service_run_list(struct service_run *service);
/* Ends the service with all it left, by its command or signal, then by SIGKILL, with notes. No interrupt shortens this. */
void service_run_stop(struct service_run *service, struct strv *notes);
/* Frees the members. Call it after service_run_stop(), or once another process has taken the service over. */
void service_run_release(struct service_run *service);

#endif
