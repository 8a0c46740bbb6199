/*
 * A run of a target under heaptrack.
 */
#ifndef PAWL_MEASURE_PERF_HEAPTRACK_H
#define PAWL_MEASURE_PERF_HEAPTRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct session;
struct strbuf;
struct target_spec;

/* Allocations of one execution, which repeat exactly where the program does: of one program, the first that the target's shell starts. */
struct heap_use {
	bool known;
	double allocations, temporary;
	double peak_bytes, leaked_bytes;
	char why_not[300];	/* of what is not known, with what would help; "": nobody asked */
};

struct heap_wish {
	const char *keep;	/* folder for stacks: of allocations heap.folded, of bytes at the peak heap-peak.folded; NULL: nowhere */
	uint64_t limit_ns;	/* of the execution; 0: a multiple of what the target itself may take */
};

/*
 * One execution under heaptrack, which waits for ever where it is given a static program, so such a one is refused. What cannot be
 * counted is OUT's why_not, and no error. -1: interrupted.
 */
int heaptrack_run(struct session *session, const struct target_spec *spec, const struct heap_wish *wish, struct heap_use *out,
		  struct strbuf *output, struct error *err);
/* The sum of the weights of folded stacks, as heaptrack_print has them. ERR_INPUT with the line that has none. */
int heaptrack_sum(const char *text, size_t len, double *sum_out, struct error *err);

#endif
