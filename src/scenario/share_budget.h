/*
 * gates.budgets: the most that symbols or files may have of a profile. Those of a scenario replace those of pawl.yaml as
 * a whole, an empty list takes them away.
 */
#ifndef PAWL_SCENARIO_SHARE_BUDGET_H
#define PAWL_SCENARIO_SHARE_BUDGET_H

#include "scenario/node.h"
#include "scenario/scenario.h"

enum { SHARE_BUDGETS_MAX = 64, SHARE_GLOB_LONGEST = 1000 };

/* From a list of mappings (share_budget_fields of fields.h). 0, or -1 with faults; GATES may be changed in part then. */
int share_budgets_parse(struct source *source, const struct node_entry *entry, struct gates *gates);

#endif
