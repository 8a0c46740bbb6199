#ifndef PAWL_JOB_PYTHON_H
#define PAWL_JOB_PYTHON_H

#include <stdint.h>

struct error;
struct evidence;
struct system;

/*
 * Fills `work` of the evidence of N sides with what functions in Python do. `own` is known, and the first side is the
 * base. SYSTEMS run at once: six executions, or fewer if they take long, within LIMIT_NS. On error `work` is empty.
 */
int python_take(struct system *const systems[], unsigned n, uint64_t limit_ns, struct evidence *const sides[],
		struct error *err);

#endif
