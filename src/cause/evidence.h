/*
 * Everything known about one side of a pair: what one execution of its program did, from tools that trace, simulate or
 * sample it. measure/ runs the tools, job/ collects the results.
 */
#ifndef PAWL_CAUSE_EVIDENCE_H
#define PAWL_CAUSE_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"
#include "cause/readers/offcpu.h"
#include "profile/stacks.h"

/* The steps of the search, in the order in which reports list what is missing. */
enum evidence_step {
	STEP_NAMES,		/* symbols and debug information of the program */
	STEP_WORK, STEP_CPU, STEP_FAULTS, STEP_WAITS, STEP_SYSTEM_CALLS,
	STEP_CALLERS,		/* of system calls */
	STEP_HEAP,
	STEPS
};

/* A file that was loaded. */
struct loaded_file {
	const char *path;
	const char *id;		/* of its bytes, as from elf_identity() */
};

/* Evidence of one side. If a step fails, `missing` holds the reason and the rest stays valid. */
struct evidence {
	struct own_code own;
	const char *tmp;	/* ${tmp} of this side, absolute: paths below it match between the sides; or NULL */
	struct work work;
	bool helpers;		/* `work` excludes the programs that system_calls_helpers() returns */
	struct stacks cpu, faults, waits;	/* complete stacks; weights: ns of CPU time, faults, ns of waiting */
	struct stacks allocations, heap_peak;	/* allocator calls; bytes held at the peak */
	double temporary;	/* allocations freed before the next one */
	struct offcpu_times offcpu;		/* totals for `waits` */
	struct system_calls system_calls;
	struct stacks calling;	/* services only: complete stacks of system calls, one event per call name */
	struct loaded_file *libraries;		/* programs and libraries */
	size_t n_libraries, cap_libraries;
	struct strv compilers;			/* "GNU C17 12.2.0 -O2": compilers and options recorded in the program */
	const struct strv *arguments, *environment;	/* arguments and "NAME=VALUE" of the target; borrowed; may be NULL */
	uint64_t code_bytes;			/* size of the program's code, from its file; 0: unknown */
	const char *missing[STEPS];		/* reason and remedy; NULL: the step is complete, or was not needed */
	struct arena arena;			/* owns these fields and `own` */
};

void evidence_release(struct evidence *evidence);

#endif
