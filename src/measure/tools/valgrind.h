/*
 * valgrind: callgrind, which counts instructions by function, and cachegrind, the simulated tier: one execution with a
 * fixed cache geometry. Its instructions, branch and cache misses repeat almost to the instruction.
 */
#ifndef PAWL_MEASURE_TOOLS_VALGRIND_H
#define PAWL_MEASURE_TOOLS_VALGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/tools/calls.h"
#include "measure/tools/heaptrack.h"
#include "measure/tools/tool.h"

struct simulated {
	double instructions, branches, branch_misses, l1d_loads, l1d_misses;	/* NaN: not requested */
	/* Everything but the program that the values depend on: "valgrind-3.22.0 (no chase, ...), glibc 2.39 (build-id:79cf...)". */
	char by[160];
	struct error why_not;	/* set by the caller if the target could not be simulated although requested */
	struct heap_use heap;
	struct call_counts calls;
};

/* The simulations to run in addition to instructions. Each takes as long again as instructions alone. */
struct simulation {
	bool branches, caches;
	bool nothing;		/* simulate nothing, not even instructions */
	bool heap;		/* count allocations with heaptrack */
	bool calls;		/* count system calls and processes that gates are on */
	uint64_t limit_ns;	/* each tool is ended then and has no values; 0: the target's timeout */
};

/* Instructions by function, line and call, for callgrind_read(). */
extern const struct tool tool_callgrind;

/* Simulates one execution. Covers all processes of the target together. */
int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err);

/*
 * Adds the simulated totals of one process to *SUM. The format is that of the Cachegrind
 * manual, "File Format": an "events:" line names the columns, a "summary:" line has their totals. A text without them
 * is an error.
 */
int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err);

#endif
