/* The services of a plan. */
#ifndef PAWL_SCENARIO_PLAN_SERVICE_H
#define PAWL_SCENARIO_PLAN_SERVICE_H

#include "scenario/plan_text.h"

/* Fills in OUT's services, which go with the plan, whether it succeeds or not. */
int plan_services(const struct plan_builder *builder, struct plan *out, struct error *err);

#endif
