/* Reading stored results. */
#ifndef PAWL_CMD_SHARED_RESULTS_H
#define PAWL_CMD_SHARED_RESULTS_H

#include "base/error.h"
#include "model/result.h"

/* PATH is a result.json, or a run's folder that holds one. */
int results_read(const char *path, struct result *out, struct error *err);
/* The folder that such a PATH means, for free(). */
char *results_folder(const char *path);
/* A scenario that is there twice is a fault: shards must not overlap. */
int results_check_twins(const struct result *result, struct error *err);
/* A result's scenario as if it had been accepted: one session, with the profile when there is one. */
void results_to_baseline(const struct result *result, const struct scenario_result *scenario, struct baseline *out);

#endif
