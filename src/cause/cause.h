/* Finds the causes of a regression: turns the evidence of both sides into causes, each one sentence. */
#ifndef PAWL_CAUSE_CAUSE_H
#define PAWL_CAUSE_CAUSE_H

#include "cause/evidence.h"
#include "model/baseline.h"
#include "model/result.h"
#include "model/source/changes.h"

struct cause_input {
	const struct evidence *base, *head;
	const struct changes *changes;	/* or NULL */
	/* One phrase each, as surroundings_compare() returns them. NULL: no difference. */
	const char *library, *given, *build;
	const struct metric *benchmark;	/* of a harness: the one that regressed most; NULL: none */
	unsigned iterations;		/* of it in each run for the cause; 0: as many as fit into a given time */
};

/*
 * Fills SCENARIO's causes and evidence from INPUT, the evidence of both sides of its pairs. BASE holds the base's
 * values as a baseline. The gates must be judged first. If no gate regressed, no cause is added and only missing
 * evidence is reported.
 */
void causes_find(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *input);
/*
 * Inserts findings before the lines of SCENARIO's evidence: total instructions, the functions that changed most,
 * changed system calls, and the size of the diff. Call after causes_find().
 */
void found_lines(struct scenario_result *scenario, const struct cause_input *input);

#endif
