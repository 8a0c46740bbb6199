/* ready: of a service, the keys ready_fields of fields.h: how to tell that it serves. */
#ifndef PAWL_SCENARIO_READY_H
#define PAWL_SCENARIO_READY_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

void ready_init(struct ready *ready);

field_fn ready_check;	/* struct ready, after its fields: one kind, and only what goes with it */

#endif
