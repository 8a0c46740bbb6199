/* Which code a target runs, so that a report can say when the same code measured differently. */
#ifndef PAWL_CMD_CODE_H
#define PAWL_CMD_CODE_H

#include "scenario/plan.h"

/*
 * The identity of the executable, see measure/identity.h, and behind a '+' that of each file of the
 * project among its arguments. NULL when the executable cannot be found. For free().
 */
char *code_identity(const struct plan *plan);

#endif
