/* A run of a target under heaptrack. */
#ifndef PAWL_MEASURE_TOOLS_HEAPTRACK_H
#define PAWL_MEASURE_TOOLS_HEAPTRACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct session;
struct target_spec;

/*
 * Allocations of one execution. They repeat exactly if the program does. Covers one program: the first that the
 * target's shell starts.
 */
struct heap_use {
	bool known;
	double allocations, temporary;
	double peak_bytes, leaked_bytes;
	struct error why_not;	/* set by the caller if `known` is false although requested */
};

struct heap_wish {
	const char *keep;	/* folder for heap.folded (allocations), heap-peak.folded (bytes at the peak); NULL */
	uint64_t limit_ns;	/* of the execution; 0: a multiple of the target's own timeout */
};

/*
 * Runs a target once under heaptrack. Static programs are refused, because heaptrack waits for ever on them. ERR must not
 * be NULL.
 */
int heaptrack_run(struct session *session, const struct target_spec *spec, const struct heap_wish *wish, struct heap_use *out,
		  struct strbuf *output, struct error *err);
/* Adds up the weights of folded stacks as printed by heaptrack_print. ERR_INPUT names the first line without a weight. */
int heaptrack_sum(const char *text, size_t len, double *sum_out, struct error *err);

#endif
