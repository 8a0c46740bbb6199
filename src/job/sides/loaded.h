#ifndef PAWL_JOB_SIDES_LOADED_H
#define PAWL_JOB_SIDES_LOADED_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "cause/ledger/accesses.h"
#include "cause/ledger/system_calls.h"

struct env_trace;
struct error;
struct evidence;
struct system;

/*
 * Fills `libraries` of EVIDENCE from its system calls: executed programs (paths relative to CWD) and loaded
 * libraries, each with the identity of its bytes.
 */
void loaded_identify(struct evidence *evidence, const char *cwd);
/* The files and programs that executions of N sides used. */
struct loaded {
	struct system_calls calls[2];
	struct accesses accesses[2];	/* with `wanted` */
	bool wanted;			/* also find `accesses` */
	uint64_t limit_ns;		/* take up to this time, if it is longer than usual */
	bool complete;			/* nothing was cut */
	struct timespec began;		/* when the executions began */
};

/*
 * Finds what the targets of N sides execute and load, while their environments are up. A command runs once under
 * strace and is cut after some seconds. For a target that runs already, reads what its processes have mapped, and the
 * traces of its services' start, which may be empty. OUT needs loaded_release() in every case. ERR_SYSTEM says why it
 * cannot be seen here.
 */
int loaded_take(struct system *const systems[], unsigned n, const struct env_trace *traces, struct loaded *out, struct error *err);
void loaded_release(struct loaded *loaded);

#endif
