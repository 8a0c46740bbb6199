/*
 * metrics: of a scenario: figures of the output as metrics of their own. The keys of one are
 * printed_fields of fields.h. They are read after measure:, whose events they may not be called like.
 */
#ifndef PAWL_SCENARIO_PRINTED_H
#define PAWL_SCENARIO_PRINTED_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

field_fn printed_parse;		/* struct scenario: a list of metrics */

#endif
