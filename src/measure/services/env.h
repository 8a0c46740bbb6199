/*
 * The environment of a scenario: its services, started in order, each only once the one before it
 * serves, and stopped in reverse.
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

struct env {
	size_t pad;			/* the caller's, before env_up(): of every service, as child_spec has it */
	struct session *session;
	const struct plan *plan;
	struct service_run *services;	/* as the plan's; those beyond N were never started */
	size_t n;
	struct service_run *ended;	/* the one that a failure was about, or NULL */
};

/* BEFORE (may be NULL) is called with the name of each service before it starts. */
int env_up(struct env *env, struct session *session, const struct plan *plan, void (*before)(void *ctx, const char *service),
	   void *ctx, struct error *err);
/* 0, or -1 with an ERR_TARGET that names the service that ended. */
int env_check(struct env *env, struct error *err);
struct service_run *env_find(struct env *env, const char *name);
/* Note what runs now, for the next pawl (scratch_list()). Takes milliseconds: not while something is measured. */
void env_list(struct env *env);
/* LOG_DIR: every service's output goes to LOG_DIR/NAME.log; NULL: nowhere. */
void env_down(struct env *env, const char *log_dir, struct strv *notes);

/*
 * An environment that stays up after pawl has ended, for a developer to look at (--keep-env). A fork
 * of pawl stays behind with the keeper and all it knows of the services, drains their output, and
 * stops them as pawl would have when a signal asks it to end or when they have ended. The
 * scenario's cleanup comes after that, so it is not pawl's any more.
 */
struct kept_env {
	pid_t pid;			/* who keeps it, which SIGTERM ends; 0: nobody */
	pid_t target;			/* the service that is measured, or 0 */
	struct strv services;		/* one entry each: "redis: pid 12, port 6379" */
};

/*
 * Without a pid when no process could be made that keeps ENV (NOTES say why). With one the keeper, the scratch folder
 * and the services are its own: the session gets a new keeper and no scratch folder. Release with strv_release() of services.
 */
struct kept_env kept_env_start(struct env *env, const char *log_dir, struct strv *notes);

#endif
