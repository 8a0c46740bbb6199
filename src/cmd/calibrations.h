/*
 * The tolerances that were found for machine classes: the file that pawl.yaml names as `calibration:`. From a commit where
 * scenarios are read from one, so that a pull request cannot loosen its own gates.
 *
 *	project_select() reads it -> rig_open() tells the machine class -> calibrations_apply() -> gates are described
 */
#ifndef PAWL_CMD_CALIBRATIONS_H
#define PAWL_CMD_CALIBRATIONS_H

#include "cmd/project.h"
#include "model/result.h"

/*
 * To project->calibration. Without the key there is none; a file that is missing is an ERR_INPUT, except for
 * `calibrate`, which makes it. A faulty one adds to project->diags.
 */
int calibrations_read(struct project *project, struct invocation *inv, struct error *err);
/* Sets what was found for MACHINE's class in the gates of all selected scenarios. */
void calibrations_apply(struct project *project, const struct machine *machine);
/* -1 with an ERR_INPUT when the file at PATH (from the root) is there and calibrations_write() could not merge into it. */
int calibrations_check(const struct project *project, const char *path, struct error *err);
/* Says in each scenario of RESULT, once it is judged, which tolerances in pairs come from there. */
void calibrations_note(const struct project *project, struct result *result);
/* Merges ENTRIES, which it takes over, into the file at PATH (from the root), which need not be there. */
int calibrations_write(const struct project *project, const char *path, const struct calibration *entries,
		       struct error *err);

#endif
