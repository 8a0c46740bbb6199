/* env: of a scenario: the services it starts. The keys of one are service_fields of fields.h. */
#ifndef PAWL_SCENARIO_SERVICES_H
#define PAWL_SCENARIO_SERVICES_H

#include "scenario/scenario.h"
#include "scenario/values.h"

field_fn services_parse;	/* struct scenario: a list of services */

#endif
