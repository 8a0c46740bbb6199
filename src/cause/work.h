/*
 * Instructions by function, line and call, exactly; of Python its time. Read from what callgrind and the counter of Python's calls
 * write. Bytes in, values out.
 */
#ifndef PAWL_CAUSE_WORK_H
#define PAWL_CAUSE_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "cause/own_code.h"

struct code {
	const char *function;	/* demangled; "[unknown]" */
	const char *key;	/* comparable between two builds, see name_comparable() */
	const char *object;	/* whole path of its file; "" unknown */
	const char *source;	/* whole path as debug information has it; NULL */
	unsigned line;		/* where it begins, or the first of it that was executed; 0 unknown */
	bool own;
};

struct work_function {
	struct code code;
	double self;		/* instructions */
	double calls;		/* how often it was entered */
};

struct work_line {
	uint32_t function;	/* in whose body it was executed, inlined or not */
	const char *source;
	unsigned line;
	double self;
};

struct work_call {
	uint32_t caller, callee;
	double calls;
	double total;		/* instructions of the callee with all that it called */
};

/* Instructions by function, line and call, exactly; of all processes of one execution. { 0 } is empty. */
struct work {
	struct arena arena;
	struct work_function *functions;
	size_t n_functions, cap_functions;
	struct work_line *lines;
	size_t n_lines, cap_lines;
	struct work_call *calls;
	size_t n_calls, cap_calls;
	double total;
	bool timed;		/* all of these are ns of wall clock instead, of functions in Python: see python_read() */
	struct work_index *index;	/* callgrind.c's */
};

void work_release(struct work *work);
/*
 * Adds one process's file to WORK: the format of Callgrind's manual, "Callgrind Format Specification", with name
 * compression and relative lines. ERR_INPUT with the line where it is none.
 */
int callgrind_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err);



/*
 * Adds one process's file to WORK: what measure/perf/python_calls.py writes of the functions of Python that were called, each
 * with the ns of wall clock spent in itself, less what counting took, and how often it was entered, which is exact (a
 * generator is entered each time it goes on). A comprehension is part of the function it stands in; what is built in has
 * no object and a name such as "list.append". The functions' object and source are the script. ERR_INPUT with the line
 * where it is none.
 */
int python_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err);
/* WORK and AGAIN are of two executions of the same: each time of WORK becomes the lesser of both, as what disturbs only adds. */
void python_least(struct work *work, struct work *again);
/*
 * HEAD is to be compared with BASE: times become those of BASE's pace, as what is common to both has it, and where a function
 * is entered and calls as often as before, and its time differs by no more than executions do, its time is that of BASE.
 */
void python_settle(struct work *base, struct work *head);

#endif
