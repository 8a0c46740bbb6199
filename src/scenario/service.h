/* env: of a scenario: the services it starts. The keys of one are service_fields of fields.h. */
#ifndef PAWL_SCENARIO_SERVICE_H
#define PAWL_SCENARIO_SERVICE_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

field_fn services_parse;	/* struct scenario: a list of services */

#endif
