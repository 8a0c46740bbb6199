/* Every fault of a project's files on standard error, before a command fails. */
#ifndef PAWL_CMD_FAULTS_H
#define PAWL_CMD_FAULTS_H

#include "base/diag.h"

void faults_print(const struct diags *diags);

#endif
