#ifndef PAWL_JOB_LOADED_H
#define PAWL_JOB_LOADED_H

#include <stdbool.h>

struct error;
struct evidence;
struct system;
struct system_calls;

/* Fills `libraries` of EVIDENCE from its system calls: what was executed, by names below CWD, and loaded, with what tells its bytes. */
void loaded_identify(struct evidence *evidence, const char *cwd);
/*
 * What the targets of N sides execute and load, their environments up: of a command by one execution under strace, cut after
 * some seconds (COMPLETE_OUT false); of a target that runs already what its processes have mapped. CALLS, empty before, are for
 * system_calls_release() whatever happens. An ERR_SYSTEM says why it cannot be seen here.
 */
int loaded_take(struct system *const systems[], unsigned n, struct system_calls *calls, bool *complete_out, struct error *err);

#endif
