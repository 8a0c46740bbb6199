/*
 * What language runtimes need to be profiled.
 */
#ifndef PAWL_MEASURE_RUN_RUNTIMES_H
#define PAWL_MEASURE_RUN_RUNTIMES_H

#include <sys/types.h>

#include "base/text.h"

struct child_spec;

/*
 * Engines that make code while they run (Python from 3.12 on, Node, Java) tell perf what it is called in a file for each process, when
 * they are asked to by a variable: targets that are recorded are, those that are counted are not. These files, and what else
 * engines leave for it, are removed afterwards.
 *
 *	runtimes_begin(&r);
 *	runtimes_ask(&spec, &environment);	for each execution that is recorded
 *	...					what was recorded is read by perf script
 *	runtimes_end(&r, cwd, root);
 */
struct runtimes {
	struct strv before;	/* such files that were there */
	pid_t last;		/* the last process of this PID namespace that had started; 0: unknown */
};

void runtimes_begin(struct runtimes *r);
/* The whole environment for SPEC, to an empty OUT. */
void runtimes_ask(const struct child_spec *spec, struct strv *out);
/* The targets were started in CWD or below ROOT. */
void runtimes_end(struct runtimes *r, const char *cwd, const char *root);

#endif
