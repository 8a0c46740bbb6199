/*
 * What a regression comes from: the evidence of both sides of its pairs to causes, each a sentence.
 */
#ifndef PAWL_CAUSE_CAUSE_H
#define PAWL_CAUSE_CAUSE_H

#include "cause/evidence.h"
#include "model/baseline.h"
#include "model/changes.h"
#include "model/result.h"

struct cause_input {
	const struct evidence *base, *head;
	const struct changes *changes;	/* or NULL */
	/* In words, as surroundings_compare() has them; NULL: nothing of that differs. */
	const char *library, *given, *build;
};

/*
 * Fills SCENARIO's causes and evidence from what was taken of both sides of its pairs; BASE is its base's side as a baseline.
 * The gates must be judged: without one that regressed there is no cause, and only what could not be found out is said.
 */
void causes_find(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *input);
/*
 * What was found, as lines before those of SCENARIO's evidence: instructions of all and of the functions that changed most, system
 * calls that changed, how large the diff is. After causes_find().
 */
void found_lines(struct scenario_result *scenario, const struct cause_input *input);

#endif
