/* Stored results; judging a measured result against the project's baselines; printing the verdicts. */
#ifndef PAWL_JOB_VERDICTS_H
#define PAWL_JOB_VERDICTS_H

#include <stdbool.h>

#include "report/formats/report.h"

struct baseline;
struct baseline_session;
struct error;
struct project;
struct request;
struct result;
struct scenario_result;
struct side_result;

/* Reads PATH, a result.json or a run's folder that holds one. */
int verdicts_read(const char *path, struct result *out, struct error *err);
/* Returns the folder of such a PATH, for free(). */
char *verdicts_folder(const char *path);
/* Fails if a scenario occurs twice: shards must not overlap. */
int verdicts_check_duplicates(const struct result *result, struct error *err);
/* Adds SIDE's runs to TO as a session, and returns it. */
struct baseline_session *verdicts_add_session(const struct result *result, const struct scenario_result *scenario,
					     const struct side_result *side, struct baseline *to);
/* Makes a baseline of one session from a result's scenario. Valid as long as RESULT is. */
void verdicts_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out);

/*
 * Reads each scenario's baseline, judges, and settles the result. Scenarios measured in pairs, which are judged already,
 * are judged against it too. A damaged baseline is an error, after judging the others.
 */
int verdicts_stored(struct result *result, struct project *project, struct error *err);
/*
 * Handles regressions that the change's own baseline accepts and its base's does not. With --accept they become
 * `accepted`, and RESULT is settled again. Otherwise a note says so. Call after all judging. Does nothing if the tree
 * judges itself.
 */
void verdicts_accept(struct result *result, struct project *project);
/* RENDERs the report to standard output or --output. On GitHub also prints annotations. */
int verdicts_print(struct result *result, const struct request *request, report_fn *render, struct error *err);

/* Reason not to judge a scenario that the measured tree no longer has. */
extern const char verdicts_gone[];
/*
 * True if the scenario could not be run at all, as when its program is gone. False if it only became slow, or fails
 * at times.
 */
bool verdicts_excuses(const struct scenario_result *scenario);

#endif
