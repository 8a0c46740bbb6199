/* stop: of a service, the keys stop_fields of fields.h: a command or a signal, and how long it may take. */
#ifndef PAWL_SCENARIO_STOP_H
#define PAWL_SCENARIO_STOP_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

void stop_init(struct stop *stop);

field_fn stop_check;	/* struct stop, after its fields: what excludes each other */

#endif
