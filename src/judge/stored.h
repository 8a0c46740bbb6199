/*
 * The stored rule: runs of now against the sessions of a baseline, metric by metric.
 *
 * The estimate is the Hodges-Lehmann shift of the logarithms; its rank-sum bounds (1 % error a side) are widened on
 * both sides by twice the spread of session medians, because the same program measured in another block of time is
 * shifted however often it is repeated. Counts with fewer than five runs a side compare medians with the tolerance.
 * Other runs that are too few for bounds decide only what is gross: all of them beyond every stored run by a multiple
 * of every spread.
 *
 * A command does the same each time it is run; a window on a service catches what happens in it. So counts of windows
 * are never compared by their medians alone, and between two sessions move like times, or like rates where the CPU
 * counts them.
 */
#ifndef PAWL_JUDGE_STORED_H
#define PAWL_JUDGE_STORED_H

#include <stddef.h>

#include "model/baseline.h"
#include "model/gate.h"
#include "model/result.h"

/* Judges G by S's runs, against BASE where it compares; NULL: there is no baseline yet. */
void judge_stored(struct gate_result *g, struct scenario_result *s, const struct machine *machine,
		  const struct baseline *base);
/*
 * The comparison alone: N values that S measured of J's metric, at least one, against those of BASE, which must hold
 * some too. Sets the verdict, numbers and reason of J, which is GATE's, by its tolerance.
 */
void stored_compare(const struct gate *gate, struct judgement *j, struct scenario_result *s,
		    const struct machine *machine, const struct baseline *base, const double *values, size_t n);

#endif
