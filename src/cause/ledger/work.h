/* Exact instructions by function, line and call; for Python, time. Bytes in, values out. */
#ifndef PAWL_CAUSE_LEDGER_WORK_H
#define PAWL_CAUSE_LEDGER_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "cause/ledger/code.h"
#include "cause/ledger/own_code.h"

struct work_function {
	struct code code;
	double self;		/* instructions */
	double calls;		/* times entered */
};

struct work_line {
	uint32_t function;	/* function that executed it, inlined code included */
	const char *source;
	unsigned line;
	double self;
};

struct work_call {
	uint32_t caller, callee;
	double calls;
	double total;		/* instructions of the callee and everything it called */
};

/* Indexes for the lists of `struct work`: numbers for texts, and for pairs of texts and numbers. */
struct work_index {
	struct stacks texts;
	const char **kept;		/* copies in the arena, by number; NULL: not copied yet */
	size_t n_kept;
	struct pair_index functions;	/* object and key */
	struct pair_index places;	/* source and line */
	struct pair_index lines;	/* function and place */
	struct pair_index calls;	/* caller and callee */
};

/* Exact instructions by function, line and call of all processes of one execution. { 0 } is empty. */
struct work {
	struct arena arena;
	struct work_function *functions;
	size_t n_functions, cap_functions;
	struct work_line *lines;
	size_t n_lines, cap_lines;
	struct work_call *calls;
	size_t n_calls, cap_calls;
	double total;
	const char *per;	/* costs and calls are those of one call of this function, see prefix.h; NULL: of a whole execution */
	double per_error;	/* their relative standard error */
	bool timed;		/* costs are ns of wall time of Python functions, which have no lines */
	struct work_index *index;	/* for readers; NULL until the first function */
};

void work_release(struct work *work);
/*
 * For readers. Each returns a number and adds what is missing: a text, a function with only key and object, or a call.
 * A line and a call add to what is there.
 */
uint32_t work_text(struct work *work, const char *text);
const char *work_keep(struct work *work, uint32_t text);	/* the text, valid as long as WORK */
uint32_t work_function_of(struct work *work, const char *object, const char *key);
uint32_t work_call_of(struct work *work, uint32_t caller, uint32_t callee);
void work_add_line(struct work *work, uint32_t function, const char *source, unsigned line, double self);
void work_add_call(struct work *work, const struct work_call *call);
/*
 * Adds one process's file to WORK. The format is that of Callgrind's manual, "Callgrind Format Specification", with
 * name compression and relative lines. The costs are instructions ("Ir"), or what measure/tools/python.py counts: the ns
 * of wall time in each Python function itself, without the cost of counting, and the times it is entered. A generator
 * is entered each time it resumes. Built-in functions have no object and a name such as "list.append". Returns
 * ERR_INPUT with the line number for other text.
 */
int callgrind_read(const char *text, size_t len, const struct own_code *own, struct work *work, struct error *err);

/*
 * Keeps the lower of both times in WORK, since disturbances only add time. WORK and AGAIN are two executions of the
 * same program.
 */
void python_least(struct work *work, struct work *again);
/*
 * Prepares HEAD for comparison with BASE. Its times are scaled to BASE's pace, estimated from the functions common to
 * both. A function that is entered and calls as often as before keeps BASE's time, if the times differ by no more than
 * executions do.
 */
void python_settle(struct work *base, const struct own_code *base_own, struct work *head, const struct own_code *head_own);

#endif
