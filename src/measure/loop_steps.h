/*
 * The steps of measuring a scenario that the run loop and the loop of pairs have in common, each on the operations
 * of one target.
 */
#ifndef PAWL_MEASURE_LOOP_STEPS_H
#define PAWL_MEASURE_LOOP_STEPS_H

#include "measure/runloop.h"

/* What one measurement of the target is called: "run", "window". */
const char *loop_run_name(const struct plan *plan);
/* A command of the scenario, WHAT its key; nothing where ARGV is empty. */
int loop_command(const struct loop_ops *ops, const struct plan *plan, const char *what, const struct strv *argv,
		 struct error *err);
/* `prepare`, then the target, as loop_ops.run. */
int loop_run(const struct loop_ops *ops, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
	     struct measured *out, struct error *err);
int loop_set_up(const struct loop_ops *ops, const struct plan *plan, struct error *err);
/*
 * The scenario's warm-up, at least LEAST runs of the target. *FASTEST_MS_OUT (may be NULL) is the shortest of them,
 * NaN when there was none.
 */
int loop_warm_up(const struct loop_ops *ops, const struct plan *plan, unsigned least, double *fastest_ms_out,
		 struct error *err);
/* `prepare` and a simulation, whose values go to RESULT's first run. */
int loop_simulate(const struct loop_ops *ops, const struct plan *plan, struct scenario_result *result,
		  struct error *err);
/* A profile; one that cannot be taken is a note. -1 only when interrupted. */
int loop_profile(const struct loop_ops *ops, const struct plan *plan, struct scenario_result *result,
		 struct error *err);
/* `cleanup`; its failure is a note. */
void loop_clean_up(const struct loop_ops *ops, const struct plan *plan, struct scenario_result *result);
/* RESULT failed: WHY, and the last words of the target. */
void loop_note_failure(const struct loop_ops *ops, struct scenario_result *result, const char *why);

#endif
