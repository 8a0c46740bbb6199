/* What two sides did, where their loads tell: a comparison of different work is none. */
#ifndef PAWL_MEASURE_PAIR_WORK_H
#define PAWL_MEASURE_PAIR_WORK_H

#include "model/result.h"
#include "scenario/scenario.h"

/* A note to NOTES where SCENARIO's load counts its work, and every window of one side did more than any of the other. */
void pair_work_note(const struct scenario *scenario, const struct scenario_result *base,
		    const struct scenario_result *head, struct strv *notes);

#endif
