/* load: of a scenario, the keys load_fields of fields.h: what drives an attached target. */
#ifndef PAWL_SCENARIO_LOAD_H
#define PAWL_SCENARIO_LOAD_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

/* True for a load that tells how much it did; also for one whose work: has a fault, so that no gate is a second one. */
bool load_has_work(const struct load *load);

field_fn load_check;	/* struct load, after its fields and after target: */

#endif
