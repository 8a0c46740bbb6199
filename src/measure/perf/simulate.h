/*
 * The simulated tier: one execution under valgrind's cachegrind with a fixed cache geometry, which
 * gives instructions, branch and cache misses that repeat almost to the instruction.
 */
#ifndef PAWL_MEASURE_PERF_SIMULATE_H
#define PAWL_MEASURE_PERF_SIMULATE_H

#include "measure/perf/cachegrind.h"
#include "measure/perf/target_run.h"

/* True when valgrind is installed. */
bool simulate_available(void);
/* All processes of the target together. */
int simulate_run(struct rig *rig, const struct target_spec *spec, struct simulated *out, struct strbuf *output,
		 struct error *err);

#endif
