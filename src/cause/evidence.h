/*
 * All that is known of one side of a pair: what one execution of its program did, as tools tell that trace, simulate or sample it.
 * measure/ runs the tools, job/ collects.
 */
#ifndef PAWL_CAUSE_EVIDENCE_H
#define PAWL_CAUSE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/offcpu.h"
#include "cause/own_code.h"
#include "cause/system_calls.h"
#include "cause/work.h"
#include "profile/stacks.h"

/* What is missing has a reason, and leaves the rest standing. */
struct evidence {
	struct own_code own;
	const char *tmp;	/* ${tmp} of this side, absolute: what lies below it has the same name on both; or NULL */
	struct work work;
	unsigned counted;	/* processes whose output of callgrind `work` was read from */
	bool helpers;		/* what system_calls_helpers() names is not in `work` */
	struct stacks cpu, faults, waits;	/* whole call paths; weights: ns of CPU time, faults, ns of waiting */
	struct stacks allocations, heap_peak;	/* calls of malloc and its kin; bytes that were held when most were */
	double temporary;	/* of the allocations those that were freed before the next one */
	struct offcpu_times offcpu;		/* what `waits` are of */
	struct system_calls system_calls;
	struct stacks calling;	/* of services: whole call paths of their system calls, an event each */
	struct strv libraries;			/* "PATH ID" of each program and library that is loaded, ID as file_identity() has it */
	struct strv compilers;			/* "GNU C17 12.2.0 -O2": what the program was compiled by, as far as it tells */
	const struct strv *arguments, *environment;	/* what the target was given, "NAME=VALUE"; borrowed; may be NULL */
	uint64_t code_bytes;			/* instructions of the program, as its file has them; 0: not known */
	/* Names: symbols or debug information of the program. */
	const char *no_names, *no_work, *no_cpu, *no_faults, *no_waits, *no_system_calls, *no_callers, *no_heap;	/* why it is missing, with what would help; or NULL */
	struct arena arena;			/* of these and of `own` */
};

void evidence_release(struct evidence *evidence);

#endif
