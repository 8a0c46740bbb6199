/* measure: beside a target: not every target can have all of it. */
#ifndef PAWL_SCENARIO_TARGET_MEASURE_H
#define PAWL_SCENARIO_TARGET_MEASURE_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

/* Refuse what the mapping `measure:` of the scenario itself says and its target or load cannot have. */
field_fn target_measure_check;
/* What pawl.yaml says for every scenario and this one's target cannot have is as if it were not said. */
void target_measure_settle(struct scenario *scenario);

#endif
