/* Language runtimes that need help to be profiled. */
#ifndef PAWL_MEASURE_TOOLS_RUNTIMES_H
#define PAWL_MEASURE_TOOLS_RUNTIMES_H

#include <sys/types.h>

#include "base/text.h"

struct child_spec;

/*
 * Engines that generate code at run time (Python from 3.12 on, Node, Java) write its names for perf to a file for each
 * process, if a variable asks for it. pawl asks for recorded targets, and removes what they leave.
 *
 * 	runtimes_begin(&r);
 * 	runtimes_ask(&spec, &environment);	for each recorded execution
 * 	...					perf script reads the recording
 * 	runtimes_end(&r, cwd, root);
 */
struct runtimes {
	struct strv before;	/* files that existed before */
	pid_t last;		/* the last process started in this PID namespace; 0: unknown */
};

void runtimes_begin(struct runtimes *r);
/* Builds the whole environment for SPEC in OUT, which must be empty. */
void runtimes_ask(const struct child_spec *spec, struct strv *out);
/* Removes the files. The targets were started in CWD or below ROOT. */
void runtimes_end(struct runtimes *r, const char *cwd, const char *root);

#endif
