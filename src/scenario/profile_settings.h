/* profile: of a scenario and of pawl.yaml, a plain value; the keys are profile_fields of fields.h. */
#ifndef PAWL_SCENARIO_PROFILE_SETTINGS_H
#define PAWL_SCENARIO_PROFILE_SETTINGS_H

#include "scenario/scenario.h"

void profile_settings_init(struct profile_settings *settings);		/* the built-in defaults */

#endif
