/* measure: of a scenario and of pawl.yaml; the keys are measure_fields of fields.h. */
#ifndef PAWL_SCENARIO_MEASURE_SETTINGS_H
#define PAWL_SCENARIO_MEASURE_SETTINGS_H

#include "scenario/scenario.h"

void measure_settings_init(struct measure_settings *settings);		/* the built-in defaults */

#endif
