/*
 * An environment that stays up after pawl has ended, for a developer to look at (--keep-env). A fork
 * of pawl stays behind with the keeper and all it knows of the services, drains their output, and
 * stops them as pawl would have, in reverse order, when it is told to end or when they have ended. The
 * scenario's cleanup comes after that, so it is not pawl's any more.
 */
#ifndef PAWL_MEASURE_KEPT_ENV_H
#define PAWL_MEASURE_KEPT_ENV_H

#include "measure/env.h"

/*
 * The process that keeps ENV, to be told SIGTERM, or 0 when it could not be made (told in NOTES). From
 * then on the keeper, the scratch folder and the services are its own: the rig gets a new keeper and
 * no scratch folder. WHAT gets one entry a service: "redis: pid 12, port 6379".
 */
pid_t kept_env_start(struct env *env, const char *log_dir, struct strv *what, struct strv *notes);

#endif
