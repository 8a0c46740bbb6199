/*
 * The environment of a scenario: its services. They start in order, each after the previous one serves, and stop in
 * reverse.
 *
 * 	env_up() -> env_check(), env_find() -> env_down(), also after a failure of env_up()
 */
#ifndef PAWL_MEASURE_SERVICES_ENV_H
#define PAWL_MEASURE_SERVICES_ENV_H

#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"

struct error;
struct plan;
struct service_run;
struct session;

/* System calls of the target's services until they serve. */
struct env_trace {
	const char *calls;		/* set by the caller: as in struct strace_wish */
	struct strbuf text;		/* strace's; empty if they could not be traced; strbuf_release() */
};

struct env {
	/* Set by the caller before env_up(). */
	size_t pad;			/* for every service, as in child_spec */
	struct env_trace *trace;	/* filled at the first start, and NULL from then on; may be NULL */
	struct session *session;
	const struct plan *plan;
	struct service_run *services;	/* as in the plan; those from N on were never started */
	size_t n;
	struct service_run *ended;	/* the service that failed, or NULL */
};

/* Starts the services. BEFORE (may be NULL) is called with the name of each service before it starts. */
int env_up(struct env *env, struct session *session, const struct plan *plan, void (*before)(void *ctx, const char *service),
	   void *ctx, struct error *err);
/* Returns 0, or -1 with an ERR_TARGET that names the service that ended. */
int env_check(struct env *env, struct error *err);
struct service_run *env_find(struct env *env, const char *name);
/* Records the running processes for the next pawl (scratch_list()), which takes milliseconds. */
void env_list(struct env *env);
/* Stops the services. Each service's output goes to LOG_DIR/NAME.log; NULL: discarded. */
void env_down(struct env *env, const char *log_dir, struct strv *notes);

/*
 * An environment that stays up after pawl has ended (--keep-env): a fork of pawl stays with the keeper. It stops the
 * services on a signal or when they have ended, and runs the scenario's cleanup, which pawl then leaves out.
 */
struct kept_env {
	pid_t pid;			/* the process that keeps it, ended by SIGTERM; 0: none */
	pid_t target;			/* the measured service, or 0 */
	struct strv services;		/* one entry each: "redis: pid 12, port 6379" */
};

/*
 * Forks a process that keeps ENV up. If that fails, pid is 0 and NOTES have the reason. Otherwise it owns the keeper, the
 * scratch folder and the services, and the session gets a new keeper.
 */
struct kept_env kept_env_start(struct env *env, const char *log_dir, struct strv *notes);

#endif
