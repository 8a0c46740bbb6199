/* Reading stored results. */
#ifndef PAWL_JOB_RESULTS_H
#define PAWL_JOB_RESULTS_H

#include "store/store.h"

struct baseline;
struct baseline_session;
struct error;
struct result;
struct scenario_result;
struct side_result;

/* PATH is a result.json, or a run's folder that holds one. */
int results_read(const char *path, struct result *out, struct error *err);
/* The folder that such a PATH means, for free(). */
char *results_folder(const char *path);
/* A scenario that is there twice is a fault: shards must not overlap. */
int results_check_duplicates(const struct result *result, struct error *err);
/* The session that accepting SIDE's runs adds. */
struct baseline_session *results_add_session(const struct result *result, const struct scenario_result *scenario,
					     const struct side_result *side, struct baseline *to);
/* A result's scenario as if it had been accepted, in one session; valid as long as RESULT is. */
void results_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out);

#endif
