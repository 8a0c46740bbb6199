/* Commands as values; how they are read is value_command() of values.h. */
#ifndef PAWL_SCENARIO_COMMAND_H
#define PAWL_SCENARIO_COMMAND_H

#include "scenario/scenario.h"

void command_copy(struct arena *arena, struct command *out, const struct command *from);
/* The command as one line of shell: a string command as it was written. NULL when there is none; for free(). */
char *command_text(const struct command *command);

#endif
