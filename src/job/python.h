#ifndef PAWL_JOB_PYTHON_H
#define PAWL_JOB_PYTHON_H

#include <stdint.h>

struct error;
struct evidence;
struct system;

/*
 * Fills `work` of the evidence of N sides, of which `own` is known and the first is the base, with what functions in Python do, from
 * executions that SYSTEMS run at once: six of them, or fewer that take long, in LIMIT_NS. An error says why it
 * cannot be had; `work` is empty then.
 */
int python_take(struct system *const systems[], unsigned n, uint64_t limit_ns, struct evidence *const sides[],
		struct error *err);

#endif
