/* Which scenarios a command line means. Used by project.c. */
#ifndef PAWL_CMD_SHARED_SELECT_H
#define PAWL_CMD_SHARED_SELECT_H

#include <stdbool.h>

/* A SCENARIO argument is a path when it holds a slash or ends in .yaml or .yml, else a name. */
bool argument_is_path(const char *arg);

#endif
