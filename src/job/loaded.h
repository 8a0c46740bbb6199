#ifndef PAWL_JOB_LOADED_H
#define PAWL_JOB_LOADED_H

struct evidence;

/* Fills `libraries` of EVIDENCE from its system calls: what was executed, by names below CWD, and loaded, with what tells its bytes. */
void loaded_identify(struct evidence *evidence, const char *cwd);

#endif
