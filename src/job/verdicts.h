/* Judging a measured result against the project's baselines, and printing what came of it. */
#ifndef PAWL_JOB_VERDICTS_H
#define PAWL_JOB_VERDICTS_H

#include <stdbool.h>

struct error;
struct project;
struct request;
struct result;
struct scenario_result;

/* Reads each scenario's baseline and judges; a damaged one is an error, after all others were judged. Settles the result. */
int verdicts_stored(struct result *result, struct project *project, struct error *err);
/*
 * What regressed, where a baseline of the change's own, in place of that of its base, accepts it: with --accept it becomes
 * `accepted`, and RESULT is settled again; else a note says so. After all judging. Nothing where the tree judges itself.
 */
void verdicts_accept(struct result *result, struct project *project);
/* The report in FORMAT (NULL: text) to standard output or --output; on GitHub also annotations. */
int verdicts_print(const struct result *result, const struct request *request, const char *format, struct error *err);

/* Why a scenario that the measured tree does not have any more is not judged. */
extern const char verdicts_gone[];
/* It could not be run at all, as where its program is gone too: not one that only became slow, or fails at times. */
bool verdicts_excuses(const struct scenario_result *scenario);

#endif
