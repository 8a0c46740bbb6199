/*
 * target: of a scenario, the keys target_fields of fields.h: what is measured, in one of the ways of
 * enum target_kind. It is read after env:, whose services it may name.
 */
#ifndef PAWL_SCENARIO_TARGET_H
#define PAWL_SCENARIO_TARGET_H

#include "scenario/fields.h"
#include "scenario/scenario.h"

field_fn target_check;	/* struct scenario, after its fields: one kind, and only what goes with it */

#endif
