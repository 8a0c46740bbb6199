/* Reads stored results, and turns them into baselines. */
#ifndef PAWL_JOB_RESULTS_H
#define PAWL_JOB_RESULTS_H

#include "store/store.h"

struct baseline;
struct baseline_session;
struct error;
struct result;
struct scenario_result;
struct side_result;

/* Reads PATH, a result.json or a run's folder that holds one. */
int results_read(const char *path, struct result *out, struct error *err);
/* Returns the folder of such a PATH, for free(). */
char *results_folder(const char *path);
/* Fails if a scenario occurs twice: shards must not overlap. */
int results_check_duplicates(const struct result *result, struct error *err);
/* Adds SIDE's runs to TO as a session, and returns it. */
struct baseline_session *results_add_session(const struct result *result, const struct scenario_result *scenario,
					     const struct side_result *side, struct baseline *to);
/* Makes a baseline of one session from a result's scenario. Valid as long as RESULT is. */
void results_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out);

#endif
