/*
 * The stored rule: runs of now against the sessions of a baseline, metric by metric.
 *
 * The estimate is the Hodges-Lehmann shift of the logarithms; its rank-sum bounds (1 % error a
 * side) are widened on both sides by twice the spread of session medians, because the same
 * program measured in another block of time is shifted however often it is repeated. Counts with
 * fewer than five runs a side compare medians with the tolerance. Other runs that are too few for bounds decide only
 * what is gross: all of them beyond every stored run by a multiple of every spread.
 *
 * A command does the same each time it is run; a window on a service catches what happens in it. So
 * counts of windows are never compared by their medians alone, and between two sessions move like
 * times, or like rates where the CPU counts them.
 */
#ifndef PAWL_JUDGE_STORED_H
#define PAWL_JUDGE_STORED_H

#include <stdbool.h>

#include "model/baseline.h"
#include "model/gate.h"

/* How both sides were measured. */
struct stored_terms {
	bool virtual_machine;
	bool windows;		/* on an attached target; else runs of a command */
};

struct change {
	enum verdict verdict;
	double baseline, current;		/* medians */
	double change_pct, low_pct, high_pct;	/* raw sign; infinite bounds when runs are too few */
	double session_spread_pct;		/* what each side was widened by, halved */
	bool by_medians;			/* too few runs, exact counts or zeros: no interval */
	bool too_few;				/* runs for any bound; then only what is gross is decided */
	bool gross;				/* so far from every stored run that no machine explains it */
	bool below_least;			/* the change is under the metric's least absolute change */
};

/* VALUES (n of them, at least 1) of GATE's metric against BASE, which must hold some too. */
void stored_compare(const struct gate *gate, const struct baseline *base, const char *metric, const double *values,
		    size_t n, const struct stored_terms *terms, struct change *out);

#endif
