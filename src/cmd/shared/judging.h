/* Judging a measured result against the project's baselines, and printing what came of it. */
#ifndef PAWL_CMD_SHARED_JUDGING_H
#define PAWL_CMD_SHARED_JUDGING_H

#include "cmd/shared/project.h"
#include "model/result.h"

/* Reads each scenario's baseline and judges; a damaged one is an error, after all others were judged. Settles the result. */
int judging_stored(struct result *result, struct project *project, struct error *err);
/* The report in FORMAT (NULL: text) to standard output or --output; on GitHub also annotations. */
int judging_print(const struct result *result, const struct invocation *inv, const char *format, struct error *err);

/* Why a scenario that the measured tree does not have any more is not judged. */
extern const char judging_gone[];
/* It could not be run at all, as where its program is gone too: not one that only became slow, or fails at times. */
bool judging_excuses(const struct scenario_result *scenario);

#endif
