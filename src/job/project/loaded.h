#ifndef PAWL_JOB_PROJECT_LOADED_H
#define PAWL_JOB_PROJECT_LOADED_H

#include <stdbool.h>

struct env_trace;
struct error;
struct evidence;
struct system;
struct system_calls;

/*
 * Fills `libraries` of EVIDENCE from its system calls: executed programs (paths relative to CWD) and loaded
 * libraries, each with the identity of its bytes.
 */
void loaded_identify(struct evidence *evidence, const char *cwd);
/*
 * Finds what the targets of N sides execute and load, while their environments are up. A command runs once under
 * strace and is cut after some seconds (COMPLETE_OUT false). For a target that runs already, reads what its processes
 * have mapped, and the traces of its services' start, which may be empty. CALLS must be empty, and needs system_calls_release() in every case. ERR_SYSTEM says why it cannot be
 * seen here.
 */
int loaded_take(struct system *const systems[], unsigned n, const struct env_trace *traces, struct system_calls *calls, bool *complete_out,
		struct error *err);

#endif
