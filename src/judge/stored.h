/*
 * The stored rule: the runs of this measurement against the sessions of a baseline, metric by metric.
 *
 * The estimate is the Hodges-Lehmann shift of the logarithms, with rank-sum bounds at 1 % error a side. Both bounds
 * are widened by twice the spread of session medians: the same program shifts between blocks of time, however often
 * it is repeated within one. Counts with fewer than five runs a side compare medians with the tolerance. Other
 * metrics with too few runs for bounds decide only gross changes: every run lies beyond every stored run by a
 * multiple of every spread.
 *
 * A command does the same each time it runs; a window on a service catches what happens in it. So counts of windows
 * are never compared by their medians alone. Between two sessions they move like times, or like rates if the CPU
 * counts them.
 */
#ifndef PAWL_JUDGE_STORED_H
#define PAWL_JUDGE_STORED_H

#include <stddef.h>

#include "model/baseline.h"
#include "model/gate.h"
#include "model/result.h"

/* Judges G by S's runs, against BASE if G compares. BASE is NULL before the first baseline. */
void judge_stored(struct gate_result *g, struct scenario_result *s, const struct machine *machine,
		  const struct baseline *base);
/* One gate of a scenario, and the baseline that its new values are compared with. */
struct stored_terms {
	const struct gate *gate;
	struct scenario_result *scenario;
	const struct machine *machine;
	const struct baseline *base;
};

/*
 * Compares N values of J's metric with those of TERMS's baseline. Both must hold at least one. Sets the verdict,
 * numbers and reason of J, which is the gate's, by J's tolerance.
 */
void stored_compare(const struct stored_terms *terms, struct judgement *j, const double *values, size_t n);

#endif
