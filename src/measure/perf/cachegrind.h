/*
 * The simulated tier: one execution under valgrind's cachegrind with a fixed cache geometry, which
 * gives instructions, branch and cache misses that repeat almost to the instruction.
 */
#ifndef PAWL_MEASURE_PERF_CACHEGRIND_H
#define PAWL_MEASURE_PERF_CACHEGRIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/perf/heaptrack.h"

struct error;
struct session;
struct strbuf;
struct target_spec;

struct simulated {
	double instructions, branches, branch_misses, l1d_loads, l1d_misses;	/* NaN: nobody asked */
	char by[96];	/* what the values depend on besides the program: "valgrind-3.22.0, glibc 2.39" */
	char why_not[200];	/* why the target could not be simulated; "": it was, or nobody asked */
	/* Instructions of all launchers (shells, pyenv, npx, cargo), one of them by name; the costliest other process, by path. */
	double launcher, started_instructions;
	char launched_by[32], started[200];
	struct heap_use heap;
};

/* What is simulated besides instructions: each takes as long again as these alone. */
struct simulation {
	bool branches, caches;
	bool only_heap;		/* nothing is simulated, not even these */
	bool heap;		/* allocations are counted, by heaptrack */
	uint64_t limit_ns;	/* each tool is ended then, and has no values; 0: as long as the target's timeout lets it */
};

/* True when valgrind is installed. */
bool cachegrind_available(void);
/* All processes of the target together. */
int cachegrind_run(struct session *session, const struct target_spec *spec, struct simulation what, struct simulated *out,
		   struct strbuf *output, struct error *err);

/*
 * Adds the totals of one process, as far as they were simulated, to *SUM, and notes whether it is a launcher. The format is that of the
 * Cachegrind manual, "File Format": an "events:" line names the columns, the "summary:" line holds their totals; a text
 * without them is an error.
 */
int cachegrind_add(const char *text, size_t len, struct simulated *sum, struct error *err);

#endif
